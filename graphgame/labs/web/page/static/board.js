// Boards to play on: the look of each vertex, the ways to move on it, and how moves change the boards of a match.

import * as Drawings from "./drawings.js";
import * as Game from "./game.js";

const data = Game.data.surfaces;
const SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const kinds = data ? data.cells.map(([kind, text]) => ({ kind, text })) : [];
export const isBlank = (cell) => kinds[cell].kind === "blank";
const cache = new Map();

const numbers = (cells) => (typeof cells === "string" ? [...cells].map((sign) => SIGNS.indexOf(sign)) : [...cells]);

// {places, cells}: where the cells of a vertex are, and what they show; null if it has no board.
export const boardOf = (v) => (data?.looks[v] ? read(data.looks[v]) : null);

const read = ([shape, cells]) => ({ places: data.shapes[shape], cells: numbers(cells) });

function ways(v) {
  if (!cache.has(v)) cache.set(v, boardOf(v) && data.ways ? data.ways[v].map((way) => decoded(v, way)) : []);
  return cache.get(v);
}

function decoded(v, [to, cells, clicked, line, rows]) {
  const before = boardOf(v).cells;
  const after = cells && numbers(cells);
  const changed = after ? before.map((_, cell) => cell).filter((cell) => before[cell] !== after[cell]) : clicked || [];
  const parts = [];
  for (let i = 0; rows && i < rows.length; i += 3)
    parts.push({ v: rows[i], map: data.maps[rows[i + 1]] ?? null, names: data.names[rows[i + 2]] });
  return { to, after: after || null, changed, touched: clicked || (line ? [] : pieces(before, changed)), line: line || null, parts };
}

// The cells to touch for a move: those that it changes, without the notes beside the pieces, such as the largest number
// that may be taken. If it changes no piece, the notes are cells to touch, too.
function pieces(before, changed) {
  const isSign = (cell) => kinds[before[cell]].kind === "note";
  const any = changed.some((cell) => !isBlank(before[cell]) && !isSign(cell));
  return any ? changed.filter((cell) => !isSign(cell)) : changed;
}

// A surface is {boards, placements, last}. last describes the last move; it is null at the start. placements has an
// entry {v, board, map, names} for each component; null if its vertex has no board. v is the vertex, board the board on
// which it is shown. map[i] is the cell of this board that shows cell i of the vertex's board. names has pairs
// [look of a cell on the vertex's board, look of the cell on this board].
function begin(components) {
  const boards = [];
  const starts = data.starts.map(([v]) => v);
  const isStart = String(starts) === String(components);
  const placements = components.map((v, component) =>
    isStart ? written(boards, data.starts[component]) : insert(boards, boards.length, v),
  );
  return { boards, placements, last: null };
}

// Append the board of a token to boards, as the reader wrote it: it may be a rotation or reflection of the board of the
// token's vertex. The second argument is the token's entry in data.starts. Return the token's entry in placements.
function written(boards, [v, board, map, names]) {
  boards.push(newBoard(read(board)));
  return { v, board: boards.at(-1), map: data.maps[map], names: data.names[names] };
}

function insert(boards, index, v) {
  const board = boardOf(v);
  if (!board) return null;
  boards.splice(index, 0, newBoard(board));
  return { v, board: boards[index], map: [...board.cells.keys()], names: [] };
}

const newBoard = ({ places, cells }) => ({ places, cells, initial: cells, lines: [] });

const renamed = (names, cell) => {
  for (let i = 0; i < names.length; i += 2) if (names[i] === cell) return names[i + 1];
  return cell;
};

// The way in which a move was made; if the move does not say, the first way that leads to the same vertex, or null.
function wayOf({ from, to, way }) {
  const made = ways(from)[way];
  return made?.to === to ? made : (ways(from).find((other) => other.to === to) ?? null);
}

function apply(surface, components, move) {
  const left = Game.after(components, move);
  const count = left.length - components.length + 1;
  const ends = left.slice(move.component, move.component + count);
  const own = surface.placements[move.component];
  const way = own && wayOf(move);
  let boards = [...surface.boards];
  const others = surface.placements.filter((_, component) => component !== move.component);
  let index = own ? boards.indexOf(own.board) : boards.length;
  let board = null;
  if (own && way?.after) {
    board = changed(own, way);
    boards[index] = board;
    index += 1;
  } else if (own && !others.some((other) => other?.board === own.board)) boards.splice(index, 1);
  const parts = way ? [...way.parts] : [];
  const added = ends.map((v) => {
    const i = parts.findIndex((part) => part.v === v);
    const part = i < 0 ? null : parts.splice(i, 1)[0];
    if (board && part?.map) return carry(own, part, board);
    if (board && !Game.options(v).length) return { v, board, map: [], names: [] };
    return insert(boards, index, v);
  });
  if (board && ends.length && !added.some((each) => each?.board === board) && !others.some((each) => each?.board === own.board))
    boards = boards.filter((other) => other !== board);
  const moved = (each) => (board && each?.board === own.board ? { ...each, board } : each);
  const all = [...surface.placements.slice(0, move.component).map(moved), ...added, ...surface.placements.slice(move.component + 1).map(moved)];
  const cells = board ? way.changed.map((cell) => own.map[cell]).filter((cell) => cell >= 0) : null;
  const touched = board ? way.touched.map((cell) => own.map[cell]) : null;
  const last = board
    ? { board, cells, touched, before: own.board.cells, line: way.line && lineOn(own, way.line) }
    : { board: added.find(Boolean)?.board ?? null, cells: null, before: null, line: null };
  return { boards, placements: all, last };
}

