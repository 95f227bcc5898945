(** * Laws: outcomes and values of all positions of a game

    What this file proves. Positions are lists of [width] numbers. Moves, positions and a claim are statements about
    numbers (Digits.v); a move is about those before and after it. If [check_law] accepts trees of automata for them,
    then play ends ([law_ends]), and in every game with these moves the claim tells which positions are P
    ([law_outcome], [law_misere_outcome]), or the values ([law_value], [law_misere_value]), and [law_moves] says which moves
    win. Positions may have more numbers than their names: [law_named] is about all positions of a name.

    These are the usual proofs by induction: no move joins two positions of the claim, and every other position has a
    move to one; for values, no move keeps the value, and every smaller value is that of an option. *)

From Coq Require Import List NArith ZArith Bool Lia Wellfounded.
From Graphgame Require Import Theory Mex Digits.
Import ListNotations.
Open Scope N_scope.

(** ** What a statement depends on *)

Fixpoint mentions (allowed : N -> bool) (s : statement) : bool :=
  match s with
  | Sum _ terms _ => forallb (fun t => allowed (snd t)) terms
  | Nim_sum parts => forallb allowed parts
  | Recognised _ _ tracks => forallb allowed tracks
  | Not s => mentions allowed s
  | And s t => mentions allowed s && mentions allowed t
  | Exists x s => mentions (fun y => (y =? x) || allowed y) s
  | Renamed names s => mentions (fun y => allowed (renamed names y)) s
  end.

Lemma holds_same : forall s allowed v w, mentions allowed s = true -> (forall x, allowed x = true -> v x = w x) ->
  (holds_of s v <-> holds_of s w).
Proof.
  induction s as [equal terms constant|parts|rows accepted tracks|s IH|s IHs t IHt|x s IH|names s IH]; intros allowed v w H Hv;
    cbn [mentions holds_of] in *.
  - assert (E : total terms v = total terms w); [|now rewrite E].
    induction terms as [|[factor x] rest IH]; trivial. cbn in *. apply andb_true_iff in H. destruct H as [Hx H].
    now rewrite (Hv x Hx), IH.
  - assert (E : map v parts = map w parts); [|now rewrite E].
    apply map_ext_in. rewrite forallb_forall in H. intros x Hx. now apply Hv, H.
  - rewrite forallb_forall in H. assert (E : forall f v w, (forall x, In x tracks -> v x = w x) ->
      read rows tracks f v = read rows tracks f w).
    { clear. induction f as [|f IH]; intros v w E; trivial. cbn [read]. rewrite (IH (half v) (half w)).
      - f_equal. apply symbol_same. intros x Hx. unfold low. now rewrite E.
      - intros x Hx. unfold half. now rewrite E. }
    split; intros (f & Hf & Ha); exists f; split.
    + intros x Hx. rewrite <- Hv by now apply H. now apply Hf.
    + rewrite <- Ha. f_equal. symmetry. apply E. intros x Hx. now apply Hv, H.
    + intros x Hx. rewrite Hv by now apply H. now apply Hf.
    + rewrite <- Ha. f_equal. apply E. intros x Hx. now apply Hv, H.
  - now rewrite (IH allowed v w).
  - apply andb_true_iff in H. destruct H. now rewrite (IHs allowed v w), (IHt allowed v w).
  - assert (Hput : forall n y, (y =? x) || allowed y = true -> put v x n y = put w x n y).
    { intros n y Hy. unfold put. destruct (y =? x); trivial. now apply Hv. }
    split; intros (n & Hn); exists n.
    + now apply (IH _ (put v x n) (put w x n) H (Hput n)).
    + now apply (IH _ (put v x n) (put w x n) H (Hput n)).
  - apply (IH _ _ _ H). intros y Hy. now apply Hv.
Qed.

Section Law.

(** The numbers before a move have the numbers 0, 1, ..., then come a value and a smaller one, then the numbers after
    the move. *)
Variables (width : nat) (moves : list statement) (positions claim : statement) (weights : list Z).

Definition value_at : N := N.of_nat width.
Definition smaller_at : N := N.succ value_at.
Definition after_at : N := N.succ smaller_at.

Definition primes : list (N * N) := map (fun i => (N.of_nat i, after_at + N.of_nat i)) (seq 0 width).

Definition after (s : statement) : statement := Renamed primes s.
Definition after_to_smaller (s : statement) : statement := Renamed ((value_at, smaller_at) :: primes) s.

Definition between (m : statement) : statement := And (And positions (after positions)) m.

Fixpoint some_from (count : nat) (x : N) (s : statement) : statement :=
  match count with
  | O => s
  | S count => Exists x (some_from count (N.succ x) s)
  end.

Definition some_after (s : statement) : statement := some_from width after_at s.

Fixpoint none_of (l : list statement) : statement :=
  match l with
  | [] => Nim_sum []
  | s :: rest => And (Not s) (none_of rest)
  end.

(** ** The steps of the proofs *)

Definition lower : statement :=
  Sum false (map (fun i => (nth i weights 0%Z, after_at + N.of_nat i)) (seq 0 width) ++
             map (fun i => (Z.opp (nth i weights 0%Z), N.of_nat i)) (seq 0 width)) 1.

Definition never_negative : statement :=
  Not (And positions (Not (Sum false (map (fun i => (Z.opp (nth i weights 0%Z), N.of_nat i)) (seq 0 width)) 0))).

Definition lowers (m : statement) : statement := Not (And (between m) (Not lower)).

Definition joins_none (m : statement) : statement := Not (And (between m) (And claim (after claim))).

Definition without (goal : statement) : statement :=
  none_of (map (fun m => some_after (And (between m) goal)) moves).

Definition others_reach : statement := Not (And positions (And (Not claim) (without (after claim)))).

Definition others_reach_after (m : statement) : statement :=
  Not (And positions (And (Not claim) (And (some_after (between m)) (without (after claim))))).

