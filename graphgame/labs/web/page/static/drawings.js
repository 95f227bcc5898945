// Draw the cells of boards as SVG shapes. A cell is one unit wide.

import { svg } from "./dom.js";

const PADDING = 0.35;
export const isLine = (place) => place.length > 2;

// A rectangle around a point.
export const box = (kind, [x, y], width, height, attributes) =>
  svg(kind, { x: x - width / 2, y: y - height / 2, width, height, ...attributes });

// The shapes of one cell, by its kind; null if it is blank.
export function cell({ kind, text }, place) {
  if (kind === "blank") return null;
  const [x, y] = place;
  const square = () => box("rect.body", place, 0.94, 0.94, { rx: 0.08 });
  const disc = (r, name = "body") => svg("circle", { class: name, cx: x, cy: y, r });
  const words = (size = 0.42) => (text ? label(text, x, y, size) : null);
  const path = (d, name = "sign") => svg("path", { class: name, d });
  const turned = (letter) => [disc(0.44), disc(0.34, "rim"), label(text || letter, x, y, 0.4)];
  const shapes = {
    note: () => label(text, x, y, text.length > 4 ? 0.78 : 0.5),
    piece: () => [disc(0.4), disc(0.22, "gloss"), words()],
    pin: () => [
      path(`M${x - 0.12},${y - 0.2} C${x - 0.12},${y - 0.52} ${x + 0.12},${y - 0.52} ${x + 0.12},${y - 0.2} C${x + 0.1},${y - 0.05} ${x + 0.22},${y + 0.1} ${x + 0.16},${y + 0.46} H${x - 0.16} C${x - 0.22},${y + 0.1} ${x - 0.1},${y - 0.05} ${x - 0.12},${y - 0.2}z`, "body"),
      path(`M${x - 0.13},${y - 0.16}H${x + 0.13}`, "band"),
    ],
    coin: () => [square(), disc(0.34, "man"), words(0.36)],
    cross: () => [square(), path(`M${x - 0.24},${y - 0.24}l.48,.48m0,-.48l-.48,.48`)],
    poison: () => [square(), words() ?? path(`M${x - 0.2},${y - 0.2}l.4,.4m0,-.4l-.4,.4`)],
    sweet: () => [square(), box("rect.gloss", place, 0.6, 0.6, { rx: 0.06 })],
    heads: () => turned("H"),
    tails: () => turned("T"),
    token: () => [disc(0.36), disc(0.24, "man")],
    vertex: () => [disc(0.36), words(0.34)],
    colour: () => [box(`rect.body.tone-${text}`, place, 0.84, 0.84, { rx: 0.42 - 0.06 * Number(text) }), words()],
    edge: () => line(place),
    arc: () => line(place, true),
    ground: () => line(place),
    region: () => svg("rect.body", { x, y, width: place[2] - x, height: place[3] - y, rx: 0.5 }),
    cut: () => path(`M${x},${y - 0.5}v1`),
  };
  return svg("g", { class: `cell k-${kind}` }, shapes[kind]?.() ?? [square(), words()]);
}

const label = (text, x, y, size) =>
  svg(
    "text",
    { x, y: y + size * 0.36, "font-size": text.length > 2 ? Math.max(0.16, (size * 2.4) / text.length) : size },
    text,
  );

// A line between two cells, bent aside if several lines have the same ends; a loop if both ends are the same.
function line([x1, y1, x2, y2, bend = 0], isArc = false) {
  if (x1 === x2 && y1 === y2) {
    const r = 0.45 + 0.2 * Math.abs(bend);
    return svg("circle.stroke", { cx: x1, cy: y1 - r, r });
  }
  const far = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / far, (y2 - y1) / far];
  const [mx, my] = [(x1 + x2) / 2 - uy * bend * 0.7, (y1 + y2) / 2 + ux * bend * 0.7];
  const d = bend ? `M${x1},${y1}Q${mx},${my} ${x2},${y2}` : `M${x1},${y1}L${x2},${y2}`;
  const shapes = [svg("path.stroke", { d })];
  const [tx, ty] = [x2 - ux * 0.38, y2 - uy * 0.38];
  if (isArc)
    shapes.push(svg("path.tip", { d: `M${tx},${ty}L${tx - ux * 0.28 - uy * 0.14},${ty - uy * 0.28 + ux * 0.14}L${tx - ux * 0.28 + uy * 0.14},${ty - uy * 0.28 - ux * 0.14}z` }));
  return svg("g", shapes);
}

// The middle of a cell, or of a line, also if it is bent; for a loop, the point of it that is farthest from its end.
export const middle = (place) => {
  if (!isLine(place)) return place;
  const [x1, y1, x2, y2, bend = 0] = place;
  if (x1 === x2 && y1 === y2) return [x1, y1 - 0.9 - 0.4 * Math.abs(bend)];
  const far = Math.hypot(x2 - x1, y2 - y1);
  return [(x1 + x2) / 2 - ((y2 - y1) / far) * bend * 0.35, (y1 + y2) / 2 + ((x2 - x1) / far) * bend * 0.35];
};

// {x, y, width, height}: the rectangle around a board.
export function extent(places) {
  if (!places.length) return { x: -0.5, y: -0.5, width: 1, height: 1 };
  const xs = places.flatMap((place) => (isLine(place) ? [place[0] + 0.4, place[2] - 0.4, place[0] - 0.4, place[2] + 0.4] : [place[0] - 0.5, place[0] + 0.5]));
  const ys = places.flatMap((place) => (isLine(place) ? [place[1], place[3], ...(place[0] === place[2] && place[1] === place[3] ? [place[1] - 1.1 - 0.4 * Math.abs(place[4] ?? 0)] : [])] : [place[1] - 0.5, place[1] + 0.5]));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

// Draw lines first, so that the cells at their ends cover them.
export const ordered = (places) => [...places.keys()].sort((a, b) => isLine(places[b]) - isLine(places[a]) || a - b);

export const cutLine = ([x1, y1, x2, y2]) => svg("path.cutline", { d: `M${x1},${y1}L${x2},${y2}` });

// A picture of some boards side by side. A board is {places, cells, lines, marked}: each cell is {kind, text}, lines
// are those of cuts, and marked has the indices of the cells to mark.
export function picture(boards, attributes = {}) {
  let at = 0;
  let [low, high] = [0, 1];
  const groups = boards.map(({ places, cells, lines = [], marked = [] }) => {
    const { x, y, width, height } = extent(places);
    const shift = at - x;
    at += width + 0.6;
    low = Math.min(low, -height / 2);
    high = Math.max(high, height / 2);
    return svg(
      "g",
      { transform: `translate(${shift},${-y - height / 2})` },
      ordered(places).map((i) => cell(cells[i], places[i])),
      lines.map(cutLine),
      marked.map((i) => svg("circle.spot", { cx: middle(places[i])[0], cy: middle(places[i])[1], r: 0.47 })),
    );
  });
  high = Math.max(high, -low);
  const [width, height] = [Math.max(at - 0.6, 1) + 2 * PADDING, 2 * high + 2 * PADDING];
  return svg(
    "svg.drawing",
    { role: "img", viewBox: `${-PADDING} ${-high - PADDING} ${width} ${height}`, ...attributes },
    groups,
  );
}
