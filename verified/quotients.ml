(* Misère quotients of heaps or of a graph. The table, the pairs and their products are hints for the checker. *)

open Input
open Periods

type pair = { x : int; w : Bytes.t }

let natural_list path what = function
  | List found -> List.map (natural path what) found
  | _ -> fault "%s: expected a list for %s" path what

let rows_of path what = function
  | List found -> Array.of_list (List.map (natural_list path what) found)
  | _ -> fault "%s: expected a list for %s" path what

(* The products of all elements, each with a sum of positions that is that element: both found from the identity. *)
let products order step positions =
  let rows = Array.make order [||] and sums = Array.make order [] and queue = Queue.create () in
  rows.(0) <- Array.init order Fun.id;
  Queue.add 0 queue;
  let seen = Hashtbl.create 16 in
  let positions = List.filter (fun h ->
    let is_new = not (Hashtbl.mem seen step.(h).(0)) in
    Hashtbl.replace seen step.(h).(0) ();
    is_new) positions in
  while not (Queue.is_empty queue) do
    let x = Queue.pop queue in
    List.iter (fun h ->
      let y = step.(h).(x) in
      if rows.(y) = [||] then begin
        rows.(y) <- Array.map (fun q -> step.(h).(q)) rows.(x);
        sums.(y) <- h :: sums.(x);
        Queue.add y queue
      end) positions
  done;
  if Array.mem [||] rows then wrong "not every element is a product of positions";
  (rows, sums)

let is_part small large =
  let rec go q = q = Bytes.length small || ((Bytes.get small q = '\000' || Bytes.get large q = '\001') && go (q + 1)) in
  go 0

(* Pairs of an element and a set that cover all sums, the pair of each position, and that of each product. A pair with
   the number [max_int] has a full set: it needs no place in the list. *)
let pairs_of order step mul lost moves count =
  let act parts q = List.fold_right (fun h q -> step.(h).(q)) parts q in
  let set f = Bytes.init order (fun q -> if f q then '\001' else '\000') in
  let is_full { x; w } =
    let rec go q = q = order || ((lost.(mul.(x).(q)) || Bytes.get w q = '\001') && go (q + 1)) in
    go 0 in
  let items = ref [||] and used = ref 0 and known = Array.make order [] in
  let find pair =
    if is_full pair then max_int
    else match List.find_opt (fun i -> is_part !items.(i).w pair.w) known.(pair.x) with
      | Some i -> i
      | None ->
        if not lost.(pair.x) && Bytes.get pair.w 0 = '\000' then
          wrong "a sum of element %d is an N-position without a move to a P-position" pair.x;
        if !used = Array.length !items then items := Array.append !items (Array.make (max 64 !used) pair);
        !items.(!used) <- pair;
        known.(pair.x) <- !used :: known.(pair.x);
        incr used;
        !used - 1 in
  let pair_of = Array.init count (fun h ->
    let options = moves h in
    if options = [] then max_int
    else find { x = step.(h).(0); w = set (fun q -> List.exists (fun parts -> lost.(act parts q)) options) }) in
  let generators = !used in
  let products = ref [] and i = ref 0 in
  while !i < !used do
    let { x; w } = !items.(!i) in
    let product g =
      let { x = y; w = v } = !items.(g) in
      find { x = mul.(y).(x);
             w = set (fun q -> Bytes.get v mul.(x).(q) = '\001' || Bytes.get w mul.(y).(q) = '\001') } in
    products := Array.init generators product :: !products;
    incr i
  done;
  (!items, !used, generators, pair_of, Array.of_list (List.rev !products))

(* The moves of the heaps 0, 1, ... of the game that a quotient names. *)
let moves_of_heaps path game positions =
  let is_heap h position = position = Number (string_of_int h) in
  if not (List.for_all Fun.id (List.mapi is_heap positions) && (String.contains game '{' || game = "lasker")) then
    fault "%s: %s is no heap game that the proved checker knows: give its graph, as in graphgame verify --proved GRAPH %s" path
      game path;
  moves_of path game

(* The moves between the positions that a quotient lists, in its order. *)
let moves_of_graph path graph positions =
  let label = function
    | Number text | Text text -> text
    | _ -> fault "%s: a position is neither a number nor a text" path in
  let vertex = List.map (fun position -> match find graph.known (label position) with
    | -1 -> wrong "%s is not a position of the graph" (label position)
    | v -> v) positions in
  let place = Array.make graph.known.count (-1) in
  List.iteri (fun h v -> if place.(v) < 0 then place.(v) <- h else wrong "position %s is listed twice" (name graph.known v)) vertex;
  let moves = List.map (fun v ->
    List.map (fun u ->
      if place.(u) < 0 then wrong "position %s has the option %s, which the quotient is not about" (name graph.known v)
        (name graph.known u);
      [place.(u)]) (targets graph v)) vertex in
  if not (Checker.check_earlier moves 0) then wrong "the positions are not in an order in which options come first";
  let moves = Array.of_list moves in
  fun h -> if h < Array.length moves then moves.(h) else []

(* What a file says of a quotient: how each position acts on the elements, and which elements are lost. *)
type quotient = { count : int; order : int; step : int array array; lost : bool array }

