(** * Long periods: values that never add up

    What this file proves: [sparse_code_period]. A table that [check_sparse_code] accepts gives the value of every heap
    of an octal code, and the check tries few of the splits of a heap.

    Choose a few bits. A value is common if an odd number of these bits is set in it, and rare otherwise. The nim-sum of
    two common values is rare, and so is that of two rare ones. So the options of a heap that have a common value, and
    come from a split, have one part of a rare value. If few heaps have rare values, these are few splits.

    The bits and the list of the rare heaps are hints that need no trust. Reference: E. R. Berlekamp, J. H. Conway,
    R. K. Guy, Winning Ways (1982), chapter 4, on the sparse space phenomenon. *)

From Coq Require Import List Arith NArith Bool Lia.
From Graphgame Require Import Theory Mex Octal.
Import ListNotations.
Open Scope N_scope.

Definition is_common (bits : list N) (v : N) : bool := fold_right (fun b odd => xorb (N.testbit v b) odd) false bits.

Lemma common_sum : forall bits v w, is_common bits (N.lxor v w) = xorb (is_common bits v) (is_common bits w).
Proof.
  unfold is_common. induction bits as [|b bits IH]; intros v w; cbn [fold_right]; trivial. rewrite IH, N.lxor_spec.
  now destruct (N.testbit v b), (N.testbit w b), (fold_right _ _ bits), (fold_right _ _ bits).
Qed.

Section Sparse.

Variables (digits : list N) (table : N -> N) (bits : list N).

(** The heaps of rare values from 1 on: [rare j] for [j < below n] are those smaller than n, and perhaps more. If the heap h
    has a rare value, [rare (place h)] is h. *)
Variables (rare below place : N -> N) (last : N).

Definition check_rare : bool :=
  all_range 1 (N.succ last) (fun h =>
    if below h <=? below (N.succ h) then
      if is_common bits (table h) then true
      else if rare (place h) =? h then place h <? below (N.succ h) else false
    else false).

(** The values of the options that take [k] from a heap of [k + s]; of the splits, only those whose smaller part is at most
    [most]. *)
Definition few_sources (most k s : N) : list source :=
  (if N.testbit (digit digits k) 0 && (s =? 0) then [(0, 1, fun _ => 1)] else []) ++
  (if N.testbit (digit digits k) 1 && (0 <? s) then [(0, 1, fun _ => N.succ (table s))] else []) ++
  (if N.testbit (digit digits k) 2
   then [(1, N.succ (N.min most (N.div2 s)), fun a => N.succ (N.lxor (table a) (table (s - a))))] else []).

Definition short_sources (most h : N) : list source :=
  flat_map (fun k => few_sources most k (h - k)) (range 0 (N.succ (N.min h (longest digits)))).

(** No split that leaves [s] in all has the common value [v]. *)
Definition no_split (s v : N) : bool :=
  all_range 0 (below s) (fun j =>
    let r := rare j in
    if (0 <? r) && (r <? s) then negb (N.lxor (table r) (table (s - r)) =? v) else true).

(** One may take [k] and leave a single heap of [s], or nothing if [s] is 0, and this option has the value [v]. *)
Definition leaves (k s v : N) : bool :=
  if s =? 0 then N.testbit (digit digits k) 0 && (v =? 0) else N.testbit (digit digits k) 1 && (table s =? v).

Definition check_common (h v : N) : bool :=
  all_range 0 (N.succ (N.min h (longest digits))) (fun k =>
    if leaves k (h - k) v then false else if N.testbit (digit digits k) 2 then no_split (h - k) v else true).

(** Hints: for the heap h and a smaller value v, a move to the value v. It takes [taken h v]; [part h v] is one of the two
    parts, or 0 if the rest is not split. *)
Variables taken part : N -> N -> N.

Definition reaches (h i : N) : bool :=
  let k := taken h i in
  let a := part h i in
  if k <=? h then
    let s := h - k in
    if a =? 0 then leaves k s i
    else if a <? s then N.testbit (digit digits k) 2 && (N.lxor (table a) (table (s - a)) =? i) else false
  else false.

