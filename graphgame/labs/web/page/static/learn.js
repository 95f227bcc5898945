// The tab of lessons: values from the ends backwards, the sum of the tokens column by column, and the puzzles.

import { button, choice, el, group, icon, label } from "./dom.js";
import * as Game from "./game.js";
import * as Graph from "./graph.js";
import * as Panel from "./panel.js";
import * as Puzzle from "./puzzle.js";
import * as Shapes from "./shapes.js";
import * as State from "./state.js";
import * as Strips from "./strips.js";
import { amount, grouped, more, say } from "./text.js";
import * as Values from "./values.js";
import * as Why from "./why.js";

const PAUSE = 1100; // milliseconds between the steps of an automatic lesson
const MOST_LISTED = 12;

let unit = "one";
let step = 0;
let timer = null;

// Every position from which play must end, each after its options.
const order = [...Game.labels.keys()]
  .filter((v) => Game.longest[v] !== Infinity)
  .sort((a, b) => Game.depth[a] - Game.depth[b] || a - b);
const rank = new Map(order.map((v, i) => [v, i]));
const counts = order.map((_, i) => i + 1);
const isEnd = (n) => Game.depth[order[n]] !== Game.depth[order[n - 1]];
const ends = { one: counts, layer: counts.filter(isEnd) }; // the number of positions that have a value after each step

const stepOf = () => say("Step {n} of {all}", { n: step, all: length() });
const isSum = () => State.get().lesson === "sum";
const count = () => (step ? ends[unit][step - 1] : 0);
const latest = () => (step ? order.slice(step > 1 ? ends[unit][step - 2] : 0, count()) : []);
const length = () => (isSum() ? columns().width + 1 : ends[unit].length);
const hasValue = (v) => State.get().lesson === "values" && (rank.get(v) ?? Infinity) < count();

function go(n) {
  step = Math.max(0, Math.min(length(), n));
  if (step === length()) stop();
  const [first] = isSum() ? [] : latest();
  if (first !== undefined) Graph.show(first);
  else State.set({});
}

function stop() {
  clearTimeout(timer);
  timer = null;
}

function begin() {
  stop();
  step = 0;
}

function run() {
  timer = setTimeout(() => {
    if (State.get().tab !== "learn") return stop();
    run();
    go(step + 1);
  }, PAUSE);
}

function toggle() {
  if (timer) {
    stop();
    return State.set({});
  }
  if (step === length()) step = 0;
  run();
  go(step + 1);
}

// The controls

function controls() {
  const press = (sign, name, act, off = false) =>
    icon(sign, name, act, { disabled: off, "data-key": `step-${sign}`, "data-step": name });
  const jump = el("input", {
    type: "range",
    min: 0,
    max: length(),
    "aria-label": stepOf(),
    "data-key": "step-jump",
    input: (event) => {
      stop();
      go(Number(event.target.value));
    },
  });
  jump.value = step;
  return el(
    "div.stepper",
    press("«", say("To the beginning"), () => go(0), step === 0),
    press("‹", say("One step back"), () => go(step - 1), step === 0),
    timer ? press("‖", say("Pause"), toggle) : press("▶", say("Play the steps"), toggle),
    press("›", say("One step forward"), () => go(step + 1), step === length()),
    press("»", say("To the end"), () => go(length()), step === length()),
    jump,
    el("p.quiet", { role: "status" }, stepOf()),
  );
}

// The values

function labels() {
  const facts = { n: grouped(count()), all: grouped(order.length) };
  return Game.data.sums.length
    ? say("{n} of {all} positions and sums have their value", facts)
    : say("{n} of {all} positions have their value", facts);
}

function values() {
  const { play } = State.get();
  if (order.some((v) => Game.facts(v, play).value === null)) return [el("p", say("This lesson needs the value of each position, which this page does not have under this play convention."))];
  const endless = Game.size - order.length;
  const units = [["one", say("position by position")], ["layer", say("a whole level at once")]];
  const inUnits = choice("unit", say("Steps"), units, unit, (value) => {
    begin();
    unit = value;
    State.set({});
  });
  return [
    el("p.quiet", say("From the ends backwards: a position gets its value once all its options have theirs.")),
    inUnits,
    controls(),
    el("p.quiet", labels()),
    step
      ? el("ol.labelled", latest().slice(0, MOST_LISTED).map(labelled))
      : el("p", say("Nothing has a value yet. The positions without a move come first.")),
    latest().length > MOST_LISTED && el("p.quiet", more(latest().length - MOST_LISTED)),
    endless && step === length() ? el("p", amount(endless, "{count} more position leads into cycles, so play from it need not end. Another rule gives its value: select it under Explore and open Why.", "{count} more positions lead into cycles, so play from them need not end. Another rule gives their values: select one under Explore and open Why.")) : null,
  ];
}

