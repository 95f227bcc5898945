(** * Laws of rows of coins

    What this file proves: [coin_law]. A row of coins shows heads at some places 1, 2, ... A move turns a head at n to tails,
    and with it other coins at smaller places. Statements (Digits.v) say which coins. If [check_coins] accepts trees of
    automata for a claim, then the value of a row is the nim-sum of the claimed values of its heads.

    A row is the number whose bits are its heads, so that a move takes the nim-sum with the coins that are turned.

    Reference: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), chapter 14. *)

From Coq Require Import List NArith ZArith Bool Lia Wellfounded.
From Graphgame Require Import Theory Mex Digits Law.
Import ListNotations.
Open Scope N_scope.

Section Coins.

(** The numbers of statements: 0 is the place n of the head that is turned, 1 its value, 2 a smaller value, and from 3 on
    come the places of other coins. *)

(** A set of turns: how many other coins, and a statement about their places and n. A run, from a place a (the number 3) up
    to n, turns all coins between too. [prefix] tells the nim-sum of the values at 1, ..., n. *)
Variables (sets : list (nat * statement)) (runs : option statement) (claim prefix : statement).

Definition turn (n : N) (others : list N) : Prop :=
  (exists s, In (length others, s) sets /\ (forall a, In a others -> 1 <= a) /\ holds_of s (of_list (n :: 0 :: 0 :: others))) \/
  (exists r a, runs = Some r /\ 1 <= a <= n /\ holds_of r (of_list [n; 0; 0; a]) /\ others = range a n).

(** ** The steps of the proof *)

Definition at_least_1 (x : N) : statement := Sum false [((-1)%Z, x)] 1.
Definition before (x y : N) : statement := Sum false [(1%Z, x); ((-1)%Z, y)] 1.
Definition follows (x y : N) : statement := Sum true [(1%Z, x); ((-1)%Z, y)] (-1).
Definition equal (x y : N) : statement := Sum true [(1%Z, x); ((-1)%Z, y)] 0.
Definition is_0 (x : N) : statement := Sum true [(1%Z, x)] 0.

Definition of_numbers (s : statement) (n v : N) : statement := Renamed [(0, n); (1, v)] s.

Definition others_of (k : nat) : list N := map (fun i => 3 + N.of_nat i) (seq 0 k).
Definition values_of (k : nat) : list N := map (fun i => 3 + N.of_nat i) (seq k k).

Fixpoint all_of (l : list statement) : statement :=
  match l with
  | [] => Nim_sum []
  | s :: rest => And s (all_of rest)
  end.

Definition some_of (l : list N) (s : statement) : statement := fold_right Exists s l.

(** A turn of the set leaves other coins whose nim-sum is the smaller value, which has the number 2. *)
Definition set_leaves (turns : nat * statement) : statement :=
  let '(k, s) := turns in
  some_of (others_of k ++ values_of k) (And (all_of (map at_least_1 (others_of k))) (And s
    (And (all_of (map (fun i => of_numbers claim (3 + N.of_nat i) (3 + N.of_nat (k + i))) (seq 0 k)))
         (Nim_sum (2 :: values_of k))))).

Definition run_leaves (r : statement) : statement :=
  some_of [3; 4; 5; 6; 7] (And (And (at_least_1 3) (Not (before 0 3))) (And r
    (And (And (follows 3 4) (follows 0 5)) (And (And (of_numbers prefix 4 6) (of_numbers prefix 5 7)) (Nim_sum [2; 6; 7]))))).

Definition leaves : list statement :=
  map set_leaves sets ++ match runs with None => [] | Some r => [run_leaves r] end.

Definition have_value : statement := Not (And (at_least_1 0) (Not (Exists 1 claim))).

Definition one_value (s : statement) : statement := Not (And s (And (of_numbers s 0 2) (before 2 1))).

Definition others_before (turns : nat * statement) : list statement :=
  let '(k, s) := turns in
  map (fun x => Not (And (at_least_1 0) (And (all_of (map at_least_1 (others_of k))) (And s (Not (before x 0)))))) (others_of k).

Definition keeps_none (s : statement) : statement := Not (And (at_least_1 0) (And claim (And (equal 1 2) s))).

Definition smaller_left : statement :=
  Not (And (at_least_1 0) (And claim (And (before 2 1) (all_of (map Not leaves))))).

Definition prefix_steps : list statement :=
  match runs with
  | None => []
  | Some _ =>
    [one_value prefix; Not (And (is_0 0) (And (is_0 1) (Not prefix)));
     Not (And (follows 0 3) (And (And (of_numbers prefix 3 4) (of_numbers claim 0 5)) (And (Nim_sum [1; 4; 5]) (Not prefix))))]
  end.

Definition coin_steps : list statement :=
  have_value :: one_value claim :: smaller_left :: flat_map others_before sets ++ map keeps_none leaves ++ prefix_steps.

Definition check_coin_names : bool :=
  mentions (fun x => x <=? 1) claim && mentions (fun x => x <=? 1) prefix &&
  forallb (fun t => mentions (fun x => (x =? 0) || ((3 <=? x) && (x <? 3 + N.of_nat (fst t)))) (snd t)) sets &&
  match runs with None => true | Some r => mentions (fun x => (x =? 0) || (x =? 3)) r end.

Definition check_coins (trees : list tree) : bool := check_coin_names && check_steps trees coin_steps.

(** ** What the statements say *)

Variable trees : list tree.
Hypothesis checked : check_coins trees = true.

Lemma coin_names : mentions (fun x => x <=? 1) claim = true /\ mentions (fun x => x <=? 1) prefix = true /\
  (forall k s, In (k, s) sets -> mentions (fun x => (x =? 0) || ((3 <=? x) && (x <? 3 + N.of_nat k))) s = true) /\
  (forall r, runs = Some r -> mentions (fun x => (x =? 0) || (x =? 3)) r = true).
