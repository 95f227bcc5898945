(* Laws of rows: the values of the first rows of a table repeat. The values, the distances of moves, and the columns of values
   are hints for the checker. *)

open Checker
open Input
open Periods

type row = { n0 : int; p : int; start : int; length : int }

let most_pairs = 10_000_000

(* Whether numbers make a statement true, by its automaton. *)
let holds statement =
  let { Trees.table; _ } = Trees.build statement in
  fun numbers ->
    let rec read s numbers =
      let s' = table.next.(s).(Trees.symbol table.tracks (fun x -> numbers x land 1)) in
      if List.for_all (fun x -> numbers x = 0) table.tracks then table.good.(s) else read s' (fun x -> numbers x lsr 1) in
    read 0 numbers

let rec lcm_of = function [] -> 1 | n :: rest -> let m = lcm_of rest in let rec gcd a b = if b = 0 then a else gcd b (a mod b) in n / gcd n m * m

let claims path fields =
  let number name = natural path name (member name fields) in
  let whole = match member "whole" fields with Bool found -> found | _ -> fault "%s: expected true or false for whole" path in
  let rows = match member "rows" fields with
    | List found -> Array.of_list (List.map (function
        | List [n0; p; start; length] ->
          let natural = natural path "a row" in
          { n0 = natural n0; p = natural p; start = natural start; length = natural length }
        | _ -> fault "%s: expected four numbers for a row" path) found)
    | _ -> fault "%s: expected rows" path in
  if Array.exists (fun row -> row.p = 0 || row.length = 0) rows || rows = [||] then fault "%s: a row without a period" path;
  (whole, number "same_from", number "width", rows)

let check path moves fields =
  let whole, first, width, rows = claims path fields in
  let count = Array.length rows in
  if count * count * (width + (first * first) + 1) > most_pairs then fault "rows with too many moves to check";
  let tests = List.map holds moves in
  let is_move a b c d =
    let numbers x = match x with 0 -> a | 1 -> b | 4 -> c | 5 -> d | _ -> 0 in
    List.exists (fun test -> test numbers) tests in
  let back = Array.init count (fun a ->
    let far = first + width in
    List.concat (List.init (a + 1) (fun c ->
      if whole && c = a then []
      else List.concat (List.init (width + 1) (fun d -> if is_move a far c (far - d) then [(c, d)] else []))))) in
  let early = Array.init count (fun a -> Array.init first (fun b ->
    List.concat (List.init (a + 1) (fun c -> List.concat (List.init (b + 1) (fun d -> if is_move a b c d then [(c, d)] else [])))))) in
  (* The columns of one period more than the proof may need: old values must be passed. *)
  let step = Array.init count (fun a -> lcm_of (List.init (a + 1) (fun c -> rows.(c).p))) in
  let begins a = List.fold_left (fun most (c, d) -> max most (d + rows.(c).n0)) (max first rows.(a).n0) back.(a) in
  let size = (Array.fold_left max 0 (Array.init count (fun a -> begins a + (4 * step.(a))))) + 64 in
  if size > 1_000_000 then fault "rows of more than a million columns are not proved yet";
  let values = Array.make_matrix count size 0 in
  let ends a b =
    if b < first then early.(a).(b)
    else List.filter_map (fun (c, d) -> if d <= b then Some (c, b - d) else None) back.(a) in
  let marks = Array.make (2 * size + (count * (width + 2)) + 2) (-1) in
  for a = 0 to count - 1 do
    Array.fill marks 0 (Array.length marks) (-1);
    let used = Array.make (Array.length marks) false and least = ref 0 in
    for b = 0 to size - 1 do
      let own = whole && b >= first in
      List.iter (fun (c, d) -> marks.(values.(c).(d)) <- b) (ends a b);
      while used.(!least) do incr least done;
      let v = ref (if own then !least else 0) in
      while (own && used.(!v)) || marks.(!v) = b do incr v done;
      values.(a).(b) <- !v;
      if whole then used.(!v) <- true
    done
  done;
  let table a b = values.(a).(b) in
  let value = Array.init count (fun a -> Checker.grown (table a) rows.(a).n0 rows.(a).p (if whole then rows.(a).p else 0)) in
  for a = 0 to count - 1 do
    let { n0; p; _ } = rows.(a) in
    let added = if whole then p else 0 in
    for b = 0 to size - 1 do
      if value.(a) b <> values.(a).(b) then wrong "row %d does not have the period %d from column %d on" a p n0
    done;
    if n0 > 0 && values.(a).(n0 - 1) + added = values.(a).(n0 - 1 + p) then wrong "row %d: column %d fits the period too" a (n0 - 1);
    for shorter = 1 to p / 2 do
      if p mod shorter = 0 then begin
        let part = if whole then shorter else 0 in
        let rec same b = b >= n0 + p || (value.(a) b + part = value.(a) (b + shorter) && same (b + 1)) in
        if same n0 then wrong "row %d: %d is a period too" a shorter
      end
    done
  done;
  (* Hints for each row: where each value is, the first value that is not there before a column, and where steps begin. *)
  let hints = Array.init count (fun a ->
    let gain = if whole then step.(a) else 0 in
    let above stop = let most = ref 0 in for b = 0 to stop - 1 do most := max !most (value.(a) b + 1) done; !most in
    let low = above rows.(a).n0 and high = above (rows.(a).n0 + step.(a)) in
    let column = Array.make (2 * size + (count * (width + 2)) + 2) 0 in
    for b = size - 1 downto 0 do column.(values.(a).(b)) <- b done;
    if whole then for b = size - 1 downto first do column.(values.(a).(b)) <- b done;
    let full = Array.make (size + 1) 0 and seen = Array.make (Array.length column) false in
    for b = 0 to size - 1 do
      seen.(values.(a).(b)) <- true;
      full.(b + 1) <- full.(b);
      while seen.(full.(b + 1)) do full.(b + 1) <- full.(b + 1) + 1 done
    done;
    let start = ref (begins a) in
    let fits () =
      !start + step.(a) > size ||
      (low + gain <= full.(!start) &&
       List.for_all (fun i -> high <= value.(a) (!start + i) + gain) (List.init step.(a) Fun.id)) in
    if whole then while not (fits ()) do incr start done;
    if !start + step.(a) > size then wrong "row %d does not grow as it repeats" a;
    (!start, low, high, column, full)) in
  let steps = rows_steps moves count whole first (fun a -> back.(a)) (fun a b -> early.(a).(b)) in
  let trees = List.map (fun step ->
    if Trees.counterexample step <> None then wrong "the moves from the rows are not of the same distances in all columns";
    (Trees.build step).tree) steps in
  if not (check_all_rows moves count whole first (fun a -> back.(a)) (fun a b -> early.(a).(b)) table
            (fun a -> rows.(a).n0) (fun a -> rows.(a).p) (fun a -> let s, _, _, _, _ = hints.(a) in s) (fun a -> step.(a))
            (fun a -> let _, l, _, _, _ = hints.(a) in l) (fun a -> let _, _, h, _, _ = hints.(a) in h)
            (fun a v -> let _, _, _, c, _ = hints.(a) in if v < Array.length c then c.(v) else 0)
            (fun a b -> let _, _, _, _, f = hints.(a) in f.(b)) trees) then
    wrong "the values of the rows do not follow from the moves";
  (whole, rows)