(** If a hint is wrong, options are tried instead, splits with a small part first. *)
Definition check_below (h v : N) : bool :=
  if all_range 0 v (reaches h) then true
  else if covers (short_sources 64 h) v then true
  else if covers (short_sources 4096 h) v then true
  else covers (heap_sources digits table h) v.

Definition check_sparse_heap (h : N) : bool :=
  if is_common bits (table h) then (if check_common h (table h) then check_below h (table h) else false)
  else check_heap digits table h.

Hypothesis octal : forall k j, N.testbit (digit digits k) j = true -> j <= 2.
Hypothesis is_legal : legal digits = true.
Hypothesis rare_checked : check_rare = true.

Lemma rare_step : forall h, 1 <= h <= last -> below h <= below (N.succ h) /\
  (is_common bits (table h) = false -> rare (place h) = h /\ place h < below (N.succ h)).
Proof using rare_checked.
  intros h Hh. unfold check_rare in rare_checked. rewrite all_range_spec in rare_checked.
  specialize (rare_checked h ltac:(lia)). destruct (N.leb_spec (below h) (below (N.succ h))); [|discriminate].
  split; trivial. intro E. rewrite E in rare_checked.
  destruct (N.eqb_spec (rare (place h)) h); [|discriminate]. split; trivial. now apply N.ltb_lt.
Qed.

Lemma below_grows : forall d h, 1 <= h -> h + N.of_nat d <= N.succ last -> below h <= below (h + N.of_nat d).
Proof using rare_checked.
  induction d as [|d IH]; intros h Hh Hl; [rewrite N.add_0_r; lia|].
  specialize (IH h Hh ltac:(lia)). destruct (rare_step (h + N.of_nat d) ltac:(lia)) as [H _].
  replace (h + N.of_nat (S d)) with (N.succ (h + N.of_nat d)) by lia. lia.
Qed.

Lemma rare_listed : forall a s, 1 <= a -> a < s -> s <= N.succ last -> is_common bits (table a) = false ->
  exists j, j < below s /\ rare j = a.
Proof using rare_checked.
  intros a s Ha Has Hs E. destruct (rare_step a ltac:(lia)) as [_ H]. destruct (H E) as [Er Hp].
  exists (place a). split; trivial. pose proof (below_grows (N.to_nat (s - N.succ a)) (N.succ a) ltac:(lia)) as Hb.
  rewrite N2Nat.id in Hb. replace (N.succ a + (s - N.succ a)) with s in Hb by lia. specialize (Hb Hs). lia.
Qed.

Lemma no_split_spec : forall s v, s <= N.succ last -> is_common bits v = true -> no_split s v = true ->
  forall a b, 1 <= a -> 1 <= b -> a + b = s -> N.lxor (table a) (table b) <> v.
Proof using rare_checked.
  intros s v Hs Hv H.
  assert (Hrare : forall a b, 1 <= a -> 1 <= b -> a + b = s -> is_common bits (table a) = false ->
                  N.lxor (table a) (table b) <> v).
  { intros a b Ha Hb E Ea. unfold no_split in H. rewrite all_range_spec in H.
    destruct (rare_listed a s Ha ltac:(lia) Hs Ea) as (j & Hj & Er). specialize (H j ltac:(lia)). cbv zeta in H.
    rewrite Er in H. destruct (N.ltb_spec 0 a); [|lia]. destruct (N.ltb_spec a s); [|lia]. cbn [andb] in H.
    apply negb_true_iff, N.eqb_neq in H. now replace b with (s - a) by lia. }
  intros a b Ha Hb E Ev. pose proof (common_sum bits (table a) (table b)) as Hc. rewrite Ev, Hv in Hc.
  destruct (is_common bits (table a)) eqn:Ea.
  - destruct (is_common bits (table b)) eqn:Eb; [discriminate|]. rewrite N.lxor_comm in Ev.
    now apply (Hrare b a Hb Ha ltac:(lia) Eb).
  - now apply (Hrare a b Ha Hb E Ea).
