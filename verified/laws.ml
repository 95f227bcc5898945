(* Files of laws. What a law claims, its moves and its positions are read as statements; the steps of its proof are those
   that the checker names. *)

open Checker
open Input
open Periods

let text path what = function Text found -> found | _ -> fault "%s: expected a text for %s" path what
let texts path what = function List found -> List.map (text path what) found | _ -> fault "%s: expected a list for %s" path what

(* The number of a name: before a move, or with a prime after it. *)
let numbers names ~primed name =
  let width = List.length names in
  let size = String.length name in
  if primed && size > 1 && name.[size - 1] = '\'' then
    match index_of (String.sub name 0 (size - 1)) names with -1 -> -1 | i -> after_at width + i
  else index_of name names

(* The names of the numbers of a step, for messages. *)
let name_in names x =
  let width = List.length names in
  if x < width then Some (List.nth names x)
  else if x = value_at width then Some "value"
  else if x >= after_at width && x < after_at width + width then Some (List.nth names (x - after_at width) ^ "'")
  else None

let trees_of name steps =
  List.map (fun step ->
    match Trees.counterexample step with
    | None -> (Trees.build step).tree
    | Some found ->
      let shown (x, n) = Option.map (fun name -> Printf.sprintf "%s = %d" name n) (name x) in
      wrong "a step of the proof is false for %s" (String.concat ", " (List.filter_map shown (List.sort compare found)))) steps

let law_text names formula ~of_values ~misere =
  if of_values then
    Printf.sprintf "g(%s) = %s%s" (String.concat "," names) formula (if misere then ", values of misère play" else "")
  else Printf.sprintf "P-positions%s: %s" (if misere then " of misère play" else "") formula

let naturals path what = function
  | List found -> List.map (function
      | Number text when small_number text 0 (String.length text) >= 0 -> int_of_string text
      | _ -> fault "%s: expected natural numbers for %s" path what) found
  | _ -> fault "%s: expected a list for %s" path what

(* The table of an automaton in a file, which reads the digits of named numbers: a name ends in _ instead of a prime. *)
let table_of path found number_of =
  let fields = match found with Object fields -> fields | _ -> fault "%s: the law has neither a formula nor an automaton" path in
  if member "numeration" fields <> Text "base 2" then fault "digits to another base than 2 are not proved yet";
  let number name =
    let size = String.length name in
    let name = if size > 1 && name.[size - 1] = '_' then String.sub name 0 (size - 1) ^ "'" else name in
    match number_of name with -1 -> fault "%s: the automaton has other names than the law" path | x -> x in
  let tracks = List.map number (texts path "tracks" (member "tracks" fields)) in
  let rows = match member "table" fields with
    | List rows -> List.map (naturals path "a row of an automaton") rows
    | _ -> fault "%s: expected a table" path in
  let count = List.length rows and width = Trees.symbols tracks in
  if count = 0 || List.exists (fun row -> List.length row <> width || List.exists (fun r -> r >= count) row) rows then
    fault "%s: the table of an automaton is damaged" path;
  Recognised (rows, naturals path "accepting states" (member "accepting" fields), tracks)

(* What a file says of a game: its moves, which tuples of numbers are positions, and which of these a name means. *)
type game = { names : string list; law_names : string list; width : int; listed : string list; starts : statement; said : string;
              moves : statement list; positions : statement; weights : int list; misere : bool }

let read_game path law =
  let moves = match member "moves" law with Object fields -> fields | _ -> fault "%s: the law has no moves" path in
  let names = texts path "names" (member "names" moves) and law_names = texts path "names" (member "names" law) in
  let starts = text path "starts" (member "starts" moves) in
  if (starts = "" && List.length names <> List.length law_names) || List.length names < List.length law_names then
    fault "%s: the names of the law do not fit those of its moves" path;
  if member "followed" moves <> List [] then fault "laws of games in which a move can be repeated in the same turn are not proved yet";
  let weights = match member "weights" moves with
    | List found -> List.map (function
        | Number text when String.length text < 10 && int_of_string_opt text <> None -> int_of_string text
        | _ -> fault "%s: expected whole numbers for weights" path) found
    | _ -> fault "%s: expected a list for weights" path in
  let listed = texts path "moves" (member "moves" moves) in
  let where = text path "positions" (member "positions" moves) in
  let said = (if where = "True" then "" else ", of positions where " ^ where) ^ (if starts = "" then "" else ", from those where " ^ starts) in
  let of_position text = Statements.statement_of text (numbers names ~primed:false) in
  { names; law_names; width = List.length names; listed; weights; said;
    starts = if starts = "" then Statements.always else of_position starts;
    moves = List.map (fun text -> Statements.statement_of text (numbers names ~primed:true)) listed;
    positions = of_position where;
    misere = (match member "play" law with Text "misere" -> true | Text "normal" -> false | _ -> fault "%s: unknown play convention" path) }

