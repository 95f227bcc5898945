// The solved game of this file: options, values, sums, and what is best to play.
"use strict";

const Game = (() => {
  const data = JSON.parse(document.getElementById("game").textContent);
  const { labels, pointers, options: targets, plays, product } = data;
  const size = labels.length;
  const sums = new Set(data.sums);
  const rows = { pointers, entries: targets };
  const reverse = transpose(rows);
  const placeOf = new Map((product ? product.sums : []).map((parts, place) => [key(parts), place]));

  function key(parts) {
    return [...parts].sort((a, b) => a - b).join();
  }

  function transpose({ pointers: starts, entries }) {
    const counts = new Int32Array(size + 1);
    for (const target of entries) counts[target + 1] += 1;
    for (let v = 0; v < size; v += 1) counts[v + 1] += counts[v];
    const next = counts.slice();
    const found = new Int32Array(entries.length);
    for (let v = 0; v < size; v += 1) {
      for (let e = starts[v]; e < starts[v + 1]; e += 1) found[next[entries[e]]++] = v;
    }
    return { pointers: counts, entries: found };
  }

  const row = ({ pointers: starts, entries }, v) => Array.from(entries.slice(starts[v], starts[v + 1]));
  const MOST_SORTED = 2000;
  const byName = new Intl.Collator("en", { numeric: true });
  const options = (v) => [...new Set(row(rows, v))];
  const parts = (v) => row(rows, v);
  const predecessors = (v) => [...new Set(row(reverse, v))];
  const sorted = (list) =>
    list.length > MOST_SORTED ? list : [...list].sort((a, b) => byName.compare(labels[a], labels[b]));
  const isSum = (v) => sums.has(v);

  // The components with a move that a sum comes down to: sum vertices are their parts.
  function canonical(components) {
    const found = [];
    const stack = [...components];
    while (stack.length) {
      const v = stack.pop();
      if (isSum(v)) stack.push(...row(rows, v));
      else if (pointers[v] < pointers[v + 1]) found.push(v);
    }
    return found;
  }

  // {value, moves}: value is not 0 exactly when the player to move wins; moves may be null, and all under misère play.
  function judge(components, play) {
    const sum = canonical(components);
    if (!sum.length) return { value: play === "misere" ? 1 : 0, moves: 0 };
    if (sum.length === 1 && !sums.size)
      return { value: plays[play].values[sum[0]], moves: plays[play].remoteness[sum[0]] };
    const place = placeOf.get(key(sum));
    const nimSum = sum.reduce((total, v) => total ^ plays.normal.values[v], 0);
    if (place === undefined) return play === "normal" ? { value: nimSum, moves: null } : null;
    const solved = product.plays[play];
    return { value: play === "normal" ? nimSum : solved.values[place], moves: solved.remoteness[place] };
  }

  // What is known of one vertex.
  function facts(v, play) {
    const known = sums.size ? judge([v], play) : { value: plays[play].values[v], moves: plays[play].remoteness[v] };
    const value = play === "normal" ? plays.normal.values[v] : known && known.value;
    return { value, outcome: value === null ? null : value === 0 ? "P" : "N", moves: known && known.moves };
  }

  const longest = new Float64Array(size);
  const depth = new Int32Array(size); // ranks: a sum stands above its parts
  for (const v of backwards()) {
    for (const w of row(rows, v)) {
      depth[v] = Math.max(depth[v], depth[w] + 1);
      longest[v] = isSum(v) ? longest[v] + longest[w] : Math.max(longest[v], longest[w] + 1);
    }
  }

  // The vertices, options before those who move to them.
  function backwards() {
    const waiting = Array.from({ length: size }, (_, v) => pointers[v + 1] - pointers[v]);
    const order = [];
    waiting.forEach((count, v) => count === 0 && order.push(v));
    for (const v of order) {
      for (let e = reverse.pointers[v]; e < reverse.pointers[v + 1]; e += 1) {
        waiting[reverse.entries[e]] -= 1;
        if (waiting[reverse.entries[e]] === 0) order.push(reverse.entries[e]);
      }
    }
    return order;
  }

  const movesOf = (components) =>
    components.flatMap((v, component) => sorted(options(v)).map((to) => ({ component, from: v, to })));

  // The components after a move; a move to a sum vertex puts its parts in the place.
  function after(components, { component, to }) {
    const split = isSum(to) ? canonical([to]) : [to];
    return [...components.slice(0, component), ...split, ...components.slice(component + 1)];
  }

  const winningMoves = (components, play) => movesOf(components).filter((move) => wins(components, move, play));
  const wins = (components, move, play) => judge(after(components, move), play)?.value === 0;

  // The move that wins fastest, or loses as late as possible; by chance among equals.
  function bestMove(components, play) {
    const judged = movesOf(components).map((move) => ({ move, ...judge(after(components, move), play) }));
    const winning = judged.filter(({ value }) => value === 0);
    const sign = winning.length ? 1 : -1;
    const candidates = winning.length ? winning : judged;
    const least = Math.min(...candidates.map(({ moves }) => sign * (moves ?? 0)));
    return anyOf(candidates.filter(({ moves }) => sign * (moves ?? 0) === least)).move;
  }

  const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

  function knowsMisere() {
    if (data.tokens) return judge(data.tokens, "misere") !== null;
    return labels.every((_, v) => judge([v], "misere") !== null);
  }

  function firstVertex() {
    return data.tokens && data.tokens.length
      ? data.tokens[0]
      : depth.reduce((best, d, v) => (d > depth[best] ? v : best), 0);
  }

  return {
    after,
    anyOf,
    bestMove,
    data,
    depth,
    facts,
    firstVertex,
    isSum,
    judge,
    knowsMisere,
    labels,
    longest,
    movesOf,
    options,
    parts,
    predecessors,
    size,
    sorted,
    tokens: data.tokens,
    winningMoves,
    wins,
    heap: (v) => (data.heaps ? data.heaps[v] : -1),
  };
})();
