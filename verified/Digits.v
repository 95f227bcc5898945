(** * Automata that decide statements about numbers

    What this file proves: [valid_spec]. A statement is made of sums, nim-sums, "not", "and" and "there is an x". If
    [check_valid] accepts a tree of automata for it, the statement holds of all numbers.

    An automaton reads the binary digits of several numbers at once, the lowest ones first. There is one for each part of
    the statement: the tree. The program that makes the tree need not be trusted: each automaton is checked against those of
    its parts, state by state and symbol by symbol: products for "and", sets of states for "there is", and maps to an
    automaton with fewer states.

    Reference: J. R. Büchi, Weak second-order arithmetic and finite automata, Zeitschrift für mathematische Logik und
    Grundlagen der Mathematik 6 (1960). *)

From Coq Require Import List NArith ZArith Bool Lia.
From Graphgame Require Import Theory Mex.
Import ListNotations.
Open Scope N_scope.

(** ** Statements *)

(** The numbers that a statement is about are numbered too: [v x] is the number x. *)
Definition numbers : Type := N -> N.

Definition put (v : numbers) (x n : N) : numbers := fun i => if i =? x then n else v i.

Inductive statement :=
| Sum (equal : bool) (terms : list (Z * N)) (constant : Z)
| Nim_sum (parts : list N)
| Recognised (rows : list (list N)) (accepted : list N) (tracks : list N)
| Not (s : statement)
| And (s t : statement)
| Exists (x : N) (s : statement)
| Renamed (names : list (N * N)) (s : statement).

Fixpoint total (terms : list (Z * N)) (v : numbers) : Z :=
  match terms with
  | [] => 0
  | (factor, x) :: rest => (factor * Z.of_N (v x) + total rest v)%Z
  end.

Fixpoint renamed (names : list (N * N)) (x : N) : N :=
  match names with
  | [] => x
  | (old, new) :: rest => if old =? x then new else renamed rest x
  end.

(** ** Digits *)

Definition low (v : numbers) : N -> bool := fun x => N.odd (v x).
Definition half (v : numbers) : numbers := fun x => N.div2 (v x).
Definition fits (length : nat) (v : numbers) : Prop := forall x, v x < 2 ^ N.of_nat length.

(** The digits of some numbers in one place, as one number. *)
Fixpoint symbol (tracks : list N) (digit : N -> bool) : N :=
  match tracks with
  | [] => 0
  | x :: rest => (if digit x then 1 else 0) + 2 * symbol rest digit
  end.

Definition member (q : N) (states : list N) : bool := existsb (N.eqb q) states.

(** A table of states that reads the digits of some numbers, the highest ones first. *)
Definition row_step (rows : list (list N)) (s c : N) : N := nth (N.to_nat c) (nth (N.to_nat s) rows []) 0.

Fixpoint read (rows : list (list N)) (tracks : list N) (length : nat) (v : numbers) : N :=
  match length with
  | O => 0
  | S length => row_step rows (read rows tracks length (half v)) (symbol tracks (low v))
  end.

(** What a statement says: a sum is 0, or at most 0; a nim-sum is 0; a table accepts the digits. *)
Fixpoint holds_of (s : statement) (v : numbers) : Prop :=
  match s with
  | Sum equal terms constant => let n := (total terms v + constant)%Z in if equal then n = 0%Z else (n <= 0)%Z
  | Nim_sum parts => nim_sum (map v parts) = 0
  | Recognised rows accepted tracks =>
    exists length, (forall x, In x tracks -> v x < 2 ^ N.of_nat length) /\ member (read rows tracks length v) accepted = true
  | Not s => ~ holds_of s v
  | And s t => holds_of s v /\ holds_of t v
  | Exists x s => exists n, holds_of s (put v x n)
  | Renamed names s => holds_of s (fun x => v (renamed names x))
  end.

Definition statement_eq_dec : forall s t : statement, {s = t} + {s <> t}.
Proof.
  assert (Hterm : forall a b : Z * N, {a = b} + {a <> b}) by (decide equality; [apply N.eq_dec | apply Z.eq_dec]).
  assert (Hname : forall a b : N * N, {a = b} + {a <> b}) by (decide equality; apply N.eq_dec).
  decide equality; auto using list_eq_dec, Bool.bool_dec, Z.eq_dec, N.eq_dec.
Defined.

(** ** Symbols *)

Fixpoint digit_of (tracks : list N) (s x : N) : bool :=
  match tracks with
  | [] => false
  | y :: rest => if y =? x then N.odd s else digit_of rest (N.div2 s) x
  end.

Lemma odd_double : forall b n, N.odd ((if b : bool then 1 else 0) + 2 * n) = b.
Proof. intros. rewrite N.odd_add_mul_2. now destruct b. Qed.

Lemma div2_double : forall b n, N.div2 ((if b : bool then 1 else 0) + 2 * n) = n.
Proof. intros. rewrite N.div2_div. symmetry. apply (N.div_unique _ _ _ (if b then 1 else 0)); destruct b; lia. Qed.

Lemma digits_eq : forall n, n = (if N.odd n then 1 else 0) + 2 * N.div2 n.
Proof. intro. rewrite (N.div2_odd n) at 1. destruct (N.odd n); cbn [N.b2n]; lia. Qed.

Lemma digit_of_symbol : forall tracks digit x, In x tracks -> digit_of tracks (symbol tracks digit) x = digit x.
Proof.
  induction tracks as [|y rest IH]; intros digit x H; [destruct H|]. cbn [digit_of symbol].
  destruct (N.eqb_spec y x) as [->|Hne]; [apply odd_double|]. rewrite div2_double. apply IH.
  destruct H; [contradiction | trivial].
Qed.

Lemma symbol_same : forall tracks d e, (forall x, In x tracks -> d x = e x) -> symbol tracks d = symbol tracks e.
Proof.
  induction tracks as [|y rest IH]; intros d e H; trivial. cbn [symbol]. rewrite (H y (or_introl eq_refl)).
  rewrite (IH d e); trivial. intros x Hx. apply H. now right.
Qed.

Definition symbols (tracks : list N) : N := N.shiftl 1 (N.of_nat (length tracks)).

