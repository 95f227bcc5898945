(* Certificates of periods: the game that a name means, the values of its heaps, and hints for the checkers. *)

open Input

let natural path what = function
  | Number text when String.length text <= 15 && String.for_all (fun c -> '0' <= c && c <= '9') text &&
                     (text.[0] <> '0' || text = "0") -> int_of_string text
  | _ -> fault "%s: expected a natural number for %s" path what

(* Games by name. *)

let most_taken = 1000

type game =
  | Code of int list (* the k-th digit says what may be left when k are taken, bit j that j heaps may be left *)
  | Splitting of int list (* the same, and any number may be taken *)
  | All_but of int list (* any number may be taken, except these *)

(* The amounts of a subtraction set become digits 3: one may take that many and leave one heap or none. *)
let game_of path name =
  let bad () =
    fault "%s: the proved checker knows codes such as octal{0.77} and code{4.[3]}, and sets such as take{1,2,5} and take{not 1,4} up to %d; not %s"
      path most_taken name in
  let inside kind =
    let start = String.length kind + 1 and size = String.length name in
    if starts_with (kind ^ "{") name 0 && name.[size - 1] = '}' then Some (String.sub name start (size - start - 1)) else None in
  let digit = function
    | '0' .. '9' as c -> Char.code c - 48
    | 'A' .. 'V' as c -> Char.code c - 55
    | _ -> bad () in
  let digits text = List.map digit (List.of_seq (String.to_seq text)) in
  let rec without_zeros text =
    let last = String.length text - 1 in
    if last >= 0 && text.[last] = '0' then without_zeros (String.sub text 0 last) else text in
  let of_code code =
    match String.split_on_char '.' code with
    | [before; after] when String.length before = 1 && not (String.contains after '[') ->
      Code (digits (before ^ without_zeros after))
    | [before; after] when String.length before = 1 && Filename.check_suffix after "[3]" ->
      (* After the listed digits, any number may be taken. A listed digit 0 excludes an amount, 7 lets the heap split. *)
      let taken = digits (Filename.chop_suffix after "[3]") in
      let excluded = List.filter (fun k -> List.nth taken (k - 1) = 0) (List.init (List.length taken) succ) in
      if before = "0" && List.for_all (fun d -> d = 0 || d = 3) taken then All_but excluded
      else if List.for_all (fun d -> d land 3 = 3) taken && List.for_all (fun d -> d < 8) (digits before @ taken) then
        Splitting (digits before @ taken)
      else bad ()
    | _ -> bad () in
  let amount text = match small_number text 0 (String.length text) with n when n > 0 && n <= most_taken -> n | _ -> bad () in
  let amounts text = List.map amount (String.split_on_char ',' text) in
  let of_set taken = Code (List.init (1 + List.fold_left max 0 taken) (fun k -> if List.mem k taken then 3 else 0)) in
  match inside "octal", inside "code", inside "bash", inside "take" with
  | Some code, _, _, _ | _, Some code, _, _ -> of_code code
  | _, _, Some most, _ -> of_set (List.init (amount most) succ)
  | _, _, _, Some set when starts_with "not " set 0 -> All_but (amounts (String.sub set 4 (String.length set - 4)))
  | _, _, _, Some set -> of_set (amounts set)
  | _ when name = "lasker" -> Splitting [4]
  | _ -> bad ()

(* The moves of the heaps 0, 1, ... of a game. *)
let moves_of path name = match game_of path name with
  | All_but excluded -> Checker.take_moves excluded
  | Splitting digits ->
    if not (Checker.legal digits) then fault "%s: play of %s need not end" path name;
    Checker.split_moves digits true
  | Code digits ->
    if not (Checker.legal digits) then fault "%s: play of %s need not end" path name;
    Checker.heap_moves digits

