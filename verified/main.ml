(* graphgame-proved: checks values and certificates of graphgame by checkers that are proved correct in Coq. What is
   here reads the files and words the answers; what decides is in Checker. *)

open Input

let usage = "usage: graphgame-proved [--format F] [--tokens POSITION]... [--misere] [--loopy] GRAPH VALUES.csv\n\
             \       graphgame-proved [--format F] GRAPH REDUCED | GRAPH QUOTIENT.json\n\
             \       graphgame-proved CERTIFICATE.json | QUOTIENT.json | LAWS.json | LISTING"

(* Vertices in an order of play from its end: the place in it is the rank that the checker wants. Also a vertex of a
   cycle, or -1. *)
let ranks graph =
  let size = graph.known.count in
  let rank = column size and next = column size and stack = column (size + 1) in
  let state = Bytes.make size '\000' and count = ref 0 and cycle = ref (-1) in
  for root = 0 to size - 1 do
    if Bytes.get state root = '\000' then begin
      let top = ref 0 in
      put stack 0 root;
      put next root (get graph.first root);
      Bytes.set state root '\001';
      while !top >= 0 do
        let v = get stack !top in
        let i = get next v in
        if i < get graph.first (v + 1) then begin
          put next v (i + 1);
          let u = get graph.target i in
          match Bytes.get state u with
          | '\000' ->
            Bytes.set state u '\001';
            put next u (get graph.first u);
            incr top;
            put stack !top u
          | '\001' -> cycle := u
          | _ -> ()
        end else begin
          Bytes.set state v '\002';
          put rank v !count;
          incr count;
          decr top
        end
      done
    end
  done;
  (rank, !cycle)

(* A counter function for play that need not end, if there is one: positions of finite value are counted once all their
   moves to larger values can be taken back to positions counted before. *)
let counts graph claim =
  let size = graph.known.count in
  let edges = get graph.first size in
  let before_first = column (size + 2) and before = column edges in
  for i = 0 to edges - 1 do
    let v = get graph.target i + 2 in
    put before_first v (get before_first v + 1)
  done;
  for v = 2 to size + 1 do put before_first v (get before_first v + get before_first (v - 1)) done;
  let waits = column size and count = column size and undone = column size in
  for u = 0 to size - 1 do
    let larger = ref 0 in
    for i = get graph.first u to get graph.first (u + 1) - 1 do
      let v = get graph.target i in
      put before (get before_first (v + 1)) u;
      put before_first (v + 1) (get before_first (v + 1) + 1);
      if claim u > 0 && (claim v = 0 || claim v > claim u) then incr larger
    done;
    put waits u !larger
  done;
  let order = Array.init size Fun.id in
  Array.stable_sort (fun u v -> compare (claim u) (claim v)) order;
  let queue = column (size + 1) and counted = ref 0 and found = ref 0 in
  let add u = put queue !found u; incr found in
  let reach value =
    while !counted < !found do
      let w = get queue !counted in
      put count w !counted;
      incr counted;
      for i = get before_first w to get before_first (w + 1) - 1 do
        let v = get before i in
        if get undone v <> value && (claim v = 0 || claim v > value) then begin
          put undone v value;
          for j = get before_first v to get before_first (v + 1) - 1 do
            let u = get before j in
            if claim u = value then begin
              put waits u (get waits u - 1);
              if get waits u = 0 then add u
            end
          done
        end
      done
    done in
  let i = ref 0 in
  while !i < size do
    let value = claim order.(!i) in
    while !i < size && claim order.(!i) = value do
      if value > 0 && get waits order.(!i) = 0 then add order.(!i);
      incr i
    done;
    reach value
  done;
  count


let verdict = function 1 -> "; first player wins" | 2 -> "; second player wins" | 3 -> "; draw" | _ -> ""

