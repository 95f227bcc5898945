// Values: a number, or the list K where the value is infinite, inf(K), for play need not end; null where unknown.
"use strict";

const Values = (() => {
  const isFinite = (value) => typeof value === "number";
  const increasing = (list) => [...new Set(list)].sort((a, b) => a - b);
  const text = (value) => (value === null ? "?" : isFinite(value) ? String(value) : `inf(${value.join(",")})`);

  function outcome(value) {
    if (value === null) return null;
    if (isFinite(value)) return value === 0 ? "P" : "N";
    return value.includes(0) ? "N" : "D";
  }

  // Smith's rule: finite values combine by xor, an infinite one absorbs them, two infinite ones have the sum inf().
  function sum(a, b) {
    if (isFinite(a) && isFinite(b)) return a ^ b;
    if (!isFinite(a) && !isFinite(b)) return [];
    const [infinite, n] = isFinite(a) ? [b, a] : [a, b];
    return increasing(infinite.map((k) => k ^ n));
  }

  // Finite values first, by size; then the infinite ones by what they hold.
  function compare(a, b) {
    if (isFinite(a) || isFinite(b)) return isFinite(a) && isFinite(b) ? a - b : isFinite(a) ? -1 : 1;
    const place = a.findIndex((k, i) => k !== b[i]);
    return place < 0 ? a.length - b.length : b.length <= place ? 1 : a[place] - b[place];
  }

  function mex(values) {
    const has = new Set(values);
    let least = 0;
    while (has.has(least)) least += 1;
    return least;
  }

  return { compare, increasing, isFinite, mex, outcome, sum, text };
})();
