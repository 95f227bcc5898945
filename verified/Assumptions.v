(** The main theorems: each must be closed under the global context, without axioms. *)

From Graphgame Require Import Theory Mex Graph Lengths Search Loopy Octal Sparse Growing Quotient Reduction Kernel.

Print Assumptions outcome.
Print Assumptions misere_outcome.
Print Assumptions P_iff_value_0.
Print Assumptions misere_P_iff_value_0.
Print Assumptions value_unique.
Print Assumptions sprague_grundy.
Print Assumptions sprague_grundy_list.
Print Assumptions component_value_unique.
Print Assumptions tokens_P_iff.
Print Assumptions mex_checked.
Print Assumptions checked_play_ends.
Print Assumptions checked_values.
Print Assumptions checked_outcomes.
Print Assumptions checked_misere_outcomes.
Print Assumptions normal_winner.
Print Assumptions misere_winner.
Print Assumptions checked_lengths.
Print Assumptions listed_values.
Print Assumptions listed_sum.
Print Assumptions listed_winner.
Print Assumptions loopy_outcome.
Print Assumptions loopy_value_meaning.
Print Assumptions checked_loopy_values.
Print Assumptions checked_loopy_winner.
Print Assumptions checked_loopy_outcome.
Print Assumptions checked_loopy_lengths.
Print Assumptions guy_smith.
Print Assumptions code_period.
Print Assumptions sparse_code_period.
Print Assumptions growing_values.
Print Assumptions quotient_outcome.
Print Assumptions quotient_is_least.
Print Assumptions code_quotient.
Print Assumptions listed_quotient.
Print Assumptions reduced_outcome.
Print Assumptions reduced_misere_outcome.
Print Assumptions reduced_value.
Print Assumptions kayles_period.
Print Assumptions kayles_last_exception.
Print Assumptions kayles_first_player_wins.
Print Assumptions dawsons_chess_period.
Print Assumptions dawsons_kayles_period.
Print Assumptions code_055_period.