(* The values of [size] heaps that repeat with the period [p] from [stop - p] on: each in a byte, if all fit. *)
let table_of size value stop p =
  let largest = ref 0 in
  for n = 0 to min size stop - 1 do largest := max !largest (value n) done;
  if !largest < 256 then begin
    let table = Bytes.create size in
    for n = 0 to size - 1 do
      Bytes.set table n (if n < stop then Char.unsafe_chr (value n) else Bytes.get table (n - p))
    done;
    fun n -> Char.code (Bytes.get table n)
  end else begin
    let table = column size in
    for n = 0 to size - 1 do put table n (if n < stop then value n else get table (n - p)) done;
    fun n -> get table n
  end

(* Hints for the sparse check: the bits that leave the fewest rare heaps, these heaps, how many are smaller than each
   heap, which for a rare heap is its index among them. Past the last rare heap nothing needs to be stored. *)
let sparse_hints table last =
  let largest = ref 0 in
  for n = 0 to last do largest := max !largest (table n) done;
  let counts = Array.make (!largest + 1) 0 in
  for n = 0 to last do counts.(table n) <- counts.(table n) + 1 done;
  let rec width v = if v = 0 then 0 else 1 + width (v lsr 1) in
  let bits_of mask = List.filter (fun b -> (mask lsr b) land 1 = 1) (List.init 10 Fun.id) in
  let best = ref [] and least = ref max_int in
  for mask = 1 to (1 lsl min 10 (width !largest)) - 1 do
    let bits = bits_of mask and rare = ref 0 in
    Array.iteri (fun v count -> if count > 0 && not (Checker.is_common bits v) then rare := !rare + count) counts;
    if !rare < !least then (best := bits; least := !rare)
  done;
  let is_rare = Array.init (!largest + 1) (fun v -> not (Checker.is_common !best v)) in
  let found = growing () in
  for h = 1 to last do if is_rare.(table h) then push found h done;
  let count = found.used in
  let rare = Array.init count (get found.items) in
  let last_rare = if count = 0 then 0 else rare.(count - 1) in
  let below = Array.make (last_rare + 2) 0 in
  Array.iter (fun h -> below.(h + 1) <- 1) rare;
  for h = 1 to last_rare + 1 do below.(h) <- below.(h) + below.(h - 1) done;
  (!best, rare, fun h -> if h > last_rare then count else below.(h))

(* Hints: a move from a heap to each smaller value. Common values are left by splits with a rare part. *)
let moves_to digits table rare =
  let digits = Array.of_list digits in
  let longest = Array.length digits - 1 in
  let most = 1024 in
  let taken = Array.make most 0 and part = Array.make most 0 and seen = Array.make most (-1) in
  let heap = ref (-1) in
  let find h =
    heap := h;
    let wanted = min (table h) most and count = ref 0 in
    let note v k a =
      if v < wanted && seen.(v) <> h then (seen.(v) <- h; taken.(v) <- k; part.(v) <- a; incr count) in
    for k = 0 to min h longest do
      let s = h - k in
      if s = 0 then (if digits.(k) land 1 > 0 then note 0 k 0) else if digits.(k) land 2 > 0 then note (table s) k 0
    done;
    let split k a = let s = h - k in if 0 < a && a < s then note (table a lxor table (s - a)) k a in
    let each_splitting f = for k = 0 to min h longest do if digits.(k) land 4 > 0 then f k done in
    let a = ref 1 in
    while !count < wanted && !a <= 32 do each_splitting (fun k -> split k !a); incr a done;
    let j = ref 0 in
    while !count < wanted && !j < Array.length rare do each_splitting (fun k -> split k rare.(!j)); incr j done;
    while !count < wanted && 2 * !a <= h do each_splitting (fun k -> split k !a); incr a done in
  let of_heap found h i =
    if h <> !heap then find h;
    if i < most && seen.(i) = h then found.(i) else 0 in
  (of_heap taken, of_heap part)