let check_loopy graph values tokens =
  let size = graph.known.count in
  if values.misere then fault "misère play that need not end is not proved";
  if values.rows < size then fault "where play need not end, the proved checker wants the values of all positions";
  let sets = Array.make size [] in
  Hashtbl.iter (fun v set -> sets.(v) <- set) values.sets;
  let first v = get graph.first v and target i = get graph.target i and claim v = get values.claim v in
  let set v = sets.(v) in
  let count = counts graph claim in
  let count v = get count v in
  let each check reason =
    for v = 0 to size - 1 do if not (check v) then wrong "position %s: %s" (name graph.known v) reason done in
  let check = Checker.check_loopy_vertex size first target claim set count in
  if not (Checker.check_loopy size first target claim set count) then
    each check "its value does not follow from those of its options";
  let outcome v = match get values.outcome v with
    | 0 -> (match Checker.loopy_winner_of claim set [v] with 1 -> 2 | 2 -> 1 | other -> other)
    | given -> given in
  each (Checker.check_loopy_outcome claim set outcome) "its outcome is not that of its value";
  if values.has_lengths then begin
    each (fun v -> (get values.length v > 0) = (outcome v < 3)) "it has no remoteness, or has one and is a draw";
    let length v = get values.length v - 1 in
    if not (Checker.check_loopy_lengths size first target claim set outcome length) then
      each (Checker.check_loopy_length first target claim set outcome length)
        "its remoteness does not follow from those of its options"
  end;
  match tokens with None -> 0 | Some tokens -> Checker.loopy_winner_of claim set tokens

(* For values above 62: the place of an option with each smaller value, beside the options of a vertex. *)
let witnesses graph claim =
  let size = graph.known.count in
  let found = lazy (column (get graph.first size)) in
  for v = 0 to size - 1 do
    if claim v > 63 then begin
      let low = get graph.first v and high = get graph.first (v + 1) in
      for i = low to high - 1 do
        let c = claim (get graph.target i) in
        if c > 0 && c <= high - low then put (Lazy.force found) (low + c - 1) i
      done
    end
  done;
  if Lazy.is_val found then fun i -> if i < Bigarray.Array1.dim (Lazy.force found) then get (Lazy.force found) i else 0
  else fun _ -> 0

let check_ending graph values rank ~complete ~with_lengths tokens =
  let size = graph.known.count in
  let first v = get graph.first v and target i = get graph.target i in
  let claim v = get values.claim v and outcome v = get values.outcome v and rank v = get rank v in
  let misere = values.misere in
  let final = if misere then 1 else 0 in
  for v = 0 to size - 1 do
    if outcome v = 3 || Hashtbl.mem values.sets v then wrong "position %s: a draw, but play must end there" (name graph.known v)
  done;
  let worst check reason =
    let found = ref (-1) in
    for v = 0 to size - 1 do if not (check v) && (!found < 0 || rank v < rank !found) then found := v done;
    if !found < 0 then wrong "%s" reason
    else wrong "position %s: %s" (name graph.known !found) reason in
  let witness = witnesses graph claim in
  if not (Checker.check size first target final claim outcome rank witness) then
    worst (Checker.check_vertex size first target final claim outcome rank witness)
      "its value or outcome does not follow from those of its options";
  if with_lengths then begin
    for v = 0 to size - 1 do
      if get values.length v = 0 then wrong "position %s: it has no remoteness, though other positions have one" (name graph.known v)
    done;
    let length v = get values.length v - 1 in
    if not (Checker.check_lengths size first target claim length) then
      worst (Checker.check_length first target claim length) "its remoteness does not follow from those of its options"
  end;
  match tokens with
  | None -> 0
  | Some tokens when not misere -> Checker.winner size first target claim tokens
  | Some [] -> 1 (* no move: who cannot move wins *)
  | Some [token] -> Checker.misere_winner_of first target claim token
  | Some _ when complete -> 0
  | Some _ -> fault "misère values do not combine, so fewer values than all tell nothing of several tokens"

