(** * Play that need not end

    What this file proves: [loopy_outcome]. In a graph with cycles a position has a finite value or the infinite value
    inf(K), where K is a finite set of numbers. If values satisfy the four conditions of [smith_values], they decide each
    sum: it is won by the next player, by the previous one, or drawn. [loopy_value_meaning] says what they mean: a
    position and a heap of Nim of size n together are a P-position exactly when the value is n, and an N-position
    exactly when it is another number, or is inf(K) with n in K.

    If [check_loopy] accepts a graph and its values, they are right ([checked_loopy_values]), and
    [loopy_winner_of] names the winner of the sum of the tokens ([checked_loopy_winner]).

    References: C. A. B. Smith, Graphs and composite games, Journal of Combinatorial Theory 1 (1966); A. S. Fraenkel,
    Y. Perl, Constructions in combinatorial games with cycles (1975); A. S. Fraenkel, Y. Yesha, The generalized
    Sprague-Grundy function and its invariance under certain mappings, Journal of Combinatorial Theory A 43 (1986). *)

From Coq Require Import List NArith Bool Lia.
From Graphgame Require Import Theory Mex Graph Lengths.
Import ListNotations.
Open Scope N_scope.

Inductive loopy_value := fin (m : N) | inf (K : list N).

(** Equations between nim-sums, bit by bit. *)
Ltac xor := apply N.bits_inj; intro; rewrite ?N.lxor_spec, ?N.bits_0;
  repeat match goal with |- context [N.testbit ?a ?b] => destruct (N.testbit a b) end; reflexivity.

Section Sums.

(** Components, and the options of each. Nothing says that play ends. *)
Variables (A : Type) (opts : A -> list A).

(** A position is a sum, and a move changes one component. *)
Definition sum_moves : list A -> list (list A) := list_options A (fun a => map (fun b => [b]) (opts a)).

(** Who wins in finitely many moves. Who cannot move loses; what nobody wins is drawn. *)
Inductive wins (l : list A) : Prop :=
| wins_by_move : forall q, In q (sum_moves l) -> loses q -> wins l
with loses (l : list A) : Prop :=
| loses_to_all : (forall q, In q (sum_moves l) -> wins q) -> loses l.

Definition drawn (l : list A) : Prop := ~ wins l /\ ~ loses l.

Scheme wins_mutual := Induction for wins Sort Prop
with loses_mutual := Induction for loses Sort Prop.

Variables (val : A -> loopy_value) (count : A -> N).

Definition finite_values (l : list A) : list N := flat_map (fun a => match val a with fin m => [m] | inf _ => [] end) l.

(** A finite value is the mex of the finite values of the options, and each move to a larger or an infinite value can
    be taken back, to a position that counts less. The set of an infinite value holds the finite values of the options,
    and there is a move to an infinite value whose set does not hold the mex of these. *)
Record smith_values : Prop := {
  finite_mex : forall u m, val u = fin m -> is_mex (finite_values (opts u)) m;
  taken_back : forall u m v, val u = fin m -> In v (opts u) -> (forall k, val v = fin k -> m < k) ->
    exists w, In w (opts v) /\ val w = fin m /\ count w < count u;
  infinite_set : forall u K, val u = inf K -> forall k, In k K <-> In k (finite_values (opts u));
  infinite_move : forall u K, val u = inf K ->
    exists v L, In v (opts u) /\ val v = inf L /\ ~ In (mex K) L }.

Hypothesis right : smith_values.

Lemma in_finite_values : forall l m, In m (finite_values l) <-> exists a, In a l /\ val a = fin m.
Proof using Type.
  intros. unfold finite_values. rewrite in_flat_map. split; intros (a & Ha & H); exists a; split; trivial.
  - destruct (val a); [destruct H as [->|[]]; trivial | destruct H].
  - rewrite H. now left.
Qed.

Lemma in_sum_moves : forall l q,
  In q (sum_moves l) <-> exists r a b s, l = r ++ a :: s /\ In b (opts a) /\ q = r ++ b :: s.
Proof using Type.
  induction l as [|c l IH]; intro q; unfold sum_moves in *; cbn [list_options].
  - split; [intros [] | intros (r & a & b & s & E & _)]. now destruct r.
  - rewrite in_app_iff, !in_map_iff. split.
    + intros [(parts & <- & Hp)|(x & <- & Hx)].
      * apply in_map_iff in Hp. destruct Hp as (b & <- & Hb). now exists [], c, b, l.
      * apply IH in Hx. destruct Hx as (r & a & b & s & -> & Hb & ->). now exists (c :: r), a, b, s.
    + intros ([|d r] & a & b & s & E & Hb & ->); cbn in E; injection E; clear E; intros -> ->.
      * left. exists [b]. split; trivial. apply in_map_iff. now exists b.
      * right. exists (r ++ b :: s). split; trivial. apply IH. now exists r, a, b, s.
Qed.

(** [part]: the finite value of a component, or 0. [sets]: the sets K of the components with infinite values inf(K). *)
Definition part (a : A) : N := match val a with fin m => m | inf _ => 0 end.
Definition parts_sum (l : list A) : N := nim_sum (map part l).
Definition sets (l : list A) : list (list N) := flat_map (fun a => match val a with fin _ => [] | inf K => [K] end) l.

Definition is_P (l : list A) : Prop := sets l = [] /\ parts_sum l = 0.
Definition is_N (l : list A) : Prop :=
  (sets l = [] /\ parts_sum l <> 0) \/ (exists K, sets l = [K] /\ In (parts_sum l) K).
Definition is_D (l : list A) : Prop :=
  (exists K, sets l = [K] /\ ~ In (parts_sum l) K) \/ (2 <= length (sets l))%nat.

Lemma parts_sum_at : forall r a s, parts_sum (r ++ a :: s) = N.lxor (part a) (parts_sum (r ++ s)).
Proof using Type.
  intros. unfold parts_sum. rewrite !map_app, !nim_sum_app. cbn. fold (nim_sum (map part s)).
  rewrite <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
Qed.

Lemma sets_at : forall r a s, sets (r ++ a :: s) = sets r ++ match val a with fin _ => [] | inf K => [K] end ++ sets s.
Proof using Type. intros. unfold sets. now rewrite flat_map_app. Qed.

Lemma nim_sum_lowered : forall l i, i < nim_sum l ->
  exists r b s, l = r ++ b :: s /\ N.lxor b (N.lxor (nim_sum l) i) < b.
