(** * Values that grow where heaps split

    What this file proves: [splitting_values]. A code may leave any number of heaps, and any number may be taken as well
    if [any] says so. A table that [check_splitting] accepts gives the value of every heap: the values of one period
    repeat with a constant, the saltus, added each time.

    The proof goes from a heap n to n + P, where P is a multiple of the period and S the same multiple of the saltus.

    - No option has the value of its heap. Write values as a multiple of a power of two M, and a rest. A nim-sum is at
      most the sum, so it is enough that the multiples of the parts add up to too little, for each size of the parts
      modulo P and each nim-sum of their rests. [bound] says how large they can be, with at least one large part.
    - All smaller values are reached. An option with a large part, beside others of a nim-sum below M, moves on: the large
      part grows by P, and the value by S. An option of one heap beside two equal ones stays: the two grow by P / 2 each,
      and the value remains. The small values come from options that stay, the others from those that move on. *)

From Coq Require Import List Arith NArith ZArith Bool Lia Wellfounded.
From Graphgame Require Import Theory Mex Octal Growing.
Import ListNotations.
Open Scope N_scope.

(** ** Multiples and rests of nim-sums *)

Lemma lxor_le_add : forall a b, N.lxor a b <= a + b.
Proof.
  assert (Hp : forall p q, Pos.lxor p q <= N.pos p + N.pos q).
  { induction p as [p IH|p IH|]; intros [q|q|]; try specialize (IH q); cbn [Pos.lxor];
      try (destruct (Pos.lxor p q)); cbn [Pos.Nsucc_double Pos.Ndouble] in *; try destruct p; try destruct q; lia. }
  intros [|p] [|q]; [apply N.le_refl | apply N.le_refl | apply N.le_refl | apply Hp].
Qed.

Lemma rest_lxor : forall e a b, N.lxor a b mod 2 ^ e = N.lxor (a mod 2 ^ e) (b mod 2 ^ e).
Proof.
  intros e a b. apply N.bits_inj. intro j. destruct (N.lt_ge_cases j e) as [H|H].
  - now rewrite N.lxor_spec, !N.mod_pow2_bits_low, N.lxor_spec.
  - now rewrite N.lxor_spec, !N.mod_pow2_bits_high.
Qed.

Lemma multiple_lxor : forall e a b, N.lxor a b / 2 ^ e <= a / 2 ^ e + b / 2 ^ e.
Proof. intros. rewrite <- !N.shiftr_div_pow2, N.shiftr_lxor. apply lxor_le_add. Qed.

Section Splitting.

Variables (digits : list N) (any : bool).

Definition free_moves (h : N) : list (list N) :=
  if any && (0 <? h) then [] :: map (fun j => [j]) (range 1 h) else [].

Definition split_moves (h : N) : list (list N) := heap_moves digits h ++ free_moves h.

Lemma in_free_moves : forall h parts, In parts (free_moves h) <->
  any = true /\ 0 < h /\ (parts = [] \/ exists j, 1 <= j < h /\ parts = [j]).
Proof.
  intros h parts. unfold free_moves. destruct any; cbn [andb]; [|split; [intros [] | now intros [H _]]].
  destruct (N.ltb_spec 0 h) as [Hh|Hh]; [|split; [intros [] | lia]]. cbn [In]. rewrite in_map_iff. split.
  - intros [<-|(j & <- & Hj)]; repeat split; trivial; [now left | right]. apply in_range in Hj. now exists j.
  - intros (_ & _ & [->|(j & Hj & ->)]); [now left | right]. exists j. split; trivial. now apply in_range.
Qed.

Hypothesis is_legal : legal digits = true.

Lemma splits_end : well_founded (part_of N split_moves).
Proof using is_legal.
  apply (wf_incl _ _ N.lt); [|apply N.lt_wf_0]. intros a h (parts & H & Ha). apply in_app_iff in H. destruct H as [H|H].
  - now apply (parts_smaller digits is_legal h parts).
  - apply in_free_moves in H. destruct H as (_ & _ & [->|(j & Hj & ->)]); [destruct Ha|]. destruct Ha as [<-|[]]. lia.
Qed.

(** The Grundy value of a heap. *)
Definition split_value (h : N) : N := component_value N split_moves splits_end h.

(** The claim: the values are those of [table], with [s] added after each [p] heaps from [n0] on. The proof goes by
    [times] periods at once, and by a power of two. *)
Variables (table : N -> N) (n0 p s times power : N).

Let g : N -> N := grown table n0 p s.

Definition large : N := N.max n0 1.
Definition step : N := times * p.
Definition gain : N := times * s.
Definition modulus : N := N.shiftl 1 power.
Definition slope : N := gain / modulus.
Definition rest_of (a : N) : N := g a mod modulus.

(** How far the multiple in the value of a heap [a], times [step], is above [slope] times [a]. *)
Definition excess (a : N) : Z := (Z.of_N (step * (g a / modulus)) + - Z.of_N (slope * a))%Z.

(** ** No option has the value of its heap *)

(** [bound j r w]: the most that j heaps can have as excess, if one is large, their sum is r modulo the step, and the
    nim-sum of their rests is w. It is a hint, like [high], which is above the values of small heaps, and [start], the
    heap from which on the proof goes by steps. *)