let check_values format token_texts misere loopy graph_path values_path =
  if graph_path = "-" && values_path = "-" then fault "the graph and the values cannot both be standard input";
  let graph = read_graph format graph_path in
  let values = read_values values_path graph.known in
  if values.misere <> misere then
    fault "%s: these are values of %s play: %s" values_path (if values.misere then "misère" else "normal")
      (if values.misere then "give --misere" else "leave out --misere");
  let size = graph.known.count in
  let complete = values.rows = size in
  let tokens = match token_texts with
    | [] -> graph.tokens
    | texts -> Some (List.map (fun text -> match find graph.known text with
        | -1 -> fault "token %s is not a position of the graph" text
        | number -> number) texts) in
  let rank, cycle = ranks graph in
  if cycle >= 0 && not loopy then
    fault "the graph has a cycle through %s: play need not end; give --loopy" (name graph.known cycle);
  let with_lengths = complete && values.has_lengths in
  let winner =
    if cycle >= 0 then check_loopy graph values tokens
    else check_ending graph values rank ~complete ~with_lengths tokens in
  if winner = 0 && not complete then
    wrong "the values do not tell who wins%s" (if tokens = None then ", for there are no tokens" else "");
  let columns = ["grundy"] @ (if values.has_outcomes then ["outcome"] else []) @ (if with_lengths then ["remoteness"] else []) in
  Printf.printf "proved: %s of %s%s%s%s\n" (String.concat ", " columns)
    ((if complete then "all " else "") ^ plural values.rows "position") (if complete then "" else ", enough")
    (if misere then " under misère play" else "") (verdict winner)

(* Reduced graphs. The images of positions and of moves are hints for the checkers. *)

let targets graph v = List.init (get graph.first (v + 1) - get graph.first v) (fun i -> get graph.target (get graph.first v + i))

let order_of rank size =
  let order = Array.make size 0 in
  for v = 0 to size - 1 do order.(get rank v) <- v done;
  order

let grundy_values graph rank =
  let value = column graph.known.count and seen = column (graph.known.count + 1) in
  Array.iter (fun v ->
    List.iter (fun u -> put seen (get value u) (v + 1)) (targets graph v);
    let mex = ref 0 in
    while get seen !mex = v + 1 do incr mex done;
    put value v !mex) (order_of rank graph.known.count);
  value

(* The position of the small graph with the same options, for each position of the large one. *)
let equal_images large small rank small_rank =
  let merged = Hashtbl.create 64 and image = column large.known.count in
  Array.iter (fun w ->
    let key = List.sort_uniq compare (targets small w) in
    if Hashtbl.mem merged key then wrong "positions %s and %s have the same options: they are one" (name small.known w)
      (name small.known (Hashtbl.find merged key));
    Hashtbl.add merged key w) (order_of small_rank small.known.count);
  Array.iter (fun v ->
    let key = List.sort_uniq compare (List.map (get image) (targets large v)) in
    match Hashtbl.find_opt merged key with
    | Some w -> put image v w
    | None -> wrong "position %s: no position of the reduced graph has its options" (name large.known v))
    (order_of rank large.known.count);
  image

let check_equal large small image =
  let size = large.known.count in
  let move_of = column (get large.first size) and came_from = column (get large.first size) in
  let move_to = Hashtbl.create 16 in
  for v = 0 to size - 1 do
    let w = get image v in
    Hashtbl.reset move_to;
    for j = get small.first w to get small.first (w + 1) - 1 do Hashtbl.replace move_to (get small.target j) j done;
    for i = get large.first v to get large.first (v + 1) - 1 do
      let j = Hashtbl.find move_to (get image (get large.target i)) in
      put move_of i j;
      put came_from (get large.first v + j - get small.first w) i
    done;
    (* Moves that are there twice become the same move. *)
    for j = get small.first w to get small.first (w + 1) - 1 do
      let same = Hashtbl.find move_to (get small.target j) in
      put came_from (get large.first v + j - get small.first w) (get came_from (get large.first v + same - get small.first w))
    done
  done;
  if not (Checker.check_reduction size (get large.first) (get large.target) small.known.count (get small.first) (get small.target)
            (get image) (get move_of) (get came_from)) then wrong "the options of a position are not those of its image"

