// Puzzles: positions with exactly one winning move. The puzzle number and the difficulty select the position.

import { button, choice, el, group, label } from "./dom.js";
import * as Game from "./game.js";
import * as Match from "./match.js";
import * as Moves from "./moves.js";
import * as Panel from "./panel.js";
import * as State from "./state.js";
import { amount, more, say } from "./text.js";
import * as Why from "./why.js";

export const levels = () => ({ easy: say("easy"), medium: say("medium"), hard: say("hard") });

const LEVELS = { easy: 0, medium: 1, hard: 2 };
const TRIES = 400; // most random sums that are tried to find one with a single winning move
const FEW = 6; // with fewer single positions that have a single winning move, puzzles are sums
const MOST_MOVES = 60;

let current = null; // {key, components, answer}
let wrong = null;
let solved = false;
let solution = []; // the reader's solution: the move made
const score = { solved: 0, tries: 0 };

// A generator of pseudo-random numbers in [0, 1) from a seed (mulberry32).
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const winning = (components, play) => {
  const { aim, moves } = Game.goodMoves(components, play);
  return aim === "P" ? moves : [];
};
const isPuzzle = (components, play) =>
  Game.judge(components, play)?.outcome === "N" &&
  Game.movesOf(components).length > 1 &&
  winning(components, play).length === 1;

// The single positions for puzzles, easier ones first: by the number of moves, then by the length of play.
const pools = { normal: null, misere: null };
function pool(play) {
  const ease = (v) => Game.options(v).length * 1000 + (Game.facts(v, play).moves ?? 0);
  pools[play] ??= [...Game.labels.keys()]
    .filter((v) => !Game.isSum(v) && isPuzzle([v], play))
    .sort((a, b) => ease(a) - ease(b));
  return pools[play];
}

function draw({ seed, level, play, tokens }) {
  const random = chance(seed * 3 + LEVELS[level]);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const single = pool(play);
  const third = (list) =>
    list.slice(Math.floor((list.length * LEVELS[level]) / 3), Math.ceil((list.length * (LEVELS[level] + 1)) / 3));
  const several = (tokens?.length ?? 0) > 1 || single.length < FEW;
  return (several && drawSum(pick, level, play)) || (single.length ? [pick(third(single))] : null);
}

function drawSum(pick, level, play) {
  const vertices = [...Game.labels.keys()].filter((v) => !Game.isSum(v) && Game.options(v).length);
  for (let tried = 0; vertices.length && tried < TRIES; tried += 1) {
    const components = Array.from({ length: LEVELS[level] + 2 }, () => pick(vertices));
    if (play === "misere") Game.prepare(components);
    if (isPuzzle(components, play)) return components;
  }
  return null;
}

function puzzle() {
  const { level, play, seed, tokens } = State.get();
  const key = [seed, level, play, tokens].join();
  if (current?.key !== key) {
    const components = draw({ seed, level, play, tokens });
    current = { key, components, answer: components && winning(components, play)[0] };
    [wrong, solved, solution] = [null, false, []];
  }
  return current;
}

function attempt(move) {
  const { answer } = puzzle();
  score.tries += 1;
  solved = move.component === answer.component && move.to === answer.to;
  wrong = solved ? null : move;
  solution = solved ? [move] : [];
  if (solved) score.solved += 1;
  State.set({});
}

export function verdict() {
  const { components } = puzzle();
  if (!components) return el("p.status", say("This page finds no position with exactly one winning move among several."));
  const { play } = State.get();
  if (solved) return el("p.status.won", { role: "status" }, say("Right: that is the only winning move."));
  if (!wrong) return el("p.status", play === "misere" ? say("Find the only winning move (misère play: the last mover loses).") : say("Find the only winning move."));
  const left = Game.after(components, wrong);
  const reply = Game.movesOf(left).length ? Game.bestMove(left, play) : null;
  const move = Moves.text(wrong);
  const text = reply ? say("No: {move} is answered by {reply}. Try another.", { move, reply: Moves.text(reply) }) : say("No: {move} does not win. Try another.", { move });
  return el("p.status.lost", { role: "status" }, label(text));
}

function component(v, i, moves) {
  const { answer } = puzzle();
  const isAnswer = ({ to }) => solved && to === answer.to && i === answer.component;
  const attempts = moves.slice(0, MOST_MOVES).map((move) =>
    button(["→ ", label(Game.labels[move.to])], () => attempt(move), {
      class: `move${isAnswer(move) ? " winning" : ""}`,
      disabled: solved,
      "data-key": `try-${i}-${move.to}`,
      "data-try": `${i} ${move.to}`,
    }),
  );
  const hidden = moves.length > MOST_MOVES && el("span.quiet", more(moves.length - MOST_MOVES));
  return Panel.component(v, { "data-puzzle": i }, group("div.moves", say("Possible moves"), attempts, hidden));
}

function controls() {
  const { level, seed } = State.get();
  const number = el("input", {
    type: "number",
    min: 1,
    max: 999999,
    "data-key": "seed",
    change: (event) =>
      State.set({ seed: Math.min(999999, Math.max(1, Math.floor(Number(event.target.value)) || 1)) }),
  });
  number.value = seed;
  return el(
    "div.settings",
    choice("level", say("Difficulty"), Object.entries(levels()), level, (value) => State.set({ level: value })),
    el("label.choice", el("span", say("Puzzle number")), number),
    button(say("Next puzzle"), () => State.set({ seed: seed + 1 }), { "data-key": "next-puzzle" }),
  );
}

export function show() {
  const { components } = puzzle();
  if (!components) return controls();
  const moves = Game.movesOf(components);
  return [
    components.map((v, i) => component(v, i, moves.filter((move) => move.component === i))),
    controls(),
    score.tries ? el("p.quiet", amount(score.tries, "Puzzles solved: {solved}, with {count} try", "Puzzles solved: {solved}, with {count} tries", { solved: score.solved })) : null,
    solved && Why.ofMatch(components),
  ];
}

export const isOpen = () => State.get().tab === "learn" && State.get().lesson === "puzzle";
export const components = () => puzzle().components ?? [];

// What a board needs to be played on; the same functions as in match.js.
const contestOfPuzzle = {
  components: () => solution.reduce(Game.after, components()),
  computersTurn: () => solved,
  history: () => solution,
  make: attempt,
  moves: () => (solved ? [] : Game.movesOf(components())),
  over: () => solved,
  settings: { hints: false },
  turns: () => [{ components: components() }],
};

export const contest = () => (isOpen() ? contestOfPuzzle : Match);

export const isSolved = () => solved;