Proof using Type.
  induction l as [|a l IH]; intros i Hi; cbn in Hi; [lia|]. fold (nim_sum l) in Hi.
  cbn. fold (nim_sum l). destruct (bouton _ _ _ Hi) as [H|H].
  - exists [], a, l. split; trivial.
    now replace (N.lxor a (N.lxor (N.lxor a (nim_sum l)) i)) with (N.lxor i (nim_sum l)) by xor.
  - destruct (IH _ H) as (r & b & s & E & Hb). exists (a :: r), b, s. split; [now rewrite E|].
    now replace (N.lxor (N.lxor a (nim_sum l)) i) with (N.lxor (nim_sum l) (N.lxor i a)) by xor.
Qed.

(** As in Nim, a finite sum can be lowered to each smaller number. *)
Lemma lower : forall l i, i < parts_sum l -> exists r a v s, l = r ++ a :: s /\ In v (opts a) /\
  sets (r ++ v :: s) = sets l /\ parts_sum (r ++ v :: s) = i /\ part v < part a.
Proof using right.
  intros l i Hi. destruct (nim_sum_lowered _ _ Hi) as (r' & b & s' & E & Hb).
  apply map_eq_app in E. destruct E as (r & s0 & -> & _ & E). apply map_eq_cons in E.
  destruct E as (a & s & -> & <- & _).
  set (x := parts_sum (r ++ a :: s)) in *. change (nim_sum (map part (r ++ a :: s))) with x in Hb.
  destruct (val a) as [m|K] eqn:Ea; [|unfold part in Hb at 2; rewrite Ea in Hb; lia].
  assert (Em : part a = m) by (unfold part; now rewrite Ea). rewrite Em in Hb. assert (Hlt := Hb).
  destruct (finite_mex right a m Ea) as [_ Hlow]. apply Hlow, in_finite_values in Hb. destruct Hb as (v & Hv & Ev).
  assert (Epv : part v = N.lxor m (N.lxor x i)) by (unfold part; now rewrite Ev).
  exists r, a, v, s. repeat split; trivial.
  - now rewrite !sets_at, Ea, Ev.
  - rewrite parts_sum_at, Epv. unfold x. rewrite parts_sum_at, Em. xor.
  - now rewrite Epv, Em.
Qed.

Lemma finite_parts : forall r a s, sets (r ++ a :: s) = [] -> val a = fin (part a) /\ sets (r ++ s) = [].
Proof using Type.
  intros r a s H. rewrite sets_at in H. apply app_eq_nil in H. destruct H as [Hr H]. apply app_eq_nil in H.
  destruct H as [Ha Hs]. unfold part. destruct (val a) as [m|K]; [|discriminate]. split; trivial.
  unfold sets in *. now rewrite flat_map_app, Hr, Hs.
Qed.

Definition weight (f : A -> N) (l : list A) : N := fold_right (fun a n => f a + n) 0 l.

Lemma weight_at : forall f r a s, weight f (r ++ a :: s) = f a + weight f (r ++ s).
Proof using Type. induction r as [|b r IH]; intros a s; cbn; trivial. fold (weight f (r ++ a :: s)) (weight f (r ++ s)). rewrite IH. lia. Qed.

(** A move to the nim-sum 0, from a sum of finite components. *)
Lemma lower_to_P : forall l, sets l = [] -> parts_sum l <> 0 -> exists q, In q (sum_moves l) /\ is_P q /\ weight part q < weight part l.
Proof using right.
  intros l Hf Hx. destruct (lower l 0 ltac:(lia)) as (r & a & v & s & -> & Hv & Hs & Hp & Hlt).
  exists (r ++ v :: s). repeat split; trivial.
  - apply in_sum_moves. now exists r, a, v, s.
  - congruence.
  - rewrite !weight_at. lia.
Qed.

(** Each move of the loser lowers the sum of the values, and so does the answer; or the answer takes it back, and the
    counts fall. *)
