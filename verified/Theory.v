(** * Impartial games: values, outcomes and sums

    What this file proves:
    - every position of a game that ends is either a P-position or an N-position, under normal and under misère play
      ([outcome], [misere_outcome]);
    - a position is a P-position exactly when its value is 0 ([P_iff_value_0], [misere_P_iff_value_0]);
    - the value of a sum is the nim-sum of the values ([sprague_grundy], and [sprague_grundy_list] for games whose moves
      may break a position into several).

    References: C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901);
    R. P. Sprague, Über mathematische Kampfspiele, Tôhoku Mathematical Journal 41 (1935);
    P. M. Grundy, Mathematics and games, Eureka 2 (1939);
    J. H. Conway, On Numbers and Games (1976), chapter 12 for misère play. *)

From Coq Require Import List NArith Bool Lia Wellfounded.
Import ListNotations.
Open Scope N_scope.

#[global] Arguments N.lxor : simpl never.

(** ** Nim-sums

    Numbers are Coq's binary natural numbers [N]; the nim-sum is [N.lxor]. *)

Definition nim_sum (values : list N) : N := fold_right N.lxor 0 values.

Lemma nim_sum_app : forall l r, nim_sum (l ++ r) = N.lxor (nim_sum l) (nim_sum r).
Proof. induction l as [|a l IH]; intro r; cbn; [now rewrite N.lxor_0_l | now rewrite IH, N.lxor_assoc]. Qed.

Lemma lxor_same_l : forall a b, N.lxor a (N.lxor a b) = b.
Proof. intros. now rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l. Qed.

Lemma lxor_same_r : forall a b, N.lxor (N.lxor a b) b = a.
Proof. intros. now rewrite N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r. Qed.

(** The highest bit in which two numbers differ decides which one is smaller. *)
Lemma lt_by_bit : forall x y h,
  N.testbit x h = false -> N.testbit y h = true ->
  (forall j, h < j -> N.testbit x j = N.testbit y j) -> x < y.
Proof.
  intros x y h Hx Hy Hup.
  assert (Hq : x / 2 ^ N.succ h = y / 2 ^ N.succ h).
  { rewrite <- !N.shiftr_div_pow2. apply N.bits_inj. intro j. rewrite !N.shiftr_spec by lia. apply Hup. lia. }
  assert (Hpos : 2 ^ h <> 0) by now apply N.pow_nonzero.
  rewrite N.pow_succ_r' in Hq.
  rewrite (N.mul_comm 2), <- !N.div_div in Hq by (trivial; discriminate).
  pose proof (N.testbit_spec' x h) as Bx. pose proof (N.testbit_spec' y h) as By.
  rewrite Hx in Bx. rewrite Hy in By. cbn in Bx, By.
  pose proof (N.div_mod (x / 2 ^ h) 2 ltac:(discriminate)) as Dx.
  pose proof (N.div_mod (y / 2 ^ h) 2 ltac:(discriminate)) as Dy.
  destruct (N.lt_ge_cases x y) as [|Hge]; trivial.
  pose proof (N.div_le_mono y x (2 ^ h) Hpos Hge). lia.
Qed.

(** If [i] is below the nim-sum of [a] and [b], then a smaller [a] or a smaller [b] gives the nim-sum [i]. This is
    Bouton's move in Nim. *)
Lemma bouton : forall a b i, i < N.lxor a b -> N.lxor i b < a \/ N.lxor i a < b.
Proof.
  intros a b i Hi.
  set (d := N.lxor i (N.lxor a b)).
  assert (Hd : d <> 0).
  { intro E. apply N.lxor_eq in E. lia. }
  pose proof (N.bit_log2 d Hd) as Htop.
  assert (Hup : forall j, N.log2 d < j -> N.testbit d j = false) by (intros; now apply N.bits_above_log2).
  assert (Hc : N.testbit (N.lxor a b) (N.log2 d) = true).
  { destruct (N.testbit (N.lxor a b) (N.log2 d)) eqn:Ec; trivial. exfalso.
    assert (N.lxor a b < i); [|lia].
    apply (lt_by_bit _ _ (N.log2 d)); trivial.
    - unfold d in Htop at 1. rewrite N.lxor_spec, Ec, xorb_false_r in Htop. exact Htop.
    - intros j Hj. specialize (Hup j Hj). unfold d in Hup. rewrite N.lxor_spec in Hup.
      now destruct (N.testbit i j), (N.testbit (N.lxor a b) j). }
  assert (smaller : forall x, N.testbit x (N.log2 d) = true -> N.lxor x d < x).
  { intros x Hx. apply (lt_by_bit _ _ (N.log2 d)); trivial.
    - now rewrite N.lxor_spec, Hx, Htop.
    - intros j Hj. now rewrite N.lxor_spec, Hup, xorb_false_r. }
  rewrite N.lxor_spec in Hc.
  assert (Ea : N.lxor a d = N.lxor i b).
  { unfold d. apply N.bits_inj. intro j. rewrite !N.lxor_spec.
    now destruct (N.testbit a j), (N.testbit i j), (N.testbit b j). }
  assert (Eb : N.lxor b d = N.lxor i a).
  { unfold d. apply N.bits_inj. intro j. rewrite !N.lxor_spec.
    now destruct (N.testbit a j), (N.testbit i j), (N.testbit b j). }
  rewrite <- Ea, <- Eb.
  destruct (N.testbit a (N.log2 d)) eqn:Ba; [left | right]; apply smaller; trivial.
  now destruct (N.testbit b (N.log2 d)).
Qed.

(** ** The mex: the smallest number that a list does not hold *)

Definition is_mex (l : list N) (m : N) : Prop := ~ In m l /\ forall i, i < m -> In i l.

Lemma is_mex_unique : forall l m m', is_mex l m -> is_mex l m' -> m = m'.
Proof.
  intros l m m' [Hm Hlow] [Hm' Hlow'].
  destruct (N.lt_trichotomy m m') as [H|[H|H]]; trivial; exfalso; auto.
Qed.

Lemma is_mex_same : forall l r m, (forall i, In i l <-> In i r) -> is_mex l m -> is_mex r m.
Proof. intros l r m H [Hm Hlow]. split; [now rewrite <- H | intros i Hi; apply H; auto]. Qed.

Fixpoint mex_from (fuel : nat) (i : N) (l : list N) : N :=
  match fuel with
  | O => i
  | S fuel => if in_dec N.eq_dec i l then mex_from fuel (N.succ i) (remove N.eq_dec i l) else i
  end.

Definition mex (l : list N) : N := mex_from (length l) 0 l.

Lemma mex_from_spec : forall fuel i l, (length l <= fuel)%nat ->
  i <= mex_from fuel i l /\ ~ In (mex_from fuel i l) l /\ forall j, i <= j < mex_from fuel i l -> In j l.
Proof.
  induction fuel as [|fuel IH]; intros i l Hl.
  - destruct l; [cbn; repeat split; auto; lia | cbn in Hl; lia].
  - cbn. destruct (in_dec N.eq_dec i l) as [Hi|Hi]; [|repeat split; trivial; lia].
    pose proof (remove_length_lt N.eq_dec l i Hi).
    destruct (IH (N.succ i) (remove N.eq_dec i l)) as (Hge & Hnot & Hlow); [lia|].
    repeat split; [lia | |].
    + intro Hin. apply Hnot. apply in_in_remove; trivial. lia.
    + intros j Hj. destruct (N.eq_dec j i) as [->|Hne]; trivial.
      apply (in_remove N.eq_dec l j i). apply Hlow. lia.
Qed.

Lemma mex_spec : forall l, is_mex l (mex l).
Proof.
  intro l. destruct (mex_from_spec (length l) 0 l) as (_ & Hnot & Hlow); trivial.
  split; trivial. intros i Hi. apply Hlow. unfold mex in Hi. lia.
Qed.

Lemma mex_is : forall l m, is_mex l m -> mex l = m.
Proof. intros. eapply is_mex_unique; eauto using mex_spec. Qed.

(** The mex of what one can move to in a sum, where [l] and [r] hold the values of the options of the two parts. *)
Lemma mex_of_sum : forall l r a b, is_mex l a -> is_mex r b ->
  is_mex (map (fun x => N.lxor x b) l ++ map (fun y => N.lxor a y) r) (N.lxor a b).
Proof.
  intros l r a b [Ha Hla] [Hb Hrb]. split.
  - rewrite in_app_iff, !in_map_iff. intros [(x & E & Hx)|(y & E & Hy)].
    + apply Ha. replace a with x; trivial. now rewrite <- (lxor_same_r x b), E, lxor_same_r.
    + apply Hb. replace b with y; trivial. now rewrite <- (lxor_same_l a y), E, lxor_same_l.
  - intros i Hi. rewrite in_app_iff, !in_map_iff. destruct (bouton a b i Hi) as [H|H].
    + left. exists (N.lxor i b). split; [apply lxor_same_r | auto].
    + right. exists (N.lxor i a). split; [|auto]. now rewrite (N.lxor_comm i a), lxor_same_l.
Qed.

(** ** Games

    A game is a graph: each position has a finite list of options, and there is no infinite play. *)

Record game := {
  position : Type;
  options : position -> list position;
  play_ends : well_founded (fun q p => In q (options p)) }.

Arguments options {_} _.

(** Normal play: who cannot move loses. In an N-position the next player wins, in a P-position the previous one. *)
Inductive N_position {G : game} (p : position G) : Prop :=
| N_by : forall q, In q (options p) -> P_position q -> N_position p
with P_position {G : game} (p : position G) : Prop :=
| P_all : (forall q, In q (options p) -> N_position q) -> P_position p.

(** Misère play: who cannot move wins. *)
Inductive misere_N {G : game} (p : position G) : Prop :=
| misere_N_end : options p = [] -> misere_N p
| misere_N_by : forall q, In q (options p) -> misere_P q -> misere_N p
with misere_P {G : game} (p : position G) : Prop :=
| misere_P_all : options p <> [] -> (forall q, In q (options p) -> misere_N q) -> misere_P p.

(** ** Values

    Under normal play the value of a position is the mex of the values of its options: its Grundy value, 0 at the end.
    Under misère play the end has the value 1. One definition has both: [final] is the value of the end. *)

Definition value_rule (final : N) (l : list N) : N := match l with [] => final | _ => mex l end.

Fixpoint map_in {A B} (l : list A) : (forall x, In x l -> B) -> list B :=
  match l with
  | [] => fun _ => []
  | a :: r => fun f => f a (or_introl eq_refl) :: map_in r (fun x H => f x (or_intror H))
  end.

Lemma map_in_ext : forall {A B} (l : list A) (f g : forall x, In x l -> B),
  (forall x H, f x H = g x H) -> map_in l f = map_in l g.
Proof. induction l; cbn; intros f g H; f_equal; auto. Qed.

Lemma map_in_map : forall {A B} (l : list A) (f : A -> B), map_in l (fun x _ => f x) = map f l.
Proof. induction l; cbn; intros; f_equal; auto. Qed.

Definition value (final : N) {G : game} : position G -> N :=
  Fix (play_ends G) (fun _ => N) (fun p of_option => value_rule final (map_in (options p) of_option)).

#[global] Arguments value : simpl never.

Notation grundy := (value 0).
Notation misere_value := (value 1).

Lemma value_eq : forall final (G : game) (p : position G),
  value final p = value_rule final (map (value final) (options p)).
Proof.
  intros. unfold value at 1. rewrite Fix_eq; [now rewrite map_in_map|].
  intros x f g H. f_equal. now apply map_in_ext.
Qed.

Lemma value_rule_0 : forall l, value_rule 0 l = mex l.
Proof. now destruct l. Qed.

Theorem grundy_eq : forall (G : game) (p : position G), grundy p = mex (map grundy (options p)).
Proof. intros. now rewrite value_eq, value_rule_0. Qed.

(** The rule determines the values: whatever satisfies it is the value. *)
Theorem value_unique : forall final (G : game) (f : position G -> N),
  (forall p, f p = value_rule final (map f (options p))) -> forall p, f p = value final p.
Proof.
  intros final G f Hf p. induction p as [p IH] using (well_founded_induction (play_ends G)).
  rewrite value_eq, Hf. f_equal. now apply map_ext_in.
Qed.

Lemma grundy_of_option : forall (G : game) (p q : position G), In q (options p) -> grundy q <> grundy p.
Proof.
  intros G p q Hq E. destruct (mex_spec (map grundy (options p))) as [Hnot _].
  rewrite <- grundy_eq, <- E in Hnot. now apply Hnot, in_map.
Qed.

(** ** Values decide the outcome *)

Lemma value_final_or_mex : forall final (G : game) (p : position G),
  (options p = [] /\ value final p = final) \/
  (options p <> [] /\ is_mex (map (value final) (options p)) (value final p)).
Proof.
  intros. rewrite value_eq. destruct (options p) as [|q r]; [now left | right].
  split; [discriminate | apply mex_spec].
Qed.

Theorem P_iff_value_0 : forall (G : game) (p : position G),
  (P_position p <-> grundy p = 0) /\ (N_position p <-> grundy p <> 0).
Proof.
  intros G p. induction p as [p IH] using (well_founded_induction (play_ends G)).
  pose proof (mex_spec (map grundy (options p))) as [Hnot Hlow]. rewrite <- grundy_eq in Hnot, Hlow.
  split; split.
  - intros [Hall]. destruct (N.eq_dec (grundy p) 0) as [|Hne]; trivial. exfalso.
    destruct (proj1 (in_map_iff _ _ _) (Hlow 0 ltac:(lia))) as (q & E & Hq).
    now apply (proj2 (IH q Hq)) in E; [|apply Hall].
  - intro E. constructor. intros q Hq. apply (IH q Hq). intro E'. apply (grundy_of_option _ p q Hq). congruence.
  - intros [q Hq HP] E. apply (IH q Hq) in HP. apply (grundy_of_option _ p q Hq). congruence.
  - intro Hne. destruct (proj1 (in_map_iff _ _ _) (Hlow 0 ltac:(lia))) as (q & E & Hq).
    apply (N_by p q Hq). now apply (IH q Hq).
Qed.

Theorem misere_P_iff_value_0 : forall (G : game) (p : position G),
  (misere_P p <-> misere_value p = 0) /\ (misere_N p <-> misere_value p <> 0).
Proof.
  intros G p. induction p as [p IH] using (well_founded_induction (play_ends G)).
  destruct (value_final_or_mex 1 G p) as [[Hend E]|[Hmoves [Hnot Hlow]]].
  - rewrite E. split; split.
    + now intros [Hmoves _].
    + discriminate.
    + discriminate.
    + intros _. now apply misere_N_end.
  - split; split.
    + intros [_ Hall]. destruct (N.eq_dec (misere_value p) 0) as [|Hne]; trivial. exfalso.
      destruct (proj1 (in_map_iff _ _ _) (Hlow 0 ltac:(lia))) as (q & E & Hq).
      now apply (proj2 (IH q Hq)) in E; [|apply Hall].
    + intro E. constructor; trivial. intros q Hq. apply (IH q Hq). intro E'. apply Hnot. rewrite E, <- E'.
      now apply in_map.
    + intros [Hend|q Hq HP]; [contradiction|]. apply (IH q Hq) in HP. intro E. apply Hnot. rewrite E, <- HP.
      now apply in_map.
    + intro Hne. destruct (proj1 (in_map_iff _ _ _) (Hlow 0 ltac:(lia))) as (q & E & Hq).
      apply (misere_N_by p q Hq). now apply (IH q Hq).
Qed.

Theorem outcome : forall (G : game) (p : position G),
  (P_position p \/ N_position p) /\ ~ (P_position p /\ N_position p).
Proof.
  intros G p. destruct (P_iff_value_0 G p) as [HP HN]. rewrite HP, HN.
  split; [destruct (N.eq_dec (grundy p) 0); auto | tauto].
Qed.

Theorem misere_outcome : forall (G : game) (p : position G),
  (misere_P p \/ misere_N p) /\ ~ (misere_P p /\ misere_N p).
Proof.
  intros G p. destruct (misere_P_iff_value_0 G p) as [HP HN]. rewrite HP, HN.
  split; [destruct (N.eq_dec (misere_value p) 0); auto | tauto].
Qed.

(** ** Sums

    In a sum of two games a player moves in one of them and leaves the other as it is. *)

Definition sum_options {G H : game} (p : position G * position H) : list (position G * position H) :=
  map (fun x => (x, snd p)) (options (fst p)) ++ map (fun y => (fst p, y)) (options (snd p)).

Lemma sum_ends : forall G H, well_founded (fun q p : position G * position H => In q (sum_options p)).
Proof.
  intros G H [p q]. revert q. induction p as [p IHp] using (well_founded_induction (play_ends G)). intro q.
  induction q as [q IHq] using (well_founded_induction (play_ends H)).
  constructor. intros r Hr. unfold sum_options in Hr. cbn in Hr.
  apply in_app_iff in Hr. rewrite !in_map_iff in Hr. destruct Hr as [(x & <- & Hx)|(y & <- & Hy)]; auto.
Qed.

Definition sum (G H : game) : game :=
  {| position := position G * position H; options := sum_options; play_ends := sum_ends G H |}.

Theorem sprague_grundy : forall (G H : game) (p : position G) (q : position H),
  value 0 (G := sum G H) (p, q) = N.lxor (grundy p) (grundy q).
Proof.
  intros G H p. induction p as [p IHp] using (well_founded_induction (play_ends G)). intro q.
  induction q as [q IHq] using (well_founded_induction (play_ends H)).
  rewrite grundy_eq. apply mex_is. cbn. unfold sum_options. cbn [fst snd]. rewrite map_app, !map_map.
  rewrite (map_ext_in _ (fun x => N.lxor (grundy x) (grundy q)) (options p)) by auto.
  rewrite (map_ext_in _ (fun y => N.lxor (grundy p) (grundy y)) (options q)) by auto.
  rewrite <- (map_map grundy (fun x => N.lxor x (grundy q))), <- (map_map grundy (fun y => N.lxor (grundy p) y)).
  apply mex_of_sum; rewrite grundy_eq; apply mex_spec.
Qed.

(** So a sum of two games is lost for the player to move exactly when their values are equal. *)
Corollary sum_P_iff_equal : forall (G H : game) (p : position G) (q : position H),
  P_position (G := sum G H) (p, q) <-> grundy p = grundy q.
Proof.
  intros. rewrite (proj1 (P_iff_value_0 _ _)), sprague_grundy. split; [apply N.lxor_eq |].
  intros ->. apply N.lxor_nilpotent.
Qed.

(** ** Games whose moves break positions into several

    Heaps that split, regions of a board, several tokens: a component is of type [A], a move turns one component into a
    list of components, and a position is a list of components. *)

Section Components.

Variable A : Type.
Variable moves : A -> list (list A).

Definition part_of (b a : A) : Prop := exists parts, In parts (moves a) /\ In b parts.

Hypothesis parts_end : well_founded part_of.

Fixpoint list_options (l : list A) : list (list A) :=
  match l with
  | [] => []
  | a :: r => map (fun parts => parts ++ r) (moves a) ++ map (cons a) (list_options r)
  end.

Lemma list_options_app : forall l r,
  list_options (l ++ r) = map (fun x => x ++ r) (list_options l) ++ map (fun y => l ++ y) (list_options r).
Proof.
  induction l as [|a l IH]; intro r; cbn; [now rewrite map_id|].
  rewrite IH, !map_app, !map_map, <- app_assoc. f_equal.
  apply map_ext. intro. apply app_assoc.
Qed.

Lemma list_options_one : forall a, list_options [a] = moves a.
Proof.
  intro. cbn. rewrite app_nil_r, <- map_id. apply map_ext. intro. now rewrite app_nil_r.
Qed.

Lemma list_play_ends : well_founded (fun q p => In q (list_options p)).
Proof.
  assert (Happ : forall l, Acc (fun q p => In q (list_options p)) l -> forall r,
                 Acc (fun q p => In q (list_options p)) r -> Acc (fun q p => In q (list_options p)) (l ++ r)).
  { intros l Hl. induction Hl as [l Hl IHl]. intros r Hr. induction Hr as [r Hr IHr].
    constructor. intros q Hq. rewrite list_options_app, in_app_iff, !in_map_iff in Hq.
    destruct Hq as [(x & <- & Hx)|(y & <- & Hy)]; [apply IHl; trivial; now constructor | auto]. }
  assert (Hone : forall a, Acc (fun q p => In q (list_options p)) [a]).
  { intro a. induction a as [a IH] using (well_founded_induction parts_end).
    constructor. intros parts Hparts. rewrite list_options_one in Hparts.
    assert (Hin : forall b, In b parts -> part_of b a) by (intros b Hb; now exists parts).
    clear Hparts. induction parts as [|b parts IHparts]; [now constructor|].
    apply (Happ [b]).
    - apply IH, Hin. now left.
    - apply IHparts. intros c Hc. apply Hin. now right. }
  intro l. induction l as [|a l IH]; [now constructor|]. now apply (Happ [a]).
Qed.

Definition list_game : game := {| position := list A; options := list_options; play_ends := list_play_ends |}.

Lemma grundy_app : forall l r : list A,
  value 0 (G := list_game) (l ++ r) = N.lxor (value 0 (G := list_game) l) (value 0 (G := list_game) r).
Proof.
  intro l. induction l as [l IHl] using (well_founded_induction list_play_ends). intro r.
  induction r as [r IHr] using (well_founded_induction list_play_ends).
  rewrite grundy_eq. apply mex_is. cbn [options list_game]. rewrite list_options_app, map_app, !map_map.
  rewrite (map_ext_in _ (fun x => N.lxor (value 0 (G := list_game) x) (value 0 (G := list_game) r))) by auto.
  rewrite (map_ext_in _ (fun y => N.lxor (value 0 (G := list_game) l) (value 0 (G := list_game) y)) (list_options r))
    by auto.
  rewrite <- (map_map (value 0 (G := list_game)) (fun x => N.lxor x (value 0 (G := list_game) r))).
  rewrite <- (map_map (value 0 (G := list_game)) (fun y => N.lxor (value 0 (G := list_game) l) y)).
  apply mex_of_sum; rewrite grundy_eq; apply mex_spec.
Qed.

(** The value of one component, as a position by itself. *)
Definition component_value (a : A) : N := value 0 (G := list_game) [a].

Theorem sprague_grundy_list : forall l : list A,
  value 0 (G := list_game) l = nim_sum (map component_value l).
Proof.
  induction l as [|a l IH]; [now rewrite grundy_eq|].
  change (a :: l) with ([a] ++ l). rewrite grundy_app, IH. reflexivity.
Qed.

Lemma component_value_eq : forall a,
  component_value a = mex (map (fun parts => nim_sum (map component_value parts)) (moves a)).
Proof.
  intro a. unfold component_value at 1. rewrite grundy_eq. cbn [options list_game].
  rewrite list_options_one. f_equal. apply map_ext, sprague_grundy_list.
Qed.

(** What satisfies the mex rule for components is their value. *)
Theorem component_value_unique : forall f : A -> N,
  (forall a, is_mex (map (fun parts => nim_sum (map f parts)) (moves a)) (f a)) -> forall a, f a = component_value a.
Proof.
  intros f Hf a. induction a as [a IH] using (well_founded_induction parts_end).
  rewrite component_value_eq. symmetry. apply mex_is.
  rewrite (map_ext_in _ (fun parts => nim_sum (map f parts))); [apply Hf|].
  intros parts Hparts. f_equal. apply map_ext_in. intros b Hb. symmetry. apply IH. now exists parts.
Qed.

Theorem list_P_iff : forall l : list A,
  P_position (G := list_game) l <-> nim_sum (map component_value l) = 0.
Proof. intro. now rewrite (proj1 (P_iff_value_0 list_game l)), sprague_grundy_list. Qed.

End Components.

(** Several tokens on the graph of one game: each component is a position, and a move changes one of them. *)

Definition token_moves (G : game) (p : position G) : list (list (position G)) := map (fun q => [q]) (options p).

Lemma tokens_end : forall G, well_founded (part_of (position G) (token_moves G)).
Proof.
  intros G p. induction p as [p IH] using (well_founded_induction (play_ends G)). constructor.
  intros q (parts & Hparts & Hq). apply in_map_iff in Hparts. destruct Hparts as (x & <- & Hx).
  destruct Hq as [->|[]]. auto.
Qed.

Definition tokens (G : game) : game := list_game (position G) (token_moves G) (tokens_end G).

Lemma token_value : forall G p, component_value (position G) (token_moves G) (tokens_end G) p = grundy p.
Proof.
  intros G p. symmetry. revert p. apply component_value_unique. intro p.
  unfold token_moves. rewrite map_map, grundy_eq. cbn. rewrite (map_ext _ grundy); [apply mex_spec|].
  intro. apply N.lxor_0_r.
Qed.

Theorem tokens_P_iff : forall (G : game) (l : list (position G)),
  P_position (G := tokens G) l <-> nim_sum (map grundy l) = 0.
Proof.
  intros. unfold tokens. rewrite list_P_iff. erewrite map_ext; [reflexivity | apply token_value].
Qed.
