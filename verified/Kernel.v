(** * Periods computed by the kernel of Coq

    What this file proves, with nothing extracted: Kayles has the period 12 from heap 71 on (Guy and Smith 1956), the
    last exception being heap 70; Dawson's Chess 0.137 has the period 34 from heap 52 on, and 0.07 from heap 53 on
    (Guy and Smith 1956); 0.055 has the period 148 from heap 259 on (Guy, Kenyon). The kernel evaluates [check_code]
    itself, by [vm_compute]. *)

From Coq Require Import List NArith Bool Lia.
From Graphgame Require Import Theory Mex Octal.
Import ListNotations.
Open Scope N_scope.

(** A table of values as a binary tree: lookups in logarithmic time. Nothing needs to be proved about it. *)
Inductive tree := leaf | node (left : tree) (value : N) (right : tree).

Fixpoint get (t : tree) (p : positive) : N :=
  match t, p with
  | leaf, _ => 0
  | node _ v _, xH => v
  | node l _ _, xO p => get l p
  | node _ _ r, xI p => get r p
  end.

Fixpoint set (t : tree) (p : positive) (v : N) : tree :=
  match t, p with
  | leaf, xH => node leaf v leaf
  | leaf, xO p => node (set leaf p v) 0 leaf
  | leaf, xI p => node leaf 0 (set leaf p v)
  | node l _ r, xH => node l v r
  | node l w r, xO p => node (set l p v) w r
  | node l w r, xI p => node l w (set r p v)
  end.

Definition lookup (t : tree) (n : N) : N := get t (N.succ_pos n).

(** The values of the smallest heaps, repeated with the period [p] up to the heap [last]. *)
Definition extended (values : list N) (p last : N) : tree :=
  fst (fold_left (fun '(t, rest) n =>
    match rest with
    | v :: rest => (set t (N.succ_pos n) v, rest)
    | [] => (set t (N.succ_pos n) (lookup t (n - p)), [])
    end) (range 0 (N.succ last)) (leaf, values)).

Definition table_of (digits : list N) (values : list N) (n0 p : N) : tree :=
  extended values p (last_heap digits (most_heaps digits) n0 p).

Lemma period_of_table : forall digits values n0 p (is_legal : legal digits = true),
  (let t := table_of digits values n0 p in check_code digits (lookup t) n0 p) = true ->
  1 <= p -> forall h, n0 <= h -> heap_value digits is_legal (h + p) = heap_value digits is_legal h.
Proof.
  intros digits values n0 p L H Hp h Hh. cbv zeta in H. rewrite !(code_period _ _ _ _ L H). now apply periodic_step.
Qed.

(** Kayles: knock down one pin or two adjacent pins of a row. *)
Definition kayles : list N := [0; 7; 7].

Definition kayles_values : list N :=
   [0; 1; 2; 3; 1; 4; 3; 2; 1; 4; 2; 6; 4; 1; 2; 7; 1; 4; 3; 2; 1; 4; 6; 7; 4; 1; 2; 8; 5; 4; 7; 2; 1; 8; 6; 7;
   4; 1; 2; 3; 1; 4; 7; 2; 1; 8; 2; 7; 4; 1; 2; 8; 1; 4; 7; 2; 1; 4; 2; 7; 4; 1; 2; 8; 1; 4; 7; 2; 1; 8; 6; 7;
   4; 1; 2; 8; 1; 4; 7; 2; 1; 8; 2].

Theorem kayles_period : forall h, 71 <= h -> heap_value kayles eq_refl (h + 12) = heap_value kayles eq_refl h.
Proof. apply (period_of_table kayles kayles_values 71 12); [vm_compute; reflexivity | discriminate]. Qed.

Lemma kayles_value : forall h, heap_value kayles eq_refl h =
  periodic (lookup (table_of kayles kayles_values 71 12)) 71 12 h.
Proof. apply code_period. vm_compute. reflexivity. Qed.

Theorem kayles_last_exception : heap_value kayles eq_refl 82 <> heap_value kayles eq_refl 70.
Proof. rewrite !kayles_value. vm_compute. discriminate. Qed.

(** A row of n pins is a P-position for n = 0 alone. *)
Theorem kayles_first_player_wins : forall h, 1 <= h -> heap_value kayles eq_refl h <> 0.
Proof.
  intros h Hh. rewrite kayles_value.
  assert (Hall : all_range 1 83 (fun n => negb (lookup (table_of kayles kayles_values 71 12) n =? 0)) = true)
    by (vm_compute; reflexivity).
  rewrite all_range_spec in Hall. unfold periodic. destruct (N.ltb_spec h (71 + 12)) as [Hlt|Hge].
  - specialize (Hall h ltac:(lia)). now apply negb_true_iff, N.eqb_neq in Hall.
  - pose proof (N.mod_lt (h - 71) 12 ltac:(discriminate)) as Hmod. set (r := (h - 71) mod 12) in *. clearbody r.
    specialize (Hall (71 + r) ltac:(lia)). now apply negb_true_iff, N.eqb_neq in Hall.
Qed.

