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
  const edges = [];
  for (const v of centres.keys()) {
    const start = Game.data.pointers[v];
    const seen = new Set();
    Game.parts(v).forEach((to, i) => {
      if (!seen.has(to)) edges.push({ from: v, to, path: paths[start + i] });
      seen.add(to);
    });
  }
  return { centres, edges };
}

// Layers from top to bottom. A move that skips layers passes each in a lane between the vertices; a lane has one target.
export function inLayers(shown) {
  const layers = layersOf(shown);
  const row = new Map(layers.flatMap((layer, i) => layer.map((v) => [v, i])));
  const links = [...shown].flatMap((from) => Game.options(from).map((to) => ({ from, to }))).filter(({ to }) => shown.has(to));
  const lanes = lanesOf(links, row);
  const rows = layers.map((layer, i) => [...layer.map(vertexAt), ...lanes[i].values()]);
  linkUp(links, row, lanes, rows);
  rows.forEach((items) => pack(items));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) (sweep % 2 ? [...rows].reverse() : rows).forEach(settle);
  const centres = new Map();
  rows.forEach((items, i) =>
    items.filter(({ v }) => v !== null).forEach(({ v, x }) => centres.set(v, { x: Math.round(x), y: i * LAYER })),
  );
  const lane = (to, i) => ({ x: Math.round(lanes[i].get(to).x), y: i * LAYER });
  const edges = links.map(({ from, to }) => {
    const [first, last] = [row.get(from), row.get(to)];
    const between = Array.from({ length: Math.max(0, last - first - 1) }, (_, i) => lane(to, first + 1 + i));
    return { from, to, path: curve(centres.get(from), between, centres.get(to)) };
  });
  return { centres, edges };
}

const vertexAt = (v) => ({ v, x: 0, wide: WIDTH, near: [] });

// For each row, the targets of the moves that pass it. All moves to the same target share a lane.
function lanesOf(links, row) {
  const lanes = Array.from({ length: Math.max(0, ...row.values()) + 1 }, () => new Map());
  for (const { from, to } of links) {
    for (let i = row.get(from) + 1; i < row.get(to); i += 1) {
      if (!lanes[i].has(to)) lanes[i].set(to, { v: null, x: 0, wide: LANE, near: [] });
    }
  }
  return lanes;
}

// The neighbours of each item (a vertex or a lane) in the rows above and below.
function linkUp(links, row, lanes, rows) {
  const items = new Map(rows.flat().map((item) => [item.v, item])); // lanes have v null, so they replace no vertex
  const linked = new Set();
  const join = (name, a, b) => {
    if (linked.has(name)) return;
    linked.add(name);
    a.near.push(b);
    b.near.push(a);
  };
  for (const { from, to } of links) {
    let last = items.get(from);
    let name = `v${from}`;
    for (let i = row.get(from) + 1; i < row.get(to); i += 1) {
      const next = lanes[i].get(to);
      join(`${name} ${to} ${i}`, last, next);
      [last, name] = [next, "lane"];
    }
    join(`${name} ${to} end`, last, items.get(to));
  }
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

// The path of an edge: straight through its lanes, bent between the rows.
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

// The path of a move upwards or within a row: it leaves and arrives at the side.
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
