// Touches on the boards of a match: the moves that a cell stands for, and when a touch makes a move at once.

import * as Board from "./board.js";
import { cheapest } from "./dom.js";
import * as Moves from "./moves.js";
import * as Puzzle from "./puzzle.js";
import * as State from "./state.js";

const same = (a, b) => a.length === b.length && a.every((cell) => b.includes(cell));
export const within = (inner, outer) => inner.every((cell) => outer.includes(cell));

let surface = null; // the surface
let offers = []; // the moves on it
let nests = new Map();
let picked = []; // the cells that the player has touched: {board, cell}
let choices = []; // the moves among which the player must choose

// Start with the moves of a surface. Cells stay touched unless the position is new (isNew) or their board is gone.
export function begin(next, moves, isNew) {
  const possible = new Set(moves.map(Moves.key));
  if (isNew) [picked, choices] = [[], []];
  picked = picked.filter((pick) => next.boards.includes(pick.board));
  surface = next;
  offers = distinct(Board.offers(next, Puzzle.contest().components()).filter((offer) => possible.has(Moves.key(offer))));
  nests = new Map();
}

// Keep one of several moves that touch the same cells and change them in the same way.
function distinct(list) {
  const seen = new Map();
  for (const offer of list) {
    const after = offer.after ? [...offer.after].map(([cell, kind]) => `${cell}:${kind}`).sort().join() : "";
    const key = [surface.boards.indexOf(offer.board), [...offer.touched].sort().join("."), offer.line ?? "", after || offer.to].join("|");
    if (!seen.has(key)) seen.set(key, offer);
  }
  return [...seen.values()];
}

export const touching = (board, cells) => offers.filter((offer) => offer.board === board && cells.length && within(cells, offer.touched));

// The move that a touch of a cell makes at once; null if there is none. If only one move
// touches the cell, it is this move. If several do and the moves on the board are nested, it is the smallest of them:
// the others touch all its cells and more. Moves are nested if each is the smallest of those that touch some cell.
function direct(board, cell) {
  const own = touching(board, [cell]);
  if (own.length === 1) return own[0];
  return nested(board) ? least(own) : null;
}

function least(list) {
  const first = cheapest(list, (offer) => offer.touched.length);
  return list.every((offer) => within(first.touched, offer.touched)) &&
    list.filter((offer) => same(offer.touched, first.touched)).length === 1 ? first : null;
}

function nested(board) {
  if (!nests.has(board)) {
    const own = offers.filter((offer) => offer.board === board && offer.touched.length);
    const cells = new Set(own.flatMap((offer) => offer.touched));
    const reached = new Set([...cells].map((cell) => least(touching(board, [cell]))));
    nests.set(board, own.every((offer) => reached.has(offer)));
  }
  return nests.get(board);
}

// The cells to touch for a move. If moves are nested, only those at which one touch makes this move.
export function handles(offer) {
  if (!nested(offer.board)) return offer.touched;
  const own = offer.touched.filter((cell) => direct(offer.board, cell) === offer);
  return own.length ? own : offer.touched;
}

const kindAt = (board, cell) => Board.kinds[board.cells[cell]].kind;

// own has the moves that touch this cell and all cells touched before. Return those that put a piece of the kind at the
// first touched cell on this cell; if there are none, return all.
function putDown(board, cell, own) {
  if (!picked.length) return own;
  const kind = kindAt(board, picked[0].cell);
  const moving = own.filter((offer) => offer.after?.has(cell) && Board.kinds[offer.after.get(cell)].kind === kind && kindAt(board, cell) !== kind);
  return moving.length ? moving : own;
}
export const cellsPicked = (board) => picked.filter((pick) => pick.board === board).map((pick) => pick.cell);

export function touch(board, cell) {
  if (Puzzle.contest().computersTurn()) return;
  const before = cellsPicked(board);
  const again = before.includes(cell); // this makes the move that touches exactly the cells touched so far
  const own = again ? touching(board, before).filter((offer) => same(offer.touched, before)) : movesAt(board, cell);
  if (own.length === 1) return make(own[0]);
  if (again || !own.length) return drop();
  const cells = own.every((offer) => within([...before, cell], offer.touched)) ? [...before, cell] : [cell];
  ask(own, cells.map((each) => ({ board, cell: each })));
}

// Let the player choose among moves; remember the cells that were touched.
function ask(moves, touched = []) {
  picked = touched;
  choices = moves;
  State.set({});
}

// Make the move for which the touched line or pair of cells stands; if it stands for several, let the player choose.
export function choose(own) {
  if (Puzzle.contest().computersTurn()) return;
  if (own.length === 1) return make(own[0]);
  ask(own);
}

export const drop = () => ask([]);

export function make(offer) {
  [picked, choices] = [[], []];
  Puzzle.contest().make({ component: offer.component, from: offer.from, to: offer.to, way: offer.way });
}

// The moves that a touch would make or offer.
export function movesAt(board, cell) {
  const before = cellsPicked(board);
  const more = touching(board, [...before.filter((other) => other !== cell), cell]);
  if (before.length && more.length) return putDown(board, cell, more);
  const move = direct(board, cell);
  return move ? [move] : touching(board, [cell]);
}

export const linesOf = (board) => grouped(board, ({ line }) => line && String(line));

// If a move touches exactly two neighbouring cells, the edge between them can be touched too.
export const pairsOf = (board) =>
  nested(board) ? [] : grouped(board, ({ touched }) => (touched.length === 2 ? between(board, touched) : null));

function between(board, touched) {
  const [a, b] = touched.map((cell) => board.places[cell]);
  const near = a.length === 2 && b.length === 2 && Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) === 1;
  return near ? [...touched].sort((p, q) => p - q).join(" ") : null;
}

function grouped(board, keyOf) {
  const groups = new Map();
  for (const offer of Puzzle.contest().computersTurn() ? [] : offers) {
    const name = offer.board === board ? keyOf(offer) : null;
    if (name) groups.set(name, [...(groups.get(name) ?? []), offer]);
  }
  return [...groups.values()];
}

export const offered = () => choices;
export const offersOn = (board) => offers.filter((offer) => offer.board === board);
