// The solved game of this file: options, values, sums and best moves.

import * as Values from "./values.js";

export const data = JSON.parse(document.getElementById("game").textContent);
export const labels = data.labels;
export const tokens = data.tokens;
const { pointers, options: targets, plays, product } = data;
export const proof = data.proof ?? null; // on the page of a certificate: the outcome; positions that it does not list have no value
export const size = labels.length;
const sums = new Set(data.sums);
const successors = labels.map((_, v) => targets.slice(pointers[v], pointers[v + 1]));
const sources = labels.map(() => []);
successors.forEach((row, v) => row.forEach((w) => sources[w].push(v)));
const prepared = new Map();
const sumIndex = new Map((product ? product.sums : []).map((parts, i) => [sumKey(parts), i]));

function sumKey(parts) {
  return [...parts].sort((a, b) => a - b).join();
}

const MOST_SORTED = 2000;
const MOST_SUMS = 20_000; // the most sums that the page solves itself, if the file does not have them
const byName = new Intl.Collator("en", { numeric: true });
export const options = (v) => [...new Set(successors[v])];
export const parts = (v) => successors[v];
export const partsOf = (v) => (isSum(v) ? successors[v].flatMap(partsOf) : [v]);
export const predecessors = (v) => [...new Set(sources[v])];
export const sorted = (list) =>
  list.length > MOST_SORTED ? list : [...list].sort((a, b) => byName.compare(labels[a], labels[b]));
export const isSum = (v) => sums.has(v);
export const decides = data.decided !== null; // whether a move may end play at once, by the rules
export const ending = (v) => data.decided?.[v] ?? null; // P: the player who just moved has won; N: that player has lost

// The components of a sum, with sum vertices replaced by their parts. Components without a move are left out, except
// for those that have ended play and, on the page of a certificate, those without a value.
function spread(components) {
  const result = [];
  const stack = [...components];
  while (stack.length) {
    const v = stack.pop();
    if (isSum(v)) stack.push(...successors[v]);
    else if (successors[v].length || ending(v) || (proof && plays.normal.values[v] === null)) result.push(v);
  }
  return result;
}

// The components as spread lists them; but if one has ended play, only this one, because the others no longer matter.
function canonical(components) {
  const reduced = spread(components);
  const last = decides ? lastOf(reduced) : null;
  return last === null ? reduced : [last];
}

// The component that has ended play; null if none has.
export function lastOf(components) {
  const reduced = decides ? spread(components) : [];
  return reduced.find((v) => ending(v) === "P") ?? reduced.find((v) => ending(v) === "N") ?? null;
}

const judged = (value, moves) => ({ value, outcome: Values.outcome(value), moves });

// {value, outcome, moves} of a sum. moves, the length of play, is null if unknown or for a draw. Null if the file does not tell.
export function judge(components, play) {
  const sum = canonical(components);
  if (decides && play === "misere") return null;
  if (!sum.length) return judged(play === "misere" ? 1 : 0, 0);
  if (proof) return play === "normal" ? proved(sum) : null;
  const decisive = decides ? sum.map((v) => plays.normal.values[v]).filter(Values.isDecisive) : [];
  if (decisive.length) return judged(decisive.reduce(Values.sum), lastOf(sum) === null ? 1 : 0);
  if (sum.length === 1 && !sums.size) return judged(plays[play].values[sum[0]], plays[play].remoteness[sum[0]]);
  const i = sumIndex.get(sumKey(sum));
  const total = () => sum.map((v) => plays.normal.values[v]).reduce(Values.sum, 0);
  if (i === undefined) {
    const known = prepared.get(sumKey(sum))?.[play] ?? null;
    return play === "normal" ? judged(total(), known && known.moves) : (known ?? misereNim(sum));
  }
  const solved = product.plays[play];
  return judged(play === "normal" ? total() : solved.values[i], solved.remoteness[i]);
}

// Bouton's theorem on misère Nim: with a heap of 2 or more the outcome is that of normal play, otherwise the opposite.
function misereNim(sum) {
  if (!data.nim) return null;
  const heaps = sum.map((v) => data.heaps[v]);
  const total = heaps.reduce((a, b) => a ^ b, 0);
  return { value: null, outcome: heaps.some((heap) => heap > 1) === (total !== 0) ? "N" : "P", moves: null };
}

// The outcome of a sum by a certificate. If the values of all components are listed, their nim-sum decides.
// Otherwise it is N if a move leads to a sum whose values are all listed and have nim-sum 0. Null if neither holds. Two
// equal components cancel, even if they are not listed.
function proved(sum) {
  const total = listed(sum);
  if (total !== null) return judged(total, null);
  const won = sum.some((v, component) => options(v).some((to) => listed(canonical(sum.with(component, to))) === 0));
  return won ? { value: null, outcome: "N", moves: null } : null;
}

