(* Automata for statements about numbers, as trees for the checker. Nothing here need be trusted: the checker looks at
   each state and symbol again. *)

open Input

type table = { tracks : int list; next : int array array; good : bool array }

type built = { tree : Checker.tree; table : table }

let most_states = 50_000
let most_tracks = 12

let symbols tracks =
  if List.length tracks > most_tracks then fault "a statement about more than %d numbers at once" most_tracks;
  1 lsl List.length tracks

(* The digit of the number x in a symbol. *)
let rec digit tracks symbol x = match tracks with
  | [] -> 0
  | y :: rest -> if x = y then symbol land 1 else digit rest (symbol lsr 1) x

let symbol tracks digit = List.fold_right (fun x read -> digit x + (2 * read)) tracks 0

let automaton { tracks; next; good } : Checker.automaton =
  { tracks; count = Array.length good; next = (fun s c -> next.(s).(c)); good = (fun s -> good.(s)) }

(* All states that a start leads to, numbered in the order in which they are found: keys, and where symbols lead. *)
let explore tracks start step =
  let number = Hashtbl.create 64 and keys = ref [] and rows = ref [] and queue = Queue.create () in
  let find key = match Hashtbl.find_opt number key with
    | Some found -> found
    | None ->
      let found = Hashtbl.length number in
      if found >= most_states then fault "a statement needs an automaton of more than %d states" most_states;
      Hashtbl.add number key found;
      keys := key :: !keys;
      Queue.add key queue;
      found in
  ignore (find start);
  let width = symbols tracks in
  while not (Queue.is_empty queue) do
    let key = Queue.pop queue in
    rows := Array.init width (fun c -> find (step key c)) :: !rows
  done;
  (Array.of_list (List.rev !keys), Array.of_list (List.rev !rows))

