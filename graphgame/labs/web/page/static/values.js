// Values: a number; the list K where the value is infinite, inf(K), for play need not end; "sunny" where the player who
// just moved has won, "loony" where the mover wins at once; null where unknown.

export const isFinite = (value) => typeof value === "number";
export const increasing = (list) => [...new Set(list)].sort((a, b) => a - b);
export const isDecisive = (value) => typeof value === "string";
export const text = (value) => (value === null ? "?" : Array.isArray(value) ? `inf(${value.join(",")})` : String(value));

export function outcome(value) {
  if (value === null) return null;
  if (isFinite(value)) return value === 0 ? "P" : "N";
  if (isDecisive(value)) return value === "sunny" ? "P" : "N";
  return value.includes(0) ? "N" : "D";
}

// Smith's rule: finite values combine by xor; inf(K) + n = inf({k xor n : k in K}); two infinite ones have the sum inf().
// A decisive value absorbs all others, and sunny absorbs loony.
export function sum(a, b) {
  if (isDecisive(a) || isDecisive(b)) return [a, b].includes("sunny") ? "sunny" : "loony";
  if (isFinite(a) && isFinite(b)) return a ^ b;
  if (!isFinite(a) && !isFinite(b)) return [];
  const [infinite, n] = isFinite(a) ? [b, a] : [a, b];
  return increasing(infinite.map((k) => k ^ n));
}

// Compare two values for sorting: finite ones by size, then infinite ones by their K, then sunny, then loony.
export function compare(a, b) {
  if (isDecisive(a) || isDecisive(b)) return isDecisive(a) && isDecisive(b) ? (a < b ? 1 : a > b ? -1 : 0) : isDecisive(a) ? 1 : -1;
  if (isFinite(a) || isFinite(b)) return isFinite(a) && isFinite(b) ? a - b : isFinite(a) ? -1 : 1;
  const at = a.findIndex((k, i) => k !== b[i]);
  return at < 0 ? a.length - b.length : b.length <= at ? 1 : a[at] - b[at];
}

export function mex(values) {
  const has = new Set(values);
  let least = 0;
  while (has.has(least)) least += 1;
  return least;
}