let images_by large small label =
  let image = column large.known.count in
  for v = 0 to large.known.count - 1 do
    match find small.known (label v) with
    | -1 -> wrong "position %s: the reduced graph has no position %s" (name large.known v) (label v)
    | w -> put image v w
  done;
  image

let check_same_values large small image rank small_rank value =
  let size = large.known.count in
  let small_value = grundy_values small small_rank in
  for v = 0 to size - 1 do
    let w = get image v in
    if get small_value w <> get value v then
      wrong "position %s has the value %d, but %s of the reduced graph has %d" (name large.known v) (get value v)
        (name small.known w) (get small_value w)
  done;
  let claim v = get value v + 1 and small_claim w = get small_value w + 1 in
  if not (Checker.check_same_values size (get large.first) (get large.target) small.known.count (get small.first)
            (get small.target) (get image) claim (get rank) (witnesses large claim) small_claim (get small_rank)
            (witnesses small small_claim)) then wrong "the positions have other values than their images"

let check_reduction format large_path small_path =
  let large = read_graph format large_path and small = read_graph None small_path in
  let rank, cycle = ranks large and small_rank, small_cycle = ranks small in
  if cycle >= 0 || small_cycle >= 0 then fault "reductions of graphs with a cycle are not proved";
  let size = large.known.count in
  let is_heaps = find small.known "*0" >= 0 && find large.known "*0" < 0 in
  let value = grundy_values large rank in
  let image =
    if is_heaps then images_by large small (fun v -> "*" ^ string_of_int (get value v))
    else if small.known.count = size then images_by large small (name large.known)
    else equal_images large small rank small_rank in
  (* A position of the reduced graph stands for the position of its name, and has no move that this one lacks. *)
  let options graph v = List.sort_uniq compare (targets graph v) in
  let images v = List.sort_uniq compare (List.map (get image) (targets large v)) in
  if not is_heaps then
    for w = 0 to small.known.count - 1 do
      let v = find large.known (name small.known w) in
      if v < 0 || get image v <> w then wrong "%s of the reduced graph does not stand for the position %s" (name small.known w)
        (name small.known w);
      let kept = images v in
      if not (List.for_all (fun u -> List.mem u kept) (options small w)) then
        wrong "position %s: the reduced graph has a move more" (name small.known w)
    done;
  if Option.map (List.map (get image)) large.tokens <> small.tokens then wrong "the tokens are not the images of the tokens";
  let is_equal = not is_heaps && List.for_all (fun v -> options small (get image v) = images v) (List.init size Fun.id) in
  if is_equal then check_equal large small image else check_same_values large small image rank small_rank value;
  Printf.printf "proved: all %s have the %s of the %d in %s%s\n" (plural size "position")
    (if is_equal then "outcomes" else "values") small.known.count small_path
    (if is_equal then ", in any sum, under normal and under misère play" else "")

(* Certificates of periods. *)

let natural path what = function
  | Number text when small_number text 0 (String.length text) >= 0 -> small_number text 0 (String.length text)
  | _ -> fault "%s: expected a natural number for %s" path what

let most_taken = 1000

(* The amounts of a subtraction set become digits 3: one may take that many and leave one heap or none. *)
let digits_of path game =
  let bad () =
    fault "%s: the proved checker knows codes such as octal{0.77} and sets such as take{1,2,5} and take{not 1,4} up to %d; not %s" path
      most_taken game in
  let size = String.length game in
  let inside name =
    let start = String.length name + 1 in
    if starts_with (name ^ "{") game 0 && game.[size - 1] = '}' then Some (String.sub game start (size - start - 1)) else None in
  let of_code code =
    let rec without_zeros text =
      let last = String.length text - 1 in
      if last >= 0 && text.[last] = '0' then without_zeros (String.sub text 0 last) else text in
    let digit = function
      | '0' .. '9' as c -> Char.code c - 48
      | 'A' .. 'F' as c -> Char.code c - 55
      | _ -> bad () in
    match String.split_on_char '.' code with
    | [before; after] when String.length before = 1 ->
      List.map digit (before.[0] :: List.of_seq (String.to_seq (without_zeros after)))
    | _ -> bad () in
  let of_set set =
    let amount text =
      match small_number text 0 (String.length text) with n when n > 0 && n <= most_taken -> n | _ -> bad () in
    let amounts = List.map amount (String.split_on_char ',' set) in
    List.init (1 + List.fold_left max 0 amounts) (fun k -> if List.mem k amounts then 3 else 0) in
  match inside "octal", inside "code", inside "take" with
  | Some code, _, _ | _, Some code, _ -> of_code code
  | _, _, Some set -> of_set set
  | _ -> bad ()

