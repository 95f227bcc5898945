(** * Misère quotients: the outcome of every sum of some positions

    What this file proves: [quotient_outcome], [quotient_is_least]. Each position acts on the elements of a finite
    commutative monoid, and some elements are marked as lost. If [check_quotient] accepts the actions, a sum of the
    positions is a P-position of misère play exactly when it carries the identity to a lost element. If
    [check_least] accepts as well, sums of different elements have different outcomes together with some third sum, so
    no smaller monoid is possible. [code_quotient] states the first for the heaps of a code, with the moves of the code.

    For a sum X let W(X) be the set of elements q such that an option of X carries q to a lost element. There are
    infinitely many sums, but W(X + Y) follows from W(X), W(Y) and the elements of X and Y. So the check needs finitely
    many pairs of an element and a set that is part of W. The pairs are hints that need no trust.

    Reference: T. E. Plambeck, A. N. Siegel, Misère quotients for impartial games, Journal of Combinatorial Theory A 115
    (2008). *)

From Coq Require Import List NArith Bool Lia Wellfounded.
From Graphgame Require Import Theory Mex Octal.
Import ListNotations.
Open Scope N_scope.

Section Quotient.

(** Positions are numbers below [count], elements are numbers below [order], and 0 is the identity. [step h q] is the
    product of q with the element of position h, [mul x q] the product of two elements. *)
Variable moves : N -> list (list N).
Variables (order count : N) (step mul : N -> N -> N) (lost : N -> bool).

Definition act (sum : list N) (q : N) : N := fold_right step q sum.

(** Pair i: the element [element i] with the set [wins i]. Pairs below [generators] are those of positions: [pair_of h].
    The product of the pairs i and g has the set of [product_of i g], or a smaller one. A number of [size] or more says
    that the set is full: it holds all elements that are not carried to lost ones. *)
Variables (size generators : N) (element : N -> N) (wins : N -> N -> bool) (pair_of : N -> N) (product_of : N -> N -> N).

Definition each_element (f : N -> bool) : bool := all_range 0 order f.

Lemma each_element_same : forall f f', (forall q, f q = f' q) -> each_element f = each_element f'.
Proof using Type.
  intros f f' E. apply eq_true_iff_eq. unfold each_element. rewrite !all_range_spec.
  split; intros H q Hq; specialize (H q Hq); congruence.
Qed.

Definition wins_of (options : list (list N)) (q : N) : bool := existsb (fun parts => lost (act parts q)) options.

Definition check_position (h : N) : bool :=
  let options := moves h in
  if forallb (forallb (fun a => a <? count)) options then
    match options with
    | [] => each_element (fun q => step h q =? q)
    | _ => each_element (fun q => if wins_of options q then negb (lost (step h q)) else true)
    end
  else false.

Definition check_table : bool :=
  if each_element (fun q => mul 0 q =? q) then
    all_range 0 count (fun h => each_element (fun x =>
      if step h x <? order then each_element (fun q => mul (step h x) q =? step h (mul x q)) else false))
  else false.

Definition check_commutes : bool :=
  all_range 0 count (fun h => all_range 0 h (fun j => each_element (fun q => step h (step j q) =? step j (step h q)))).

Definition covered_by (i x : N) (w : N -> bool) : bool :=
  if i <? size then
    if element i =? x then each_element (fun q => if wins i q then w q else true) else false
  else each_element (fun q => if lost (mul x q) then true else w q).

Definition check_pair_of (h : N) : bool :=
  let options := moves h in
  match options with
  | [] => true
  | _ =>
    let i := pair_of h in
    if (i <? generators) || (size <=? i) then covered_by i (step h 0) (wins_of options) else false
  end.

Definition check_pair (i : N) : bool :=
  if lost (element i) || wins i 0 then
    all_range 0 generators (fun g =>
      covered_by (product_of i g) (mul (element g) (element i))
        (fun q => wins g (mul (element i) q) || wins i (mul (element g) q)))
  else false.

Definition check_quotient : bool :=
  if (0 <? order) && (generators <=? size) && negb (lost 0) then
    if all_range 0 count check_position then
      if check_table then
        if check_commutes then
          if all_range 0 count check_pair_of then all_range 0 size check_pair else false
        else false
      else false
    else false
  else false.

Hypothesis parts_end : well_founded (part_of N moves).
Hypothesis checked : check_quotient = true.

Definition listed (sum : list N) : Prop := forall h, In h sum -> h < count.

Let G := list_game N moves parts_end.

Lemma parts_of_check : 0 < order /\ generators <= size /\ lost 0 = false /\
  (forall h, h < count -> check_position h = true) /\ check_table = true /\ check_commutes = true /\
  (forall h, h < count -> check_pair_of h = true) /\ (forall i, i < size -> check_pair i = true).