function changed(own, way) {
  const cells = [...own.board.cells];
  for (const cell of way.changed) if (own.map[cell] >= 0) cells[own.map[cell]] = renamed(own.names, way.after[cell]);
  const lines = way.line ? [...own.board.lines, lineOn(own, way.line)] : own.board.lines;
  return { ...own.board, cells, lines };
}

function carry(own, part, board) {
  const map = part.map.map((cell) => (cell < 0 ? -1 : own.map[cell]));
  const pairs = part.names.map((cell, i) => (i % 2 ? renamed(own.names, cell) : cell));
  return { v: part.v, board, map, names: [...pairs, ...own.names] };
}

// The line of a cut in a component, in the coordinates of the board on which the component is shown. If the board shows
// the cells shifted or rotated as a whole, the line is shifted and rotated with them. If it shows them apart, the line
// is to the right of the cell that the vertex's own board has to the left of the line.
function lineOn(own, [x1, y1, x2, y2]) {
  const from = boardOf(own.v).places;
  const to = own.board.places;
  const at = (cell) => to[own.map[cell]];
  const right = from.findIndex(([x, y]) => x === from[0][0] + 1 && y === from[0][1]);
  const down = from.findIndex(([x, y]) => x === from[0][0] && y === from[0][1] + 1);
  const [ox, oy] = at(0);
  let u = right < 0 ? null : [at(right)[0] - ox, at(right)[1] - oy];
  let w = down < 0 ? null : [at(down)[0] - ox, at(down)[1] - oy];
  u ??= w ? [w[1], -w[0]] : [1, 0];
  w ??= [-u[1], u[0]];
  const carry = (x, y) => [ox + (x - from[0][0]) * u[0] + (y - from[0][1]) * w[0], oy + (x - from[0][0]) * u[1] + (y - from[0][1]) * w[1]];
  const rigid = from.every(([x, y], cell) => {
    const [a, b] = carry(x, y);
    return Math.hypot(a - at(cell)[0], b - at(cell)[1]) < 0.01;
  });
  if (rigid) return [...carry(x1, y1), ...carry(x2, y2)];
  const beside = from.findIndex(([x, y]) => x === x1 - 0.5 && y === (y1 + y2) / 2);
  const [x, y] = at(beside);
  return [x + 0.5, y - 0.5, x + 0.5, y + 0.5];
}

// The surface after all moves of a history. Calls between two moves return the same object.
let latest = { key: null, shown: null };

export function surface(start, history) {
  const key = [start, ...history.map(({ component, to, way }) => [component, to, way])].join(";");
  if (latest.key !== key) latest = { key, shown: replay(start, history) };
  return latest.shown;
}

function replay(start, history) {
  let components = start;
  let current = begin(start);
  for (const move of history) {
    current = apply(current, components, move);
    components = Game.after(components, move);
  }
  return current;
}

// The ways to move on a surface. Each has the numbers of the cells of the board that it concerns and, if it is a cut,
// the line of the cut in the coordinates of the board.
export function offers(shown, components) {
  return components.flatMap((v, component) => {
    const own = shown.placements[component];
    if (!own) return [];
    return ways(v).map((way, index) => ({
      component,
      from: v,
      to: way.to,
      way: index,
      board: own.board,
      touched: [...new Set(way.touched.map((cell) => own.map[cell]))],
      cells: way.changed.map((cell) => own.map[cell]),
      after: way.after && new Map(way.changed.map((cell) => [own.map[cell], renamed(own.names, way.after[cell])])),
      line: way.line && lineOn(own, way.line),
    }));
  });
}

export const exists = Boolean(data);

// The drawing of a vertex's board, or of all boards of a sum's parts; null if one of them has no board.
export function drawingOf(v, attributes) {
  const looks = (Game.isSum(v) ? Game.parts(v) : [v]).map(boardOf);
  return looks.length && looks.every(Boolean) ? picture(looks, attributes) : null;
}

export const picture = (boards, attributes) =>
  Drawings.picture(boards.map((board) => ({ ...board, cells: board.cells.map((cell) => kinds[cell]) })), attributes);
