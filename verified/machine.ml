(* What Coq's natural numbers become: integers of 63 bits. Each operation is exact, or stops the program. *)

exception Too_large

let add a b = let c = a + b in if c < 0 then raise Too_large else c
let succ a = add a 1
let sub a b = if a <= b then 0 else a - b
let pred a = if a = 0 then 0 else a - 1
let mul a b = if a <> 0 && b > max_int / a then raise Too_large else a * b
let div a b = if b = 0 then 0 else a / b
let modulo a b = if b = 0 then a else a mod b
let shiftl a b = if b > 61 || a > max_int lsr b then raise Too_large else a lsl b
let ones b = if b > 62 then raise Too_large else (1 lsl b) - 1
let testbit a b = b < 62 && (a lsr b) land 1 = 1

(* Whole numbers. *)

let zadd a b =
  let c = a + b in
  if (a >= 0) = (b >= 0) && (c >= 0) <> (a >= 0) then raise Too_large else c

let zmul a b = if a <> 0 && (abs a > max_int / 2 || abs b > max_int / (2 * abs a)) then raise Too_large else a * b