(** Dawson's Chess as a heap game, T. R. Dawson 1935. *)
Definition dawsons_chess : list N := [0; 1; 3; 7].

Definition dawsons_chess_values : list N :=
   [0; 1; 1; 2; 0; 3; 1; 1; 0; 3; 3; 2; 2; 4; 0; 5; 2; 2; 3; 3; 0; 1; 1; 3; 0; 2; 1; 1; 0; 4; 5; 2; 7; 4; 0; 1;
   1; 2; 0; 3; 1; 1; 0; 3; 3; 2; 2; 4; 4; 5; 5; 2; 3; 3; 0; 1; 1; 3; 0; 2; 1; 1; 0; 4; 5; 3; 7; 4; 8; 1; 1; 2;
   0; 3; 1; 1; 0; 3; 3; 2; 2; 4; 4; 5; 5; 9].

Theorem dawsons_chess_period : forall h, 52 <= h -> heap_value dawsons_chess eq_refl (h + 34) = heap_value dawsons_chess eq_refl h.
Proof. apply (period_of_table dawsons_chess dawsons_chess_values 52 34); [vm_compute; reflexivity | discriminate]. Qed.

(** Dawson's Kayles: knock down two adjacent pins. *)
Definition dawsons_kayles : list N := [0; 0; 7].

Definition dawsons_kayles_values : list N :=
   [0; 0; 1; 1; 2; 0; 3; 1; 1; 0; 3; 3; 2; 2; 4; 0; 5; 2; 2; 3; 3; 0; 1; 1; 3; 0; 2; 1; 1; 0; 4; 5; 2; 7; 4; 0;
   1; 1; 2; 0; 3; 1; 1; 0; 3; 3; 2; 2; 4; 4; 5; 5; 2; 3; 3; 0; 1; 1; 3; 0; 2; 1; 1; 0; 4; 5; 3; 7; 4; 8; 1; 1;
   2; 0; 3; 1; 1; 0; 3; 3; 2; 2; 4; 4; 5; 5; 9].

Theorem dawsons_kayles_period : forall h, 53 <= h -> heap_value dawsons_kayles eq_refl (h + 34) = heap_value dawsons_kayles eq_refl h.
Proof. apply (period_of_table dawsons_kayles dawsons_kayles_values 53 34); [vm_compute; reflexivity | discriminate]. Qed.

(** A code of a longer period. *)
Definition code_055 : list N := [0; 0; 5; 5].

Definition code_055_values : list N :=
   [0; 0; 1; 1; 1; 2; 2; 2; 3; 1; 1; 1; 4; 4; 4; 3; 2; 2; 2; 1; 1; 1; 4; 2; 2; 2; 6; 4; 4; 4; 1; 1; 1; 2; 2; 2;
   7; 1; 1; 1; 4; 4; 4; 3; 2; 2; 2; 1; 1; 1; 4; 8; 2; 2; 7; 4; 4; 4; 1; 1; 1; 2; 2; 2; 7; 8; 1; 1; 4; 4; 4; 7;
   2; 2; 2; 1; 1; 1; 4; 4; 2; 2; 7; 7; 4; 4; 1; 1; 1; 2; 2; 2; 7; 7; 1; 1; 1; 4; 4; 7; 2; 2; 2; 1; 1; 1; 4; 4;
   8; 2; 2; 7; 4; 4; 1; 1; 1; 2; 2; 2; 7; 7; 8; 1; 1; 4; 4; 7; 2; 2; 2; 1; 1; 1; 4; 4; 4; 2; 2; 7; 7; 4; 1; 1;
   1; 2; 2; 2; 7; 7; 7; 1; 1; 1; 4; 4; 2; 2; 2; 1; 1; 1; 4; 4; 4; 8; 2; 2; 7; 4; 1; 1; 1; 2; 2; 2; 7; 4; 7; 8;
   1; 1; 4; 4; 7; 2; 2; 1; 1; 1; 4; 4; 4; 8; 1; 2; 7; 4; 4; 1; 1; 2; 2; 2; 7; 4; 7; 8; 1; 1; 1; 4; 4; 2; 2; 1;
   1; 1; 4; 4; 4; 8; 1; 2; 2; 4; 4; 1; 1; 1; 2; 2; 7; 4; 4; 4; 1; 1; 1; 8; 4; 7; 2; 1; 1; 1; 4; 4; 4; 7; 1; 1;
   2; 8; 4; 4; 1; 1; 2; 2; 7; 4; 4; 4; 1; 1; 1; 8; 4; 4; 2; 1; 1; 1; 4; 4; 4; 7; 2; 1; 2; 8; 4; 4; 1; 1; 1; 2;
   7; 4; 4; 4; 1; 1; 1; 8; 4; 4; 7; 1; 1; 1; 4; 4; 4; 7; 2; 1; 1; 1; 4; 4; 4; 2; 1; 2; 7; 4; 4; 1; 1; 1; 2; 2;
   4; 4; 7; 8; 1; 1; 4; 4; 4; 7; 2; 1; 1; 1; 4; 4; 4; 8; 1; 1; 7; 4; 4; 4; 1; 1; 1; 2; 7; 4; 7; 8; 1; 1; 4; 4;
   4; 7; 2; 1; 1; 1; 4; 4; 4; 8; 1; 1; 2; 4; 4; 4; 1; 1; 1; 2; 7; 4; 4; 4; 1; 1; 1; 7; 4; 7; 2; 1; 1; 1; 4; 4;
   4; 7; 1; 1; 2; 8; 4; 4; 1; 1; 1].

Theorem code_055_period : forall h, 259 <= h -> heap_value code_055 eq_refl (h + 148) = heap_value code_055 eq_refl h.
Proof. apply (period_of_table code_055 code_055_values 259 148); [vm_compute; reflexivity | discriminate]. Qed.