Variables (bound : N -> N -> N -> Z) (high start : N).

Definition check_bound : bool :=
  all_range large (large + step) (fun a => Z.leb (excess a) (bound 1 (a mod step) (rest_of a))) &&
  all_range 1 (large + step) (fun a =>
    let x := excess a in
    let v := rest_of a in
    all_range 1 (N.of_nat (most_heaps digits)) (fun j =>
      all_range 0 step (fun r =>
        all_range 0 modulus (fun w => Z.leb (bound j r w + x) (bound (N.succ j) ((r + a) mod step) (N.lxor w v)))))).

(** If [k] is taken from a heap of the class of [a], and [j] heaps are left, their nim-sum is too small to be the value of
    the heap. *)
Definition too_small (a k j : N) : bool :=
  Z.leb (bound j ((a + (step - 1) * k) mod step) (rest_of a) + 1) (excess a + Z.of_N (slope * k)).

Definition check_too_small : bool :=
  all_range large (large + step) (fun a =>
    all_range 0 (N.succ (longest digits)) (fun k =>
      all_range 1 (N.size (digit digits k)) (fun j => if N.testbit (digit digits k) j then too_small a k j else true)) &&
    (if any then all_range 1 (N.succ step) (fun k => too_small a k 1) else true)).

(** Each option of a heap from [start] on has a large part. *)
Definition check_room : bool :=
  all_range 0 (N.succ (longest digits)) (fun k => N.pred (N.size (digit digits k)) * large + k <? start) &&
  all_range 0 large (fun a => g a <? high) && all_range start (start + step) (fun n => high <=? g n).

(** ** All smaller values are reached *)

(** For each heap of one step and each smaller value, hints: options that stay or move on. Those that stay have the
    values below [cut]; those that stay and have a large part have the last of these. *)
Variables (cut : N -> N) (steady far moving : N -> N -> list N).

Definition legal_split (n : N) (parts : list N) : bool :=
  let t := total parts in
  if t <=? n then N.testbit (digit digits (n - t)) (N.of_nat (length parts)) && forallb (fun a => 1 <=? a) parts else false.

Definition has_value (parts : list N) (i : N) : bool := nim_sum (map g parts) =? i.

Definition stays (n i : N) (parts : list N) : bool :=
  has_value parts i &&
  match parts with
  | [] => any && (0 <? n)
  | [a] => any && (1 <=? a) && (a <? n)
  | [x; y] => (x =? y) && legal_split n parts
  | [a; x; y] => (x =? y) && legal_split n parts
  | _ => false
  end.

Definition stays_large (n i : N) (parts : list N) : bool :=
  stays n i parts && match parts with [a] => large <=? a | [a; _; _] => large <=? a | _ => false end.

Definition moves_on (n i : N) (parts : list N) : bool :=
  has_value parts i &&
  match parts with
  | a :: rest =>
    (large <=? a) && (nim_sum (map g rest) <? modulus) &&
    (legal_split n parts || match rest with [] => any && (a <? n) | _ => false end)
  | [] => false
  end.

Definition check_reached (n : N) : bool :=
  let v := cut n in
  (gain <=? v) && all_range 0 v (fun i => stays n i (steady n i)) &&
  all_range (v - gain) v (fun i => stays_large n i (far n i)) && all_range v (g n) (fun i => moves_on n i (moving n i)).

Definition free_sources (h : N) : list source :=
  if any && (0 <? h) then [(0, 1, fun _ => 1); (1, h, fun j => N.succ (g j))] else [].

Definition check_splitting : bool :=
  (0 <? p) && (0 <? times) && (step mod 2 =? 0) && (gain mod modulus =? 0) && check_room && check_bound && check_too_small &&
  all_range 0 start (fun h => check_mex (heap_sources digits g h ++ free_sources h) (g h)) &&
  all_range start (start + step) check_reached.

(** ** The proof *)

Hypothesis checked : check_splitting = true.

Lemma parts_of_check : 1 <= p /\ 1 <= times /\ step mod 2 = 0 /\ gain mod modulus = 0 /\ check_room = true /\
  check_bound = true /\ check_too_small = true /\
  (forall h, h < start -> check_mex (heap_sources digits g h ++ free_sources h) (g h) = true) /\
  (forall n, start <= n < start + step -> check_reached n = true).
Proof using checked.
  pose proof checked as H. unfold check_splitting in H. repeat rewrite andb_true_iff in H.
  destruct H as ((((((((H1 & H2) & H3) & H4) & H5) & H6) & H7) & H8) & H9).
  apply N.ltb_lt in H1, H2. apply N.eqb_eq in H3, H4. rewrite all_range_spec in H8, H9.
  repeat split; trivial; try lia. intros h Hh. apply H8. lia.
Qed.

Lemma modulus_is : modulus = 2 ^ power.
Proof. apply N.shiftl_1_l. Qed.

Lemma modulus_positive : modulus <> 0.
Proof. rewrite modulus_is. now apply N.pow_nonzero. Qed.

Lemma step_positive : 1 <= step.
Proof using checked. destruct parts_of_check as (Hp & Ht & _). unfold step. nia. Qed.