let check_claim game claim about =
  if not (check_names game.width game.moves game.positions claim) then wrong "a statement contains a name that is not allowed in it";
  let steps = Checker.steps game.width game.moves game.positions claim game.weights about in
  if not (Checker.check_law game.width game.moves game.positions claim game.weights about (trees_of (name_in game.names) steps)) then
    wrong "the automata are not those of the steps";
  List.length steps

let for_moves game steps =
  Printf.sprintf ", for the moves %s%s (%s)" (String.concat "; " game.listed) game.said (plural steps "step")

let outcomes game = if game.misere then Of_misere_outcomes else Of_outcomes

let said_by law = match member "formula" law with Text formula -> formula | _ -> "an automaton"

(* Where positions have more numbers than their names, the file has an automaton over all numbers; where a formula recalls
   smaller values, one for these values. *)
let check_declared path law ~of_values =
  let game = read_game path law in
  let number names name = if of_values && name = "value" then value_at game.width else numbers names ~primed:false name in
  let recorded field names = table_of path (member field law) (number names) in
  let formula = match member "formula" law with
    | Text formula -> Some (if of_values then Printf.sprintf "value = (%s)" formula else formula)
    | _ -> None in
  let recalls = of_values && game.width = 1 && game.law_names <> ["g"] &&
                List.mem "g" (Option.fold ~none:[] ~some:Statements.words_of formula) in
  let values = if recalls then Some (recorded "automaton" game.law_names) else None in
  let value_of = Option.map (fun values n value -> Renamed ([(0, n); (1, value)], values)) values in
  let told = match formula with
    | Some text -> Statements.statement_of ?value_of text (number game.law_names)
    | None -> recorded "automaton" game.law_names in
  let is_named = recalls || game.starts <> Statements.always in
  let claim = match values with
    | Some values -> values
    | None -> if is_named then recorded "whole" game.names else told in
  let about = if not of_values then outcomes game else if game.misere then Of_misere_values else Of_values in
  let steps = check_claim game claim about in
  let more = if is_named then name_steps game.positions claim game.starts told else [] in
  if is_named && not (check_named game.width game.positions claim game.starts told (trees_of (name_in game.names) more)) then
    wrong "the automata are not those of the steps";
  law_text game.law_names (said_by law) ~of_values ~misere:game.misere ^ for_moves game (steps + List.length more)

(* Moves that win: the P-positions are those of an automaton in the file. *)
let check_moves path law ~all =
  let game = read_game path law in
  let claim = table_of path (member "whole" law) (numbers game.names ~primed:false) in
  let steps = check_claim game claim (outcomes game) in
  let number name =
    (* The names of the law are the first names of the moves, but may be other letters. *)
    let size = String.length name in
    let is_after = size > 1 && name.[size - 1] = '\'' in
    match index_of (if is_after then String.sub name 0 (size - 1) else name) game.law_names with
    | -1 -> -1
    | i -> if is_after then after_at game.width + i else i in
  let told = match member "formula" law with
    | Text formula -> Statements.statement_of formula number
    | _ -> table_of path (member "automaton" law) number in
  let more = move_steps game.width game.moves game.positions claim game.starts told all in
  if not (Checker.check_moves game.width game.moves game.positions claim game.starts told all (trees_of (name_in game.names) more)) then
    wrong "the automata are not those of the steps";
  Printf.sprintf "%s%s: %s" (if all then "winning moves" else "a winning move") (if game.misere then " of misère play" else "")
    (said_by law) ^ for_moves game (steps + List.length more)

