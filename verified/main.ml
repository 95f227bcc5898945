(* graphgame-proved: checks values and certificates of graphgame by checkers that are proved correct in Coq. What is
   here reads the files and words the answers; what decides is in Checker. *)

open Input

let usage = "usage: graphgame-proved [--format F] [--tokens POSITION]... [--misere] GRAPH VALUES.csv\n\
             \       graphgame-proved CERTIFICATE.json"

(* Vertices in an order of play from its end: the place in it is the rank that the checker wants. What no rank can be
   given to lies on a cycle or leads to one only. *)
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
  if !cycle >= 0 then fault "the graph has a cycle through %s: play need not end, which is not proved" (name graph.known !cycle);
  rank

let plural count noun = Printf.sprintf "%d %s%s" count noun (if count = 1 then "" else "s")

exception Wrong of string

let wrong format = Printf.ksprintf (fun text -> raise (Wrong text)) format

let verdict = function 1 -> "; first player wins" | 2 -> "; second player wins" | _ -> ""

let check_values format token_texts misere graph_path values_path =
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
  let rank = ranks graph in
  let first v = get graph.first v and target i = get graph.target i in
  let claim v = get values.claim v and outcome v = get values.outcome v and rank v = get rank v in
  let final = if misere then 1 else 0 in
  let worst check reason =
    let found = ref (-1) in
    for v = 0 to size - 1 do if not (check v) && (!found < 0 || rank v < rank !found) then found := v done;
    if !found < 0 then wrong "%s" reason
    else wrong "position %s: %s" (name graph.known !found) reason in
  if not (Checker.check size first target final claim outcome rank) then
    worst (Checker.check_vertex size first target final claim outcome rank)
      "its value or outcome does not follow from those of its options";
  let with_lengths = complete && values.has_lengths in
  if with_lengths then begin
    for v = 0 to size - 1 do
      if get values.length v = 0 then wrong "position %s: it has no remoteness, though other positions have one" (name graph.known v)
    done;
    let length v = get values.length v - 1 in
    if not (Checker.check_lengths size first target claim length) then
      worst (Checker.check_length first target claim length) "its remoteness does not follow from those of its options"
  end;
  let winner = match tokens with
    | None -> 0
    | Some tokens when not misere -> Checker.winner size first target claim tokens
    | Some [] -> 1 (* no move: who cannot move wins *)
    | Some [token] -> Checker.misere_winner_of first target claim token
    | Some _ when complete -> 0
    | Some _ -> fault "misère values do not combine, so fewer values than all tell nothing of several tokens" in
  if winner = 0 && not complete then
    wrong "the values do not tell who wins%s" (if tokens = None then ", for there are no tokens" else "");
  let columns = ["grundy"] @ (if values.has_outcomes then ["outcome"] else []) @ (if with_lengths then ["remoteness"] else []) in
  Printf.printf "proved: %s of %s%s%s%s\n" (String.concat ", " columns)
    ((if complete then "all " else "") ^ plural values.rows "position") (if complete then "" else ", enough")
    (if misere then " under misère play" else "") (verdict winner)

(* Certificates of periods. *)

let member name fields = match List.assoc_opt name fields with Some found -> found | None -> Null

let natural path what = function
  | Number text when small_number text 0 (String.length text) >= 0 -> small_number text 0 (String.length text)
  | _ -> fault "%s: expected a natural number for %s" path what

let digits_of path game =
  let bad () = fault "%s: the proved checker knows codes whose moves leave at most two heaps, such as octal{0.77}; not %s" path game in
  let size = String.length game in
  let start = if starts_with "octal{" game 0 then 6 else if starts_with "code{" game 0 then 5 else bad () in
  if size < start + 3 || game.[size - 1] <> '}' then bad ();
  let rec without_zeros text =
    let last = String.length text - 1 in
    if last >= 0 && text.[last] = '0' then without_zeros (String.sub text 0 last) else text in
  match String.split_on_char '.' (String.sub game start (size - start - 1)) with
  | [before; after] when String.length before = 1 ->
    let after = without_zeros after in
    List.init (1 + String.length after) (fun i ->
      match (if i = 0 then before.[0] else after.[i - 1]) with '0' .. '7' as c -> Char.code c - 48 | _ -> bad ())
  | _ -> bad ()