Qed.

(** The short sources are part of all. *)
Lemma short_sources_spec : forall most h x,
  (exists s, In s (short_sources most h) /\ holds s (N.succ x)) -> In x (option_values digits table h).
Proof using Type.
  intros most h x (s & Hs & Hh). apply heap_sources_spec. unfold short_sources, heap_sources in *.
  apply in_flat_map in Hs. destruct Hs as (k & Hk & Hs). unfold few_sources in Hs.
  assert (Hin : forall s', In s' (sources_of digits table k (h - k)) ->
    In s' (flat_map (fun k => sources_of digits table k (h - k)) (range 0 (N.succ (N.min h (longest digits)))))).
  { intros s' Hs'. apply in_flat_map. now exists k. }
  unfold sources_of in Hin. rewrite !in_app_iff in Hs. destruct Hs as [Hs|[Hs|Hs]].
  - exists s. split; trivial. apply Hin, in_app_iff. now left.
  - exists s. split; trivial. apply Hin. apply in_app_iff. right. apply in_app_iff. now left.
  - destruct (N.testbit (digit digits k) 2) eqn:E; [|destruct Hs]. destruct Hs as [<-|[]].
    destruct Hh as (a & Ha & Ea). cbn [fst snd] in Ha, Ea. eexists. split.
    + apply Hin. do 2 (apply in_app_iff; right). apply in_app_iff. left. now left.
    + exists a. cbn [fst snd]. split; [lia | trivial].
Qed.

Lemma leaves_spec : forall h k v, k <= h -> leaves k (h - k) v = true -> In v (option_values digits table h).
Proof using Type.
  intros h k v Hk H. unfold leaves in H. unfold option_values. rewrite in_map_iff. destruct (N.eqb_spec (h - k) 0) as [E|E];
    apply andb_true_iff in H; destruct H as [Hd Hv]; apply N.eqb_eq in Hv.
  - exists []. split; [now subst v|]. apply in_heap_moves. exists k. repeat split; trivial; [now intros a [] | cbn; lia].
  - exists [h - k]. split; [cbn; now rewrite N.lxor_0_r|]. apply in_heap_moves. exists k.
    repeat split; trivial; [intros a [<-|[]]; lia | cbn; lia].
Qed.

Lemma reaches_spec : forall h i, reaches h i = true -> In i (option_values digits table h).
Proof using Type.
  intros h i H. unfold reaches in H. cbv zeta in H. destruct (N.leb_spec (taken h i) h) as [Hk|]; [|discriminate].
  destruct (N.eqb_spec (part h i) 0) as [|Ha]; [now apply (leaves_spec h (taken h i))|].
  destruct (N.ltb_spec (part h i) (h - taken h i)) as [Hs|]; [|discriminate]. apply andb_true_iff in H. destruct H as [Hd Hv].
  apply N.eqb_eq in Hv. unfold option_values. apply in_map_iff. exists [part h i; h - taken h i - part h i].
  split; [cbn; now rewrite N.lxor_0_r|]. apply in_heap_moves. exists (taken h i).
  repeat split; trivial; [intros a [<-|[<-|[]]]; lia | cbn; lia].
Qed.

Lemma check_sparse_heap_spec : forall h, h <= last -> check_sparse_heap h = true ->
  is_mex (option_values digits table h) (table h).
Proof using octal rare_checked.
  intros h Hh H. unfold check_sparse_heap in H. destruct (is_common bits (table h)) eqn:Ec; [|now apply check_heap_spec].
  destruct (check_common h (table h)) eqn:Ecommon; [|discriminate]. set (v := table h) in *. split.
  - unfold option_values. rewrite in_map_iff. intros (parts & Ev & Hp). apply in_heap_moves in Hp.
    destruct Hp as (k & Hk & E & Hpos & Ht). pose proof (digit_below _ _ _ E) as Hkl. pose proof (octal _ _ E) as Hlen.
    unfold check_common in Ecommon. rewrite all_range_spec in Ecommon. specialize (Ecommon k ltac:(lia)). cbv beta in Ecommon.
    destruct (leaves k (h - k) v) eqn:El; [discriminate|]. unfold leaves in El.
    destruct parts as [|a [|b [|c r]]]; cbn [length] in E, Hlen; [| | |lia].
    + change (N.of_nat 0) with 0 in E. cbn in Ht, Ev. rewrite E, <- Ht, <- Ev in El. discriminate.
    + change (N.of_nat 1) with 1 in E. pose proof (Hpos a (or_introl eq_refl)) as H1. cbn in Ht, Ev.
      rewrite N.lxor_0_r in Ev. rewrite N.add_0_r in Ht. subst a. rewrite E, Ev, N.eqb_refl in El.
      destruct (N.eqb_spec (h - k) 0); [lia | discriminate].
    + change (N.of_nat 2) with 2 in E. rewrite E in Ecommon.
      cbn in Ht, Ev. rewrite N.lxor_0_r in Ev. rewrite N.add_0_r in Ht.
      pose proof (Hpos a (or_introl eq_refl)). pose proof (Hpos b (or_intror (or_introl eq_refl))).
      now apply (no_split_spec (h - k) v ltac:(lia) Ec Ecommon a b).
  - intros i Hi. unfold check_below in H. destruct (all_range 0 v (reaches h)) eqn:E0.
    { rewrite all_range_spec in E0. apply reaches_spec, E0. lia. }
    destruct (covers (short_sources 64 h) v) eqn:E1.
    + apply (short_sources_spec 64). now apply (covers_spec _ _ E1).
    + destruct (covers (short_sources 4096 h) v) eqn:E2.
      * apply (short_sources_spec 4096). now apply (covers_spec _ _ E2).
      * apply heap_sources_spec. now apply (covers_spec _ _ H).
Qed.

End Sparse.

Definition check_sparse_code (digits : list N) (table : N -> N) (n0 p : N) (bits : list N) (rare below place : N -> N)
    (taken part : N -> N -> N) : bool :=
  let last := last_heap digits (most_heaps digits) n0 p in
  if forallb (fun d => d <? 8) digits then
    if check_rare table bits rare below place last
    then check_code_by digits table n0 p (check_sparse_heap digits table bits rare below taken part)
    else false
  else false.

(** What [check_sparse_code] accepts are the values of all heaps. *)
Theorem sparse_code_period : forall digits table n0 p bits rare below place taken part (is_legal : legal digits = true),
  check_sparse_code digits table n0 p bits rare below place taken part = true ->
  forall h, heap_value digits is_legal h = periodic table n0 p h.
Proof.
  intros digits table n0 p bits rare below place taken part is_legal H. unfold check_sparse_code in H.
  destruct (forallb _ digits) eqn:E8; [|discriminate]. destruct (check_rare _ _ _ _ _ _) eqn:Er; [|discriminate].
  revert H. apply code_period_by. intros n Hn.
  apply (check_sparse_heap_spec _ _ bits rare below place _ taken part) with (2 := Er); trivial.
  intros k j E. rewrite forallb_forall in E8. unfold digit in E.
  destruct (Nat.lt_ge_cases (N.to_nat k) (length digits)) as [Hlt|Hge].
  - specialize (E8 _ (nth_In digits 0 Hlt)). apply N.ltb_lt in E8. set (d := nth (N.to_nat k) digits 0) in *.
    destruct (N.le_gt_cases j 2) as [|Hgt]; trivial. exfalso.
    destruct (N.eq_dec d 0) as [Ed|Ed]; [rewrite Ed, N.bits_0 in E; discriminate|].
    rewrite N.bits_above_log2 in E; [discriminate|].
    apply N.log2_lt_pow2; [lia|]. apply N.lt_le_trans with 8; trivial. change 8 with (2 ^ 3). apply N.pow_le_mono_r; lia.
  - rewrite nth_overflow in E by trivial. now rewrite N.bits_0 in E.
Qed.
