(** * Reduced graphs: a smaller graph of the same game

    What this file proves: if [check_reduction] accepts a map of the positions of a large graph to those of a small one,
    then a position and its image are the same game: together with any other game they have the same outcome, under
    normal and under misère play ([reduced_outcome], [reduced_misere_outcome]). If [check_same_values] accepts a map,
    then a position and its image have the same Grundy value ([reduced_value]). *)

From Coq Require Import List NArith Bool Lia.
From Graphgame Require Import Theory Mex Graph.
Import ListNotations.
Open Scope N_scope.

(** ** Maps that carry options to options

    The options of the image are the images of the options. *)

Definition carries_options {G H : game} (f : position G -> position H) : Prop :=
  forall p q, In q (options (f p)) <-> In q (map f (options p)).

Lemma value_rule_same : forall final l r, (forall x, In x l <-> In x r) -> value_rule final l = value_rule final r.
Proof.
  intros final l r H. destruct l as [|a l], r as [|b r]; trivial.
  - destruct (proj2 (H b) (or_introl eq_refl)).
  - destruct (proj1 (H a) (or_introl eq_refl)).
  - cbn [value_rule]. apply mex_is. apply (is_mex_same (b :: r)); [intro; now rewrite H | apply mex_spec].
Qed.

(** The rule of values looks at the set of the options' values alone, so such a map keeps values. *)
Lemma carried_value : forall final (G H : game) (f : position G -> position H),
  carries_options f -> forall p, value final (f p) = value final p.
Proof.
  intros final G H f Hf p. induction p as [p IH] using (well_founded_induction (play_ends G)).
  rewrite !value_eq. apply value_rule_same. intro x. rewrite !in_map_iff. split.
  - intros (q & <- & Hq). apply Hf in Hq. apply in_map_iff in Hq. destruct Hq as (o & <- & Ho).
    exists o. split; trivial. symmetry. now apply IH.
  - intros (o & <- & Ho). exists (f o). split; [now apply IH|]. apply Hf. now apply in_map.
Qed.

(** It is such a map on sums with any game, too. *)
Lemma carries_sum : forall (G H K : game) (f : position G -> position H), carries_options f ->
  carries_options (G := sum G K) (H := sum H K) (fun p => (f (fst p), snd p)).
Proof.
  intros G H K f Hf [p k] [q k']. cbn. unfold sum_options. cbn [fst snd].
  rewrite map_app, !in_app_iff, !map_map, !in_map_iff. split.
  - intros [(x & E & Hx)|(y & E & Hy)]; injection E as <- <-.
    + apply Hf in Hx. apply in_map_iff in Hx. destruct Hx as (o & <- & Ho). left. now exists o.
    + right. now exists y.
  - intros [(o & E & Ho)|(y & E & Hy)]; injection E as <- <-.
    + left. exists (f o). split; trivial. apply Hf. now apply in_map.
    + right. now exists y.
Qed.

Section Reduction.

(** The large graph, and the small one. *)
Variables (size : N) (first target : N -> N) (small : N) (small_first small_target : N -> N).

(** The image of each position. Hints: for each move of the large graph, [move_of] is the move of the small graph that
    it becomes; for the j-th move of the image of v, [came_from (first v + j)] is a move of v that becomes it. *)
Variables (image move_of came_from : N -> N).

Definition check_image (v : N) : bool :=
  let w := image v in
  if w <? small then
    if all_range (first v) (first (N.succ v)) (fun i =>
         let j := move_of i in
         if (small_first w <=? j) && (j <? small_first (N.succ w)) then small_target j =? image (target i) else false)
    then
      all_range (small_first w) (small_first (N.succ w)) (fun j =>
        let i := came_from (first v + (j - small_first w)) in
        if (first v <=? i) && (i <? first (N.succ v)) then image (target i) =? small_target j else false)
    else false
  else false.

(** All moves of the large graph lead to its positions. *)
Definition check_targets (v : N) : bool := all_range (first v) (first (N.succ v)) (fun i => target i <? size).

Definition check_reduction : bool :=
  if all_range 0 size check_targets then all_range 0 size check_image else false.

Hypothesis ends : well_founded (fun q p => In q (vertex_options size first target p)).
Hypothesis small_ends : well_founded (fun q p => In q (vertex_options small small_first small_target p)).

Let G := graph size first target ends.
Let H := graph small small_first small_target small_ends.

(** Numbers that are no positions have no moves: they go to one of the same kind. *)
Let to_small (v : position G) : position H := if v <? size then image v else small.

Lemma image_carries : check_reduction = true -> carries_options to_small.
Proof.
  intro Hc. unfold check_reduction in Hc. destruct (all_range 0 size check_targets) eqn:Et; [|discriminate].
  rewrite all_range_spec in Hc, Et.
  intros v w.
  change (@In N w (vertex_options small small_first small_target (to_small v)) <->
          @In N w (@map N N to_small (vertex_options size first target v))).
  unfold to_small at 1. destruct (N.ltb_spec v size) as [Hv|Hv].
  - specialize (Hc v ltac:(lia)). specialize (Et v ltac:(lia)). unfold check_image in Hc. cbv zeta in Hc. destruct (N.ltb_spec (image v) small) as [Hw|]; [|discriminate].
    destruct (all_range (first v) _ _) eqn:Em; [|discriminate].
    unfold check_targets in Et. rewrite all_range_spec in Em, Hc, Et.
    assert (Hto : forall i, first v <= i < first (N.succ v) -> to_small (target i) = image (target i)).
    { intros i Hi. unfold to_small. now rewrite (Et i Hi). }
    rewrite in_options, in_map_iff. split.
    + intros (_ & j & Hj & <-). specialize (Hc j Hj). cbv beta in Hc.
      set (i := came_from _) in Hc. destruct (N.leb_spec (first v) i); [|discriminate].
      destruct (N.ltb_spec i (first (N.succ v))); [|discriminate]. apply N.eqb_eq in Hc.
      exists (target i). rewrite Hto by lia. split; trivial. apply in_options. split; trivial. exists i. split; [lia | trivial].
    + intros (u & <- & Hu). apply in_options in Hu. destruct Hu as (_ & i & Hi & <-). rewrite Hto by trivial.
      split; trivial. specialize (Em i Hi). cbv beta in Em. exists (move_of i).
      destruct (N.leb_spec (small_first (image v)) (move_of i)); [|discriminate].
      destruct (N.ltb_spec (move_of i) (small_first (N.succ (image v)))); [|discriminate].
      apply N.eqb_eq in Em. split; [lia | trivial].
  - assert (E : vertex_options size first target v = []).
    { unfold vertex_options. destruct (N.ltb_spec v size); trivial. lia. }
    rewrite E. unfold vertex_options. rewrite N.ltb_irrefl. reflexivity.
Qed.

(** The same game: in any company, a position and its image have the same outcome. *)
Theorem reduced_outcome : check_reduction = true -> forall v, v < size ->
  forall (K : game) (k : position K),
  P_position (G := sum G K) (v, k) <-> P_position (G := sum H K) (image v, k).
Proof.
  intros Hc v Hv K k. rewrite !(proj1 (P_iff_value_0 _ _)).
  rewrite <- (carried_value 0 _ _ _ (carries_sum G H K _ (image_carries Hc)) (v, k)). cbn [fst snd].
  unfold to_small. apply N.ltb_lt in Hv. now rewrite Hv.
Qed.

Theorem reduced_misere_outcome : check_reduction = true -> forall v, v < size ->
  forall (K : game) (k : position K),
  misere_P (G := sum G K) (v, k) <-> misere_P (G := sum H K) (image v, k).
Proof.
  intros Hc v Hv K k. rewrite !(proj1 (misere_P_iff_value_0 _ _)).
  rewrite <- (carried_value 1 _ _ _ (carries_sum G H K _ (image_carries Hc)) (v, k)). cbn [fst snd].
  unfold to_small. apply N.ltb_lt in Hv. now rewrite Hv.
Qed.

(** ** Normal play: positions of the same value

    Both graphs have values that [check] accepts, and each position has that of its image. *)

Variables (claim rank witness small_claim small_rank small_witness : N -> N).

Definition none : N -> N := fun _ => 0.

Definition check_same_value (v : N) : bool :=
  (image v <? small) && negb (claim v =? 0) && (claim v =? small_claim (image v)).

Definition check_same_values : bool :=
  if check size first target 0 claim none rank witness then
    if check small small_first small_target 0 small_claim none small_rank small_witness
    then all_range 0 size check_same_value
    else false
  else false.

Theorem reduced_value : check_same_values = true -> forall v, v < size ->
  value 0 (G := H) (image v) = value 0 (G := G) v.
Proof.
  intros Hc v Hv. unfold check_same_values in Hc.
  destruct (check size _ _ _ _ _ _ _) eqn:E; [|discriminate].
  destruct (check small _ _ _ _ _ _ _) eqn:Es; [|discriminate].
  rewrite all_range_spec in Hc. specialize (Hc v ltac:(lia)). unfold check_same_value in Hc.
  apply andb_true_iff in Hc. destruct Hc as [Hc Esame]. apply andb_true_iff in Hc. destruct Hc as [Hw Hn].
  apply N.ltb_lt in Hw. apply negb_true_iff, N.eqb_neq in Hn. apply N.eqb_eq in Esame.
  pose proof (checked_values _ _ _ ends _ _ _ _ _ E v Hv Hn) as E1.
  pose proof (checked_values _ _ _ small_ends _ _ _ _ _ Es (image v) Hw ltac:(lia)) as E2.
  apply N.succ_inj. exact (eq_trans (eq_sym E2) (eq_trans (eq_sym Esame) E1)).
Qed.

End Reduction.
