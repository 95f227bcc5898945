(** * Values of the positions of a graph

    What this file proves: if [check] accepts a graph and a list of values, then the graph has no cycle
    ([checked_play_ends]), each value in the list is right ([checked_values]), and so is each outcome
    ([checked_outcomes]). If [winner] then names a winner of the sum of some tokens, that player wins
    ([normal_winner], [misere_winner]).

    The values may be those of all positions, or of some only: a certificate. For one token that is the classic
    certificate, a set of P-positions: every move from one of them has an answer back into the set.

    References: R. P. Sprague (1935) and P. M. Grundy (1939); C. Berge, The Theory of Graphs (1962), chapter 6, for
    Grundy functions of graphs. *)

From Coq Require Import List NArith Bool Lia Wellfounded.
From Graphgame Require Import Theory Mex.
Import ListNotations.
Open Scope N_scope.

Section Graph.

(** The graph: vertices [0 .. size - 1]; the options of [v] are [target i] for [first v <= i < first (v + 1)]. *)
Variables (size : N) (first target : N -> N).

Definition vertex_options (v : N) : list N :=
  if v <? size then map target (range (first v) (first (N.succ v))) else [].

Hypothesis ends : well_founded (fun q p => In q (vertex_options p)).

Definition graph : game := {| position := N; options := vertex_options; play_ends := ends |}.

Lemma in_options : forall u v, In u (vertex_options v) <->
  v < size /\ exists i, first v <= i < first (N.succ v) /\ target i = u.
Proof.
  intros. unfold vertex_options. destruct (N.ltb_spec v size) as [Hlt|Hge].
  - rewrite in_map_iff. split.
    + intros (i & E & Hi). apply in_range in Hi. split; trivial. now exists i.
    + intros (_ & i & Hi & E). exists i. split; trivial. now apply in_range.
  - split; [now intros [] | lia].
Qed.

(** [final] is the value of a position without options. [claim v] is the claimed value plus 1, or 0 if no value is claimed.
    [outcome v] is the claimed outcome: 1 for P, 2 for N, 0 if none is claimed. *)
Variables (final : N) (claim outcome : N -> N).

(** A hint that need not be trusted: the rank of an option is below that of the position. *)
Variable rank : N -> N.

(** A hint for each vertex [v] with a value above 62, and each smaller value [i]: [target (witness (first v + i))] is an
    option of [v] with the value [i]. *)
Variable witness : N -> N.

Definition is_end (v : N) : bool := first (N.succ v) <=? first v.

(** No value is claimed for [u], but the claims show that it is not [k]: [u] has no options and [final] is not [k], or an
    option of [u] has the value [k]. *)
Definition differs (u k : N) : bool :=
  if is_end u then negb (k =? final)
  else some_range (first u) (first (N.succ u)) (fun i => claim (target i) =? N.succ k).

Definition check_edges (v : N) : bool :=
  all_range (first v) (first (N.succ v)) (fun i => let u := target i in if u <? size then rank u <? rank v else false).

Definition check_smaller (v k : N) : bool :=
  let low := first v in
  let high := first (N.succ v) in
  if k <=? 62 then covers [(low, high, fun i => claim (target i))] k
  else
    all_range 0 k (fun i =>
      let j := witness (low + i) in
      if (low <=? j) && (j <? high) then claim (target j) =? N.succ i else false).

Lemma check_smaller_spec : forall v k, check_smaller v k = true ->
  forall i, i < k -> exists j, first v <= j < first (N.succ v) /\ claim (target j) = N.succ i.
Proof using Type.
  intros v k H i Hi. unfold check_smaller in H. destruct (k <=? 62).
  - destruct (covers_spec _ _ H i Hi) as (s & [<-|[]] & (j & Hj & Ej)). now exists j.
  - rewrite all_range_spec in H. specialize (H i ltac:(lia)). cbv zeta in H.
    exists (witness (first v + i)). destruct (N.leb_spec (first v) (witness (first v + i))); [|discriminate].
    destruct (N.ltb_spec (witness (first v + i)) (first (N.succ v))); [|discriminate].
    split; [now split | now apply N.eqb_eq].