// A position that got its value in the latest step, with the options from which the value follows.
function labelled(v) {
  const { value, outcome } = Game.facts(v, State.get().play);
  const options = Game.isSum(v) ? Game.parts(v) : Game.sorted(Game.options(v));
  const shown = options
    .slice(0, MOST_LISTED)
    .map((w) => `${Shapes.short(Game.labels[w])} (${Values.text(Game.facts(w, State.get().play).value)})`);
  const moreText = options.length > shown.length ? [more(options.length - shown.length)] : [];
  return el(
    "li",
    { "data-labelled": v },
    el(
      "h3",
      Shapes.badge(outcome),
      " ",
      say("the value of {label} is {value}", { label: label(Game.labels[v]), value: Values.text(value) }),
    ),
    options.length ? el("p.quiet", label(say("It follows from {options}", { options: [...shown, ...moreText].join(", ") }))) : null,
    latest().length > 1 && !Game.isSum(v) && !Values.isDecisive(value)
      ? el("p", Strips.formula(options.map((w) => Game.facts(w, State.get().play).value)))
      : Panel.derivation(v, value),
    latest().length > 1 && !Values.isDecisive(value) ? null : Why.ofPosition(v),
  );
}

// The sum

function columns() {
  const { play, tokens } = State.get();
  const numbers = (tokens ?? []).map((v) => Game.facts(v, "normal").value);
  if (play !== "normal" || numbers.length < 2 || !numbers.every(Values.isFinite)) return { numbers: null, width: 0 };
  return { numbers, width: Math.max(...numbers).toString(2).length };
}

function sum() {
  const { numbers, width } = columns();
  if (!numbers) return [el("p", say("This lesson needs normal play, and two or more tokens with finite values: put tokens on positions under Explore."))];
  const { tokens } = State.get();
  const seen = Math.min(step, width);
  const texts = Array.from({ length: seen }, (_, bit) => {
    const ones = numbers.filter((value) => (value >> bit) & 1).length;
    const facts = { power: 2 ** bit };
    return ones % 2
      ? amount(ones, "Column of {power}: {count} one, an odd number, so the nim-sum has a 1 here.", "Column of {power}: {count} ones, an odd number, so the nim-sum has a 1 here.", facts)
      : say("Column of {power}: {count} ones, an even number, so the nim-sum has a 0 here.", { ...facts, count: ones });
  });
  return [
    controls(),
    Strips.xor(tokens, (v) => Game.facts(v, "normal").value, step > width ? Infinity : seen),
    texts.length
      ? el("ol.told", texts.map((text) => el("li", text)))
      : el("p", say("The values of the tokens, in binary. Column by column from the right: is the number of ones odd?")),
    step > width && Why.sumLines(tokens),
  ];
}

// The tab

export const lessons = () => ({ values: say("Solve it with me"), sum: say("The sum, digit by digit"), puzzle: say("Puzzles") });

export function show() {
  const { lesson } = State.get();
  const chip = ([name, text]) =>
    button(
      text,
      () => {
        begin();
        State.set({ lesson: name });
      },
      { class: "chip", "aria-pressed": name === lesson ? "true" : "false", "data-key": `lesson-${name}` },
    );
  return [
    el("h2", { tabindex: -1, class: "unseen" }, say("Learn")),
    group("div.chips", say("Lesson"), Object.entries(lessons()).map(chip)),
    lesson === "puzzle" ? Puzzle.show() : el("section.card", { "data-lesson": lesson }, isSum() ? sum() : values()),
  ];
}

export const isOpen = () => State.get().tab === "learn";

// Whether the graph hides the value of a vertex: in a lesson that has not reached it yet, or in an unsolved puzzle.
export const hides = (v) => {
  const { lesson } = State.get();
  if (!isOpen() || lesson === "sum") return false;
  return lesson === "puzzle" ? !Puzzle.isSolved() : !hasValue(v);
};

export const tokens = () => (State.get().lesson === "puzzle" ? Puzzle.components() : State.get().tokens || []);
export const current = () => (isOpen() && State.get().lesson === "values" ? latest() : []);