let read path fields count =
  let generators = natural_list path "a generator" (member "generators" fields) in
  let words = rows_of path "a word" (member "words" fields) in
  let steps = Array.map Array.of_list (rows_of path "a step" (member "steps" fields)) in
  let order = Array.length steps in
  let is_new_position i h = h < count && not (List.mem h (List.filteri (fun j _ -> j < i) generators)) in
  if not (List.for_all Fun.id (List.mapi is_new_position generators)) then
    fault "%s: a generator is not the index of a position, or is listed twice" path;
  if Array.length words <> count || Array.exists (List.exists (fun h -> not (List.mem h generators))) words then
    fault "%s: the member words does not have a list of generators for each position" path;
  let width = List.length generators in
  if order = 0 || Array.exists (fun row -> Array.length row <> width || Array.exists (fun x -> x >= order) row) steps then
    fault "%s: the member steps does not have the product of each element and each generator" path;
  let lost = Array.make order false in
  List.iter (fun x -> if x < order then lost.(x) <- true else fault "%s: the member p_portion is not a list of elements" path)
    (natural_list path "a lost element" (member "p_portion" fields));
  let step = Array.map (fun word ->
    let columns = List.map (fun h -> index_of h generators) word in
    Array.init order (fun q -> List.fold_left (fun q g -> steps.(q).(g)) q columns)) words in
  { count; order; step; lost }

(* Checks a quotient. Returns a function of the digits of a code, a preperiod and a period: whether the elements of the
   heaps of the code are proved to repeat. *)
let check moves { count; order; step; lost } =
  let rows, sums = products order step (List.init count Fun.id) in
  let by h q = step.(h).(q) and mul x q = rows.(x).(q) and is_lost x = lost.(x) in
  if not (Checker.check_table order count by mul && Checker.check_commutes order count by) then
    wrong "the steps do not define a commutative monoid";
  if lost.(0) then wrong "the empty sum is in the P-portion, but whoever cannot move wins";
  for h = 0 to count - 1 do
    if not (Checker.check_position moves order count by is_lost h) then
      wrong "position %d does not fit its options: both are in the P-portion in some sum, or it ends play and is not 1" h
  done;
  let items, size, few, pair_of, product_of = pairs_of order step rows lost moves count in
  let element i = items.(i).x and wins i q = Bytes.get items.(i).w q = '\001' and pair h = pair_of.(h) in
  let product i g = product_of.(i).(g) in
  if not (Checker.check_quotient moves order count by mul is_lost size few element wins pair product) then
    wrong "the outcomes do not follow from the moves";
  let apart x y =
    let rec go q = if q = order || lost.(rows.(x).(q)) <> lost.(rows.(y).(q)) then q else go (q + 1) in
    go 0 in
  if not (Checker.check_least order count by mul is_lost (fun x -> sums.(x)) apart) then
    wrong "two elements have the same outcome with every third element, so they must be one element";
  fun digits n0 p ->
    let last = Checker.last_heap digits (Checker.most_heaps digits) n0 p in
    let same h = h < n0 + p || step.(h) = step.(Checker.heap_class n0 p h) in
    last < count && List.for_all same (List.init (last + 1) Fun.id) &&
    Checker.check_periodic_quotient digits order by mul is_lost size few element wins pair product n0 p

(* The digits of a code: laws of periods of quotients are about these. *)
let code_of path game = match Periods.game_of path game with
  | Code digits -> digits
  | _ -> fault "%s: periods of misère play are proved for codes, not for %s" path game

(* A quotient of the heaps of a game, with a period of its elements. *)
let check_periodic path fields game n0 p =
  let digits = code_of path game in
  let count = match member "positions" fields with List found -> List.length found | _ -> fault "%s: expected positions" path in
  let positions = match member "positions" fields with List found -> found | _ -> [] in
  let quotient = read path fields count in
  let repeats = check (moves_of_heaps path game positions) quotient in
  if not (repeats digits n0 p) then
    wrong "the elements of the quotient do not repeat with the period %d from heap %d on, as far as the proof needs" p n0;
  quotient

let check_file path fields graph =
  let game = match member "game" fields with Text game -> game | _ -> fault "%s: expected the name of a game" path in
  let positions = match member "positions" fields with List found -> found | _ -> fault "%s: expected positions" path in
  let count = List.length positions in
  let moves = match graph with
    | None -> moves_of_heaps path game positions
    | Some graph -> moves_of_graph path graph positions in
  (match member "stopped" fields with
   | Null when natural path "asked" (member "asked" fields) <> count -> fault "%s: the member asked is not the number of positions" path
   | _ -> ());
  let quotient = read path fields count in
  let repeats = check moves quotient in
  if graph <> None then
    Printf.printf "proved: the misère quotient of %s of the graph has the order %d\n" (plural count "position") quotient.order
  else begin
    let period = match member "period" fields, game_of path game with
      | Object period, Code digits ->
        let n0 = natural path "preperiod" (member "preperiod" period) and p = natural path "period" (member "period" period) in
        if p > 0 && repeats digits n0 p then Printf.sprintf "; that of all heaps repeats with the period %d from heap %d on" p n0 else ""
      | _ -> "" in
    Printf.printf "proved: the misère quotient of the heaps 0..%d of %s has the order %d%s\n" (count - 1) game quotient.order period
  end