Qed.

Definition check_row (v k : N) : bool :=
  if is_end v then k =? final
  else
    if all_range (first v) (first (N.succ v)) (fun i =>
         let u := target i in
         let c := claim u in
         if c =? 0 then differs u k else negb (c =? N.succ k))
    then check_smaller v k
    else false.

Definition check_outcome (v : N) : bool :=
  if outcome v =? 0 then true
  else if outcome v =? 1 then claim v =? 1
  else 1 <? claim v.

Definition check_vertex (v : N) : bool :=
  if check_edges v then
    if check_outcome v then
      if claim v =? 0 then true else check_row v (N.pred (claim v))
    else false
  else false.

Definition check : bool := all_range 0 size check_vertex.

Hypothesis checked : check = true.

Lemma vertex_checked : forall v, v < size ->
  check_edges v = true /\ check_outcome v = true /\ (claim v <> 0 -> check_row v (N.pred (claim v)) = true).
Proof.
  intros v Hv. unfold check in checked. rewrite all_range_spec in checked.
  specialize (checked v ltac:(lia)). unfold check_vertex in checked.
  destruct (check_edges v); [|discriminate]. destruct (check_outcome v); [|discriminate].
  repeat split; trivial. intro Hc. apply N.eqb_neq in Hc. now rewrite Hc in checked.
Qed.

Lemma edge_checked : forall u v, In u (vertex_options v) -> u < size /\ rank u < rank v.
Proof.
  intros u v H. apply in_options in H. destruct H as (Hv & i & Hi & <-).
  destruct (vertex_checked v Hv) as (He & _ & _). unfold check_edges in He. rewrite all_range_spec in He.
  specialize (He i Hi). cbn in He. destruct (N.ltb_spec (target i) size); [|discriminate].
  apply N.ltb_lt in He. now split.
Qed.

Lemma is_end_spec : forall v, v < size -> (is_end v = true <-> vertex_options v = []).
Proof.
  intros v Hv. unfold is_end. rewrite N.leb_le. split.
  - intro H. destruct (vertex_options v) as [|u l] eqn:E; trivial. exfalso.
    assert (Hu : In u (vertex_options v)) by (rewrite E; now left).
    apply in_options in Hu. destruct Hu as (_ & i & Hi & _). lia.
  - intro E. destruct (N.le_gt_cases (first (N.succ v)) (first v)) as [|Hlt]; trivial. exfalso.
    assert (Hu : In (target (first v)) (vertex_options v)).
    { apply in_options. split; trivial. exists (first v). split; [lia | trivial]. }
    rewrite E in Hu. destruct Hu.
Qed.

Lemma values_by_rank : forall (r : nat) v, (N.to_nat (rank v) < r)%nat -> v < size -> claim v <> 0 ->
  claim v = N.succ (value final (G := graph) v).