Proof using checked.
  pose proof checked as H. unfold check_coins, check_coin_names in H. repeat rewrite andb_true_iff in H.
  destruct H as ((((H1 & H2) & H3) & H4) & _). rewrite forallb_forall in H3. repeat split; trivial.
  - intros k s Hin. now apply (H3 (k, s)).
  - intros r E. now rewrite E in H4.
Qed.

Lemma coin_step : forall s, In s coin_steps -> forall n, holds_of s (of_list n).
Proof using checked.
  intros s Hs. pose proof checked as H. unfold check_coins in H. apply andb_true_iff in H. destruct H as [_ H].
  now apply (check_steps_spec trees coin_steps).
Qed.

Lemma all_of_spec : forall l v, holds_of (all_of l) v <-> forall s, In s l -> holds_of s v.
Proof using Type.
  induction l as [|s l IH]; intro v; cbn [all_of holds_of In].
  - split; [intros _ s [] | reflexivity].
  - rewrite IH. split; [intros [H1 H2] t [<-|Ht]; auto | intro H; split; auto].
Qed.

Lemma at_least_1_spec : forall x v, holds_of (at_least_1 x) v <-> 1 <= v x.
Proof using Type. intros. cbn [at_least_1 holds_of total]. lia. Qed.

Lemma before_spec : forall x y v, holds_of (before x y) v <-> v x < v y.
Proof using Type. intros. cbn [before holds_of total]. lia. Qed.

Lemma equal_spec : forall x y v, holds_of (equal x y) v <-> v x = v y.
Proof using Type. intros. cbn [equal holds_of total]. lia. Qed.

Lemma is_0_spec : forall x v, holds_of (is_0 x) v <-> v x = 0.
Proof using Type. intros. cbn [is_0 holds_of total]. lia. Qed.

Lemma follows_spec : forall x y v, holds_of (follows x y) v <-> v x = v y + 1.
Proof using Type. intros. cbn [follows holds_of total]. lia. Qed.

Lemma of_numbers_spec : forall s n v w, mentions (fun x => x <=? 1) s = true ->
  (holds_of (of_numbers s n v) w <-> holds_of s (of_list [w n; w v])).
Proof using Type.
  intros s n v w H. cbn [of_numbers holds_of]. apply (holds_same _ _ _ _ H). intros x Hx. apply N.leb_le in Hx.
  assert (x = 0 \/ x = 1) as [->| ->] by lia; reflexivity.
Qed.

Lemma plain_spec : forall s w, mentions (fun x => x <=? 1) s = true -> (holds_of s w <-> holds_of s (of_list [w 0; w 1])).
Proof using Type.
  intros s w H. apply (holds_same _ _ _ _ H). intros x Hx. apply N.leb_le in Hx.
  assert (x = 0 \/ x = 1) as [->| ->] by lia; reflexivity.
Qed.

(** Numbers from 3 on that exist, one after the other. *)
Lemma some_of_spec : forall s k l, holds_of (some_of (map (fun i => N.of_nat (length l + i)) (seq 0 k)) s) (of_list l) <->
  exists r, length r = k /\ holds_of s (of_list (l ++ r)).
Proof using Type.
  intros s. induction k as [|k IH]; intro l.
  - cbn. split; [intro H; exists []; now rewrite app_nil_r|]. intros ([|] & E & H); [now rewrite app_nil_r in H | discriminate].
  - cbn [seq map some_of fold_right holds_of]. rewrite Nat.add_0_r.
    assert (E : forall n, holds_of (fold_right Exists s (map (fun i => N.of_nat (length l + i)) (seq 1 k)))
                            (put (of_list l) (N.of_nat (length l)) n) <->
                          exists r, length r = k /\ holds_of s (of_list (l ++ n :: r))).
    { intro n. rewrite (holds_ext _ _ _ (put_next l n)). specialize (IH (l ++ [n])).
      replace (map (fun i => N.of_nat (length l + i)) (seq 1 k)) with (map (fun i => N.of_nat (length (l ++ [n]) + i)) (seq 0 k)).
      - unfold some_of in IH. rewrite IH. split; intros (r & Hr & H); exists r; split; trivial; now rewrite <- app_assoc in *.
      - rewrite <- seq_shift, map_map. apply map_ext. intro i. rewrite app_length. cbn [length]. f_equal. lia. }
    split.
    + intros (n & H). apply E in H. destruct H as (r & Hr & H). exists (n :: r). split; trivial. cbn. now rewrite Hr.
    + intros ([|n r] & Hr & H); [discriminate|]. exists n. apply E. exists r. split; trivial. now injection Hr.
Qed.

Lemma of_list_at : forall l r i, of_list (l ++ r) (N.of_nat (length l + i)) = nth i r 0.
Proof using Type. intros. unfold of_list. rewrite Nat2N.id, app_nth2 by lia. f_equal. lia. Qed.

(** The values of the heads: what is claimed at each place. *)
Variable g : N -> N.
Hypothesis claimed_g : forall n, 1 <= n -> holds_of claim (of_list [n; g n]).

Lemma claim_is : forall n x, 1 <= n -> holds_of claim (of_list [n; x]) -> x = g n.
Proof using checked claimed_g.
  intros n x Hn Hx. destruct coin_names as (Hc & _).
  assert (H : forall a b, holds_of claim (of_list [n; a]) -> holds_of claim (of_list [n; b]) -> ~ b < a).
  { intros a b Ha Hb Hlt. pose proof (coin_step (one_value claim) ltac:(right; now left) [n; a; b]) as H.
    cbn [one_value holds_of] in H. apply H. rewrite (plain_spec _ _ Hc). split; [exact Ha|]. split.
    - now apply of_numbers_spec.
    - now apply before_spec. }
  destruct (N.lt_trichotomy x (g n)) as [Hlt|[|Hgt]]; trivial; exfalso; [apply (H (g n) x) | apply (H x (g n))]; auto.
