// Explain why a position has its value, and why the winner of a sum wins, by the sentences that the file contains.

import { el, label } from "./dom.js";
import * as Game from "./game.js";
import * as State from "./state.js";
import * as Strips from "./strips.js";
import { grouped, say, sentence } from "./text.js";
import * as Values from "./values.js";

const MOST_ROWS = 20;
const MOST_NAMES = 8;
const MOST_REPLIES = 8;
const MOST_VALUES = 12;
const LONGEST_LABEL = 40;
const LONGEST_IN_MOVE = 160;

function name(v, longest = LONGEST_LABEL) {
  const text = Game.labels[v].replaceAll("\n", "\\n");
  const half = (longest - 3) >> 1;
  return text.length > longest ? `${text.slice(0, half)}...${text.slice(-half)}` : text;
}

function capped(lines, most = MOST_ROWS) {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), sentence("more", { count: grouped(lines.length - most) })];
}

const binary = (value) => value.toString(2);
const play = () => State.get().play;
const valueOf = (v) => Game.facts(v, play()).value;
const verdict = (outcome) => sentence({ N: "first", P: "second", D: "draw" }[outcome]);
const columns = (vertices) => ({ columns: vertices });

// One position

function position(v) {
  const value = valueOf(v);
  const misere = play() === "misere";
  if (value === null) return [];
  const facts = { name: name(v), value: Values.text(value) };
  if (Game.ending(v)) return [sentence(Game.ending(v) === "P" ? "decided_P" : "decided_N", facts)];
  if (value === "loony" && !Game.isSum(v)) return [sentence("loony", { ...facts, end: name(endingMove(v)) })];
  if (Game.isSum(v)) return [sentence("sum", facts), ...parts(v, misere)];
  const options = Game.options(v).map((w) => ({ w, ...Game.facts(w, play()) }));
  if (!options.length)
    return [
      sentence("position", facts),
      ...(misere ? ["end_misere", "end_won"] : ["end", "end_lost"]).map((key) => sentence(key)),
    ];
  if (options.some((option) => option.value === null)) return [];
  return [
    sentence("with_options", facts),
    ...byValue(options, value),
    ...undoing(v, options, value),
    outcome(options, value),
  ];
}

// The first option with which the mover wins at once; undefined if there is none.
const endingMove = (v) => Game.options(v).find((w) => valueOf(w) === "sunny");

function parts(v, misere) {
  const vertices = Game.parts(v);
  if (!vertices.length) return [sentence(misere ? "no_parts_misere" : "no_parts")];
  if (!misere) return [{ head: sentence("parts"), columns: vertices }];
  const names = capped(vertices.map((w) => name(w))).join(", ");
  return [sentence("parts_misere", { names }), sentence("no_xor_misere")];
}

function byValue(options, value) {
  const names = new Map();
  for (const option of [...options].sort((a, b) => Values.compare(a.value, b.value))) {
    const text = Values.text(option.value);
    names.set(text, [...(names.get(text) || []), name(option.w)]);
  }
  const lines = [...names].map(([text, same]) =>
    sentence(text === "loony" ? "left_out" : "same_value", { value: text, names: capped(same, MOST_NAMES).join("; ") }),
  );
  const finite = Values.increasing(options.map((option) => option.value).filter(Values.isFinite));
  const least = Values.mex(finite);
  const seen =
    finite.length > MOST_VALUES ? [...finite.slice(0, MOST_VALUES - 2), "...", finite[finite.length - 1]] : finite;
  const gap = sentence(least === value ? "gap" : "gap_only", { value: least, seen: `{${seen.join(", ")}}` });
  return [...capped(lines.slice(0, least)), gap, ...capped(lines.slice(least))];
}

