(* graphgame-proved: checks values and certificates of graphgame by checkers that are proved correct in Coq. What is
   here reads the files and words the answers; what decides is in Checker. *)

open Input
open Periods

let usage = "usage: graphgame-proved [--format F] [--tokens POSITION]... [--misere] [--loopy] GRAPH VALUES\n\
             \       graphgame-proved [--format F] GRAPH REDUCED | GRAPH QUOTIENT.json\n\
             \       graphgame-proved CERTIFICATE.json | QUOTIENT.json | LAWS.json | LISTING"

(* The rank of each vertex for the checker: its index in an order in which options come first. Also a vertex of a cycle,
   or -1 if there is none. *)
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

(* A counter function for play that need not end: a position of finite value is counted when each of its moves to a larger
   value, or to an infinite one, can be taken back to a position counted before. Positions without a counter get 0. *)
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
  if values.rows < size then fault "for a graph with cycles, the proved checker needs the values of all positions";
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

(* Hints for the checker: at the index first v + i, for a vertex v of value above 62, the index in [target] of an option
   of v with the value i. *)
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
  | Some _ -> fault "misère values do not combine by xor, so values for only some positions prove nothing about several tokens"

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
    wrong "the values do not prove who wins%s" (if tokens = None then ", because there are no tokens" else "");
  let columns = ["grundy"] @ (if values.has_outcomes then ["outcome"] else []) @ (if with_lengths then ["remoteness"] else []) in
  Printf.printf "proved: %s of %s%s%s%s\n" (String.concat ", " columns)
    ((if complete then "all " else "") ^ plural values.rows "position") (if complete then "" else ", enough")
    (if misere then " under misère play" else "") (verdict winner)

(* Reduced graphs. The images of positions and of moves are hints for the checkers. *)

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
    if Hashtbl.mem merged key then wrong "positions %s and %s have the same options, so they must be one position" (name small.known w)
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
    (* If the image has several moves to the same position, a move that becomes one of them serves for all. *)
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
        wrong "position %s: the reduced graph has an additional move" (name small.known w)
    done;
  if Option.map (List.map (get image)) large.tokens <> small.tokens then wrong "the tokens are not the images of the tokens";
  let is_equal = not is_heaps && List.for_all (fun v -> options small (get image v) = images v) (List.init size Fun.id) in
  if is_equal then check_equal large small image else check_same_values large small image rank small_rank value;
  Printf.printf "proved: all %s have the %s of the %d in %s%s\n" (plural size "position")
    (if is_equal then "outcomes" else "values") small.known.count small_path
    (if is_equal then ", in any sum, under normal and under misère play" else "")

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
  if winner <> (if outcome = "N" then 1 else 2) then wrong "the listed values do not prove that the position is %s" outcome;
  (match claimed with
   | Some claimed when claimed <> value -> wrong "the listed values do not prove that the value of the position is %d" claimed
   | _ -> ());
  Printf.printf "proved: the values of %s, enough%s%s\n" (plural size "position") (verdict winner)
    (match claimed with Some value -> Printf.sprintf ": value %d" value | None -> "")

let check_alone path =
  let text = read_file path in
  if starts_with listing_head text 0 then check_listing path text
  else match json path (if is_binary text then first_line text else text) with
  | Object fields when member "preperiod" fields <> Null -> check_period path text fields
  | Object fields when member "format" fields = Text "graphgame misère quotient" -> Quotients.check_file path fields None
  | Object fields when member "format" fields = Text "graphgame laws" ->
    (match member "laws" fields with List laws -> Laws.check_laws path laws | _ -> fault "%s: expected laws" path)
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
      Quotients.check_file path fields (Some (read_graph format graph))
    | Object fields when member "values" fields <> Null -> check_values format tokens misere loopy graph path
    | _ -> fault "%s: expected values, a reduced graph, or a misère quotient" path
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