(* The values of the heaps of a code up to the last that the proof needs, which is enough for one period more. *)
let code_values path game digits value n0 p stated_last =
  if not (Checker.legal digits) then fault "%s: play of %s need not end" path game;
  let last = Checker.last_heap digits (Checker.most_heaps digits) n0 p in
  if stated_last <> last then wrong "the proof needs the heaps up to %d" last;
  let table = table_of (last + 1) value (n0 + p) p in
  let accepted =
    if Checker.most_heaps digits > 2 then Checker.check_code digits table n0 p
    else
      let bits, rare, below = sparse_hints table last in
      let taken, part = moves_to digits table rare in
      Checker.check_sparse_code digits table n0 p bits (fun j -> rare.(j)) below below taken part in
  if not accepted then begin
    let rec least n =
      if n > last then wrong "the values are not those of %s" game
      else if Checker.check_mex (Checker.heap_sources digits table n) (table n) then least (n + 1)
      else wrong "the value of heap %d is not %d" n (table n) in
    least 0
  end

(* The values of all heaps of a game that excludes a few amounts. The heap from which the proof goes on by periods, and
   the bounds of the values before, are hints. *)
let growing_values game excluded values n0 p s stated_last =
  let last = n0 + (2 * Checker.largest excluded) + p in
  if stated_last <> last then wrong "the proof needs the heaps up to %d" last;
  if s = 0 then wrong "the values of %s are not bounded: a constant is added" game;
  let value = Checker.grown values n0 p s in
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
  if not (Checker.check_growing excluded values n0 p s !start low high) then begin
    for h = 0 to !start + p - 1 do
      if not (Checker.check_mex [Checker.take_source excluded values n0 p s h] (value h)) then
        wrong "the value of heap %d is not %d" h (value h)
    done;
    wrong "the values are not those of %s" game
  end

(* Values that grow where heaps split. Hints: how many periods to go at once, bounds, and for each heap of one step an
   option for each smaller value. *)

let most_doublings = 4
let largest_modulus = 64
let most_states = 1 lsl 22
let impossible = -(1 lsl 50)

(* The largest excess of j heaps, one of them large, by their sum and the nim-sum of their rests. *)
let bounds excess rest large step modulus most =
  let best = Array.make (most + 1) [||] in
  for j = 1 to most do
    let found = Array.make (step * modulus) (impossible * j) in
    let improve place x = if x > found.(place) then found.(place) <- x in
    if j = 1 then
      for a = large to large + step - 1 do improve (((a mod step) * modulus) + rest a) (excess a) done
    else
      for a = 1 to large + step - 1 do
        let x = excess a and v = rest a in
        for r = 0 to step - 1 do
          for w = 0 to modulus - 1 do
            improve ((((r + a) mod step) * modulus) + (w lxor v)) (best.(j - 1).((r * modulus) + w) + x)
          done
        done
      done;
    best.(j) <- found
  done;
  fun j r w -> best.(j).((r * modulus) + w)

(* For each sum x and each nim-sum w below the modulus: k heaps, if there are any. *)
let sums_of value size modulus most =
  let sums = Array.init most (fun _ -> Array.make (size * modulus) None) in
  if most > 0 then sums.(0).(0) <- Some [];
  let add k x w parts = if sums.(k).((x * modulus) + w) = None then sums.(k).((x * modulus) + w) <- Some parts in
  for k = 1 to most - 1 do
    if k = 2 then
      for x = 2 to size - 1 do
        for a = 1 to x / 2 do
          let w = value a lxor value (x - a) in
          if w < modulus then add 2 x w [a; x - a]
        done
      done
    else
      for a = 1 to size - 1 do
        if value a < modulus then
          for x = a to size - 1 do
            for w = 0 to modulus - 1 do
              match sums.(k - 1).(((x - a) * modulus) + (w lxor value a)) with
              | Some parts -> add k x w (a :: parts)
              | None -> ()
            done
          done
      done
  done;
  fun k x w -> sums.(k).((x * modulus) + w)

type options = { cut : int; steady : int list option array; far : int list option array; moving : int list option array }