// Lines on the moves to values that are infinite or above the mex. If the position's value is finite: one line for each
// move, with the reply that undoes it or the remark that it ends the game. If the value is infinite: a line on one move
// that no reply undoes. No lines if play must end, or under misère play in a game with sums.
function undoing(v, options, value) {
  if (Game.longest[v] !== Infinity || (play() === "misere" && Game.data.sums.length)) return [];
  const least = Values.mex(options.map((option) => option.value).filter(Values.isFinite));
  const larger = options
    .filter((option) => Array.isArray(option.value) || option.value > least)
    .map(({ w }) => ({ w, reply: Game.undoing(w, least, play())[0] }));
  const ends = ({ w }) => !Game.options(w).length;
  if (!Values.isFinite(value)) {
    const one = larger.find((option) => !ends(option) && option.reply === undefined);
    return [sentence("not_undone", { name: name(one.w), value: least })];
  }
  const step = ({ from, to }, w) =>
    from === w ? sentence("reply_to", { name: name(to) }) : `${name(from)} -> ${name(to)}`;
  const line = ({ w, reply }) =>
    reply
      ? sentence("undone", { name: name(w), reply: step(reply, w), value: least })
      : sentence("ends_game", { name: name(w) });
  return capped(larger.map(line), MOST_REPLIES);
}

function outcome(options, value) {
  const first = (wanted) => options.find((option) => option.outcome === wanted);
  if (first("P")) return sentence("won", { name: name(first("P").w) });
  if (Values.outcome(value) === "D") return sentence("drawn", { name: name(first("D").w) });
  return sentence(options.some((option) => Values.isDecisive(option.value)) ? "lost_at_once" : "lost");
}

// A sum

const movesOf = (components) =>
  Game.lastOf(components) === null ? components.flatMap((v, component) => Game.options(v).map((to) => ({ component, from: v, to }))) : [];
const leaving = (components, wanted) =>
  movesOf(components).filter((move) => Game.judge(Game.after(components, move), play())?.outcome === wanted);
const moveText = ({ component, from, to }, key = "move") =>
  sentence(key, { component: component + 1, start: name(from, LONGEST_IN_MOVE), end: name(to, LONGEST_IN_MOVE) });
const listOf = (moves, line) => ({ list: capped(moves.map(line)) });

// The winning moves, or without any the drawing ones, below the sentence for them; empty if all moves lose.
function bestMoves(components, heads, line = (move) => moveText(move)) {
  const aim = ["P", "D"].find((wanted) => heads[wanted] && leaving(components, wanted).length);
  return aim ? [sentence(heads[aim]), listOf(leaving(components, aim), line)] : [];
}

function sum(components) {
  const judged = Game.judge(components, play());
  if (!judged || Game.proof) return [];
  if (Game.data.nim) return nim(components, judged);
  if (play() === "misere") return misereSum(components, judged);
  if (Game.longest.includes(Infinity) && !Values.isDecisive(judged.value)) return loopySum(components, judged);
  const values = components.map(valueOf);
  if (Values.isDecisive(judged.value)) return ends(components, values, judged);
  if (components.length === 1 && movesOf(components).length) return single(components, values, judged);
  const head = sentence("sum_of_tokens", { verdict: verdict(judged.outcome), total: judged.value });
  return [head, columns(components), ...(judged.value ? firstWins : secondWins)(components, values, judged.value)];
}

// Explain a sum in which play is over, or in which the first player wins at once.
function ends(components, values, judged) {
  const facts = { verdict: verdict(judged.outcome), name: name(components[values.indexOf(judged.value)]) };
  if (Game.lastOf(components) !== null) return [sentence("over", facts)];
  const key = components.length > 1 ? "move" : "move_of_one";
  return [sentence("at_once", facts), ...bestMoves(components, { P: "winning_moves" }, (move) => moveText(move, key))];
}

// Explain a single position: it needs no nim-sum.
function single(components, values, judged) {
  const facts = { verdict: verdict(judged.outcome), name: name(components[0]), total: values[0] };
  const alone = (move) => moveText(move, "move_of_one");
  if (values[0]) return [sentence("one_won", facts), ...bestMoves(components, { P: "winning_moves" }, alone)];
  return [sentence(Game.decides ? "one_lost_or_end" : "one_lost", facts), answers(components, values, alone)];
}