(* Rows of coins, with one head at n. *)
let check_turned path law turns ~of_values =
  if member "play" law <> Text "normal" then fault "laws of coins are proved only under normal play";
  let name = match texts path "names" (member "names" law) with [name] -> name | _ -> fault "%s: expected one name" path in
  let formula = match member "formula" law with Text formula -> formula | _ -> fault "a law of coins without a formula is not proved yet" in
  let at_n others name =
    if name = "n" then 0
    else match String.index_opt others name.[0] with Some i when String.length name = 1 -> 3 + i | _ -> -1 in
  let sets = match member "sets" turns with
    | List found -> List.map (function
        | List [Text others; Text told] ->
          (String.length others, (others, told, Statements.statement_of told (at_n others)))
        | _ -> fault "%s: expected sets of coins" path) found
    | _ -> fault "%s: expected sets of coins" path in
  let valued name = if name = "n" then 0 else if name = "value" then 1 else -1 in
  let values = text path "values of coins" (member "values" turns) in
  if of_values && name = "n" && values <> formula then wrong "the formula differs from the one that is proved for the coins";
  let claim = Statements.statement_of (Printf.sprintf "value = ((%s) if n >= 1 else 0)" values) valued in
  let runs, prefix = match member "runs" turns, member "prefix" turns with
    | Text "", _ -> None, Statements.always
    | Text told, Text prefix ->
      Some (Statements.statement_of told (at_n "a")), Statements.statement_of (Printf.sprintf "value = (%s)" prefix) valued
    | _ -> fault "%s: expected the nim-sum of the first coins" path in
  let all_sets = List.map (fun (count, (_, _, told)) -> (count, told)) sets in
  let shown x = if x = 0 then Some "n" else if x = 1 then Some "value" else None in
  if not (check_coin_names all_sets runs claim prefix) then wrong "a statement contains a name that is not allowed in it";
  let steps = coin_steps all_sets runs claim prefix in
  if not (check_coins all_sets runs claim prefix (trees_of shown steps)) then wrong "the automata are not those of the steps";
  let own x = if x = name then 0 else -1 in
  let more =
    if of_values then begin
      (* The formula of the law, with the name that it has there. *)
      let told = Statements.statement_of (Printf.sprintf "value = ((%s) if %s >= 1 else 0)" formula name)
                   (fun x -> if x = "value" then 1 else own x) in
      if name <> "n" && Trees.counterexample (Statements.either (And (claim, told)) (And (Not claim, Not told))) <> None then
        wrong "the formula differs from the one that is proved for the coins";
      []
    end else begin
      let lost = Statements.statement_of formula own in
      let more = lost_steps claim lost in
      if not (check_lost_coins claim lost (trees_of shown more)) then wrong "the automata are not those of the steps";
      more
    end in
  let turned = List.map (fun (count, (others, told, _)) ->
    if count = 0 then "n alone" else Printf.sprintf "n and %s where %s" (String.concat ", " (List.init count (fun i -> String.make 1 others.[i]))) told) sets in
  let run = match member "runs" turns with Text "" -> [] | Text told -> ["all from a to n where " ^ told] | _ -> [] in
  Printf.sprintf "%s, for the head of a row at %s, with the turns: %s (%s)" (law_text [name] formula ~of_values ~misere:false) name
    (String.concat "; " (turned @ run)) (plural (List.length steps + List.length more) "step")

let most_heaps = 5000

(* What a formula says of a heap and its value: its value, or whether it is 0. *)
let sequence_claim formula name ~of_values =
  let name_of found = if found = name then 0 else if of_values && found = "value" then 1 else -1 in
  if of_values then Statements.statement_of (Printf.sprintf "value = (%s)" formula) name_of
  else
    let lost = Statements.statement_of formula name_of and zero = Sum (true, [(1, 1)], 0) in
    Statements.either (And (zero, lost)) (And (Not zero, Not lost))

let check_classes claim value n0 p saltus formula =
  if n0 + p > most_heaps then fault "formulas of more than %d values are not proved yet" most_heaps;
  let steps = sequence_steps claim value n0 p saltus in
  let trees = List.mapi (fun heap step ->
    if Trees.counterexample step <> None then wrong "%s is false for heap %d, or for a heap that is some periods larger" formula heap;
    (Trees.build step).tree) steps in
  if not (Checker.check_sequence claim value n0 p saltus trees (Trees.build claim).tree) then
    wrong "the automata are not those of the steps"

(* A law of the heaps of a game whose period is proved: the values of each class of heaps obey the formula. *)
let check_sequence path law period =
  let game, n0, p, saltus, value = proved_period path "" period in
  if member "play" law <> Text "normal" then fault "periods of misère play are proved only with a misère quotient";
  let name = match texts path "names" (member "names" law) with [name] -> name | _ -> fault "%s: expected one name" path in
  let of_values = member "about" law = Text "values" in
  match member "formula" law with
  | Text formula ->
    check_classes (sequence_claim formula name ~of_values) value n0 p saltus formula;
    Printf.sprintf "%s, for %s" (law_text [name] formula ~of_values ~misere:false) game
  | Null ->
    Printf.sprintf "the values%s have the period %d%s from %d on, for %s"
      (if of_values then "" else ", and so the P-positions,") p (added saltus) n0 game
  | _ -> fault "%s: expected a formula" path

