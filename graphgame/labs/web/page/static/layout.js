// The places of the vertices shown: Graphviz's layout if the file has one, otherwise layers by longest play.

import * as Game from "./game.js";

export const WIDTH = Game.data.width;
export const HEIGHT = Game.data.height;
export const WORDS = Game.data.words; // the part of the height for name and value, below a board
const GAP = WIDTH + 26;
const LAYER = HEIGHT + 62;
const MARGIN = 24;
const SWEEPS = 12;
const LANE = 9;
const WIDEST = 9;

export function ofFile() {
  const { x, y, paths } = Game.data.layout;
  const centres = new Map(x.map((_, v) => [v, { x: x[v], y: y[v] }]));
  const path = (v, to) => paths[Game.data.pointers[v] + Game.parts(v).indexOf(to)];
  const edges = [...centres.keys()].flatMap((from) => Game.options(from).map((to) => ({ from, to, path: path(from, to) })));
  return { centres, edges };
}

// Layers from top to bottom. A move that skips layers passes each in a lane between the vertices. All moves to the same
// target share a lane.
export function inLayers(shown) {
  const item = (v, row, wide) => ({ v, row, wide, x: 0, y: row * LAYER, near: [] }); // a vertex, or a lane with v null
  const rows = layersOf(shown).map((layer, i) => layer.map((v) => item(v, i, WIDTH)));
  const vertices = new Map(rows.flat().map((vertex) => [vertex.v, vertex]));
  const lanes = new Map();
  const laneOf = (to, i) => {
    const name = `${to} ${i}`;
    if (!lanes.has(name)) {
      lanes.set(name, item(null, i, LANE));
      rows[i].push(lanes.get(name));
    }
    return lanes.get(name);
  };
  const edges = [];
  for (const from of shown) {
    for (const to of Game.options(from).filter((w) => shown.has(w))) {
      const [start, end] = [vertices.get(from), vertices.get(to)];
      const between = Array.from({ length: Math.max(0, end.row - start.row - 1) }, (_, i) => laneOf(to, start.row + 1 + i));
      [...between, end].reduce(join, start);
      edges.push({ from, to, start, between, end });
    }
  }
  rows.forEach(pack);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) (sweep % 2 ? [...rows].reverse() : rows).forEach(settle);
  const placed = rows.flat();
  for (const each of placed) each.x = Math.round(each.x);
  return {
    centres: new Map(placed.filter(({ v }) => v !== null).map((vertex) => [vertex.v, vertex])),
    edges: edges.map(({ from, to, start, between, end }) => ({ from, to, path: curve(start, between, end) })),
  };
}

// Record that an edge connects two items of neighbouring rows. Moves to the same target share lanes, so the connection
// of a lane to the next item may be recorded already: do not record it twice.
function join(a, b) {
  if (a.v !== null || !a.near.includes(b)) {
    a.near.push(b);
    b.near.push(a);
  }
  return b;
}

// Rows by the longest play among the vertices shown; a wide layer becomes several rows.
function layersOf(shown) {
  const level = new Map();
  const layers = [];
  for (const v of [...shown].sort((a, b) => Game.depth[a] - Game.depth[b] || a - b)) {
    const below = Game.options(v)
      .filter((w) => level.has(w))
      .map((w) => level.get(w) + 1);
    level.set(v, Math.max(0, ...below));
    layers[level.get(v)] = [...(layers[level.get(v)] || []), v];
  }
  return layers.reverse().flatMap(rowsOf);
}

function rowsOf(layer) {
  const rows = Math.ceil(layer.length / WIDEST);
  return Array.from({ length: rows }, (_, row) => layer.filter((_v, i) => i % rows === row));
}

const spacing = (a, b) => (a.wide + b.wide) / 2 + (a.v === null && b.v === null ? 0 : GAP - WIDTH);

// Place the items of a row side by side, centred.
function pack(items) {
  let at = 0;
  items.forEach((item, i) => {
    at += i ? spacing(items[i - 1], item) : 0;
    item.x = at;
  });
  items.forEach((item) => (item.x -= at / 2));
}

// Move the items of a row towards the mean of their neighbours, without overlap.
function settle(items) {
  const target = new Map(items.map((item) => [ item, mean( item.near.map(({ x }) => x), item.x, ), ]));
  items.sort((a, b) => target.get(a) - target.get(b) || (a.v ?? -1) - (b.v ?? -1));
  items.forEach((item, i) => {
    const least = i ? items[i - 1].x + spacing(items[i - 1], item) : -Infinity;
    item.x = Math.max(target.get(item), least);
  });
  const shift = mean(items.map((item) => target.get(item) - item.x), 0);
  for (const item of items) item.x += shift;
}

const mean = (numbers, otherwise) =>
  numbers.length ? numbers.reduce((a, b) => a + b, 0) / numbers.length : otherwise;

// The SVG path of an edge: vertical in its lanes, curved between the rows. An edge that does not lead down is a detour.
function curve(start, lanes, end) {
  if (end.y <= start.y) return detour(start, end);
  let [x, y] = [start.x, start.y + HEIGHT / 2];
  let path = `M${x},${y}`;
  for (const stop of [...lanes, end]) {
    const top = stop.y - HEIGHT / 2;
    const bend = (top - y) / 2;
    path += `C${x},${y + bend} ${stop.x},${top - bend} ${stop.x},${top}`;
    if (stop !== end) path += `L${stop.x},${stop.y + HEIGHT / 2}`;
    [x, y] = [stop.x, stop.y + HEIGHT / 2];
  }
  return path;
}

// The path of a move that does not go down: a move upwards begins and ends at the sides of the two vertices, a move
// within a row runs below the row, and a loop is at the right of its vertex.
function detour(start, end) {
  if (start === end) {
    const [x, y] = [start.x + WIDTH / 2, start.y];
    return `M${x},${y - 9}C${x + 34},${y - 26} ${x + 34},${y + 26} ${x},${y + 9}`;
  }
  if (end.y === start.y) {
    const [y, low] = [start.y + HEIGHT / 2, start.y + HEIGHT / 2 + 40];
    return `M${start.x},${y}C${start.x},${low} ${end.x},${low} ${end.x},${y}`;
  }
  const side = end.x < start.x ? -1 : 1;
  const far = side * Math.max(side * start.x, side * end.x);
  const out = far + side * (WIDTH / 2 + 30 + Math.min((start.y - end.y) / 8, 90));
  return `M${start.x + (side * WIDTH) / 2},${start.y}C${out},${start.y} ${out},${end.y} ${end.x + (side * WIDTH) / 2},${end.y}`;
}

// The rectangle that holds all vertices and edges.
export function bounds({ centres: points, edges }) {
  const range = (numbers) =>
    numbers.reduce(([least, most], n) => [Math.min(least, n), Math.max(most, n)], [Infinity, -Infinity]);
  const centres = [...points.values()];
  const bends = edges.flatMap(({ path }) => [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)]);
  const along = (axis, half, part) =>
    range([...centres.flatMap((at) => [at[axis] - half, at[axis] + half]), ...bends.map((bend) => Number(bend[part]))]);
  const [left, right] = along("x", WIDTH / 2, 1);
  const [top, bottom] = along("y", HEIGHT / 2, 2);
  return {
    left: left - MARGIN,
    top: top - MARGIN,
    width: right - left + 2 * MARGIN,
    height: bottom - top + 2 * MARGIN,
  };
}