Lemma gain_is : gain = slope * modulus.
Proof using checked.
  destruct parts_of_check as (_ & _ & _ & H & _). pose proof (N.div_mod gain modulus modulus_positive) as Hd.
  rewrite H in Hd. unfold slope. lia.
Qed.

Lemma g_step : forall n, n0 <= n -> g (n + step) = g n + gain.
Proof using checked.
  destruct parts_of_check as (Hp & _). intros n Hn. unfold step, gain.
  assert (H : forall t, g (n + t * p) = g n + t * s); [|apply H].
  induction t as [|t IH] using N.peano_ind; [now rewrite !N.mul_0_l, !N.add_0_r|].
  rewrite !N.mul_succ_l, !N.add_assoc, <- IH. unfold g. apply grown_step; lia.
Qed.

Lemma g_steps : forall q n, n0 <= n -> g (n + q * step) = g n + q * gain.
Proof using checked.
  intros q n Hn. induction q as [|q IH] using N.peano_ind; [now rewrite !N.mul_0_l, !N.add_0_r|].
  rewrite !N.mul_succ_l, !N.add_assoc, <- IH. apply g_step. lia.
Qed.

(** A large heap has the excess and the rest of one of the first step. *)
Lemma class_of : forall a, large <= a -> exists b q, large <= b < large + step /\ a = b + q * step /\
  excess a = excess b /\ rest_of a = rest_of b /\ a mod step = b mod step.
Proof using checked.
  intros a Ha. pose proof step_positive as Hs. pose proof modulus_positive as Hm. pose proof gain_is as Hg.
  pose proof (N.div_mod (a - large) step ltac:(lia)) as Hd. pose proof (N.mod_lt (a - large) step ltac:(lia)) as Hl.
  set (q := (a - large) / step) in *. set (r := (a - large) mod step) in *. clearbody q r.
  exists (large + r), q. split; [lia|]. assert (E : a = large + r + q * step) by lia. split; trivial.
  assert (Hb : n0 <= large + r) by (unfold large; lia). set (b := large + r) in *. clearbody b. clear Hd Ha. subst a.
  unfold excess, rest_of. rewrite g_steps by trivial. rewrite Hg, N.mul_assoc, (N.div_add _ _ modulus Hm), !N.mod_add by lia.
  repeat split. rewrite !N2Z.inj_mul, !N2Z.inj_add, !N2Z.inj_mul. ring.
Qed.

Lemma small_class : forall a, 1 <= a -> exists b, 1 <= b < large + step /\
  excess a = excess b /\ rest_of a = rest_of b /\ a mod step = b mod step.
Proof using checked.
  intros a Ha. destruct (N.lt_ge_cases a large) as [Hs|Hl]; [exists a; repeat split; trivial; lia|].
  destruct (class_of a Hl) as (b & q & Hb & _ & H). exists b. split; trivial. unfold large in *. lia.
Qed.

Definition excess_of (l : list N) : Z := fold_right (fun a x => (excess a + x)%Z) 0%Z l.

Lemma value_below : forall l,
  (Z.of_N (step * (nim_sum (map g l) / modulus)) <= excess_of l + Z.of_N (slope * total l))%Z.
Proof using Type.
  induction l as [|a l IH].
  { cbn [map nim_sum fold_right excess_of total]. rewrite N.div_0_l by apply modulus_positive. lia. }
  cbn [map nim_sum fold_right excess_of total]. fold (nim_sum (map g l)) (total l) (excess_of l).
  pose proof (multiple_lxor power (g a) (nim_sum (map g l))) as H. rewrite <- modulus_is in H.
  unfold excess at 1. nia.
Qed.

Lemma bounded : forall others a, all_positive others -> N.of_nat (S (length others)) <= N.of_nat (most_heaps digits) ->
  large <= a ->
  (excess_of (a :: others) <= bound (N.of_nat (S (length others))) (total (a :: others) mod step)
                                     (nim_sum (map g (a :: others)) mod modulus))%Z.
