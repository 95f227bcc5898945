(* Files of laws. What a law claims, its moves and its positions are read as statements; the steps of its proof are those
   that the checker names. *)

open Checker
open Input

let text path what = function Text found -> found | _ -> fault "%s: expected a text for %s" path what
let texts path what = function List found -> List.map (text path what) found | _ -> fault "%s: expected a list for %s" path what

(* The number of a name: before a move, or with a prime after it. *)
let numbers names ~primed name =
  let width = List.length names in
  let size = String.length name in
  if primed && size > 1 && name.[size - 1] = '\'' then
    match index_of (String.sub name 0 (size - 1)) names with -1 -> -1 | i -> after_at width + i
  else index_of name names

let false_step names statement =
  match Trees.counterexample statement with
  | None -> None
  | Some found ->
    let width = List.length names in
    let shown (x, n) =
      if x < width then Some (Printf.sprintf "%s = %d" (List.nth names x) n)
      else if x = value_at width then Some (Printf.sprintf "value = %d" n)
      else if x >= after_at width && x < after_at width + width then Some (Printf.sprintf "%s' = %d" (List.nth names (x - after_at width)) n)
      else None in
    Some (String.concat ", " (List.filter_map shown (List.sort compare found)))

let law_text names formula ~of_values ~misere =
  if of_values then Printf.sprintf "g(%s) = %s" (String.concat "," names) formula
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
    match number_of name with -1 -> fault "%s: an automaton of other names" path | x -> x in
  let tracks = List.map number (texts path "tracks" (member "tracks" fields)) in
  let rows = match member "table" fields with
    | List rows -> List.map (naturals path "a row of an automaton") rows
    | _ -> fault "%s: expected a table" path in
  let count = List.length rows and width = Trees.symbols tracks in
  if count = 0 || List.exists (fun row -> List.length row <> width || List.exists (fun r -> r >= count) row) rows then
    fault "%s: the table of an automaton is damaged" path;
  Recognised (rows, naturals path "accepting states" (member "accepting" fields), tracks)

(* What a file says of a game: its moves, and which tuples of numbers are positions. *)
type game = { names : string list; law_names : string list; width : int; listed : string list;
              moves : statement list; positions : statement; weights : int list; misere : bool }

let read_game path law =
  let moves = match member "moves" law with Object fields -> fields | _ -> fault "%s: the law has no moves" path in
  let names = texts path "names" (member "names" moves) and law_names = texts path "names" (member "names" law) in
  if List.length names <> List.length law_names || member "starts" moves <> Text "" then
    fault "laws of some of the numbers of a position are not proved yet";
  if member "followed" moves <> List [] then fault "positions that have the options of others are not proved yet";
  let weights = match member "weights" moves with
    | List found when List.exists (function Number text -> text.[0] = '-' | _ -> false) found ->
      fault "a total with a negative weight is not proved yet"
    | found -> naturals path "weights" found in
  let listed = texts path "moves" (member "moves" moves) in
  { names; law_names; width = List.length names; listed; weights;
    moves = List.map (fun text -> Statements.statement_of text (numbers names ~primed:true)) listed;
    positions = Statements.statement_of (text path "positions" (member "positions" moves)) (numbers names ~primed:false);
    misere = (match member "play" law with Text "misere" -> true | Text "normal" -> false | _ -> fault "%s: unknown play" path) }

let trees_of names steps =
  List.map (fun step ->
    match false_step names step with
    | Some example -> wrong "a step of the proof is false for %s" example
    | None -> (Trees.build step).tree) steps

let check_claim game claim about =
  if not (check_names game.width game.moves game.positions claim) then wrong "a statement has names that it may not have";
  let steps = Checker.steps game.width game.moves game.positions claim game.weights about in
  if not (Checker.check_law game.width game.moves game.positions claim game.weights about (trees_of game.names steps)) then
    wrong "the automata are not those of the steps";
  List.length steps

let for_moves game steps = Printf.sprintf ", for the moves %s (%s)" (String.concat "; " game.listed) (plural steps "step")

let outcomes game = if game.misere then Of_misere_outcomes else Of_outcomes

let said_by law = match member "formula" law with Text formula -> formula | _ -> "an automaton"