(* A law of P-positions of misère play, by a quotient whose elements repeat. *)
let check_by_quotient path law fields period =
  if member "play" law <> Text "misere" || member "about" law <> Text "P-positions" then
    fault "a misère quotient proves only P-positions of misère play";
  let game = text path "the name of a game" (member "game" period) in
  let number name = natural path name (member name period) in
  let n0 = number "preperiod" and p = number "period" and last = number "last_heap" in
  if p = 0 || number "saltus" <> 0 then fault "%s: expected a period without a saltus" path;
  let digits = Quotients.code_of path game in
  let needed = Checker.last_heap digits (Checker.most_heaps digits) n0 p in
  if last <> needed then wrong "the proof needs the heaps up to %d" needed;
  let quotient = Quotients.check_periodic path fields game n0 p in
  let step h q = quotient.step.(h).(q) and is_lost x = quotient.lost.(x) in
  let values = naturals path "values" (member "values" period) in
  let names = texts path "names" (member "names" law) in
  let expected h = match names with
    | [_] -> outcome_number step is_lost h
    | _ -> step h 0 in
  if values <> List.init (n0 + p) expected then wrong "the outcomes of the period are not those of the quotient";
  let repeating = Printf.sprintf "the misère quotient of order %d, with the period %d from heap %d on" quotient.order p n0 in
  match names, member "formula" law with
  | [name], Text formula ->
    check_classes (sequence_claim formula name ~of_values:false) (outcome_number step is_lost) n0 p 0 formula;
    Printf.sprintf "%s, for %s, by %s" (law_text [name] formula ~of_values:false ~misere:true) game repeating
  | _, Null -> Printf.sprintf "P-positions of misère play of all sums of heaps of %s, by %s" game repeating
  | _ -> fault "a formula of several heaps is not proved yet"

(* A law of the first rows of a table of two numbers. *)
let check_rows path law fields =
  let game = read_game path law in
  if game.misere || game.starts <> Statements.always || game.width <> 2 || game.positions <> Statements.always then
    fault "laws of rows are proved only for two numbers under normal play, if every pair is a position";
  let whole, rows = Rows.check path game.moves fields in
  Printf.sprintf "the values of the first %d rows repeat, %s, for the moves %s" (Array.length rows)
    (if whole then "with the period added each time" else "with nothing added") (String.concat "; " game.listed)

let rec check_law path law =
  match member "about" law with
  | Text ("values" | "P-positions" as about) ->
    let of_values = about = "values" in
    (match member "parts" law, member "moves" law, member "turns" law, member "quotient" law, member "period" law with
     | List (_ :: _ as parts), _, _, _, _ -> check_parts path law parts ~of_values
     | _, Object _, _, _, _ -> check_declared path law ~of_values
     | _, _, Object turns, _, _ -> check_turned path law turns ~of_values
     | _, _, _, Object quotient, Object period -> check_by_quotient path law quotient period
     | _, _, _, _, Object period -> check_sequence path law period
     | _ -> fault "the law has no proof: %s" about)
  | Text ("winning moves" | "a winning move" as about) when member "moves" law <> Null ->
    check_moves path law ~all:(about = "winning moves")
  | Text "rows" ->
    (match member "rows" law with Object rows -> check_rows path law rows | _ -> fault "%s: expected rows" path)
  | Text about -> fault "laws of this kind are not proved yet: %s" about
  | _ -> fault "%s: the law does not say what it is about" path

(* A sum: its value is the nim-sum of the values of its parts, by the theorem of Sprague and Grundy. *)
and check_parts path law parts ~of_values =
  if member "play" law <> Text "normal" || member "formula" law <> Null then
    fault "laws of sums are proved only under normal play and without a formula";
  let checked = List.map (function
    | Object part ->
      let source = text path "a part" (member "source" part) in
      let inside = match member "law" part with Object law -> law | _ -> fault "%s: expected a law of each part" path in
      if member "about" inside <> Text "values" || member "play" inside <> Text "normal" then
        fault "%s: expected a law of the values of each part" path;
      (source, check_law path inside)
    | _ -> fault "%s: expected parts" path) parts in
  let values = List.map (fun (source, _) -> Printf.sprintf "g(%s)" source) checked in
  let names = texts path "names" (member "names" law) in
  let said = String.concat " ^ " values in
  Printf.sprintf "%s, where %s"
    (if of_values then law_text names said ~of_values ~misere:false else law_text names (said ^ " = 0") ~of_values ~misere:false)
    (String.concat "; " (List.map (fun (source, proved) -> Printf.sprintf "for %s, %s" source proved) checked))

(* Each law is said to be proved, wrong, or not proved: all must be proved. *)
let check_laws path laws =
  let proved = List.map (fun law ->
    match law with
    | Object law ->
      (match check_law path law with
       | said -> Printf.printf "proved: %s\n" said; true
       | exception Wrong reason -> Printf.printf "wrong: %s\n" reason; false
       | exception Fault reason -> Printf.printf "not proved: %s\n" reason; false
       | exception Statements.Not_read reason -> Printf.printf "not proved: not understood in a statement: %s\n" reason; false)
    | _ -> fault "%s: expected laws" path) laws in
  if proved = [] then fault "%s: the file has no laws" path;
  if not (List.for_all Fun.id proved) then exit 2