(* Options of a heap for all smaller values, in ways that go on: see docs/heaps.md. *)
let options_that_go_on digits any value heap large gain modulus sums =
  let size = value heap in
  let steady = Array.make size None and far = Array.make size None and moving = Array.make size None in
  let note found v parts = if v < size && found.(v) = None then found.(v) <- Some parts in
  let stays a parts =
    note steady (value a) parts;
    if a >= large then (note far (value a) parts; note moving (value a) parts) in
  if any then
    for a = 0 to heap - 1 do stays a (if a = 0 then [] else [a]) done
  else
    List.iteri (fun k digit ->
      let left = heap - k in
      if digit land 4 > 0 && left >= 2 && left mod 2 = 0 then stays 0 [left / 2; left / 2];
      if digit land 8 > 0 then
        for x = 1 to (left - 1) / 2 do if left - (2 * x) >= 1 then stays (left - (2 * x)) [left - (2 * x); x; x] done) digits;
  List.iteri (fun k digit ->
    let left = heap - k in
    for j = 1 to 30 do
      if (digit lsr j) land 1 = 1 then
        for x = 0 to left - large do
          for w = 0 to modulus - 1 do
            match sums (j - 1) x w with
            | Some parts -> note moving (value (left - x) lxor w) ((left - x) :: parts)
            | None -> ()
          done
        done
    done) digits;
  let last_missing = ref (-1) in
  Array.iteri (fun v found -> if found = None then last_missing := v) moving;
  let least = max gain (!last_missing + 1) in
  let rec find bound run =
    if bound > size then None
    else
      let run = if far.(bound - 1) <> None then run + 1 else 0 in
      if run < gain then find (bound + 1) run
      else if Array.exists (( = ) None) (Array.sub steady 0 bound) then None
      else Some { cut = bound; steady; far; moving } in
  find (least - gain + 1) 0

let splitting_values game digits any values n0 p s stated_last =
  if not (Checker.legal digits) then wrong "play of %s need not end" game;
  let value = Checker.grown values n0 p s in
  let size = stated_last + 1 in
  if size > 1 lsl 20 then fault "periods with a saltus are proved to heap %d" (1 lsl 20);
  let table = Array.init size value in
  let value_at n = table.(n) in
  let large = max n0 1 and most = Checker.most_heaps digits in
  let above_small = 1 + List.fold_left (fun most a -> max most (value a)) 0 (List.init large Fun.id) in
  let first = ref 0 in
  List.iteri (fun k digit ->
    let rec bits d = if d = 0 then 0 else 1 + bits (d lsr 1) in
    if digit > 0 then first := max !first ((bits digit * large) + k)) digits;
  let first = large + !first in
  let attempt doubling =
    let times = 1 lsl doubling in
    let step = times * p and gain = times * s in
    let modulus = min (gain land -gain) largest_modulus in
    let rec power m = if m = 1 then 0 else 1 + power (m / 2) in
    let power = power modulus and stop = large + step in
    if step mod 2 = 1 || stop > size || stop * step * modulus > most_states then None
    else begin
      let excess = Array.init stop (Checker.excess values n0 p s times power) in
      let bound = bounds (Array.get excess) (fun a -> value_at a mod modulus) large step modulus most in
      if not (Checker.check_too_small digits any values n0 p s times power bound) then None
      else begin
        let sums = sums_of value_at size modulus most in
        let rec window start =
          if start + step > size then None
          else
            let heaps = List.init step (fun i -> start + i) in
            let found =
              if List.exists (fun n -> value_at n < above_small) heaps then []
              else List.map (fun n -> options_that_go_on digits any value_at n large gain modulus sums) heaps in
            if found = [] || List.mem None found then window (start + step)
            else Some (start, Array.of_list (List.map Option.get found)) in
        Option.map (fun (start, found) -> (times, power, bound, start, start + step - 1, found)) (window first)
      end
    end in
  let rec first_of doubling =
    if doubling = most_doublings then wrong "the moves of the heaps up to %d do not prove that the values repeat" stated_last
    else match attempt doubling with None -> first_of (doubling + 1) | Some found -> found in
  let times, power, bound, start, last, found = first_of 0 in
  if last <> stated_last then wrong "the proof needs the heaps up to %d" last;
  let hint select n i = match (select found.(n - start)).(i) with Some parts -> parts | None -> [] in
  if not (Checker.check_splitting digits any values n0 p s times power bound above_small start
            (fun n -> found.(n - start).cut) (hint (fun o -> o.steady)) (hint (fun o -> o.far)) (hint (fun o -> o.moving)))
  then begin
    for h = 0 to start - 1 do
      if not (Checker.check_mex (Checker.heap_sources digits value h @ Checker.free_sources any values n0 p s h) (value h)) then
        wrong "the value of heap %d is not %d" h (value h)
    done;
    wrong "the values are not those of %s" game
  end