(* Hints for the sparse check: the bits that leave the fewest rare heaps, these heaps, how many are smaller than each
   heap, and the place of each among them. *)
let sparse_hints table last =
  let largest = Array.fold_left max 0 table in
  let counts = Array.make (largest + 1) 0 in
  Array.iter (fun v -> counts.(v) <- counts.(v) + 1) table;
  let rec width v = if v = 0 then 0 else 1 + width (v lsr 1) in
  let bits_of mask = List.filter (fun b -> (mask lsr b) land 1 = 1) (List.init 10 Fun.id) in
  let best = ref [] and least = ref max_int in
  for mask = 1 to (1 lsl min 10 (width largest)) - 1 do
    let bits = bits_of mask and rare = ref 0 in
    Array.iteri (fun v count -> if count > 0 && not (Checker.is_common bits v) then rare := !rare + count) counts;
    if !rare < !least then (best := bits; least := !rare)
  done;
  let rare = growing () and below = column (last + 2) and place = column (last + 2) in
  for h = 1 to last do
    put below h rare.used;
    put place h rare.used;
    if not (Checker.is_common !best table.(h)) then push rare h
  done;
  put below (last + 1) rare.used;
  (!best, get rare.items, get below, get place)

(* The amounts that a game excludes, if it allows all others. *)
let excluded_of path game =
  let head = "take{not " in
  let start = String.length head and stop = String.length game - 1 in
  if not (starts_with head game 0 && game.[stop] = '}') then None
  else
    let amount text = match small_number text 0 (String.length text) with
      | n when n > 0 && n <= most_taken -> n
      | _ -> fault "%s: the proved checker knows amounts up to %d; not %s" path most_taken game in
    Some (List.map amount (String.split_on_char ',' (String.sub game start (stop - start))))

(* The values of all heaps of a game that excludes a few amounts. The heap from which the proof goes on by periods, and
   the bounds of the values before, are hints. *)
let growing_values game excluded values n0 p s stated_last =
  let last = n0 + (2 * Checker.largest excluded) + p in
  if stated_last <> last then wrong "the proof needs the heaps up to %d" last;
  if s = 0 then wrong "the values of %s are not bounded: a constant is added" game;
  let value = Checker.grown (Array.get values) n0 p s in
  let above count = List.fold_left (fun most h -> max most (value h + 1)) 0 (List.init count Fun.id) in
  let low = above n0 and high = above (n0 + p) in
  let missing = Array.make (low + s) true and left = ref (low + s) and heap = ref 0 in
  while !left > 0 && !heap <= n0 + (p * (low + s + 1)) do
    let v = value !heap in
    if v < low + s && missing.(v) then (missing.(v) <- false; decr left);
    incr heap
  done;
  let start = ref (max n0 (!heap + Checker.largest excluded)) in
  while List.exists (fun i -> value (!start + i) + s < high) (List.init p Fun.id) do start := !start + p done;
  if not (Checker.check_growing excluded (Array.get values) n0 p s !start low high) then begin
    for h = 0 to !start + p - 1 do
      if not (Checker.check_mex [Checker.take_source excluded (Array.get values) n0 p s h] (value h)) then
        wrong "heap %d has another value than %d" h (value h)
    done;
    wrong "the values are not those of %s" game
  end;
  value