function firstWins(components, values, total) {
  const top = 1 << (31 - Math.clz32(total));
  const chosen = values.findIndex((value) => value & top);
  const value = values[chosen];
  const effect = (move) => {
    const [before, after] = [values[move.component], valueOf(move.to)];
    return sentence(after > before ? "raising_effect" : "effect", { move: moveText(move), before, total, after });
  };
  return [
    sentence("top_column", { total, binary: binary(total), component: chosen + 1, name: name(components[chosen]) }),
    sentence("aim", { value, total, aim: value ^ total }),
    sentence(Game.decides ? "first_or_end" : "first_answers"),
    ...bestMoves(components, { P: "winning_moves" }, effect),
  ];
}

function secondWins(components, values) {
  if (!movesOf(components).length) return [sentence("no_move")];
  const loony = Game.decides ? [sentence("loony_answers")] : [];
  return [sentence("second_answers"), ...loony, answers(components, values, (move) => moveText(move))];
}

// The answer to each move of a lost sum.
function answers(components, values, textOf) {
  const line = (move) => {
    const reply = answer(components, values, move);
    return sentence(reply ? "answer" : "loses_at_once", { move: textOf(move), reply: reply && textOf(reply) });
  };
  return listOf(movesOf(components), line);
}

// The reply that makes the nim-sum 0 again, or that wins at once; null if the move itself ended play.
function answer(components, values, move) {
  if (Game.losesAtOnce(move.to)) {
    const parts = Game.partsOf(move.to);
    const below = parts.some(Game.ending) ? undefined : parts.findLast((v) => endingMove(v) !== undefined);
    return below === undefined ? null : { component: move.component, from: below, to: endingMove(below) };
  }
  const now = values.with(move.component, valueOf(move.to));
  const total = values[move.component] ^ now[move.component];
  const falls = (value) => (value ^ total) < value;
  const component = now.findIndex(falls);
  let from = component === move.component ? move.to : components[component];
  while (Game.isSum(from)) from = Game.parts(from).find((part) => falls(valueOf(part)));
  const wanted = valueOf(from) ^ total;
  return { component, from, to: Game.options(from).find((to) => valueOf(to) === wanted) };
}

function misereSum(components, judged) {
  const count = movesOf(components).length;
  const head = verdict(judged.outcome);
  if (!count) return [sentence("no_move_misere", { verdict: head })];
  const names = capped(components.map((v) => name(v))).join(", ");
  const good = bestMoves(components, { P: "winning_misere", D: "drawing_misere" });
  const lost = count === 1 ? sentence("one_loses") : sentence("all_lose", { count: grouped(count) });
  return [
    sentence("under_misere", { verdict: head }),
    ...(components.length > 1 ? [sentence("move_by_move", { names })] : []),
    ...(good.length ? good : [lost]),
  ];
}

function loopySum(components, judged) {
  const values = components.map(valueOf);
  const infinite = values.filter((value) => !Values.isFinite(value)).length;
  const total = Values.text(judged.value);
  let why = sentence(judged.value ? "finite_first" : "finite_second");
  if (infinite > 1) why = sentence("two_infinite");
  else if (infinite) why = sentence(judged.outcome === "N" ? "smith_first" : "smith_draw", { total });
  const loony = judged.value === 0 && Game.decides ? [sentence("loony_answers")] : [];
  const line = (move) => {
    const [before, after] = [move.from, move.to].map((v) => Values.text(valueOf(v)));
    return sentence("becomes", { move: moveText(move), before, after });
  };
  return [
    sentence("sum_of_values", { verdict: verdict(judged.outcome), total }),
    columns(components),
    why,
    ...loony,
    ...bestMoves(components, { P: "winning_moves", D: "drawing_moves" }, line),
  ];
}