(* More than a million values follow the record, as bytes. *)
let values_after path fields text =
  let start = match String.index_opt text '\n' with Some i -> i + 1 | None -> fault "%s: the values are missing" path in
  let count = natural path "heaps" (member "heaps" fields) in
  let width = match member "type" fields with
    | Text "|u1" -> 1 | Text "<u2" -> 2 | Text "<u4" -> 4
    | _ -> fault "%s: expected the type of the values" path in
  if String.length text <> start + (count * width) then fault "%s: expected %d values of %d bytes" path count width;
  let byte i = Char.code (String.get text (start + i)) in
  (count, match width with
    | 1 -> byte
    | 2 -> fun n -> byte (2 * n) + (byte ((2 * n) + 1) lsl 8)
    | _ -> fun n -> byte (4 * n) + (byte ((4 * n) + 1) lsl 8) + (byte ((4 * n) + 2) lsl 16) + (byte ((4 * n) + 3) lsl 24))

let first_line text = match String.index_opt text '\n' with Some stop -> String.sub text 0 stop | None -> text

let is_binary text = starts_with "{\"format\": \"graphgame heap period\"" text 0

(* The game of a certificate, its preperiod, period and saltus, and its values: checked. [text] is the whole file. *)
let proved_period path text fields =
  let number name = natural path name (member name fields) in
  let game = match member "game" fields with Text game -> game | _ -> fault "%s: expected the name of a game" path in
  let n0 = number "preperiod" and p = number "period" and s = number "saltus" and last = number "last_heap" in
  let count, values =
    if is_binary text then values_after path fields text
    else match member "values" fields with
      | List found ->
        let values = Array.of_list (List.map (natural path "a value") found) in
        (Array.length values, Array.get values)
      | _ -> fault "%s: expected a list of values" path in
  if p = 0 || count <> n0 + p then fault "%s: expected preperiod + period values" path;
  (match member "last_exception" fields with
   | Null when n0 = 0 || is_binary text -> ()
   | Number text when n0 > 0 && text = string_of_int (n0 - 1) -> ()
   | _ -> fault "%s: the last exception contradicts the preperiod" path);
  (match game_of path game with
   | All_but excluded -> growing_values game excluded values n0 p s last
   | Code digits when s = 0 -> code_values path game digits values n0 p last
   | Code digits when Checker.most_heaps digits > 2 -> splitting_values game digits false values n0 p s last
   | Code _ -> wrong "the values of %s are bounded: nothing is added" game
   | Splitting digits when s > 0 ->
     (* Since any number may be taken, a digit matters only where it splits. *)
     let rec without_zeros = function 0 :: rest -> without_zeros rest | digits -> List.rev digits in
     let splits = without_zeros (List.rev_map (fun d -> if d land 4 > 0 then d else 0) digits) in
     splitting_values game splits true values n0 p s last
   | Splitting _ -> wrong "the values of %s are not bounded: a constant is added" game);
  let value = Checker.grown values n0 p s in
  if n0 > 0 && value (n0 - 1) + s = value (n0 - 1 + p) then wrong "heap %d fits the period too" (n0 - 1);
  for shorter = 1 to p / 2 do
    if p mod shorter = 0 && s * shorter mod p = 0 then begin
      let rec same n = n >= n0 + p || (value n + (s * shorter / p) = value (n + shorter) && same (n + 1)) in
      if same n0 then wrong "%d is a period too" shorter
    end
  done;
  (game, n0, p, s, value)

let added saltus = if saltus = 0 then "" else Printf.sprintf ", with %d added each time," saltus

let check_period path text fields =
  let game, n0, p, s, _ = proved_period path text fields in
  Printf.printf "proved: %s has the period %d%s from heap %d on\n" game p (added s) n0