(* The values of the heaps of a code up to the last that the proof needs, which is enough for one period more. *)
let code_values path game values n0 p stated_last =
  let digits = digits_of path game in
  if not (Checker.legal digits) then fault "%s: play of %s need not end" path game;
  let last = Checker.last_heap digits (Checker.most_heaps digits) n0 p in
  if stated_last <> last then wrong "the proof needs the heaps up to %d" last;
  let table = Array.make (last + 1) 0 in
  Array.iteri (fun n v -> if n <= last then table.(n) <- v) values;
  for n = n0 + p to last do table.(n) <- table.(n - p) done;
  let accepted =
    if Checker.most_heaps digits > 2 then Checker.check_code digits (Array.get table) n0 p
    else
      let bits, rare, below, place = sparse_hints table last in
      Checker.check_sparse_code digits (Array.get table) n0 p bits rare below place in
  let table n = table.(n) in
  if not accepted then begin
    let rec least n =
      if n > last then wrong "the values are not those of %s" game
      else if Checker.check_mex (Checker.heap_sources digits table n) (table n) then least (n + 1)
      else wrong "heap %d has another value than %d" n (table n) in
    least 0
  end;
  Checker.grown (Array.get values) n0 p 0

(* The game of a certificate, its preperiod, period and saltus, and its values: checked. *)
let proved_period path fields =
  let number name = natural path name (member name fields) in
  let game = match member "game" fields with Text game -> game | _ -> fault "%s: expected the name of a game" path in
  let n0 = number "preperiod" and p = number "period" and s = number "saltus" and last = number "last_heap" in
  let values = match member "values" fields with
    | List found -> Array.of_list (List.map (natural path "a value") found)
    | _ -> fault "%s: expected a list of values" path in
  if p = 0 || Array.length values <> n0 + p then fault "%s: expected preperiod + period values" path;
  (match member "last_exception" fields with
   | Null when n0 = 0 -> ()
   | Number text when n0 > 0 && text = string_of_int (n0 - 1) -> ()
   | _ -> fault "%s: the last exception contradicts the preperiod" path);
  let value = match excluded_of path game with
    | Some excluded -> growing_values game excluded values n0 p s last
    | None when s > 0 -> fault "%s: periods that add a saltus are proved for sets such as take{not 1,4} alone" path
    | None -> code_values path game values n0 p last in
  if n0 > 0 && value (n0 - 1) + s = value (n0 - 1 + p) then wrong "heap %d fits the period too" (n0 - 1);
  for shorter = 1 to p / 2 do
    if p mod shorter = 0 && s * shorter mod p = 0 then begin
      let rec same n = n >= n0 + p || (value n + (s * shorter / p) = value (n + shorter) && same (n + 1)) in
      if same n0 then wrong "%d is a period too" shorter
    end
  done;
  (game, n0, p, s, value)

let check_period path fields =
  let game, n0, p, s, _ = proved_period path fields in
  Printf.printf "proved: %s has the period %d%s from heap %d on\n" game p (Laws.added s) n0

(* Misère quotients of the heaps of a code. The table, the pairs and their products are hints for the checker. *)

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
  if not (String.contains game '{' && List.for_all Fun.id (List.mapi is_heap positions)) then
    fault "%s: %s is no heap game that the proved checker knows: give its graph, as in graphgame verify --proved GRAPH %s" path
      game path;
  match excluded_of path game with
  | Some excluded -> Checker.take_moves excluded
  | None ->
    let digits = digits_of path game in
    if not (Checker.legal digits) then fault "%s: play of %s need not end" path game;
    Checker.heap_moves digits

(* The moves between the positions that a quotient lists, in its order. *)
let moves_of_graph path graph positions =
  let label = function
    | Number text | Text text -> text
    | _ -> fault "%s: a position is neither a number nor a text" path in
  let vertex = List.map (fun position -> match find graph.known (label position) with
    | -1 -> wrong "%s is no position of the graph" (label position)
    | v -> v) positions in
  let place = Array.make graph.known.count (-1) in
  List.iteri (fun h v -> if place.(v) < 0 then place.(v) <- h else wrong "position %s is there twice" (name graph.known v)) vertex;
  let moves = List.map (fun v ->
    List.map (fun u ->
      if place.(u) < 0 then wrong "position %s has the option %s, which the quotient is not about" (name graph.known v)
        (name graph.known u);
      [place.(u)]) (targets graph v)) vertex in
  if not (Checker.check_earlier moves 0) then wrong "the positions are not in an order in which options come first";
  let moves = Array.of_list moves in
  fun h -> if h < Array.length moves then moves.(h) else []

