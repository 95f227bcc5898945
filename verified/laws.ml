(* Files of laws. What a law claims, its moves and its positions are read as statements; the steps of its proof are those
   that the checker names. *)

open Input
open Checker

exception Wrong of string

let wrong format = Printf.ksprintf (fun text -> raise (Wrong text)) format

let plural count noun = Printf.sprintf "%d %s%s" count noun (if count = 1 then "" else "s")

let text path what = function Text found -> found | _ -> fault "%s: expected a text for %s" path what
let texts path what = function List found -> List.map (text path what) found | _ -> fault "%s: expected a list for %s" path what
let member name fields = match List.assoc_opt name fields with Some found -> found | None -> Null

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

let check_declared path law =
  let moves = match member "moves" law with Object fields -> fields | _ -> fault "%s: the law has no moves" path in
  let names = texts path "names" (member "names" moves) and law_names = texts path "names" (member "names" law) in
  if List.length names <> List.length law_names || member "starts" moves <> Text "" then
    fault "laws of some of the numbers of a position are not proved yet";
  if member "followed" moves <> List [] then fault "positions that have the options of others are not proved yet";
  let formula = match member "formula" law with
    | Text formula -> formula
    | _ -> fault "a law without a formula is not proved yet" in
  let weights = match member "weights" moves with
    | List found -> List.map (function Number text when small_number text 0 (String.length text) >= 0 -> int_of_string text
        | _ -> fault "a total with a negative weight is not proved yet") found
    | _ -> fault "%s: expected a list for weights" path in
  let width = List.length names in
  let of_values = member "about" law = Text "values" in
  let misere = match member "play" law with Text "misere" -> true | Text "normal" -> false | _ -> fault "%s: unknown play" path in
  let statements = List.map (fun text -> Statements.statement_of text (numbers names ~primed:true))
    (texts path "moves" (member "moves" moves)) in
  let positions = Statements.statement_of (text path "positions" (member "positions" moves)) (numbers names ~primed:false) in
  let claim = 
    if of_values then
      Statements.statement_of (Printf.sprintf "value = (%s)" formula)
        (fun name -> if name = "value" then value_at width else numbers law_names ~primed:false name)
    else Statements.statement_of formula (numbers law_names ~primed:false) in
  let about = match of_values, misere with
    | true, true -> fault "values of misère play are not proved yet"
    | true, false -> Of_values
    | false, true -> Of_misere_outcomes
    | false, false -> Of_outcomes in
  if not (check_names width statements positions claim) then wrong "a statement has names that it may not have";
  let steps = Checker.steps width statements positions claim weights about in
  let trees = List.map (fun step ->
    match false_step names step with
    | Some example -> wrong "a step of the proof is false for %s" example
    | None -> (Trees.build step).tree) steps in
  if not (check_law width statements positions claim weights about trees) then wrong "the automata are not those of the steps";
  let listed = String.concat "; " (texts path "moves" (member "moves" moves)) in
  Printf.sprintf "%s, for the moves %s (%s)" (law_text law_names formula ~of_values ~misere) listed
    (plural (List.length steps) "step")

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
     | Object _, _ -> check_declared path law
     | Null, Object fields -> check_sequence path law (period fields)
     | _ -> fault "a law without moves and without a period is not proved yet: %s" about)
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