let check_declared path law ~of_values =
  let game = read_game path law in
  if of_values && game.misere then fault "values of misère play are not proved yet";
  let number name = if of_values && name = "value" then value_at game.width else numbers game.law_names ~primed:false name in
  let claim = match member "formula" law with
    | Text formula -> Statements.statement_of (if of_values then Printf.sprintf "value = (%s)" formula else formula) number
    | _ -> table_of path (member "automaton" law) number in
  let steps = check_claim game claim (if of_values then Of_values else outcomes game) in
  law_text game.law_names (said_by law) ~of_values ~misere:game.misere ^ for_moves game steps

(* Moves that win: the P-positions are those of an automaton in the file. *)
let check_moves path law ~all =
  let game = read_game path law in
  let claim = table_of path (member "whole" law) (numbers game.names ~primed:false) in
  let steps = check_claim game claim (outcomes game) in
  let number = numbers game.law_names ~primed:true in
  let told = match member "formula" law with
    | Text formula -> Statements.statement_of formula number
    | _ -> table_of path (member "automaton" law) number in
  let more = move_steps game.width game.moves game.positions claim told all in
  if not (Checker.check_moves game.width game.moves game.positions claim told all (trees_of game.names more)) then
    wrong "the automata are not those of the steps";
  Printf.sprintf "%s%s: %s" (if all then "winning moves" else "a winning move") (if game.misere then " of misère play" else "")
    (said_by law) ^ for_moves game (steps + List.length more)

let added saltus = if saltus = 0 then "" else Printf.sprintf ", with %d added each time," saltus

let most_heaps = 2000

(* A law of the heaps of a game whose period is proved: the values of each class of heaps obey the formula. *)
let check_sequence path law period =
  let game, n0, p, saltus, value = period in
  if member "play" law <> Text "normal" then fault "periods of misère play are not proved yet";
  let names = texts path "names" (member "names" law) in
  if List.length names <> 1 then fault "%s: expected one name" path;
  let of_values = member "about" law = Text "values" in
  match member "formula" law with
  | Text formula ->
    if n0 + p > most_heaps then fault "formulas of more than %d values are not proved yet" most_heaps;
    let name_of name = if name = List.hd names then 0 else if of_values && name = "value" then 1 else -1 in
    let claim =
      if of_values then Statements.statement_of (Printf.sprintf "value = (%s)" formula) name_of
      else
        let lost = Statements.statement_of formula name_of and zero = Sum (true, [(1, 1)], 0) in
        Statements.either (And (zero, lost)) (And (Not zero, Not lost)) in
    let steps = sequence_steps claim value n0 p saltus in
    let trees = List.mapi (fun heap step ->
      if Trees.counterexample step <> None then wrong "%s is false for a heap of the class of %d" formula heap;
      (Trees.build step).tree) steps in
    if not (Checker.check_sequence claim value n0 p saltus trees (Trees.build claim).tree) then
      wrong "the automata are not those of the steps";
    Printf.sprintf "%s, for %s" (law_text names formula ~of_values ~misere:false) game
  | Null when of_values -> Printf.sprintf "the values have the period %d%s from %d on, for %s" p (added saltus) n0 game
  | _ -> fault "a law without a formula is not proved yet"

let check_law path law ~period =
  match member "about" law with
  | Text ("values" | "P-positions" as about) ->
    if member "parts" law <> Null then fault "laws of sums are not proved yet: %s" about;
    (match member "moves" law, member "period" law with
     | Object _, _ -> check_declared path law ~of_values:(about = "values")
     | Null, Object fields -> check_sequence path law (period fields)
     | _ -> fault "a law without moves and without a period is not proved yet: %s" about)
  | Text ("winning moves" | "a winning move" as about) when member "moves" law <> Null ->
    check_moves path law ~all:(about = "winning moves")
  | Text about -> fault "laws of this kind are not proved yet: %s" about
  | _ -> fault "%s: expected what the law is about" path

(* Each law is said to be proved, wrong, or not proved: all must be proved. *)
let check_laws path laws ~period =
  let proved = List.map (fun law ->
    match law with
    | Object law ->
      (match check_law path law ~period with
       | said -> Printf.printf "proved: %s\n" said; true
       | exception Wrong reason -> Printf.printf "wrong: %s\n" reason; false
       | exception Fault reason -> Printf.printf "not proved: %s\n" reason; false
       | exception Statements.Not_read reason -> Printf.printf "not proved: not understood in a statement: %s\n" reason; false)
    | _ -> fault "%s: expected laws" path) laws in
  if proved = [] then fault "%s: the file has no laws" path;
  if not (List.for_all Fun.id proved) then exit 2