Lemma symbol_below : forall tracks digit, symbol tracks digit < symbols tracks.
Proof.
  intros. unfold symbols. rewrite N.shiftl_1_l. induction tracks as [|x rest IH]; [cbn; lia|]. cbn [symbol length].
  rewrite Nat2N.inj_succ, N.pow_succ_r'. destruct (digit x); lia.
Qed.

Lemma fits_half : forall f v, fits (S f) v -> fits f (half v).
Proof.
  intros f v H x. specialize (H x). rewrite Nat2N.inj_succ, N.pow_succ_r' in H. unfold half. rewrite N.div2_div.
  apply N.div_lt_upper_bound; lia.
Qed.

Lemma fits_0 : forall v x, fits 0 v -> v x = 0.
Proof. intros v x H. specialize (H x). cbn in H. lia. Qed.

(** ** Automata *)

(** States are numbers below [count]; words begin in the state 0. *)
Record automaton := { tracks : list N; count : N; next : N -> N -> N; good : N -> bool }.

Fixpoint accepts (a : automaton) (length : nat) (s : N) (v : numbers) : bool :=
  match length with
  | O => good a s
  | S length => accepts a length (next a s (symbol (tracks a) (low v))) (half v)
  end.

Lemma accepts_same : forall a f s v w, (forall x, v x = w x) -> accepts a f s v = accepts a f s w.
Proof.
  induction f as [|f IH]; intros s v w H; trivial. cbn [accepts].
  rewrite (symbol_same (tracks a) (low v) (low w)) by (intros; unfold low; now rewrite H).
  apply IH. intro. unfold half. now rewrite H.
Qed.

Definition each_state (a : automaton) (f : N -> bool) : bool := all_range 0 (count a) f.

Definition each_symbol (a : automaton) (f : N -> bool) : bool := all_range 0 (symbols (tracks a)) f.

Definition within (few many : list N) : bool := forallb (fun x => existsb (N.eqb x) many) few.

Lemma within_spec : forall few many x, within few many = true -> In x few -> In x many.
Proof.
  intros few many x H Hx. unfold within in H. rewrite forallb_forall in H. specialize (H x Hx).
  apply existsb_exists in H. destruct H as (y & Hy & E). apply N.eqb_eq in E. now subst.
Qed.

(** The states exist, and all symbols lead to states. *)
Definition check_table (a : automaton) : bool :=
  (0 <? count a) && each_state a (fun s => each_symbol a (fun c => next a s c <? count a)).

Lemma next_below : forall a s digit, check_table a = true -> s < count a -> next a s (symbol (tracks a) digit) < count a.
Proof.
  intros a s digit H Hs. unfold check_table, each_state, each_symbol in H. apply andb_true_iff in H. destruct H as [_ H].
  rewrite all_range_spec in H. specialize (H s ltac:(lia)). rewrite all_range_spec in H.
  pose proof (symbol_below (tracks a) digit). apply N.ltb_lt, H. lia.
Qed.

Lemma start_below : forall a, check_table a = true -> 0 < count a.
Proof. intros a H. unfold check_table in H. apply andb_true_iff in H. now apply N.ltb_lt. Qed.

Lemma each_state_spec : forall a f s, each_state a f = true -> s < count a -> f s = true.
Proof. intros a f s H Hs. unfold each_state in H. rewrite all_range_spec in H. apply H. lia. Qed.

Lemma each_symbol_spec : forall a f digit, each_symbol a f = true -> f (symbol (tracks a) digit) = true.
Proof.
  intros a f digit H. unfold each_symbol in H. rewrite all_range_spec in H. apply H.
  pose proof (symbol_below (tracks a) digit). lia.
Qed.

(** ** Trees of automata, with hints that say what each state stands for *)

Inductive tree :=
| Sum_tree (equal : bool) (terms : list (Z * N)) (constant : Z) (a : automaton) (rest : N -> Z) (dead : N -> bool)
| Nim_tree (parts : list N) (a : automaton) (dead : N -> bool)
| Table_tree (rows : list (list N)) (accepted : list N) (tracks : list N) (a : automaton) (inside : N -> N -> bool)
| Not_tree (t : tree)
| And_tree (t u : tree) (a : automaton) (one other : N -> N)
| Exists_tree (x : N) (t : tree) (a : automaton) (states : N -> list N) (distance : N -> N)
| Renamed_tree (names : list (N * N)) (t : tree)
| Smaller_tree (t : tree) (a : automaton) (image : N -> N).

Fixpoint says (t : tree) : statement :=
  match t with
  | Sum_tree equal terms constant _ _ _ => Sum equal terms constant
  | Nim_tree parts _ _ => Nim_sum parts
  | Table_tree rows accepted tracks _ _ => Recognised rows accepted tracks
  | Not_tree t => Not (says t)
  | And_tree t u _ _ _ => And (says t) (says u)
  | Exists_tree x t _ _ _ => Exists x (says t)
  | Renamed_tree names t => Renamed names (says t)
  | Smaller_tree t _ _ => says t
  end.

Definition opposite (a : automaton) : automaton :=
  {| tracks := tracks a; count := count a; next := next a; good := fun s => negb (good a s) |}.

Definition with_names (names : list (N * N)) (a : automaton) : automaton :=
  {| tracks := map (renamed names) (tracks a); count := count a; next := next a; good := good a |}.

Fixpoint top (t : tree) : automaton :=
  match t with
  | Sum_tree _ _ _ a _ _ | Nim_tree _ a _ | Table_tree _ _ _ a _ | And_tree _ _ a _ _ | Exists_tree _ _ a _ _ | Smaller_tree _ a _ => a
  | Not_tree t => opposite (top t)
  | Renamed_tree names t => with_names names (top t)
  end.

(** *** Sums: the state stands for a constant; the digits read so far are carried into it *)

Fixpoint total_of_digits (terms : list (Z * N)) (digit : N -> bool) : Z :=
  match terms with
  | [] => 0
  | (factor, x) :: rest => if digit x then (factor + total_of_digits rest digit)%Z else total_of_digits rest digit
  end.

