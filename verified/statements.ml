(* Statements as text, such as "a' < a and (a - a') % 3 != 0", as statements of the checker. This is trusted: it says
   what the text means. Whatever is no sum gets a new number, which "there is" speaks of: x // 3 < y is "there is a q
   with 3 q <= x < 3 q + 3 and q < y". *)

open Input
open Checker

type tree =
  | Number of int
  | Name of string
  | Call of string * tree list
  | Unary of string * tree
  | Binary of string * tree * tree
  | Compare of tree * (string * tree) list
  | Choice of tree * tree * tree (* test, then, else *)
  | Items of tree list
  | Item of tree * tree

exception Not_read of string

let not_read format = Printf.ksprintf (fun text -> raise (Not_read text)) format

(* Words. *)

let is_letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_'
let is_digit c = c >= '0' && c <= '9'

let words_of text =
  let size = String.length text in
  let rec stop_at test i = if i < size && test text.[i] then stop_at test (i + 1) else i in
  let rec go i found =
    if i >= size then List.rev found
    else match text.[i] with
      | ' ' | '\t' | '\n' -> go (i + 1) found
      | c when is_digit c ->
        let j = stop_at is_digit i in
        if j - i > 9 then not_read "the number %s is too large" (String.sub text i (j - i));
        go j (String.sub text i (j - i) :: found)
      | c when is_letter c ->
        let j = stop_at (fun c -> is_letter c || is_digit c) i in
        let j = if j < size && text.[j] = '\'' then j + 1 else j in
        go j (String.sub text i (j - i) :: found)
      | _ ->
        let two = if i + 1 < size then String.sub text i 2 else "" in
        if List.mem two ["<="; ">="; "!="; "=="; "//"; "**"] then go (i + 2) (two :: found)
        else go (i + 1) (String.make 1 text.[i] :: found) in
  go 0 []

(* The grammar is that of Python's expressions, where a single = compares. *)

let comparisons = ["<"; "<="; ">"; ">="; "="; "=="; "!="; "in"]

let parse text =
  let rest = ref (words_of text) in
  let peek () = match !rest with word :: _ -> word | [] -> "" in
  let take () = match !rest with word :: more -> rest := more; word | [] -> not_read "%s ends too early" text in
  let expect word = if take () <> word then not_read "expected %s in %s" word text in
  let left_to_right operators next =
    let rec go left = if List.mem (peek ()) operators then (let o = take () in let right = next () in go (Binary (o, left, right))) else left in
    fun () -> go (next ()) in
  let rec choice () =
    let body = disjunction () in
    if peek () = "if" then begin
      expect "if";
      let test = disjunction () in
      expect "else";
      Choice (test, body, choice ())
    end else body
  and disjunction () = left_to_right ["or"] conjunction ()
  and conjunction () = left_to_right ["and"] negation ()
  and negation () = if peek () = "not" then (expect "not"; Unary ("not", negation ())) else comparison ()
  and comparison () =
    let first = bits () in
    let rec others () =
      if List.mem (peek ()) comparisons then (let o = take () in let right = bits () in (o, right) :: others ())
      else if peek () = "not" then (expect "not"; expect "in"; let right = bits () in ("not in", right) :: others ())
      else [] in
    match others () with [] -> first | others -> Compare (first, others)
  and bits () = left_to_right ["|"] xor ()
  and xor () = left_to_right ["^"; "xor"] conjoined ()
  and conjoined () = left_to_right ["&"] sum ()
  and sum () = left_to_right ["+"; "-"] product ()
  and product () = left_to_right ["*"; "//"; "%"; "mod"] signed ()
  and signed () = if peek () = "-" then (expect "-"; Unary ("-", signed ())) else power ()
  and power () =
    let base = item () in
    if peek () = "**" then (expect "**"; Binary ("**", base, signed ())) else base
  and item () =
    let found = ref (atom ()) in
    while peek () = "[" do
      expect "[";
      found := Item (!found, choice ());
      expect "]"
    done;
    !found
  and atom () =
    match take () with
    | "(" -> list ")" (fun only -> only)
    | "{" -> list "}" (fun only -> Items [only])
    | word when is_digit word.[0] -> Number (int_of_string word)
    | word when is_letter word.[0] ->
      if peek () = "(" then begin
        expect "(";
        match list ")" (fun only -> Items [only]) with Items given -> Call (word, given) | only -> Call (word, [only])
      end else Name word
    | word -> not_read "%s in %s" word text
  and list close one =
    let rec go found =
      let found = choice () :: found in
      if peek () = "," then (expect ","; if peek () = close then found else go found) else found in
    let found = go [] in
    let more = List.length found > 1 in
    expect close;
    if more then Items (List.rev found) else one (List.hd found) in
  let found = choice () in
  if !rest <> [] then not_read "%s after the end of a statement, in %s" (peek ()) text;
  found

(* Meaning. *)

let always = Nim_sum []
let never = Not always
let either s t = if s = never then t else if t = never then s else Not (And (Not s, Not t))
let both s t = if s = always then t else if t = always then s else And (s, t)

(* A sum of multiples of numbers, where a term is that sum, and the new numbers that this speaks of. *)
type case = { factors : (int * int) list; constant : int; where : statement; fresh : int list }

let number value = { factors = []; constant = value; where = always; fresh = [] }

let times factor case =
  { case with constant = Machine.zmul factor case.constant;
              factors = List.map (fun (f, x) -> (Machine.zmul factor f, x)) case.factors }

let plus one two =
  let add factors (f, x) =
    let before = List.fold_left (fun n (g, y) -> if x = y then n + g else n) 0 factors in
    let others = List.filter (fun (_, y) -> x <> y) factors in
    if before + f = 0 then others else others @ [(Machine.zadd before f, x)] in
  { factors = List.fold_left add one.factors two.factors; constant = Machine.zadd one.constant two.constant;
    where = both one.where two.where; fresh = one.fresh @ two.fresh }

let minus one two = plus one (times (-1) two)

let compared operator case =
  let at_most_0 case = Sum (false, case.factors, case.constant) in
  let negative case = at_most_0 (plus case (number 1)) in
  match operator with
  | "=" | "==" -> Sum (true, case.factors, case.constant)
  | "!=" -> Not (Sum (true, case.factors, case.constant))
  | "<" -> negative case
  | "<=" -> at_most_0 case
  | ">" -> negative (times (-1) case)
  | ">=" -> at_most_0 (times (-1) case)
  | other -> not_read "the comparison %s" other

let quantified case inside = List.fold_right (fun x s -> Exists (x, s)) case.fresh (both case.where inside)

let next_fresh = ref 1000
let fresh () = incr next_fresh; !next_fresh
let of_number x = { factors = [(1, x)]; constant = 0; where = always; fresh = [] }
let new_number () = let x = fresh () in { (of_number x) with fresh = [x] }
let only where case = { case with where = both where case.where }

(* A term as a number of its own. *)
let named case = match case with
  | { factors = [(1, _)]; constant = 0; _ } -> case
  | _ ->
    let named = new_number () in
    { named with where = both case.where (compared "=" (minus case named)); fresh = case.fresh @ named.fresh }
let variable case = snd (List.hd case.factors)

(* What is not covered by the cases has no value: such statements are refused. *)
let refuse_gaps text cases =
  let covered = List.fold_left (fun found case -> either found (quantified case always)) never cases in
  if covered <> always && Trees.counterexample covered <> None then not_read "%s: a term has no value for some numbers" text

(* [value_of u w] says that w is the value g(u), in a formula that recalls smaller values. *)
let statement_of ?value_of text number_of =
  let rec holds = function
    | Name "True" -> always
    | Name "False" -> never
    | Unary ("not", s) -> Not (holds s)
    | Binary ("and", s, t) -> both (holds s) (holds t)
    | Binary ("or", s, t) -> either (holds s) (holds t)
    | Compare (left, others) ->
      fst (List.fold_left (fun (found, left) (operator, right) -> (both found (comparison left operator right), right))
             (always, left) others)
    | _ -> not_read "%s: expected a statement that holds or not" text
  and comparison left operator right =
    match operator, right with
    | "in", Items items -> List.fold_left (fun found item -> either found (comparison left "=" item)) never items
    | "not in", Items _ -> Not (comparison left "in" right)
    | _ ->
      let cases = pairs left right (fun one two -> [minus one two]) in
      refuse_gaps text cases;
      List.fold_left (fun found case -> either found (quantified case (compared operator case))) never cases
  and pairs left right made =
    List.concat_map (fun one -> List.concat_map (fun two -> made one two) (cases right)) (cases left)
  and better operator one two =
    let chosen = compared operator (minus one two) in
    let side case = { case with fresh = one.fresh @ two.fresh; where = both one.where two.where } in
    [only chosen (side one); only (Not chosen) (side two)]
  and divided by rest case =
    (* The quotient q, or -q where that is above 0: the term less [by] times it is at least 0 and below [by]. *)
    List.map (fun sign ->
      let q = new_number () in
      let left = minus case (times (sign * by) q) in
      let where = both (compared ">=" left) (compared "<" (minus left (number by))) in
      let where = if sign > 0 then where else both where (compared ">" q) in
      let quotient = times sign q in
      only where (if rest then left else { quotient with where = case.where; fresh = case.fresh @ quotient.fresh }))
      [1; -1]
  and cases = function
    | Number n -> [number n]
    | Name name when number_of name >= 0 -> [of_number (number_of name)]
    | Unary ("-", t) -> List.map (times (-1)) (cases t)
    | Binary ("+", s, t) -> pairs s t (fun one two -> [plus one two])
    | Binary ("-", s, t) -> pairs s t (fun one two -> [minus one two])
    | Binary ("*", s, t) ->
      pairs s t (fun one two ->
        if one.factors = [] then [only one.where (times one.constant two)]
        else if two.factors = [] then [only two.where (times two.constant one)]
        else not_read "%s: a product of two numbers" text)
    | Binary (("%" | "mod"), Call ("popcount", [t]), Number 2) ->
      (* An automaton reads whether an odd number of digits are 1. *)
      List.concat_map (fun case ->
        let case = named case in
        let odd = Recognised ([[0; 1]; [1; 0]], [1], [variable case]) in
        List.map (fun (value, test) -> { (number value) with where = both case.where test; fresh = case.fresh }) [(1, odd); (0, Not odd)])
        (cases t)
    | Binary ("&", t, Unary ("-", same)) when t = same ->
      (* The lowest 1 of the digits: z with 2 z - 1 = t ^ (t - 1), and 0 of 0. *)
      List.map (only (holds (Compare (t, [("=", Number 0)])))) [number 0] @
      List.map (fun case ->
        let z = new_number () in
        let lowest = compared "=" (minus (plus case (number 1)) (times 2 z)) in
        { z with where = both case.where lowest; fresh = z.fresh @ case.fresh })
        (cases (Binary ("^", t, Binary ("-", t, Number 1))))
    | Binary (("//" | "%" | "mod" as operator), t, Number by) when by > 0 ->
      List.concat_map (divided by (operator <> "//")) (cases t)
    | Binary (("^" | "xor"), _, _) as whole ->
      (* One nim-sum of all parts and a new number. A part that is no number of its own gets one. *)
      let rec parts = function Binary (("^" | "xor"), s, t) -> parts s @ parts t | part -> [part] in
      let found = new_number () in
      let choices = List.fold_left (fun chosen part ->
        let cases = List.map named (cases part) in
        List.concat_map (fun before -> List.map (fun case -> case :: before) cases) chosen) [[]] (parts whole) in
      List.map (fun chosen ->
        let where = List.fold_left (fun where case -> both where case.where) always chosen in
        { found with where = both where (Nim_sum (List.map variable (found :: chosen)));
                     fresh = found.fresh @ List.concat_map (fun case -> case.fresh) chosen }) choices
    | Call ("g", [t]) when value_of <> None ->
      List.map (fun case ->
        let case = named case and found = new_number () in
        let told = Option.get value_of (variable case) (variable found) in
        { found with where = both case.where told; fresh = found.fresh @ case.fresh })
        (cases t)
    | Call ("abs", [t]) -> pairs t (Unary ("-", t)) (better ">=")
    | Call (("min" | "max") as name, first :: others) ->
      List.fold_left (fun found other ->
        List.concat_map (fun one ->
          List.concat_map (better (if name = "min" then "<=" else ">=") one) (cases other)) found)
        (cases first) others
    | Choice (test, one, two) ->
      let test = holds test in
      List.map (only test) (cases one) @ List.map (only (Not test)) (cases two)
    | Item (Items items, index) ->
      List.concat_map (fun index ->
        List.concat (List.mapi (fun i item ->
          let here = compared "=" (minus index (number i)) in
          List.map (fun case -> { (only (both index.where here) case) with fresh = index.fresh @ case.fresh }) (cases item)) items))
        (cases index)
    | Name name -> not_read "%s: the name %s" text name
    | _ -> not_read "%s" text in
  holds (parse text)