Proof using checked.
  destruct parts_of_check as (_ & _ & _ & _ & _ & H & _). unfold check_bound in H. apply andb_true_iff in H.
  destruct H as [H1 H2]. rewrite all_range_spec in H1, H2. pose proof step_positive as Hs.
  induction others as [|b others IH]; intros a Hpos Hlen Ha.
  - destruct (class_of a Ha) as (r & q & Hr & _ & Ex & Ev & Em). specialize (H1 r Hr). apply Z.leb_le in H1.
    cbn [excess_of fold_right total map nim_sum length]. rewrite N.add_0_r, N.lxor_0_r. fold (rest_of a).
    rewrite Ex, Ev, Em. change (N.of_nat 1) with 1. lia.
  - assert (Hpos' : all_positive others) by (intros c Hc; apply Hpos; now right).
    specialize (IH a Hpos' ltac:(cbn [length] in *; lia) Ha).
    destruct (small_class b (Hpos b (or_introl eq_refl))) as (r & Hr & Ex & Ev & Em).
    specialize (H2 r Hr). cbv beta zeta in H2. rewrite all_range_spec in H2.
    specialize (H2 (N.of_nat (S (length others))) ltac:(cbn [length] in *; lia)). cbv beta in H2. rewrite all_range_spec in H2.
    set (t := total (a :: others)) in *. set (v := nim_sum (map g (a :: others))) in *.
    specialize (H2 (t mod step) (conj (N.le_0_l _) (N.mod_lt t step ltac:(lia)))). cbv beta in H2.
    rewrite all_range_spec in H2.
    specialize (H2 (v mod modulus) (conj (N.le_0_l _) (N.mod_lt v modulus modulus_positive))). cbv beta in H2.
    apply Z.leb_le in H2.
    assert (Et : (t mod step + r) mod step = total (a :: b :: others) mod step).
    { replace (total (a :: b :: others)) with (t + b) by (unfold t; cbn; fold (total others); lia).
      rewrite N.add_mod_idemp_l by lia. rewrite <- (N.add_mod_idemp_r t b), <- (N.add_mod_idemp_r t r) by lia. now rewrite Em. }
    assert (Ew : N.lxor (v mod modulus) (rest_of r) = nim_sum (map g (a :: b :: others)) mod modulus).
    { replace (nim_sum (map g (a :: b :: others))) with (N.lxor v (g b)).
      - rewrite <- Ev. unfold rest_of. rewrite modulus_is. symmetry. apply rest_lxor.
      - unfold v. cbn. fold (nim_sum (map g others)). rewrite N.lxor_assoc. f_equal. apply N.lxor_comm. }
    rewrite Et, Ew in H2. cbn [length]. rewrite (Nat2N.inj_succ (S (length others))).
    replace (excess_of (a :: b :: others)) with (excess_of (a :: others) + excess r)%Z; [lia|].
    rewrite <- Ex. cbn [excess_of fold_right]. lia.
Qed.

Lemma first_part : forall l a r, excess_of (l ++ a :: r) = excess_of (a :: l ++ r) /\
  total (l ++ a :: r) = total (a :: l ++ r) /\ nim_sum (map g (l ++ a :: r)) = nim_sum (map g (a :: l ++ r)).
Proof using Type.
  induction l as [|b l IH]; intros a r; [now repeat split|]. destruct (IH a r) as (E1 & E2 & E3).
  cbn [app map nim_sum fold_right excess_of total] in *. unfold excess_of, total, nim_sum in *. rewrite E1, E2, E3. repeat split; try lia.
  rewrite <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
Qed.

Lemma taken_class : forall a b q k, 1 <= step -> a = b + q * step -> k <= a -> (a - k) mod step = (b + (step - 1) * k) mod step.
Proof using Type.
  intros a b q k Hs -> Hk. rewrite <- (N.mod_add (b + q * step - k) k step) by lia.
  rewrite <- (N.mod_add (b + (step - 1) * k) q step) by lia. f_equal. nia.
Qed.

(** Heaps of which one is large, with a sum that is k below n, and too small a bound. *)
Lemma not_value : forall n b q k l a, large <= b -> n = b + q * step -> excess n = excess b -> rest_of n = rest_of b ->
  k <= n -> total (a :: l) = n - k -> all_positive l -> N.of_nat (S (length l)) <= N.of_nat (most_heaps digits) ->
  large <= a -> too_small b k (N.of_nat (S (length l))) = true -> nim_sum (map g (a :: l)) <> g n.
Proof using checked.
  intros n b q k l a Hb En Ex Ev Hk Et Hpos Hlen Ha Hsmall Eg. pose proof step_positive as Hs.
  pose proof (bounded l a Hpos Hlen Ha) as H. unfold too_small in Hsmall. apply Z.leb_le in Hsmall.
  pose proof (value_below (a :: l)) as Hv. rewrite Eg in H, Hv. fold (rest_of n) in H.
  rewrite Et, Ev, (taken_class n b q k Hs En Hk) in H. rewrite Et in Hv. rewrite <- Ex in Hsmall.
  unfold excess at 1 in Hsmall. nia.
Qed.

Lemma room : (forall k, k <= longest digits -> N.pred (N.size (digit digits k)) * large + k < start) /\
  (forall a, a < large -> g a < high) /\ (forall n, start <= n < start + step -> high <= g n).
Proof using checked.
  destruct parts_of_check as (_ & _ & _ & _ & H & _). unfold check_room in H. repeat rewrite andb_true_iff in H.
  destruct H as ((H1 & H2) & H3). rewrite all_range_spec in H1, H2, H3. repeat split; intros.
  - apply N.ltb_lt, H1. lia.
  - apply N.ltb_lt, H2. lia.
  - apply N.leb_le, H3. lia.
Qed.

Lemma start_large : large <= start.
Proof using checked.
  destruct room as (_ & Hlow & Hhigh). destruct (N.lt_ge_cases start large) as [Hlt|]; trivial. exfalso.
  pose proof step_positive. specialize (Hlow start Hlt). specialize (Hhigh start ltac:(lia)). lia.
Qed.

Lemma from_start : forall n, start <= n -> exists b q, start <= b < start + step /\ n = b + q * step.
Proof using checked.
  intros n Hn. pose proof step_positive as Hs.
  pose proof (N.div_mod (n - start) step ltac:(lia)) as Hd. pose proof (N.mod_lt (n - start) step ltac:(lia)) as Hl.
  set (q := (n - start) / step) in *. set (r := (n - start) mod step) in *. clearbody q r. exists (start + r), q. lia.
Qed.

Lemma above_small : forall n, start <= n -> high <= g n.
Proof using checked.
  intros n Hn. destruct (from_start n Hn) as (b & q & Hb & ->). pose proof start_large.
  rewrite g_steps by (unfold large in *; lia). destruct room as (_ & _ & Hhigh). specialize (Hhigh b Hb). lia.
Qed.

Lemma never : forall n parts, start <= n -> In parts (split_moves n) -> nim_sum (map g parts) <> g n.
Proof using checked.
  intros n parts Hn H. pose proof start_large as Hl. pose proof step_positive as Hs. pose proof (above_small n Hn) as Hhigh.
  destruct room as (Hroom & Hlow & _). destruct (class_of n ltac:(lia)) as (b & q & Hb & En & Ex & Ev & _).
  destruct parts_of_check as (_ & _ & _ & _ & _ & _ & Hsmall & _). unfold check_too_small in Hsmall.
  rewrite all_range_spec in Hsmall. specialize (Hsmall b Hb). cbv beta in Hsmall. apply andb_true_iff in Hsmall.
  destruct Hsmall as [Hsmall Hfree]. apply in_app_iff in H. destruct H as [H|H].
  - apply in_heap_moves in H. destruct H as (k & Hk & E & Hpos & Ht).
    pose proof (digit_below _ _ _ E) as Hkl. pose proof (bit_below_size _ _ E) as Hj. pose proof (bit_bound _ _ _ E) as Hmost.
    specialize (Hroom k Hkl). rewrite all_range_spec in Hsmall. specialize (Hsmall k ltac:(lia)). cbv beta in Hsmall.
    rewrite all_range_spec in Hsmall.
    destruct (exists_large_part large parts (N.to_nat (N.pred (N.size (digit digits k))))) as (a & Ha & Hge);
      [lia | lia | rewrite N2Nat.id; lia |].
    apply in_split in Ha. destruct Ha as (l & r & ->). destruct (first_part l a r) as (_ & E2 & E3). rewrite E3.
    assert (Elen : length (l ++ a :: r) = S (length (l ++ r))) by (rewrite !app_length; cbn; lia). rewrite Elen in *.
    apply (not_value n b q k (l ++ r) a); trivial; try lia.
    + intros c Hc. apply Hpos. apply in_app_iff in Hc. apply in_app_iff. destruct Hc; [now left | right; now right].
    + specialize (Hsmall (N.of_nat (S (length (l ++ r)))) ltac:(lia)). cbv beta in Hsmall. now rewrite E in Hsmall.
  - apply in_free_moves in H. destruct H as (Eany & Hpos & [->|(a & Ha & ->)]).
    + cbn. specialize (Hlow 0 ltac:(unfold large; lia)). lia.
    + destruct (N.lt_ge_cases a large) as [Hlt|Hge].
      { cbn. rewrite N.lxor_0_r. specialize (Hlow a Hlt). lia. }
      rewrite Eany, all_range_spec in Hfree. set (d := n - a).
      (* The number taken, and the one of its class from 1 to the step. *)
      assert (Hclass : exists k t, 1 <= k < N.succ step /\ d = k + t * step).
      { pose proof (N.div_mod (d - 1) step ltac:(lia)) as Hd. pose proof (N.mod_lt (d - 1) step ltac:(lia)) as Hr.
        assert (1 <= d) by (unfold d; lia). clearbody d. set (r := (d - 1) mod step) in *. set (t := (d - 1) / step) in *.
        clearbody r t. exists (r + 1), t. lia. }
      destruct Hclass as (k & t & Hk & Ed). specialize (Hfree k Hk). cbv beta in Hfree.
      assert (Hsame : too_small b d 1 = true).
      { unfold too_small in *. apply Z.leb_le in Hfree. apply Z.leb_le.
        replace ((b + (step - 1) * d) mod step) with ((b + (step - 1) * k) mod step); [nia|].
        rewrite Ed. replace (b + (step - 1) * (k + t * step)) with (b + (step - 1) * k + ((step - 1) * t) * step) by nia.
        now rewrite N.mod_add by lia. }
      apply (not_value n b q d [] a); trivial; try (unfold d; lia).
      * cbn. unfold d. lia.
      * now intros c [].
      * cbn [length]. pose proof (most_heaps_positive digits). lia.
Qed.

Lemma legal_split_spec : forall n parts, legal_split n parts = true <->
  total parts <= n /\ N.testbit (digit digits (n - total parts)) (N.of_nat (length parts)) = true /\ all_positive parts.
Proof using Type.
  intros n parts. unfold legal_split. cbv zeta. destruct (N.leb_spec (total parts) n) as [H|H]; [|split; [discriminate | lia]].
  rewrite andb_true_iff, forallb_forall. unfold all_positive. split.
  - intros [E Hp]. repeat split; trivial. intros a Ha. now apply N.leb_le, Hp.
  - intros (_ & E & Hp). split; trivial. intros a Ha. now apply N.leb_le, Hp.
Qed.

Lemma legal_in : forall n parts, legal_split n parts = true -> In parts (split_moves n).
Proof using Type.
  intros n parts H. apply legal_split_spec in H. destruct H as (Ht & E & Hp). apply in_app_iff. left.
  apply in_heap_moves. exists (n - total parts). repeat split; trivial; lia.
Qed.

Lemma free_in : forall n parts, any = true -> 0 < n -> (parts = [] \/ exists j, 1 <= j < n /\ parts = [j]) ->
  In parts (split_moves n).
Proof using Type. intros. apply in_app_iff. right. now apply in_free_moves. Qed.

Definition reached (n i : N) : Prop := In i (map (fun parts => nim_sum (map g parts)) (split_moves n)).

Lemma stays_reached : forall n i parts, stays n i parts = true -> reached n i.
Proof using Type.
  intros n i parts H. unfold stays in H. apply andb_true_iff in H. destruct H as [E H]. unfold has_value in E.
  apply N.eqb_eq in E. apply in_map_iff. exists parts. split; trivial.
  destruct parts as [|a [|x [|y [|z r]]]]; repeat rewrite andb_true_iff in H; try discriminate.
  - destruct H as [Ea H]. apply N.ltb_lt in H. apply free_in; trivial. now left.
  - destruct H as [[Ea H1] H2]. apply N.leb_le in H1. apply N.ltb_lt in H2. apply free_in; trivial; [lia|]. right. now exists a.
  - now apply legal_in.
  - now apply legal_in.
Qed.

Lemma moves_reached : forall n i parts, moves_on n i parts = true -> reached n i.
Proof using Type.
  intros n i parts H. unfold moves_on in H. apply andb_true_iff in H. destruct H as [E H]. unfold has_value in E.
  apply N.eqb_eq in E. apply in_map_iff. exists parts. split; trivial. destruct parts as [|a rest]; [discriminate|].
  repeat rewrite andb_true_iff in H. destruct H as [[Ha _] H]. apply N.leb_le in Ha. apply orb_true_iff in H.
  destruct H as [H|H]; [now apply legal_in|]. destruct rest; [|discriminate]. apply andb_true_iff in H. destruct H as [Ea H].
  apply N.ltb_lt in H. apply free_in; trivial; [lia|]. right. exists a. split; trivial. unfold large in Ha. lia.
Qed.

(** ** From a heap to the one that is a step larger *)

Lemma pair_steps : forall n a x, legal_split n (a ++ [x; x]) = true ->
  legal_split (n + step) (a ++ [x + step / 2; x + step / 2]) = true.
Proof using checked.
  intros n a x H. apply legal_split_spec in H. apply legal_split_spec. destruct H as (Ht & E & Hp).
  destruct parts_of_check as (_ & _ & Heven & _). pose proof (N.div_mod step 2 ltac:(discriminate)) as Hd.
  rewrite Heven in Hd. rewrite !total_app in *. cbn [total fold_right] in *.
  replace (n + step - (total a + (x + step / 2 + (x + step / 2 + 0)))) with (n - (total a + (x + (x + 0)))) by lia.
  rewrite !app_length in *. repeat split; trivial; [lia|]. intros c Hc. apply in_app_iff in Hc.
  assert (Hx : 1 <= x) by (apply Hp; apply in_app_iff; right; now left).
  destruct Hc as [Hc|[<-|[<-|[]]]]; [apply Hp, in_app_iff; now left | lia | lia].
Qed.

Lemma large_steps : forall n a rest, legal_split n (a :: rest) = true -> legal_split (n + step) (a + step :: rest) = true.
Proof using Type.
  intros n a rest H. apply legal_split_spec in H. apply legal_split_spec. destruct H as (Ht & E & Hp).
  cbn [total fold_right length] in *. fold (total rest) in *.
  replace (n + step - (a + step + total rest)) with (n - (a + total rest)) by lia. repeat split; trivial; [lia|].
  intros c [<-|Hc]; [|apply Hp; now right]. pose proof (Hp a (or_introl eq_refl)). lia.
Qed.

Definition stays_at (n i : N) : Prop := exists parts, stays n i parts = true.
Definition stays_large_at (n i : N) : Prop := exists parts, stays_large n i parts = true.
Definition moves_on_at (n i : N) : Prop := exists parts, moves_on n i parts = true.

Lemma pair_value : forall a x y, nim_sum (map g (a ++ [x; x])) = nim_sum (map g (a ++ [y; y])).
Proof using Type. intros. rewrite !map_app, !nim_sum_app. cbn. now rewrite !N.lxor_0_r, !N.lxor_nilpotent. Qed.

Lemma stays_step : forall n i parts, stays n i parts = true -> exists parts', stays (n + step) i parts' = true /\
  match parts with [a] => parts' = [a] | [a; _; _] => exists x, parts' = [a; x; x] | _ => True end.
Proof using checked.
  intros n i parts H. unfold stays, has_value in H. apply andb_true_iff in H. destruct H as [E H].
  destruct parts as [|a [|x [|y [|z r]]]]; repeat rewrite andb_true_iff in H; try discriminate.
  - exists []. split; trivial. unfold stays, has_value. rewrite E. destruct H as [-> H]. apply N.ltb_lt in H.
    cbn [andb]. apply N.ltb_lt. lia.
  - exists [a]. split; trivial. unfold stays, has_value. rewrite E. destruct H as [[-> H1] H]. rewrite H1. apply N.ltb_lt in H.
    cbn [andb]. apply N.ltb_lt. lia.
  - destruct H as [Eq H]. apply N.eqb_eq in Eq. subst x. exists [a + step / 2; a + step / 2]. split; trivial.
    unfold stays, has_value. rewrite (pair_value [] _ a : nim_sum (map g [a + step / 2; a + step / 2]) = _).
    cbn [app]. rewrite E, N.eqb_refl. cbn [andb]. now apply (pair_steps n []).
  - destruct H as [Eq H]. apply N.eqb_eq in Eq. subst y. exists [a; x + step / 2; x + step / 2].
    split; [|now exists (x + step / 2)].
    unfold stays, has_value. rewrite (pair_value [a] _ x : nim_sum (map g [a; x + step / 2; x + step / 2]) = _).
    cbn [app]. rewrite E, N.eqb_refl. cbn [andb]. now apply (pair_steps n [a]).
Qed.

Lemma stays_at_step : forall n i, stays_at n i -> stays_at (n + step) i.
Proof using checked. intros n i (parts & H). destruct (stays_step n i parts H) as (parts' & H' & _). now exists parts'. Qed.

Lemma stays_large_at_step : forall n i, stays_large_at n i -> stays_large_at (n + step) i.
Proof using checked.
  intros n i (parts & H). unfold stays_large in H. apply andb_true_iff in H. destruct H as [H Hl].
  destruct (stays_step n i parts H) as (parts' & H' & Hsame). exists parts'. unfold stays_large. rewrite H'. cbn [andb].
  destruct parts as [|a [|x [|y [|z r]]]]; try discriminate; [now subst parts' | now destruct Hsame as (c & ->)].
Qed.

(** A value that stays with a large part also moves on. *)
Lemma moves_step : forall n i parts, moves_on n i parts = true -> moves_on_at (n + step) (i + gain).
Proof using checked.
  intros n i parts H. unfold moves_on, has_value in H. apply andb_true_iff in H. destruct H as [E H]. apply N.eqb_eq in E.
  destruct parts as [|a rest]; [discriminate|]. repeat rewrite andb_true_iff in H. destruct H as [[Ha Hw] H].
  exists (a + step :: rest). unfold moves_on, has_value. apply N.leb_le in Ha. apply N.ltb_lt in Hw.
  assert (Ev : nim_sum (map g (a + step :: rest)) = i + gain).
  { cbn [map nim_sum fold_right] in *. fold (nim_sum (map g rest)) in *. rewrite g_step by (unfold large in Ha; lia).
    set (w := nim_sum (map g rest)) in *. rewrite <- E, gain_is. rewrite modulus_is in *.
    (* The nim-sum with a small number changes the rest alone. *)
    assert (Hx : forall x, N.lxor x w = x / 2 ^ power * 2 ^ power + N.lxor (x mod 2 ^ power) w).
    { intro x. pose proof (N.div_mod (N.lxor x w) (2 ^ power) ltac:(now apply N.pow_nonzero)) as Hd.
      rewrite rest_lxor in Hd. rewrite (N.mod_small w) in Hd by lia.
      rewrite <- N.shiftr_div_pow2 in Hd at 1. rewrite N.shiftr_lxor, (N.shiftr_div_pow2 w), (N.div_small w), N.lxor_0_r,
        N.shiftr_div_pow2 in Hd by lia. lia. }
    rewrite (Hx (g a + slope * 2 ^ power)), (Hx (g a)), N.div_add, N.mod_add by (now apply N.pow_nonzero). lia. }
  rewrite Ev, N.eqb_refl. cbn [andb]. repeat rewrite andb_true_iff. repeat split.
  - apply N.leb_le. lia.
  - now apply N.ltb_lt.
  - apply orb_true_iff in H. apply orb_true_iff. destruct H as [H|H]; [left; now apply large_steps | right].
    destruct rest; [|discriminate]. apply andb_true_iff in H. destruct H as [-> H]. apply N.ltb_lt in H. cbn [andb].
    apply N.ltb_lt. lia.
Qed.

Lemma large_moves : forall n i parts, stays_large n i parts = true -> moves_on n i parts = true.
Proof using Type.
  intros n i parts H. unfold stays_large, stays in H. repeat rewrite andb_true_iff in H. destruct H as [[E H] Hl].
  unfold moves_on. rewrite E. cbn [andb]. pose proof modulus_positive as Hm.
  assert (H0 : forall c, c = 0 -> (c <? modulus) = true) by (intros c ->; apply N.ltb_lt; lia).
  destruct parts as [|a [|x [|y [|z r]]]]; repeat rewrite andb_true_iff in H; try discriminate.
  - destruct H as [[Ea H1] H]. rewrite Hl, H, Ea, (H0 (nim_sum (map g []))) by reflexivity. apply orb_true_r.
  - destruct H as [Eq H]. apply N.eqb_eq in Eq. subst y. rewrite Hl, H, H0; trivial.
    cbn. now rewrite N.lxor_0_r, N.lxor_nilpotent.
Qed.

Definition goes_on (n : N) : Prop := exists v, gain <= v /\ (forall i, i < v -> stays_at n i) /\
  (forall i, v - gain <= i < v -> stays_large_at n i) /\ (forall i, v <= i < g n -> moves_on_at n i).

Lemma goes_on_step : forall n, n0 <= n -> goes_on n -> goes_on (n + step).
Proof using checked.
  intros n Hn (v & Hv & Hs & Hl & Hm). exists v. split; trivial. split; [|split].
  - intros i Hi. now apply stays_at_step, Hs.
  - intros i Hi. now apply stays_large_at_step, Hl.
  - intros i Hi. rewrite g_step in Hi by trivial. replace i with (i - gain + gain) by lia.
    destruct (N.lt_ge_cases (i - gain) v) as [Hlt|Hge].
    + destruct (Hl (i - gain) ltac:(lia)) as (parts & H). apply (moves_step n _ parts). now apply large_moves.
    + destruct (Hm (i - gain) ltac:(lia)) as (parts & H). now apply (moves_step n _ parts).
Qed.

Lemma goes_on_all : forall n, start <= n -> goes_on n.
Proof using checked.
  intros n Hn. destruct (from_start n Hn) as (b & q & Hb & ->). pose proof start_large as Hl. clear Hn.
  induction q as [|q IH] using N.peano_ind.
  - rewrite N.mul_0_l, N.add_0_r. destruct parts_of_check as (_ & _ & _ & _ & _ & _ & _ & _ & H). specialize (H b Hb).
    unfold check_reached in H. cbv zeta in H. repeat rewrite andb_true_iff in H. destruct H as (((H1 & H2) & H3) & H4).
    apply N.leb_le in H1. rewrite all_range_spec in H2, H3, H4. exists (cut b). repeat split; trivial.
    + intros i Hi. exists (steady b i). apply H2. lia.
    + intros i Hi. exists (far b i). apply H3. lia.
    + intros i Hi. exists (moving b i). apply H4. lia.
  - rewrite N.mul_succ_l, N.add_assoc. apply goes_on_step; trivial. unfold large in Hl. lia.
Qed.

Lemma right_mex : forall h, is_mex (map (fun parts => nim_sum (map g parts)) (split_moves h)) (g h).
Proof using checked.
  intro h. destruct (N.lt_ge_cases h start) as [Hlt|Hge].
  - destruct parts_of_check as (_ & _ & _ & _ & _ & _ & _ & H & _). specialize (H h Hlt).
    apply (mex_checked _ _ _ H). intro x. unfold split_moves. rewrite map_app, in_app_iff.
    change (map (fun parts => nim_sum (map g parts)) (heap_moves digits h)) with (option_values digits g h).
    rewrite heap_sources_spec, in_map_iff. setoid_rewrite in_app_iff.
    assert (Hfree : (exists parts, nim_sum (map g parts) = x /\ In parts (free_moves h)) <->
                    exists src, In src (free_sources h) /\ holds src (N.succ x)).
    { setoid_rewrite in_free_moves. unfold free_sources. split.
      - intros (parts & E & Ea & Hh & Hp). rewrite Ea. replace (0 <? h) with true by (symmetry; now apply N.ltb_lt).
        cbn [andb]. destruct Hp as [->|(j & Hj & ->)].
        + eexists. split; [now left|]. exists 0. cbn in *. split; lia.
        + eexists. split; [right; now left|]. exists j. cbn in *. rewrite N.lxor_0_r in E. split; [lia | now rewrite E].
      - intros (src & Hsrc & Hh). destruct any; cbn [andb] in Hsrc; [|destruct Hsrc].
        destruct (N.ltb_spec 0 h); [|destruct Hsrc]. destruct Hsrc as [<-|[<-|[]]]; destruct Hh as (j & Hj & E); cbn in Hj, E.
        + exists []. split; [cbn; lia|]. repeat split; trivial. now left.
        + exists [j]. split; [cbn; rewrite N.lxor_0_r; lia|]. repeat split; trivial. right. exists j. split; trivial. }
    rewrite Hfree. split.
    + intros [(src & H1 & H2)|(src & H1 & H2)]; exists src; auto.
    + intros (src & [H1|H1] & H2); [left | right]; now exists src.
  - split.
    + rewrite in_map_iff. intros (parts & E & H). now apply (never h parts).
    + intros i Hi. destruct (goes_on_all h Hge) as (v & _ & Hs & _ & Hm). destruct (N.lt_ge_cases i v) as [Hv|Hv].
      * destruct (Hs i Hv) as (parts & H). now apply (stays_reached h i parts).
      * destruct (Hm i ltac:(lia)) as (parts & H). now apply (moves_reached h i parts).
Qed.

Theorem splitting_values : forall h, split_value h = grown table n0 p s h.
Proof using checked. intro h. symmetry. revert h. apply component_value_unique, right_mex. Qed.

(** Where nothing else may be taken, these are the heaps of the code. *)
Theorem splitting_code : any = false -> forall h, heap_value digits is_legal h = grown table n0 p s h.
Proof using checked.
  intros Eany. apply heap_value_is. intro h. pose proof (right_mex h) as H. unfold split_moves, free_moves in H.
  rewrite Eany in H. cbn [andb] in H. now rewrite app_nil_r in H.
Qed.

End Splitting.