Definition check_sum (equal : bool) (terms : list (Z * N)) (constant : Z) (a : automaton) (rest : N -> Z) (dead : N -> bool)
  : bool :=
  check_table a && within (map snd terms) (tracks a) && Z.eqb (rest 0) constant && negb (dead 0) &&
  each_state a (fun s =>
    if dead s then negb (good a s) && each_symbol a (fun c => dead (next a s c))
    else
      Bool.eqb (good a s) (if equal then (rest s =? 0)%Z else (rest s <=? 0)%Z) &&
      each_symbol a (fun c =>
        let n := (rest s + total_of_digits terms (digit_of (tracks a) c))%Z in
        let r := next a s c in
        if equal then
          if Z.odd n then dead r else negb (dead r) && (rest r =? Z.div2 n)%Z
        else negb (dead r) && (rest r =? Z.div2 (n + 1))%Z)).

Lemma total_halves : forall terms v, total terms v = (total_of_digits terms (low v) + 2 * total terms (half v))%Z.
Proof.
  induction terms as [|[factor x] rest IH]; intro v; trivial. cbn [total total_of_digits]. rewrite IH.
  unfold low, half. pose proof (digits_eq (v x)) as E. destruct (N.odd (v x)); rewrite E at 1; lia.
Qed.

Lemma total_of_digits_same : forall terms d e, (forall x, In x (map snd terms) -> d x = e x) ->
  total_of_digits terms d = total_of_digits terms e.
Proof.
  induction terms as [|[factor x] rest IH]; intros d e H; trivial. cbn [total_of_digits].
  rewrite (H x (or_introl eq_refl)), (IH d e); trivial. intros y Hy. apply H. now right.
Qed.

Lemma total_zero : forall terms v, (forall x, v x = 0) -> total terms v = 0%Z.
Proof. induction terms as [|[factor x] rest IH]; intros v H; trivial. cbn. rewrite H, IH by trivial. cbn. lia. Qed.

Lemma sum_right : forall equal terms constant a rest dead, check_sum equal terms constant a rest dead = true ->
  forall f s v, s < count a -> fits f v ->
  (accepts a f s v = true <->
   dead s = false /\ if equal then (total terms v + rest s = 0)%Z else (total terms v + rest s <= 0)%Z).
