(* Reading files: graphs, values, JSON. A fault is input that cannot be read or checked: a message says why. *)

exception Fault of string

let fault format = Printf.ksprintf (fun text -> raise (Fault text)) format

(* The file can be read, but its claim is wrong. *)
exception Wrong of string

let wrong format = Printf.ksprintf (fun text -> raise (Wrong text)) format

let plural count noun = Printf.sprintf "%d %s%s" count noun (if count = 1 then "" else "s")

let read_file path =
  try
    let channel = if path = "-" then stdin else open_in_bin path in
    set_binary_mode_in channel true;
    if path = "-" then begin
      let buffer = Buffer.create 65536 in
      (try while true do Buffer.add_channel buffer channel 1 done with End_of_file -> ());
      Buffer.contents buffer
    end else
      Fun.protect ~finally:(fun () -> close_in channel) (fun () ->
        really_input_string channel (in_channel_length channel))
  with
  | Sys_error text -> fault "%s" text
  | End_of_file -> fault "%s: expected a regular file" path

(* Arrays of 32 bits that grow. *)

type column = (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t

let column size : column =
  let made = Bigarray.Array1.create Bigarray.int32 Bigarray.c_layout size in
  Bigarray.Array1.fill made 0l;
  made

let get (a : column) i = Int32.to_int (Bigarray.Array1.get a i)
let put (a : column) i v = Bigarray.Array1.set a i (Int32.of_int v)

type growing = { mutable items : column; mutable used : int }

let growing () = { items = column 1024; used = 0 }

let push grown value =
  let room = Bigarray.Array1.dim grown.items in
  if grown.used = room then begin
    let larger = column (2 * room) in
    Bigarray.Array1.blit grown.items (Bigarray.Array1.sub larger 0 room);
    grown.items <- larger
  end;
  put grown.items grown.used value;
  grown.used <- grown.used + 1

(* Labels of positions: each text has a number. Texts of small numbers are found without a table of texts. *)

let most_small = 1 lsl 27

type labels = { mutable small : column; texts : (string, int) Hashtbl.t; names : (int, string) Hashtbl.t;
                mutable count : int; mutable small_names : growing }

let labels () =
  { small = column 1024; texts = Hashtbl.create 16; names = Hashtbl.create 16; count = 0; small_names = growing () }

(* The number that the digits from [start] to [stop] - 1 write; -1 if they are no number below [most_small] in its usual
   form, without a leading 0. *)
let small_number text start stop =
  let length = stop - start in
  if length = 0 || length > 9 || (length > 1 && String.unsafe_get text start = '0') then -1
  else begin
    let value = ref 0 and i = ref start in
    while !i < stop do
      let c = Char.code (String.unsafe_get text !i) - 48 in
      if c >= 0 && c <= 9 then (value := 10 * !value + c; incr i) else (value := -1; i := stop + 1)
    done;
    if !value >= most_small then -1 else !value
  end

let find_small known value = if value < Bigarray.Array1.dim known.small then get known.small value - 1 else -1

let find known text =
  let value = small_number text 0 (String.length text) in
  if value >= 0 then find_small known value
  else match Hashtbl.find_opt known.texts text with Some number -> number | None -> -1

let add_small known value =
  let size = Bigarray.Array1.dim known.small in
  if value >= size then begin
    let larger = column (max (2 * size) (value + 1)) in
    Bigarray.Array1.blit known.small (Bigarray.Array1.sub larger 0 size);
    known.small <- larger
  end;
  let found = get known.small value in
  if found > 0 then found - 1
  else begin
    let number = known.count in
    put known.small value (number + 1);
    push known.small_names (value + 1);
    known.count <- number + 1;
    number
  end

let add known text =
  let value = small_number text 0 (String.length text) in
  if value >= 0 then add_small known value
  else match Hashtbl.find_opt known.texts text with
    | Some number -> number
    | None ->
      let number = known.count in
      Hashtbl.add known.texts text number;
      Hashtbl.add known.names number text;
      push known.small_names 0;
      known.count <- number + 1;
      number

let name known number =
  match get known.small_names.items number with
  | 0 -> Hashtbl.find known.names number
  | value -> string_of_int (value - 1)

(* JSON. *)

type json = Null | Bool of bool | Number of string | Text of string | List of json list | Object of (string * json) list

let add_utf8 buffer code = Buffer.add_utf_8_uchar buffer (Uchar.of_int code)

(* Reads the JSON string that begins at a quote; returns its content and the index after the closing quote. *)
let json_string path text start =
  let buffer = Buffer.create 16 in
  let bad () = fault "%s: a string of JSON is damaged" path in
  let hex i =
    if i + 4 > String.length text then bad ();
    match int_of_string_opt ("0x" ^ String.sub text i 4) with Some code -> code | None -> bad () in
  let rec go i =
    if i >= String.length text then bad ();
    match text.[i] with
    | '"' -> i + 1
    | '\n' -> bad ()
    | '\\' ->
      if i + 1 >= String.length text then bad ();
      (match text.[i + 1] with
       | '"' | '\\' | '/' as c -> Buffer.add_char buffer c; go (i + 2)
       | 'n' -> Buffer.add_char buffer '\n'; go (i + 2)
       | 't' -> Buffer.add_char buffer '\t'; go (i + 2)
       | 'r' -> Buffer.add_char buffer '\r'; go (i + 2)
       | 'b' -> Buffer.add_char buffer '\b'; go (i + 2)
       | 'f' -> Buffer.add_char buffer '\012'; go (i + 2)
       | 'u' ->
         let code = hex (i + 2) in
         if code >= 0xD800 && code < 0xDC00 && i + 11 < String.length text && text.[i + 6] = '\\' && text.[i + 7] = 'u'
         then begin
           let low = hex (i + 8) in
           if low < 0xDC00 || low > 0xDFFF then bad ();
           add_utf8 buffer (0x10000 + ((code - 0xD800) lsl 10) + (low - 0xDC00));
           go (i + 12)
         end
         else if code >= 0xD800 && code < 0xE000 then bad ()
         else (add_utf8 buffer code; go (i + 6))
       | _ -> bad ())
    | c -> Buffer.add_char buffer c; go (i + 1)
  in
  let stop = go (start + 1) in
  (Buffer.contents buffer, stop)

let json path text =
  let size = String.length text in
  let bad () = fault "%s: expected JSON" path in
  let rec blank i = if i < size && (match text.[i] with ' ' | '\n' | '\t' | '\r' -> true | _ -> false) then blank (i + 1) else i in
  let is_word word i = i + String.length word <= size && String.sub text i (String.length word) = word in
  let rec value depth start =
    if depth > 1000 then bad ();
    let i = blank start in
    if i >= size then bad ();
    match text.[i] with
    | '"' -> let found, stop = json_string path text i in (Text found, stop)
    | '[' ->
      let i = blank (i + 1) in
      if i < size && text.[i] = ']' then (List [], i + 1) else items depth i []
    | '{' ->
      let i = blank (i + 1) in
      if i < size && text.[i] = '}' then (Object [], i + 1) else members depth i []
    | _ when is_word "null" i -> (Null, i + 4)
    | _ when is_word "true" i -> (Bool true, i + 4)
    | _ when is_word "false" i -> (Bool false, i + 5)
    | '-' | '0' .. '9' ->
      let rec stop j = if j < size && (match text.[j] with '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> true | _ -> false) then stop (j + 1) else j in
      let j = stop i in
      (Number (String.sub text i (j - i)), j)
    | _ -> bad ()
  and items depth start found =
    let item, i = value (depth + 1) start in
    let i = blank i in
    if i >= size then bad ();
    match text.[i] with
    | ',' -> items depth (i + 1) (item :: found)
    | ']' -> (List (List.rev (item :: found)), i + 1)
    | _ -> bad ()
  and members depth start found =
    let i = blank start in
    if i >= size || text.[i] <> '"' then bad ();
    let name, i = json_string path text i in
    let i = blank i in
    if i >= size || text.[i] <> ':' then bad ();
    let item, i = value (depth + 1) (i + 1) in
    let i = blank i in
    if i >= size then bad ();
    match text.[i] with
    | ',' -> members depth (i + 1) ((name, item) :: found)
    | '}' -> (Object (List.rev ((name, item) :: found)), i + 1)
    | _ -> bad ()
  in
  let found, stop = value 0 0 in
  if blank stop < size then bad ();
  found

let member name fields = match List.assoc_opt name fields with Some found -> found | None -> Null

(* Graphs. *)

type graph = { known : labels; first : column; target : column; tokens : int list option }

let edges_to_graph known (sources : growing) (targets : growing) tokens =
  let size = known.count and edges = sources.used in
  let first = column (size + 1) and target = column edges in
  for e = 0 to edges - 1 do
    let v = get sources.items e + 1 in
    put first v (get first v + 1)
  done;
  for v = 1 to size do put first v (get first v + get first (v - 1)) done;
  let next = column (size + 1) in
  Bigarray.Array1.blit first next;
  for e = 0 to edges - 1 do
    let v = get sources.items e in
    let i = get next v in
    put target i (get targets.items e);
    put next v (i + 1)
  done;
  { known; first; target; tokens }

(* The options of a vertex. *)
let targets graph v = List.init (get graph.first (v + 1) - get graph.first v) (fun i -> get graph.target (get graph.first v + i))

let is_blank c = c = ' ' || c = '\t' || c = '\r' || c = '\012' || c = '\011'

(* Calls [line number start stop] for each line without its end. *)
let each_line text use =
  let size = String.length text in
  let rec go number start =
    if start < size then begin
      let stop = match String.index_from_opt text start '\n' with Some i -> i | None -> size in
      use number start stop;
      go (number + 1) (stop + 1)
    end
  in
  let start = if size >= 3 && String.sub text 0 3 = "\xef\xbb\xbf" then 3 else 0 in
  go 1 start

(* Calls [use word_start word_stop] for each word of a line; a quoted word goes to [quoted]. *)
let each_word path text start stop use quoted =
  let rec go i =
    if i < stop then
      if is_blank (String.unsafe_get text i) then go (i + 1)
      else if String.unsafe_get text i = '"' then begin
        let found, after = json_string path text i in
        if after > stop || (after < stop && not (is_blank text.[after])) then
          fault "%s: a quoted label is not followed by white space" path;
        quoted found;
        go after
      end else begin
        let j = ref (i + 1) in
        while !j < stop && not (is_blank (String.unsafe_get text !j)) do incr j done;
        use i !j;
        go !j
      end
  in
  go start

let starts_with word text start = String.length text >= start + String.length word && String.sub text start (String.length word) = word

(* The words after "# tokens:", or None. *)
let token_words path text start stop =
  let i = ref (start + 1) in
  while !i < stop && (text.[!i] = ' ' || text.[!i] = '\t') do incr i done;
  if text.[start] = '#' && !i + 7 <= stop && String.sub text !i 7 = "tokens:" then begin
    let words = ref [] in
    each_word path text (!i + 7) stop
      (fun a b -> words := String.sub text a (b - a) :: !words) (fun found -> words := found :: !words);
    Some (List.rev !words)
  end else None

let with_tokens path known words =
  Option.map (List.map (fun word ->
    match find known word with -1 -> fault "%s: token %s is not a position of the graph" path word | number -> number)) words

let append_words found more = match found with None -> Some more | Some before -> Some (before @ more)

(* Lines of labels: an edge list, or with [row] a position and its options. *)
let read_words path text ~row =
  let known = labels () and sources = growing () and targets = growing () and tokens = ref None in
  let at_top = ref true in
  each_line text (fun number start stop ->
    if stop > start && (text.[start] = '#' || text.[start] = '%') then
      Option.iter (fun words -> tokens := append_words !tokens words) (token_words path text start stop)
    else begin
      let head = String.lowercase_ascii (String.sub text start (min 20 (stop - start))) in
      let is_header = !at_top && not row && starts_with "source" head 0
        && String.split_on_char ' ' (String.map (fun c -> if is_blank c then ' ' else c) head)
           |> List.filter (( <> ) "") = ["source"; "target"] in
      let count = ref 0 and source = ref 0 in
      let label v =
        incr count;
        if !count = 1 then source := v
        else if !count = 2 || row then (push sources !source; push targets v)
        else fault "%s, line %d: expected two labels" path number in
      if not is_header then
        each_word path text start stop
          (fun a b ->
             let value = small_number text a b in
             label (if value >= 0 then add_small known value else add known (String.sub text a (b - a))))
          (fun found -> label (add known found));
      if stop > start then at_top := false
    end);
  edges_to_graph known sources targets (with_tokens path known !tokens)

let read_token_file path text =
  let numbers = growing () in
  each_line text (fun number start stop ->
    let rec go i =
      if i < stop then
        let c = String.unsafe_get text i in
        if is_blank c then go (i + 1)
        else if (c = '#' || c = '%') && (i = start || is_blank text.[i - 1]) then ()
        else begin
          let j = ref i and value = ref 0 in
          while !j < stop && not (is_blank (String.unsafe_get text !j)) do
            let d = Char.code (String.unsafe_get text !j) - 48 in
            if d < 0 || d > 9 || !value > 200_000_000 then fault "%s, line %d: expected a number" path number;
            value := 10 * !value + d;
            incr j
          done;
          push numbers !value;
          go !j
        end
    in
    go start);
  if numbers.used < 3 then fault "%s: expected three numbers N M K" path;
  let n = get numbers.items 0 and m = get numbers.items 1 and k = get numbers.items 2 in
  if numbers.used <> 3 + (2 * m) + k then fault "%s: expected %d edges and %d tokens" path m k;
  if n > 10_000_000 + (10 * String.length text) then fault "%s: more vertices than the file can need" path;
  let known = labels () in
  for v = 1 to n do ignore (add_small known v) done;
  let vertex i =
    let v = get numbers.items i in
    if v < 1 || v > n then fault "%s: %d is not a vertex in 1..%d" path v n;
    v - 1 in
  let sources = growing () and targets = growing () in
  for e = 0 to m - 1 do
    push sources (vertex (3 + (2 * e)));
    push targets (vertex (4 + (2 * e)))
  done;
  edges_to_graph known sources targets (Some (List.init k (fun i -> vertex (3 + (2 * m) + i))))

(* Rows of fields, quoted as in RFC 4180. [use number fields] gets each row. *)
let each_row path text delimiter ~comments use =
  let size = String.length text in
  let top = ref true in
  let rec row number i =
    if i < size then begin
      let line_end = match String.index_from_opt text i '\n' with Some j -> j | None -> size in
      if !top && comments (i, line_end) then row (number + 1) (line_end + 1)
      else begin
        top := false;
        let has_quote = ref false in
        for j = i to line_end - 1 do if String.unsafe_get text j = '"' then has_quote := true done;
        if not !has_quote then begin
          let stop = if line_end > i && text.[line_end - 1] = '\r' then line_end - 1 else line_end in
          let rec fields a found =
            let rec cut j = if j < stop && String.unsafe_get text j <> delimiter then cut (j + 1) else j in
            let b = cut a in
            let found = String.sub text a (b - a) :: found in
            if b < stop then fields (b + 1) found else List.rev found in
          use number (fields i []);
          row (number + 1) (line_end + 1)
        end else begin
          let buffer = Buffer.create 16 in
          let rec field j found =
            Buffer.clear buffer;
            let after =
              if j < size && text.[j] = '"' then begin
                let rec quoted j =
                  if j >= size then fault "%s, line %d: a quoted field does not end" path number
                  else if text.[j] = '"' then
                    if j + 1 < size && text.[j + 1] = '"' then (Buffer.add_char buffer '"'; quoted (j + 2)) else j + 1
                  else (Buffer.add_char buffer text.[j]; quoted (j + 1)) in
                quoted (j + 1)
              end else begin
                let rec plain j =
                  if j < size && text.[j] <> delimiter && text.[j] <> '\n' then (Buffer.add_char buffer text.[j]; plain (j + 1)) else j in
                plain j
              end in
            let after = if after < size && text.[after] = '\r' then after + 1 else after in
            let found = Buffer.contents buffer :: found in
            if after >= size || text.[after] = '\n' then (use number (List.rev found); row (number + 1) (after + 1))
            else if text.[after] = delimiter then field (after + 1) found
            else fault "%s, line %d: a quoted field is not followed by a separator" path number in
          field i []
        end
      end
    end
  in
  row 1 (if starts_with "\xef\xbb\xbf" text 0 then 3 else 0)

let index_of item list =
  let rec go i = function [] -> -1 | x :: rest -> if x = item then i else go (i + 1) rest in
  go 0 list

let read_columns path text delimiter =
  let known = labels () and sources = growing () and targets = growing () and tokens = ref None in
  let at_top = ref true and source = ref 0 and target = ref 1 and width = ref 2 in
  let comments (start, stop) =
    stop > start && match token_words path text start stop with
      | None -> false
      | Some words -> tokens := append_words !tokens words; true in
  each_row path text delimiter ~comments (fun number fields ->
    let fields = List.map String.trim fields in
    let names = List.map String.lowercase_ascii fields in
    if !at_top && List.mem "source" names && List.mem "target" names then begin
      source := index_of "source" names;
      target := index_of "target" names;
      width := List.length names
    end else if List.exists (( <> ) "") fields then begin
      if List.length fields > !width then fault "%s, line %d: expected %d columns" path number !width;
      let field i = match List.nth_opt fields i with Some text -> text | None -> "" in
      if field !source = "" then fault "%s, line %d: the source is empty" path number;
      let v = add known (field !source) in
      if field !target <> "" then (push sources v; push targets (add known (field !target)))
    end;
    at_top := false);
  edges_to_graph known sources targets (with_tokens path known !tokens)

let first_numbers text =
  let found = ref None in
  (try each_line text (fun _ start stop ->
    let line = String.trim (String.sub text start (stop - start)) in
    if line <> "" && line.[0] <> '#' && line.[0] <> '%' then begin
      let words = List.filter (( <> ) "") (String.split_on_char ' ' (String.map (fun c -> if is_blank c then ' ' else c) line)) in
      let rec before = function w :: rest when w.[0] <> '#' && w.[0] <> '%' -> w :: before rest | _ -> [] in
      let words = before words in
      found := Some (if List.for_all (fun w -> int_of_string_opt w <> None) words then List.length words else 0);
      raise Exit
    end) with Exit -> ());
  !found

let read_graph format path =
  let ends suffix = Filename.check_suffix path suffix in
  let text = read_file path in
  let format = match format with
    | Some format -> format
    | None ->
      if ends ".edges" || ends ".edgelist" then "edgelist" else if ends ".csv" then "csv"
      else if ends ".tsv" then "tsv" else if ends ".adjlist" then "adjlist"
      else if ends ".txt" || path = "-" then (if first_numbers text = Some 3 then "token" else "edgelist")
      else fault "%s: expected a graph as .edges, .csv, .tsv, .adjlist or .txt; graphgame convert makes one" path in
  match format with
  | "token" -> read_token_file path text
  | "edgelist" -> read_words path text ~row:false
  | "adjlist" -> read_words path text ~row:true
  | "csv" -> read_columns path text ','
  | "tsv" -> read_columns path text '\t'
  | other -> fault "%s: the proved checker does not read the format %s: graphgame convert makes an edge list" path other

(* Values. *)

type values = { misere : bool; claim : column; sets : (int, int list) Hashtbl.t; outcome : column; length : column; rows : int;
                has_outcomes : bool; has_lengths : bool }

let largest = (1 lsl 31) - 2

(* Whether a file has values, not a graph: standard input, a file without a suffix of graph files, or a .csv file whose
   first line has a column position. *)
let is_values path =
  path = "-" || not (List.exists (Filename.check_suffix path) [".txt"; ".edges"; ".edgelist"; ".csv"; ".tsv"; ".adjlist"]) ||
  (Filename.check_suffix path ".csv" &&
   let head = List.hd (String.split_on_char '\n' (read_file path)) in
   List.mem "position" (List.map String.trim (String.split_on_char ',' head)))

let read_values path known =
  let text = read_file path in
  let size = known.count in
  let claim = column size and outcome = column size and length = column size in
  let sets = Hashtbl.create 16 in
  let rows = ref 0 and misere = ref false and outcomes = ref false and lengths = ref false in
  (* One position, with its value, outcome and remoteness as texts; the last two are empty if they are not given. *)
  let add line position value outcome_text length_text =
    let v = find known position in
    if v < 0 then fault "%s, line %d: %s has a value but is not a vertex of the graph" path line position;
    if get claim v > 0 || Hashtbl.mem sets v then fault "%s, line %d: two values for the position %s" path line position;
    let natural text =
      let found = small_number text 0 (String.length text) in
      if found >= 0 then found
      else match int_of_string_opt text with
        | Some n when n >= 0 && n < largest && string_of_int n = text -> n
        | _ -> fault "%s, line %d: expected a number in 0..%d, found %s" path line (largest - 1) text in
    let inside = String.length value - 5 in
    if inside >= 0 && starts_with "inf(" value 0 && value.[inside + 4] = ')' then
      Hashtbl.add sets v
        (if inside = 0 then [] else List.map natural (String.split_on_char ',' (String.sub value 4 inside)))
    else put claim v (natural value + 1);
    (match outcome_text with
     | "" -> ()
     | "P" -> outcomes := true; put outcome v 1
     | "N" -> outcomes := true; put outcome v 2
     | "D" -> outcomes := true; put outcome v 3
     | other -> fault "%s, line %d: expected the outcome P, N or D, found %s" path line other);
    if length_text <> "" then (lengths := true; put length v (natural length_text + 1));
    incr rows in
  let read_csv () =
    let columns = ref None in
    each_row path text ',' ~comments:(fun _ -> false) (fun line fields ->
      match !columns with
      | None ->
        let index name = index_of name fields in
        misere := index "grundy" < 0;
        let value = if !misere then index "misere" else index "grundy" in
        if index "position" < 0 || value < 0 then
          fault "%s: expected a CSV file of values, with the columns position and grundy (or misere)" path;
        columns := Some (index "position", value, index "outcome", index "remoteness")
      | Some (position, value, outcome_at, length_at) when fields <> [""] ->
        let field i = if i < 0 then "" else match List.nth_opt fields i with
          | Some text -> text | None -> fault "%s, line %d: a field is missing" path line in
        add line (field position) (field value) (field outcome_at) (field length_at)
      | Some _ -> ());
    if !columns = None then fault "%s: the file is empty" path in
  let read_json () =
    let fields = match json path text with Object fields -> fields | _ -> fault "%s: expected values" path in
    (match member "play" fields with
     | Text "misere" -> misere := true
     | Text "normal" | Null -> ()
     | _ -> fault "%s: expected normal or misere as the play convention" path);
    let words = function Text found | Number found -> found | Null -> "" | _ -> fault "%s: expected a text or a number" path in
    match member "values" fields with
    | List found ->
      List.iteri (fun i row -> match row with
        | Object row when member "position" row <> Null ->
          add (i + 2) (words (member "position" row)) (words (member "grundy" row)) (words (member "outcome" row))
            (words (member "remoteness" row))
        | _ -> fault "%s: expected a position and its value" path) found
    | _ -> fault "%s: expected values" path in
  if starts_with "{" (String.trim (String.sub text 0 (min 16 (String.length text)))) 0 then read_json () else read_csv ();
  { misere = !misere; claim; sets; outcome; length; rows = !rows; has_outcomes = !outcomes; has_lengths = !lengths }

(* Listings: what the rules say of the positions of a certificate. Lines of numbers of components:
   claim P|N [VALUE], start SUM, move SUM (what the winner leaves), and for the components 0, 1, ... value VALUE NAME,
   followed by their options: option SUM, or option SUM : SUM with an answer. *)

type listing = { claims : string * int option; start : int list; after : int list option; value : int array;
                 listed_name : string array; first_option : int array; option : int list array;
                 answer : int list option array }

let listing_head = "graphgame listing"

let read_listing path text =
  let claims = ref None and start = ref None and after = ref None in
  let values = ref [] and names = ref [] and firsts = ref [] and options = ref [] and answers = ref [] in
  let count = ref 0 in
  each_line text (fun number start_at stop ->
    let line = String.sub text start_at (stop - start_at) in
    let bad () = fault "%s, line %d: expected a line of a listing" path number in
    let natural word = match small_number word 0 (String.length word) with -1 -> bad () | n -> n in
    let once cell found = if !cell = None then cell := Some found else bad () in
    if number > 1 then
      match String.split_on_char ' ' line with
      | "claim" :: ("P" | "N" as outcome) :: rest ->
        once claims (outcome, match rest with [] -> None | [word] -> Some (natural word) | _ -> bad ())
      | "start" :: words -> once start (List.map natural words)
      | "move" :: words -> once after (List.map natural words)
      | "value" :: value :: name ->
        values := natural value :: !values;
        names := String.concat " " name :: !names;
        firsts := !count :: !firsts
      | "option" :: words when !values <> [] ->
        let rec cut before = function
          | [] -> (List.rev_map natural before, None)
          | ":" :: answer -> (List.rev_map natural before, Some (List.map natural answer))
          | word :: rest -> cut (word :: before) rest in
        let option, answer = cut [] words in
        options := option :: !options;
        answers := answer :: !answers;
        incr count
      | _ -> bad ());
  let array found = Array.of_list (List.rev found) in
  match !claims, !start with
  | Some claims, Some start ->
    { claims; start; after = !after; value = array !values; listed_name = array !names;
      first_option = array (!count :: !firsts); option = array !options; answer = array !answers }
  | _ -> fault "%s: the listing has no claim, or no start" path