Definition ends_are_none : statement :=
  Not (And positions (And claim (none_of (map (fun m => some_after (between m)) moves)))).

Definition have_values : statement := Not (And positions (Not (Exists value_at claim))).

Definition less : statement := Sum false [(1%Z, smaller_at); ((-1)%Z, value_at)] 1.

Definition smaller_reached : statement :=
  Not (And positions (And claim (And less (without (after_to_smaller claim))))).

(** Under misère play a position without a move has the value 1, and the others are those with some move. *)
Definition ends_have_one : statement :=
  Not (And positions (And claim (And (Not (Sum true [(1%Z, value_at)] (-1)))
    (none_of (map (fun m => some_after (between m)) moves))))).

Definition smaller_reached_after (m : statement) : statement :=
  Not (And positions (And claim (And less (And (some_after (between m)) (without (after_to_smaller claim)))))).

Inductive kind := Of_outcomes | Of_misere_outcomes | Of_values | Of_misere_values.

Definition steps (about : kind) : list statement :=
  never_negative :: map lowers moves ++ map joins_none moves ++
  match about with
  | Of_outcomes => [others_reach]
  | Of_misere_outcomes => ends_are_none :: map others_reach_after moves
  | Of_values => [have_values; smaller_reached]
  | Of_misere_values => have_values :: ends_have_one :: map smaller_reached_after moves
  end.

Fixpoint check_steps (trees : list tree) (l : list statement) : bool :=
  match trees, l with
  | [], [] => true
  | t :: trees, s :: l => if check_valid t s then check_steps trees l else false
  | _, _ => false
  end.

Definition check_names : bool :=
  mentions (fun x => x <? value_at) positions && mentions (fun x => x <=? value_at) claim &&
  forallb (mentions (fun x => (x <? value_at) || (after_at <=? x))) moves.

Definition check_law (about : kind) (trees : list tree) : bool := check_names && check_steps trees (steps about).

