// Where the vertices stand that are shown: by Graphviz where the file has it, else in layers by longest play.
"use strict";

const Layout = (() => {
  const WIDTH = Game.data.width;
  const HEIGHT = 46;
  const GAP = WIDTH + 26;
  const LAYER = HEIGHT + 62;
  const MARGIN = 24;
  const SWEEPS = 6;
  const WIDEST = 9;

  function ofFile() {
    const { x, y, paths } = Game.data.layout;
    const place = new Map(x.map((_, v) => [v, { x: x[v], y: y[v] }]));
    const edges = [];
    for (const v of place.keys()) {
      const start = Game.data.pointers[v];
      const seen = new Set();
      Game.parts(v).forEach((to, i) => {
        if (!seen.has(to)) edges.push({ from: v, to, path: paths[start + i] });
        seen.add(to);
      });
    }
    return { place, edges };
  }

  function inLayers(shown) {
    const near = new Map(
      [...shown].map((v) => [v, [...Game.options(v), ...Game.predecessors(v)].filter((w) => shown.has(w))]),
    );
    const layers = layersOf(shown);
    const column = new Map();
    layers.forEach((layer) => layer.forEach((v, i) => column.set(v, (i - (layer.length - 1) / 2) * GAP)));
    for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
      const order = sweep % 2 ? [...layers].reverse() : layers;
      order.forEach((layer) => settle(layer, near, column));
    }
    const place = new Map();
    layers.forEach((layer, i) => layer.forEach((v) => place.set(v, { x: column.get(v), y: i * LAYER })));
    return { place, edges: edgesOf(shown, place) };
  }

  // By the longest play among what is shown; a wide layer becomes several rows.
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

  // Moves each vertex of a layer towards the middle of its neighbours, and keeps them apart.
  function settle(layer, near, column) {
    const wish = new Map(
      layer.map((v) => [
        v,
        mean(
          near.get(v).map((w) => column.get(w)),
          column.get(v),
        ),
      ]),
    );
    layer.sort((a, b) => wish.get(a) - wish.get(b) || a - b);
    let last = -Infinity;
    for (const v of layer) {
      last = Math.max(wish.get(v), last + GAP);
      column.set(v, last);
    }
    const shift = mean(
      layer.map((v) => wish.get(v) - column.get(v)),
      0,
    );
    for (const v of layer) column.set(v, column.get(v) + shift);
  }

  const mean = (numbers, otherwise) =>
    numbers.length ? numbers.reduce((a, b) => a + b, 0) / numbers.length : otherwise;

  function edgesOf(shown, place) {
    const edges = [];
    for (const from of shown) {
      for (const to of Game.options(from)) {
        if (shown.has(to)) edges.push({ from, to, path: curve(place.get(from), place.get(to)) });
      }
    }
    return edges;
  }

  // An edge that skips layers swings out, so that it does not run through the vertices between.
  function curve(start, end) {
    if (end.y <= start.y) return detour(start, end);
    const skipped = (end.y - start.y) / LAYER - 1;
    const [top, bottom] = [start.y + HEIGHT / 2, end.y - HEIGHT / 2];
    if (skipped < 0.5) return `M${start.x},${top}C${start.x},${top + 26} ${end.x},${bottom - 26} ${end.x},${bottom}`;
    const side = end.x === start.x ? (skipped % 2 ? 1 : -1) : Math.sign(end.x - start.x);
    const out = side * (WIDTH / 2 + 14 + 10 * Math.min(skipped, 30));
    return `M${start.x + (side * WIDTH) / 4},${top}C${start.x + out},${top + LAYER / 2} ${end.x + out},${bottom - LAYER / 2} ${end.x + (side * WIDTH) / 4},${bottom}`;
  }

  // A move that leads round, upwards or within a row, leaves and arrives at the side.
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
  function bounds(laid) {
    const corners = [...laid.place.values()].flatMap(({ x, y }) => [
      { x: x - WIDTH / 2, y: y - HEIGHT / 2 },
      { x: x + WIDTH / 2, y: y + HEIGHT / 2 },
    ]);
    const bends = laid.edges
      .flatMap(({ path }) => path.match(/-?[\d.]+,-?[\d.]+/g))
      .map((pair) => pair.split(",").map(Number))
      .map(([x, y]) => ({ x, y }));
    const range = (numbers) =>
      numbers.reduce(([least, most], n) => [Math.min(least, n), Math.max(most, n)], [Infinity, -Infinity]);
    const [[left, right], [top, bottom]] = [
      range([...corners, ...bends].map(({ x }) => x)),
      range([...corners, ...bends].map(({ y }) => y)),
    ];
    return {
      left: left - MARGIN,
      top: top - MARGIN,
      width: right - left + 2 * MARGIN,
      height: bottom - top + 2 * MARGIN,
    };
  }

  return { HEIGHT, WIDTH, bounds, inLayers, ofFile };
})();
