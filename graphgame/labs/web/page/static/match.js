// One game between two players: its moves, undo and redo, and the computer's replies.

import * as Game from "./game.js";
import * as State from "./state.js";
import { say } from "./text.js";

const THINKING = matchMedia("(prefers-reduced-motion: reduce)").matches ? 60 : 450; // milliseconds before the computer moves, so that the player sees it
const starter = Game.proof === "N" ? "computer" : "you";
export const settings = { opponent: "computer", starter, err: 0, hints: false }; // err: mistakes of the computer in 100 moves
const NO_GAME = { you: 0, computer: 0, 0: 0, 1: 0, draw: 0 };
const REPETITIONS = 3; // a match in which a position occurs this often is a draw
let steps = [turn(begin())];
let now = 0;
let reviewing = false; // True while the reader looks back at a finished game
let computerStarts = starter === "computer";
let score = { ...NO_GAME }; // how often each player won the earlier games
let timer = null;
let offered = []; // the moves between which the player must choose after an ambiguous click
let held = null; // the vertex of the token that is picked up on the graph

export const components = () => steps[now].components;
const play = () => State.get().play;
export const judged = () => Game.judge(components(), play());
export const moves = () => movesAt(now);
export const over = () => moves().length === 0;
const moverAt = (turn) => turn % 2; // 0: the player who started
export const isComputer = (player) => settings.opponent === "computer" && (player === 0) === computerStarts;
export const computersTurn = () => isComputer(moverAt(now)) && !over();
export const looksBack = () => now < steps.length - 1;
export const finished = () => !movesAt(steps.length - 1).length;
const repeats = (index) => steps.filter(({ key }, i) => i <= index && key === steps[index].key).length >= REPETITIONS;
const movesAt = (i) => (repeats(i) ? [] : Game.movesOf(steps[i].components));

function turn(from, move = null) {
  return { components: from, move, key: Game.key(from) };
}

export function names() {
  if (settings.opponent === "person") return [1, 2].map((n) => say("Player {n}", { n }));
  return [0, 1].map((player) => (isComputer(player) ? say("Computer") : say("You")));
}

// The winner at the turn shown: 0 for who started, 1 for the other, or "draw"; null if play goes on there.
export const winner = () => (over() ? winnerAt(now) : null);

function winnerAt(i) {
  if (repeats(i)) return "draw";
  const last = Game.lastOf(steps[i].components);
  const previousWins = last === null ? play() === "normal" : Game.ending(last) === "P";
  return previousWins ? 1 - moverAt(i) : moverAt(i);
}

// How often each player has won: the person and the computer, or the first and the second player.
export function tally() {
  if (!finished() || steps.length === 1) return score;
  const won = winnerAt(steps.length - 1);
  const who = won === "draw" || settings.opponent === "person" ? won : isComputer(won) ? "computer" : "you";
  return { ...score, [who]: score[who] + 1 };
}

function changed() {
  clearTimeout(timer);
  timer = computersTurn() && !looksBack() && State.get().tab === "play" ? setTimeout(reply, THINKING) : null;
  State.set({ match: now });
}

function reply() {
  const errs = Math.random() < settings.err / 100;
  advance(errs ? Game.anyOf(moves()) : Game.bestMove(components(), play()));
}

function advance(move) {
  steps = [...steps.slice(0, now + 1), turn(Game.after(components(), move), move)];
  moveTo(now + 1);
}

function moveTo(i, looking = false) {
  now = i;
  reviewing = looking;
  offered = [];
  held = null;
  changed();
}

function begin() {
  const { tokens } = State.get();
  return tokens?.length ? tokens : Game.size ? [Game.firstVertex()] : [];
}

export function restart() {
  score = tally();
  computerStarts =
    settings.starter === "turns" ? computerStarts !== steps.length > 1 : settings.starter === "computer";
  steps = [turn(begin())];
  moveTo(0);
}

// Show an earlier or later turn. The computer waits until the reader plays on from there.
export const show = (i) => moveTo(i, finished());

// Restore the settings and the moves of a match, up to the first move that is not possible.
export function resumeWith(changes, first, madeMoves) {
  if (changes.opponent !== settings.opponent) score = { ...NO_GAME };
  Object.assign(settings, changes, Game.proof ? { opponent: "computer", starter, err: 0 } : {});
  computerStarts = (settings.starter === "turns" ? first : settings.starter) === "computer";
  steps = [turn(begin())];
  for (const wanted of madeMoves) {
    const from = steps[steps.length - 1].components;
    const move = Game.movesOf(from).find(({ component, to }) => component === wanted.component && to === wanted.to);
    if (!move || !movesAt(steps.length - 1).length) break;
    steps.push(turn(Game.after(from, move), { ...move, way: wanted.way }));
  }
  moveTo(steps.length - 1);
}

export function playOn() {
  steps = steps.slice(0, now + 1);
  moveTo(now);
}

// A click on vertex v. With a token picked up: move it to v if it can go there; otherwise put it down, and pick up
// another token that is on v and can move. Without: pick up a token that is on v and can move; if there is none, move
// the only token that can go to v. If several can, or if a token that cannot move is on v, ask the player.
export function go(v) {
  if (computersTurn()) return false;
  const own = moves().filter(({ from }) => from === v);
  const move = moves().find(({ from, to }) => from === held && to === v);
  const ways = new Map(moves().filter(({ to }) => to === v).map((move) => [move.from, move]));
  if (move) advance(move);
  else if (held !== null || own.length) hold(own.length && held !== v ? v : null);
  else if (!ways.size) return false;
  else if (ways.size === 1 && !components().includes(v)) advance([...ways.values()][0]);
  else ask([...ways.values()]);
  return true;
}

function hold(v) {
  held = v;
  ask([]);
}

function ask(ways) {
  offered = ways;
  State.set({ match: now });
}

export function make(move) {
  if (!computersTurn()) advance(move);
}

// The nearest turn, in this direction, at which a person is to move or the game is over.
export function turnTowards(step) {
  let i = now + step;
  while (steps[i] && isComputer(moverAt(i)) && movesAt(i).length) i += step;
  return steps[i] ? i : null;
}

export function jump(step) {
  const i = turnTowards(step);
  if (i !== null) moveTo(i);
}

export function configure(changes) {
  const isNew = "opponent" in changes || "starter" in changes;
  if (isNew) {
    score = "opponent" in changes ? { ...NO_GAME } : tally();
    steps = [turn(begin())];
  }
  Object.assign(settings, changes);
  if (isNew) restart();
  else changed();
}

export const cancel = () => ask([]);
export const heldToken = () => held;
export const history = () => steps.slice(1, now + 1).map(({ move }, index) => ({ ...move, player: moverAt(index) }));
export const letGo = () => hold(null);
export const mover = () => moverAt(now);
export const pending = () => offered;
export const turnIndex = () => now;
export const resume = changed;
export const secret = () => !settings.hints && !over() && !reviewing;
export const turns = () => steps;