Qed.

Definition row (n : N) : N := nim_sum (map g (range 1 (N.succ n))).

Lemma range_next : forall a n, a <= n -> range a (N.succ n) = range a n ++ [n].
Proof using Type.
  intros a n H. unfold range. replace (N.to_nat (N.succ n - a)) with (S (N.to_nat (n - a))) by lia.
  rewrite seq_S, map_app. cbn. do 2 f_equal. lia.
Qed.

Lemma row_next : forall n, row (n + 1) = N.lxor (row n) (g (n + 1)).
Proof using Type.
  intro n. unfold row. rewrite !N.add_1_r, (range_next 1 (N.succ n)) by lia. rewrite map_app, nim_sum_app. cbn.
  now rewrite N.lxor_0_r.
Qed.

Lemma row_part : forall a n, 1 <= a -> a <= n -> nim_sum (map g (range a n)) = N.lxor (row (n - 1)) (row (a - 1)).
Proof using Type.
  intros a n Ha Hn. replace n with (a + (n - a)) by lia. generalize (n - a). clear n Hn. intro d.
  induction d as [|d IH] using N.peano_ind.
  - rewrite N.add_0_r, N.lxor_nilpotent. unfold range. now rewrite N.sub_diag.
  - rewrite N.add_succ_r, range_next by lia. rewrite map_app, nim_sum_app, IH. cbn. rewrite N.lxor_0_r.
    replace (N.succ (a + d) - 1) with (a + d - 1 + 1) by lia. rewrite row_next.
    replace (a + d - 1 + 1) with (a + d) by lia. rewrite !N.lxor_assoc. f_equal. apply N.lxor_comm.
Qed.

Lemma prefix_in : runs <> None -> forall s, In s prefix_steps -> forall n, holds_of s (of_list n).
Proof using checked.
  intros _ s Hs. apply coin_step. unfold coin_steps. do 3 right. apply in_app_iff. right. apply in_app_iff. now right.
Qed.

Lemma prefix_of_row : runs <> None -> forall n, ~ ~ holds_of prefix (of_list [n; row n]).
Proof using checked claimed_g.
  intros Hr. destruct coin_names as (Hc & Hp & _). pose proof (prefix_in Hr) as Hsteps. unfold prefix_steps in Hsteps.
  destruct runs as [r|]; [|contradiction]. intro n. induction n as [|n IH] using N.peano_ind; intro Hn.
  - apply (Hsteps _ (or_intror (or_introl eq_refl)) [0; 0]). split; [now apply is_0_spec|].
    split; [now apply is_0_spec | exact Hn].
  - apply IH. intro Hrow. replace (N.succ n) with (n + 1) in Hn by lia.
    apply (Hsteps _ (or_intror (or_intror (or_introl eq_refl))) [n + 1; row (n + 1); 0; n; row n; g (n + 1)]).
    split; [apply follows_spec; reflexivity|]. split; [split|split].
    + now apply of_numbers_spec.
    + apply of_numbers_spec; trivial. apply claimed_g. change (1 <= n + 1). lia.
    + cbn [holds_of map]. change (nim_sum [row (n + 1); row n; g (n + 1)] = 0). rewrite row_next. cbn. rewrite N.lxor_0_r.
      apply N.lxor_nilpotent.
    + rewrite (plain_spec _ _ Hp). exact Hn.
Qed.

Lemma prefix_is : runs <> None -> forall n x, holds_of prefix (of_list [n; x]) -> x = row n.
Proof using checked claimed_g.
  intros Hr n x Hx. destruct coin_names as (_ & Hp & _). pose proof (prefix_in Hr) as Hsteps.
  pose proof (prefix_of_row Hr n) as Hrow. unfold prefix_steps in Hsteps. destruct runs as [r|]; [|contradiction].
  destruct (N.eq_dec x (row n)) as [|Hne]; trivial. exfalso. apply Hrow. intro Hh.
  assert (H : forall a b, holds_of prefix (of_list [n; a]) -> holds_of prefix (of_list [n; b]) -> ~ b < a).
  { intros a b Ha Hb Hlt. pose proof (Hsteps _ (or_introl eq_refl) [n; a; b]) as H.
    cbn [one_value holds_of] in H. apply H. rewrite (plain_spec _ _ Hp). split; [exact Ha|]. split.
    - now apply of_numbers_spec.
    - now apply before_spec. }
  destruct (N.lt_trichotomy x (row n)) as [Hlt|[|Hgt]]; [now apply (H (row n) x) | contradiction | now apply (H x (row n))].
Qed.

(** [set_leaves] holds of n, v and y exactly if a turn of the set leaves coins with the nim-sum y. *)
Lemma set_leaves_spec : forall k s n v y, In (k, s) sets ->
  (holds_of (set_leaves (k, s)) (of_list [n; v; y]) <->
   exists others, length others = k /\ (forall a, In a others -> 1 <= a) /\ holds_of s (of_list (n :: 0 :: 0 :: others)) /\
     nim_sum (map g others) = y).