// The nim-sum of listed values, without pairs of equal vertices; null if a vertex is not listed.
function listed(sum) {
  const single = sum.filter((v) => sum.filter((w) => w === v).length % 2);
  const values = [...new Set(single)].map((v) => plays.normal.values[v]);
  return values.includes(null) ? null : values.reduce(Values.sum, 0);
}

// Solve a sum that the file does not contain. If play can reach too many sums, replace each sum that has a loony
// component by that component, and try again. If there are still too many, the sum remains unsolved.
export function prepare(components) {
  if (proof) return;
  const sum = canonical(components ?? []);
  const isKnown = sumIndex.has(sumKey(sum)) || prepared.has(sumKey(sum)) || String(components) === String(data.tokens);
  if (isKnown || !sum.length || (sum.length === 1 && !sums.size)) return;
  const loonyAlone = (from) => from.filter(losesAtOnce).slice(0, 1);
  const reduced = (from) => (loonyAlone(from).length ? loonyAlone(from) : from);
  const decided = (from) => (from.length === 1 ? ending(from[0]) : null);
  const solve = (reduced) =>
    playOut(
      reduced(sum),
      (from) => from.flatMap((v, component) => options(v).map((to) => reduced(canonical(from.with(component, to))))),
      sumKey,
      decided,
    );
  const solved = solve((all) => all) ?? (decides ? solve(reduced) : null);
  for (const [name, facts] of solved ?? []) prepared.set(name, facts);
}

// {value, outcome, moves} of one vertex, as in judge. Each is null if the file does not tell it.
export function facts(v, play) {
  const known = sums.size || proof || decides ? judge([v], play) : judged(plays[play].values[v], plays[play].remoteness[v]);
  const value = play === "normal" ? plays.normal.values[v] : (known?.value ?? null);
  return { value, outcome: known?.outcome ?? Values.outcome(value), moves: known && known.moves };
}

// The length of the longest play from each vertex: null if unknown, Infinity if play need not end.
export const longest = data.longest.map((length) => (length < 0 ? Infinity : length));

export const depth = new Int32Array(size).fill(-1); // the level of each vertex: above its options, and a sum above its parts
for (const v of upwards()) depth[v] = Math.max(0, ...successors[v].map((w) => depth[w] + 1));

// The vertices, each after its options, except for options that lead back to it in a cycle.
function upwards() {
  const order = [];
  const seen = new Uint8Array(size);
  const roots = [...(data.tokens || []), ...labels.keys()];
  const stack = [...roots.filter((v) => !sources[v].length), ...roots].reverse();
  while (stack.length) {
    const v = stack.pop();
    if (v < 0) order.push(~v); // all options of this vertex come before it now
    else if (!seen[v]) {
      seen[v] = 1;
      stack.push(~v, ...successors[v].toReversed());
    }
  }
  return order;
}

// The moves of a sum; none if a component has ended play.
export const movesOf = (components) =>
  lastOf(components) === null
    ? components.flatMap((v, component) => sorted(options(v)).map((to) => ({ component, from: v, to })))
    : [];

// True if a move to the vertex loses in every sum: the other player has won, or wins by the next move.
export const losesAtOnce = (v) => decides && plays.normal.values[v] === "loony";

// The components after a move. If the move leads to a sum vertex, its parts replace the component.
export function after(components, { component, to }) {
  const split = isSum(to) ? spread([to]) : [to];
  return [...components.slice(0, component), ...split, ...components.slice(component + 1)];
}

const results = (components, play) =>
  movesOf(components).map((move) => ({
    move,
    left: after(components, move),
    ...judge(after(components, move), play),
  }));

// The best result that a move can have, P or else D, and the moves that have it; none where all lose. Also the moves
// that lose at once, because they leave a loony sum.
export function goodMoves(components, play) {
  const all = results(components, play);
  const aim = ["P", "D"].find((wanted) => all.some(({ outcome }) => outcome === wanted)) ?? null;
  const movesWith = (isOne) => all.filter(isOne).map(({ move }) => move);
  return { aim, moves: movesWith(({ outcome }) => outcome === aim), losing: movesWith(({ value }) => value === "loony") };
}

