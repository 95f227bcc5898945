(** * Laws of sequences with a period

    What this file proves: [sequence_law]. The values of the heaps of a game repeat with a period, perhaps with a constant
    added each time (see Octal.v and Growing.v). If [check_sequence] accepts trees of automata for a claim, a statement
    about a heap and its value, then the claim holds of every heap and its value. *)

From Coq Require Import List NArith ZArith Bool Lia.
From Graphgame Require Import Theory Mex Octal Growing Splitting Quotient Digits Law.
Import ListNotations.
Open Scope N_scope.

Section Sequence.

(** The numbers of a statement: 0 is the heap, 1 its value, 2 the number of whole periods. *)
Variables (claim : statement) (table : N -> N) (n0 p s : N).

Definition number_is (x n : N) : statement := Sum true [(1%Z, x)] (- Z.of_N n)%Z.

(** [x = n + q * step], where q is the number of periods. *)
Definition number_after (x n step : N) : statement := Sum true [(1%Z, x); ((- Z.of_N step)%Z, 2)] (- Z.of_N n)%Z.

Definition at_heap (i : N) : statement := Not (And (number_is 0 i) (And (number_is 1 (table i)) (Not claim))).

Definition in_class (i : N) : statement := Not (And (number_after 0 i p) (And (number_after 1 (table i) s) (Not claim))).

Definition sequence_steps : list statement := map at_heap (range 0 n0) ++ map in_class (range n0 (n0 + p)).

(** A tree for the claim shows that it can be decided. *)
Definition check_sequence (trees : list tree) (decided : tree) : bool :=
  (0 <? p) && mentions (fun x => x <=? 1) claim && check_steps trees sequence_steps &&
  check_tree decided && (if statement_eq_dec (says decided) claim then true else false).

Lemma decidable : forall t, check_tree t = true -> forall l, holds_of (says t) (of_list l) \/ ~ holds_of (says t) (of_list l).
Proof.
  intros t H l. destruct (fits_list l) as (f & Hf). rewrite <- (tree_right t H f _ Hf).
  destruct (accepts (top t) f 0 (of_list l)); [now left | now right].
Qed.

Theorem sequence_law : forall trees decided, check_sequence trees decided = true ->
  forall n, holds_of claim (of_list [n; grown table n0 p s n]).
Proof.
  intros trees decided H n. unfold check_sequence in H. repeat rewrite andb_true_iff in H.
  destruct H as ((((Hp & Hm) & Hs) & Ht) & Ed). apply N.ltb_lt in Hp.
  destruct (statement_eq_dec (says decided) claim) as [E|]; [|discriminate].
  assert (Hclaim : forall q x, holds_of claim (of_list [n; x; q]) <-> holds_of claim (of_list [n; x])).
  { intros q x. apply (holds_same _ _ _ _ Hm). intros i Hi. apply N.leb_le in Hi.
    assert (i = 0 \/ i = 1) as [->| ->] by lia; reflexivity. }
  assert (Hnot : ~ ~ holds_of claim (of_list [n; grown table n0 p s n])).
  { intro Hn. unfold grown in Hn; destruct (N.ltb_spec n n0) as [Hlt|Hge].
    - assert (Hin : In (at_heap n) sequence_steps).
      { apply in_app_iff. left. apply in_map, in_range. lia. }
      apply (check_steps_spec _ _ _ Hs Hin [n; table n; 0]). cbn [at_heap number_is holds_of total]. rewrite Hclaim.
      change (of_list [n; table n; 0] 0) with n. change (of_list [n; table n; 0] 1) with (table n).
      repeat split; trivial; lia.
    - set (i := n0 + (n - n0) mod p) in *. set (q := (n - n0) / p) in *.
      pose proof (N.mod_lt (n - n0) p ltac:(lia)) as Hmod. pose proof (N.div_mod (n - n0) p ltac:(lia)) as Hdiv.
      fold q in Hdiv.
      assert (Hin : In (in_class i) sequence_steps).
      { apply in_app_iff. right. apply in_map, in_range. unfold i. split; [apply N.le_add_r | now apply N.add_lt_mono_l]. }
      apply (check_steps_spec _ _ _ Hs Hin [n; table i + s * q; q]). cbn [in_class number_after holds_of total].
      rewrite Hclaim. change (of_list [n; table i + s * q; q] 0) with n.
      change (of_list [n; table i + s * q; q] 1) with (table i + s * q). change (of_list [n; table i + s * q; q] 2) with q.
      assert (En : n = i + p * q).
      { unfold i. rewrite <- N.add_assoc, (N.add_comm _ (p * q)), <- Hdiv. lia. } clearbody i q. clear - En Hn.
      repeat split; trivial; [rewrite En|]; rewrite ?N2Z.inj_add, ?N2Z.inj_mul; ring. }
  destruct (decidable decided Ht [n; grown table n0 p s n]) as [|Hn]; rewrite E in *; [trivial | now destruct Hnot].