let check_period path fields =
  let number name = natural path name (member name fields) in
  let game = match member "game" fields with Text game -> game | _ -> fault "%s: expected the name of a game" path in
  let digits = digits_of path game in
  let n0 = number "preperiod" and p = number "period" in
  if number "saltus" <> 0 then fault "%s: periods that add a saltus are not proved" path;
  let values = match member "values" fields with
    | List found -> Array.of_list (List.map (natural path "a value") found)
    | _ -> fault "%s: expected a list of values" path in
  if p = 0 || Array.length values <> n0 + p then fault "%s: expected preperiod + period values" path;
  (match member "last_exception" fields with
   | Null when n0 = 0 -> ()
   | Number text when n0 > 0 && text = string_of_int (n0 - 1) -> ()
   | _ -> fault "%s: the last exception contradicts the preperiod" path);
  if not (Checker.legal digits) then fault "%s: play of %s need not end" path game;
  let last = Checker.last_heap digits (Checker.most_heaps digits) n0 p in
  if number "last_heap" <> last then wrong "the proof needs the heaps up to %d" last;
  let table = Array.make (last + 1) 0 in
  Array.iteri (fun n v -> if n <= last then table.(n) <- v) values;
  for n = n0 + p to last do table.(n) <- table.(n - p) done;
  let table n = table.(n) in
  if not (Checker.check_code digits table n0 p) then begin
    let rec least n =
      if n > last then wrong "the values are not those of %s" game
      else if Checker.check_mex (Checker.heap_sources digits table n) (table n) then least (n + 1)
      else wrong "heap %d has another value than %d" n (table n) in
    least 0
  end;
  if n0 > 0 && table (n0 - 1) = table (n0 - 1 + p) then wrong "heap %d fits the period too" (n0 - 1);
  for shorter = 1 to p / 2 do
    if p mod shorter = 0 then begin
      let rec same n = n + shorter >= n0 + p || (table n = table (n + shorter) && same (n + 1)) in
      if same n0 then wrong "%d is a period too" shorter
    end
  done;
  Printf.printf "proved: %s has the period %d from heap %d on\n" game p n0

let check_alone path =
  match json path (read_file path) with
  | Object fields when member "preperiod" fields <> Null -> check_period path fields
  | Object fields ->
    (match member "format" fields with
     | Text format -> fault "%s: the proved checker does not know files of the format %s yet" path format
     | _ -> fault "%s: expected the certificate of a period, or a graph and a file of values" path)
  | _ -> fault "%s: expected the certificate of a period, or a graph and a file of values" path

let () =
  let format = ref None and tokens = ref [] and misere = ref false and paths = ref [] in
  let rec read = function
    | "--format" :: name :: rest -> format := Some name; read rest
    | "--tokens" :: text :: rest -> tokens := text :: !tokens; read rest
    | "--misere" :: rest -> misere := true; read rest
    | ("--help" | "-h") :: _ -> print_endline usage; exit 0
    | option :: _ when String.length option > 1 && option.[0] = '-' && option <> "-" -> fault "unknown option %s\n%s" option usage
    | path :: rest -> paths := path :: !paths; read rest
    | [] -> () in
  try
    read (List.tl (Array.to_list Sys.argv));
    match List.rev !paths with
    | [graph; values] -> check_values !format (List.rev !tokens) !misere graph values
    | [path] -> check_alone path
    | _ -> fault "%s" usage
  with
  | Wrong reason -> print_endline ("wrong: " ^ reason); exit 2
  | Fault text -> prerr_endline ("graphgame-proved: " ^ text); exit 2
  | Machine.Too_large -> prerr_endline "graphgame-proved: a number does not fit into a machine word"; exit 2
  | Out_of_memory -> prerr_endline "graphgame-proved: not enough memory"; exit 2