// The move that wins fastest; without one, a move that draws; otherwise the one that loses latest. Random among equal moves.
export function bestMove(components, play) {
  const all = results(components, play);
  const aim = ["P", "D", "N"].find((wanted) => all.some(({ outcome }) => outcome === wanted));
  const candidates = all.filter(({ outcome }) => outcome === aim);
  const rank = ({ left, moves }) => (aim === "P" ? (moves ?? 1 + remaining(left)) : -(moves ?? Infinity));
  const least = Math.min(...candidates.map(rank));
  return anyOf(candidates.filter((result) => rank(result) === least)).move;
}

// A number that decreases from each P-position that the winner reaches to the next, so that play ends.
function remaining(components) {
  const { values, counter } = plays.normal;
  if (!counter) return 0;
  const sum = canonical(components);
  const total = (array) => sum.reduce((all, v) => all + array[v], 0);
  return total(values) * (size * sum.length + 1) + total(counter);
}

// The moves from an option (perhaps a sum) to this value: each undoes the move to the option. In a graph with cycles
// they are sorted by Fraenkel's counter function of their target (LoopySolution.counter), the smallest first.
export function undoing(option, value, play) {
  const counter = plays[play].counter;
  const replies = movesOf(canonical([option])).map((move) => ({ ...move, left: after(canonical([option]), move) }));
  const back = replies.filter(({ left }) => judge(left, play)?.value === value);
  return back.sort((a, b) => (counter ? counter[a.to] - counter[b.to] : 0));
}

// True if play can end at a position that the rules do not decide: then the player who cannot move loses.
export const mayStall = decides && labels.some((_, v) => !isSum(v) && !ending(v) && !successors[v].length);

export const hasDraws = Object.values(plays).some(({ values }) => values?.some((value) => Values.outcome(value) === "D"));

export const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

let everyMisere = null;

export function knowsMisere(tokens = data.tokens) {
  if (proof || decides) return false;
  if (tokens) return judge(tokens, "misere") !== null;
  everyMisere ??= labels.every((_, v) => judge([v], "misere") !== null);
  return everyMisere;
}

export function firstVertex() {
  return data.tokens && data.tokens.length
    ? data.tokens[0]
    : depth.reduce((best, d, v) => (d > depth[best] ? v : best), 0);
}

export const key = (components) => sumKey(canonical(components));
export const heap = (v) => (data.heaps ? data.heaps[v] : -1);

// Solve the explicit graph of a sum, under normal and misère play, by retrograde analysis.

// A map from the key of each sum that play can reach to {normal, misere}, each {value, outcome, moves}; null if there
// are more than MOST_SUMS. normal.value is always null: the file has it. misere.value is null if play need not end.
// decided(sum) is the outcome, P or N, of a sum in which the rules decide the winner, and null for all others.
function playOut(start, movesFrom, key, decided) {
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
  const indexOf = new Map([[key(start), 0]]);
  const reached = [start];
  const options = [];
  for (const from of reached) {
    const row = new Set();
    for (const sum of movesFrom(from)) {
      const name = key(sum);
      if (!indexOf.has(name)) {
        if (reached.length === MOST_SUMS) return null;
        indexOf.set(name, reached.length);
        reached.push(sum);
      }
      row.add(indexOf.get(name));
    }
    options.push([...row]);
  }
  const predecessors = options.map(() => []);
  options.forEach((row, v) => row.forEach((w) => predecessors[w].push(v)));
  return { reached, keys: [...indexOf.keys()], options, predecessors };
}

// From the ends backwards, by length: a sum with a move to a P-position is N; a sum whose moves all lead to N-positions is P.
function outcomes({ reached, options, predecessors }, end) {
  const outcome = options.map(() => "D");
  const moves = options.map(() => null);
  const left = options.map((row) => row.length);
  const queue = [];
  const settle = (v, letter, length) => {
    outcome[v] = letter;
    moves[v] = length;
    queue.push(v);
  };
  left.forEach((count, v) => count === 0 && settle(v, end(reached[v]), 0));
  for (const v of queue) {
    for (const w of predecessors[v]) {
      left[w] -= 1;
      if (outcome[w] !== "D") continue;
      if (outcome[v] === "P") settle(w, "N", moves[v] + 1);
      else if (left[w] === 0) settle(w, "P", moves[v] + 1);
    }
  }
  return { outcome, moves };
}

function misereValues({ options, predecessors }) {
  const values = options.map(() => null);
  const left = options.map((row) => row.length);
  const queue = [...left.keys()].filter((v) => left[v] === 0);
  for (const v of queue) {
    values[v] = options[v].length ? Values.mex(options[v].map((w) => values[w])) : 1;
    for (const w of predecessors[v]) {
      left[w] -= 1;
      if (left[w] === 0) queue.push(w);
    }
  }
  return queue.length === options.length ? values : options.map(() => null);
}