Proof using checked.
  unfold check_quotient in checked. destruct ((0 <? order) && _ && _) eqn:E; [|discriminate].
  apply andb_true_iff in E. destruct E as [E El]. apply andb_true_iff in E. destruct E as [Eo Eg].
  destruct (all_range 0 count check_position) eqn:E1; [|discriminate]. destruct check_table; [|discriminate].
  destruct check_commutes; [|discriminate]. destruct (all_range 0 count check_pair_of) eqn:E2; [|discriminate].
  rewrite all_range_spec in E1, E2, checked. apply N.ltb_lt in Eo. apply N.leb_le in Eg. apply negb_true_iff in El.
  repeat split; trivial; intros; [apply E1 | apply E2 | apply checked]; lia.
Qed.

Lemma listed_cons : forall h l, listed (h :: l) -> h < count /\ listed l.
Proof using Type. intros h l H. split; [apply H; now left | intros a Ha; apply H; now right]. Qed.

Lemma parts_listed : forall h parts, h < count -> In parts (moves h) -> listed parts.
Proof using checked.
  intros h parts Hh Hp. destruct parts_of_check as (_ & _ & _ & H & _). specialize (H h Hh). unfold check_position in H.
  cbv zeta in H. destruct (forallb _ (moves h)) eqn:E; [|discriminate]. rewrite forallb_forall in E.
  specialize (E parts Hp). rewrite forallb_forall in E. intros a Ha. now apply N.ltb_lt, E.
Qed.

