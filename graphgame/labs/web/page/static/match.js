// One game between two players: its moves, undo and redo, and the computer's replies.

import * as Game from "./game.js";
import * as State from "./state.js";
import { say } from "./text.js";

const THINKING = matchMedia("(prefers-reduced-motion: reduce)").matches ? 60 : 450; // milliseconds before the computer moves, so that the player sees it
const starter = Game.proof === "N" ? "computer" : "you";
export const settings = { opponent: "computer", starter, err: 0, hints: false }; // err: mistakes of the computer in 100 moves
const NO_GAME = { you: 0, computer: 0, 0: 0, 1: 0, draw: 0 };
const REPETITIONS = 3; // a match in which a position occurs this often is a draw
let line = [turn(begin())];
let at = 0;
let reviewing = false; // True while the reader looks back at a finished game
let computerStarts = starter === "computer";
let score = { ...NO_GAME }; // how often each player won the earlier games
let timer = null;
let asked = []; // the moves between which the player must choose after an ambiguous click
let held = null; // the vertex of the token that is picked up on the graph

export const components = () => line[at].components;
const play = () => State.get().play;
export const judged = () => Game.judge(components(), play());
export const moves = () => movesAt(at);
export const over = () => moves().length === 0;
const moverAt = (turn) => turn % 2; // 0: the player who started
export const isComputer = (player) => settings.opponent === "computer" && (player === 0) === computerStarts;
export const computersTurn = () => isComputer(moverAt(at)) && !over();
export const looksBack = () => at < line.length - 1;
export const finished = () => !movesAt(line.length - 1).length;
const repeats = (place) => line.filter(({ key }, i) => i <= place && key === line[place].key).length >= REPETITIONS;
const movesAt = (place) => (repeats(place) ? [] : Game.movesOf(line[place].components));

function turn(from, move = null) {
  return { components: from, move, key: Game.key(from) };
}

export function names() {
  if (settings.opponent === "person") return [1, 2].map((n) => say("Player {n}", { n }));
  return [0, 1].map((player) => (isComputer(player) ? say("Computer") : say("You")));
}

// The winner's number, "draw", or null while the match goes on.
export const winner = () => (over() ? winnerAt(at) : null);

function winnerAt(place) {
  if (repeats(place)) return "draw";
  const last = Game.lastOf(line[place].components);
  const previousWins = last === null ? play() === "normal" : Game.ending(last) === "P";
  return previousWins ? 1 - moverAt(place) : moverAt(place);
}

// How often each player has won: the person and the computer, or the first and the second player.
export function tally() {
  if (!finished() || line.length === 1) return score;
  const won = winnerAt(line.length - 1);
  const who = won === "draw" || settings.opponent === "person" ? won : isComputer(won) ? "computer" : "you";
  return { ...score, [who]: score[who] + 1 };
}

function changed() {
  clearTimeout(timer);
  timer = computersTurn() && !looksBack() && State.get().tab === "play" ? setTimeout(reply, THINKING) : null;
  State.set({ match: at });
}

function reply() {
  const errs = Math.random() < settings.err / 100;
  advance(errs ? Game.anyOf(moves()) : Game.bestMove(components(), play()));
}

function advance(move) {
  line = [...line.slice(0, at + 1), turn(Game.after(components(), move), move)];
  moveTo(at + 1);
}

function moveTo(place, looking = false) {
  at = place;
  reviewing = looking;
  asked = [];
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
    settings.starter === "turns" ? computerStarts !== line.length > 1 : settings.starter === "computer";
  line = [turn(begin())];
  moveTo(0);
}

// Show an earlier or later turn. The computer waits until the reader plays on from there.
export const look = (place) => moveTo(place, finished());

// Restore the settings and the moves of a match, up to the first move that is not possible.
export function resumeWith(changes, first, made) {
  if (changes.opponent !== settings.opponent) score = { ...NO_GAME };
  Object.assign(settings, changes, Game.proof ? { opponent: "computer", starter, err: 0 } : {});
  computerStarts = (settings.starter === "turns" ? first : settings.starter) === "computer";
  line = [turn(begin())];
  for (const wanted of made) {
    const from = line[line.length - 1].components;
    const move = Game.movesOf(from).find(({ component, to }) => component === wanted.component && to === wanted.to);
    if (!move || !movesAt(line.length - 1).length) break;
    line.push(turn(Game.after(from, move), { ...move, way: wanted.way }));
  }
  moveTo(line.length - 1);
}

export function playOn() {
  line = line.slice(0, at + 1);
  moveTo(at);
}

// A click on a vertex: picks up its token, or moves the token that is picked up. Otherwise it moves the only token that
// can go there; asks where there are several, or where a token that cannot move stands there.
export function go(v) {
  if (computersTurn()) return false;
  const own = moves().filter(({ from }) => from === v);
  const made = moves().find(({ from, to }) => from === held && to === v);
  const ways = new Map(moves().filter(({ to }) => to === v).map((move) => [move.from, move]));
  if (made) advance(made);
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
  asked = ways;
  State.set({ match: at });
}

export function make(move) {
  if (!computersTurn()) advance(move);
}

// The nearest turn, in this direction, at which a person is to move or the game is over.
function turnTowards(step) {
  let place = at + step;
  while (line[place] && isComputer(moverAt(place)) && movesAt(place).length) place += step;
  return line[place] ? place : null;
}

function jump(step) {
  const place = turnTowards(step);
  if (place !== null) moveTo(place);
}

export function configure(changes) {
  const anew = "opponent" in changes || "starter" in changes;
  if (anew) {
    score = "opponent" in changes ? { ...NO_GAME } : tally();
    line = [turn(begin())];
  }
  Object.assign(settings, changes);
  if (anew) restart();
  else changed();
}

export const cancel = () => ask([]);
export const canRedo = () => turnTowards(1) !== null;
export const canUndo = () => turnTowards(-1) !== null;
export const heldToken = () => held;
export const history = () => line.slice(1, at + 1).map(({ move }, place) => ({ ...move, player: moverAt(place) }));
export const letGo = () => hold(null);
export const mover = () => moverAt(at);
export const pending = () => asked;
export const place = () => at;
export const redo = () => jump(1);
export const resume = changed;
export const secret = () => !settings.hints && !over() && !reviewing;
export const turns = () => line;
export const undo = () => jump(-1);