Proof using checked claimed_g.
  intros k s n v y Hin. destruct coin_names as (Hc & _ & Hsets & _). specialize (Hsets k s Hin).
  unfold set_leaves. replace (others_of k ++ values_of k) with (map (fun i => N.of_nat (length [n; v; y] + i)) (seq 0 (k + k))).
  2:{ unfold others_of, values_of. rewrite seq_app, map_app. f_equal; apply map_ext; intro; cbn [length]; lia. }
  rewrite some_of_spec.
  assert (Hnum : forall others values i, length others = k -> length values = k -> (i < k)%nat ->
    of_list ([n; v; y] ++ others ++ values) (3 + N.of_nat i) = nth i others 0 /\
    of_list ([n; v; y] ++ others ++ values) (3 + N.of_nat (k + i)) = nth i values 0).
  { intros others values i Ho Hv Hi. replace (3 + N.of_nat i) with (N.of_nat (length [n; v; y] + i)) by (cbn [length]; lia).
    replace (3 + N.of_nat (k + i)) with (N.of_nat (length [n; v; y] + (k + i))) by (cbn [length]; lia).
    rewrite !of_list_at. split; [now rewrite app_nth1 by lia | rewrite app_nth2 by lia; f_equal; lia]. }
  assert (Hs : forall others values, length others = k ->
    holds_of s (of_list ([n; v; y] ++ others ++ values)) <-> holds_of s (of_list (n :: 0 :: 0 :: others))).
  { intros others values Ho. apply (holds_same _ _ _ _ Hsets). intros x Hx. apply orb_true_iff in Hx.
    rewrite N.eqb_eq, andb_true_iff, N.leb_le, N.ltb_lt in Hx. destruct Hx as [->|Hx]; [reflexivity|].
    replace x with (N.of_nat (length [n; v; y] + N.to_nat (x - 3))) by (cbn [length]; lia).
    rewrite of_list_at, app_nth1 by lia. change (n :: 0 :: 0 :: others) with ([n; 0; 0] ++ others).
    change (length [n; v; y]) with (length [n; 0; 0]). now rewrite of_list_at. }
  assert (Hvalues : forall others values, length others = k -> length values = k ->
    map (of_list ([n; v; y] ++ others ++ values)) (values_of k) = values).
  { intros others values Ho Hv. unfold values_of. rewrite map_map. apply (nth_ext _ _ 0 0).
    - now rewrite map_length, seq_length.
    - intros i Hi. rewrite map_length, seq_length in Hi.
      rewrite (nth_indep _ 0 (of_list ([n; v; y] ++ others ++ values) (3 + N.of_nat 0))) by (now rewrite map_length, seq_length).
      rewrite (map_nth (fun i => of_list ([n; v; y] ++ others ++ values) (3 + N.of_nat i))), seq_nth by trivial.
      now apply Hnum. }
  split.
  - intros (r & Hr & H). cbn [holds_of] in H. destruct H as (Hpos & Hh & Hcl & Hx).
    set (others := firstn k r) in *. set (values := skipn k r) in *.
    assert (Er : r = others ++ values) by (symmetry; apply firstn_skipn).
    assert (Ho : length others = k) by (unfold others; rewrite firstn_length; lia).
    assert (Hv : length values = k) by (unfold values; rewrite skipn_length; lia). clearbody others values. subst r.
    assert (Hpos' : forall i, (i < k)%nat -> 1 <= nth i others 0).
    { intros i Hi. rewrite all_of_spec in Hpos. specialize (Hpos (at_least_1 (3 + N.of_nat i))). rewrite at_least_1_spec in Hpos.
      rewrite (proj1 (Hnum others values i Ho Hv Hi)) in Hpos. apply Hpos. apply in_map. unfold others_of.
      apply in_map_iff. exists i. split; trivial. apply in_seq. lia. }
    exists others. split; trivial. split.
    { intros a Ha. apply (In_nth _ _ 0) in Ha. destruct Ha as (i & Hi & <-). apply Hpos'. lia. }
    split; [now apply (Hs others values)|].
    assert (Eg : map g others = values).
    { apply (nth_ext _ _ (g 0) 0); [rewrite map_length; lia|]. intros i Hi. rewrite map_length in Hi. rewrite map_nth. symmetry.
      apply claim_is; [apply Hpos'; lia|]. rewrite all_of_spec in Hcl.
      specialize (Hcl (of_numbers claim (3 + N.of_nat i) (3 + N.of_nat (k + i)))). rewrite of_numbers_spec in Hcl by trivial.
      destruct (Hnum others values i Ho Hv ltac:(lia)) as [E1 E2]. rewrite E1, E2 in Hcl. apply Hcl.
      apply in_map_iff. exists i. split; trivial. apply in_seq. lia. }
    rewrite Eg. cbn [map] in Hx. rewrite Hvalues in Hx by trivial. cbn [nim_sum fold_right] in Hx. fold (nim_sum values) in Hx.
    change (N.lxor y (nim_sum values) = 0) in Hx. now apply N.lxor_eq in Hx.
  - intros (others & Ho & Hpos & Hh & E). exists (others ++ map g others).
    assert (Hv : length (map g others) = k) by now rewrite map_length.
    split; [now rewrite app_length, Ho, Hv|]. cbn [holds_of]. split; [|split; [|split]].
    + apply all_of_spec. intros t Ht. apply in_map_iff in Ht. destruct Ht as (x & <- & Hx). unfold others_of in Hx.
      apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). apply in_seq in Hi. apply at_least_1_spec.
      rewrite (proj1 (Hnum others (map g others) i Ho Hv ltac:(lia))). apply Hpos, nth_In. lia.
    + now apply Hs.
    + apply all_of_spec. intros t Ht. apply in_map_iff in Ht. destruct Ht as (i & <- & Hi). apply in_seq in Hi.
      apply of_numbers_spec; trivial. destruct (Hnum others (map g others) i Ho Hv ltac:(lia)) as [-> ->].
      rewrite (nth_indep (map g others) 0 (g 0)) by lia. rewrite map_nth. apply claimed_g, Hpos, nth_In. lia.
    + cbn [map]. rewrite Hvalues by trivial. cbn [nim_sum fold_right]. fold (nim_sum (map g others)).
      change (N.lxor y (nim_sum (map g others)) = 0). rewrite E. apply N.lxor_nilpotent.
Qed.

Lemma run_leaves_spec : forall r n v y, runs = Some r ->
  (holds_of (run_leaves r) (of_list [n; v; y]) ->
   exists a, 1 <= a <= n /\ holds_of r (of_list [n; 0; 0; a]) /\ nim_sum (map g (range a n)) = y) /\
  (forall a, 1 <= a <= n -> holds_of r (of_list [n; 0; 0; a]) -> nim_sum (map g (range a n)) = y ->
   ~ ~ holds_of (run_leaves r) (of_list [n; v; y])).
Proof using checked claimed_g.
  intros r n v y Er. destruct coin_names as (_ & Hp & _ & Hr). specialize (Hr r Er).
  assert (Hruns : runs <> None) by now rewrite Er.
  assert (Hsame : forall a b c d e, holds_of r (of_list ([n; v; y] ++ [a; b; c; d; e])) <-> holds_of r (of_list [n; 0; 0; a])).
  { intros a b c d e. apply (holds_same _ _ _ _ Hr). intros x Hx. apply orb_true_iff in Hx. rewrite !N.eqb_eq in Hx.
    destruct Hx as [->| ->]; reflexivity. }
  unfold run_leaves. pose proof (some_of_spec
    (And (And (at_least_1 3) (Not (before 0 3))) (And r (And (And (follows 3 4) (follows 0 5))
      (And (And (of_numbers prefix 4 6) (of_numbers prefix 5 7)) (Nim_sum [2; 6; 7]))))) 5 [n; v; y]) as Hsome.
  change (map (fun i => N.of_nat (length [n; v; y] + i)) (seq 0 5)) with [3; 4; 5; 6; 7] in Hsome.
  assert (Hiff : forall a b c d e, holds_of
    (And (And (at_least_1 3) (Not (before 0 3))) (And r (And (And (follows 3 4) (follows 0 5))
      (And (And (of_numbers prefix 4 6) (of_numbers prefix 5 7)) (Nim_sum [2; 6; 7])))))
      (of_list ([n; v; y] ++ [a; b; c; d; e])) <->
    (1 <= a /\ ~ n < a) /\ holds_of r (of_list [n; 0; 0; a]) /\ (a = b + 1 /\ n = c + 1) /\
    (holds_of prefix (of_list [b; d]) /\ holds_of prefix (of_list [c; e])) /\ N.lxor y (N.lxor d e) = 0).
  { intros a b c d e. rewrite <- (Hsame a b c d e).
    pose proof (at_least_1_spec 3 (of_list ([n; v; y] ++ [a; b; c; d; e]))) as E1.
    pose proof (before_spec 0 3 (of_list ([n; v; y] ++ [a; b; c; d; e]))) as E2.
    pose proof (follows_spec 3 4 (of_list ([n; v; y] ++ [a; b; c; d; e]))) as E3.
    pose proof (follows_spec 0 5 (of_list ([n; v; y] ++ [a; b; c; d; e]))) as E4.
    pose proof (of_numbers_spec prefix 4 6 (of_list ([n; v; y] ++ [a; b; c; d; e])) Hp) as E5.
    pose proof (of_numbers_spec prefix 5 7 (of_list ([n; v; y] ++ [a; b; c; d; e])) Hp) as E6.
    change (of_list ([n; v; y] ++ [a; b; c; d; e]) 3) with a in *. change (of_list ([n; v; y] ++ [a; b; c; d; e]) 0) with n in *.
    change (of_list ([n; v; y] ++ [a; b; c; d; e]) 4) with b in *. change (of_list ([n; v; y] ++ [a; b; c; d; e]) 5) with c in *.
    change (of_list ([n; v; y] ++ [a; b; c; d; e]) 6) with d in *. change (of_list ([n; v; y] ++ [a; b; c; d; e]) 7) with e in *.
    assert (E7 : holds_of (Nim_sum [2; 6; 7]) (of_list ([n; v; y] ++ [a; b; c; d; e])) <-> N.lxor y (N.lxor d e) = 0).
    { cbn [holds_of map]. change (nim_sum [y; d; e] = 0 <-> N.lxor y (N.lxor d e) = 0). cbn. now rewrite N.lxor_0_r. }
    change (holds_of (And ?s ?t) ?w) with (holds_of s w /\ holds_of t w). cbn [holds_of] in *. tauto. }
  split.
  - intro H. apply Hsome in H. destruct H as (l & Hl & H). destruct l as [|a [|b [|c [|d [|e [|f l]]]]]]; try discriminate. apply Hiff in H.
    destruct H as ((Ha & Hn) & Hh & (Eb & Ec) & (Hd & He) & Hx). exists a. split; [lia|]. split; trivial.
    rewrite row_part by lia. apply prefix_is in Hd, He; trivial. subst d e. apply N.lxor_eq in Hx. rewrite Hx.
    replace b with (a - 1) by lia. replace c with (n - 1) by lia. apply N.lxor_comm.
  - intros a Ha Hh E Hn. apply (prefix_of_row Hruns (a - 1)). intro H1. apply (prefix_of_row Hruns (n - 1)). intro H2.
    apply Hn, Hsome. exists [a; a - 1; n - 1; row (a - 1); row (n - 1)]. split; trivial. apply Hiff.
    repeat split; trivial; try lia. rewrite <- E, row_part by lia. rewrite (N.lxor_comm (row (n - 1))). apply N.lxor_nilpotent.
Qed.

(** What a turn leaves. *)
Lemma turn_leaves : forall n v others, turn n others ->
  ~ ~ exists s, In s leaves /\ holds_of s (of_list [n; v; nim_sum (map g others)]).
Proof using checked claimed_g.
  intros n v others [(s & Hin & Hpos & Hh)|(r & a & Er & Ha & Hh & ->)] Hn.
  - apply Hn. exists (set_leaves (length others, s)). split; [apply in_app_iff; left; now apply in_map|].
    apply set_leaves_spec; trivial. now exists others.
  - apply (proj2 (run_leaves_spec r n v _ Er) a Ha Hh eq_refl). intro H. apply Hn. exists (run_leaves r). split; trivial.
    apply in_app_iff. right. rewrite Er. now left.
Qed.

Lemma leaves_turn : forall n v y s, In s leaves -> holds_of s (of_list [n; v; y]) ->
  exists others, turn n others /\ nim_sum (map g others) = y.
Proof using checked claimed_g.
  intros n v y s Hs H. apply in_app_iff in Hs. destruct Hs as [Hs|Hs].
  - apply in_map_iff in Hs. destruct Hs as ([k t] & <- & Hin). apply set_leaves_spec in H; trivial.
    destruct H as (others & Hl & Hpos & Hh & E). exists others. split; trivial. left. exists t. rewrite Hl. now repeat split.
  - destruct runs as [r|] eqn:Er; [|destruct Hs]. destruct Hs as [<-|[]].
    apply (proj1 (run_leaves_spec r n v y Er)) in H. destruct H as (a & Ha & Hh & E). exists (range a n). split; trivial.
    right. exists r, a. now repeat split.
Qed.

Lemma keeps : forall n others, 1 <= n -> turn n others -> nim_sum (map g others) <> g n.
Proof using checked claimed_g.
  intros n others Hn Ht E. destruct coin_names as (Hc & _). apply (turn_leaves n (g n) others Ht). intros (s & Hs & H).
  rewrite E in H.
  assert (Hstep : In (keeps_none s) coin_steps).
  { unfold coin_steps. do 3 right. apply in_app_iff. right. apply in_app_iff. left. now apply in_map. }
  pose proof (coin_step _ Hstep [n; g n; g n]) as Hk. cbn [keeps_none holds_of] in Hk. apply Hk. split; [|split; [|split]].
  - now apply at_least_1_spec.
  - rewrite (plain_spec _ _ Hc). now apply claimed_g.
  - now apply equal_spec.
  - exact H.
Qed.

Lemma smaller : forall n y, 1 <= n -> y < g n -> ~ ~ exists others, turn n others /\ nim_sum (map g others) = y.
Proof using checked claimed_g.
  intros n y Hn Hy Hnone. destruct coin_names as (Hc & _).
  pose proof (coin_step smaller_left ltac:(do 2 right; now left) [n; g n; y]) as H. cbn [smaller_left holds_of] in H. apply H.
  split; [now apply at_least_1_spec|]. split; [rewrite (plain_spec _ _ Hc); now apply claimed_g|].
  split; [now apply before_spec|]. apply all_of_spec. intros t Ht. apply in_map_iff in Ht. destruct Ht as (s & <- & Hs).
  cbn [holds_of]. intro Hh. now apply Hnone, (leaves_turn n (g n) y s).
Qed.

Lemma others_smaller : forall n others, 1 <= n -> turn n others -> forall a, In a others -> 1 <= a < n.
Proof using checked.
  intros n others Hn [(s & Hin & Hpos & Hh)|(r & b & Er & Hb & Hh & ->)] a Ha; [|apply in_range in Ha; lia].
  split; [now apply Hpos|]. destruct coin_names as (_ & _ & Hsets & _). apply (In_nth _ _ 0) in Ha. destruct Ha as (i & Hi & <-).
  set (x := 3 + N.of_nat i).
  assert (Hx : forall j, of_list (n :: 0 :: 0 :: others) (3 + N.of_nat j) = nth j others 0).
  { intro j. change (n :: 0 :: 0 :: others) with ([n; 0; 0] ++ others).
    replace (3 + N.of_nat j) with (N.of_nat (length [n; 0; 0] + j)) by (cbn [length]; lia). apply of_list_at. }
  destruct (N.lt_ge_cases (nth i others 0) n) as [|Hge]; trivial. exfalso.
  assert (Hstep : In (Not (And (at_least_1 0) (And (all_of (map at_least_1 (others_of (length others)))) (And s (Not (before x 0))))))
                    coin_steps).
  { unfold coin_steps. do 3 right. apply in_app_iff. left. apply in_flat_map. exists (length others, s). split; trivial.
    unfold others_before. apply in_map_iff. exists x. split; trivial. unfold others_of. apply in_map_iff. exists i.
    split; trivial. apply in_seq. lia. }
  pose proof (coin_step _ Hstep (n :: 0 :: 0 :: others)) as H. cbn [holds_of] in H. apply H. split; [now apply at_least_1_spec|].
  split; [|split; trivial].
  - apply all_of_spec. intros t Ht. apply in_map_iff in Ht. destruct Ht as (y & <- & Hy). unfold others_of in Hy.
    apply in_map_iff in Hy. destruct Hy as (j & <- & Hj). apply in_seq in Hj. apply at_least_1_spec. rewrite Hx.
    apply Hpos, nth_In. lia.
  - rewrite before_spec. unfold x. rewrite Hx. change (of_list (n :: 0 :: 0 :: others) 0) with n. lia.
Qed.

(** ** Rows of coins *)

Definition coins_of (l : list N) : N := fold_right (fun n b => N.lxor (2 ^ n) b) 0 l.

Definition coin_move (b r : N) : Prop :=
  exists n others, 1 <= n /\ N.testbit b n = true /\ turn n others /\ r = N.lxor b (coins_of (n :: others)).

Definition heads (b : N) : list N := filter (N.testbit b) (range 1 (N.succ (N.size b))).

Definition row_value (b : N) : N := nim_sum (map g (heads b)).

Lemma filter_value : forall b l, nim_sum (map g (filter (N.testbit b) l)) =
  nim_sum (map (fun n => if N.testbit b n then g n else 0) l).
Proof using Type.
  intros b l. induction l as [|n l IH]; trivial. cbn [filter map]. destruct (N.testbit b n); cbn; fold (nim_sum (map g (filter (N.testbit b) l)));
    rewrite IH; trivial.
Qed.

Lemma row_value_to : forall b k, N.size b <= k ->
  row_value b = nim_sum (map (fun n => if N.testbit b n then g n else 0) (range 1 (N.succ k))).
Proof using Type.
  intros b k Hk. unfold row_value, heads. rewrite filter_value. replace k with (N.size b + (k - N.size b)) by lia.
  generalize (k - N.size b). intro d. induction d as [|d IH] using N.peano_ind; [now rewrite N.add_0_r|].
  rewrite N.add_succ_r, (range_next 1 (N.succ (N.size b + d))) by lia. rewrite map_app, nim_sum_app, <- IH. cbn.
  destruct (N.testbit b (N.succ (N.size b + d))) eqn:E; [|now rewrite N.lxor_0_r]. exfalso.
  destruct (N.eq_dec b 0) as [->|Hb]; [now rewrite N.bits_0 in E|].
  rewrite N.bits_above_log2 in E; [discriminate|]. rewrite N.size_log2 by trivial. lia.
Qed.

Lemma row_value_lxor : forall a b, row_value (N.lxor a b) = N.lxor (row_value a) (row_value b).
Proof using Type.
  intros a b. set (k := N.size a + N.size b + N.size (N.lxor a b)).
  rewrite !(row_value_to _ k) by (unfold k; lia). generalize (range 1 (N.succ k)). intro l.
  induction l as [|n l IH]; trivial. cbn [map nim_sum fold_right]. fold (nim_sum (map (fun n => if N.testbit (N.lxor a b) n then g n else 0) l)).
  rewrite IH, N.lxor_spec. fold (nim_sum (map (fun n => if N.testbit a n then g n else 0) l)) (nim_sum (map (fun n => if N.testbit b n then g n else 0) l)).
  set (x := nim_sum _). set (y := nim_sum (map (fun n => if N.testbit b n then g n else 0) l)).
  destruct (N.testbit a n), (N.testbit b n); cbn [xorb]; rewrite ?N.lxor_0_l; trivial.
  - rewrite N.lxor_assoc, <- (N.lxor_assoc x (g n)), (N.lxor_comm x (g n)), N.lxor_assoc. now rewrite lxor_same_l.
  - symmetry. apply N.lxor_assoc.
  - rewrite <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
Qed.

Lemma row_value_coin : forall n, 1 <= n -> row_value (2 ^ n) = g n.
Proof using Type.
  intros n Hn. rewrite (row_value_to _ (n + N.size (2 ^ n))) by lia. rewrite <- (N.add_0_r n) at 2.
  assert (H : forall d, nim_sum (map (fun j => if N.testbit (2 ^ n) j then g j else 0) (range 1 (N.succ (n + d)))) = g n).
  { induction d as [|d IH] using N.peano_ind.
    - rewrite N.add_0_r, range_next by lia. rewrite map_app, nim_sum_app. cbn [map nim_sum fold_right].
      rewrite N.pow2_bits_true, N.lxor_0_r. rewrite (map_ext_in _ (fun _ => 0)).
      + assert (E : forall l : list N, nim_sum (map (fun _ => 0) l) = 0) by (induction l as [|a l IH]; trivial; cbn; fold (nim_sum (map (fun _ : N => 0) l)); now rewrite IH).
        rewrite E. apply N.lxor_0_l.
      + intros j Hj. apply in_range in Hj. rewrite N.pow2_bits_false; trivial. lia.
    - rewrite N.add_succ_r, (range_next 1 (N.succ (n + d))) by lia. rewrite map_app, nim_sum_app, IH. cbn [map nim_sum fold_right].
      rewrite N.pow2_bits_false by lia. now rewrite !N.lxor_0_r. }
  apply H.
Qed.

Lemma row_value_coins : forall l, (forall n, In n l -> 1 <= n) -> row_value (coins_of l) = nim_sum (map g l).
Proof using Type.
  induction l as [|n l IH]; intro H; [reflexivity|]. cbn [coins_of fold_right map nim_sum]. fold (coins_of l) (nim_sum (map g l)).
  rewrite row_value_lxor, row_value_coin, IH; trivial; [intros j Hj; apply H; now right | apply H; now left].
Qed.

Lemma bouton_list : forall l i, i < nim_sum l -> exists a, In a l /\ N.lxor (N.lxor i (nim_sum l)) a < a.
Proof using Type.
  induction l as [|a l IH]; intros i Hi; [cbn in Hi; lia|]. cbn [nim_sum fold_right] in *. fold (nim_sum l) in *.
  destruct (bouton a (nim_sum l) i Hi) as [H|H].
  - exists a. split; [now left|]. now rewrite (N.lxor_comm a), <- N.lxor_assoc, lxor_same_r.
  - destruct (IH (N.lxor i a) H) as (b & Hb & Hlt). exists b. split; [now right|]. now rewrite <- N.lxor_assoc.
Qed.

Lemma in_heads : forall b n, In n (heads b) <-> 1 <= n /\ N.testbit b n = true.
Proof using Type.
  intros b n. unfold heads. rewrite filter_In, in_range. split; [tauto|]. intros [Hn E]. repeat split; trivial.
  destruct (N.eq_dec b 0) as [->|Hb]; [now rewrite N.bits_0 in E|]. rewrite N.size_log2 by trivial.
  destruct (N.lt_ge_cases (N.log2 b) n) as [Hlt|]; [|lia]. now rewrite N.bits_above_log2 in E.
Qed.

Lemma move_value : forall b n others, 1 <= n -> turn n others ->
  row_value (N.lxor b (coins_of (n :: others))) = N.lxor (row_value b) (N.lxor (g n) (nim_sum (map g others))).
Proof using checked.
  intros b n others Hn Ht. rewrite row_value_lxor, row_value_coins; trivial.
  intros a [<-|Ha]; trivial. apply (others_smaller n others Hn Ht a Ha).
Qed.

(** The number of a row gets smaller with each move, so play ends. *)
Theorem coins_end : forall b r, coin_move b r -> r < b.
Proof using checked.
  intros b r (n & others & Hn & Eb & Ht & ->). pose proof (others_smaller n others Hn Ht) as Hsmall.
  assert (Hhigh : forall l j, (forall a, In a l -> a < j) -> N.testbit (coins_of l) j = false).
  { induction l as [|a l IH]; intros j H; [apply N.bits_0|]. cbn [coins_of fold_right]. fold (coins_of l).
    rewrite N.lxor_spec, N.pow2_bits_false, IH; trivial; [intros c Hc; apply H; now right | pose proof (H a (or_introl eq_refl)); lia]. }
  apply (lt_by_bit _ _ n); trivial.
  - cbn [coins_of fold_right]. fold (coins_of others). rewrite !N.lxor_spec, Eb, N.pow2_bits_true, Hhigh; trivial.
    intros a Ha. now apply Hsmall.
  - intros j Hj. rewrite N.lxor_spec, Hhigh; [apply xorb_false_r|]. intros a [<-|Ha]; trivial. specialize (Hsmall a Ha). lia.
Qed.

(** ** The theorem: about every game whose positions are rows, and whose options are what these turns leave *)

Variable G : game.
Variable coins : position G -> N.
Hypothesis options_are : forall p r, (exists q, In q (options p) /\ coins q = r) <-> coin_move (coins p) r.

Theorem coin_law : forall p : position G, grundy p = nim_sum (map g (heads (coins p))).
Proof using checked claimed_g options_are.
  intro p. symmetry. revert p. apply (value_unique 0 G (fun p => row_value (coins p))). intro p. rewrite value_rule_0.
  symmetry. apply mex_is. split.
  - rewrite in_map_iff. intros (q & E & Hq). destruct (proj1 (options_are p (coins q))) as (n & others & Hn & Eb & Ht & Er).
    { now exists q. }
    rewrite Er, move_value in E by trivial. apply (keeps n others Hn Ht). symmetry. apply N.lxor_eq.
    rewrite <- (lxor_same_l (row_value (coins p)) (N.lxor (g n) (nim_sum (map g others)))), E. apply N.lxor_nilpotent.
  - intros i Hi. destruct (in_dec N.eq_dec i (map (fun q => row_value (coins q)) (options p))) as [|Hnot]; trivial. exfalso.
    destruct (bouton_list (map g (heads (coins p))) i Hi) as (a & Ha & Hlt). apply in_map_iff in Ha.
    destruct Ha as (n & <- & Hn). apply in_heads in Hn. destruct Hn as [Hn Eb]. fold (row_value (coins p)) in Hlt.
    apply (smaller n _ Hn Hlt). intros (others & Ht & E). apply Hnot.
    destruct (proj2 (options_are p (N.lxor (coins p) (coins_of (n :: others))))) as (q & Hq & Ec).
    { exists n, others. now repeat split. }
    apply in_map_iff. exists q. split; trivial. rewrite Ec, move_value, E by trivial.
    rewrite (N.lxor_comm _ (g n)), lxor_same_l, (N.lxor_comm i). apply lxor_same_l.
Qed.

(** A row with one head, at n. *)
Corollary one_head : forall p n, 1 <= n -> coins p = 2 ^ n -> grundy p = g n.
Proof using checked claimed_g options_are.
  intros p n Hn E. rewrite coin_law, E. exact (row_value_coin n Hn).
Qed.

(** [lost] is a statement about n: with a single head at n, the player to move loses. *)
Variables (lost : statement) (lost_trees : list tree).

Definition lost_steps : list statement :=
  [Not (And (at_least_1 0) (And claim (And (is_0 1) (Not lost)))); Not (And (at_least_1 0) (And claim (And (Not (is_0 1)) lost)))].

Definition check_lost_coins : bool := mentions (fun x => x =? 0) lost && check_steps lost_trees lost_steps.

Theorem lost_coins : check_lost_coins = true -> forall p n, 1 <= n -> coins p = 2 ^ n ->
  (holds_of lost (of_list [n]) -> P_position p) /\ (~ holds_of lost (of_list [n]) -> N_position p).
Proof using checked claimed_g options_are.
  intros H p n Hn E. destruct coin_names as (Hc & _). unfold check_lost_coins in H. apply andb_true_iff in H. destruct H as [Hm H].
  pose proof (check_steps_spec _ _ _ H (or_introl eq_refl) [n; g n]) as H1.
  pose proof (check_steps_spec _ _ _ H (or_intror (or_introl eq_refl)) [n; g n]) as H2. cbn [holds_of] in H1, H2.
  assert (Hl : holds_of lost (of_list [n; g n]) <-> holds_of lost (of_list [n])).
  { apply (holds_same _ _ _ _ Hm). intros x Hx. apply N.eqb_eq in Hx. now subst x. }
  assert (H0 : holds_of (is_0 1) (of_list [n; g n]) <-> g n = 0).
  { exact (is_0_spec 1 (of_list [n; g n])). }
  rewrite Hl in H1, H2. pose proof (claimed_g n Hn) as Hg. pose proof (proj2 (at_least_1_spec 0 (of_list [n; g n])) Hn) as H3.
  destruct (P_iff_value_0 G p) as [HP HN]. rewrite HP, HN, (one_head p n Hn E). split; intro Hh.
  - destruct (N.eq_dec (g n) 0) as [|Hne]; trivial. exfalso. apply H2. tauto.
  - intro E0. apply H1. tauto.
Qed.

End Coins.