Lemma check_steps_spec : forall trees l s, check_steps trees l = true -> In s l -> forall n, holds_of s (of_list n).
Proof.
  induction trees as [|t trees IH]; intros [|s' l] s H Hs; try discriminate; [destruct Hs|]. cbn [check_steps] in H.
  destruct (check_valid t s') eqn:E; [|discriminate]. destruct Hs as [<-|Hs]; [now apply (valid_spec t) | now apply (IH l)].
Qed.

(** ** What the statements say of lists *)

Definition is_position (l : list N) : Prop := length l = width /\ holds_of positions (of_list l).

Definition allows (m : statement) (l r : list N) : Prop :=
  is_position l /\ is_position r /\ holds_of m (of_list (l ++ [0; 0] ++ r)).

Definition move (l r : list N) : Prop := exists m, In m moves /\ allows m l r.

(** The claim of a position, and of a value where it has one. *)
Definition claimed (l : list N) (x : N) : Prop := holds_of claim (of_list (l ++ [x])).

Variable about : kind.
Variable trees : list tree.
Hypothesis checked : check_law about trees = true.

Lemma names_right : mentions (fun x => x <? value_at) positions = true /\ mentions (fun x => x <=? value_at) claim = true /\
  forall m, In m moves -> mentions (fun x => (x <? value_at) || (after_at <=? x)) m = true.
Proof.
  pose proof checked as H. unfold check_law, check_names in H. repeat rewrite andb_true_iff in H.
  destruct H as (((H1 & H2) & H3) & _). rewrite forallb_forall in H3. auto.
Qed.

Lemma step_holds : forall s, In s (steps about) -> forall n, holds_of s (of_list n).
Proof.
  intros s Hs. pose proof checked as H. unfold check_law in H. apply andb_true_iff in H. destruct H as [_ H].
  now apply (check_steps_spec trees (steps about)).
Qed.

Lemma before_is : forall l r i, (N.to_nat i < length l)%nat -> of_list (l ++ r) i = of_list l i.
Proof. intros. unfold of_list. now rewrite app_nth1. Qed.

Lemma value_is : forall l x r, length l = width -> of_list (l ++ x :: r) value_at = x.
Proof.
  intros l x r Hl. unfold of_list, value_at. rewrite Nat2N.id, app_nth2, Hl by lia. now rewrite Nat.sub_diag.
Qed.

Lemma smaller_is : forall l x y r, length l = width -> of_list (l ++ x :: y :: r) smaller_at = y.
Proof.
  intros l x y r Hl. unfold of_list, smaller_at, value_at. rewrite app_nth2 by lia.
  replace (N.to_nat (N.succ (N.of_nat width)) - length l)%nat with 1%nat by lia. reflexivity.
Qed.

Lemma after_is : forall l x y r i, length l = width -> of_list (l ++ x :: y :: r) (after_at + i) = of_list r i.
Proof.
  intros l x y r i Hl. unfold of_list, after_at, smaller_at, value_at. rewrite app_nth2 by lia.
  replace (N.to_nat (N.succ (N.succ (N.of_nat width)) + i) - length l)%nat with (S (S (N.to_nat i))) by lia. reflexivity.
Qed.

Lemma primes_before : forall i, i < value_at -> renamed primes i = after_at + i.
Proof.
  intros i Hi. unfold primes, value_at in *.
  assert (H : forall count start, N.of_nat start <= i < N.of_nat (start + count) ->
    renamed (map (fun j => (N.of_nat j, after_at + N.of_nat j)) (seq start count)) i = after_at + i).
  { induction count as [|count IH]; intros start Hs; [lia|]. cbn [seq map renamed].
    destruct (N.eqb_spec (N.of_nat start) i) as [<-|]; trivial. apply IH. lia. }
  apply H. lia.
Qed.

Lemma primes_value : renamed primes value_at = value_at.
Proof.
  unfold primes. assert (H : forall l, (forall j, In j l -> (j < width)%nat) ->
    renamed (map (fun j => (N.of_nat j, after_at + N.of_nat j)) l) value_at = value_at).
  { induction l as [|j l IH]; intro H; trivial. cbn [map renamed]. unfold value_at at 1.
    pose proof (H j (or_introl eq_refl)). destruct (N.eqb_spec (N.of_nat j) (N.of_nat width)); [lia|].
    apply IH. intros i Hi. apply H. now right. }
  apply H. intros j Hj. apply in_seq in Hj. lia.
Qed.

(** All numbers of a move from l to r, with a value x and a smaller one y. *)
Definition whole (l r : list N) (x y : N) : numbers := of_list (l ++ x :: y :: r).

Lemma positions_whole : forall l r x y, length l = width ->
  (holds_of positions (whole l r x y) <-> holds_of positions (of_list l)).
Proof.
  intros l r x y Hl. destruct names_right as (H & _). apply (holds_same _ _ _ _ H). intros i Hi. apply N.ltb_lt in Hi.
  apply before_is. unfold value_at in Hi. lia.
Qed.

Lemma positions_after : forall l r x y, length l = width -> length r = width ->
  (holds_of (after positions) (whole l r x y) <-> holds_of positions (of_list r)).
Proof.
  intros l r x y Hl Hr. destruct names_right as (H & _). cbn [after holds_of]. apply (holds_same _ _ _ _ H). intros i Hi.
  apply N.ltb_lt in Hi. rewrite primes_before by trivial. now apply after_is.
Qed.

Lemma claim_whole : forall l r x y, length l = width -> (holds_of claim (whole l r x y) <-> claimed l x).
Proof.
  intros l r x y Hl. destruct names_right as (_ & H & _). apply (holds_same _ _ _ _ H). intros i Hi. apply N.leb_le in Hi.
  unfold whole. destruct (N.eq_dec i value_at) as [->|Hne]; [now rewrite !value_is|].
  rewrite !before_is; trivial; unfold value_at in *; lia.
Qed.

Lemma claim_after : forall l r x y, length l = width -> length r = width ->
  (holds_of (after claim) (whole l r x y) <-> claimed r x).
Proof.
  intros l r x y Hl Hr. destruct names_right as (_ & H & _). cbn [after holds_of]. apply (holds_same _ _ _ _ H). intros i Hi.
  apply N.leb_le in Hi. destruct (N.eq_dec i value_at) as [->|Hne].
  - rewrite primes_value. unfold whole. now rewrite !value_is.
  - rewrite primes_before by lia. unfold whole. rewrite after_is by trivial. symmetry. apply before_is. unfold value_at in *. lia.
Qed.

Lemma claim_after_to_smaller : forall l r x y, length l = width -> length r = width ->
  (holds_of (after_to_smaller claim) (whole l r x y) <-> claimed r y).
Proof.
  intros l r x y Hl Hr. destruct names_right as (_ & H & _). cbn [after_to_smaller holds_of].
  apply (holds_same _ _ _ _ H). intros i Hi. apply N.leb_le in Hi. cbn [renamed].
  destruct (N.eqb_spec value_at i) as [<-|Hne].
  - unfold whole. rewrite smaller_is, value_is; trivial.
  - rewrite primes_before by lia. unfold whole. rewrite after_is by trivial. symmetry. apply before_is. unfold value_at in *. lia.
Qed.

Lemma between_whole : forall m l r x y, In m moves -> length l = width -> length r = width ->
  (holds_of (between m) (whole l r x y) <-> allows m l r).
Proof.
  intros m l r x y Hm Hl Hr. unfold between, allows, is_position. cbn [holds_of].
  rewrite positions_whole, positions_after by trivial.
  destruct names_right as (_ & _ & H). specialize (H m Hm).
  assert (E : holds_of m (whole l r x y) <-> holds_of m (of_list (l ++ [0; 0] ++ r))); [|rewrite E; tauto].
  apply (holds_same _ _ _ _ H). intros i Hi. apply orb_true_iff in Hi. rewrite N.ltb_lt, N.leb_le in Hi.
  unfold whole. destruct Hi as [Hi|Hi].
  - rewrite !before_is; trivial; unfold value_at in *; lia.
  - replace i with (after_at + (i - after_at)) by lia. cbn [app]. now rewrite !after_is.
Qed.

(** Numbers that are the same one by one. *)
Lemma holds_ext : forall s v w, (forall x, v x = w x) -> (holds_of s v <-> holds_of s w).
Proof.
  assert (Hm : forall s allowed, (forall x, allowed x = true) -> mentions allowed s = true).
  { induction s as [equal terms constant|parts|rows accepted tracks|s IH|s IHs t IHt|x s IH|names s IH]; intros allowed Ha; cbn [mentions].
    - apply forallb_forall. intros. apply Ha.
    - apply forallb_forall. intros. apply Ha.
    - apply forallb_forall. intros. apply Ha.
    - now apply IH.
    - now rewrite IHs, IHt.
    - apply IH. intro. rewrite Ha. apply orb_true_r.
    - now apply IH. }
  intros s v w E. now apply (holds_same s (fun _ => true) v w (Hm s _ (fun _ => eq_refl))).
Qed.

Lemma put_next : forall l n i, put (of_list l) (N.of_nat (length l)) n i = of_list (l ++ [n]) i.
Proof.
  intros l n i. unfold put, of_list. destruct (N.eqb_spec i (N.of_nat (length l))) as [->|Hne].
  - rewrite Nat2N.id, app_nth2, Nat.sub_diag by lia. reflexivity.
  - destruct (Nat.lt_ge_cases (N.to_nat i) (length l)) as [Hlt|Hge]; [now rewrite app_nth1|].
    rewrite !nth_overflow; trivial. rewrite app_length. cbn. lia.
Qed.

Lemma some_from_iff : forall count s l, holds_of (some_from count (N.of_nat (length l)) s) (of_list l) <->
  exists r, length r = count /\ holds_of s (of_list (l ++ r)).
Proof.
  induction count as [|count IH]; intros s l; cbn [some_from holds_of].
  - split; [intro H; exists []; now rewrite app_nil_r|]. intros ([|] & Hr & H); [now rewrite app_nil_r in H | discriminate].
  - assert (E : forall n, holds_of (some_from count (N.succ (N.of_nat (length l))) s) (put (of_list l) (N.of_nat (length l)) n)
                <-> exists r, length r = count /\ holds_of s (of_list (l ++ n :: r))).
    { intro n. rewrite (holds_ext _ _ _ (put_next l n)).
      replace (N.succ (N.of_nat (length l))) with (N.of_nat (length (l ++ [n]))) by (rewrite app_length; cbn [length]; lia).
      rewrite IH. split; intros (r & Hr & H); exists r; split; trivial; now rewrite <- app_assoc in *. }
    split.
    + intros (n & H). apply E in H. destruct H as (r & Hr & H). exists (n :: r). split; trivial. cbn. now rewrite Hr.
    + intros ([|n r] & Hr & H); [discriminate|]. exists n. apply E. exists r. split; trivial. now injection Hr.
Qed.

Lemma some_after_iff : forall s l x y, length l = width ->
  (holds_of (some_after s) (whole l [] x y) <-> exists r, length r = width /\ holds_of s (whole l r x y)).
Proof.
  intros s l x y Hl. unfold some_after, whole.
  replace after_at with (N.of_nat (length (l ++ [x; y])))
    by (rewrite app_length; cbn [length]; unfold after_at, smaller_at, value_at; lia).
  rewrite some_from_iff. split; intros (r & Hr & H); exists r; split; trivial; now rewrite <- app_assoc in *.
Qed.

(** If no move leads to the goal, all those statements are false. *)
Lemma none_of_spec : forall l v, (forall s, In s l -> ~ holds_of s v) -> holds_of (none_of l) v.
Proof.
  induction l as [|s l IH]; intros v H; [reflexivity|]. split; [apply H; now left | apply IH; intros t Ht; apply H; now right].
Qed.

Lemma without_spec : forall goal l x y, length l = width ->
  (forall r, move l r -> ~ holds_of goal (whole l r x y)) -> holds_of (without goal) (whole l [] x y).
Proof.
  intros goal l x y Hl H. apply none_of_spec. intros s Hs Hh. apply in_map_iff in Hs. destruct Hs as (m & <- & Hm).
  apply some_after_iff in Hh; trivial. destruct Hh as (r & Hr & (Hb & Hg)). apply between_whole in Hb; trivial.
  apply (H r); trivial. now exists m.
Qed.

(** ** Play ends *)

Definition weight (l : list N) : Z := total (map (fun i => (nth i weights 0%Z, N.of_nat i)) (seq 0 width)) (of_list l).

Lemma total_app : forall s t v, total (s ++ t) v = (total s v + total t v)%Z.
Proof. induction s as [|[f x] s IH]; intros t v; trivial. cbn [app total]. rewrite IH. lia. Qed.

Lemma total_opp : forall (f : nat -> Z) l v,
  total (map (fun i => (Z.opp (f i), N.of_nat i)) l) v = (- total (map (fun i => (f i, N.of_nat i)) l) v)%Z.
Proof. intros f l v. induction l as [|i l IH]; trivial. cbn [map total]. rewrite IH. lia. Qed.

Lemma weight_positive : forall l, is_position l -> (0 <= weight l)%Z.
Proof.
  intros l [Hl Hp]. pose proof (step_holds never_negative (or_introl eq_refl) l) as H. cbn [never_negative holds_of] in H.
  rewrite (total_opp (fun i => nth i weights 0%Z)) in H. unfold weight.
  destruct (Z.le_gt_cases 0 (total (map (fun i => (nth i weights 0%Z, N.of_nat i)) (seq 0 width)) (of_list l))) as [|Hn]; trivial.
  exfalso. apply H. split; trivial. lia.
Qed.

Lemma move_lowers : forall l r, move l r -> (weight r < weight l)%Z.
Proof.
  intros l r (m & Hm & Ha). pose proof Ha as Ha'. destruct Ha' as ((Hl & _) & (Hr & _) & _).
  assert (Hs : In (lowers m) (steps about)).
  { unfold steps. right. apply in_app_iff. left. now apply in_map. }
  pose proof (step_holds _ Hs (l ++ 0 :: 0 :: r)) as H. cbn [lowers holds_of] in H. change (of_list _) with (whole l r 0 0) in H.
  assert (E : holds_of lower (whole l r 0 0) <-> (weight r - weight l + 1 <= 0)%Z).
  { unfold lower. cbn [holds_of]. rewrite total_app, (total_opp (fun i => nth i weights 0%Z)). unfold weight.
    assert (E1 : forall q, (forall i, In i q -> (i < width)%nat) ->
      total (map (fun i => (nth i weights 0%Z, after_at + N.of_nat i)) q) (whole l r 0 0) =
      total (map (fun i => (nth i weights 0%Z, N.of_nat i)) q) (of_list r)).
    { induction q as [|i q IH]; intro Hq; trivial. cbn [map total]. unfold whole at 1. rewrite after_is by trivial.
      rewrite IH; trivial. intros j Hj. apply Hq. now right. }
    assert (E2 : forall q, (forall i, In i q -> (i < width)%nat) ->
      total (map (fun i => (nth i weights 0%Z, N.of_nat i)) q) (whole l r 0 0) =
      total (map (fun i => (nth i weights 0%Z, N.of_nat i)) q) (of_list l)).
    { induction q as [|i q IH]; intro Hq; trivial. cbn [map total]. unfold whole at 1.
      rewrite before_is by (rewrite Nat2N.id, Hl; apply Hq; now left).
      rewrite IH by (intros j Hj; apply Hq; now right). reflexivity. }
    rewrite E1, E2 by (intros i Hi; apply in_seq in Hi; lia). split; lia. }
  rewrite E in H. apply between_whole with (x := 0) (y := 0) in Ha; trivial.
  destruct (Z.le_gt_cases (weight r - weight l + 1) 0) as [|Hgt]; [lia|]. exfalso. apply H. split; trivial. lia.
Qed.

Theorem law_ends : well_founded (fun r l => move l r).
Proof.
  apply (wf_incl _ _ (fun r l => (0 <= weight r < weight l)%Z)).
  - intros r l H. pose proof H as (m & _ & _ & Hr & _). apply weight_positive in Hr. apply move_lowers in H. lia.
  - apply (wf_inverse_image _ _ (fun a b => (0 <= a < b)%Z) weight). apply Z.lt_wf.
Qed.

(** ** The theorems: about every game whose positions are such lists, and whose options are what the moves allow *)

Variable G : game.
Variable list_of : position G -> list N.
Hypothesis lists : forall p, is_position (list_of p).
Hypothesis options_are : forall p r, (exists q, In q (options p) /\ list_of q = r) <-> move (list_of p) r.

Lemma option_move : forall p q, In q (options p) -> move (list_of p) (list_of q).
Proof. intros p q H. apply options_are. now exists q. Qed.

Lemma no_join : forall p q x, In q (options p) -> claimed (list_of p) x -> claimed (list_of q) x -> False.
Proof.
  intros p q x Hq Hp Hc. destruct (option_move p q Hq) as (m & Hm & Ha). destruct (lists p) as [Hl _], (lists q) as [Hr _].
  assert (Hs : In (joins_none m) (steps about)).
  { unfold steps. right. apply in_app_iff. right. apply in_app_iff. left. now apply in_map. }
  pose proof (step_holds _ Hs (list_of p ++ x :: 0 :: list_of q)) as H. cbn [joins_none holds_of] in H. apply H.
  change (of_list _) with (whole (list_of p) (list_of q) x 0). split; [|split].
  - now apply (proj2 (between_whole m _ _ x 0 Hm Hl Hr)).
  - now apply claim_whole.
  - now apply (proj2 (claim_after _ _ x 0 Hl Hr)).
Qed.

Lemma in_steps : forall s, In s match about with
    | Of_outcomes => [others_reach]
    | Of_misere_outcomes => ends_are_none :: map others_reach_after moves
    | Of_values => [have_values; smaller_reached]
    | Of_misere_values => have_values :: ends_have_one :: map smaller_reached_after moves
    end -> forall n, holds_of s (of_list n).
Proof.
  intros s Hs. apply step_holds. unfold steps. right. apply in_app_iff. right. apply in_app_iff. now right.
Qed.

Lemma position_whole : forall p x y, holds_of positions (whole (list_of p) [] x y).
Proof. intros p x y. destruct (lists p) as [Hl Hp]. now apply positions_whole. Qed.

(** From a position that is not claimed, and whose claimed options are none, the step is contradicted. *)
Lemma without_claimed : forall p, (forall q, In q (options p) -> ~ claimed (list_of q) 0) ->
  holds_of (without (after claim)) (whole (list_of p) [] 0 0).
Proof.
  intros p H. destruct (lists p) as [Hl _]. apply without_spec; trivial. intros r Hr Hc.
  apply options_are in Hr. destruct Hr as (q & Hq & <-). destruct (lists q) as [Hr _].
  apply (H q Hq). now apply (claim_after (list_of p) (list_of q) 0 0 Hl Hr).
Qed.

Theorem law_outcome : about = Of_outcomes -> forall p : position G,
  (claimed (list_of p) 0 -> P_position p) /\ (~ claimed (list_of p) 0 -> N_position p).
Proof.
  intros Eabout p. induction p as [p IH] using (well_founded_induction (play_ends G)).
  destruct (outcome G p) as [[HP|HN] _]; split; intro Hc; trivial.
  - (* All options are N-positions, so none is claimed. *)
    exfalso. assert (H : holds_of others_reach (whole (list_of p) [] 0 0)).
    { apply in_steps. rewrite Eabout. now left. }
    cbn [others_reach holds_of] in H. apply H. destruct (lists p) as [Hl _]. split; [apply position_whole|]. split.
    + intro Hh. apply Hc. now apply (claim_whole (list_of p) [] 0 0 Hl).
    + apply without_claimed. intros q Hq Hcq. destruct HP as [HP]. apply (proj2 (outcome G q)).
      split; [now apply (IH q Hq) | now apply HP].
  - (* A P-position among the options is claimed. *)
    exfalso. destruct HN as [q Hq HP]. destruct (IH q Hq) as [_ Hnot].
    assert (Hd : ~ ~ claimed (list_of q) 0) by (intro Hn; apply (proj2 (outcome G q)); auto).
    apply Hd. intro Hcq. now apply (no_join p q 0).
Qed.

Theorem law_misere_outcome : about = Of_misere_outcomes -> forall p : position G,
  (claimed (list_of p) 0 -> misere_P p) /\ (~ claimed (list_of p) 0 -> misere_N p).
Proof.
  intros Eabout p. induction p as [p IH] using (well_founded_induction (play_ends G)). destruct (lists p) as [Hl _].
  destruct (misere_outcome G p) as [[HP|HN] _]; split; intro Hc; trivial.
  - exfalso. destruct HP as [Hmoves HP]. destruct (options p) as [|q0 rest] eqn:Eo; [contradiction|].
    assert (Hq0 : In q0 (options p)) by (rewrite Eo; now left). destruct (option_move p q0 Hq0) as (m & Hm & Ha).
    destruct (lists q0) as [Hr _].
    assert (H : holds_of (others_reach_after m) (whole (list_of p) [] 0 0)).
    { apply in_steps. rewrite Eabout. right. now apply in_map. }
    cbn [others_reach_after holds_of] in H.
    assert (Hsome : holds_of (some_after (between m)) (whole (list_of p) [] 0 0)).
    { apply some_after_iff; trivial. exists (list_of q0). split; trivial.
      now apply (proj2 (between_whole m _ _ 0 0 Hm Hl Hr)). }
    apply H. split; [apply position_whole|]. split; [|split; trivial].
    + intro Hh. apply Hc. now apply (claim_whole (list_of p) [] 0 0 Hl).
    + apply without_claimed. rewrite Eo in *. intros q Hq Hcq. apply (proj2 (misere_outcome G q)).
      split; [now apply (IH q Hq) | now apply HP].
  - exfalso. destruct HN as [Hend|q Hq HP].
    + assert (H : holds_of ends_are_none (whole (list_of p) [] 0 0)).
      { apply in_steps. rewrite Eabout. now left. }
      cbn [ends_are_none holds_of] in H. apply H. split; [apply position_whole|]. split; [now apply claim_whole|].
      apply none_of_spec. intros s Hs Hh. apply in_map_iff in Hs. destruct Hs as (m & <- & Hm).
      apply some_after_iff in Hh; trivial. destruct Hh as (r & Hr & Hb). apply between_whole in Hb; trivial.
      destruct (proj2 (options_are p r)) as (q & Hq & _); [now exists m|]. rewrite Hend in Hq. destruct Hq.
    + destruct (IH q Hq) as [_ Hnot].
      assert (Hd : ~ ~ claimed (list_of q) 0) by (intro Hn; apply (proj2 (misere_outcome G q)); auto).
      apply Hd. intro Hcq. now apply (no_join p q 0).
Qed.

(** No position is without a claimed value. *)
Lemma some_value : In have_values (steps about) -> forall p, ~ ~ exists x, claimed (list_of p) x.
Proof.
  intros Hs p Hn. destruct (lists p) as [Hl _]. pose proof (step_holds _ Hs (list_of p ++ [0; 0])) as H.
  cbn [have_values holds_of] in H. change (of_list _) with (whole (list_of p) [] 0 0) in H. apply H.
  split; [apply position_whole|]. intros (x & Hx). apply Hn. exists x.
  destruct names_right as (_ & Hm & _). revert Hx. apply (holds_same _ _ _ _ Hm). intros i Hi. apply N.leb_le in Hi.
  unfold put, whole. destruct (N.eqb_spec i value_at) as [->|Hne]; [now rewrite value_is|].
  rewrite !before_is; trivial; unfold value_at in *; lia.
Qed.

(** A value smaller than that of a position, and not among the values of its options: none of them claims it. *)
Lemma without_value : forall p x y, (forall q, In q (options p) -> ~ claimed (list_of q) y) ->
  holds_of (without (after_to_smaller claim)) (whole (list_of p) [] x y).
Proof.
  intros p x y H. destruct (lists p) as [Hl _]. apply without_spec; trivial. intros r Hr Hc.
  apply options_are in Hr. destruct Hr as (q & Hq & <-). destruct (lists q) as [Hr _]. apply (H q Hq).
  now apply (claim_after_to_smaller (list_of p) (list_of q) x y Hl Hr).
Qed.

Lemma less_whole : forall p x y, y < x -> holds_of less (whole (list_of p) [] x y).
Proof.
  intros p x y H. destruct (lists p) as [Hl _]. cbn [less holds_of total]. unfold whole.
  rewrite smaller_is, value_is by trivial. lia.
Qed.

Theorem law_value : about = Of_values -> forall p : position G,
  (forall x, claimed (list_of p) x -> grundy p = x) /\ ~ ~ claimed (list_of p) (grundy p).
Proof.
  intros Eabout p. induction p as [p IH] using (well_founded_induction (play_ends G)). destruct (lists p) as [Hl _].
  assert (Hvalue : forall x, claimed (list_of p) x -> grundy p = x).
  { intros x Hx. rewrite grundy_eq. apply mex_is. split.
    - rewrite in_map_iff. intros (q & E & Hq). destruct (IH q Hq) as [_ Hq2]. apply Hq2. intro Hc. rewrite E in Hc.
      now apply (no_join p q x).
    - intros y Hy. destruct (in_dec N.eq_dec y (map grundy (options p))) as [|Hn]; trivial. exfalso.
      assert (H : holds_of smaller_reached (whole (list_of p) [] x y)).
      { apply in_steps. rewrite Eabout. right. now left. }
      cbn [smaller_reached holds_of] in H. apply H. split; [apply position_whole|]. split; [now apply claim_whole|].
      split; [now apply less_whole|]. apply without_value. intros q Hq Hc. apply Hn, in_map_iff. exists q.
      split; trivial. now apply (IH q Hq). }
  split; trivial. intro Hn. assert (Hs : In have_values (steps about)).
  { unfold steps. rewrite Eabout. right. do 2 (apply in_app_iff; right). now left. }
  apply (some_value Hs p). intros (x & Hx). apply Hn. now rewrite (Hvalue x Hx).
Qed.

Theorem law_misere_value : about = Of_misere_values -> forall p : position G,
  (forall x, claimed (list_of p) x -> misere_value p = x) /\ ~ ~ claimed (list_of p) (misere_value p).
Proof.
  intros Eabout p. induction p as [p IH] using (well_founded_induction (play_ends G)). destruct (lists p) as [Hl _].
  assert (Hvalue : forall x, claimed (list_of p) x -> misere_value p = x).
  { intros x Hx. destruct (value_final_or_mex 1 G p) as [[Hend E]|[Hmoves Hmex]].
    - rewrite E. destruct (N.eq_dec 1 x) as [|Hne]; trivial. exfalso.
      assert (H : holds_of ends_have_one (whole (list_of p) [] x 0)).
      { apply in_steps. rewrite Eabout. right. now left. }
      cbn [ends_have_one holds_of total] in H. apply H. split; [apply position_whole|]. split; [now apply claim_whole|].
      split; [unfold whole; rewrite value_is by trivial; lia|].
      apply none_of_spec. intros s Hs Hh. apply in_map_iff in Hs. destruct Hs as (m & <- & Hm).
      apply some_after_iff in Hh; trivial. destruct Hh as (r & Hr & Hb). apply between_whole in Hb; trivial.
      destruct (proj2 (options_are p r)) as (q & Hq & _); [now exists m|]. rewrite Hend in Hq. destruct Hq.
    - apply (is_mex_unique _ _ _ Hmex). split.
      + rewrite in_map_iff. intros (q & E & Hq). destruct (IH q Hq) as [_ Hq2]. apply Hq2. intro Hc. rewrite E in Hc.
        now apply (no_join p q x).
      + intros y Hy. destruct (in_dec N.eq_dec y (map (value 1) (options p))) as [|Hn]; trivial. exfalso.
        destruct (options p) as [|q0 rest] eqn:Eo; [contradiction|].
        assert (Hq0 : In q0 (options p)) by (rewrite Eo; now left). destruct (option_move p q0 Hq0) as (m & Hm & Ha).
        destruct (lists q0) as [Hr _].
        assert (H : holds_of (smaller_reached_after m) (whole (list_of p) [] x y)).
        { apply in_steps. rewrite Eabout. right. right. now apply in_map. }
        cbn [smaller_reached_after holds_of] in H. apply H. split; [apply position_whole|]. split; [now apply claim_whole|].
        split; [now apply less_whole|]. split.
        * apply some_after_iff; trivial. exists (list_of q0). split; trivial.
          now apply (proj2 (between_whole m _ _ x y Hm Hl Hr)).
        * apply without_value. rewrite Eo. intros q Hq Hc. apply Hn, in_map_iff. exists q. split; trivial.
          now apply (IH q Hq). }
  split; trivial. intro Hn. assert (Hs : In have_values (steps about)).
  { unfold steps. rewrite Eabout. right. do 2 (apply in_app_iff; right). now left. }
  apply (some_value Hs p). intros (x & Hx). apply Hn. now rewrite (Hvalue x Hx).
Qed.

(** ** Names of positions: the first numbers of a position, where [starts] says which position a name means *)

Variables (starts named : statement) (name_trees : list tree).

Definition name_steps : list statement :=
  [Not (And positions (And starts (And claim (Not named)))); Not (And positions (And starts (And named (Not claim))))].

Definition check_named : bool := mentions (fun x => x <=? value_at) named && check_steps name_trees name_steps.

Definition told_of (p : position G) (x : N) : Prop := holds_of named (of_list (list_of p ++ [x])).

Lemma named_claimed : check_named = true -> forall p x, holds_of starts (of_list (list_of p ++ [x])) ->
  (told_of p x -> ~ ~ claimed (list_of p) x) /\ (claimed (list_of p) x -> ~ ~ told_of p x).
Proof.
  intros H p x Hs. unfold check_named in H. apply andb_true_iff in H. destruct H as [_ H]. destruct (lists p) as [Hl Hp].
  assert (Hp' : holds_of positions (of_list (list_of p ++ [x]))).
  { destruct names_right as (Hm & _). revert Hp. apply (holds_same _ _ _ _ Hm). intros i Hi. apply N.ltb_lt in Hi.
    apply before_is. unfold value_at in Hi. lia. }
  pose proof (check_steps_spec _ _ _ H (or_introl eq_refl) (list_of p ++ [x])) as H1.
  pose proof (check_steps_spec _ _ _ H (or_intror (or_introl eq_refl)) (list_of p ++ [x])) as H2.
  cbn [holds_of] in H1, H2. unfold claimed, told_of. split; intros Ha Hb; [apply H2 | apply H1]; auto.
Qed.

(** The law is right for every position that a name means. *)
Theorem law_named : check_named = true -> forall p x, holds_of starts (of_list (list_of p ++ [x])) ->
  match about with
  | Of_outcomes => x = 0 -> (told_of p 0 -> P_position p) /\ (~ told_of p 0 -> N_position p)
  | Of_misere_outcomes => x = 0 -> (told_of p 0 -> misere_P p) /\ (~ told_of p 0 -> misere_N p)
  | Of_values => told_of p x -> grundy p = x
  | Of_misere_values => told_of p x -> misere_value p = x
  end.
Proof.
  intros H p x Hs. destruct (named_claimed H p x Hs) as [Htold Hclaim].
  pose proof law_outcome as L1. pose proof law_misere_outcome as L2. pose proof law_value as L3.
  pose proof law_misere_value as L4. destruct about.
  - intros ->. destruct (L1 eq_refl p) as [HP HN]. destruct (outcome G p) as [[Hp|Hn] Hnot]; split; trivial; intro Ht.
    + apply HN. intro Hc. now apply (Hclaim Hc).
    + exfalso. apply (Htold Ht). intro Hc. apply Hnot. auto.
  - intros ->. destruct (L2 eq_refl p) as [HP HN]. destruct (misere_outcome G p) as [[Hp|Hn] Hnot]; split; trivial; intro Ht.
    + apply HN. intro Hc. now apply (Hclaim Hc).
    + exfalso. apply (Htold Ht). intro Hc. apply Hnot. auto.
  - intro Ht. destruct (L3 eq_refl p) as [Hv _]. destruct (N.eq_dec (grundy p) x) as [|Hne]; trivial. exfalso.
    apply (Htold Ht). intro Hc. now apply Hne, Hv.
  - intro Ht. destruct (L4 eq_refl p) as [Hv _]. destruct (N.eq_dec (misere_value p) x) as [|Hne]; trivial. exfalso.
    apply (Htold Ht). intro Hc. now apply Hne, Hv.
Qed.

(** ** Moves that win: those to P-positions, of normal or of misère play *)

Variables (told : statement) (all : bool) (move_trees : list tree).

Definition told_wins (m : statement) : statement := 
  Not (And (between m) (And starts (And told (Not (after claim))))).
Definition tells_all (m : statement) : statement :=
  Not (And (between m) (And starts (And (after claim) (Not told)))).
Definition tells_one (m : statement) : statement :=
  Not (And positions (And starts (And (some_after (And (between m) (after claim))) (without told)))).

Definition move_steps : list statement := map told_wins moves ++ map (if all then tells_all else tells_one) moves.

Definition check_moves : bool :=
  mentions (fun x => x <? value_at) starts && check_steps move_trees move_steps.

Definition lost_position (p : position G) : Prop := match about with Of_misere_outcomes => misere_P p | _ => P_position p end.

Definition is_told (p q : position G) : Prop := holds_of told (whole (list_of p) (list_of q) 0 0).

Lemma lost_claimed : about = Of_outcomes \/ about = Of_misere_outcomes -> forall p, (claimed (list_of p) 0 -> lost_position p) /\
  (~ claimed (list_of p) 0 -> ~ lost_position p) /\ (lost_position p \/ ~ lost_position p).
Proof.
  intros Eabout p. unfold lost_position. pose proof (law_outcome) as Hn. pose proof (law_misere_outcome) as Hm.
  destruct about; [| |now destruct Eabout|now destruct Eabout].
  - destruct (Hn eq_refl p) as [H1 H2]. destruct (outcome G p) as [Ho Hnot]. split; [exact H1 | split].
    + intros Hc HP. apply Hnot. auto.
    + destruct Ho as [HP|HN]; [now left | right; intro HP; now apply Hnot].
  - destruct (Hm eq_refl p) as [H1 H2]. destruct (misere_outcome G p) as [Ho Hnot]. split; [exact H1 | split].
    + intros Hc HP. apply Hnot. auto.
    + destruct Ho as [HP|HN]; [now left | right; intro HP; now apply Hnot].
Qed.

Theorem law_moves : about = Of_outcomes \/ about = Of_misere_outcomes -> check_moves = true -> forall p : position G,
  holds_of starts (of_list (list_of p)) ->
  (forall q, In q (options p) -> is_told p q -> lost_position q) /\
  (all = true -> forall q, In q (options p) -> ~ is_told p q -> ~ lost_position q) /\
  (all = false -> (forall q, In q (options p) -> ~ is_told p q) -> forall q, In q (options p) -> ~ lost_position q).
Proof.
  intros Eabout H p Hp. unfold check_moves in H. apply andb_true_iff in H. destruct H as [Hm H].
  assert (Hstart : forall r, holds_of starts (whole (list_of p) r 0 0)).
  { intro r. destruct (lists p) as [Hl _]. revert Hp. apply (holds_same _ _ _ _ Hm). intros i Hi. apply N.ltb_lt in Hi.
    apply before_is. unfold value_at in Hi. lia. }
  assert (Hsteps : forall s, In s move_steps -> forall n, holds_of s (of_list n)).
  { intros s Hs. now apply (check_steps_spec move_trees move_steps). }
  clear Hm. destruct (lists p) as [Hl _]. split; [|split].
  - intros q Hq Ht. destruct (lost_claimed Eabout q) as (_ & Hnot & [|Hn]); trivial. exfalso.
    destruct (option_move p q Hq) as (m & Hm & Ha). destruct (lists q) as [Hr _].
    assert (Hs : In (told_wins m) move_steps) by (apply in_app_iff; left; now apply in_map).
    pose proof (Hsteps _ Hs (list_of p ++ 0 :: 0 :: list_of q)) as Hh. cbn [told_wins holds_of] in Hh. apply Hh.
    change (of_list _) with (whole (list_of p) (list_of q) 0 0). split; [|split; [apply Hstart | split; trivial]].
    + now apply (proj2 (between_whole m _ _ 0 0 Hm Hl Hr)).
    + intro Hc. apply Hn. apply (claim_after _ _ 0 0 Hl Hr) in Hc. now apply (lost_claimed Eabout q).
  - intros Eall q Hq Ht Hlost. destruct (lost_claimed Eabout q) as (_ & Hnot & _).
    apply Hnot; trivial. intro Hc. destruct (option_move p q Hq) as (m & Hm & Ha). destruct (lists q) as [Hr _].
    assert (Hs : In (tells_all m) move_steps) by (unfold move_steps; rewrite Eall; apply in_app_iff; right; now apply in_map).
    pose proof (Hsteps _ Hs (list_of p ++ 0 :: 0 :: list_of q)) as Hh. cbn [tells_all holds_of] in Hh. apply Hh.
    change (of_list _) with (whole (list_of p) (list_of q) 0 0). split; [|split; [apply Hstart | split; trivial]].
    + now apply (proj2 (between_whole m _ _ 0 0 Hm Hl Hr)).
    + now apply (proj2 (claim_after _ _ 0 0 Hl Hr)).
  - intros Eall Ht q Hq Hlost. destruct (lost_claimed Eabout q) as (_ & Hnot & _).
    apply Hnot; trivial. intro Hc. destruct (option_move p q Hq) as (m & Hm & Ha). destruct (lists q) as [Hr _].
    assert (Hs : In (tells_one m) move_steps) by (unfold move_steps; rewrite Eall; apply in_app_iff; right; now apply in_map).
    pose proof (Hsteps _ Hs (list_of p ++ [0; 0])) as Hh. cbn [tells_one holds_of] in Hh. apply Hh.
    change (of_list _) with (whole (list_of p) [] 0 0). split; [apply position_whole|]. split; [apply Hstart|]. split.
    + apply some_after_iff; trivial. exists (list_of q). split; trivial. split.
      * now apply (proj2 (between_whole m _ _ 0 0 Hm Hl Hr)).
      * now apply (proj2 (claim_after _ _ 0 0 Hl Hr)).
    + apply without_spec; trivial. intros r Hmove Hg. apply options_are in Hmove. destruct Hmove as (o & Ho & <-).
      now apply (Ht o).
Qed.

End Law.
