(** * Rows of a table of values

    What this file proves: [rows_law]. Positions are pairs of a row and a column, and moves are statements (Digits.v). If
    [check_all_rows] accepts, the values of the first rows are those of tables: from some column on, they repeat with a period, and
    with the period added if a row has the moves to all its earlier columns, as in Wythoff's game.

    The statements show that the moves from a row are those to earlier columns, if [whole], and others that go back by
    fixed distances. So what holds of a column holds of the column that is a common period later, as in Growing.v.

    References: A. Dress, A. Flammenkamp, N. Pink, Additive periodicity of the Sprague-Grundy function of certain Nim games,
    Advances in Applied Mathematics 22 (1999); H. Landman, A simple FSM-based proof of the additive periodicity of the
    Sprague-Grundy function of Wythoff's game, More Games of No Chance (2002). *)

From Coq Require Import List NArith ZArith Bool Lia Wellfounded.
From Graphgame Require Import Theory Mex Growing Digits Law.
Import ListNotations.
Open Scope N_scope.

(** ** A row, by the values of the moves to other rows *)

Section Row.

(** [f] is the claim. If [whole], there are moves from each column, [first] or later, to all earlier columns; [others b] are
    the values of the other moves. Both repeat from [start] on, with [gain] added after [length] columns. *)
Variables (whole : bool) (first : N) (f : N -> N) (others : N -> list N) (n0 start length gain low high : N).

(** Hints: [column i] is the column with the value i. All values below [full b] occur before the column b. *)
Variables (column full : N -> N).

Definition own (b : N) : list N := if whole && (first <=? b) then map f (range 0 b) else [].

Definition comes_before (b i : N) : bool := (column i <? b) && (f (column i) =? i).

Definition check_column (b : N) : bool :=
  forallb (fun x => negb (x =? f b)) (others b) &&
  (if whole && (first <=? b) then
     (column (f b) =? b) && all_range 0 first (fun j => negb (f j =? f b)) &&
     all_range (full b) (f b) (fun i => if comes_before b i then true else existsb (N.eqb i) (others b))
   else all_range 0 (f b) (fun i => existsb (N.eqb i) (others b))).

Definition check_full (b : N) : bool :=
  (full b <=? full (N.succ b)) && all_range (full b) (full (N.succ b)) (comes_before (N.succ b)).

(** Old columns have smaller values than new ones, and all values of the columns before [n0] are below [low]. *)
Definition check_growth : bool :=
  (full 0 =? 0) && all_range 0 (start + length) check_full &&
  all_range 0 n0 (fun j => f j <? low) && all_range 0 (n0 + length) (fun j => f j <? high) &&
  all_range start (start + length) (fun b => high <=? f b + gain) && (low + gain <=? full start).

Definition check_row : bool :=
  (1 <=? length) && (n0 <=? start) && (first <=? start) && all_range 0 (start + length) check_column &&
  (if whole then check_growth else gain =? 0).

Hypothesis f_repeats : forall b, n0 <= b -> f (b + length) = f b + gain.
Hypothesis others_repeat : forall b x, start <= b -> (In x (others (b + length)) <-> exists y, In y (others b) /\ x = y + gain).
Hypothesis checked : check_row = true.

Lemma row_parts : 1 <= length /\ n0 <= start /\ first <= start /\ (forall b, b < start + length -> check_column b = true) /\
  (if whole then check_growth else gain =? 0) = true.
Proof using checked.
  pose proof checked as H. unfold check_row in H. repeat rewrite andb_true_iff in H. destruct H as ((((H1 & H2) & H3) & H4) & H5).
  apply N.leb_le in H1, H2, H3. rewrite all_range_spec in H4. repeat split; trivial. intros b Hb. apply H4. lia.
Qed.

Lemma growth_parts : whole = true -> full 0 = 0 /\ (forall b, b < start + length -> check_full b = true) /\
  (forall j, j < n0 -> f j < low) /\ (forall j, j < n0 + length -> f j < high) /\
  (forall b, start <= b < start + length -> high <= f b + gain) /\ low + gain <= full start.
Proof using checked.
  intro Ew. destruct row_parts as (_ & _ & _ & _ & H). rewrite Ew in H. unfold check_growth in H. repeat rewrite andb_true_iff in H.
  destruct H as (((((H0 & H1) & H2) & H3) & H4) & H5). apply N.eqb_eq in H0. apply N.leb_le in H5.
  rewrite all_range_spec in H1, H2, H3, H4. repeat split; trivial; intros.
  - apply H1. lia.
  - apply N.ltb_lt, H2. lia.
  - apply N.ltb_lt, H3. lia.
  - now apply N.leb_le, H4.
Qed.

Lemma in_others : forall i l, existsb (N.eqb i) l = true <-> In i l.
Proof using Type.
  intros i l. rewrite existsb_exists. split; [intros (x & Hx & E); apply N.eqb_eq in E; now subst | intro H; exists i; split; trivial; apply N.eqb_refl].
Qed.

Lemma in_own : forall b x, In x (own b) <-> whole && (first <=? b) = true /\ exists j, j < b /\ f j = x.
Proof using Type.
  intros b x. unfold own. destruct (whole && (first <=? b)); [|split; [intros [] | now intros [H _]]]. rewrite in_map_iff. split.
  - intros (j & E & Hj). apply in_range in Hj. split; trivial. exists j. split; [lia | trivial].
  - intros (_ & j & Hj & E). exists j. split; trivial. apply in_range. lia.
Qed.

Lemma full_before : whole = true -> forall b, b <= start + length -> forall i, i < full b -> exists j, j < b /\ f j = i.
Proof using checked.
  intros Ew b. destruct (growth_parts Ew) as (H0 & H & _). induction b as [|b IH] using N.peano_ind; intros Hb i Hi; [lia|].
  destruct (N.lt_ge_cases i (full b)) as [Hlt|Hge].
  - destruct (IH ltac:(lia) i Hlt) as (j & Hj & E). exists j. split; [lia | trivial].
  - specialize (H b ltac:(lia)). unfold check_full in H. apply andb_true_iff in H. destruct H as [_ H].
    rewrite all_range_spec in H. specialize (H i ltac:(lia)). unfold comes_before in H.
    apply andb_true_iff in H. destruct H as [H1 H2]. apply N.ltb_lt in H1. apply N.eqb_eq in H2. now exists (column i).
Qed.

Definition right_at (b : N) : Prop := is_mex (own b ++ others b) (f b).

Lemma right_first : forall b, b < start + length -> right_at b.
Proof using checked.
  intros b Hb. destruct row_parts as (_ & _ & _ & H & _). pose proof (H b Hb) as Hc. unfold check_column in Hc.
  apply andb_true_iff in Hc. destruct Hc as [Hnot Hc]. rewrite forallb_forall in Hnot.
  assert (Hothers : ~ In (f b) (others b)).
  { intro Hin. specialize (Hnot _ Hin). now rewrite N.eqb_refl in Hnot. }
  destruct (bool_dec (whole && (first <=? b)) true) as [Eb|Eb]; [|apply not_true_is_false in Eb]; rewrite Eb in Hc; split.
  - repeat rewrite andb_true_iff in Hc. destruct Hc as ((Hb1 & Hb2) & _). apply N.eqb_eq in Hb1. rewrite all_range_spec in Hb2.
    rewrite in_app_iff, in_own. intros [(_ & j & Hj & E)|Hin]; [|contradiction].
    apply andb_true_iff in Eb. destruct Eb as [Ew _]. destruct (N.lt_ge_cases j first) as [Hlt|Hge].
    + specialize (Hb2 j ltac:(lia)). cbv beta in Hb2. rewrite E, N.eqb_refl in Hb2. discriminate.
    + specialize (H j ltac:(lia)). unfold check_column in H. apply N.leb_le in Hge. rewrite Ew, Hge in H. cbn [andb] in H.
      repeat rewrite andb_true_iff in H. destruct H as (_ & (Hj1 & _) & _). apply N.eqb_eq in Hj1. rewrite E in Hj1. lia.
  - repeat rewrite andb_true_iff in Hc. destruct Hc as (_ & Hc). rewrite all_range_spec in Hc.
    intros i Hi. rewrite in_app_iff, in_own. destruct (N.lt_ge_cases i (full b)) as [Hlt|Hge].
    + left. split; trivial. apply andb_true_iff in Eb. destruct Eb as [Ew _]. apply full_before; trivial. lia.
    + specialize (Hc i ltac:(lia)). cbv beta in Hc. destruct (comes_before b i) eqn:E; [|right; now apply in_others].
      left. split; trivial. unfold comes_before in E. apply andb_true_iff in E. destruct E as [E1 E2]. apply N.ltb_lt in E1.
      apply N.eqb_eq in E2. now exists (column i).
  - rewrite in_app_iff, in_own. intros [(E & _)|Hin]; [congruence | contradiction].
  - intros i Hi. rewrite all_range_spec in Hc. apply in_app_iff. right. apply in_others, Hc. lia.
Qed.

Theorem row_values : forall b, right_at b.
Proof using checked f_repeats others_repeat.
  destruct row_parts as (Hl & Hn & Hf & _ & Hg).
  assert (Hall : forall (bound : nat) b, (N.to_nat b < bound)%nat -> right_at b).
  { induction bound as [|bound IH]; [lia|]. intros b Hb. destruct (N.lt_ge_cases b (start + length)) as [Hlt|Hge]; [now apply right_first|].
    set (c := b - length). assert (Ec : b = c + length) by (unfold c; lia). assert (Hc : start <= c) by (unfold c; lia).
    assert (Hright : right_at c) by (apply IH; lia). clearbody c. subst b. destruct Hright as [Hnot Hbelow].
    assert (Hout : forall x, ~ In x (own c ++ others c) -> ~ In (x + gain) (others (c + length))).
    { intros x Hx Hin. apply others_repeat in Hin; trivial. destruct Hin as (y & Hy & E). apply Hx. apply in_app_iff. right.
      now replace x with y by lia. }
    unfold right_at. rewrite f_repeats by lia. destruct (bool_dec whole true) as [Ew|Ew];
      [|apply not_true_is_false in Ew]; rewrite Ew in Hg.
    - destruct (growth_parts Ew) as (_ & _ & Hlow & Hhigh & Hmore & Hfull).
      assert (Ee : forall e, start <= e -> whole && (first <=? e) = true).
      { intros e He. rewrite Ew. apply N.leb_le. lia. }
      assert (Hlarge : forall d, start <= d -> high <= f d + gain).
      { intro d. assert (H' : forall (k : nat) d, (N.to_nat d < k)%nat -> start <= d -> high <= f d + gain).
        { induction k as [|k IHk]; [lia|]. intros e Hk He. destruct (N.lt_ge_cases e (start + length)) as [Hlt|Hge'].
          - apply Hmore. lia.
          - replace e with (e - length + length) by lia. rewrite f_repeats by lia. specialize (IHk (e - length) ltac:(lia) ltac:(lia)). lia. }
        apply (H' (S (N.to_nat d))). lia. }
      split.
      + rewrite in_app_iff, in_own. intros [(_ & j & Hj & E)|Hin]; [|now apply (Hout (f c))].
        destruct (N.lt_ge_cases j (n0 + length)) as [Hsmall|Hnew].
        * specialize (Hhigh j Hsmall). specialize (Hlarge c Hc). lia.
        * apply Hnot. apply in_app_iff. left. apply in_own. split; [now apply Ee|]. exists (j - length). split; [lia|].
          replace j with (j - length + length) in E by lia. rewrite f_repeats in E by lia. lia.
      + intros v Hv. rewrite in_app_iff, in_own. destruct (N.lt_ge_cases v (low + gain)) as [Hold|Hnew].
        * left. split; [apply Ee; lia|]. destruct (full_before Ew start ltac:(lia) v ltac:(lia)) as (j & Hj & E). exists j. split; [lia | trivial].
        * specialize (Hbelow (v - gain) ltac:(lia)). apply in_app_iff in Hbelow. destruct Hbelow as [Hb'|Hb'].
          -- left. split; [apply Ee; lia|]. apply in_own in Hb'. destruct Hb' as (_ & j & Hj & E). exists (j + length).
             destruct (N.lt_ge_cases j n0) as [Hsmall|Hge'].
             { specialize (Hlow j Hsmall). lia. }
             split; [lia|]. rewrite f_repeats by lia. lia.
          -- right. apply others_repeat; trivial. exists (v - gain). split; trivial. lia.
    - apply N.eqb_eq in Hg. split.
      + rewrite in_app_iff, in_own. intros [(E & _)|Hin]; [rewrite Ew in E; discriminate|]. now apply (Hout (f c)).
      + intros v Hv. rewrite in_app_iff. right. apply others_repeat; trivial. exists v. split; [|lia].
        specialize (Hbelow v ltac:(lia)). apply in_app_iff in Hbelow. destruct Hbelow as [Hb'|]; trivial.
        apply in_own in Hb'. destruct Hb' as [E _]. rewrite Ew in E. discriminate. }
  intro b. apply (Hall (S (N.to_nat b))). lia.
Qed.

End Row.

(** ** The rows of a game *)

Section Rows.

(** The numbers of a statement: 0 is the row, 1 the column, and 4 and 5 are those after the move (see Law.v). *)
Variables (moves : list statement) (rows : N) (whole : bool) (first : N).

(** [back a] has the moves from the row a at the columns from [first] on, if [whole] except those within the row: pairs
    (a', d) for a move to the row a' that goes back by d columns. [early a b] has all moves from an earlier column b. *)
Variables (back : N -> list (N * N)) (early : N -> N -> list (N * N)).

Variables (table : N -> N -> N) (n0 period start length low high : N -> N) (column full : N -> N -> N).

Definition value_in (a b : N) : N := grown (table a) (n0 a) (period a) (if whole then period a else 0) b.

Definition other_ends (a b : N) : list (N * N) :=
  if b <? first then early a b
  else flat_map (fun e => if snd e <=? b then [(fst e, b - snd e)] else []) (back a).

Definition ends (a b : N) : list (N * N) :=
  (if whole && (first <=? b) then map (pair a) (range 0 b) else []) ++ other_ends a b.

Definition other_values (a b : N) : list N := map (fun e => value_in (fst e) (snd e)) (other_ends a b).

(** ** The steps *)

Definition number_is (x n : N) : statement := Sum true [(1%Z, x)] (- Z.of_N n)%Z.
Definition at_least (x n : N) : statement := Sum false [((-1)%Z, x)] (Z.of_N n).
Definition goes_back (d : N) : statement := Sum true [(1%Z, 5); ((-1)%Z, 1)] (Z.of_N d).
Definition earlier : statement := Sum false [(1%Z, 5); ((-1)%Z, 1)] 1.

Definition shapes (a : N) : list statement :=
  (if whole then [And (number_is 4 a) earlier] else []) ++ map (fun e => And (number_is 4 (fst e)) (goes_back (snd e))) (back a).

Definition pairs (a b : N) : list statement := map (fun e => And (number_is 4 (fst e)) (number_is 5 (snd e))) (ends a b).

Definition same_steps (a : N) (columns : statement) (l : list statement) : list statement :=
  Not (And (number_is 0 a) (And columns (And (Not (none_of moves)) (none_of l)))) ::
  map (fun s => Not (And (number_is 0 a) (And columns (And s (none_of moves))))) l.

Definition rows_steps : list statement :=
  flat_map (fun a =>
    same_steps a (at_least 1 first) (shapes a) ++ flat_map (fun b => same_steps a (number_is 1 b) (pairs a b)) (range 0 first))
    (range 0 rows).

Definition check_one_row (a : N) : bool :=
  (0 <? period a) && (length a mod period a =? 0) && (first <=? start a) &&
  forallb (fun e => (fst e <=? a) && (0 <? period (fst e)) && (length a mod period (fst e) =? 0) && (snd e + n0 (fst e) <=? start a)) (back a) &&
  all_range 0 first (fun b => forallb (fun e => fst e <=? a) (early a b)) &&
  check_row whole first (value_in a) (other_values a) (n0 a) (start a) (length a) (if whole then length a else 0) (low a) (high a)
    (column a) (full a).

Definition check_all_rows (trees : list tree) : bool := all_range 0 rows check_one_row && check_steps trees rows_steps.

(** ** The proof *)

Variable trees : list tree.
Hypothesis checked : check_all_rows trees = true.

Lemma one_row : forall a, a < rows -> check_one_row a = true.
Proof using checked.
  intros a Ha. pose proof checked as H. unfold check_all_rows in H. apply andb_true_iff in H. destruct H as [H _].
  rewrite all_range_spec in H. apply H. lia.
Qed.

Lemma rows_step : forall s, In s rows_steps -> forall n, holds_of s (of_list n).
Proof using checked.
  intros s Hs. pose proof checked as H. unfold check_all_rows in H. apply andb_true_iff in H. destruct H as [_ H].
  now apply (check_steps_spec trees rows_steps).
Qed.

Lemma value_repeats : forall a q b, 1 <= period a -> n0 a <= b -> value_in a (b + q * period a) = value_in a b + (if whole then q * period a else 0).
Proof using Type.
  intros a q b Hp Hb. unfold value_in. induction q as [|q IH] using N.peano_ind.
  - rewrite N.mul_0_l, N.add_0_r. destruct whole; now rewrite N.add_0_r.
  - rewrite N.mul_succ_l, N.add_assoc, grown_step by lia. rewrite IH. destruct whole; lia.
Qed.

Lemma value_later : forall a l b, 1 <= period a -> l mod period a = 0 -> n0 a <= b ->
  value_in a (b + l) = value_in a b + (if whole then l else 0).
Proof using Type.
  intros a l b Hp Hl Hb. pose proof (N.div_mod l (period a) ltac:(lia)) as Hd. rewrite Hl, N.add_0_r, N.mul_comm in Hd.
  rewrite Hd. now apply value_repeats.
Qed.

Lemma back_checked : forall a e, a < rows -> In e (back a) ->
  fst e <= a /\ 1 <= period (fst e) /\ length a mod period (fst e) = 0 /\ snd e + n0 (fst e) <= start a.
Proof using checked.
  intros a e Ha He. pose proof (one_row a Ha) as H. unfold check_one_row in H. repeat rewrite andb_true_iff in H.
  destruct H as (((_ & H) & _) & _). rewrite forallb_forall in H. specialize (H e He). repeat rewrite andb_true_iff in H.
  destruct H as (((H1 & H2) & H3) & H4). apply N.leb_le in H1, H4. apply N.ltb_lt in H2. apply N.eqb_eq in H3. repeat split; trivial. lia.
Qed.

Lemma rows_values : forall a, a < rows -> forall b, is_mex (own whole first (value_in a) b ++ other_values a b) (value_in a b).
Proof using checked.
  intros a Ha. pose proof (one_row a Ha) as H. unfold check_one_row in H. repeat rewrite andb_true_iff in H.
  destruct H as (((((Hp & Hl) & Hf) & _) & _) & Hrow). apply N.ltb_lt in Hp. apply N.eqb_eq in Hl. apply N.leb_le in Hf.
  apply (row_values whole first (value_in a) (other_values a) (n0 a) (start a) (length a) (if whole then length a else 0)
           (low a) (high a) (column a) (full a)); trivial.
  - intros b Hb. apply value_later; trivial. lia.
  - intros b x Hb. unfold other_values, other_ends.
    destruct (N.ltb_spec (b + length a) first); [lia|]. destruct (N.ltb_spec b first); [lia|].
    assert (Hend : forall c y, start a <= c -> In y (map (fun e => value_in (fst e) (snd e))
        (flat_map (fun e => if snd e <=? c then [(fst e, c - snd e)] else []) (back a))) <->
      exists e, In e (back a) /\ value_in (fst e) (c - snd e) = y).
    { intros c y Hc. rewrite in_map_iff. split.
      - intros (e & E & He). apply in_flat_map in He. destruct He as (e' & Hin & He). exists e'. split; trivial.
        destruct (snd e' <=? c); [|destruct He]. destruct He as [<-|[]]. exact E.
      - intros (e & He & E). exists (fst e, c - snd e). split; trivial. apply in_flat_map. exists e. split; trivial.
        destruct (back_checked a e Ha He) as (_ & _ & _ & Hs). destruct (N.leb_spec (snd e) c); [now left | lia]. }
    rewrite (Hend (b + length a)) by lia.
    assert (Hvalue : forall e, In e (back a) ->
      value_in (fst e) (b + length a - snd e) = value_in (fst e) (b - snd e) + (if whole then length a else 0)).
    { intros e He. destruct (back_checked a e Ha He) as (_ & Hpe & Hle & Hs).
      replace (b + length a - snd e) with (b - snd e + length a) by lia. apply value_later; trivial. lia. }
    split.
    + intros (e & He & E). exists (value_in (fst e) (b - snd e)). split; [apply Hend; trivial; now exists e|].
      now rewrite <- E, Hvalue.
    + intros (y & Hy & ->). apply Hend in Hy; trivial. destruct Hy as (e & He & E). exists e. split; trivial. now rewrite Hvalue, E.
Qed.

Lemma ends_values : forall a b, map (fun e => value_in (fst e) (snd e)) (ends a b) = own whole first (value_in a) b ++ other_values a b.
Proof using Type.
  intros a b. unfold ends. rewrite map_app. f_equal. unfold own. destruct (whole && (first <=? b)); trivial.
  rewrite map_map. reflexivity.
Qed.

(** ** The theorem: about every game whose positions are such pairs, and whose options are what the moves allow *)

Variable G : game.
Variable pair_of : position G -> N * N.

Definition allowed (a b c d : N) : Prop := exists m, In m moves /\ holds_of m (of_list [a; b; 0; 0; c; d]).

Hypothesis options_are : forall p c d,
  (exists q, In q (options p) /\ pair_of q = (c, d)) <-> allowed (fst (pair_of p)) (snd (pair_of p)) c d.

Lemma pair_dec : forall x y : N * N, {x = y} + {x <> y}.
Proof using Type. decide equality; apply N.eq_dec. Qed.

Lemma option_dec : forall p e, (exists q, In q (options p) /\ pair_of q = e) \/ ~ exists q, In q (options p) /\ pair_of q = e.
Proof using Type.
  intros p e. destruct (in_dec pair_dec e (map pair_of (options p))) as [H|H].
  - left. apply in_map_iff in H. destruct H as (q & E & Hq). now exists q.
  - right. intros (q & Hq & E). apply H, in_map_iff. now exists q.
Qed.

Lemma none_of_not : forall l v, ~ holds_of (none_of l) v -> ~ ~ exists s, In s l /\ holds_of s v.
Proof using Type. intros l v H Hn. apply H, none_of_spec. intros s Hs Hh. apply Hn. now exists s. Qed.

Lemma some_not_none : forall l v s, In s l -> holds_of s v -> ~ holds_of (none_of l) v.
Proof using Type.
  induction l as [|t l IH]; intros v s Hs Hh H; [destruct Hs|]. destruct H as [H1 H2].
  destruct Hs as [->|Hs]; [now apply H1 | now apply (IH v s)].
Qed.

Lemma number_spec : forall x n v, holds_of (number_is x n) v <-> v x = n.
Proof using Type. intros. cbn [number_is holds_of total]. lia. Qed.

(** The statements of a list tell the options from a column. *)
Lemma same_spec : forall a columns l, (forall s, In s (same_steps a columns l) -> In s rows_steps) ->
  forall p b c d, pair_of p = (a, b) -> holds_of columns (of_list [a; b; 0; 0; c; d]) ->
  ((exists q, In q (options p) /\ pair_of q = (c, d)) <-> ~ ~ exists s, In s l /\ holds_of s (of_list [a; b; 0; 0; c; d])).
Proof using checked options_are.
  intros a columns l Hin p b c d Ep Hcol. rewrite options_are, Ep. cbn [fst snd].
  assert (Ha : holds_of (number_is 0 a) (of_list [a; b; 0; 0; c; d])) by now apply number_spec. split.
  - intros (m & Hm & Hh). pose proof (rows_step _ (Hin _ (or_introl eq_refl)) [a; b; 0; 0; c; d]) as H. cbn [holds_of] in H.
    apply none_of_not. intro Hn. apply H. split; [exact Ha|]. split; trivial. split; trivial. now apply (some_not_none moves _ m).
  - intro Hs. assert (Hd : ~ ~ allowed a b c d).
    { intro Hno. apply Hs. intros (s & Hl & Hh).
      assert (Hstep : In (Not (And (number_is 0 a) (And columns (And s (none_of moves))))) (same_steps a columns l)).
      { right. now apply in_map_iff; exists s. }
      pose proof (rows_step _ (Hin _ Hstep) [a; b; 0; 0; c; d]) as H. cbn [holds_of] in H. apply H. split; [exact Ha|].
      split; trivial. split; trivial. apply none_of_spec. intros m Hm Hh'. apply Hno. now exists m. }
    destruct (option_dec p (c, d)) as [H|H].
    + apply options_are in H. now rewrite Ep in H.
    + exfalso. apply Hd. intro Hal. apply H, options_are. now rewrite Ep.
Qed.

Lemma options_ends : forall p a b, pair_of p = (a, b) -> a < rows ->
  forall e, (exists q, In q (options p) /\ pair_of q = e) <-> In e (ends a b).
Proof using checked options_are.
  intros p a b Ep Ha [c d].
  assert (Hsteps : forall s, In s (same_steps a (at_least 1 first) (shapes a) ++
    flat_map (fun b => same_steps a (number_is 1 b) (pairs a b)) (range 0 first)) -> In s rows_steps).
  { intros s Hs. unfold rows_steps. apply in_flat_map. exists a. split; trivial. apply in_range. lia. }
  assert (Hdec : (~ ~ In (c, d) (ends a b)) <-> In (c, d) (ends a b)).
  { destruct (in_dec pair_dec (c, d) (ends a b)); tauto. }
  rewrite <- Hdec. destruct (N.lt_ge_cases b first) as [Hearly|Hlate].
  - rewrite (same_spec a (number_is 1 b) (pairs a b)) with (b := b); trivial; [|intros s Hs; apply Hsteps, in_app_iff; right;
      apply in_flat_map; exists b; split; trivial; apply in_range; lia | now apply number_spec].
    assert (E : (exists s, In s (pairs a b) /\ holds_of s (of_list [a; b; 0; 0; c; d])) <-> In (c, d) (ends a b)); [|tauto].
    unfold pairs. split.
    + intros (s & Hs & Hh). apply in_map_iff in Hs. destruct Hs as ([c' d'] & <- & He). destruct Hh as [H1 H2].
      apply number_spec in H1, H2. cbn in H1, H2. now subst.
    + intro He. eexists. split; [apply in_map_iff; exists (c, d); split; [reflexivity | exact He]|].
      split; now apply number_spec.
  - rewrite (same_spec a (at_least 1 first) (shapes a)) with (b := b); trivial; [|intros s Hs; apply Hsteps, in_app_iff; now left |].
    2:{ cbn [at_least holds_of total]. change (of_list [a; b; 0; 0; c; d] 1) with b. lia. }
    assert (E : (exists s, In s (shapes a) /\ holds_of s (of_list [a; b; 0; 0; c; d])) <-> In (c, d) (ends a b)); [|tauto].
    assert (Hback : forall x, holds_of (goes_back x) (of_list [a; b; 0; 0; c; d]) <-> d + x = b).
    { intro x. cbn [goes_back holds_of total]. change (of_list [a; b; 0; 0; c; d] 5) with d.
      change (of_list [a; b; 0; 0; c; d] 1) with b. lia. }
    assert (Hearlier : holds_of earlier (of_list [a; b; 0; 0; c; d]) <-> d < b).
    { cbn [earlier holds_of total]. change (of_list [a; b; 0; 0; c; d] 5) with d. change (of_list [a; b; 0; 0; c; d] 1) with b. lia. }
    assert (Hrow : forall x, holds_of (number_is 4 x) (of_list [a; b; 0; 0; c; d]) <-> c = x) by (intro x; now rewrite number_spec).
    unfold shapes, ends, other_ends. replace (first <=? b) with true by (symmetry; now apply N.leb_le). rewrite andb_true_r.
    destruct (N.ltb_spec b first); [lia|]. rewrite in_app_iff, in_flat_map. split.
    + intros (s & Hs & Hh). apply in_app_iff in Hs. destruct Hs as [Hs|Hs].
      * left. destruct whole; [|destruct Hs]. destruct Hs as [<-|[]]. destruct Hh as [H1 H2]. apply Hrow in H1. apply Hearlier in H2.
        subst c. apply in_map, in_range. lia.
      * right. apply in_map_iff in Hs. destruct Hs as (e & <- & He). destruct Hh as [H1 H2]. apply Hrow in H1. apply Hback in H2.
        exists e. split; trivial. destruct (N.leb_spec (snd e) b); [|lia]. left. rewrite H1. f_equal. lia.
    + intros [He|(e & He & Hin)].
      * destruct whole; [|destruct He]. apply in_map_iff in He. destruct He as (j & E & Hj). injection E as <- <-.
        apply in_range in Hj. eexists. split; [apply in_app_iff; left; now left|]. split; [now apply Hrow | apply Hearlier; lia].
      * destruct (N.leb_spec (snd e) b); [|destruct Hin]. destruct Hin as [E|[]]. injection E as <- <-.
        eexists. split; [apply in_app_iff; right; apply in_map_iff; exists e; split; [reflexivity | exact He]|].
        split; [now apply Hrow | apply Hback; lia].
Qed.

Lemma ends_below : forall a b e, a < rows -> In e (ends a b) -> fst e <= a.
Proof using checked.
  intros a b e Ha He. unfold ends in He. apply in_app_iff in He. destruct He as [He|He].
  - destruct (whole && (first <=? b)); [|destruct He]. apply in_map_iff in He. destruct He as (j & <- & _). cbn. lia.
  - unfold other_ends in He. destruct (N.ltb_spec b first) as [Hb|Hb].
    + pose proof (one_row a Ha) as H. unfold check_one_row in H. repeat rewrite andb_true_iff in H. destruct H as ((_ & H) & _).
      rewrite all_range_spec in H. specialize (H b ltac:(lia)). cbv beta in H. rewrite forallb_forall in H. now apply N.leb_le, H.
    + apply in_flat_map in He. destruct He as (e' & He' & Hin). destruct (snd e' <=? b); [|destruct Hin]. destruct Hin as [<-|[]].
      now apply (back_checked a e').
Qed.

Theorem rows_law : forall p a b, pair_of p = (a, b) -> a < rows -> grundy p = value_in a b.
Proof using checked options_are.
  intro p. induction p as [p IH] using (well_founded_induction (play_ends G)). intros a b Ep Ha.
  rewrite grundy_eq. apply mex_is. apply (is_mex_same (map (fun e => value_in (fst e) (snd e)) (ends a b))).
  - intro x. pose proof (options_ends p a b Ep Ha) as Ho. rewrite !in_map_iff. split.
    + intros (e & <- & He). destruct (proj2 (Ho e) He) as (q & Hq & Eq). exists q. split; trivial.
      apply (IH q Hq); [now rewrite Eq, <- surjective_pairing|]. pose proof (ends_below a b e Ha He). lia.
    + intros (q & <- & Hq). exists (pair_of q). assert (He : In (pair_of q) (ends a b)) by (apply Ho; now exists q).
      split; trivial. symmetry. apply (IH q Hq); [apply surjective_pairing|]. pose proof (ends_below a b _ Ha He). lia.
  - rewrite ends_values. now apply rows_values.
Qed.

(** So the values of a row repeat. *)
Corollary rows_repeat : forall x y a b, pair_of x = (a, b) -> pair_of y = (a, b + period a) -> a < rows -> n0 a <= b ->
  grundy y = grundy x + (if whole then period a else 0).
Proof using checked options_are.
  intros x y a b Ex Ey Ha Hb. rewrite (rows_law x a b Ex Ha), (rows_law y a (b + period a) Ey Ha).
  pose proof (one_row a Ha) as H. unfold check_one_row in H. repeat rewrite andb_true_iff in H.
  destruct H as (((((Hp & _) & _) & _) & _) & _). apply N.ltb_lt in Hp.
  rewrite <- (N.mul_1_l (period a)) at 1. rewrite value_repeats by lia. now rewrite N.mul_1_l.
Qed.

End Rows.
