(** * Heap games by codes, and their periods

    What this file proves: Guy and Smith's theorem ([guy_smith]) for codes of finitely many digits, whatever number of
    heaps a move may leave; and that a table of values which [check_code] accepts gives the value of every heap
    ([code_period]). Octal and hexadecimal codes are codes of one digit for each amount; a subtraction set is a code
    of digits 3.

    Reference: R. K. Guy, C. A. B. Smith, The G-values of various games, Proceedings of the Cambridge Philosophical
    Society 52 (1956). *)

From Coq Require Import List Arith NArith Bool Lia Wellfounded.
From Graphgame Require Import Theory Mex.
Import ListNotations.
Open Scope N_scope.

Definition total (l : list N) : N := fold_right N.add 0 l.

Definition all_positive (l : list N) : Prop := forall a, In a l -> 1 <= a.

(** All lists of [count] positive numbers with the sum [s]. *)
Fixpoint splits (count : nat) (s : N) : list (list N) :=
  match count with
  | O => if s =? 0 then [[]] else []
  | S count => flat_map (fun a => map (cons a) (splits count (s - a))) (range 1 (N.succ s))
  end.

Lemma in_splits : forall count s l,
  In l (splits count s) <-> length l = count /\ all_positive l /\ total l = s.
Proof.
  induction count as [|count IH]; intros s l; cbn [splits].
  - destruct (N.eqb_spec s 0) as [->|Hs]; split.
    + intros [<-|[]]. repeat split. now intros a [].
    + intros (Hl & _). left. now destruct l.
    + intros [].
    + intros (Hl & _ & Ht). destruct l; [|discriminate]. cbn in Ht. lia.
  - rewrite in_flat_map. split.
    + intros (a & Ha & Hl). apply in_range in Ha. apply in_map_iff in Hl. destruct Hl as (r & <- & Hr).
      apply IH in Hr. destruct Hr as (Hl & Hp & Ht). repeat split.
      * cbn. now rewrite Hl.
      * intros b [<-|Hb]; [lia | now apply Hp].
      * cbn. fold (total r). lia.
    + intros (Hl & Hp & Ht). destruct l as [|a r]; [discriminate|]. cbn in Ht. fold (total r) in Ht.
      exists a. rewrite in_range, in_map_iff. pose proof (Hp a (or_introl eq_refl)). split; [lia|].
      exists r. split; trivial. apply IH. repeat split.
      * now injection Hl.
      * intros b Hb. apply Hp. now right.
      * lia.
Qed.

Lemma part_le_total : forall l a, In a l -> a <= total l.
Proof.
  induction l as [|b l IH]; intros a H; [destruct H|]. cbn. fold (total l).
  destruct H as [->|H]; [lia|]. specialize (IH a H). lia.
Qed.

Lemma part_lt_total : forall l a, all_positive l -> In a l -> (2 <= length l)%nat -> a < total l.
Proof.
  intros [|b [|c l]] a Hp Ha Hl; cbn in Hl; try lia. cbn. fold (total l).
  pose proof (Hp b (or_introl eq_refl)). pose proof (Hp c (or_intror (or_introl eq_refl))).
  destruct Ha as [->|[->|Ha]]; [lia | lia |]. pose proof (part_le_total l a Ha). lia.
Qed.

Lemma total_app : forall l r, total (l ++ r) = total l + total r.
Proof. induction l as [|a l IH]; intro r; cbn; trivial. fold (total l) (total (l ++ r)). rewrite IH. lia. Qed.

