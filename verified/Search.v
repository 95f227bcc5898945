(** * Certificates of searches

    What this file proves: [listed_values], [listed_winner]. A search writes down the values of a few positions. A
    program that knows the rules lists the options of these positions, and for some options a move that answers them. If
    [check_listing] accepts the values beside these lists, they are right, and the player whom [listed_winner_of] names
    wins.

    The theorems hold for every game whose moves are those of the list ([all_listed], [options_are_moves],
    [answers_are_moves]). That the rules are listed faithfully, and that play by them ends, is trusted.

    Positions are sums: a component is of any type [A], and a move turns one component into several. Reference:
    R. P. Sprague (1935) and P. M. Grundy (1939), by the theorem [sprague_grundy_list]. *)

From Coq Require Import List NArith Bool Lia Wellfounded Relation_Operators Transitive_Closure.
From Graphgame Require Import Theory Mex Graph.
Import ListNotations.
Open Scope N_scope.

Section Listing.

(** The listing: components are numbers below [size]. [claim i] is 0, or the value of component i plus 1; then its
    options are those with the numbers [first i <= o < first (i + 1)]. Option o is the sum of the components
    [option o]; where [answered o], a move leads from it to the sum [answer o]. *)
Variables (size : N) (claim first : N -> N) (option : N -> list N) (answered : N -> bool) (answer : N -> list N).

Definition listed (i : N) : N := if i <? size then claim i else 0.

(** The nim-sum of the listed values plus 1; 0 if a component is not listed. Two equal components cancel first, whether or
    not they are listed. *)
Definition sum_of (l : list N) : N := Graph.total listed (odd_tokens l).

(** Option [o] does not have the value [k]: its listed value is another number or, if it has no listed value, its answer
    has the value [k]. *)
Definition check_option (k o : N) : bool :=
  let c := sum_of (option o) in
  if c =? 0 then (if answered o then sum_of (answer o) =? N.succ k else false) else negb (c =? N.succ k).

Definition check_listed (i : N) : bool :=
  if claim i =? 0 then true
  else
    let k := N.pred (claim i) in
    if all_range (first i) (first (N.succ i)) (check_option k)
    then covers [(first i, first (N.succ i), fun o => sum_of (option o))] k
    else false.

Definition check_listing : bool := all_range 0 size check_listed.

(** Who wins the sum [start]: 1 for the first player, 2 for the second, 0 if the values do not tell. If [is_move], the first
    player may move to the sum [after]. *)
Definition listed_winner_of (start : list N) (is_move : bool) (after : list N) : N :=
  let s := sum_of start in
  if s =? 0 then (if is_move then (if sum_of after =? 1 then 1 else 0) else 0)
  else if s =? 1 then 2 else 1.

(** ** The game that is listed *)

Variables (A : Type) (moves : A -> list (list A)).
Hypothesis parts_end : well_founded (part_of A moves).

(** [pos i] is the component with the number i. *)
Variable pos : N -> A.

Let G := list_game A moves parts_end.
Let value_of (i : N) : N := component_value A moves parts_end (pos i).

Hypothesis all_listed : forall i, listed i <> 0 -> forall parts, In parts (moves (pos i)) ->
  exists o, first i <= o < first (N.succ i) /\ map pos (option o) = parts.

Hypothesis options_are_moves : forall i, listed i <> 0 -> forall o, first i <= o < first (N.succ i) ->
  In (map pos (option o)) (moves (pos i)).

Hypothesis answers_are_moves : forall o, answered o = true ->
  In (map pos (answer o)) (options (g := G) (map pos (option o))).

Hypothesis checked : check_listing = true.

Lemma sum_value : forall l, (forall t, In t l -> listed t <> 0 -> listed t = N.succ (value_of t)) -> sum_of l <> 0 ->
  sum_of l = N.succ (value 0 (G := G) (map pos l)).
Proof using Type.
  intros l Hl H. unfold sum_of in *. rewrite (odd_total_is listed value_of l Hl H). unfold G.
  rewrite sprague_grundy_list. f_equal. now rewrite map_map.
Qed.

(** Each component after a move was there before the move, or is a part of the component that moved. *)
Lemma parts_of_option : forall l q b, In q (list_options A moves l) -> In b q ->
  In b l \/ exists a, In a l /\ part_of A moves b a.
Proof using Type.
  induction l as [|a l IH]; intros q b Hq Hb; cbn [list_options] in Hq; [destruct Hq|].
  apply in_app_iff in Hq. rewrite !in_map_iff in Hq. destruct Hq as [(parts & <- & Hp)|(r & <- & Hr)].
  - apply in_app_iff in Hb. destruct Hb as [Hb|Hb]; [right | left; now right].
    exists a. split; [now left|]. now exists parts.
  - destruct Hb as [<-|Hb]; [left; now left|].
    destruct (IH r b Hr Hb) as [H|(c & Hc & Hbc)]; [left; now right | right; exists c; split; trivial; now right].
Qed.