let check_quotient path fields graph =
  let game = match member "game" fields with Text game -> game | _ -> fault "%s: expected the name of a game" path in
  let positions = match member "positions" fields with List found -> found | _ -> fault "%s: expected positions" path in
  let count = List.length positions in
  let moves = match graph with
    | None -> moves_of_heaps path game positions
    | Some graph -> moves_of_graph path graph positions in
  (match member "stopped" fields with
   | Null when natural path "asked" (member "asked" fields) <> count -> fault "%s: asked is not the number of positions" path
   | _ -> ());
  let generators = natural_list path "a generator" (member "generators" fields) in
  let words = rows_of path "a word" (member "words" fields) in
  let steps = Array.map Array.of_list (rows_of path "a step" (member "steps" fields)) in
  let order = Array.length steps in
  let is_new_position i h = h < count && not (List.mem h (List.filteri (fun j _ -> j < i) generators)) in
  if not (List.for_all Fun.id (List.mapi is_new_position generators)) then
    fault "%s: a generator is no position, or is there twice" path;
  if Array.length words <> count || Array.exists (List.exists (fun h -> not (List.mem h generators))) words then
    fault "%s: words are not one list of generators for each position" path;
  let width = List.length generators in
  if order = 0 || Array.exists (fun row -> Array.length row <> width || Array.exists (fun x -> x >= order) row) steps then
    fault "%s: steps are not one element for each element and generator" path;
  let lost = Array.make order false in
  List.iter (fun x -> if x < order then lost.(x) <- true else fault "%s: p_portion is no list of elements" path)
    (natural_list path "a lost element" (member "p_portion" fields));
  let step = Array.map (fun word ->
    let columns = List.map (fun h -> index_of h generators) word in
    Array.init order (fun q -> List.fold_left (fun q g -> steps.(q).(g)) q columns)) words in
  let rows, sums = products order step (List.init count Fun.id) in
  let by h q = step.(h).(q) and mul x q = rows.(x).(q) and is_lost x = lost.(x) in
  if not (Checker.check_table order count by mul && Checker.check_commutes order count by) then
    wrong "the steps make no commutative monoid";
  if lost.(0) then wrong "the empty sum is in the P-portion, but whoever cannot move wins";
  for h = 0 to count - 1 do
    if not (Checker.check_position moves order count by is_lost h) then
      wrong "position %d does not fit its options: both are in the P-portion in some sum, or it ends play and is not 1" h
  done;
  let items, size, few, pair_of, product_of = pairs_of order step rows lost moves count in
  if not (Checker.check_quotient moves order count by mul is_lost size few (fun i -> items.(i).x)
            (fun i q -> Bytes.get items.(i).w q = '\001') (fun h -> pair_of.(h)) (fun i g -> product_of.(i).(g))) then
    wrong "the outcomes do not follow from the moves";
  let apart x y =
    let rec go q = if q = order || lost.(rows.(x).(q)) <> lost.(rows.(y).(q)) then q else go (q + 1) in
    go 0 in
  if not (Checker.check_least order count by mul is_lost (fun x -> sums.(x)) apart) then
    wrong "two elements have the same companions in the P-portion: they are one";
  if graph = None then
    Printf.printf "proved: the misère quotient of the heaps 0..%d of %s has the order %d\n" (count - 1) game order
  else
    Printf.printf "proved: the misère quotient of %s of the graph has the order %d\n" (plural count "position") order

(* Certificates of searches, with the options as the rules list them. *)

