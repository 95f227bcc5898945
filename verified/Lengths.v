(** * How long the winner needs

    What this file proves: [checked_lengths]. If [check_lengths] accepts a column of numbers beside values that
    [check] accepts, the number of a position is the least n such that the winner can force the end within n moves,
    however long the loser resists. This is the remoteness.

    References: H. Steinhaus, Definicje potrzebne do teorii gry i pościgu (1925); C. A. B. Smith, Graphs and composite
    games, Journal of Combinatorial Theory 1 (1966), who calls it remoteness. *)

From Coq Require Import List NArith Bool Lia.
From Graphgame Require Import Theory Mex Graph.
Import ListNotations.
Open Scope N_scope.

(** [wins_within n p]: the player to move at [p] can end play as the winner within [n] moves. [loses_within n p]: the
    other player can. [final] is 0 under normal play and 1 under misère play, where who cannot move wins. *)
Inductive wins_within {G : game} (final n : N) (p : position G) : Prop :=
| wins_at_end : options p = [] -> final <> 0 -> wins_within final n p
| wins_by : forall q, 1 <= n -> In q (options p) -> loses_within final (N.pred n) q -> wins_within final n p
with loses_within {G : game} (final n : N) (p : position G) : Prop :=
| loses_by_all : (options p = [] -> final = 0) ->
    (forall q, In q (options p) -> 1 <= n /\ wins_within final (N.pred n) q) -> loses_within final n p.

Section Lengths.

Variables (size : N) (first target : N -> N) (final : N) (claim outcome rank witness : N -> N) (length : N -> N).

Definition check_length (v : N) : bool :=
  let low := first v in
  let high := first (N.succ v) in
  if claim v =? 0 then false
  else if is_end first v then length v =? 0
  else if claim v =? 1 then
    all_range low high (fun i => length (target i) <? length v) &&
    some_range low high (fun i => length v =? N.succ (length (target i)))
  else
    all_range low high (fun i =>
      if claim (target i) =? 1 then length v <=? N.succ (length (target i)) else true) &&
    some_range low high (fun i => (claim (target i) =? 1) && (length v =? N.succ (length (target i)))).

Definition check_lengths : bool := all_range 0 size check_length.

Hypothesis ends : well_founded (fun q p => In q (vertex_options size first target p)).
Hypothesis checked : check size first target final claim outcome rank witness = true.
Hypothesis lengths_checked : check_lengths = true.

Let G := graph size first target ends.

Lemma lengths_by_rank : forall (r : nat) v, (N.to_nat (rank v) < r)%nat -> v < size -> forall n,
  (wins_within (G := G) final n v <-> value final (G := G) v <> 0 /\ length v <= n) /\
  (loses_within (G := G) final n v <-> value final (G := G) v = 0 /\ length v <= n).
