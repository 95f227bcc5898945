(** * Checking a mex: one look at each value, and one more for each 62 numbers below the mex

    What this file proves: [mex_checked]. Values are read from sources: a source [(low, high, code)] holds what [code]
    gives for the indices from [low] to [high - 1]. A code is the value plus 1, or 0 where there is no value. The checks
    are made of loops that a machine runs with numbers of one word and without a stack. *)

From Coq Require Import List NArith Bool Lia.
From Graphgame Require Import Theory.
Import ListNotations.
Open Scope N_scope.

(** ** Loops over ranges of numbers *)

Fixpoint all_from (count : nat) (i : N) (f : N -> bool) : bool :=
  match count with
  | O => true
  | S count => if f i then all_from count (N.succ i) f else false
  end.

Definition all_range (low high : N) (f : N -> bool) : bool := all_from (N.to_nat (high - low)) low f.

Lemma all_from_spec : forall count i f,
  all_from count i f = true <-> forall j, i <= j < i + N.of_nat count -> f j = true.
Proof.
  induction count as [|count IH]; intros i f; cbn [all_from].
  - split; trivial. intros _ j Hj. lia.
  - destruct (f i) eqn:E.
    + rewrite IH. split; intros H j Hj.
      * destruct (N.eq_dec j i) as [->|]; trivial. apply H. lia.
      * apply H. lia.
    + split; [discriminate|]. intro H. rewrite <- E. apply H. lia.
Qed.

Lemma all_range_spec : forall low high f,
  all_range low high f = true <-> forall j, low <= j < high -> f j = true.
Proof.
  intros. unfold all_range. rewrite all_from_spec. split; intros H j Hj; apply H; lia.
Qed.

Definition some_range (low high : N) (f : N -> bool) : bool := negb (all_range low high (fun i => negb (f i))).

Lemma all_from_false : forall count i f, all_from count i f = false -> exists j, i <= j < i + N.of_nat count /\ f j = false.
Proof.
  induction count as [|count IH]; intros i f; cbn [all_from]; [discriminate|].
  destruct (f i) eqn:E; intro H.
  - destruct (IH _ _ H) as (j & Hj & Hf). exists j. split; trivial. lia.
  - exists i. split; trivial. lia.
Qed.

Lemma some_range_spec : forall low high f, some_range low high f = true -> exists j, low <= j < high /\ f j = true.
Proof.
  intros low high f H. unfold some_range, all_range in H. apply negb_true_iff in H.
  destruct (all_from_false _ _ _ H) as (j & Hj & Hf). exists j. split; [lia | now apply negb_false_iff].
Qed.

Definition range (low high : N) : list N := map (fun d => low + N.of_nat d) (seq 0 (N.to_nat (high - low))).

Lemma in_range : forall low high j, In j (range low high) <-> low <= j < high.
Proof.
  intros. unfold range. rewrite in_map_iff. split.
  - intros (d & <- & Hd). apply in_seq in Hd. lia.
  - intro H. exists (N.to_nat (j - low)). rewrite in_seq. lia.
Qed.

(** ** Sources of values *)

Definition source : Type := N * N * (N -> N).

Definition holds (s : source) (c : N) : Prop := exists j, fst (fst s) <= j < snd (fst s) /\ snd s j = c.

Definition all_codes (s : source) (f : N -> bool) : bool := all_range (fst (fst s)) (snd (fst s)) (fun i => f (snd s i)).

Lemma all_codes_spec : forall s f, all_codes s f = true <-> forall c, holds s c -> f c = true.
Proof.
  intros [[low high] code] f. unfold all_codes, holds. cbn. rewrite all_range_spec. split.
  - intros H c (j & Hj & <-). now apply H.
  - intros H j Hj. apply H. now exists j.
Qed.

Fixpoint absent (sources : list source) (c : N) : bool :=
  match sources with
  | [] => true
  | s :: rest => if all_codes s (fun x => negb (x =? c)) then absent rest c else false
  end.

Lemma absent_spec : forall sources c, absent sources c = true -> forall s, In s sources -> ~ holds s c.
Proof.
  induction sources as [|s rest IH]; intros c H; cbn [absent] in H; [now intros s []|].
  destruct (all_codes s _) eqn:E; [|discriminate].
  intros s' [<-|Hs]; [|now apply IH]. intro Hh. rewrite all_codes_spec in E. specialize (E c Hh).
  rewrite N.eqb_refl in E. discriminate.
Qed.

(** A word of bits in which bit b is set if it is set in [marks], or if the code [base + 1 + b] occurs and b is below
    [width]. *)
Fixpoint marks_from (count : nat) (i : N) (code : N -> N) (base width marks : N) : N :=
  match count with
  | O => marks
  | S count =>
    let c := code i in
    if (base <? c) && (c <=? base + width)
    then marks_from count (N.succ i) code base width (N.lor marks (N.shiftl 1 (N.pred (c - base))))
    else marks_from count (N.succ i) code base width marks
  end.