Theorem listed_values : forall i, listed i <> 0 -> listed i = N.succ (value_of i).
Proof using all_listed options_are_moves answers_are_moves checked.
  assert (Hwf : well_founded (clos_trans A (part_of A moves))) by now apply wf_clos_trans.
  assert (H : forall a i, pos i = a -> listed i <> 0 -> listed i = N.succ (value_of i)); [|intro i; now apply (H (pos i))].
  intro a. induction a as [a IH] using (well_founded_induction Hwf). intros i Ea Hi. subst a.
  assert (Hk : listed i = claim i /\ i < size).
  { unfold listed in *. destruct (N.ltb_spec i size); [now split | contradiction]. }
  destruct Hk as [Ek Hs]. rewrite Ek. unfold check_listing in checked. rewrite all_range_spec in checked.
  specialize (checked i ltac:(lia)). unfold check_listed in checked.
  destruct (N.eqb_spec (claim i) 0) as [|Hc]; [lia|].
  set (k := N.pred (claim i)) in *. assert (Ec : claim i = N.succ k) by (unfold k; lia). rewrite Ec. f_equal.
  destruct (all_range _ _ _) eqn:Eall; [|discriminate]. rewrite all_range_spec in Eall.
  assert (below : forall o t, first i <= o < first (N.succ i) -> In t (option o) -> part_of A moves (pos t) (pos i)).
  { intros o t Ho Ht. exists (map pos (option o)). split; [now apply options_are_moves | now apply in_map]. }
  assert (right : forall o t, first i <= o < first (N.succ i) -> In t (option o) -> listed t <> 0 ->
                  listed t = N.succ (value_of t)).
  { intros o t Ho Ht. apply (IH (pos t)); trivial. apply t_step. now apply (below o). }
  unfold value_of. rewrite component_value_eq. symmetry. apply mex_is. split.
  - rewrite in_map_iff. intros (parts & E & Hp). rewrite <- sprague_grundy_list in E.
    destruct (all_listed i Hi parts Hp) as (o & Ho & <-). specialize (Eall o Ho). unfold check_option in Eall.
    destruct (N.eqb_spec (sum_of (option o)) 0) as [E0|E0].
    + destruct (answered o) eqn:Ea; [|discriminate]. apply N.eqb_eq in Eall.
      pose proof (answers_are_moves o Ea) as Hm.
      assert (Hr : forall t, In t (answer o) -> listed t <> 0 -> listed t = N.succ (value_of t)).
      { intros t Ht. apply (IH (pos t)); trivial.
        destruct (parts_of_option _ _ (pos t) Hm (in_map pos _ _ Ht)) as [Hb|(b & Hb & Hpb)];
          apply in_map_iff in Hb; destruct Hb as (u & Eu & Hu).
        - rewrite <- Eu. apply t_step. now apply (below o).
        - apply t_trans with b; apply t_step; trivial. rewrite <- Eu. now apply (below o). }
      pose proof (sum_value _ Hr ltac:(lia)) as Ev. apply (grundy_of_option G _ _ Hm).
      change (value 0 (G := G) (map pos (option o)) = k) in E. lia.
    + apply negb_true_iff, N.eqb_neq in Eall. apply Eall.
      rewrite (sum_value _ (fun t => right o t Ho) E0). f_equal. exact E.
  - intros j Hj. destruct (covers_spec _ _ checked j Hj) as (s & [<-|[]] & (o & Ho & Eo)). cbn [fst snd] in Ho, Eo.
    rewrite in_map_iff. exists (map pos (option o)). split; [|now apply options_are_moves].
    rewrite <- sprague_grundy_list. pose proof (sum_value _ (fun t => right o t Ho) ltac:(lia)) as Ev.
    unfold G in Ev. lia.
Qed.

(** The value of a sum that is listed. *)
Theorem listed_sum : forall l, sum_of l <> 0 -> sum_of l = N.succ (value 0 (G := G) (map pos l)).
Proof using all_listed options_are_moves answers_are_moves checked. intro l. apply sum_value. intros t _. apply listed_values. Qed.

Theorem listed_winner : forall start is_move after,
  (is_move = true -> In (map pos after) (options (g := G) (map pos start))) ->
  (listed_winner_of start is_move after = 1 -> N_position (G := G) (map pos start)) /\
  (listed_winner_of start is_move after = 2 -> P_position (G := G) (map pos start)).
Proof using all_listed options_are_moves answers_are_moves checked.
  intros start is_move after Hm. unfold listed_winner_of. destruct (P_iff_value_0 G (map pos start)) as [HP HN].
  destruct (N.eqb_spec (sum_of start) 0) as [E0|E0].
  - destruct is_move; [|split; discriminate].
    destruct (N.eqb_spec (sum_of after) 1) as [E1|]; split; try discriminate. intros _.
    apply (N_by (G := G) _ (map pos after)); [now apply Hm|]. apply (P_iff_value_0 G).
    pose proof (listed_sum after ltac:(lia)). lia.
  - pose proof (listed_sum start E0) as E. rewrite HP, HN.
    destruct (N.eqb_spec (sum_of start) 1); split; try discriminate; intros _; lia.
Qed.

End Listing.