// Nim

function nim(components, judged) {
  const heaps = components.map(Game.heap);
  const total = heaps.reduce((a, b) => a ^ b, 0);
  const line = ([component, heap, end]) =>
    sentence("left", {
      component: component + 1,
      rest: (heap ^ total) === end ? `${heap} xor ${total} = ${end}` : end,
      taken: heap - end,
    });
  const moves = (ends) => [sentence("winning_moves"), listOf(ends, line)];
  const xored = heaps.map((heap, place) => [place, heap, heap ^ total]).filter(([, heap, end]) => end < heap);
  if (play() === "misere") return misereNim(components, heaps, total, judged, xored, moves);
  const head = [sentence("nim_sum", { verdict: verdict(judged.outcome), total }), columns(components)];
  if (!total) return [...head, sentence(heaps.some(Boolean) ? "every_heap" : "no_move")];
  const top = 1 << (31 - Math.clz32(total));
  const chosen = components[heaps.findIndex((heap) => heap & top)];
  const facts = { total, binary: binary(total), name: name(chosen), rule: sentence("rule_of_nim", { total }) };
  return [...head, sentence("top_of", facts), ...moves(xored)];
}

// The classes of misère Nim positions. Each has the keys of two sentences: the definition of the class, and who wins.
const CLASSES = {
  S0: ["is_S0", "why_S0"],
  S1: ["is_S1", "why_S1"],
  S2: ["is_S2", "why_S2"],
  T0: ["is_T0", "why_T0"],
  T2: ["is_T2", "why_T2"],
};

function misereNim(components, heaps, total, judged, xored, moves) {
  const large = heaps.filter((heap) => heap > 1).length;
  const kind = `${total ? "S" : "T"}${Math.min(large, 2)}`;
  const [what, why] = CLASSES[kind];
  const odd = 1 - (heaps.filter((heap) => heap === 1).length % 2);
  const all = heaps.map((heap, place) => [place, heap]);
  const ends = {
    S1: all.filter(([, heap]) => heap > 1).map((move) => [...move, odd]),
    S2: xored,
    T0: all.filter(([, heap]) => heap).map((move) => [...move, 0]),
  }[kind];
  const some = heaps.some(Boolean);
  return [
    sentence("under_misere", { verdict: verdict(judged.outcome) }),
    { columns: components, ofHeaps: true },
    `${sentence("class", { name: kind, meaning: sentence(what) })} ${sentence(some ? why : "no_heap")}`,
    ...(ends && some ? moves(ends) : []),
  ];
}

// The element for a line of an explanation. digits is false on a card that draws columns of digits elsewhere: then an
// item with the columns of values gives null.

function line(item, digits) {
  if (item.list) return el("ul.quoted", item.list.map((text) => el("li", label(text))));
  if (!item.columns) return el("p", label(item));
  const value = item.ofHeaps ? Game.heap : valueOf;
  return digits || item.ofHeaps ? Strips.xor(item.columns, value) : null;
}

const folded = (lines, key, digits = false) =>
  lines.length
    ? el("details.why", { "data-key": key }, el("summary", say("Why")), lines.map((item) => line(item, digits)))
    : null;

// The explanation of the sum in a match, or of a single position.
export function ofMatch(components, secret = false) {
  const lines = components.length === 1 && !Game.data.nim ? position(components[0]) : sum(components);
  const part = folded(lines, "why-match", true);
  return part && el("section", { class: `card${secret ? " answer" : ""}`, "data-why": true }, part);
}

// The sentences without drawings, as a list of texts.
const text = (lines) => lines.flatMap((line) => line.list ?? line.head ?? (line.columns ? [] : line));

export const ofPosition = (v) => folded(position(v), "why");
export const sumLines = (components) => sum(components).map((item) => line(item, false));
export const ofSum = (components) => folded(sum(components), "why-sum");
export const positionText = (v) => text(position(v));
export const sumText = (components) => text(sum(components));