Lemma options_listed : forall l q, listed l -> In q (list_options N moves l) -> listed q.
Proof using checked.
  induction l as [|h l IH]; intros q Hl Hq; [destruct Hq|]. destruct (listed_cons _ _ Hl) as [Hh Hl'].
  cbn [list_options] in Hq. apply in_app_iff in Hq. rewrite !in_map_iff in Hq.
  destruct Hq as [(parts & <- & Hp)|(r & <- & Hr)].
  - intros a Ha. apply in_app_iff in Ha. destruct Ha as [Ha|Ha]; [now apply (parts_listed h parts) | now apply Hl'].
  - intros a [<-|Ha]; trivial. now apply (IH r).
Qed.

Lemma act_app : forall l r q, act (l ++ r) q = act l (act r q).
Proof using Type. intros. unfold act. apply fold_right_app. Qed.

Lemma step_checked : forall h x, h < count -> x < order -> step h x < order /\
  forall q, q < order -> mul (step h x) q = step h (mul x q).
Proof using checked.
  intros h x Hh Hx. destruct parts_of_check as (_ & _ & _ & _ & H & _). unfold check_table, each_element in H.
  destruct (all_range 0 order _) eqn:E0; [|discriminate]. rewrite all_range_spec in H. specialize (H h ltac:(lia)).
  cbv beta in H. rewrite all_range_spec in H. specialize (H x ltac:(lia)). cbv beta in H.
  destruct (N.ltb_spec (step h x) order) as [Hlt|]; [|discriminate]. split; trivial.
  intros q Hq. rewrite all_range_spec in H. apply N.eqb_eq, H. lia.
Qed.

Lemma mul_0 : forall q, q < order -> mul 0 q = q.
Proof using checked.
  intros q Hq. destruct parts_of_check as (_ & _ & _ & _ & H & _). unfold check_table, each_element in H.
  destruct (all_range 0 order (fun q => mul 0 q =? q)) eqn:E0; [|discriminate]. rewrite all_range_spec in E0.
  apply N.eqb_eq, E0. lia.
Qed.

Lemma steps_commute : forall h j q, h < count -> j < count -> q < order -> step h (step j q) = step j (step h q).
Proof using checked.
  intros h j q Hh Hj Hq. destruct parts_of_check as (_ & _ & _ & _ & _ & H & _). unfold check_commutes, each_element in H.
  rewrite all_range_spec in H.
  assert (Hlt : forall a b, a < count -> b < a -> step a (step b q) = step b (step a q)).
  { intros a b Ha Hb. specialize (H a ltac:(lia)). cbv beta in H. rewrite all_range_spec in H.
    specialize (H b ltac:(lia)). cbv beta in H. rewrite all_range_spec in H. apply N.eqb_eq, H. lia. }
  destruct (N.lt_trichotomy h j) as [|[->|]]; trivial; [symmetry|]; now apply Hlt.
Qed.

Lemma act_below : forall l q, listed l -> q < order -> act l q < order.
Proof using checked.
  induction l as [|h l IH]; intros q Hl Hq; [exact Hq|]. destruct (listed_cons _ _ Hl) as [Hh Hl'].
  change (act (h :: l) q) with (step h (act l q)). apply step_checked; trivial. now apply IH.
Qed.

Lemma step_act : forall h l q, h < count -> listed l -> q < order -> step h (act l q) = act l (step h q).
Proof using checked.
  intros h. induction l as [|j l IH]; intros q Hh Hl Hq; [reflexivity|]. destruct (listed_cons _ _ Hl) as [Hj Hl'].
  change (step h (step j (act l q)) = step j (act l (step h q))).
  rewrite steps_commute by (trivial; now apply act_below). f_equal. now apply IH.
Qed.

Lemma act_mul : forall l q, listed l -> q < order -> mul (act l 0) q = act l q.
Proof using checked.
  destruct parts_of_check as (Ho & _).
  induction l as [|h l IH]; intros q Hl Hq; [now apply mul_0|]. destruct (listed_cons _ _ Hl) as [Hh Hl'].
  change (mul (step h (act l 0)) q = step h (act l q)).
  rewrite (proj2 (step_checked h (act l 0) Hh (act_below _ _ Hl' Ho))) by trivial. f_equal. now apply IH.
Qed.

Lemma step_mul : forall h q, h < count -> q < order -> mul (step h 0) q = step h q.
Proof using checked. intros h q Hh Hq. apply (act_mul [h]); trivial. now intros a [<-|[]]. Qed.

(** ** The set W *)

Definition winning (l : list N) (q : N) : Prop := exists r, In r (list_options N moves l) /\ lost (act r q) = true.

Lemma wins_of_spec : forall options q, wins_of options q = true <-> exists parts, In parts options /\ lost (act parts q) = true.
Proof using Type. intros. apply existsb_exists. Qed.

Lemma winning_cons : forall h l q, listed (h :: l) -> q < order ->
  winning (h :: l) q <-> wins_of (moves h) (act l q) = true \/ winning l (step h q).
Proof using checked.
  intros h l q Hl Hq. destruct (listed_cons _ _ Hl) as [Hh Hl']. unfold winning. cbn [list_options]. rewrite wins_of_spec.
  split.
  - intros (r & Hr & E). apply in_app_iff in Hr. rewrite !in_map_iff in Hr.
    destruct Hr as [(parts & <- & Hp)|(s & <- & Hs)].
    + left. exists parts. now rewrite act_app in E.
    + right. exists s. split; trivial. rewrite <- step_act; trivial. now apply (options_listed l).
  - intros [(parts & Hp & E)|(s & Hs & E)].
    + exists (parts ++ l). split; [|now rewrite act_app]. apply in_app_iff. left. apply in_map_iff. now exists parts.
    + exists (h :: s). split; [apply in_app_iff; right; now apply in_map|].
      change (lost (step h (act s q)) = true). rewrite step_act; trivial. now apply (options_listed l).
Qed.

Lemma not_both : forall l q, listed l -> q < order -> winning l q -> lost (act l q) = false.
Proof using checked.
  induction l as [|h l IH]; intros q Hl Hq Hw; [now destruct Hw as (r & [] & _)|].
  destruct (listed_cons _ _ Hl) as [Hh Hl']. change (lost (step h (act l q)) = false).
  apply winning_cons in Hw; trivial. destruct Hw as [Hw|Hw].
  - destruct parts_of_check as (_ & _ & _ & H & _). specialize (H h Hh). unfold check_position in H. cbv zeta in H.
    destruct (forallb _ (moves h)); [|discriminate]. destruct (moves h) as [|o r] eqn:E; [discriminate|].
    unfold each_element in H. rewrite all_range_spec in H. pose proof (act_below l q Hl' Hq).
    specialize (H (act l q) ltac:(lia)). cbv beta in H. rewrite Hw in H. now apply negb_true_iff in H.
  - rewrite step_act by trivial. apply IH; trivial. now apply step_checked.
Qed.

Lemma end_steps : forall h q, h < count -> moves h = [] -> q < order -> step h q = q.
Proof using checked.
  intros h q Hh E Hq. destruct parts_of_check as (_ & _ & _ & H & _). specialize (H h Hh). unfold check_position in H.
  rewrite E in H. cbn in H. unfold each_element in H. rewrite all_range_spec in H. apply N.eqb_eq, H. lia.
Qed.

Lemma no_options : forall l q, listed l -> q < order -> list_options N moves l = [] -> act l q = q.
Proof using checked.
  induction l as [|h l IH]; intros q Hl Hq E; trivial. destruct (listed_cons _ _ Hl) as [Hh Hl'].
  cbn [list_options] in E. apply app_eq_nil in E. destruct E as [Eh El]. apply map_eq_nil in Eh, El.
  change (step h (act l q) = q). rewrite IH by trivial. now apply end_steps.
Qed.

(** A set is covered if a pair of the list has the same element and a part of the set, or if it is full. *)
Definition covered (x : N) (w : N -> Prop) : Prop :=
  (forall q, q < order -> lost (mul x q) = false -> w q) \/
  (exists i, i < size /\ element i = x /\ forall q, q < order -> wins i q = true -> w q).

Lemma covered_by_spec : forall i x w, covered_by i x w = true ->
  if i <? size then element i = x /\ forall q, q < order -> wins i q = true -> w q = true
  else forall q, q < order -> lost (mul x q) = false -> w q = true.
Proof using Type.
  intros i x w H. unfold covered_by, each_element in H. destruct (i <? size).
  - destruct (N.eqb_spec (element i) x); [|discriminate]. split; trivial. intros q Hq E. rewrite all_range_spec in H.
    specialize (H q ltac:(lia)). cbv beta in H. now rewrite E in H.
  - intros q Hq E. rewrite all_range_spec in H. specialize (H q ltac:(lia)). cbv beta in H. now rewrite E in H.
Qed.

Lemma covered_weaker : forall x (w v : N -> Prop), (forall q, q < order -> w q -> v q) -> covered x w -> covered x v.
Proof using Type.
  intros x w v H [Hf|(i & Hi & E & Hw)]; [left; auto | right; exists i; auto].
Qed.

Lemma covered_position : forall h, h < count -> moves h <> [] ->
  (forall q, q < order -> lost (step h q) = false -> wins_of (moves h) q = true) \/
  (exists g, g < generators /\ element g = step h 0 /\ forall q, q < order -> wins g q = true -> wins_of (moves h) q = true).
Proof using checked.
  intros h Hh Hm. destruct parts_of_check as (_ & Hg & _ & _ & _ & _ & H & _). specialize (H h Hh).
  unfold check_pair_of in H. cbv zeta in H. destruct (moves h) as [|o r] eqn:E; [contradiction|].
  destruct ((pair_of h <? generators) || (size <=? pair_of h)) eqn:Ei; [|discriminate].
  apply covered_by_spec in H. destruct (N.ltb_spec (pair_of h) size) as [Hlt|Hge].
  - right. exists (pair_of h). split; trivial. apply orb_true_iff in Ei. destruct Ei as [Ei|Ei]; [now apply N.ltb_lt|].
    apply N.leb_le in Ei. lia.
  - left. intros q Hq El. apply H; trivial. now rewrite step_mul.
Qed.

Lemma covered_sum : forall l, listed l -> list_options N moves l <> [] -> covered (act l 0) (winning l).
Proof using checked.
  destruct parts_of_check as (Ho & Hg & _ & _ & _ & _ & _ & Hpairs).
  induction l as [|h l IH]; intros Hl Hne; [now destruct Hne|]. destruct (listed_cons _ _ Hl) as [Hh Hl'].
  specialize (IH Hl'). change (act (h :: l) 0) with (step h (act l 0)).
  pose proof (fun q Hq => winning_cons h l q Hl Hq) as Hcons.
  assert (Hmul : forall q, q < order -> mul (step h (act l 0)) q = step h (act l q)).
  { intros q Hq. exact (act_mul (h :: l) q Hl Hq). }
  destruct (list_eq_dec (list_eq_dec N.eq_dec) (moves h) []) as [Em|Em].
  - rewrite end_steps; trivial; [|now apply act_below].
    apply (covered_weaker _ (winning l)).
    + intros q Hq Hw. apply Hcons; trivial. right. now rewrite end_steps.
    + apply IH. intro El. apply Hne. cbn [list_options]. now rewrite Em, El.
  - destruct (covered_position h Hh Em) as [Hfull|(g & Hgg & Eg & Hw)].
    { left. intros q Hq E. apply Hcons; trivial. left. rewrite Hmul in E by trivial. apply Hfull; trivial.
      now apply act_below. }
    destruct (list_eq_dec (list_eq_dec N.eq_dec) (list_options N moves l) []) as [El|El].
    { rewrite (no_options l 0) by trivial. right. exists g. repeat split; trivial; [lia|]. intros q Hq Eq.
      apply Hcons; trivial. left. rewrite no_options by trivial. now apply Hw. }
    destruct (IH El) as [Hfull|(i & Hi & Ei & Hwi)].
    { left. intros q Hq E. rewrite Hmul in E by trivial. apply Hcons; trivial. right.
      pose proof (proj1 (step_checked h q Hh Hq)). apply Hfull; trivial. rewrite act_mul, <- step_act by trivial. exact E. }
    specialize (Hpairs i Hi). unfold check_pair in Hpairs. destruct (_ || _); [|discriminate].
    rewrite all_range_spec in Hpairs. specialize (Hpairs g ltac:(lia)). cbv beta in Hpairs.
    rewrite Eg, Ei, step_mul in Hpairs by (trivial; now apply act_below). apply covered_by_spec in Hpairs.
    assert (Hproduct : forall q, q < order ->
      wins g (mul (act l 0) q) || wins i (mul (step h 0) q) = true -> winning (h :: l) q).
    { intros q Hq E. apply Hcons; trivial. rewrite act_mul, step_mul in E by trivial. apply orb_true_iff in E.
      destruct E as [E|E]; [left | right].
      - apply Hw; trivial. now apply act_below.
      - apply Hwi; trivial. now apply step_checked. }
    destruct (N.ltb_spec (product_of i g) size) as [Hlt|Hge].
    + right. destruct Hpairs as [E H]. exists (product_of i g). auto.
    + left. auto.
Qed.

(** ** The theorem *)

Lemma outcome_by : forall l, listed l ->
  (lost (act l 0) = true -> misere_P (G := G) l) /\ (lost (act l 0) = false -> misere_N (G := G) l).
Proof using checked.
  destruct parts_of_check as (Ho & _ & H0 & _ & _ & _ & _ & Hpairs).
  intro l. induction l as [l IH] using (well_founded_induction (play_ends G)). intro Hl.
  destruct (list_eq_dec (list_eq_dec N.eq_dec) (list_options N moves l) []) as [E|E].
  - rewrite (no_options l 0) by trivial. split; [congruence | intros _; now apply misere_N_end].
  - split; intro El.
    + constructor; trivial. intros r Hr. apply (IH r Hr); [now apply (options_listed l)|].
      destruct (lost (act r 0)) eqn:Er; trivial.
      pose proof (not_both l 0 Hl Ho (ex_intro _ r (conj Hr Er))). congruence.
    + assert (Hw : winning l 0).
      { destruct (covered_sum l Hl E) as [Hfull|(i & Hi & Ei & Hw)].
        - apply Hfull; trivial. now rewrite act_mul.
        - apply Hw; trivial. specialize (Hpairs i Hi). unfold check_pair in Hpairs. rewrite Ei, El in Hpairs.
          cbn [orb] in Hpairs. now destruct (wins i 0). }
      destruct Hw as (r & Hr & Er). apply (misere_N_by (G := G) l r Hr). apply (IH r Hr); trivial.
      now apply (options_listed l).
Qed.

(** Sums of the positions: the element of the sum tells the outcome. *)
Theorem quotient_outcome : forall l, listed l ->
  (misere_P (G := G) l <-> lost (act l 0) = true) /\ (misere_N (G := G) l <-> lost (act l 0) = false).
Proof using checked.
  intros l Hl. destruct (outcome_by l Hl) as [HP HN]. destruct (misere_outcome G l) as [_ Hnot].
  destruct (lost (act l 0)); intuition congruence.
Qed.

(** ** No smaller monoid will do

    [sum_to x] is a sum of the element x, and [apart x y] is an element in whose company one of x and y is lost and the
    other is not. *)
Variables (sum_to : N -> list N) (apart : N -> N -> N).

Definition check_least : bool :=
  if each_element (fun x => forallb (fun h => h <? count) (sum_to x) && (act (sum_to x) 0 =? x)) then
    each_element (fun x => all_range 0 x (fun y =>
      let q := apart x y in
      if q <? order then xorb (lost (mul x q)) (lost (mul y q)) else false))
  else false.

Theorem quotient_is_least : check_least = true -> forall l r, listed l -> listed r ->
  act l 0 = act r 0 <->
  (forall s, listed s -> (misere_P (G := G) (l ++ s) <-> misere_P (G := G) (r ++ s))).
Proof using checked.
  intros Hleast l r Hl Hr. destruct parts_of_check as (Ho & _).
  assert (Happ : forall a b, listed a -> listed b -> listed (a ++ b)).
  { intros a b Ha Hb h Hh. apply in_app_iff in Hh. destruct Hh; auto. }
  assert (Hout : forall a s, listed a -> listed s -> misere_P (G := G) (a ++ s) <-> lost (mul (act a 0) (act s 0)) = true).
  { intros a s Ha Hs. rewrite (proj1 (quotient_outcome (a ++ s) (Happ a s Ha Hs))), act_app, act_mul; [reflexivity | trivial |].
    now apply act_below. }
  split.
  - intros E s Hs. now rewrite !Hout, E.
  - intro Hsame. unfold check_least, each_element in Hleast.
    destruct (all_range 0 order (fun x => forallb _ _ && _)) eqn:Esum; [|discriminate].
    rewrite all_range_spec in Esum, Hleast.
    assert (Hdiffer : forall x y, x < order -> y < x -> exists s, listed s /\
      xorb (lost (mul x (act s 0))) (lost (mul y (act s 0))) = true).
    { intros x y Hx Hy. specialize (Hleast x ltac:(lia)). cbv beta in Hleast. rewrite all_range_spec in Hleast.
      specialize (Hleast y ltac:(lia)). cbv beta zeta in Hleast.
      destruct (N.ltb_spec (apart x y) order) as [Hq|]; [|discriminate]. exists (sum_to (apart x y)).
      specialize (Esum (apart x y) ltac:(lia)). cbv beta in Esum. apply andb_true_iff in Esum. destruct Esum as [Ea Eq].
      apply N.eqb_eq in Eq. rewrite Eq. split; trivial. rewrite forallb_forall in Ea. intros h Hh. now apply N.ltb_lt, Ea. }
    pose proof (act_below l 0 Hl Ho) as Hxl. pose proof (act_below r 0 Hr Ho) as Hxr.
    destruct (N.lt_trichotomy (act l 0) (act r 0)) as [Hlt|[E|Hgt]]; trivial; exfalso.
    + destruct (Hdiffer _ _ Hxr Hlt) as (s & Hs & Ex). specialize (Hsame s Hs). rewrite !Hout in Hsame by trivial.
      destruct (lost (mul (act l 0) (act s 0))), (lost (mul (act r 0) (act s 0))); cbn in Ex; intuition congruence.
    + destruct (Hdiffer _ _ Hxl Hgt) as (s & Hs & Ex). specialize (Hsame s Hs). rewrite !Hout in Hsame by trivial.
      destruct (lost (mul (act l 0) (act s 0))), (lost (mul (act r 0) (act s 0))); cbn in Ex; intuition congruence.
Qed.

End Quotient.

(** Heaps of a code, with the moves as the code defines them. *)
Theorem code_quotient : forall digits (is_legal : legal digits = true) order count step mul lost size generators element
    wins pair_of product_of,
  check_quotient (heap_moves digits) order count step mul lost size generators element wins pair_of product_of = true ->
  forall heaps, listed count heaps ->
  (misere_P (G := list_game N (heap_moves digits) (heaps_end digits is_legal)) heaps <-> lost (act step heaps 0) = true).
Proof. intros digits L order count step mul lost size generators element wins pair_of product_of H heaps Hh.
  now apply (quotient_outcome _ _ _ _ _ _ _ _ _ _ _ _ _ H).
Qed.

(** ** Quotients that repeat

    If the heaps from [n0] on act as those that are smaller by [p], and a quotient is right up to the heap that the theorem
    of Guy and Smith needs, then it is right for all heaps: their moves leave the same elements. *)

Section Periodic.

Variables (digits : list N) (order : N) (step mul : N -> N -> N) (lost : N -> bool).
Variables (size generators : N) (element : N -> N) (wins : N -> N -> bool) (pair_of : N -> N) (product_of : N -> N -> N).
Variables (n0 p : N).

(** The heap below [n0 + p] that acts on the elements as the heap [h] does. *)
Definition heap_class (h : N) : N := if h <? n0 + p then h else n0 + (h - n0) mod p.

Let repeated : N -> N -> N := fun h => step (heap_class h).

Definition check_to (count : N) : bool :=
  check_quotient (heap_moves digits) order count repeated mul lost size generators element wins
    (fun h => pair_of (heap_class h)) product_of.

Definition check_periodic_quotient : bool :=
  if 0 <? p then check_to (N.succ (last_heap digits (most_heaps digits) n0 p)) else false.

Hypothesis is_legal : legal digits = true.
Hypothesis checked : check_periodic_quotient = true.

Let last : N := last_heap digits (most_heaps digits) n0 p.

Lemma period_positive : 1 <= p.
Proof using checked.
  unfold check_periodic_quotient in checked. destruct (N.ltb_spec 0 p); [lia | discriminate].
Qed.

Lemma class_repeats : forall h, n0 <= h -> heap_class (h + p) = heap_class h.
Proof using checked.
  pose proof period_positive as Hp. intros h Hh. unfold heap_class. destruct (N.ltb_spec (h + p) (n0 + p)); [lia|].
  replace (h + p - n0) with (h - n0 + 1 * p) by lia. rewrite N.mod_add by lia.
  destruct (N.ltb_spec h (n0 + p)); trivial. rewrite N.mod_small by lia. lia.
Qed.

Lemma last_above : n0 + p <= N.succ last.
Proof using Type.
  unfold last, last_heap. pose proof (most_heaps_positive digits).
  assert (N.max n0 1 + p <= N.of_nat (most_heaps digits) * (N.max n0 1 + p)); [|lia].
  rewrite <- (N.mul_1_l (N.max n0 1 + p)) at 1. apply N.mul_le_mono_r. lia.
Qed.

Lemma same_wins : forall n q, last < n + p ->
  wins_of repeated lost (heap_moves digits (n + p)) q = wins_of repeated lost (heap_moves digits n) q.
Proof using checked.
  intros n q Hn. pose proof (most_heaps_positive digits) as Hmost. pose proof (bit_bound digits) as Hat.
  destruct (same_moves digits (most_heaps digits) Hmost Hat n0 p n Hn) as [Hdown Hup].
  assert (Hact : forall l a r, n0 <= a -> act repeated (l ++ (a + p) :: r) q = act repeated (l ++ a :: r) q).
  { intros l a r Ha. unfold act. rewrite !fold_right_app. cbn [fold_right]. unfold repeated at 2 5. now rewrite class_repeats. }
  apply eq_true_iff_eq. rewrite !wins_of_spec. split; intros (parts & H & E).
  - destruct (Hdown parts H) as (l & a & r & -> & Ha & Hin). exists (l ++ a :: r). split; trivial. now rewrite <- Hact.
  - destruct (Hup parts H) as (l & a & r & -> & Ha & Hin). exists (l ++ (a + p) :: r). split; trivial. now rewrite Hact.
Qed.

Lemma same_ends : forall n, last < n + p -> (heap_moves digits (n + p) = [] <-> heap_moves digits n = []).
Proof using checked.
  intros n Hn. destruct (same_moves digits (most_heaps digits) (most_heaps_positive digits) (bit_bound digits) n0 p n Hn)
    as [Hdown Hup].
  split; intro E.
  - destruct (heap_moves digits n) as [|o r] eqn:En; trivial. destruct (Hup o (or_introl eq_refl)) as (l & a & s & _ & _ & H).
    rewrite E in H. destruct H.
  - destruct (heap_moves digits (n + p)) as [|o r] eqn:En; trivial.
    destruct (Hdown o (or_introl eq_refl)) as (l & a & s & _ & _ & H). rewrite E in H. destruct H.
Qed.

(** Every heap acts as one up to the last. *)
Lemma down : forall (P : N -> Prop), (forall h, h <= last -> P h) -> (forall n, last < n + p -> n0 <= n -> P n -> P (n + p)) ->
  forall h, P h.
Proof using checked.
  intros P Hstart Hstep. pose proof period_positive. pose proof last_above as Hlast.
  assert (H' : forall (bound : nat) h, (N.to_nat h < bound)%nat -> P h).
  { induction bound as [|bound IH]; [lia|]. intros h Hh. destruct (N.le_gt_cases h last) as [|Hgt]; [now apply Hstart|].
    replace h with (h - p + p) by lia. apply Hstep; [lia | lia | apply IH; lia]. }
  intro h. apply (H' (S (N.to_nat h))). lia.
Qed.

Lemma check_any : forall count, N.succ last <= count -> check_to count = true.
Proof using checked is_legal.
  pose proof period_positive as Hp. pose proof checked as H. unfold check_periodic_quotient in H.
  destruct (0 <? p); [|discriminate]. fold last in H. unfold check_to in H.
  destruct (parts_of_check _ _ _ _ _ _ _ _ _ _ _ _ H) as (Ho & Hg & Hl & H1 & H2 & H3 & H4 & H5).
  intros count Hcount. unfold check_to, check_quotient.
  replace (0 <? order) with true by (symmetry; now apply N.ltb_lt).
  replace (generators <=? size) with true by (symmetry; now apply N.leb_le). rewrite Hl. cbn [andb negb].
  assert (E1 : all_range 0 count (check_position (heap_moves digits) order count repeated lost) = true).
  { apply all_range_spec. intros h Hh.
    assert (Hparts : forallb (forallb (fun a => a <? count)) (heap_moves digits h) = true).
    { apply forallb_forall. intros parts Hin. apply forallb_forall. intros a Ha. apply N.ltb_lt.
      pose proof (parts_smaller digits is_legal h parts a Hin Ha). lia. }
    unfold check_position. cbv zeta. rewrite Hparts. clear Hparts Hh. revert h. apply down.
    - intros h Hh. specialize (H1 h ltac:(lia)). unfold check_position in H1. cbv zeta in H1.
      now destruct (forallb _ (heap_moves digits h)).
    - intros n Hn Hn0 IH.
      assert (Ew : forall f, each_element order (fun q => if wins_of repeated lost (heap_moves digits (n + p)) q then f (repeated (n + p) q) else true) =
                             each_element order (fun q => if wins_of repeated lost (heap_moves digits n) q then f (repeated n q) else true)).
      { intro f. apply each_element_same. intro q. rewrite same_wins by trivial. unfold repeated at 2 4. now rewrite class_repeats. }
      destruct (heap_moves digits (n + p)) as [|o r] eqn:Eh, (heap_moves digits n) as [|o' r'] eqn:En.
      + unfold repeated in *. now rewrite class_repeats.
      + rewrite (proj1 (same_ends n Hn) Eh) in En. discriminate.
      + rewrite (proj2 (same_ends n Hn) En) in Eh. discriminate.
      + rewrite <- Eh, <- En in *. now rewrite (Ew (fun x => negb (lost x))). }
  rewrite E1.
  assert (Hclass : forall h, exists j, j <= last /\ repeated h = repeated j /\ pair_of (heap_class h) = pair_of (heap_class j)).
  { apply down; [intros h Hh; now exists h|]. intros n Hn Hn0 (j & Hj & E & Ep). exists j. split; trivial.
    unfold repeated in *. now rewrite class_repeats. }
  assert (E2 : check_table order count repeated mul = true).
  { unfold check_table in *. destruct (each_element order (fun q => mul 0 q =? q)); [|discriminate].
    rewrite all_range_spec in *. intros h Hh. destruct (Hclass h) as (j & Hj & -> & _). apply H2. lia. }
  rewrite E2.
  assert (E3 : check_commutes order count repeated = true).
  { unfold check_commutes. apply all_range_spec. intros h Hh. apply all_range_spec. intros j Hj. unfold each_element.
    apply all_range_spec. intros q Hq. apply N.eqb_eq. destruct (Hclass h) as (a & Ha & -> & _), (Hclass j) as (b & Hb & -> & _).
    apply (steps_commute _ _ _ _ _ _ _ _ _ _ _ _ H); lia. }
  rewrite E3.
  assert (E4 : all_range 0 count (check_pair_of (heap_moves digits) order repeated mul lost size generators element wins
                                   (fun h => pair_of (heap_class h))) = true).
  { apply all_range_spec. intros h _. revert h. apply down; [intros h Hh; apply H4; lia|]. intros n Hn Hn0 IH.
    unfold check_pair_of in *. cbv zeta in *. rewrite class_repeats by trivial.
    assert (Ew : forall i x, covered_by order mul lost size element wins i x (wins_of repeated lost (heap_moves digits (n + p))) =
                             covered_by order mul lost size element wins i x (wins_of repeated lost (heap_moves digits n))).
    { intros i x. unfold covered_by. destruct (i <? size); [destruct (element i =? x); trivial|]; apply each_element_same;
        intro q; now rewrite same_wins. }
    destruct (heap_moves digits (n + p)) as [|o r] eqn:Eh, (heap_moves digits n) as [|o' r'] eqn:En; trivial.
    - rewrite (proj2 (same_ends n Hn) En) in Eh. discriminate.
    - rewrite <- Eh, <- En in *. unfold repeated in *. rewrite class_repeats by trivial. now rewrite Ew. }
  rewrite E4. apply all_range_spec. intros i Hi. apply H5. lia.
Qed.

(** The outcome of every sum of heaps, of whatever size. *)
Theorem periodic_quotient : forall heaps,
  (misere_P (G := list_game N (heap_moves digits) (heaps_end digits is_legal)) heaps <-> lost (act repeated heaps 0) = true).
Proof using checked.
  intro heaps. set (count := N.succ last + total heaps).
  apply (code_quotient digits is_legal order count repeated mul lost size generators element wins (fun h => pair_of (heap_class h)) product_of).
  - apply check_any. lia.
  - intros h Hh. pose proof (part_le_total heaps h Hh). lia.
Qed.

End Periodic.

(** Positions of a graph, or of any game, with their moves in a list: each move leaves earlier positions of the list. *)

Definition listed_moves (moves : list (list (list N))) (h : N) : list (list N) := nth (N.to_nat h) moves [].

Fixpoint check_earlier (moves : list (list (list N))) (h : N) : bool :=
  match moves with
  | [] => true
  | options :: rest => if forallb (forallb (fun a => a <? h)) options then check_earlier rest (N.succ h) else false
  end.

Lemma check_earlier_spec : forall moves start, check_earlier moves start = true ->
  forall i parts a, In parts (nth i moves []) -> In a parts -> a < start + N.of_nat i.
Proof.
  induction moves as [|options rest IH]; intros start H i parts a Hp Ha; [now destruct i|].
  cbn [check_earlier] in H. destruct (forallb _ options) eqn:E; [|discriminate]. destruct i as [|i]; cbn [nth] in Hp.
  - rewrite forallb_forall in E. specialize (E parts Hp). rewrite forallb_forall in E. specialize (E a Ha).
    apply N.ltb_lt in E. lia.
  - specialize (IH _ H i parts a Hp Ha). lia.
Qed.

Lemma listed_end : forall moves, check_earlier moves 0 = true -> well_founded (part_of N (listed_moves moves)).
Proof.
  intros moves H. apply (wf_incl _ _ N.lt); [|apply N.lt_wf_0]. intros a h (parts & Hp & Ha).
  pose proof (check_earlier_spec moves 0 H _ _ _ Hp Ha). lia.
Qed.

Theorem listed_quotient : forall moves (earlier : check_earlier moves 0 = true) order count step mul lost size generators
    element wins pair_of product_of,
  check_quotient (listed_moves moves) order count step mul lost size generators element wins pair_of product_of = true ->
  forall positions, listed count positions ->
  (misere_P (G := list_game N (listed_moves moves) (listed_end moves earlier)) positions <->
   lost (act step positions 0) = true).
Proof.
  intros moves earlier order count step mul lost size generators element wins pair_of product_of H positions Hp.
  now apply (quotient_outcome _ _ _ _ _ _ _ _ _ _ _ _ _ H).
Qed.
