// The explicit graph of a sum: who wins it, and how fast, in normal and misère play, by retrograde analysis.
"use strict";

const Product = (() => {
  const MOST = 20_000;

  // key -> {normal, misere}, each {value, outcome, moves}, for all that a sum can come to; null where that is too much.
  // The value is null where it is not from here: in normal play, and in misère play that need not end.
  // ``decided`` tells who has won a sum that ends play, P or N, and null of the others.
  function solve(start, movesFrom, key, decided) {
    const sums = explored(start, movesFrom, key);
    if (!sums) return null;
    const plays = { normal: outcomes(sums, (sum) => decided(sum) ?? "P"), misere: outcomes(sums, () => "N") };
    const values = misereValues(sums);
    const fact = (play, v) => ({
      value: play === "misere" ? values[v] : null,
      outcome: plays[play].outcome[v],
      moves: plays[play].moves[v],
    });
    return new Map(sums.keys.map((name, v) => [name, { normal: fact("normal", v), misere: fact("misere", v) }]));
  }

  function explored(start, movesFrom, key) {
    const keys = [key(start)];
    const place = new Map([[keys[0], 0]]);
    const found = [start];
    const options = [];
    for (let v = 0; v < found.length; v += 1) {
      const row = new Set();
      for (const sum of movesFrom(found[v])) {
        const name = key(sum);
        if (!place.has(name)) {
          if (found.length === MOST) return null;
          place.set(name, found.length);
          keys.push(name);
          found.push(sum);
        }
        row.add(place.get(name));
      }
      options.push([...row]);
    }
    const predecessors = options.map(() => []);
    options.forEach((row, v) => row.forEach((w) => predecessors[w].push(v)));
    return { found, keys, options, predecessors };
  }

  // From the ends backwards, by length: P at once gives N to who moves there, the last N gives P.
  function outcomes({ found, options, predecessors }, end) {
    const outcome = options.map(() => "D");
    const moves = options.map(() => null);
    const waiting = options.map((row) => row.length);
    const queue = [];
    const settle = (v, letter, length) => {
      outcome[v] = letter;
      moves[v] = length;
      queue.push(v);
    };
    waiting.forEach((count, v) => count === 0 && settle(v, end(found[v]), 0));
    for (const v of queue) {
      for (const w of predecessors[v]) {
        waiting[w] -= 1;
        if (outcome[w] !== "D") continue;
        if (outcome[v] === "P") settle(w, "N", moves[v] + 1);
        else if (waiting[w] === 0) settle(w, "P", moves[v] + 1);
      }
    }
    return { outcome, moves };
  }

  function misereValues({ options, predecessors }) {
    const values = options.map(() => null);
    const waiting = options.map((row) => row.length);
    const queue = [...waiting.keys()].filter((v) => waiting[v] === 0);
    for (const v of queue) {
      values[v] = options[v].length ? Values.mex(options[v].map((w) => values[w])) : 1;
      for (const w of predecessors[v]) {
        waiting[w] -= 1;
        if (waiting[w] === 0) queue.push(w);
      }
    }
    return queue.length === options.length ? values : options.map(() => null);
  }

  return { solve };
})();