Proof.
  induction r as [|r IH]; [lia|]. intros v Hr Hv n.
  assert (Hin : forall i, first v <= i < first (N.succ v) -> In (target i) (options (g := G) v)).
  { intros i Hi. apply in_options. split; trivial. now exists i. }
  assert (Hout : forall u, In u (options (g := G) v) -> exists i, first v <= i < first (N.succ v) /\ target i = u).
  { intros u Hu. now apply in_options in Hu. }
  assert (Hopt : forall u, In u (options (g := G) v) -> u < size /\ forall m,
    (wins_within (G := G) final m u <-> value final (G := G) u <> 0 /\ length u <= m) /\
    (loses_within (G := G) final m u <-> value final (G := G) u = 0 /\ length u <= m)).
  { intros u Hu. destruct (edge_checked _ _ _ _ _ _ _ _ checked _ _ Hu) as [Hus Hur]. split; trivial.
    apply IH; trivial. lia. }
  assert (Hclaim : forall u, u < size -> claim u = N.succ (value final (G := G) u)).
  { intros u Hu. apply (checked_values _ _ _ ends _ _ _ _ _ checked u Hu).
    unfold check_lengths in lengths_checked. rewrite all_range_spec in lengths_checked.
    specialize (lengths_checked u ltac:(lia)). unfold check_length in lengths_checked.
    now destruct (N.eqb_spec (claim u) 0). }
  unfold check_lengths in lengths_checked. rewrite all_range_spec in lengths_checked.
  specialize (lengths_checked v ltac:(lia)). unfold check_length in lengths_checked. cbv zeta in lengths_checked.
  pose proof (Hclaim v Hv) as Ev. rewrite Ev in lengths_checked.
  destruct (N.eqb_spec (N.succ (value final (G := G) v)) 0); [lia|].
  destruct (is_end first v) eqn:Eend.
  - apply (is_end_spec size first target v Hv) in Eend. apply N.eqb_eq in lengths_checked.
    destruct (value_final_or_mex final G v) as [[_ E]|[Hn _]]; [|contradiction]. rewrite E.
    split; split.
    + intros [_ Hf|q _ Hq _]; [split; trivial; lia|]. exfalso. change (In q (vertex_options size first target v)) in Hq.
      rewrite Eend in Hq. destruct Hq.
    + intros [Hf _]. now apply wins_at_end.
    + intros [Hf _]. split; [now apply Hf | lia].
    + intros [Hf _]. apply loses_by_all; trivial. intros q Hq.
      change (In q (vertex_options size first target v)) in Hq. rewrite Eend in Hq. destruct Hq.
  - assert (Hsome : options (g := G) v <> []).
    { intro H. apply (is_end_spec size first target v Hv) in H. congruence. }
    destruct (value_final_or_mex final G v) as [[H _]|[_ [Hnot Hlow]]]; [contradiction|].
    assert (Hne : forall u, In u (options (g := G) v) -> value final (G := G) u <> value final (G := G) v).
    { intros u Hu E. apply Hnot. rewrite <- E. now apply in_map. }
    destruct (N.eqb_spec (N.succ (value final (G := G) v)) 1) as [E1|E1];
      apply andb_true_iff in lengths_checked; destruct lengths_checked as [Hall Hex];
      rewrite all_range_spec in Hall; apply some_range_spec in Hex; destruct Hex as (i & Hi & Ei).
    + assert (E0 : value final (G := G) v = 0) by lia.
      apply N.eqb_eq in Ei.
      split; split.
      * intros [Hend _|q _ Hq Hl]; [contradiction|]. exfalso.
        apply (Hopt q Hq) in Hl. destruct Hl as [Hl _]. apply (Hne q Hq). congruence.
      * intros [H _]. contradiction.
      * intros [_ Hl]. split; trivial. destruct (Hl (target i) (Hin i Hi)) as [Hm Hw].
        apply (Hopt _ (Hin i Hi)) in Hw. lia.
      * intros [_ Hlen]. apply loses_by_all; [intro; contradiction|]. intros q Hq.
        destruct (Hout q Hq) as (j & Hj & <-). specialize (Hall j Hj). apply N.ltb_lt in Hall.
        split; [lia|]. apply (proj1 (proj2 (Hopt _ Hq) _)). split; [intro E; apply (Hne _ Hq); congruence | lia].
    + apply andb_true_iff in Ei. destruct Ei as [Ec Ei]. apply N.eqb_eq in Ec, Ei.
      destruct (Hopt _ (Hin i Hi)) as [His _]. rewrite (Hclaim _ His) in Ec.
      split; split.
      * intros [Hend _|q Hn1 Hq Hl]; [contradiction|]. split; [lia|].
        apply (Hopt q Hq) in Hl. destruct Hl as [Hq0 Hql]. destruct (Hopt q Hq) as [Hqs _].
        destruct (Hout q Hq) as (j & Hj & <-). specialize (Hall j Hj). cbv beta in Hall.
        rewrite (Hclaim _ Hqs), Hq0 in Hall. cbn in Hall. apply N.leb_le in Hall. lia.
      * intros [_ Hlen]. apply (wins_by (G := G) final n v (target i)); [lia | now apply Hin|].
        apply (proj2 (proj2 (Hopt _ (Hin i Hi)) _)). split; lia.
      * intros [_ Hl]. exfalso. destruct (Hl (target i) (Hin i Hi)) as [_ Hw].
        apply (Hopt _ (Hin i Hi)) in Hw. destruct Hw as [Hw _]. lia.
      * intros [H _]. lia.
Qed.

Theorem checked_lengths : forall v, v < size ->
  (value final (G := G) v <> 0 -> forall n, wins_within (G := G) final n v <-> length v <= n) /\
  (value final (G := G) v = 0 -> forall n, loses_within (G := G) final n v <-> length v <= n).
Proof.
  intros v Hv. split; intros H n; destruct (lengths_by_rank (S (N.to_nat (rank v))) v ltac:(lia) Hv n) as [Hw Hl];
    [rewrite Hw | rewrite Hl]; tauto.
Qed.

End Lengths.