Lemma P_loses : forall l, is_P l -> loses l.
Proof using right.
  assert (H : forall (n c : nat) l, (N.to_nat (weight part l) < n)%nat -> (N.to_nat (weight count l) < c)%nat ->
              is_P l -> loses l).
  { induction n as [|n IHn]; [lia|]. induction c as [|c IHc]; [lia|]. intros l Hn Hc [Hf Hx].
    constructor. intros q Hq. apply in_sum_moves in Hq. destruct Hq as (r & a & v & s & -> & Hv & ->).
    destruct (finite_parts r a s Hf) as [Ea Hrs]. rewrite parts_sum_at in Hx. apply N.lxor_eq in Hx.
    assert (Hup : (forall k, val v = fin k -> part a < k) -> wins (r ++ v :: s)).
    { intro Hk. destruct (taken_back right a (part a) v Ea Hv Hk) as (w & Hw & Ew & Hcw).
      assert (Epw : part w = part a) by (unfold part at 1; now rewrite Ew).
      apply (wins_by_move _ (r ++ w :: s)); [apply in_sum_moves; now exists r, v, w, s|].
      rewrite !weight_at in *. apply IHc.
      - rewrite weight_at. lia.
      - rewrite weight_at. lia.
      - split; [rewrite sets_at, Ea in Hf; now rewrite sets_at, Ew|].
        rewrite parts_sum_at, Epw, Hx. apply N.lxor_nilpotent. }
    destruct (val v) as [k|K] eqn:Ev; [|apply Hup; discriminate].
    assert (Epv : part v = k) by (unfold part; now rewrite Ev).
    destruct (N.lt_trichotomy k (part a)) as [Hlt|[->|Hgt]].
    - destruct (lower_to_P (r ++ v :: s)) as (q & Hq & HP & Hw).
      + rewrite sets_at, Ea in Hf. now rewrite sets_at, Ev.
      + rewrite parts_sum_at, <- Hx, Epv. intro E. apply N.lxor_eq in E. lia.
      + apply (wins_by_move _ q Hq).
        apply (IHn (S (N.to_nat (weight count q)))); [|lia | trivial]. rewrite weight_at in *. lia.
    - exfalso. apply (proj1 (finite_mex right a _ Ea)). apply in_finite_values. now exists v.
    - apply Hup. intros k' E. now injection E as <-. }
  intros l. apply (H (S (N.to_nat (weight part l))) (S (N.to_nat (weight count l)))); lia.
Qed.

Lemma N_moves : forall l, is_N l -> exists q, In q (sum_moves l) /\ is_P q.
Proof using right.
  intros l [[Hf Hx]|(K & Hf & Hx)].
  - destruct (lower_to_P l Hf Hx) as (q & Hq & HP & _). now exists q.
  - assert (Hs : exists r a s, l = r ++ a :: s /\ val a = inf K /\ sets (r ++ s) = []).
    { clear Hx. induction l as [|b l IH]; [discriminate|]. cbn in Hf. fold (sets l) in Hf.
      destruct (val b) as [m|L] eqn:Eb.
      - destruct (IH Hf) as (r & a & s & -> & Ea & E). exists (b :: r), a, s. repeat split; trivial. cbn.
        now rewrite Eb.
      - injection Hf as -> Hf. now exists [], b, l. }
    destruct Hs as (r & a & s & -> & Ea & E). rewrite parts_sum_at in Hx. unfold part in Hx. rewrite Ea, N.lxor_0_l in Hx.
    apply (infinite_set right a K Ea), in_finite_values in Hx. destruct Hx as (v & Hv & Ev).
    exists (r ++ v :: s). split; [apply in_sum_moves; now exists r, a, v, s|]. split.
    + rewrite sets_at, Ev. unfold sets in E. rewrite flat_map_app in E. exact E.
    + rewrite parts_sum_at. unfold part. rewrite Ev. apply N.lxor_nilpotent.
Qed.

Lemma N_wins : forall l, is_N l -> wins l.
Proof using right. intros l H. destruct (N_moves l H) as (q & Hq & HP). apply (wins_by_move _ q Hq). now apply P_loses. Qed.

Lemma cases : forall l, is_P l \/ is_N l \/ is_D l.
Proof using Type.
  intro l. unfold is_P, is_N, is_D. destruct (sets l) as [|K [|L r]].
  - destruct (N.eq_dec (parts_sum l) 0); auto.
  - destruct (in_dec N.eq_dec (parts_sum l) K); right; [left; right | right; left]; now exists K.
  - right. right. right. cbn. lia.
Qed.

Lemma apart : forall l, ~ (is_P l /\ is_N l) /\ ~ (is_P l /\ is_D l) /\ ~ (is_N l /\ is_D l).
Proof using Type.
  intro l. unfold is_P, is_N, is_D. destruct (sets l) as [|K [|L r]]; repeat split; intros [H1 H2];
    repeat match goal with
    | H : _ \/ _ |- _ => destruct H
    | H : _ /\ _ |- _ => destruct H
    | H : exists _, _ |- _ => destruct H
    | H : _ :: _ = _ |- _ => first [discriminate H | injection H; clear H; intros; subst]
    end; cbn in *; try discriminate; try lia; contradiction.
Qed.

Lemma P_moves : forall l q, is_P l -> In q (sum_moves l) -> ~ is_P q.
Proof using right.
  intros l q [Hf Hx] Hq [Hf' Hx']. apply in_sum_moves in Hq. destruct Hq as (r & a & v & s & -> & Hv & ->).
  destruct (finite_parts _ _ _ Hf) as [Ea _]. destruct (finite_parts _ _ _ Hf') as [Ev _].
  rewrite parts_sum_at in Hx, Hx'. apply N.lxor_eq in Hx, Hx'.
  apply (proj1 (finite_mex right a _ Ea)). apply in_finite_values. exists v. split; trivial. now rewrite Hx, <- Hx'.
Qed.

Lemma D_moves : forall l q, is_D l -> In q (sum_moves l) -> ~ is_P q.
Proof using right.
  intros l q HD Hq [Hf' Hx']. apply in_sum_moves in Hq. destruct Hq as (r & a & v & s & -> & Hv & ->).
  destruct (finite_parts _ _ _ Hf') as [Ev Hrs]. unfold is_D in HD. rewrite sets_at in HD.
  unfold sets in Hrs. rewrite flat_map_app in Hrs. apply app_eq_nil in Hrs. fold (sets r) (sets s) in Hrs.
  destruct Hrs as [Er Es]. rewrite Er, Es in HD.
  destruct (val a) as [m|K] eqn:Ea; cbn in HD; [destruct HD as [(K & E & _)|H]; [discriminate | lia]|].
  destruct HD as [(L & E & HL)|H]; [|lia]. injection E as <-. apply HL.
  apply (infinite_set right a K Ea). apply in_finite_values. exists v. split; trivial.
  rewrite parts_sum_at in *. apply N.lxor_eq in Hx'. rewrite <- Hx'. unfold part at 1 in HL.
  rewrite Ea, N.lxor_0_l in HL. unfold part at 1. now rewrite Ea, N.lxor_0_l.
Qed.

Lemma D_stays : forall l, is_D l -> exists q, In q (sum_moves l) /\ is_D q.
Proof using right.
  intros l HD.
  assert (Hs : exists r a s K, l = r ++ a :: s /\ val a = inf K).
  { assert (Hne : sets l <> []) by (destruct HD as [(K & -> & _)|H]; [discriminate | now destruct (sets l); [cbn in H; lia|]]).
    clear HD. induction l as [|b l IH]; [contradiction|]. cbn in Hne. fold (sets l) in Hne.
    destruct (val b) as [m|L] eqn:Eb; [|now exists [], b, l, L].
    destruct (IH Hne) as (r & a & s & K & -> & Ea). now exists (b :: r), a, s, K. }
  destruct Hs as (r & a & s & K & -> & Ea). destruct (infinite_move right a K Ea) as (v & L & Hv & Ev & HL).
  assert (Hq : In (r ++ v :: s) (sum_moves (r ++ a :: s))) by (apply in_sum_moves; now exists r, a, v, s).
  assert (Ep : parts_sum (r ++ v :: s) = parts_sum (r ++ a :: s)).
  { rewrite !parts_sum_at. unfold part. now rewrite Ea, Ev. }
  destruct HD as [(K' & E & Hx)|H].
  - assert (Es : sets (r ++ v :: s) = [L]).
    { rewrite sets_at, Ea in E. rewrite sets_at, Ev. destruct (sets r) as [|x t]; cbn in E |- *.
      - injection E as -> ->. reflexivity.
      - injection E as _ E. now destruct t. }
    assert (K' = K) as ->.
    { rewrite sets_at, Ea in E. destruct (sets r) as [|x t]; cbn in E; [now injection E|].
      injection E as _ E. now destruct t. }
    destruct (mex_spec K) as [Hg Hlow].
    destruct (N.lt_trichotomy (parts_sum (r ++ a :: s)) (mex K)) as [H|[H|H]].
    + exfalso. apply Hx. now apply Hlow.
    + exists (r ++ v :: s). split; trivial. left. exists L. split; trivial. now rewrite Ep, H.
    + destruct (lower _ _ H) as (r' & b & w & s' & El & Hw & Hse & Hp & _). exists (r' ++ w :: s').
      split; [rewrite El; apply in_sum_moves; now exists r', b, w, s'|]. left. exists K.
      split; [congruence | now rewrite Hp].
  - exists (r ++ v :: s). split; trivial. right. rewrite sets_at, Ea, app_length in H.
    rewrite sets_at, Ev, app_length. exact H.
Qed.

Lemma only : forall l, (wins l -> is_N l) /\ (loses l -> is_P l).
Proof using right.
  intro l. split; intro H.
  - induction H as [l q Hq _ IH|l _ IH] using wins_mutual with (P0 := fun l _ => is_P l).
    + destruct (cases l) as [HP|[HN|HD]]; trivial; exfalso; [now apply (P_moves l q) | now apply (D_moves l q)].
    + destruct (cases l) as [HP|[HN|HD]]; trivial; exfalso.
      * destruct (N_moves l HN) as (q & Hq & HP). apply (proj1 (apart q)). split; trivial. now apply IH.
      * destruct (D_stays l HD) as (q & Hq & HD'). apply (proj2 (proj2 (apart q))). split; trivial. now apply IH.
  - induction H as [l q Hq _ IH|l _ IH] using loses_mutual with (P := fun l _ => is_N l).
    + destruct (cases l) as [HP|[HN|HD]]; trivial; exfalso; [now apply (P_moves l q) | now apply (D_moves l q)].
    + destruct (cases l) as [HP|[HN|HD]]; trivial; exfalso.
      * destruct (N_moves l HN) as (q & Hq & HP). apply (proj1 (apart q)). split; trivial. now apply IH.
      * destruct (D_stays l HD) as (q & Hq & HD'). apply (proj2 (proj2 (apart q))). split; trivial. now apply IH.
Qed.

(** Smith's theorem. *)
Theorem loopy_outcome : forall l, (wins l <-> is_N l) /\ (loses l <-> is_P l) /\ (drawn l <-> is_D l).
Proof using right.
  intro l. destruct (only l) as [HN HP].
  assert (Hw : wins l <-> is_N l) by (split; [trivial | apply N_wins]).
  assert (Hl : loses l <-> is_P l) by (split; [trivial | apply P_loses]).
  split; [exact Hw | split; [exact Hl|]]. split.
  - intros [Dw Dl]. destruct (cases l) as [H|[H|H]]; trivial; exfalso; [now apply Dl, Hl | now apply Dw, Hw].
  - intro HD. split; [rewrite Hw | rewrite Hl]; intro H; [now apply (proj2 (proj2 (apart l))) | now apply (proj1 (proj2 (apart l)))].
Qed.

End Sums.

(** ** What the values mean

    Beside the components of a game there are heaps of Nim, here as the components on the right. *)

Section Meaning.

Variables (A : Type) (opts : A -> list A) (val : A -> loopy_value) (count : A -> N).
Hypothesis right : smith_values A opts val count.

Definition with_heaps (c : A + N) : list (A + N) :=
  match c with inl a => map inl (opts a) | inr n => map inr (range 0 n) end.

Definition val_with_heaps (c : A + N) : loopy_value := match c with inl a => val a | inr n => fin n end.
Definition count_with_heaps (c : A + N) : N := match c with inl a => count a | inr _ => 0 end.

Lemma finite_values_inl : forall l, finite_values (A + N) val_with_heaps (map inl l) = finite_values A val l.
Proof using Type. induction l as [|a l IH]; cbn; trivial. f_equal. exact IH. Qed.

Lemma right_with_heaps : smith_values (A + N) with_heaps val_with_heaps count_with_heaps.
Proof using right.
  split; intros [a|n]; cbn [val_with_heaps with_heaps count_with_heaps].
  - intros m E. rewrite finite_values_inl. now apply (finite_mex _ _ _ _ right).
  - intros m E. injection E as ->. split.
    + rewrite in_finite_values. intros (c & Hc & E). apply in_map_iff in Hc. destruct Hc as (k & <- & Hk).
      apply in_range in Hk. injection E as ->. lia.
    + intros i Hi. apply in_finite_values. exists (inr i). split; trivial. apply in_map, in_range. lia.
  - intros m v E Hv Hk. apply in_map_iff in Hv. destruct Hv as (b & <- & Hb).
    destruct (taken_back _ _ _ _ right a m b E Hb Hk) as (w & Hw & Ew & Hc). exists (inl w). repeat split; trivial.
    now apply in_map.
  - intros m v E Hv Hk. exfalso. injection E as ->. apply in_map_iff in Hv. destruct Hv as (k & <- & H).
    apply in_range in H. specialize (Hk k eq_refl). lia.
  - intros K E k. rewrite finite_values_inl. now apply (infinite_set _ _ _ _ right).
  - discriminate.
  - intros K E. destruct (infinite_move _ _ _ _ right a K E) as (v & L & Hv & Ev & HL). exists (inl v), L.
    repeat split; trivial. now apply in_map.
  - discriminate.
Qed.

(** A position [u] beside a heap of size [n]. *)
Theorem loopy_value_meaning : forall u n,
  (loses (A + N) with_heaps [inl u; inr n] <-> val u = fin n) /\
  (wins (A + N) with_heaps [inl u; inr n] <-> match val u with fin m => m <> n | inf K => In n K end).
Proof using right.
  intros u n. destruct (loopy_outcome _ _ _ _ right_with_heaps [inl u; inr n]) as (Hw & Hl & _). rewrite Hw, Hl.
  unfold is_N, is_P, parts_sum, sets, part, nim_sum. cbn [map flat_map fold_right val_with_heaps app].
  rewrite N.lxor_0_r. destruct (val u) as [m|K]; cbn [app]; rewrite ?N.lxor_0_l.
  - assert (E : N.lxor m n = 0 <-> m = n) by (split; [apply N.lxor_eq | intros ->; apply N.lxor_nilpotent]). rewrite E.
    split; split; intro H.
    + destruct H as [_ ->]. reflexivity.
    + injection H as ->. now split.
    + destruct H as [[_ H]|(K & H & _)]; [trivial | discriminate].
    + left. now split.
  - split; split; intro H.
    + destruct H; discriminate.
    + discriminate.
    + destruct H as [[H _]|(L & H & Hn)]; [discriminate|]. now injection H as ->.
    + right. now exists K.
Qed.

End Meaning.

(** ** The checker *)

Section Checker.

(** The graph, as in Graph.v. The claims: [claim v] is the value plus 1 where it is finite, and 0 where it is the
    infinite value with the set [set v]. The counts need no trust. *)
Variables (size : N) (first target claim : N -> N) (set : N -> list N) (count : N -> N).

Definition in_set (k : N) (l : list N) : bool := existsb (fun x => x =? k) l.

Definition loopy_claim (v : N) : loopy_value := if claim v =? 0 then inf (set v) else fin (N.pred (claim v)).

(** A move from [u] to [v], where [v] is not known to be smaller: some answer returns to the value and counts less. *)
Definition answered_from (u v : N) : bool :=
  some_range (first v) (first (N.succ v)) (fun i =>
    let w := target i in if claim w =? claim u then count w <? count u else false).

Definition check_finite (u : N) : bool :=
  let low := first u in
  let high := first (N.succ u) in
  let c := claim u in
  if all_range low high (fun i =>
       let v := target i in
       if claim v =? 0 then answered_from u v
       else if claim v <? c then true
       else if claim v =? c then false else answered_from u v)
  then covers [(low, high, fun i => claim (target i))] (N.pred c)
  else false.

Definition check_infinite (u : N) : bool :=
  let low := first u in
  let high := first (N.succ u) in
  if all_range low high (fun i => let c := claim (target i) in if c =? 0 then true else in_set (N.pred c) (set u)) then
    if forallb (fun k => some_range low high (fun i => claim (target i) =? N.succ k)) (set u) then
      let g := mex (set u) in
      some_range low high (fun i => let v := target i in if claim v =? 0 then negb (in_set g (set v)) else false)
    else false
  else false.

Definition check_loopy_vertex (u : N) : bool :=
  if all_range (first u) (first (N.succ u)) (fun i => target i <? size) then
    if claim u =? 0 then check_infinite u else check_finite u
  else false.

Definition check_loopy : bool := all_range 0 size check_loopy_vertex.

(** The nim-sum of the tokens' finite values, and the sets of their infinite values. [loopy_winner_of] is 1 if the first
    player wins the sum of the tokens, 2 if the second player wins, and 3 for a draw. *)
Fixpoint loopy_total (l : list N) (sum : N) (infinite : list (list N)) : N * list (list N) :=
  match l with
  | [] => (sum, infinite)
  | t :: rest =>
    if claim t =? 0 then loopy_total rest sum (set t :: infinite)
    else loopy_total rest (N.lxor sum (N.pred (claim t))) infinite
  end.

Definition loopy_winner_of (l : list N) : N :=
  match loopy_total l 0 [] with
  | (x, []) => if x =? 0 then 2 else 1
  | (x, [K]) => if in_set x K then 1 else 3
  | _ => 3
  end.

Hypothesis checked : check_loopy = true.

Let opts := vertex_options size first target.

(** The claims of the vertices of the graph; other numbers are dead ends. *)
Let val (v : N) : loopy_value := if v <? size then loopy_claim v else fin 0.

Lemma in_set_spec : forall k l, in_set k l = true <-> In k l.
Proof using Type.
  intros. unfold in_set. rewrite existsb_exists. split.
  - intros (x & Hx & E). apply N.eqb_eq in E. now subst.
  - intro H. exists k. split; trivial. apply N.eqb_refl.
Qed.

Lemma loopy_vertex : forall u, u < size -> (forall v, In v (opts u) -> v < size) /\
  (if claim u =? 0 then check_infinite u else check_finite u) = true.
Proof using checked.
  intros u Hu. unfold check_loopy in checked. rewrite all_range_spec in checked. specialize (checked u ltac:(lia)).
  unfold check_loopy_vertex in checked. destruct (all_range _ _ _) eqn:E; [|discriminate]. split; trivial.
  intros v Hv. apply in_options in Hv. destruct Hv as (_ & i & Hi & <-). rewrite all_range_spec in E.
  now apply N.ltb_lt, E.
Qed.

Lemma val_is : forall v, v < size -> val v = loopy_claim v.
Proof using Type. intros v Hv. unfold val. now apply N.ltb_lt in Hv as ->. Qed.

Lemma claim_is : forall v m, loopy_claim v = fin m <-> claim v = N.succ m.
Proof using Type.
  intros v m. unfold loopy_claim. destruct (N.eqb_spec (claim v) 0) as [E|E]; split; intro H; try discriminate; try lia.
  - injection H. lia.
  - f_equal. lia.
Qed.

Lemma in_finite_options : forall u m, u < size ->
  In m (finite_values N val (opts u)) <-> exists i, first u <= i < first (N.succ u) /\ claim (target i) = N.succ m.
Proof using checked.
  intros u m Hu. rewrite in_finite_values. destruct (loopy_vertex u Hu) as [Hin _]. split.
  - intros (v & Hv & E). rewrite val_is in E by now apply Hin. apply claim_is in E.
    apply in_options in Hv. destruct Hv as (_ & i & Hi & <-). now exists i.
  - intros (i & Hi & E). exists (target i).
    assert (Hv : In (target i) (opts u)) by (apply in_options; split; trivial; now exists i).
    split; trivial. rewrite val_is by now apply Hin. now apply claim_is.
Qed.

Lemma answered_from_spec : forall u v m, claim u = N.succ m -> v < size -> answered_from u v = true ->
  exists w, In w (opts v) /\ val w = fin m /\ count w < count u.
Proof using checked.
  intros u v m Eu Hv H. apply some_range_spec in H. destruct H as (i & Hi & H). cbv zeta in H.
  destruct (N.eqb_spec (claim (target i)) (claim u)) as [E|]; [|discriminate]. apply N.ltb_lt in H.
  assert (Hw : In (target i) (opts v)) by (apply in_options; split; trivial; now exists i).
  exists (target i). repeat split; trivial. rewrite val_is by now apply (loopy_vertex v Hv).
  apply claim_is. congruence.
Qed.

(** What [check_loopy] accepts are the values, by the four conditions. *)
Theorem checked_loopy_values : smith_values N opts val count.
Proof using checked.
  assert (Hpast : forall u, ~ u < size -> opts u = []).
  { intros u Hu. unfold opts, vertex_options. now destruct (N.ltb_spec u size). }
  split; intro u; destruct (N.lt_ge_cases u size) as [Hu|Hu].
  - intros m E. rewrite val_is in E by trivial. apply claim_is in E. destruct (loopy_vertex u Hu) as [_ H].
    destruct (N.eqb_spec (claim u) 0) as [|_]; [lia|]. unfold check_finite in H. cbv zeta in H.
    destruct (all_range _ _ _) eqn:Eall; [|discriminate]. rewrite all_range_spec in Eall. split.
    + rewrite in_finite_options by trivial. intros (i & Hi & Ei). specialize (Eall i Hi). cbv zeta in Eall.
      rewrite Ei, E in Eall. destruct (N.eqb_spec (N.succ m) 0); [lia|].
      rewrite N.ltb_irrefl, N.eqb_refl in Eall. discriminate.
    + intros j Hj. apply in_finite_options; trivial. rewrite E, N.pred_succ in H.
      destruct (covers_spec _ _ H j Hj) as (s & [<-|[]] & (i & Hi & Ei)). now exists i.
  - intros m E. unfold val in E. apply N.ltb_ge in Hu as Hu'. rewrite Hu' in E. injection E as <-.
    rewrite Hpast by lia. split; [intros [] | lia].
  - intros m v E Hv Hk. rewrite val_is in E by trivial. apply claim_is in E. destruct (loopy_vertex u Hu) as [Hin H].
    destruct (N.eqb_spec (claim u) 0) as [|_]; [lia|]. unfold check_finite in H. cbv zeta in H.
    destruct (all_range _ _ _) eqn:Eall; [|discriminate]. rewrite all_range_spec in Eall.
    assert (Hvs := Hin v Hv). apply (answered_from_spec u v m E Hvs).
    apply in_options in Hv. destruct Hv as (_ & i & Hi & <-). specialize (Eall i Hi). cbv zeta in Eall.
    destruct (N.eqb_spec (claim (target i)) 0) as [E0|E0]; trivial.
    assert (Hlt : m < N.pred (claim (target i))).
    { apply Hk. rewrite val_is by trivial. apply claim_is. lia. }
    destruct (N.ltb_spec (claim (target i)) (claim u)); [lia|].
    destruct (N.eqb_spec (claim (target i)) (claim u)); [lia | trivial].
  - intros m v _ Hv. rewrite Hpast in Hv by lia. destruct Hv.
  - intros K E k. rewrite val_is in E by trivial. unfold loopy_claim in E. destruct (loopy_vertex u Hu) as [_ H].
    destruct (claim u =? 0); [|discriminate]. injection E as <-. unfold check_infinite in H. cbv zeta in H.
    destruct (all_range _ _ _) eqn:Eall; [|discriminate]. destruct (forallb _ _) eqn:Esome; [|discriminate].
    rewrite all_range_spec in Eall. rewrite forallb_forall in Esome. rewrite in_finite_options by trivial. split.
    + intro Hk. specialize (Esome k Hk). apply some_range_spec in Esome. destruct Esome as (i & Hi & Ei).
      apply N.eqb_eq in Ei. now exists i.
    + intros (i & Hi & Ei). specialize (Eall i Hi). cbv zeta in Eall. rewrite Ei in Eall.
      destruct (N.eqb_spec (N.succ k) 0); [lia|]. apply in_set_spec in Eall. now rewrite N.pred_succ in Eall.
  - intros K E. unfold val in E. apply N.ltb_ge in Hu as Hu'. now rewrite Hu' in E.
  - intros K E. rewrite val_is in E by trivial. unfold loopy_claim in E. destruct (loopy_vertex u Hu) as [Hin H].
    destruct (claim u =? 0); [|discriminate]. injection E as <-. unfold check_infinite in H. cbv zeta in H.
    destruct (all_range _ _ _); [|discriminate]. destruct (forallb _ _); [|discriminate].
    apply some_range_spec in H. destruct H as (i & Hi & H).
    destruct (N.eqb_spec (claim (target i)) 0) as [E0|]; [|discriminate].
    assert (Hv : In (target i) (opts u)) by (apply in_options; split; trivial; now exists i).
    exists (target i), (set (target i)). repeat split; trivial.
    + rewrite val_is by now apply Hin. unfold loopy_claim. now rewrite E0.
    + intro Hm. apply in_set_spec in Hm. now rewrite Hm in H.
  - intros K E. unfold val in E. apply N.ltb_ge in Hu as Hu'. now rewrite Hu' in E.
Qed.

Lemma loopy_total_spec : forall l x S, (forall t, In t l -> t < size) ->
  fst (loopy_total l x S) = N.lxor x (parts_sum N val l) /\ snd (loopy_total l x S) = rev (sets N val l) ++ S.
Proof using Type.
  induction l as [|t l IH]; intros x S Hl; cbn [loopy_total].
  - split; [unfold parts_sum; cbn; now rewrite N.lxor_0_r | trivial].
  - assert (Ht : val t = loopy_claim t) by (apply val_is, Hl; now left).
    assert (Hl' : forall u, In u l -> u < size) by (intros u Hu; apply Hl; now right).
    assert (Ep : parts_sum N val (t :: l) = N.lxor (part N val t) (parts_sum N val l)) by reflexivity.
    assert (Es : sets N val (t :: l) = (match val t with fin _ => [] | inf K => [K] end) ++ sets N val l) by reflexivity.
    rewrite Ep, Es. unfold part. rewrite Ht. unfold loopy_claim. destruct (claim t =? 0).
    + destruct (IH x (set t :: S) Hl') as [-> ->]. rewrite N.lxor_0_l. split; trivial.
      cbn. now rewrite <- app_assoc.
    + destruct (IH (N.lxor x (N.pred (claim t))) S Hl') as [-> ->]. split; trivial. apply N.lxor_assoc.
Qed.

Theorem checked_loopy_winner : forall l, (forall t, In t l -> t < size) ->
  (loopy_winner_of l = 1 -> wins N opts l) /\
  (loopy_winner_of l = 2 -> loses N opts l) /\
  (loopy_winner_of l = 3 -> drawn N opts l).
Proof using checked.
  intros l Hl. destruct (loopy_outcome _ _ _ _ checked_loopy_values l) as (-> & -> & ->).
  destruct (loopy_total_spec l 0 [] Hl) as [Ex Es]. rewrite N.lxor_0_l in Ex. rewrite app_nil_r in Es.
  unfold loopy_winner_of, is_N, is_P, is_D. destruct (loopy_total l 0 []) as [x S]. cbn [fst snd] in Ex, Es. subst x.
  assert (Er : sets N val l = rev S) by (rewrite Es; now rewrite rev_involutive). rewrite Er.
  destruct S as [|K [|L S]]; cbn [rev app].
  - destruct (N.eqb_spec (parts_sum N val l) 0); split; [|split| |split]; intro H; try discriminate; auto.
  - destruct (in_set (parts_sum N val l) K) eqn:E; split; [|split| |split]; intro H; try discriminate.
    + right. exists K. split; trivial. now apply in_set_spec.
    + left. exists K. split; trivial. intro H'. apply in_set_spec in H'. congruence.
  - split; [|split]; intro H; try discriminate. right. rewrite !app_length. cbn. lia.
Qed.

End Checker.

(** ** How long the winner needs

    As in Lengths.v, but play need not end: nobody wins a draw within any number of moves. *)

Section Lengths.

Variables (size : N) (first target claim : N -> N) (set : N -> list N) (count : N -> N).

Let opts := vertex_options size first target.

Inductive won_within (n : N) (v : N) : Prop :=
| won_by : forall q, 1 <= n -> In q (opts v) -> lost_within (N.pred n) q -> won_within n v
with lost_within (n : N) (v : N) : Prop :=
| lost_by_all : (forall q, In q (opts v) -> 1 <= n) -> (forall q, In q (opts v) -> won_within (N.pred n) q) ->
    lost_within n v.

Scheme won_within_mutual := Induction for won_within Sort Prop
with lost_within_mutual := Induction for lost_within Sort Prop.

(** 1 for a P-position, 2 for an N-position, 3 for a draw. *)
Variables (outcome length : N -> N).

Definition check_loopy_outcome (v : N) : bool :=
  let w := loopy_winner_of claim set [v] in
  if w =? 1 then outcome v =? 2 else if w =? 2 then outcome v =? 1 else outcome v =? 3.

Definition check_loopy_length (v : N) : bool :=
  if check_loopy_outcome v then
    if outcome v =? 3 then true else check_length first target outcome length v
  else false.

Definition check_loopy_lengths : bool := all_range 0 size check_loopy_length.

Hypothesis checked : check_loopy size first target claim set count = true.

Lemma loopy_outcome_checked : forall v, v < size -> check_loopy_outcome v = true ->
  (outcome v = 1 /\ loses N opts [v]) \/ (outcome v = 2 /\ wins N opts [v]) \/ (outcome v = 3 /\ drawn N opts [v]).
Proof using checked.
  intros v Hv H. unfold check_loopy_outcome in H.
  destruct (checked_loopy_winner _ _ _ _ _ _ checked [v]) as (H1 & H2 & H3); [intros t [<-|[]]; exact Hv|].
  destruct (N.eqb_spec (loopy_winner_of claim set [v]) 1) as [E1|n1].
  { right. left. apply N.eqb_eq in H. auto. }
  destruct (N.eqb_spec (loopy_winner_of claim set [v]) 2) as [E2|n2].
  { left. apply N.eqb_eq in H. auto. }
  right. right. apply N.eqb_eq in H. split; trivial. apply H3.
  assert (Hw : In (loopy_winner_of claim set [v]) [1; 2; 3]).
  { unfold loopy_winner_of. destruct (loopy_total claim set [v] 0 []) as [x [|K [|L S]]]; [destruct (x =? 0) | destruct (in_set x K) |]; cbn; auto. }
  destruct Hw as [E|[E|[E|[]]]]; congruence.
Qed.

Theorem checked_loopy_outcome : forall v, v < size -> check_loopy_outcome v = true ->
  (outcome v = 1 -> loses N opts [v]) /\ (outcome v = 2 -> wins N opts [v]) /\ (outcome v = 3 -> drawn N opts [v]).
Proof using checked.
  intros v Hv H. destruct (loopy_outcome_checked v Hv H) as [[E Ho]|[[E Ho]|[E Ho]]];
    split; [|split| |split| |split]; intro E'; trivial; congruence.
Qed.

Hypothesis lengths_checked : check_loopy_lengths = true.

Lemma one_token : forall v q, In q (sum_moves N opts [v]) <-> exists u, In u (opts v) /\ q = [u].
Proof using Type.
  intros v q. rewrite in_sum_moves. split.
  - intros (r & a & b & s & E & Hb & ->). destruct r as [|x r]; cbn in E; [injection E as <- <-; now exists b|].
    injection E as _ E. now destruct r.
  - intros (u & Hu & ->). now exists [], v, u, [].
Qed.

Lemma length_checked : forall v, v < size -> check_loopy_outcome v = true /\
  (outcome v <> 3 -> check_length first target outcome length v = true).
Proof using lengths_checked.
  intros v Hv. unfold check_loopy_lengths in lengths_checked. rewrite all_range_spec in lengths_checked.
  specialize (lengths_checked v ltac:(lia)). unfold check_loopy_length in lengths_checked.
  destruct (check_loopy_outcome v); [|discriminate]. split; trivial. intro H. apply N.eqb_neq in H.
  now rewrite H in lengths_checked.
Qed.

Lemma outcome_is : forall v, v < size -> (outcome v = 1 <-> loses N opts [v]) /\ (outcome v = 2 <-> wins N opts [v]).
Proof using checked lengths_checked.
  intros v Hv. destruct (length_checked v Hv) as [Ho _].
  assert (Hapart : ~ (loses N opts [v] /\ wins N opts [v])).
  { destruct (loopy_outcome _ _ _ _ (checked_loopy_values _ _ _ _ _ _ checked) [v]) as (Hw & Hl & _).
    unfold opts. rewrite Hw, Hl. apply (proj1 (apart _ _ [v])). }
  destruct (loopy_outcome_checked v Hv Ho) as [[E H]|[[E H]|[E [H1 H2]]]]; rewrite E;
    split; split; intro H'; trivial; try discriminate; exfalso; tauto.
Qed.

Lemma inside : forall v u, v < size -> In u (opts v) -> u < size.
Proof using checked. intros v u Hv. now apply (loopy_vertex _ _ _ _ _ _ checked v Hv). Qed.

Lemma ends_in_time : forall (bound : nat) n v, (N.to_nat n < bound)%nat -> v < size -> length v <= n ->
  (outcome v = 2 -> won_within n v) /\ (outcome v = 1 -> lost_within n v).
Proof using checked lengths_checked.
  induction bound as [|bound IH]; [lia|]. intros n v Hn Hv Hl. destruct (length_checked v Hv) as [_ H].
  unfold check_length in H. cbv zeta in H. split; intro E; specialize (H ltac:(lia)); rewrite E in H;
    cbn [N.eqb Pos.eqb] in H; destruct (is_end first v) eqn:Eend.
  - apply (is_end_spec size first target v Hv) in Eend. apply (outcome_is v Hv) in E. exfalso.
    destruct E as [q Hq _]. apply one_token in Hq. destruct Hq as (u & Hu & _). unfold opts in Hu. rewrite Eend in Hu. destruct Hu.
  - apply andb_true_iff in H. destruct H as [_ H]. apply some_range_spec in H. destruct H as (i & Hi & H).
    apply andb_true_iff in H. destruct H as [H1 H2]. apply N.eqb_eq in H1, H2.
    assert (Hu : In (target i) (opts v)) by (apply in_options; split; trivial; now exists i).
    apply (won_by n v (target i)); [lia | trivial|]. apply (IH (N.pred n)); trivial; [lia | now apply (inside v) | lia].
  - apply (is_end_spec size first target v Hv) in Eend. unfold opts in *.
    apply lost_by_all; intros q Hq; unfold opts in Hq; rewrite Eend in Hq; destruct Hq.
  - apply andb_true_iff in H. destruct H as [H _]. rewrite all_range_spec in H.
    assert (Hq : forall q, In q (opts v) -> 1 <= n /\ won_within (N.pred n) q); [|apply lost_by_all; apply Hq].
    intros q Hq. assert (Hq' := Hq). apply in_options in Hq'. destruct Hq' as (_ & i & Hi & <-). specialize (H i Hi).
    apply N.ltb_lt in H. split; [lia|]. apply (IH (N.pred n)); [lia | now apply (inside v) | lia|].
    apply (outcome_is _ (inside v _ Hv Hq)). apply (outcome_is v Hv) in E. destruct E as [E]. apply E.
    apply one_token. now exists (target i).
Qed.

Lemma time_enough : forall n v,
  (won_within n v -> wins N opts [v] /\ (v < size -> length v <= n)) /\
  (lost_within n v -> loses N opts [v] /\ (v < size -> length v <= n)).
Proof using checked lengths_checked.
  assert (Hstep : forall n v q, 1 <= n -> In q (opts v) -> loses N opts [q] /\ (q < size -> length q <= N.pred n) ->
                  wins N opts [v] /\ (v < size -> length v <= n)).
  { intros n v q Hn Hq [Hl Hlen].
    assert (Hw : wins N opts [v]) by (apply (wins_by_move _ _ _ [q]); trivial; apply one_token; now exists q).
    split; trivial. intro Hv. assert (Hqs := inside v q Hv Hq). specialize (Hlen Hqs).
    apply (outcome_is v Hv) in Hw. destruct (length_checked v Hv) as [_ H]. specialize (H ltac:(lia)).
    unfold check_length in H. cbv zeta in H. rewrite Hw in H. cbn [N.eqb Pos.eqb] in H.
    destruct (is_end first v); [apply N.eqb_eq in H; lia|]. apply andb_true_iff in H. destruct H as [H _].
    rewrite all_range_spec in H. apply in_options in Hq. destruct Hq as (_ & i & Hi & <-). specialize (H i Hi).
    apply (outcome_is _ Hqs) in Hl. cbv beta in H. rewrite Hl in H. cbn in H. apply N.leb_le in H. lia. }
  assert (Hall : forall n v, (forall q, In q (opts v) -> 1 <= n /\ wins N opts [q] /\ (q < size -> length q <= N.pred n)) ->
                 loses N opts [v] /\ (v < size -> length v <= n)).
  { intros n v Hq.
    assert (Hl : loses N opts [v]).
    { apply loses_to_all. intros q H. apply one_token in H. destruct H as (u & Hu & ->). now apply Hq. }
    split; trivial. intro Hv. apply (outcome_is v Hv) in Hl. destruct (length_checked v Hv) as [_ H].
    specialize (H ltac:(lia)). unfold check_length in H. cbv zeta in H. rewrite Hl in H. cbn [N.eqb Pos.eqb] in H.
    destruct (is_end first v); [apply N.eqb_eq in H; lia|]. apply andb_true_iff in H. destruct H as [_ H].
    apply some_range_spec in H. destruct H as (i & Hi & H). apply N.eqb_eq in H.
    assert (Hu : In (target i) (opts v)) by (apply in_options; split; trivial; now exists i).
    destruct (Hq _ Hu) as (Hn & _ & Hlen). specialize (Hlen (inside v _ Hv Hu)). lia. }
  intros n v. split; intro H.
  - induction H as [n v q Hn Hq _ IH|n v Hn _ IH] using won_within_mutual
      with (P0 := fun n v _ => loses N opts [v] /\ (v < size -> length v <= n)).
    + now apply (Hstep n v q).
    + apply Hall. intros q Hq. split; [now apply (Hn q) | now apply IH].
  - induction H as [n v q Hn Hq _ IH|n v Hn _ IH] using lost_within_mutual
      with (P := fun n v _ => wins N opts [v] /\ (v < size -> length v <= n)).
    + now apply (Hstep n v q).
    + apply Hall. intros q Hq. split; [now apply (Hn q) | now apply IH].
Qed.

Theorem checked_loopy_lengths : forall v, v < size ->
  (outcome v = 2 -> forall n, won_within n v <-> length v <= n) /\
  (outcome v = 1 -> forall n, lost_within n v <-> length v <= n).
Proof using checked lengths_checked.
  intros v Hv. split; intros E n; split; intro H.
  - now apply (proj1 (time_enough n v) H).
  - now apply (ends_in_time (S (N.to_nat n)) n v ltac:(lia) Hv H).
  - now apply (proj2 (time_enough n v) H).
  - now apply (ends_in_time (S (N.to_nat n)) n v ltac:(lia) Hv H).
Qed.

End Lengths.