(* Moore's algorithm: classes of states are split by the classes to which the symbols lead, until no class is split. *)
let smaller ({ tree; table } as built) =
  let classes = ref (Array.map Bool.to_int table.good) and count = ref 0 and changed = ref true in
  while !changed do
    let number = Hashtbl.create 64 in
    let next_classes = Array.mapi (fun s row ->
      let key = (!classes.(s), Array.map (fun r -> !classes.(r)) row) in
      match Hashtbl.find_opt number (Marshal.to_string key []) with
      | Some found -> found
      | None ->
        let found = Hashtbl.length number in
        Hashtbl.add number (Marshal.to_string key []) found;
        found) table.next in
    changed := Hashtbl.length number > !count;
    count := Hashtbl.length number;
    classes := next_classes
  done;
  let image = !classes in
  if !count = Array.length table.good then built
  else begin
    let next = Array.make !count [||] and good = Array.make !count false in
    Array.iteri (fun s row ->
      next.(image.(s)) <- Array.map (fun r -> image.(r)) row;
      good.(image.(s)) <- table.good.(s)) table.next;
    let table = { table with next; good } in
    { tree = Checker.Smaller_tree (tree, automaton table, fun s -> image.(s)); table }
  end

let sum equal terms constant =
  let tracks = List.sort_uniq compare (List.map snd terms) in
  let keys, next = explore tracks (Some constant) (fun key c ->
    match key with
    | None -> None
    | Some rest ->
      let n = List.fold_left (fun n (factor, x) -> n + (factor * digit tracks c x)) rest terms in
      if not equal then Some ((n + 1) asr 1) else if n land 1 = 1 then None else Some (n asr 1)) in
  let good = Array.map (function None -> false | Some rest -> if equal then rest = 0 else rest <= 0) keys in
  let table = { tracks; next; good } in
  { table; tree = Checker.Sum_tree (equal, terms, constant, automaton table,
      (fun s -> Option.value keys.(s) ~default:0), fun s -> keys.(s) = None) }

let nim parts =
  let tracks = List.sort_uniq compare parts in
  let keys, next = explore tracks false (fun dead c ->
    dead || List.fold_left (fun odd x -> odd lxor digit tracks c x) 0 parts = 1) in
  let table = { tracks; next; good = Array.map not keys } in
  { table; tree = Checker.Nim_tree (parts, automaton table, fun s -> keys.(s)) }

(* A table reads the highest digits first: backwards, a state is the set of rows from which the digits that were read lead
   to an accepted row. *)
let recognised rows accepted parts =
  let tracks = List.sort_uniq compare parts in
  let table = Array.of_list (List.map Array.of_list rows) in
  let set f = String.init (Array.length table) (fun q -> if f q then '1' else '0') in
  let keys, next = explore tracks (set (fun q -> List.mem q accepted)) (fun key c ->
    let c = symbol parts (digit tracks c) in
    set (fun q -> key.[table.(q).(c)] = '1')) in
  let table = { tracks; next; good = Array.map (fun key -> key.[0] = '1') keys } in
  { table; tree = Checker.Table_tree (rows, accepted, parts, automaton table, fun s q -> keys.(s).[q] = '1') }

let conjunction one two =
  let tracks = List.sort_uniq compare (one.table.tracks @ two.table.tracks) in
  let read = List.map (fun table -> Array.init (symbols tracks) (fun c -> symbol table.tracks (digit tracks c)))
    [one.table; two.table] in
  let read_one, read_two = List.nth read 0, List.nth read 1 in
  let keys, next = explore tracks (0, 0) (fun (s, t) c ->
    (one.table.next.(s).(read_one.(c)), two.table.next.(t).(read_two.(c)))) in
  let good = Array.map (fun (s, t) -> one.table.good.(s) && two.table.good.(t)) keys in
  let table = { tracks; next; good } in
  { table; tree = Checker.And_tree (one.tree, two.tree, automaton table, (fun s -> fst keys.(s)), fun s -> snd keys.(s)) }

(* How far each state is from a good one by digits of x alone, plus 1; 0 if it never comes there. *)
let distances x table =
  let size = Array.length table.good in
  let distance = Array.make size 0 and before = Array.make size [] and queue = Queue.create () in
  for s = 0 to size - 1 do
    List.iter (fun bit ->
      let r = table.next.(s).(symbol table.tracks (fun y -> if y = x then bit else 0)) in
      before.(r) <- s :: before.(r)) [0; 1];
    if table.good.(s) then (distance.(s) <- 1; Queue.add s queue)
  done;
  while not (Queue.is_empty queue) do
    let r = Queue.pop queue in
    List.iter (fun s -> if distance.(s) = 0 then (distance.(s) <- distance.(r) + 1; Queue.add s queue)) before.(r)
  done;
  distance

let some x inside =
  let inner = inside.table in
  let tracks = List.filter (( <> ) x) inner.tracks in
  let reads = Array.init (symbols tracks) (fun c ->
    List.map (fun bit -> symbol inner.tracks (fun y -> if y = x then bit else digit tracks c y)) [0; 1]) in
  let keys, next = explore tracks [0] (fun states c ->
    List.sort_uniq compare (List.concat_map (fun s -> List.map (fun read -> inner.next.(s).(read)) reads.(c)) states)) in
  let distance = distances x inner in
  let good = Array.map (List.exists (fun s -> distance.(s) > 0)) keys in
  let table = { tracks; next; good } in
  { table; tree = Checker.Exists_tree (x, inside.tree, automaton table, (fun s -> keys.(s)), fun s -> distance.(s)) }

let known : (Checker.statement, built) Hashtbl.t = Hashtbl.create 64

let rec build (statement : Checker.statement) =
  match Hashtbl.find_opt known statement with
  | Some built -> built
  | None ->
    let built = match statement with
      | Sum (equal, terms, constant) -> smaller (sum equal terms constant)
      | Nim_sum parts -> nim parts
      | Recognised (rows, accepted, tracks) -> smaller (recognised rows accepted tracks)
      | Not s ->
        let { tree; table } = build s in
        { tree = Checker.Not_tree tree; table = { table with good = Array.map not table.good } }
      | And (s, t) -> smaller (conjunction (build s) (build t))
      | Exists (x, s) -> smaller (some x (build s))
      | Renamed (names, s) ->
        let { tree; table } = build s in
        { tree = Checker.Renamed_tree (names, tree); table = { table with tracks = List.map (Checker.renamed names) table.tracks } } in
    Hashtbl.add known statement built;
    built

(* Numbers of which a statement is false: the digits that lead to a state that is not good. None if it is always true. *)
let counterexample statement =
  let { table; _ } = build statement in
  let seen = Hashtbl.create 64 and queue = Queue.create () and found = ref None in
  Queue.add (0, []) queue;
  Hashtbl.add seen 0 ();
  while !found = None && not (Queue.is_empty queue) do
    let s, word = Queue.pop queue in
    if not table.good.(s) then
      found := Some (List.map (fun x ->
        (x, List.fold_left (fun n c -> (2 * n) + digit table.tracks c x) 0 word)) table.tracks)
    else Array.iteri (fun c r ->
      if not (Hashtbl.mem seen r) then (Hashtbl.add seen r (); Queue.add (r, c :: word) queue)) table.next.(s)
  done;
  !found