Qed.

End Sequence.

(** Where nothing is added, these are the values of Octal.v. *)
Lemma grown_periodic : forall table n0 p n, 1 <= p -> grown table n0 p 0 n = periodic table n0 p n.
Proof.
  intros table n0 p n Hp. unfold grown, periodic. rewrite N.mul_0_l, N.add_0_r.
  destruct (N.ltb_spec n n0), (N.ltb_spec n (n0 + p)); trivial; try lia.
  rewrite N.mod_small by lia. f_equal. lia.
Qed.

(** The two together: laws of codes, and of games that exclude finitely many amounts. *)
Theorem code_law : forall digits table n0 p (is_legal : legal digits = true) claim trees decided,
  check_code digits table n0 p = true -> check_sequence claim table n0 p 0 trees decided = true ->
  forall n, holds_of claim (of_list [n; heap_value digits is_legal n]).
Proof.
  intros digits table n0 p L claim trees decided Hc Hs n. rewrite (code_period digits table n0 p L Hc), <- grown_periodic.
  - now apply (sequence_law claim table n0 p 0 trees decided).
  - unfold check_sequence in Hs. repeat rewrite andb_true_iff in Hs. destruct Hs as ((((Hp & _) & _) & _) & _).
    apply N.ltb_lt in Hp. lia.
Qed.

Theorem growing_law : forall excluded table n0 p s start low high claim trees decided,
  check_growing excluded table n0 p s start low high = true -> check_sequence claim table n0 p s trees decided = true ->
  forall n, holds_of claim (of_list [n; take_value excluded n]).
Proof.
  intros excluded table n0 p s start low high claim trees decided Hc Hs n.
  rewrite (growing_values excluded table n0 p s start low high Hc). now apply (sequence_law claim table n0 p s trees decided).
Qed.

Theorem splitting_law : forall digits any (is_legal : legal digits = true) table n0 p s times power bound high start cut
    steady far moving claim trees decided,
  check_splitting digits any table n0 p s times power bound high start cut steady far moving = true ->
  check_sequence claim table n0 p s trees decided = true ->
  forall n, holds_of claim (of_list [n; split_value digits any is_legal n]).
Proof.
  intros digits any L table n0 p s times power bound high start cut steady far moving claim trees decided Hc Hs n.
  rewrite (splitting_values digits any L table n0 p s times power bound high start cut steady far moving Hc).
  now apply (sequence_law claim table n0 p s trees decided).
Qed.

(** Misère play, by a quotient that repeats: 0 stands for a P-position, 1 for an N-position. *)
Definition outcome_number (step : N -> N -> N) (lost : N -> bool) (h : N) : N := if lost (step h 0) then 0 else 1.

Theorem quotient_law : forall digits order step mul lost size generators element wins pair_of product_of n0 p
    (is_legal : legal digits = true) claim trees decided,
  check_periodic_quotient digits order step mul lost size generators element wins pair_of product_of n0 p = true ->
  check_sequence claim (outcome_number step lost) n0 p 0 trees decided = true ->
  forall n, exists x, holds_of claim (of_list [n; x]) /\
    (misere_P (G := list_game N (heap_moves digits) (heaps_end digits is_legal)) [n] <-> x = 0).
Proof.
  intros digits order step mul lost size generators element wins pair_of product_of n0 p L claim trees decided Hc Hs n.
  exists (grown (outcome_number step lost) n0 p 0 n). split; [now apply (sequence_law claim _ n0 p 0 trees decided)|].
  rewrite (periodic_quotient _ _ _ _ _ _ _ _ _ _ _ _ _ L Hc). cbn [act fold_right].
  pose proof (period_positive _ _ _ _ _ _ _ _ _ _ _ _ _ Hc) as Hp.
  rewrite grown_periodic by trivial. unfold periodic, heap_class, outcome_number.
  destruct (n <? n0 + p); now destruct (lost _).
Qed.
