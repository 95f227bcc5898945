// The shapes of the graph: vertices, tokens, arrows, and the legend of them all.

import * as Board from "./board.js";
import { el, svg } from "./dom.js";
import { box } from "./drawings.js";
import * as Game from "./game.js";
import { HEIGHT, WIDTH, WORDS } from "./layout.js";
import * as State from "./state.js";
import { amount, say } from "./text.js";

const [SHORT, LINE] = [16, 24];
const ROOMY = WORDS > 46; // True if names have room for two lines

// P is round with a double outline, N is a rectangle, D a rectangle with its corners cut off, a sum is pointed.
export function outline(v, outcome) {
  const [w, h] = [WIDTH / 2, HEIGHT / 2];
  const polygon = (...points) => svg("polygon.outline", { points: points.join(" ") });
  const rect = (kind, inset, rx) => box(kind, [0, 0], WIDTH - 2 * inset, HEIGHT - 2 * inset, { rx });
  if (Game.isSum(v)) return polygon(`${-w},0`, `${12 - w},${-h}`, `${w - 12},${-h}`, `${w},0`, `${w - 12},${h}`, `${12 - w},${h}`);
  if (outcome === "D")
    return polygon(
      ...[`${-w},${-h + 12}`, `${12 - w},${-h}`, `${w - 12},${-h}`, `${w},${-h + 12}`],
      ...[`${w},${h - 12}`, `${w - 12},${h}`, `${12 - w},${h}`, `${-w},${h - 12}`],
    );
  if (outcome === "P") return [rect("rect.outline", 0, WORDS / 2), rect("rect.inner", 4, WORDS / 2 - 4)];
  return rect("rect.outline", 0, outcome === "N" ? 3 : 12);
}

export function short(text, most = SHORT) {
  const line = text.split("\n", 1)[0];
  if (line.length > most) return `${line.slice(0, most / 2)}…${line.slice(1 - most / 2)}`;
  return line.length < text.length ? `${line.slice(0, most - 1)}…` : line;
}

// The lines of a name: two for a long name of several words, if vertices have room for them.
function lines(text) {
  const end = text.lastIndexOf(" ", LINE);
  if (!ROOMY || text.length <= SHORT || text.includes("\n") || end < 1) return [short(text)];
  return text.length <= LINE ? [text] : [text.slice(0, end), short(text.slice(end + 1), LINE)];
}

// The texts of a vertex: sign (⊕ for a sum, otherwise empty) and name, and below them the facts (outcome and value).
// facts is null if they are secret.
export function words(sign, text, facts, middle) {
  const [first, ...second] = lines(text);
  const up = 9 * second.length;
  const y = middle - up + (facts === null ? 5 : -4);
  const rest = second.map((line) => svg("tspan", { x: 0, y: y + 17 }, line));
  return [
    svg("text.name", { y }, sign + first, second.length ? " " : null, rest),
    " ",
    facts === null ? null : svg("text.facts", { y: middle + 14 + up }, short(facts)),
  ];
}

// The name for screen readers: what the vertex shows, and its full name if that is cut short.
export function spoken(sign, text, facts) {
  const shown = lines(text).join(" ");
  return [facts === null ? sign + shown : `${sign}${shown}: ${short(facts)}`, shown === text ? "" : text].filter(Boolean).join(", ");
}

// The board of a vertex, above its name; null if it has none, or if boards of this game have too many cells.
const boards = new Map();
export function board(v) {
  if (HEIGHT === WORDS) return null;
  const [x, y, width, height] = [4 - WIDTH / 2, 5 - HEIGHT / 2, WIDTH - 8, HEIGHT - WORDS];
  if (!boards.has(v)) {
    const drawing = Board.drawingOf(v, { x, y, width, height, role: null });
    const plate = { class: "plate", x: x + 4, y, width: width - 8, height, rx: 8 };
    boards.set(v, drawing?.querySelector(".cell") ? [svg("rect", plate), drawing] : null);
  }
  return boards.get(v);
}

export const piece = (count) =>
  svg(
    "g.piece",
    { transform: `translate(${5 - WIDTH / 2},${4 - HEIGHT / 2})` },
    svg("circle", { r: 10 }),
    count > 1 && svg("text", { y: 4 }, count),
  );

// The sign of a position that ends play, by the rules: a square in a disc.
export const end = (at = `translate(${WIDTH / 2 - 5},${4 - HEIGHT / 2})`) =>
  svg("g.end", { transform: at }, svg("circle", { r: 8 }), svg("rect", { x: -3, y: -3, width: 6, height: 6 }));

export const more = (hidden) =>
  svg(
    "g.more",
    { transform: `translate(${WIDTH / 2 - 2},${HEIGHT / 2 - 2})` },
    svg("title", amount(hidden, "{count} neighbour not shown", "{count} neighbours not shown")),
    svg("circle", { r: 8 }),
    svg("text", { y: 4 }, "+"),
  );

export const arrow = (kind) =>
  svg(
    "marker",
    {
      id: `arrow-${kind}`,
      class: `arrow ${kind}`,
      viewBox: "0 0 10 10",
      refX: 9,
      refY: 5,
      markerWidth: 11,
      markerHeight: 11,
      markerUnits: "userSpaceOnUse",
      orient: "auto",
    },
    svg("path", { d: "M0,1.5 L10,5 L0,8.5 z" }),
  );

export const badge = (outcome) => el("span", { class: `badge ${outcome ?? "unknown"}` }, outcome ?? "?");

export function legend() {
  const entry = (sign, text) => el("li", sign, el("span", text));
  const stop = () => svg("svg", { viewBox: "-17 -9 34 18", width: 34, height: 18, "aria-hidden": "true" }, end(null));
  const line = (kind) =>
    svg(
      "svg.sample",
      { viewBox: "0 0 34 12", width: 34, height: 12, "aria-hidden": "true" },
      svg("path", { class: `edge ${kind}`, d: "M1,6H30", "marker-end": `url(#arrow-${kind})` }),
    );
  return el(
    "ul",
    entry(badge("P"), say("P: the previous player wins")),
    entry(badge("N"), say("N: the next player wins")),
    Game.hasDraws && entry(badge("D"), say("D: a draw, nobody can force a win")),
    Game.decides && entry(stop(), say("position that ends play")),
    Game.data.sums.length ? entry(el("span.badge.sum", "⊕"), say("a sum of its parts")) : null,
    State.get().tokens ? entry(el("span.dot"), say("tokens")) : null,
    entry(line("best"), say("winning move of the tokens")),
    entry(line("good"), say("move to a P-position")),
    Game.hasDraws && entry(line("hold"), say("move that keeps a draw")),
    Game.decides && entry(line("loses"), say("move that loses at once")),
    entry(line("move"), say("move")),
  );
}
