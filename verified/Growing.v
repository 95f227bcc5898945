(** * Values that grow: all but finitely many amounts may be taken

    What this file proves: [growing_values]. One may take any positive number from a heap, except those of a finite
    list. A table that [check_growing] accepts gives the value of every heap: from the heap [n0] on, the values of one
    period repeat with a constant added each time.

    The proof goes from the heap n to n + p. A value that is new enough can come from new heaps alone, and these move
    along with n. The smaller values come from old heaps, and these are far enough below n to be reached forever. *)

From Coq Require Import List NArith Bool Lia Wellfounded.
From Graphgame Require Import Theory Mex.
Import ListNotations.
Open Scope N_scope.

Section Growing.

Variable excluded : list N.

Definition may_take (k : N) : bool := negb (existsb (N.eqb k) excluded).

Definition take_moves (h : N) : list (list N) := map (fun j => [j]) (filter (fun j => may_take (h - j)) (range 0 h)).

Lemma in_take_moves : forall h parts, In parts (take_moves h) <-> exists j, j < h /\ may_take (h - j) = true /\ parts = [j].
Proof.
  intros h parts. unfold take_moves. rewrite in_map_iff. split.
  - intros (j & <- & Hj). apply filter_In in Hj. destruct Hj as [Hj E]. apply in_range in Hj. exists j. repeat split; trivial. lia.
  - intros (j & Hj & E & ->). exists j. split; trivial. apply filter_In. split; trivial. apply in_range. lia.
Qed.

Lemma take_ends : well_founded (part_of N take_moves).
Proof.
  apply (wf_incl _ _ N.lt); [|apply N.lt_wf_0]. intros a h (parts & H & Ha). apply in_take_moves in H.
  destruct H as (j & Hj & _ & ->). destruct Ha as [<-|[]]. exact Hj.
Qed.

(** The Grundy value of a heap. *)
Definition take_value (h : N) : N := component_value N take_moves take_ends h.

Definition largest : N := fold_right N.max 0 excluded.

Lemma may_take_large : forall k, largest < k -> may_take k = true.
Proof.
  intros k Hk. unfold may_take, largest in *. apply negb_true_iff. induction excluded as [|a r IH]; trivial.
  cbn in *. rewrite IH by lia. destruct (N.eqb_spec k a); trivial. lia.
Qed.

Variables (table : N -> N) (n0 p s : N).

Definition grown (n : N) : N := if n <? n0 then table n else table (n0 + (n - n0) mod p) + s * ((n - n0) / p).

Lemma grown_step : 1 <= p -> forall n, n0 <= n -> grown (n + p) = grown n + s.
Proof.
  intros Hp n Hn. unfold grown. destruct (N.ltb_spec (n + p) n0); [lia|]. destruct (N.ltb_spec n n0); [lia|].
  replace (n + p - n0) with (n - n0 + 1 * p) by lia. rewrite N.mod_add, N.div_add by lia. lia.
Qed.

(** Hints: the heap [start] from which on the proof goes by steps of a period, [low] above the values of the heaps below
    [n0], and [high] above those of the heaps below [n0 + p]. *)
Variables (start low high : N).

Definition take_source (h : N) : source := (0, h, fun j => if may_take (h - j) then N.succ (grown j) else 0).

Definition check_growing : bool :=
  if (0 <? p) && (n0 <=? start) && all_range 0 n0 (fun j => grown j <? low) &&
     all_range 0 (n0 + p) (fun j => grown j <? high) && all_range start (start + p) (fun n => high <=? grown n + s) &&
     covers [(0, start - largest, fun j => N.succ (grown j))] (low + s)
  then all_range 0 (start + p) (fun h => check_mex [take_source h] (grown h))
  else false.

Definition right (h : N) : Prop := is_mex (map (fun parts => nim_sum (map grown parts)) (take_moves h)) (grown h).

Lemma right_spec : forall h, right h <->
  (forall j, j < h -> may_take (h - j) = true -> grown j <> grown h) /\
  (forall v, v < grown h -> exists j, j < h /\ may_take (h - j) = true /\ grown j = v).
Proof.
  intro h. unfold right, is_mex.
  assert (Hin : forall v, In v (map (fun parts => nim_sum (map grown parts)) (take_moves h)) <->
                          exists j, j < h /\ may_take (h - j) = true /\ grown j = v).
  { intro v. rewrite in_map_iff. split.
    - intros (parts & <- & Hp). apply in_take_moves in Hp. destruct Hp as (j & Hj & E & ->). exists j.
      repeat split; trivial. cbn. now rewrite N.lxor_0_r.
    - intros (j & Hj & E & <-). exists [j]. split; [cbn; apply N.lxor_0_r|]. apply in_take_moves. now exists j. }
  rewrite Hin. split; intros [H1 H2]; split.
  - intros j Hj E Ev. apply H1. now exists j.
  - intros v Hv. now apply Hin, H2.
  - intros (j & Hj & E & Ev). now apply (H1 j).
  - intros v Hv. now apply Hin, H2.