(** If all parts are below c, their sum is at most c - 1 times their number. *)
Lemma large_part : forall (c : N) l, (forall a, In a l -> a < c) -> total l + N.of_nat (length l) <= N.of_nat (length l) * c.
Proof.
  induction l as [|b l IH]; intro H; [cbn; lia|].
  cbn [length total fold_right]. fold (total l).
  assert (IH' := IH (fun a Ha => H a (or_intror Ha))). pose proof (H b (or_introl eq_refl)).
  rewrite Nat2N.inj_succ, N.mul_succ_l. lia.
Qed.

Lemma exists_large_part : forall (c : N) l (most : nat), (length l <= most)%nat -> 1 <= total l ->
  N.of_nat most * c <= total l -> exists a, In a l /\ c <= a.
Proof.
  intros c l most Hl Hpos Ht. destruct (existsb (fun a => c <=? a) l) eqn:E.
  - apply existsb_exists in E. destruct E as (a & Ha & Hc). exists a. split; trivial. now apply N.leb_le.
  - exfalso. assert (Hall : forall a, In a l -> a < c).
    { intros a Ha. destruct (N.lt_ge_cases a c) as [|Hge]; trivial.
      assert (existsb (fun a => c <=? a) l = true); [|congruence].
      apply existsb_exists. exists a. split; trivial. now apply N.leb_le. }
    pose proof (large_part c l Hall) as H.
    assert (N.of_nat (length l) * c <= N.of_nat most * c) by (apply N.mul_le_mono_r; lia).
    destruct l; [cbn in Hpos; lia|]. cbn [length] in *. lia.
Qed.

Section Code.

(** The digits of a code, from k = 0 on: the k-th says what one may leave when one takes k from a heap, bit j that j heaps
    may be left. Kayles, 0.77, is [0; 7; 7]. *)
Variable digits : list N.

Definition digit (k : N) : N := nth (N.to_nat k) digits 0.

Definition longest : N := N.pred (N.of_nat (length digits)).

Definition heap_moves (h : N) : list (list N) :=
  flat_map (fun k =>
    flat_map (fun count => if N.testbit (digit k) (N.of_nat count) then splits count (h - k) else [])
      (seq 0 (N.to_nat (N.size (digit k)))))
    (range 0 (N.succ h)).

Lemma bit_below_size : forall d j, N.testbit d j = true -> j < N.size d.
Proof.
  intros d j H. destruct (N.eq_dec d 0) as [->|Hd]; [now rewrite N.bits_0 in H|].
  rewrite N.size_log2 by trivial. destruct (N.lt_ge_cases (N.log2 d) j) as [Hlt|]; [|lia].
  now rewrite N.bits_above_log2 in H.
Qed.

Lemma in_heap_moves : forall h parts, In parts (heap_moves h) <-> exists k, k <= h /\
  N.testbit (digit k) (N.of_nat (length parts)) = true /\ all_positive parts /\ total parts = h - k.
Proof.
  intros h parts. unfold heap_moves. rewrite in_flat_map. split.
  - intros (k & Hk & H). apply in_range in Hk. apply in_flat_map in H. destruct H as (count & _ & H).
    destruct (N.testbit (digit k) (N.of_nat count)) eqn:E; [|destruct H].
    apply in_splits in H. destruct H as (Hl & Hp & Ht). exists k. subst count. repeat split; trivial. lia.
  - intros (k & Hk & E & Hp & Ht). exists k. split; [apply in_range; lia|].
    apply in_flat_map. exists (length parts). split.
    + apply in_seq. apply bit_below_size in E. lia.
    + rewrite E. apply in_splits. now repeat split.
Qed.

Lemma digit_below : forall k j, N.testbit (digit k) j = true -> k <= longest.
Proof.
  intros k j H. unfold digit, longest in *.
  destruct (Nat.lt_ge_cases (N.to_nat k) (length digits)) as [Hlt|Hge]; [lia|].
  rewrite nth_overflow in H by trivial. now rewrite N.bits_0 in H.
Qed.

(** Who takes nothing must split the heap, or play would not end. *)
Definition legal : bool := negb (N.testbit (digit 0) 0) && negb (N.testbit (digit 0) 1).

Hypothesis is_legal : legal = true.

Lemma parts_smaller : forall h parts a, In parts (heap_moves h) -> In a parts -> a < h.
Proof.
  intros h parts a H Ha. apply in_heap_moves in H. destruct H as (k & Hk & E & Hp & Ht).
  pose proof (part_le_total parts a Ha). pose proof (Hp a Ha).
  destruct (N.eq_dec k 0) as [->|]; [|lia].
  unfold legal in is_legal. apply andb_true_iff in is_legal. destruct is_legal as [L0 L1].
  apply negb_true_iff in L0, L1.
  assert (2 <= length parts)%nat.
  { destruct parts as [|b [|c r]]; cbn [length] in *; [|now change (N.of_nat 1) with 1 in E; rewrite L1 in E | lia].
    destruct Ha. }
  pose proof (part_lt_total parts a Hp Ha H1). lia.
Qed.

Lemma heaps_end : well_founded (part_of N heap_moves).
Proof.
  apply (wf_incl _ _ N.lt); [|apply N.lt_wf_0]. intros a h (parts & H & Ha). now apply (parts_smaller h parts).
Qed.

(** The Grundy value of a heap. *)
Definition heap_value (h : N) : N := component_value N heap_moves heaps_end h.

Definition option_values (g : N -> N) (h : N) : list N := map (fun parts => nim_sum (map g parts)) (heap_moves h).

Lemma heap_value_is : forall g, (forall h, is_mex (option_values g h) (g h)) -> forall h, heap_value h = g h.
Proof. intros g H h. symmetry. revert h. now apply component_value_unique. Qed.

(** ** The theorem of Guy and Smith *)

Section Period.

Variable most : nat.
Hypothesis some_heap : (1 <= most)%nat.
Hypothesis at_most : forall k j, N.testbit (digit k) j = true -> j <= N.of_nat most.

Variables (n0 p : N) (g : N -> N).

Definition last_heap : N := N.of_nat most * (N.max n0 1 + p) + longest - 1.

(** The moves of the heaps n and n + p are the same but for one part, which is larger by p. *)
Lemma same_moves : forall n, last_heap < n + p ->
  (forall parts, In parts (heap_moves (n + p)) ->
     exists l a r, parts = l ++ (a + p) :: r /\ n0 <= a /\ In (l ++ a :: r) (heap_moves n)) /\
  (forall parts, In parts (heap_moves n) ->
     exists l a r, parts = l ++ a :: r /\ n0 <= a /\ In (l ++ (a + p) :: r) (heap_moves (n + p))).
Proof.
  intros n Hn. unfold last_heap in Hn. set (m := N.max n0 1) in *.
  assert (Hbig : N.of_nat most * (m + p) + longest <= n + p) by lia.
  assert (Hmp : N.of_nat most * (m + p) = N.of_nat most * m + N.of_nat most * p) by lia.
  assert (Hm1 : m <= N.of_nat most * m) by (rewrite <- (N.mul_1_l m) at 1; apply N.mul_le_mono_r; lia).
  assert (Hp1 : p <= N.of_nat most * p) by (rewrite <- (N.mul_1_l p) at 1; apply N.mul_le_mono_r; lia).
  assert (Hreplace : forall h h' k l a b r, k <= h -> k <= h' -> N.testbit (digit k) (N.of_nat (length (l ++ a :: r))) = true ->
    all_positive (l ++ a :: r) -> total (l ++ a :: r) = h - k -> 1 <= b -> h' + a = h + b ->
    In (l ++ b :: r) (heap_moves h')).
  { intros h h' k l a b r Hk Hk' E Hpos Ht Hb Eh. apply in_heap_moves. exists k. rewrite app_length in *. cbn [length] in *.
    repeat split; trivial.
    - intros x Hx. apply in_app_iff in Hx. destruct Hx as [Hx|[<-|Hx]]; trivial; apply Hpos, in_app_iff;
        [now left | right; now right].
    - rewrite total_app in *. cbn [total fold_right] in *. fold (total r) in *. lia. }
  split; intros parts H; apply in_heap_moves in H; destruct H as (k & Hk & E & Hpos & Ht);
    pose proof (digit_below _ _ E) as Hkl; pose proof (at_most _ _ E) as Hlen.
  - destruct (exists_large_part (m + p) parts most) as (a & Ha & Hge); [lia | lia | lia |].
    apply in_split in Ha. destruct Ha as (l & r & ->). exists l, (a - p), r. replace (a - p + p) with a by lia.
    split; trivial. split; [lia|]. apply (Hreplace (n + p) n k l a (a - p) r); trivial; lia.
  - destruct (exists_large_part m parts most) as (a & Ha & Hge); [lia | lia | lia |].
    apply in_split in Ha. destruct Ha as (l & r & ->). exists l, a, r.
    split; trivial. split; [lia|]. apply (Hreplace n (n + p) k l a (a + p) r); trivial; lia.
Qed.

Hypothesis periodic_g : forall n, n0 <= n -> g (n + p) = g n.

Lemma same_options : forall n, last_heap < n + p ->
  forall x, In x (option_values g (n + p)) <-> In x (option_values g n).
Proof.
  intros n Hn x. destruct (same_moves n Hn) as [Hdown Hup].
  assert (Hg : forall l a r, n0 <= a -> nim_sum (map g (l ++ (a + p) :: r)) = nim_sum (map g (l ++ a :: r))).
  { intros l a r Ha. rewrite !map_app, !nim_sum_app. cbn. now rewrite periodic_g. }
  unfold option_values. rewrite !in_map_iff. split; intros (parts & <- & H).
  - destruct (Hdown parts H) as (l & a & r & -> & Ha & Hin). exists (l ++ a :: r). split; trivial. symmetry. now apply Hg.
  - destruct (Hup parts H) as (l & a & r & -> & Ha & Hin). exists (l ++ (a + p) :: r). split; trivial. now apply Hg.
Qed.

Theorem guy_smith : 1 <= p -> (forall h, h <= last_heap -> is_mex (option_values g h) (g h)) ->
  forall h, heap_value h = g h.
Proof.
  intros Hp Hstart. apply heap_value_is.
  assert (Hall : forall (bound : nat) h, (N.to_nat h < bound)%nat -> is_mex (option_values g h) (g h)).
  { induction bound as [|bound IH]; [lia|]. intros h Hh.
    destruct (N.le_gt_cases h last_heap) as [|Hgt]; [now apply Hstart|].
    assert (Hge : n0 + p <= h).
    { unfold last_heap in Hgt.
      assert (N.max n0 1 + p <= N.of_nat most * (N.max n0 1 + p)); [|lia].
      rewrite <- (N.mul_1_l (N.max n0 1 + p)) at 1. apply N.mul_le_mono_r. lia. }
    replace h with ((h - p) + p) in * by lia. set (n := h - p) in *.
    rewrite periodic_g by lia. apply (is_mex_same (option_values g n)).
    - intro x. symmetry. apply same_options; lia.
    - apply IH. lia. }
  intro h. apply (Hall (S (N.to_nat h))). lia.
Qed.

End Period.

(** ** The checker *)

Variable table : N -> N.

(** The values of all lists of [count] heaps with the sum [s], in every order, xor [x]. *)
Fixpoint split_sources (count : nat) (s x : N) : list source :=
  match count with
  | O => if s =? 0 then [(0, 1, fun _ => N.succ x)] else []
  | S O => if 0 <? s then [(0, 1, fun _ => N.succ (N.lxor x (table s)))] else []
  | S (S O) => [(1, s, fun a => N.succ (N.lxor x (N.lxor (table a) (table (s - a)))))]
  | S count => flat_map (fun a => split_sources count (s - a) (N.lxor x (table a))) (range 1 s)
  end.

(** The values of the options that take [k] from a heap of [k + s], and so leave [s]; each pair of heaps once. *)
Definition sources_of (k s : N) : list source :=
  (if N.testbit (digit k) 0 && (s =? 0) then [(0, 1, fun _ => 1)] else []) ++
  (if N.testbit (digit k) 1 && (0 <? s) then [(0, 1, fun _ => N.succ (table s))] else []) ++
  (if N.testbit (digit k) 2
   then [(1, N.succ (N.div2 s), fun a => N.succ (N.lxor (table a) (table (s - a))))] else []) ++
  flat_map (fun j => if N.testbit (digit k) (N.of_nat j) then split_sources j s 0 else [])
    (seq 3 (N.to_nat (N.size (digit k)))).

Lemma split_sources_spec : forall count s x v,
  (exists src, In src (split_sources count s x) /\ holds src (N.succ v)) <->
  (exists parts, In parts (splits count s) /\ N.lxor x (nim_sum (map table parts)) = v).
Proof using Type.
  induction count as [|[|[|count]] IH]; intros s x v.
  - cbn [split_sources splits]. destruct (s =? 0); split.
    + intros (src & [<-|[]] & (j & _ & Hj)). cbn in Hj. exists []. split; [now left|]. cbn. rewrite N.lxor_0_r. lia.
    + intros (parts & [<-|[]] & E). cbn in E. rewrite N.lxor_0_r in E. eexists. split; [now left|]. exists 0.
      cbn. split; lia.
    + intros (src & [] & _).
    + intros (parts & [] & _).
  - setoid_rewrite in_splits. cbn [split_sources]. destruct (N.ltb_spec 0 s) as [Hs|Hs]; split.
    + intros (src & [<-|[]] & (j & _ & Hj)). cbn in Hj. exists [s]. split; [|cbn; rewrite N.lxor_0_r; lia].
      repeat split; [intros a [<-|[]]; lia | cbn; lia].
    + intros (parts & (Hl & Hp & Ht) & E). destruct parts as [|a [|b r]]; try discriminate. cbn in Ht.
      assert (a = s) as -> by lia. cbn in E. rewrite N.lxor_0_r in E. eexists. split; [now left|]. exists 0.
      cbn. split; lia.
    + intros (src & [] & _).
    + intros (parts & (Hl & Hp & Ht) & E). destruct parts as [|a [|b r]]; try discriminate. cbn in Ht.
      pose proof (Hp a (or_introl eq_refl)). lia.
  - setoid_rewrite in_splits. cbn [split_sources]. split.
    + intros (src & [<-|[]] & (a & Ha & Hj)). cbn in Ha, Hj. exists [a; s - a].
      split; [|cbn; rewrite N.lxor_0_r; lia]. repeat split; [intros b [<-|[<-|[]]]; lia | cbn; lia].
    + intros (parts & (Hl & Hp & Ht) & E). destruct parts as [|a [|b [|c r]]]; try discriminate. cbn in Ht.
      pose proof (Hp a (or_introl eq_refl)). pose proof (Hp b (or_intror (or_introl eq_refl))).
      cbn in E. rewrite N.lxor_0_r in E. eexists. split; [now left|]. exists a. cbn [fst snd].
      replace (s - a) with b by lia. split; [lia | now rewrite E].
  - change (split_sources (S (S (S count))) s x)
      with (flat_map (fun a => split_sources (S (S count)) (s - a) (N.lxor x (table a))) (range 1 s)).
    split.
    + intros (src & Hsrc & Hh). apply in_flat_map in Hsrc. destruct Hsrc as (a & Ha & Hsrc). apply in_range in Ha.
      destruct (proj1 (IH (s - a) (N.lxor x (table a)) v)) as (parts & Hparts & E); [now exists src|].
      exists (a :: parts). rewrite in_splits in *. destruct Hparts as (Hl & Hp & Ht). split; [|cbn].
      * repeat split; [cbn; now rewrite Hl | intros b [<-|Hb]; [lia | now apply Hp] | cbn; fold (total parts); lia].
      * fold (nim_sum (map table parts)). now rewrite <- N.lxor_assoc.
    + intros (parts & Hparts & E). rewrite in_splits in Hparts. destruct Hparts as (Hl & Hp & Ht).
      destruct parts as [|a parts]; [discriminate|]. cbn in Ht, E. fold (total parts) in Ht.
      fold (nim_sum (map table parts)) in E.
      assert (Hin : In parts (splits (S (S count)) (s - a))).
      { rewrite in_splits. repeat split; [now injection Hl | intros b Hb; apply Hp; now right | lia]. }
      destruct (proj2 (IH (s - a) (N.lxor x (table a)) v)) as (src & Hsrc & Hh).
      { exists parts. split; trivial. now rewrite N.lxor_assoc. }
      exists src. split; trivial. apply in_flat_map. exists a. split; trivial. apply in_range.
      pose proof (Hp a (or_introl eq_refl)). destruct parts as [|b r]; [discriminate|].
      pose proof (Hp b (or_intror (or_introl eq_refl))). cbn in Ht. lia.
Qed.

Definition heap_sources (h : N) : list source :=
  flat_map (fun k => sources_of k (h - k)) (range 0 (N.succ (N.min h longest))).

Lemma heap_sources_spec : forall h x,
  In x (option_values table h) <-> exists s, In s (heap_sources h) /\ holds s (N.succ x).
Proof using Type.
  intros h x. unfold option_values, heap_sources. rewrite in_map_iff. split.
  - intros (parts & <- & H). apply in_heap_moves in H. destruct H as (k & Hk & E & Hp & Ht).
    pose proof (digit_below _ _ E) as Hkl.
    assert (Hin : forall s, In s (sources_of k (h - k)) ->
                  In s (flat_map (fun k => sources_of k (h - k)) (range 0 (N.succ (N.min h longest))))).
    { intros s Hs. apply in_flat_map. exists k. split; trivial. apply in_range. lia. }
    unfold sources_of in Hin. rewrite <- Ht in Hin.
    destruct parts as [|a [|b [|c r]]]; cbn [length] in E.
    + change (N.of_nat 0) with 0 in E. rewrite E in Hin. cbn [total fold_right] in Hin.
      eexists. split; [apply Hin; now left|]. exists 0. cbn. split; [lia | trivial].
    + change (N.of_nat 1) with 1 in E. rewrite E in Hin. pose proof (Hp a (or_introl eq_refl)) as Ha.
      replace (0 <? total [a]) with true in Hin by (symmetry; apply N.ltb_lt; cbn; lia).
      eexists. split; [apply Hin; apply in_app_iff; right; now left|]. exists 0. split; [cbn; lia|]. cbn.
      now rewrite N.add_0_r, N.lxor_0_r.
    + change (N.of_nat 2) with 2 in E. rewrite E in Hin.
      pose proof (Hp a (or_introl eq_refl)) as Ha. pose proof (Hp b (or_intror (or_introl eq_refl))) as Hb.
      eexists. split; [apply Hin; do 2 (apply in_app_iff; right); apply in_app_iff; left; now left|].
      cbn [total fold_right]. rewrite N.add_0_r, N.div2_div.
      assert (Hhalf : forall y, 2 * y <= a + b -> y < N.succ ((a + b) / 2)).
      { intros y Hy. apply N.lt_succ_r. apply N.div_le_lower_bound; lia. }
      destruct (N.le_ge_cases a b) as [Hab|Hab].
      * exists a. cbn [fst snd]. split; [specialize (Hhalf a ltac:(lia)); lia|].
        replace (a + b - a) with b by lia. cbn. now rewrite N.lxor_0_r.
      * exists b. cbn [fst snd]. split; [specialize (Hhalf b ltac:(lia)); lia|].
        replace (a + b - b) with a by lia. cbn. rewrite N.lxor_0_r. f_equal. apply N.lxor_comm.
    + set (parts := a :: b :: c :: r) in *.
      destruct (proj2 (split_sources_spec (length parts) (total parts) 0 (nim_sum (map table parts)))) as (src & Hsrc & Hh).
      { exists parts. split; [apply in_splits; now repeat split | apply N.lxor_0_l]. }
      exists src. split; trivial. apply Hin. do 3 (apply in_app_iff; right). apply in_flat_map. exists (length parts).
      change (N.testbit (digit k) (N.of_nat (length parts)) = true) in E.
      split; [|now rewrite E]. apply in_seq. apply bit_below_size in E. unfold parts. cbn [length]. unfold parts in E.
      cbn [length] in E. lia.
  - intros (s & Hs & Hh). apply in_flat_map in Hs. destruct Hs as (k & Hk & Hs). apply in_range in Hk.
    unfold sources_of in Hs. rewrite !in_app_iff in Hs. destruct Hs as [Hs|[Hs|[Hs|Hs]]].
    + destruct (N.testbit (digit k) 0) eqn:E; [|destruct Hs].
      destruct (N.eqb_spec (h - k) 0) as [E0|]; [|destruct Hs].
      destruct Hs as [<-|[]]. destruct Hh as (j & _ & Hj). cbn in Hj. exists []. split; [cbn; lia|].
      apply in_heap_moves. exists k. repeat split; trivial; [lia | now intros a [] | cbn; lia].
    + destruct (N.testbit (digit k) 1) eqn:E; [|destruct Hs].
      destruct (N.ltb_spec 0 (h - k)) as [E0|]; [|destruct Hs].
      destruct Hs as [<-|[]]. destruct Hh as (j & _ & Hj). cbn in Hj. exists [h - k]. split.
      * cbn. rewrite N.lxor_0_r. lia.
      * apply in_heap_moves. exists k. repeat split; trivial; [lia | intros a [<-|[]]; lia | cbn; lia].
    + destruct (N.testbit (digit k) 2) eqn:E; [|destruct Hs].
      destruct Hs as [<-|[]]. destruct Hh as (a & Ha & Hj). cbn [fst snd] in Ha, Hj.
      rewrite N.div2_div in Ha.
      assert (H2 : 2 * ((h - k) / 2) <= h - k) by (apply N.mul_div_le; discriminate).
      exists [a; h - k - a]. split.
      * cbn. rewrite N.lxor_0_r. lia.
      * apply in_heap_moves. exists k. repeat split; trivial; [lia | intros b [<-|[<-|[]]]; lia | cbn; lia].
    + apply in_flat_map in Hs. destruct Hs as (count & _ & Hs).
      destruct (N.testbit (digit k) (N.of_nat count)) eqn:E; [|destruct Hs].
      destruct (proj1 (split_sources_spec count (h - k) 0 x)) as (parts & Hparts & Ex); [now exists s|].
      exists parts. rewrite N.lxor_0_l in Ex. split; trivial. apply in_splits in Hparts. destruct Hparts as (Hl & Hp & Ht).
      apply in_heap_moves. exists k. rewrite Hl. repeat split; trivial. lia.
Qed.

Variables (n0 p : N).

(** The values that a table gives for all heaps: from [n0] on they repeat with the period [p]. *)
Definition periodic (n : N) : N := if n <? n0 + p then table n else table (n0 + (n - n0) mod p).

Lemma periodic_step : 1 <= p -> forall n, n0 <= n -> periodic (n + p) = periodic n.
Proof using Type.
  intros Hp n Hn. unfold periodic. destruct (N.ltb_spec (n + p) (n0 + p)); [lia|].
  replace (n + p - n0) with ((n - n0) + 1 * p) by lia. rewrite N.mod_add by lia.
  destruct (N.ltb_spec n (n0 + p)); trivial. rewrite N.mod_small by lia. f_equal. lia.
Qed.

(** The most heaps that a move may leave, at least 1. *)
Definition most_heaps : nat := fold_right (fun d most => Nat.max (N.to_nat (N.pred (N.size d))) most) 1%nat digits.

Lemma most_heaps_positive : (1 <= most_heaps)%nat.
Proof using Type. unfold most_heaps. induction digits as [|d r IH]; cbn; lia. Qed.

Lemma bit_bound : forall k j, N.testbit (digit k) j = true -> j <= N.of_nat most_heaps.
Proof using Type.
  intros k j E. unfold digit, most_heaps in *. generalize dependent (N.to_nat k). intro i. revert i.
  induction digits as [|d r IH]; intros i E; [destruct i; now rewrite N.bits_0 in E|].
  cbn [fold_right]. destruct i as [|i]; cbn [nth] in E.
  - apply bit_below_size in E. lia.
  - specialize (IH i E). lia.
Qed.

(** What a heap's value is checked by is left open: see Sparse.v for a faster way. *)
Definition check_code_by (check_heap : N -> bool) : bool :=
  let last := last_heap most_heaps n0 p in
  if (0 <? p) && legal then
    if all_range (n0 + p) (N.succ last) (fun n => table n =? table (n - p))
    then all_range 0 (N.succ last) check_heap
    else false
  else false.

Definition check_heap (n : N) : bool := check_mex (heap_sources n) (table n).

Lemma check_heap_spec : forall n, check_heap n = true -> is_mex (option_values table n) (table n).
Proof using Type. intros n H. apply (mex_checked _ _ _ H). apply heap_sources_spec. Qed.

Definition check_code : bool := check_code_by check_heap.

End Code.

(** What [check_code] accepts are the values of all heaps. *)
Lemma code_period_by : forall digits table n0 p check (is_legal : legal digits = true),
  (forall n, n <= last_heap digits (most_heaps digits) n0 p -> check n = true ->
    is_mex (option_values digits table n) (table n)) ->
  check_code_by digits table n0 p check = true -> forall h, heap_value digits is_legal h = periodic table n0 p h.
Proof.
  intros digits table n0 p check is_legal Hcheck H. unfold check_code_by in H.
  destruct ((0 <? p) && legal digits) eqn:E; [|discriminate]. apply andb_true_iff in E. destruct E as [Ep _].
  apply N.ltb_lt in Ep. destruct (all_range (n0 + p) _ _) eqn:Erep; [|discriminate].
  rewrite all_range_spec in Erep, H. set (last := last_heap digits (most_heaps digits) n0 p) in *.
  pose proof (most_heaps_positive digits) as Hmost. pose proof (bit_bound digits) as Hat.
  assert (Htable : forall (bound : nat) n, (N.to_nat n < bound)%nat -> n <= last -> table n = periodic table n0 p n).
  { induction bound as [|bound IH]; [lia|]. intros n Hn Hl.
    destruct (N.lt_ge_cases n (n0 + p)) as [Hlt|Hge].
    - unfold periodic. now apply N.ltb_lt in Hlt as ->.
    - specialize (Erep n ltac:(lia)). apply N.eqb_eq in Erep. rewrite Erep, IH by lia.
      rewrite <- (periodic_step table n0 p ltac:(lia) (n - p)) by lia. f_equal. lia. }
  apply (guy_smith digits is_legal (most_heaps digits) Hmost Hat n0 p); [|lia|].
  - apply periodic_step. lia.
  - fold last. intros h Hh. specialize (Hcheck h Hh (H h ltac:(lia))).
    rewrite <- (Htable (S (N.to_nat h)) h) by lia.
    assert (Hsame : option_values digits (periodic table n0 p) h = option_values digits table h).
    { unfold option_values. apply map_ext_in. intros parts Hparts. f_equal. apply map_ext_in. intros a Ha.
      pose proof (parts_smaller digits is_legal h parts a Hparts Ha). symmetry.
      apply (Htable (S (N.to_nat a))); lia. }
    now rewrite Hsame.
Qed.

Theorem code_period : forall digits table n0 p (is_legal : legal digits = true),
  check_code digits table n0 p = true -> forall h, heap_value digits is_legal h = periodic table n0 p h.
Proof.
  intros digits table n0 p is_legal. apply code_period_by. intros n _. apply check_heap_spec.
Qed.
