(** * The checkers as OCaml

    Natural numbers become machine integers, by the operations of machine.ml: each is exact or stops the program. So
    a checker's theorem holds for everything that the checker accepts. All loops are tail-recursive. *)

From Coq Require Import List NArith ZArith Bool Extraction.
From Graphgame Require Import Theory Mex Graph Lengths Search Loopy Octal Sparse Growing Splitting Quotient Reduction Digits Law Coins Rows Sequence.

Extraction Language OCaml.
Extract Inductive bool => "bool" ["true" "false"].
Extract Inductive list => "list" ["[]" "(::)"].
Extract Inductive option => "option" ["Some" "None"].
Extract Inductive prod => "(*)" ["(,)"].
Extract Inductive nat => "int" ["0" "Machine.succ"] "(fun zero next n -> if n = 0 then zero () else next (n - 1))".
Extract Inductive positive => "int" ["(fun p -> Machine.succ (Machine.mul 2 p))" "(Machine.mul 2)" "1"]
  "(fun odd even one p -> if p = 1 then one () else if p land 1 = 1 then odd (p lsr 1) else even (p lsr 1))".
Extract Inductive N => "int" ["0" ""] "(fun zero more n -> if n = 0 then zero () else more n)".
Extract Inductive Z => "int" ["0" "" "(~-)"]
  "(fun zero positive negative n -> if n = 0 then zero () else if n > 0 then positive n else negative (-n))".
Extract Inductive sumbool => "bool" ["true" "false"].
Extract Inlined Constant andb => "(&&)".
Extract Inlined Constant orb => "(||)".
Extract Inlined Constant negb => "not".
Extract Inlined Constant N.of_nat => "(fun (n : int) -> n)".
Extract Inlined Constant N.to_nat => "".
Extract Inlined Constant N.succ => "Machine.succ".
Extract Inlined Constant N.pred => "Machine.pred".
Extract Inlined Constant N.add => "Machine.add".
Extract Inlined Constant N.sub => "Machine.sub".
Extract Inlined Constant N.mul => "Machine.mul".
Extract Inlined Constant N.div => "Machine.div".
Extract Inlined Constant N.modulo => "Machine.modulo".
Extract Inlined Constant N.div2 => "(fun n -> n lsr 1)".
Extract Inlined Constant N.min => "(fun (a : int) b -> if a <= b then a else b)".
Extract Inlined Constant N.max => "(fun (a : int) b -> if a <= b then b else a)".
Extract Inlined Constant N.eqb => "(fun (a : int) b -> a = b)".
Extract Inlined Constant N.ltb => "(fun (a : int) b -> a < b)".
Extract Inlined Constant N.leb => "(fun (a : int) b -> a <= b)".
Extract Inlined Constant N.lor => "(lor)".
Extract Inlined Constant N.lxor => "(lxor)".
Extract Inlined Constant N.shiftl => "Machine.shiftl".
Extract Inlined Constant N.ones => "Machine.ones".
Extract Inlined Constant N.odd => "(fun n -> n land 1 = 1)".
Extract Inlined Constant N.eq_dec => "(fun (a : int) b -> a = b)".
Extract Inlined Constant Z.of_N => "(fun (n : int) -> n)".
Extract Inlined Constant Z.eq_dec => "(fun (a : int) b -> a = b)".
Extract Inlined Constant Z.add => "Machine.zadd".
Extract Inlined Constant Z.mul => "Machine.zmul".
Extract Inlined Constant Z.opp => "(~-)".
Extract Inlined Constant Z.div2 => "(fun n -> n asr 1)".
Extract Inlined Constant Z.odd => "(fun n -> n land 1 = 1)".
Extract Inlined Constant Z.eqb => "(fun (a : int) b -> a = b)".
Extract Inlined Constant Z.ltb => "(fun (a : int) b -> a < b)".
Extract Inlined Constant Z.leb => "(fun (a : int) b -> a <= b)".
Extract Inlined Constant N.testbit => "Machine.testbit".

Extraction "build/checker.ml" check check_vertex winner misere_winner_of check_lengths check_length
  check_listing check_listed sum_of listed_winner_of
  check_loopy check_loopy_vertex loopy_winner_of check_loopy_outcome check_loopy_lengths check_loopy_length
  check_code check_sparse_code is_common legal last_heap most_heaps heap_sources check_mex grown take_source largest check_growing
  split_moves free_sources excess check_too_small check_splitting
  heap_moves take_moves check_quotient check_table check_commutes check_position check_least
  check_reduction check_same_values check_earlier
  check_valid check_tree says check_law steps check_names check_moves move_steps check_named name_steps
  check_coins coin_steps check_lost_coins lost_steps check_all_rows rows_steps check_sequence sequence_steps
  check_periodic_quotient outcome_number heap_class.