Qed.

Theorem growing_values : check_growing = true -> forall h, take_value h = grown h.
Proof.
  intros H. unfold check_growing in H. destruct (_ && covers _ _) eqn:E; [|discriminate].
  apply andb_true_iff in E. destruct E as [E Ecover]. apply andb_true_iff in E. destruct E as [E Emore].
  apply andb_true_iff in E. destruct E as [E Ehigh]. apply andb_true_iff in E. destruct E as [E Elow].
  apply andb_true_iff in E. destruct E as [Ep Estart]. apply N.ltb_lt in Ep. apply N.leb_le in Estart.
  rewrite all_range_spec in H, Elow, Ehigh, Emore.
  assert (Hstart : forall h, h < start + p -> right h).
  { intros h Hh. specialize (H h ltac:(lia)). cbv beta in H. apply (mex_checked _ _ _ H). intro x. split.
    - intro Hx. apply in_map_iff in Hx. destruct Hx as (parts & <- & Hp). apply in_take_moves in Hp.
      destruct Hp as (j & Hj & E & ->). exists (take_source h). split; [now left|]. exists j. cbn [take_source fst snd].
      rewrite E. cbn. rewrite N.lxor_0_r. split; [lia | trivial].
    - intros (src & [<-|[]] & (j & Hj & E)). cbn [take_source fst snd] in Hj, E.
      destruct (may_take (h - j)) eqn:Em; [|lia]. apply in_map_iff. exists [j]. split.
      + cbn. rewrite N.lxor_0_r. lia.
      + apply in_take_moves. exists j. repeat split; trivial. lia. }
  assert (Hlarge : forall (bound : nat) n, (N.to_nat n < bound)%nat -> start <= n -> high <= grown n + s).
  { induction bound as [|bound IH]; [lia|]. intros n Hb Hn. destruct (N.lt_ge_cases n (start + p)) as [Hlt|Hge].
    - specialize (Emore n ltac:(lia)). now apply N.leb_le.
    - replace n with (n - p + p) by lia. rewrite grown_step by lia. specialize (IH (n - p) ltac:(lia) ltac:(lia)). lia. }
  assert (Hall : forall (bound : nat) h, (N.to_nat h < bound)%nat -> right h).
  { induction bound as [|bound IH]; [lia|]. intros h Hb. destruct (N.lt_ge_cases h (start + p)) as [Hlt|Hge]; [auto|].
    set (n := h - p). assert (Eh : h = n + p) by (unfold n; lia). assert (Hn : start <= n) by (unfold n; lia).
    specialize (IH n ltac:(lia)). clearbody n. subst h. apply right_spec in IH. destruct IH as [Hnot Hbelow].
    apply right_spec. rewrite grown_step by lia. split.
    - intros j Hj Et Ev. destruct (N.lt_ge_cases j (n0 + p)) as [Hsmall|Hnew].
      + specialize (Ehigh j ltac:(lia)). cbv beta in Ehigh. apply N.ltb_lt in Ehigh.
        specialize (Hlarge (S (N.to_nat n)) n ltac:(lia) Hn). lia.
      + apply (Hnot (j - p)); [lia | now replace (n - (j - p)) with (n + p - j) by lia |].
        replace j with (j - p + p) in Ev by lia. rewrite grown_step in Ev by lia. lia.
    - intros v Hv. destruct (N.lt_ge_cases v (low + s)) as [Hold|Hnew].
      + destruct (covers_spec _ _ Ecover v Hold) as (src & [<-|[]] & (j & Hj & Ej)). cbn [fst snd] in Hj, Ej.
        exists j. repeat split; [lia | apply may_take_large; lia | lia].
      + destruct (Hbelow (v - s) ltac:(lia)) as (j & Hj & Et & Ev). destruct (N.lt_ge_cases j n0) as [Hsmall|Hge'].
        * specialize (Elow j ltac:(lia)). cbv beta in Elow. apply N.ltb_lt in Elow. lia.
        * exists (j + p). rewrite grown_step by lia. repeat split; [lia | | lia].
          now replace (n + p - (j + p)) with (n - j) by lia. }
  intro h. symmetry. revert h. apply component_value_unique. intro a. apply (Hall (S (N.to_nat a))). lia.
Qed.

End Growing.