let check_listing path text =
  let given = read_listing path text in
  let size = Array.length given.value in
  let claim i = given.value.(i) + 1 and first i = given.first_option.(i) and option o = given.option.(o) in
  let answered o = given.answer.(o) <> None and answer o = Option.value given.answer.(o) ~default:[] in
  if not (Checker.check_listing size claim first option answered answer) then begin
    let rec least i =
      if i = size || not (Checker.check_listed size claim first option answered answer i) then i else least (i + 1) in
    let i = least 0 in
    wrong "position %s: its value %d does not follow from those of its options" given.listed_name.(i) given.value.(i)
  end;
  let after = Option.value given.after ~default:[] in
  let winner = Checker.listed_winner_of size claim given.start (given.after <> None) after in
  let value = Checker.sum_of size claim given.start - 1 in
  let outcome, claimed = given.claims in
  if winner <> (if outcome = "N" then 1 else 2) then wrong "the values do not tell that it is an %s-position" outcome;
  (match claimed with
   | Some claimed when claimed <> value -> wrong "the values do not tell that its value is %d" claimed
   | _ -> ());
  Printf.printf "proved: the values of %s, enough%s%s\n" (plural size "position") (verdict winner)
    (match claimed with Some value -> Printf.sprintf ": value %d" value | None -> "")

let check_alone path =
  let text = read_file path in
  if starts_with listing_head text 0 then check_listing path text
  else match json path text with
  | Object fields when member "preperiod" fields <> Null -> check_period path fields
  | Object fields when member "format" fields = Text "graphgame misère quotient" -> check_quotient path fields None
  | Object fields when member "format" fields = Text "graphgame laws" ->
    (match member "laws" fields with List laws -> Laws.check_laws path laws ~period:(proved_period path) | _ -> fault "%s: expected laws" path)
  | Object fields ->
    (match member "format" fields with
     | Text "graphgame position certificate" ->
       fault "%s: graphgame verify --proved lists the options of its positions by the rules, and checks it" path
     | Text format -> fault "%s: the proved checker does not know files of the format %s yet" path format
     | _ -> fault "%s: expected the certificate of a period, or a graph and a file of values" path)
  | _ -> fault "%s: expected the certificate of a period, or a graph and a file of values" path

(* A file that is about a graph. *)
let check_with_graph format tokens misere loopy graph path =
  if Filename.check_suffix path ".json" then
    match json path (read_file path) with
    | Object fields when member "format" fields = Text "graphgame misère quotient" ->
      check_quotient path fields (Some (read_graph format graph))
    | _ -> fault "%s: expected values as CSV, a reduced graph, or a misère quotient" path
  else if is_values path then check_values format tokens misere loopy graph path
  else check_reduction format graph path

let () =
  let format = ref None and tokens = ref [] and misere = ref false and loopy = ref false and paths = ref [] in
  let rec read = function
    | "--format" :: name :: rest -> format := Some name; read rest
    | "--tokens" :: text :: rest -> tokens := text :: !tokens; read rest
    | "--misere" :: rest -> misere := true; read rest
    | "--loopy" :: rest -> loopy := true; read rest
    | ("--help" | "-h") :: _ -> print_endline usage; exit 0
    | option :: _ when String.length option > 1 && option.[0] = '-' && option <> "-" -> fault "unknown option %s\n%s" option usage
    | path :: rest -> paths := path :: !paths; read rest
    | [] -> () in
  try
    read (List.tl (Array.to_list Sys.argv));
    match List.rev !paths with
    | [graph; path] -> check_with_graph !format (List.rev !tokens) !misere !loopy graph path
    | [path] -> check_alone path
    | _ -> fault "%s" usage
  with
  | Wrong reason -> print_endline ("wrong: " ^ reason); exit 2
  | Fault text -> prerr_endline ("graphgame-proved: " ^ text); exit 2
  | Machine.Too_large -> prerr_endline "graphgame-proved: a number does not fit into a machine word"; exit 2
  | Out_of_memory -> prerr_endline "graphgame-proved: not enough memory"; exit 2