Proof.
  intros equal terms constant a rest dead H. unfold check_sum in H. repeat rewrite andb_true_iff in H.
  destruct H as ((((Ht & Hin) & _) & _) & H).
  induction f as [|f IH]; intros s v Hs Hf; pose proof (each_state_spec _ _ _ H Hs) as Es; cbv beta in Es; cbn [accepts].
  - rewrite (total_zero terms v (fun x => fits_0 v x Hf)). destruct (dead s).
    + apply andb_true_iff in Es. destruct Es as [Eg _]. apply negb_true_iff in Eg. rewrite Eg. intuition discriminate.
    + apply andb_true_iff in Es. destruct Es as [Eg _]. apply Bool.eqb_prop in Eg. rewrite Eg.
      destruct equal; [rewrite Z.eqb_eq | rewrite Z.leb_le]; intuition lia.
  - rewrite IH by (try apply next_below; try apply fits_half; trivial). rewrite (total_halves terms v).
    set (r := next a s _) in *. destruct (dead s).
    + apply andb_true_iff in Es. destruct Es as [_ Es]. apply (each_symbol_spec _ _ (low v)) in Es. cbv beta in Es.
      fold r in Es. rewrite Es. intuition discriminate.
    + apply andb_true_iff in Es. destruct Es as [_ Es]. apply (each_symbol_spec _ _ (low v)) in Es. cbv beta zeta in Es.
      fold r in Es.
      rewrite (total_of_digits_same terms _ (low v)) in Es
        by (intros x Hx; apply digit_of_symbol; now apply (within_spec _ _ _ Hin)).
      set (d := total_of_digits terms (low v)) in *. set (h := total terms (half v)) in *. clearbody d h r.
      destruct equal.
      * pose proof (Z.div2_odd (rest s + d)) as Ed. destruct (Z.odd (rest s + d)); cbn [Z.b2z] in Ed.
        -- rewrite Es. split; [intuition discriminate | intros (_ & E); lia].
        -- apply andb_true_iff in Es. destruct Es as [Ed' Es]. apply negb_true_iff in Ed'. apply Z.eqb_eq in Es.
           rewrite Es. intuition lia.
      * apply andb_true_iff in Es. destruct Es as [Ed' Es]. apply negb_true_iff in Ed'. apply Z.eqb_eq in Es. rewrite Es.
        pose proof (Z.div2_odd (rest s + d + 1)) as Ed. destruct (Z.odd (rest s + d + 1)); cbn [Z.b2z] in Ed; intuition lia.
Qed.

(** *** Nim-sums: in each place the number of digits 1 is even *)

Fixpoint parity_of_digits (parts : list N) (digit : N -> bool) : bool :=
  match parts with
  | [] => false
  | x :: rest => xorb (digit x) (parity_of_digits rest digit)
  end.

Definition check_nim (parts : list N) (a : automaton) (dead : N -> bool) : bool :=
  check_table a && within parts (tracks a) && negb (dead 0) &&
  each_state a (fun s =>
    Bool.eqb (good a s) (negb (dead s)) &&
    each_symbol a (fun c => Bool.eqb (dead (next a s c)) (dead s || parity_of_digits parts (digit_of (tracks a) c)))).

Lemma nim_sum_halves : forall parts v,
  N.odd (nim_sum (map v parts)) = parity_of_digits parts (low v) /\
  N.div2 (nim_sum (map v parts)) = nim_sum (map (half v) parts).
Proof.
  induction parts as [|x rest IH]; intro v; [now split|]. destruct (IH v) as [Eo Eh]. cbn [map nim_sum fold_right parity_of_digits].
  fold (nim_sum (map v rest)) (nim_sum (map (half v) rest)). rewrite <- Eo, <- Eh. split.
  - rewrite <- !N.bit0_odd, N.lxor_spec. unfold low. now rewrite N.bit0_odd.
  - unfold half. rewrite !N.div2_spec. apply N.shiftr_lxor.
Qed.

Lemma parity_of_digits_same : forall parts d e, (forall x, In x parts -> d x = e x) ->
  parity_of_digits parts d = parity_of_digits parts e.
Proof.
  induction parts as [|x rest IH]; intros d e H; trivial. cbn. rewrite (H x (or_introl eq_refl)), (IH d e); trivial.
  intros y Hy. apply H. now right.
Qed.

Lemma nim_right : forall parts a dead, check_nim parts a dead = true -> forall f s v, s < count a -> fits f v ->
  (accepts a f s v = true <-> dead s = false /\ nim_sum (map v parts) = 0).
Proof.
  intros parts a dead H. unfold check_nim in H. repeat rewrite andb_true_iff in H. destruct H as (((Ht & Hin) & _) & H).
  induction f as [|f IH]; intros s v Hs Hf; pose proof (each_state_spec _ _ _ H Hs) as Es; cbv beta in Es; cbn [accepts];
    apply andb_true_iff in Es; destruct Es as [Eg Es].
  - apply Bool.eqb_prop in Eg. rewrite Eg. rewrite negb_true_iff.
    assert (E : nim_sum (map v parts) = 0); [|intuition].
    clear - Hf. induction parts as [|x rest IH]; trivial. cbn. fold (nim_sum (map v rest)). now rewrite IH, (fits_0 v x Hf).
  - rewrite IH by (try apply next_below; try apply fits_half; trivial).
    apply (each_symbol_spec _ _ (low v)) in Es. cbv beta in Es. apply Bool.eqb_prop in Es. rewrite Es.
    rewrite (parity_of_digits_same parts _ (low v))
      by (intros x Hx; apply digit_of_symbol; now apply (within_spec _ _ _ Hin)).
    destruct (nim_sum_halves parts v) as [Eo Eh]. rewrite <- Eo, <- Eh. rewrite orb_false_iff.
    pose proof (digits_eq (nim_sum (map v parts))) as E. set (n := nim_sum (map v parts)) in *. clearbody n.
    destruct (N.odd n); intuition lia.
Qed.

(** *** Tables: the state stands for the set of those rows that the higher digits must lead to *)

Definition check_rows (rows : list (list N)) : bool :=
  (0 <? N.of_nat (length rows)) && forallb (forallb (fun r => r <? N.of_nat (length rows))) rows && (row_step rows 0 0 =? 0).

Definition each_row (rows : list (list N)) (f : N -> bool) : bool := all_range 0 (N.of_nat (length rows)) f.

Definition check_recognised (rows : list (list N)) (accepted l : list N) (a : automaton) (inside : N -> N -> bool) : bool :=
  check_table a && check_rows rows && within l (tracks a) &&
  each_row rows (fun q => Bool.eqb (inside 0 q) (member q accepted)) &&
  each_state a (fun s =>
    Bool.eqb (good a s) (inside s 0) &&
    each_symbol a (fun c =>
      let r := next a s c in
      let d := symbol l (digit_of (tracks a) c) in
      each_row rows (fun q => Bool.eqb (inside r q) (inside s (row_step rows q d))))).

Lemma row_step_below : forall rows s c, check_rows rows = true -> row_step rows s c < N.of_nat (length rows).
Proof.
  intros rows s c H. unfold check_rows in H. repeat rewrite andb_true_iff in H. destruct H as ((H0 & H) & _).
  apply N.ltb_lt in H0. rewrite forallb_forall in H. unfold row_step.
  destruct (nth_in_or_default (N.to_nat s) rows []) as [Hin|E].
  - specialize (H _ Hin). rewrite forallb_forall in H.
    destruct (nth_in_or_default (N.to_nat c) (nth (N.to_nat s) rows []) 0) as [Hin'|E]; [now apply N.ltb_lt, H | now rewrite E].
  - rewrite E. now destruct (N.to_nat c).
Qed.

Lemma read_below : forall rows l f v, check_rows rows = true -> read rows l f v < N.of_nat (length rows).
Proof.
  intros rows l [|f] v H; cbn [read]; [|now apply row_step_below].
  unfold check_rows in H. repeat rewrite andb_true_iff in H. destruct H as ((H0 & _) & _). now apply N.ltb_lt in H0.
Qed.

(** Zeros before the highest digits make no difference. *)
Lemma read_longer : forall rows l f v, check_rows rows = true -> (forall x, In x l -> v x < 2 ^ N.of_nat f) ->
  read rows l (S f) v = read rows l f v.
Proof.
  intros rows l f v H. revert v. induction f as [|f IH]; intros v Hv.
  - cbn [read]. unfold check_rows in H. repeat rewrite andb_true_iff in H. destruct H as (_ & E). apply N.eqb_eq in E.
    replace (symbol l (low v)) with 0; trivial. symmetry. clear - Hv. induction l as [|x l IH]; trivial. cbn [symbol].
    rewrite IH by (intros y Hy; apply Hv; now right). specialize (Hv x (or_introl eq_refl)). unfold low. cbn in Hv.
    now replace (v x) with 0 by lia.
  - change (row_step rows (read rows l (S f) (half v)) (symbol l (low v)) = read rows l (S f) v). rewrite IH; trivial.
    intros x Hx. specialize (Hv x Hx). rewrite Nat2N.inj_succ, N.pow_succ_r' in Hv. unfold half. rewrite N.div2_div.
    apply N.div_lt_upper_bound; lia.
Qed.

Lemma read_enough : forall rows l f g v, check_rows rows = true -> (f <= g)%nat ->
  (forall x, In x l -> v x < 2 ^ N.of_nat f) -> read rows l g v = read rows l f v.
Proof.
  intros rows l f g v H Hle Hv. induction Hle as [|g Hle IH]; trivial. rewrite read_longer; trivial.
  intros x Hx. apply (N.lt_le_trans _ _ _ (Hv x Hx)). apply N.pow_le_mono_r; lia.
Qed.

Lemma recognised_right : forall rows accepted l a inside, check_recognised rows accepted l a inside = true ->
  forall f s v, s < count a -> accepts a f s v = inside s (read rows l f v).
Proof.
  intros rows accepted l a inside H. unfold check_recognised in H. repeat rewrite andb_true_iff in H.
  destruct H as ((((Ht & Hr) & Hin) & _) & H).
  induction f as [|f IH]; intros s v Hs; pose proof (each_state_spec _ _ _ H Hs) as Es; cbv beta in Es;
    apply andb_true_iff in Es; destruct Es as [Eg Es]; cbn [accepts read].
  - now apply Bool.eqb_prop in Eg.
  - rewrite IH by now apply next_below. apply (each_symbol_spec _ _ (low v)) in Es. cbv beta zeta in Es.
    rewrite (symbol_same l _ (low v)) in Es by (intros x Hx; apply digit_of_symbol; now apply (within_spec _ _ _ Hin)).
    unfold each_row in Es. rewrite all_range_spec in Es. pose proof (read_below rows l f (half v) Hr).
    specialize (Es (read rows l f (half v)) ltac:(lia)). cbv beta in Es. now apply Bool.eqb_prop in Es.
Qed.

(** *** "And": pairs of states *)

Definition read_by (a b : automaton) (c : N) : N := symbol (tracks b) (digit_of (tracks a) c).

Lemma read_by_spec : forall a b digit, within (tracks b) (tracks a) = true ->
  read_by a b (symbol (tracks a) digit) = symbol (tracks b) digit.
Proof.
  intros a b digit H. unfold read_by. apply symbol_same. intros x Hx. apply digit_of_symbol. now apply (within_spec _ _ _ H).
Qed.

(** A map of the states of one automaton to those of another that reads fewer numbers. *)
Definition check_map (a b : automaton) (image : N -> N) : bool :=
  within (tracks b) (tracks a) && (image 0 =? 0) &&
  each_state a (fun s => each_symbol a (fun c => image (next a s c) =? next b (image s) (read_by a b c))).

Definition check_and (b d a : automaton) (one other : N -> N) : bool :=
  check_table a && check_map a b one && check_map a d other &&
  each_state a (fun s => Bool.eqb (good a s) (good b (one s) && good d (other s))).

Lemma map_next : forall a b image s digit, check_map a b image = true -> s < count a ->
  image (next a s (symbol (tracks a) digit)) = next b (image s) (symbol (tracks b) digit).
Proof.
  intros a b image s digit H Hs. unfold check_map in H. repeat rewrite andb_true_iff in H. destruct H as ((Hin & _) & H).
  pose proof (each_state_spec _ _ _ H Hs) as Es. cbv beta in Es. apply (each_symbol_spec _ _ digit) in Es. cbv beta in Es.
  apply N.eqb_eq in Es. now rewrite Es, read_by_spec.
Qed.

Lemma and_right : forall b d a one other, check_and b d a one other = true -> forall f s v, s < count a ->
  accepts a f s v = accepts b f (one s) v && accepts d f (other s) v.
Proof.
  intros b d a one other H. unfold check_and in H. repeat rewrite andb_true_iff in H. destruct H as (((Ht & Hl) & Hr) & H).
  induction f as [|f IH]; intros s v Hs; cbn [accepts].
  - apply (each_state_spec _ _ _ H) in Hs. cbv beta in Hs. now apply Bool.eqb_prop in Hs.
  - rewrite IH by now apply next_below. now rewrite (map_next a b one), (map_next a d other).
Qed.

(** *** Fewer states: the image of a map. Each state of [b] has one of [a], with the same future. *)

Definition check_smaller (b a : automaton) (image : N -> N) : bool :=
  check_table b && check_table a && check_map b a image && within (tracks b) (tracks a) &&
  each_state b (fun s => Bool.eqb (good b s) (good a (image s))).

Lemma smaller_right : forall b a image, check_smaller b a image = true -> forall f s v, s < count b ->
  accepts a f (image s) v = accepts b f s v.
Proof.
  intros b a image H. unfold check_smaller in H. repeat rewrite andb_true_iff in H. destruct H as ((((Ht & _) & Hm) & _) & H).
  induction f as [|f IH]; intros s v Hs; cbn [accepts].
  - apply (each_state_spec _ _ _ H) in Hs. cbv beta in Hs. apply Bool.eqb_prop in Hs. now rewrite Hs.
  - rewrite <- IH by now apply next_below. f_equal. symmetry. now apply map_next.
Qed.

(** *** "There is": sets of states *)

Definition put_digit (digit : N -> bool) (x : N) (bit : bool) : N -> bool := fun i => if i =? x then bit else digit i.

Definition no_digit : N -> bool := fun _ => false.

(** The state of [b] after the digits of the other numbers, and a digit of the number x. *)
Definition step_with (b : automaton) (x q : N) (digit : N -> bool) (bit : bool) : N :=
  next b q (symbol (tracks b) (put_digit digit x bit)).

Definition both (f : bool -> bool) : bool := if f false then f true else false.
Definition either (f : bool -> bool) : bool := if f false then true else f true.

(** [distance q] is 0 if no digits of x alone lead from q to a good state; else it falls on the way to one. *)
Definition check_distance (b : automaton) (x : N) (distance : N -> N) : bool :=
  each_state b (fun q =>
    let after bit := distance (step_with b x q no_digit bit) in
    if distance q =? 0 then negb (good b q) && both (fun bit => after bit =? 0)
    else good b q || either (fun bit => (0 <? after bit) && (after bit <? distance q))).

Definition check_exists (x : N) (b a : automaton) (states : N -> list N) (distance : N -> N) : bool :=
  check_table b && check_table a && within (filter (fun y => negb (y =? x)) (tracks b)) (tracks a) &&
  check_distance b x distance &&
  (match states 0 with [q] => q =? 0 | _ => false end) &&
  each_state a (fun s =>
    forallb (fun q => q <? count b) (states s) &&
    Bool.eqb (good a s) (existsb (fun q => negb (distance q =? 0)) (states s)) &&
    each_symbol a (fun c =>
      let digit := digit_of (tracks a) c in
      let after := states (next a s c) in
      forallb (fun q => both (fun bit => member (step_with b x q digit bit) after)) (states s) &&
      forallb (fun r => existsb (fun q => either (fun bit => step_with b x q digit bit =? r)) (states s)) after)).

Lemma member_spec : forall q states, member q states = true <-> In q states.
Proof.
  intros. unfold member. rewrite existsb_exists. split.
  - intros (r & Hr & E). apply N.eqb_eq in E. now subst.
  - intro H. exists q. split; trivial. apply N.eqb_refl.
Qed.

Lemma both_spec : forall f, both f = true -> forall bit, f bit = true.
Proof. intros f H bit. unfold both in H. destruct (f false) eqn:E; [|discriminate]. now destruct bit. Qed.

Lemma either_spec : forall f, either f = true -> exists bit, f bit = true.
Proof. intros f H. unfold either in H. destruct (f false) eqn:E; [now exists false | now exists true]. Qed.

Section There_is.

Variables (x : N) (b a : automaton) (states : N -> list N) (distance : N -> N).
Hypothesis checked : check_exists x b a states distance = true.

Lemma exists_parts : check_table b = true /\ check_table a = true /\
  within (filter (fun y => negb (y =? x)) (tracks b)) (tracks a) = true /\ check_distance b x distance = true /\
  states 0 = [0].
Proof.
  pose proof checked as H. unfold check_exists in H. repeat rewrite andb_true_iff in H.
  destruct H as (((((H1 & H2) & H3) & H4) & H5) & _). repeat split; trivial.
  destruct (states 0) as [|q [|]]; try discriminate. apply N.eqb_eq in H5. now subst.
Qed.

(** One more digit: [v] and [n] give the digits, their halves what is left. *)
Lemma step_low : forall q v n,
  next b q (symbol (tracks b) (low (put v x n))) = step_with b x q (low v) (N.odd n).
Proof.
  intros. unfold step_with. f_equal. apply symbol_same. intros y _. unfold low, put, put_digit. now destruct (y =? x).
Qed.

Lemma half_put : forall v n y, half (put v x n) y = put (half v) x (N.div2 n) y.
Proof. intros. unfold half, put. now destruct (y =? x). Qed.

Lemma step_read : forall q digit bit,
  step_with b x q (digit_of (tracks a) (symbol (tracks a) digit)) bit = step_with b x q digit bit.
Proof.
  intros. destruct exists_parts as (_ & _ & Hin & _). unfold step_with. f_equal. apply symbol_same. intros y Hy.
  unfold put_digit. destruct (N.eqb_spec y x) as [|Hne]; trivial. apply digit_of_symbol, (within_spec _ _ _ Hin).
  apply filter_In. split; trivial. apply negb_true_iff. now apply N.eqb_neq.
Qed.

Lemma step_below : forall q digit bit, q < count b -> step_with b x q digit bit < count b.
Proof. intros. destruct exists_parts as (Ht & _). unfold step_with. now apply next_below. Qed.

Let zero : numbers := fun _ => 0.

Lemma distance_complete : forall f q n, q < count b -> accepts b f q (put zero x n) = true -> distance q <> 0.
Proof.
  destruct exists_parts as (_ & _ & _ & Hd & _). unfold check_distance in Hd.
  induction f as [|f IH]; intros q n Hq H E; pose proof (each_state_spec _ _ _ Hd Hq) as Eq; cbv beta zeta in Eq;
    rewrite E in Eq; cbn [N.eqb] in Eq; apply andb_true_iff in Eq; destruct Eq as [Eg Eq]; cbn [accepts] in H.
  - now rewrite H in Eg.
  - rewrite step_low in H. apply both_spec with (bit := N.odd n) in Eq. apply N.eqb_eq in Eq.
    rewrite (accepts_same _ _ _ _ (put zero x (N.div2 n))) in H by (intro; now rewrite half_put).
    apply IH in H; [|now apply step_below]. now apply H.
Qed.

Lemma distance_sound : forall (bound : nat) q, q < count b -> distance q <> 0 -> distance q <= N.of_nat bound ->
  exists f n, n < 2 ^ N.of_nat f /\ accepts b f q (put zero x n) = true.
Proof.
  destruct exists_parts as (_ & _ & _ & Hd & _). unfold check_distance in Hd.
  induction bound as [|bound IH]; intros q Hq Hne Hb; [lia|].
  pose proof (each_state_spec _ _ _ Hd Hq) as Eq. cbv beta zeta in Eq. destruct (N.eqb_spec (distance q) 0) as [|_]; [contradiction|].
  apply orb_true_iff in Eq. destruct Eq as [Eg|Eq].
  - exists O, 0. split; [cbn; lia | exact Eg].
  - apply either_spec in Eq. destruct Eq as (bit & Eq). apply andb_true_iff in Eq. destruct Eq as [E0 El].
    apply N.ltb_lt in E0, El.
    destruct (IH (step_with b x q no_digit bit)) as (f & n & Hn & H); [now apply step_below | lia | lia |].
    exists (S f), ((if bit then 1 else 0) + 2 * n). split.
    + rewrite Nat2N.inj_succ, N.pow_succ_r'. destruct bit; lia.
    + cbn [accepts]. rewrite step_low, odd_double.
      rewrite (accepts_same _ _ _ _ (put zero x n)) by (intro; now rewrite half_put, div2_double). exact H.
Qed.

Lemma state_parts : forall s, s < count a -> (forall q, In q (states s) -> q < count b) /\
  good a s = existsb (fun q => negb (distance q =? 0)) (states s) /\
  forall v, (forall q bit, In q (states s) ->
               In (step_with b x q (low v) bit) (states (next a s (symbol (tracks a) (low v))))) /\
            (forall r, In r (states (next a s (symbol (tracks a) (low v)))) ->
               exists q bit, In q (states s) /\ step_with b x q (low v) bit = r).
Proof.
  intros s Hs. pose proof checked as H. unfold check_exists in H. repeat rewrite andb_true_iff in H. destruct H as (_ & H).
  apply (each_state_spec _ _ _ H) in Hs. cbv beta in Hs. repeat rewrite andb_true_iff in Hs. destruct Hs as ((Hb & Hg) & Hs).
  rewrite forallb_forall in Hb. split; [intros q Hq; now apply N.ltb_lt, Hb|]. split; [now apply Bool.eqb_prop|].
  intro v. apply (each_symbol_spec _ _ (low v)) in Hs. cbv beta zeta in Hs. apply andb_true_iff in Hs.
  destruct Hs as [Hto Hfrom]. rewrite forallb_forall in Hto, Hfrom. split.
  - intros q bit Hq. specialize (Hto q Hq). apply both_spec with (bit := bit) in Hto. apply member_spec in Hto.
    now rewrite step_read in Hto.
  - intros r Hr. specialize (Hfrom r Hr). apply existsb_exists in Hfrom. destruct Hfrom as (q & Hq & E).
    apply either_spec in E. destruct E as (bit & E). apply N.eqb_eq in E. rewrite step_read in E. now exists q, bit.
Qed.

(** If an n makes [b] accept from one of the states, [a] accepts. The number n may have more digits than the others. *)
Lemma exists_to : forall f f' s q v n, (f <= f')%nat -> s < count a -> fits f v -> In q (states s) ->
  accepts b f' q (put v x n) = true -> accepts a f s v = true.
Proof.
  destruct exists_parts as (_ & Ha & _).
  induction f as [|f IH]; intros f' s q v n Hf Hs Hv Hq H; destruct (state_parts s Hs) as (Hb & Hg & Hstep).
  - cbn [accepts]. rewrite Hg. apply existsb_exists. exists q. split; trivial. apply negb_true_iff, N.eqb_neq.
    apply (distance_complete f' q n); [now apply Hb|].
    rewrite <- H. apply accepts_same. intro y. unfold put, zero. now rewrite (fits_0 v y Hv).
  - destruct f' as [|f']; [lia|]. cbn [accepts] in *. rewrite step_low in H.
    apply (IH f' _ (step_with b x q (low v) (N.odd n)) (half v) (N.div2 n)); [lia | now apply next_below | now apply fits_half | |].
    + now apply Hstep.
    + rewrite <- H. apply accepts_same. intro. now rewrite half_put.
Qed.

Lemma exists_from : forall f s v, s < count a -> fits f v -> accepts a f s v = true ->
  exists q f' n, In q (states s) /\ (f <= f')%nat /\ n < 2 ^ N.of_nat f' /\ accepts b f' q (put v x n) = true.
Proof.
  destruct exists_parts as (_ & Ha & _).
  induction f as [|f IH]; intros s v Hs Hv H; destruct (state_parts s Hs) as (Hb & Hg & Hstep); cbn [accepts] in H.
  - rewrite Hg in H. apply existsb_exists in H. destruct H as (q & Hq & E). apply negb_true_iff, N.eqb_neq in E.
    destruct (distance_sound (N.to_nat (distance q)) q (Hb q Hq) E ltac:(lia)) as (f & n & Hn & H).
    exists q, f, n. repeat split; trivial; [lia|]. rewrite <- H. apply accepts_same. intro y. unfold put, zero.
    now rewrite (fits_0 v y Hv).
  - apply IH in H; [|now apply next_below | now apply fits_half]. destruct H as (r & f' & n & Hr & Hf & Hn & H).
    apply Hstep in Hr. destruct Hr as (q & bit & Hq & Er).
    exists q, (S f'), ((if bit then 1 else 0) + 2 * n). repeat split; trivial; [lia | |].
    + rewrite Nat2N.inj_succ, N.pow_succ_r'. destruct bit; lia.
    + cbn [accepts]. rewrite step_low, odd_double, Er. rewrite <- H. apply accepts_same. intro.
      now rewrite half_put, div2_double.
Qed.

End There_is.

(** ** The check of a whole tree *)

Fixpoint check_tree (t : tree) : bool :=
  match t with
  | Sum_tree equal terms constant a rest dead => check_sum equal terms constant a rest dead
  | Nim_tree parts a dead => check_nim parts a dead
  | Table_tree rows accepted l a inside => check_recognised rows accepted l a inside
  | Not_tree t => check_tree t
  | And_tree t u a one other => check_tree t && check_tree u && check_and (top t) (top u) a one other
  | Exists_tree x t a states distance => check_tree t && check_exists x (top t) a states distance
  | Renamed_tree names t => check_tree t
  | Smaller_tree t a image => check_tree t && check_smaller (top t) a image
  end.

Lemma accepts_opposite : forall a f s v, accepts (opposite a) f s v = negb (accepts a f s v).
Proof. induction f as [|f IH]; intros s v; trivial. cbn [accepts]. now rewrite <- IH. Qed.

Lemma symbol_renamed : forall names l digit, symbol (map (renamed names) l) digit = symbol l (fun x => digit (renamed names x)).
Proof. induction l as [|x l IH]; intro digit; trivial. cbn [map symbol]. now rewrite IH. Qed.

Lemma accepts_renamed : forall names a f s v,
  accepts (with_names names a) f s v = accepts a f s (fun x => v (renamed names x)).
Proof.
  induction f as [|f IH]; intros s v; trivial. cbn [accepts]. rewrite IH. cbn [tracks with_names next].
  now rewrite symbol_renamed.
Qed.

Lemma fits_put : forall f v x n, fits f v -> n < 2 ^ N.of_nat f -> fits f (put v x n).
Proof. intros f v x n Hv Hn y. unfold put. now destruct (y =? x). Qed.

Lemma fits_more : forall f g v, (f <= g)%nat -> fits f v -> fits g v.
Proof. intros f g v H Hv y. apply (N.lt_le_trans _ _ _ (Hv y)). apply N.pow_le_mono_r; lia. Qed.

Lemma fits_number : forall n, exists f, n < 2 ^ N.of_nat f.
Proof.
  intro n. exists (N.to_nat n). rewrite N2Nat.id. apply N.pow_gt_lin_r. lia.
Qed.

Lemma top_table : forall t, check_tree t = true -> check_table (top t) = true.
Proof.
  assert (Hnames : forall names a, check_table a = true -> check_table (with_names names a) = true).
  { intros names a H. unfold check_table, each_state, each_symbol, symbols in *. cbn [tracks count next with_names] in *.
    now rewrite map_length. }
  induction t; intro H; cbn [check_tree top] in *; repeat rewrite andb_true_iff in H.
  - unfold check_sum in H. repeat rewrite andb_true_iff in H. tauto.
  - unfold check_nim in H. repeat rewrite andb_true_iff in H. tauto.
  - unfold check_recognised in H. repeat rewrite andb_true_iff in H. tauto.
  - now apply IHt.
  - destruct H as (_ & H). unfold check_and in H. repeat rewrite andb_true_iff in H. tauto.
  - destruct H as (_ & H). unfold check_exists in H. repeat rewrite andb_true_iff in H. tauto.
  - apply Hnames. now apply IHt.
  - destruct H as (_ & H). unfold check_smaller in H. repeat rewrite andb_true_iff in H. tauto.
Qed.

Theorem tree_right : forall t, check_tree t = true -> forall f v, fits f v ->
  (accepts (top t) f 0 v = true <-> holds_of (says t) v).
Proof.
  induction t; intros H f v Hf; pose proof (start_below _ (top_table _ H)) as H0;
    cbn [check_tree top says holds_of] in *; repeat rewrite andb_true_iff in H.
  - rewrite (sum_right _ _ _ _ _ _ H) by trivial. unfold check_sum in H. repeat rewrite andb_true_iff in H.
    destruct H as ((((_ & _) & E) & D) & _). apply Z.eqb_eq in E. apply negb_true_iff in D. rewrite E, D. tauto.
  - rewrite (nim_right _ _ _ H) by trivial. unfold check_nim in H. repeat rewrite andb_true_iff in H.
    destruct H as ((_ & D) & _). apply negb_true_iff in D. rewrite D. tauto.
  - rewrite (recognised_right _ _ _ _ _ H) by trivial. unfold check_recognised in H. repeat rewrite andb_true_iff in H.
    destruct H as ((((_ & Hr) & _) & Ha) & _). unfold each_row in Ha. rewrite all_range_spec in Ha.
    pose proof (read_below rows tracks0 f v Hr). specialize (Ha (read rows tracks0 f v) ltac:(lia)). cbv beta in Ha.
    apply Bool.eqb_prop in Ha. rewrite Ha. split.
    + intro E. exists f. split; [intros x _; apply Hf | exact E].
    + intros (g & Hg & E). destruct (Nat.le_ge_cases f g) as [Hle|Hle].
      * rewrite (read_enough rows tracks0 f g v Hr Hle) in E; [exact E | intros x _; apply Hf].
      * now rewrite (read_enough rows tracks0 g f v Hr Hle).
  - rewrite accepts_opposite, negb_true_iff, <- (IHt H f v Hf). now destruct (accepts (top t) f 0 v).
  - destruct H as ((H1 & H2) & H). rewrite (and_right _ _ _ _ _ H) by trivial. unfold check_and, check_map in H.
    repeat rewrite andb_true_iff in H. destruct H as (((_ & ((_ & El) & _)) & ((_ & Er) & _)) & _).
    apply N.eqb_eq in El, Er. rewrite El, Er, andb_true_iff, IHt1, IHt2 by trivial. reflexivity.
  - destruct H as (H1 & H). destruct (exists_parts _ _ _ _ _ H) as (_ & _ & _ & _ & E0). split.
    + intro Ha. destruct (exists_from _ _ _ _ _ H f 0 v H0 Hf Ha) as (q & f' & n & Hq & Hle & Hn & Hb).
      rewrite E0 in Hq. destruct Hq as [<-|[]]. exists n. apply (IHt H1 f'); trivial. apply fits_put; trivial.
      now apply (fits_more f).
    + intros (n & Hn). destruct (fits_number n) as (g & Hg).
      assert (Hfit : fits (f + g) (put v x n)).
      { apply fits_put; [apply (fits_more f); trivial; lia|]. apply (N.lt_le_trans _ _ _ Hg). apply N.pow_le_mono_r; lia. }
      apply (IHt H1 (f + g)%nat) in Hn; trivial.
      apply (exists_to _ _ _ _ _ H f (f + g)%nat 0 0 v n); trivial; [lia|]. rewrite E0. now left.
  - rewrite accepts_renamed. apply (IHt H). intro x. apply Hf.
  - destruct H as (H1 & H). rewrite <- (IHt H1 f v Hf). pose proof (smaller_right _ _ _ H) as E.
    unfold check_smaller, check_map in H. repeat rewrite andb_true_iff in H.
    destruct H as ((((Hb & _) & ((_ & Ei) & _)) & _) & _). apply N.eqb_eq in Ei.
    specialize (E f 0 v (start_below _ Hb)). rewrite Ei in E. now rewrite E.
Qed.

(** If every state is good, the statement holds of all numbers. *)
Definition check_valid (t : tree) (s : statement) : bool :=
  (if statement_eq_dec (says t) s then true else false) && check_tree t && each_state (top t) (good (top t)).

Definition of_list (l : list N) : numbers := fun x => nth (N.to_nat x) l 0.

Lemma fits_list : forall l, exists f, fits f (of_list l).
Proof.
  induction l as [|n l (f & IH)].
  - exists O. intro x. unfold of_list. destruct (N.to_nat x); cbn; lia.
  - destruct (fits_number n) as (g & Hg). exists (f + g)%nat. intro x. unfold of_list. destruct (N.to_nat x) as [|i] eqn:E; cbn [nth].
    + apply (N.lt_le_trans _ _ _ Hg). apply N.pow_le_mono_r; lia.
    + specialize (IH (N.of_nat i)). unfold of_list in IH. rewrite Nat2N.id in IH. apply (N.lt_le_trans _ _ _ IH).
      apply N.pow_le_mono_r; lia.
Qed.

Theorem valid_spec : forall t s, check_valid t s = true -> forall l, holds_of s (of_list l).
Proof.
  intros t s H l. unfold check_valid in H. repeat rewrite andb_true_iff in H. destruct H as ((E & Ht) & Hg).
  destruct (statement_eq_dec (says t) s) as [<-|]; [|discriminate]. destruct (fits_list l) as (f & Hf).
  apply (tree_right t Ht f); trivial. pose proof (top_table t Ht) as Htable.
  assert (H : forall f s v, s < count (top t) -> accepts (top t) f s v = true); [|apply H; now apply start_below].
  induction f0 as [|f0 IH]; intros s v Hs; cbn [accepts].
  - now apply (each_state_spec _ _ _ Hg).
  - apply IH. now apply next_below.
Qed.