Fixpoint marks_of (sources : list source) (base width marks : N) : N :=
  match sources with
  | [] => marks
  | (low, high, code) :: rest =>
    marks_of rest base width (marks_from (N.to_nat (high - low)) low code base width marks)
  end.

Lemma marks_from_spec : forall count i code base width marks b,
  N.testbit (marks_from count i code base width marks) b = true ->
  N.testbit marks b = true \/ exists j, i <= j < i + N.of_nat count /\ code j = base + 1 + b.
Proof.
  induction count as [|count IH]; intros i code base width marks b H; cbn [marks_from] in H; [now left|].
  destruct ((base <? code i) && (code i <=? base + width)) eqn:E; apply IH in H.
  - destruct H as [H|(j & Hj & Hc)]; [|right; exists j; split; [lia | trivial]].
    rewrite N.lor_spec in H. apply orb_true_iff in H. destruct H as [H|H]; [now left | right].
    apply andb_true_iff in E. destruct E as [E _]. apply N.ltb_lt in E.
    exists i. split; [lia|].
    rewrite N.shiftl_1_l, N.pow2_bits_eqb in H. apply N.eqb_eq in H. lia.
  - destruct H as [H|(j & Hj & Hc)]; [now left | right; exists j; split; [lia | trivial]].
Qed.

Lemma marks_of_spec : forall sources base width marks b,
  N.testbit (marks_of sources base width marks) b = true ->
  N.testbit marks b = true \/ exists s, In s sources /\ holds s (base + 1 + b).
Proof.
  induction sources as [|[[low high] code] rest IH]; intros base width marks b H; cbn [marks_of] in H; [now left|].
  apply IH in H. destruct H as [H|(s & Hs & Hh)]; [|right; exists s; split; [now right | trivial]].
  apply marks_from_spec in H. destruct H as [H|(j & Hj & Hc)]; [now left | right].
  exists (low, high, code). split; [now left|]. exists j. cbn. split; [lia | trivial].
Qed.

(** 62 bits fit into a machine word of OCaml. *)
Fixpoint covers_from (count : nat) (sources : list source) (base k : N) : bool :=
  if k <=? base then true else
  match count with
  | O => false
  | S count =>
    let width := N.min 62 (k - base) in
    if marks_of sources base width 0 =? N.ones width then covers_from count sources (base + 62) k else false
  end.

(** All values below [k] occur. *)
Definition covers (sources : list source) (k : N) : bool := covers_from (N.to_nat (N.succ (k / 62))) sources 0 k.

Lemma covers_from_spec : forall count sources base k, covers_from count sources base k = true ->
  forall i, base <= i < k -> exists s, In s sources /\ holds s (N.succ i).
Proof.
  induction count as [|count IH]; intros sources base k H i Hi; cbn [covers_from] in H.
  - destruct (N.leb_spec k base); [lia | discriminate].
  - destruct (N.leb_spec k base); [lia|].
    destruct (marks_of sources base (N.min 62 (k - base)) 0 =? N.ones (N.min 62 (k - base))) eqn:E; [|discriminate].
    apply N.eqb_eq in E. destruct (N.lt_ge_cases i (base + 62)) as [Hlt|Hge]; [|eapply IH; eauto; lia].
    assert (Hb : N.testbit (N.ones (N.min 62 (k - base))) (i - base) = true) by (apply N.ones_spec_low; lia).
    rewrite <- E in Hb. apply marks_of_spec in Hb. rewrite N.bits_0 in Hb.
    destruct Hb as [|(s & Hs & Hh)]; [discriminate|]. exists s. split; trivial.
    replace (N.succ i) with (base + 1 + (i - base)) by lia. exact Hh.
Qed.

Lemma covers_spec : forall sources k, covers sources k = true ->
  forall i, i < k -> exists s, In s sources /\ holds s (N.succ i).
Proof. intros sources k H i Hi. eapply covers_from_spec; [exact H | lia]. Qed.

(** If the sources hold exactly the values of the options: the code of [k] does not occur, and all values below [k] do. *)
Definition check_mex (sources : list source) (k : N) : bool :=
  if absent sources (N.succ k) then covers sources k else false.

Theorem mex_checked : forall sources k l, check_mex sources k = true ->
  (forall x, In x l <-> exists s, In s sources /\ holds s (N.succ x)) -> is_mex l k.
Proof.
  intros sources k l H Hl. unfold check_mex in H. destruct (absent sources (N.succ k)) eqn:E; [|discriminate].
  split.
  - rewrite Hl. intros (s & Hs & Hh). now apply (absent_spec _ _ E s).
  - intros i Hi. apply Hl. eapply covers_spec; eauto.
Qed.