Proof.
  induction r as [|r IH]; [lia|]. intros v Hr Hv Hc.
  destruct (vertex_checked v Hv) as (_ & _ & Hrow). specialize (Hrow Hc).
  set (k := N.pred (claim v)) in *. assert (Ek : claim v = N.succ k) by (unfold k; lia).
  rewrite Ek. f_equal. symmetry. unfold check_row in Hrow.
  destruct (value_final_or_mex final graph v) as [[Hend E]|[Hmoves Hmex]]; cbn [options graph] in *.
  - apply (is_end_spec v Hv) in Hend. rewrite Hend in Hrow. apply N.eqb_eq in Hrow. congruence.
  - destruct (is_end v) eqn:Eend; [apply (is_end_spec v Hv) in Eend; contradiction|].
    destruct (all_range _ _ _) eqn:Eall; [|discriminate].
    rewrite all_range_spec in Eall. apply (is_mex_unique (map (value final (G := graph)) (vertex_options v))); trivial.
    split.
    + rewrite in_map_iff. intros (u & Eu & Hu).
      destruct (edge_checked u v Hu) as [Hus Hur].
      assert (Hu' := Hu). apply in_options in Hu'. destruct Hu' as (_ & i & Hi & Ei).
      specialize (Eall i Hi). cbv zeta in Eall. rewrite Ei in Eall.
      destruct (N.eqb_spec (claim u) 0) as [Ec|Ec].
      * unfold differs in Eall. destruct (is_end u) eqn:Eu0.
        -- apply (is_end_spec u Hus) in Eu0.
           destruct (value_final_or_mex final graph u) as [[_ Ev]|[Hn _]]; [|contradiction].
           apply negb_true_iff, N.eqb_neq in Eall. congruence.
        -- apply some_range_spec in Eall. destruct Eall as (j & Hj & Ej). apply N.eqb_eq in Ej.
           assert (Hw : In (target j) (vertex_options u)).
           { apply in_options. split; trivial. now exists j. }
           destruct (edge_checked _ _ Hw) as [Hws Hwr].
           pose proof (IH (target j) ltac:(lia) Hws ltac:(lia)) as Ew.
           destruct (value_final_or_mex final graph u) as [[Hn _]|[_ [Hnot _]]]; cbn [options graph] in *.
           ++ rewrite Hn in Hw. destruct Hw.
           ++ apply Hnot. rewrite in_map_iff. exists (target j). split; trivial. lia.
      * apply negb_true_iff, N.eqb_neq in Eall. pose proof (IH u ltac:(lia) Hus Ec). lia.
    + intros i Hi. destruct (check_smaller_spec _ _ Hrow i Hi) as (j & Hj & Ej).
      assert (Hu : In (target j) (vertex_options v)).
      { apply in_options. split; trivial. now exists j. }
      destruct (edge_checked _ _ Hu) as [Hus Hur].
      pose proof (IH (target j) ltac:(lia) Hus ltac:(lia)) as Eu.
      rewrite in_map_iff. exists (target j). split; trivial. lia.
Qed.

Theorem checked_values : forall v, v < size -> claim v <> 0 -> claim v = N.succ (value final (G := graph) v).
Proof. intros v. apply (values_by_rank (S (N.to_nat (rank v)))). lia. Qed.

Lemma checked_outcome_values : forall v, v < size -> outcome v <> 0 ->
  (outcome v = 1 /\ value final (G := graph) v = 0) \/ (outcome v <> 1 /\ value final (G := graph) v <> 0).
Proof.
  intros v Hv Ho. destruct (vertex_checked v Hv) as (_ & H & _). unfold check_outcome in H.
  destruct (N.eqb_spec (outcome v) 0); [contradiction|].
  destruct (N.eqb_spec (outcome v) 1) as [E|E]; [left | right]; split; trivial.
  - apply N.eqb_eq in H. pose proof (checked_values v Hv ltac:(lia)). lia.
  - apply N.ltb_lt in H. pose proof (checked_values v Hv ltac:(lia)). lia.
Qed.

(** ** Who wins the sum of tokens *)

(** Add a token to a list or, if the list has the token, remove it: two equal tokens cancel. *)
Fixpoint toggle (t : N) (l : list N) : list N :=
  match l with
  | [] => [t]
  | u :: rest => if t =? u then rest else u :: toggle t rest
  end.

Definition odd_tokens (l : list N) : list N := fold_left (fun acc t => toggle t acc) l [].

(** 0 if no value is claimed for some token; otherwise the nim-sum of [sum] and of the tokens' values, plus 1. *)
Fixpoint total_from (l : list N) (sum : N) : N :=
  match l with
  | [] => N.succ sum
  | t :: rest => if claim t =? 0 then 0 else total_from rest (N.lxor sum (N.pred (claim t)))
  end.

Definition total (l : list N) : N := total_from l 0.

Definition lost (l : list N) : bool := total (odd_tokens l) =? 1.

Lemma nim_sum_toggle : forall (f : N -> N) t l, nim_sum (map f (toggle t l)) = N.lxor (f t) (nim_sum (map f l)).
Proof using Type.
  induction l as [|u l IH]; trivial. cbn [toggle]. destruct (N.eqb_spec t u) as [->|].
  - cbn. now rewrite lxor_same_l.
  - cbn. fold (nim_sum (map f (toggle t l))). rewrite IH. fold (nim_sum (map f l)).
    rewrite <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
Qed.

Lemma in_toggle : forall t u l, In u (toggle t l) -> u = t \/ In u l.
Proof using Type.
  induction l as [|w l IH]; cbn; [intros [->|[]]; now left|].
  destruct (t =? w); [intro; right; now right|]. intros [->|H]; [right; now left|].
  destruct (IH H); [now left | right; now right].
Qed.

Lemma odd_tokens_from : forall (f : N -> N) l acc,
  nim_sum (map f (fold_left (fun a t => toggle t a) l acc)) = N.lxor (nim_sum (map f l)) (nim_sum (map f acc)) /\
  forall u, In u (fold_left (fun a t => toggle t a) l acc) -> In u l \/ In u acc.
Proof using Type.
  induction l as [|t l IH]; intros acc; cbn [fold_left].
  - split; [cbn; now rewrite N.lxor_0_l | now right].
  - destruct (IH (toggle t acc)) as [E K]. split.
    + rewrite E, nim_sum_toggle. cbn. fold (nim_sum (map f l)). rewrite (N.lxor_comm (f t) (nim_sum (map f l))).
      now rewrite N.lxor_assoc.
    + intros u Hu. destruct (K u Hu) as [H|H]; [left; now right|].
      destruct (in_toggle _ _ _ H) as [->|H']; [left; now left | now right].
Qed.

(** If the claims are right, so is the nim-sum of the tokens' values. In [odd_total_is], pairs of equal tokens need no
    claim. *)
Lemma total_is : forall (f : N -> N) l sum, (forall t, In t l -> claim t <> 0 -> claim t = N.succ (f t)) ->
  total_from l sum <> 0 -> total_from l sum = N.succ (N.lxor sum (nim_sum (map f l))).
Proof using Type.
  induction l as [|t l IH]; intros sum Hf H; cbn [total_from] in *; [cbn; now rewrite N.lxor_0_r|].
  destruct (N.eqb_spec (claim t) 0) as [|Hc]; [contradiction|].
  rewrite IH; trivial; [|intros u Hu; apply Hf; now right].
  rewrite (Hf t (or_introl eq_refl) Hc), N.pred_succ. cbn. now rewrite N.lxor_assoc.
Qed.

Lemma odd_total_is : forall (f : N -> N) l, (forall t, In t l -> claim t <> 0 -> claim t = N.succ (f t)) ->
  total (odd_tokens l) <> 0 -> total (odd_tokens l) = N.succ (nim_sum (map f l)).
Proof using Type.
  intros f l Hf H. unfold odd_tokens in *. destruct (odd_tokens_from f l []) as [E K].
  cbn [map nim_sum fold_right] in E. rewrite N.lxor_0_r in E. unfold total in *. rewrite <- E.
  assert (Hf' : forall t, In t (fold_left (fun a t => toggle t a) l []) -> claim t <> 0 -> claim t = N.succ (f t)).
  { intros t Ht. apply Hf. now destruct (K t Ht) as [|[]]. }
  now rewrite (total_is f _ _ Hf' H), N.lxor_0_l.
Qed.

Fixpoint winning_move (before after : list N) : bool :=
  match after with
  | [] => false
  | t :: rest =>
    if (t <? size) && some_range (first t) (first (N.succ t)) (fun i => lost (target i :: rev_append before rest))
    then true else winning_move (t :: before) rest
  end.

(** 1: the first player wins; 2: the second player wins; 0: the values do not tell. *)
Definition winner (l : list N) : N :=
  let sum := total l in
  if sum =? 0 then (if lost l then 2 else if winning_move [] l then 1 else 0)
  else if sum =? 1 then 2 else 1.

Definition misere_winner_of (t : N) : N :=
  if claim t =? 0 then
    (if is_end t then 1
     else if some_range (first t) (first (N.succ t)) (fun i => claim (target i) =? 1) then 1 else 0)
  else if claim t =? 1 then 2 else 1.

End Graph.

Arguments graph : clear implicits.

(** The first theorem: what [check] accepts has no cycle. *)
Theorem checked_play_ends : forall size first target final claim outcome rank witness,
  check size first target final claim outcome rank witness = true ->
  well_founded (fun q p => In q (vertex_options size first target p)).
Proof.
  intros until witness. intro H.
  assert (Hr : forall (r : nat) v, (N.to_nat (rank v) < r)%nat ->
               Acc (fun q p => In q (vertex_options size first target p)) v).
  { induction r as [|r IH]; [lia|]. intros v Hv. constructor. intros u Hu. apply IH.
    destruct (edge_checked _ _ _ _ _ _ _ _ H u v Hu). lia. }
  intro v. apply (Hr (S (N.to_nat (rank v)))). lia.
Qed.

Section Winner.

Variables (size : N) (first target : N -> N).
Hypothesis ends : well_founded (fun q p => In q (vertex_options size first target p)).
Variables (claim outcome rank witness : N -> N).

Let G := graph size first target ends.

Section Normal.

Hypothesis checked : check size first target 0 claim outcome rank witness = true.

Theorem checked_outcomes : forall v, v < size ->
  (outcome v = 1 -> P_position (G := G) v) /\ (outcome v = 2 -> N_position (G := G) v).
Proof.
  intros v Hv. destruct (P_iff_value_0 G v) as [HP HN]. rewrite HP, HN.
  split; intro E; destruct (checked_outcome_values _ _ _ ends _ _ _ _ _ checked v Hv ltac:(lia)) as [[? ?]|[? ?]];
    trivial; lia.
Qed.

Definition known (l : list N) : Prop := forall t, In t l -> t < size.

Lemma claims_right : forall l t, known l -> In t l -> claim t <> 0 -> claim t = N.succ (value 0 (G := G) t).
Proof. intros l t Hl Ht. apply (checked_values _ _ _ ends _ _ _ _ _ checked). now apply Hl. Qed.

Lemma lost_spec : forall l, known l -> lost claim l = true -> nim_sum (map (value 0 (G := G)) l) = 0.
Proof.
  intros l Hl H. unfold lost in H. apply N.eqb_eq in H.
  pose proof (odd_total_is claim (value 0 (G := G)) l (fun t => claims_right l t Hl) ltac:(lia)) as E.
  apply N.succ_inj. symmetry. exact (eq_trans (eq_sym H) E).
Qed.

Lemma winning_move_spec : forall after before, known (rev_append before after) ->
  winning_move size first target claim before after = true -> nim_sum (map (value 0 (G := G)) (rev_append before after)) <> 0.
Proof.
  induction after as [|t rest IH]; intros before Hk H; cbn [winning_move] in H; [discriminate|].
  destruct ((t <? size) && _) eqn:E; [|now apply (IH (t :: before))].
  apply andb_true_iff in E. destruct E as [Ht E]. apply N.ltb_lt in Ht.
  apply some_range_spec in E. destruct E as (i & Hi & Hlost).
  assert (Hu : In (target i) (vertex_options size first target t)).
  { apply in_options. split; trivial. now exists i. }
  destruct (edge_checked _ _ _ _ _ _ _ _ checked _ _ Hu) as [Hus _].
  apply lost_spec in Hlost.
  - cbn in Hlost. fold (nim_sum (map (value 0 (G := G)) (rev_append before rest))) in Hlost. apply N.lxor_eq in Hlost.
    rewrite !rev_append_rev, !map_app, !nim_sum_app in *. cbn. fold (nim_sum (map (value 0 (G := G)) rest)).
    intro E0. apply (grundy_of_option G t (target i) Hu).
    apply N.lxor_eq in E0. etransitivity; [exact Hlost|].
    etransitivity; [exact (f_equal (fun x => N.lxor x _) E0) | apply lxor_same_r].
  - intros u [<-|Hu']; trivial. apply Hk. rewrite rev_append_rev in *. apply in_app_iff in Hu'. apply in_app_iff.
    destruct Hu'; [now left | right; now right].
Qed.

Theorem normal_winner : forall l, known l ->
  (winner size first target claim l = 1 -> N_position (G := tokens G) l) /\
  (winner size first target claim l = 2 -> P_position (G := tokens G) l).
Proof.
  intros l Hl. rewrite tokens_P_iff, (proj2 (P_iff_value_0 (tokens G) l)).
  assert (EN : value 0 (G := tokens G) l = nim_sum (map (value 0 (G := G)) l)).
  { unfold tokens. rewrite sprague_grundy_list. f_equal. apply map_ext. intro. apply token_value. }
  rewrite EN. unfold winner. destruct (N.eqb_spec (total claim l) 0) as [E0|E0].
  - destruct (lost claim l) eqn:El; [split; [discriminate | intros _; now apply lost_spec]|].
    destruct (winning_move size first target claim [] l) eqn:Ew; split; try discriminate.
    intros _. exact (winning_move_spec l [] Hl Ew).
  - pose proof (total_is claim (value 0 (G := G)) l 0 (fun t => claims_right l t Hl) E0) as Et.
    rewrite N.lxor_0_l in Et. change (total claim l = N.succ (nim_sum (map (value 0 (G := G)) l))) in Et.
    destruct (N.eqb_spec (total claim l) 1) as [E1|E1]; split; try discriminate; intros _; lia.
Qed.

End Normal.

Section Misere.

Hypothesis checked : check size first target 1 claim outcome rank witness = true.

Theorem checked_misere_outcomes : forall v, v < size ->
  (outcome v = 1 -> misere_P (G := G) v) /\ (outcome v = 2 -> misere_N (G := G) v).
Proof.
  intros v Hv. destruct (misere_P_iff_value_0 G v) as [HP HN]. rewrite HP, HN.
  split; intro E; destruct (checked_outcome_values _ _ _ ends _ _ _ _ _ checked v Hv ltac:(lia)) as [[? ?]|[? ?]];
    trivial; lia.
Qed.

Theorem misere_winner : forall t, t < size ->
  (misere_winner_of first target claim t = 1 -> misere_N (G := G) t) /\
  (misere_winner_of first target claim t = 2 -> misere_P (G := G) t).
Proof.
  intros t Ht. unfold misere_winner_of. destruct (N.eqb_spec (claim t) 0) as [E0|E0].
  - destruct (is_end first t) eqn:Eend.
    + split; [|discriminate]. intros _. apply misere_N_end. now apply (is_end_spec size first target t Ht).
    + destruct (some_range _ _ _) eqn:Es; split; try discriminate. intros _.
      apply some_range_spec in Es. destruct Es as (i & Hi & Ei). apply N.eqb_eq in Ei.
      assert (Hu : In (target i) (vertex_options size first target t)).
      { apply in_options. split; trivial. now exists i. }
      destruct (edge_checked _ _ _ _ _ _ _ _ checked _ _ Hu) as [Hus _].
      pose proof (checked_values _ _ _ ends _ _ _ _ _ checked _ Hus ltac:(lia)) as Ev.
      apply (misere_N_by (G := G) t (target i) Hu). apply (misere_P_iff_value_0 G). fold G in Ev. lia.
  - pose proof (checked_values _ _ _ ends _ _ _ _ _ checked t Ht E0) as Ev. fold G in Ev.
    destruct (N.eqb_spec (claim t) 1) as [E1|E1]; split; try discriminate; intros _; apply (misere_P_iff_value_0 G); lia.
Qed.

End Misere.

End Winner.
