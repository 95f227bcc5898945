// The picture of the graph: pan, zoom, keyboard and touch, and the neighbourhood that grows.

import { button, cheapest, el, icon, replace, svg, tick } from "./dom.js";
import * as Game from "./game.js";
import * as Layout from "./layout.js";
import { HEIGHT, WIDTH, WORDS } from "./layout.js";
import * as Match from "./match.js";
import * as Shapes from "./shapes.js";
import * as State from "./state.js";
import { amount, grouped, say } from "./text.js";
import * as Values from "./values.js";

const MIDDLE = (HEIGHT - WORDS) / 2; // of the text, which is below the board
const WHOLE = Game.data.layout !== null;
const MOST_SHOWN = 250;
const MOST_EDGES = 2000;
const MOST_OPTIONS = 18;
const MOST_PREDECESSORS = 10;
const FIRST_SHOWN = 36;
const ALL_SHOWN = 100;
const LEAST_READABLE = 0.5;
const TOOLS = 12;
const NEAR = 0.85; // from this scale on names can be read; below it vertices show only outcome and value, in larger type
const BRIEF = HEIGHT === WORDS && Game.labels.every((label) => label.length <= 4); // True if all labels are short: then name and value are larger
const MORE = 36;
const MANY_EDGES = 120;

let host, canvas, overlay, scene, choose, marks;
let shown = new Set();
let layout = { centres: new Map(), edges: [] };
let bounds = null;
let fitted = LEAST_READABLE; // the least scale for fitting the view; null if the reader has moved the view
let size = { width: 0, height: 0 };
const view = { x: 0, y: 0, k: 1 };
const measured = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });

// The vertices that are shown

function neighbours(v) {
  const hidden = (list, most) => list.filter((w) => !shown.has(w)).slice(0, most);
  return [...hidden(Game.options(v), MOST_OPTIONS), ...hidden(Game.predecessors(v), MOST_PREDECESSORS)];
}

const all = () => WHOLE || shown.size === Game.size;
const hiddenCount = (v) => new Set([...Game.options(v), ...Game.predecessors(v)].filter((w) => !shown.has(w))).size;

function around(starts) {
  shown = new Set(Game.size > ALL_SHOWN ? starts : Game.labels.keys());
  for (const v of shown) {
    if (shown.size >= FIRST_SHOWN) break;
    neighbours(v).forEach((w) => shown.add(w));
  }
  arrange();
  fit();
}

function arrange() {
  layout = WHOLE ? Layout.ofFile() : Layout.inLayers(shown);
  bounds = Layout.bounds(layout);
}

// Show a vertex and some more of its neighbours; if the vertex was shown already, it stays where it is on the screen. If
// no vertex shown is linked to it, or the drawing is too large, begin a new drawing around it.
export function grow(v) {
  if (all()) return;
  const linked = shown.has(v) || [...Game.options(v), ...Game.predecessors(v)].some((w) => shown.has(w));
  if (!linked || shown.size > MOST_SHOWN || layout.edges.length > MOST_EDGES) return around([v]);
  const before = layout.centres.get(v);
  shown.add(v);
  neighbours(v).forEach((w) => shown.add(w));
  arrange();
  const now = layout.centres.get(v);
  if (before) move({ x: view.x + (before.x - now.x) * view.k, y: view.y + (before.y - now.y) * view.k });
  else reveal(v);
}

// Add up to 36 neighbours of the vertices shown. If the whole drawing is then too small to read, show a part of it.
function more() {
  const most = Math.min(MOST_SHOWN, shown.size + MORE);
  for (const v of [...shown]) {
    for (const w of neighbours(v)) if (shown.size < most) shown.add(w);
  }
  arrange();
  fit(LEAST_READABLE);
  State.set({});
}

const canGrow = () => !all() && shown.size < MOST_SHOWN && [...shown].some((v) => hiddenCount(v));

// The view

function fit(least = 0) {
  if (!layout.centres.size) return;
  const { left, top, width, height } = bounds;
  const above = TOOLS + (host.querySelector(".tools")?.offsetHeight ?? 0);
  const free = canvas.clientHeight - above;
  const k = Math.min(1.4, canvas.clientWidth / width, free / height) || 1;
  Object.assign(view, {
    k,
    x: (canvas.clientWidth - width * k) / 2 - left * k,
    y: above + (free - height * k) / 2 - top * k,
  });
  if (k < least) {
    view.k = least;
    centre(State.get().selected);
    const spare = free - height * least;
    view.y = spare < 0 ? Math.min(view.y, above - top * least) : above + spare / 2 - top * least;
  }
  fitted = least;
  apply();
}

// If the window changes its size, keep the middle of the view; if the view was fitted, fit it again.
function resized() {
  const { width, height } = size;
  size = measured();
  if (fitted === null) pan((size.width - width) / 2, (size.height - height) / 2);
  else fit(fitted);
}

export function begin() {
  size = measured();
  fit(LEAST_READABLE);
}

function move(changes) {
  Object.assign(view, changes);
  fitted = null;
  apply();
}

function centre(v) {
  const at = layout.centres.get(v);
  if (at) move({ x: canvas.clientWidth / 2 - at.x * view.k, y: canvas.clientHeight / 2 - at.y * view.k });
}

// Move the view so that a vertex is visible, if it is not.
function reveal(v) {
  const at = layout.centres.get(v);
  if (!at) return;
  const [x, y] = [at.x * view.k + view.x, at.y * view.k + view.y];
  if (x < WIDTH / 2 || y < HEIGHT || x > canvas.clientWidth - WIDTH / 2 || y > canvas.clientHeight - HEIGHT)
    centre(v);
}

export function show(v) {
  if (v === null) return;
  grow(v);
  State.set({ selected: v });
  reveal(v);
}

export function select(v) {
  if (State.get().tab === "explore") grow(v);
  State.set({ selected: v });
  reveal(v);
  document.querySelector("#panel [data-position] h2")?.scrollIntoView({ block: "nearest" });
}

function apply() {
  canvas.classList.toggle("brief", BRIEF);
  canvas.classList.toggle("far", view.k < NEAR && !canvas.hasAttribute("viewBox"));
  if (canvas.hasAttribute("viewBox")) scene.removeAttribute("transform");
  else scene.setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.k})`);
}

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  const k = Math.min(4, Math.max(0.03, view.k * factor));
  move({ x: x - ((x - view.x) * k) / view.k, y: y - ((y - view.y) * k) / view.k, k });
}

const pan = (x, y) => move({ x: view.x + x, y: view.y + y });

// Before printing (begins), show all visible vertices at a size for paper; after it, show the view again.
export function print(begins) {
  if (!bounds) return;
  const { left, top, width, height } = bounds;
  const paper = { viewBox: [left, top, width, height].join(" "), width, height };
  for (const [name, value] of Object.entries(paper)) {
    if (begins) canvas.setAttribute(name, value);
    else canvas.removeAttribute(name);
  }
  apply();
}

// The drawing

function draw() {
  const marked = marks();
  const focused = document.activeElement?.closest?.("[data-vertex]")?.dataset.vertex;
  scene.replaceChildren(
    svg("g", layout.edges.map((edge) => drawEdge(edge, marked))),
    svg("g", [...layout.centres.keys()].map((v) => drawVertex(v, marked))),
  );
  if (focused !== undefined) focus(Number(focused));
  apply();
}

function drawEdge({ from, to, path }, marked) {
  const kind = kindOf(from, to, marked);
  return svg("path", {
    class: `edge ${kind}${fades(from, to, kind, marked) ? " faded" : ""}`,
    d: path,
    "marker-end": `url(#arrow-${kind})`,
    "data-edge": `${from} ${to}`,
  });
}

function kindOf(from, to, { good, hides, play }) {
  if (!hides(from) && good.steps.has(`${from} ${to}`)) return good.kind;
  if (Game.isSum(from)) return "part";
  if (hides(from)) return "move";
  if (Game.facts(from, play).outcome === "N" && Game.facts(to, play).outcome === "P") return "good";
  return Game.losesAtOnce(to) ? "loses" : "move";
}

// Whether an edge fades: in a match, if it is no possible move; in a step of a lesson, if it begins at no position of this
// step; with the winner's strategy, if it is no good move; in a graph with many edges, if it is not at the selected vertex.
function fades(from, to, kind, marked) {
  if (marked.playing) return !marked.steps.has(`${from} ${to}`);
  if (marked.now.size) return !marked.now.has(from);
  if (marked.strategy) return kind === "move" || kind === "loses";
  return layout.edges.length > MANY_EDGES && from !== marked.selected && to !== marked.selected;
}

function drawVertex(v, marked) {
  const { value, outcome } = Game.facts(v, marked.play);
  const secret = marked.hides(v);
  const shownOutcome = secret ? null : outcome;
  const at = layout.centres.get(v);
  const tokens = marked.tokens.get(v) || 0;
  const reachable = marked.reachable.has(v);
  const faded = marked.value !== null && Values.text(value) !== marked.value;
  const hidden = all() ? 0 : hiddenCount(v);
  const kind = secret ? "secret" : shownOutcome || "unknown";
  const classes = [
    "vertex",
    kind,
    v === marked.selected && !marked.now.size && "selected",
    marked.now.has(v) && "now",
    reachable && "reachable",
    faded && "faded",
    tokens && "held",
    v === marked.held && "picked",
  ];
  const sign = Game.isSum(v) ? "⊕ " : "";
  const facts = secret ? null : `${outcome ?? "?"} ${Values.text(value)}`;
  const vertex = svg(
    "g",
    {
      class: classes.filter(Boolean).join(" "),
      role: "button",
      "data-vertex": v,
      tabindex: v === marked.selected ? 0 : -1,
      "aria-label": [Shapes.spoken(sign, Game.labels[v], facts), tokens ? amount(tokens, "{count} token") : "", reachable ? say("possible move") : ""].filter(Boolean).join(", "),
      "aria-pressed": v === (marked.playing ? marked.held : marked.selected) ? "true" : "false",
    },
    svg("title", secret ? Game.labels[v] : say("{label}: {outcome}, value {value}", { label: Game.labels[v], outcome: outcome ?? "?", value: Values.text(value) })),
    Shapes.outline(v, shownOutcome),
    Shapes.words(sign, Game.labels[v], facts, MIDDLE),
  );
  const overlays = [Shapes.board(v), tokens ? Shapes.piece(tokens) : null, Game.ending(v) ? Shapes.end() : null, hidden ? Shapes.more(hidden) : null];
  return svg(
    "g.node",
    { transform: `translate(${at.x},${at.y})`, "data-node": v },
    vertex,
    svg("g", { "aria-hidden": "true" }, overlays), // outside the button, so that it is no part of the button's name
  );
}

const focus = (v) => canvas.querySelector(`[data-vertex="${v}"]`)?.focus({ preventScroll: true });

// Pointers and keys

const pointers = new Map();
let moved = false;

function pointerDown(event) {
  if (!pointers.size) moved = false;
  pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, startX: event.offsetX, startY: event.offsetY });
}

function pointerMove(event) {
  const last = pointers.get(event.pointerId);
  if (!last) return;
  const rect = canvas.getBoundingClientRect();
  const now = { ...last, x: event.clientX - rect.left, y: event.clientY - rect.top };
  if (!moved && Math.hypot(now.x - last.startX, now.y - last.startY) > 5) {
    moved = true;
    canvas.setPointerCapture(event.pointerId);
  }
  if (!moved) return;
  if (pointers.size === 1) pan(now.x - last.x, now.y - last.y);
  else pinch(event.pointerId, last, now);
  pointers.set(event.pointerId, now);
}

function pinch(id, last, now) {
  const other = [...pointers].find(([key]) => key !== id)[1];
  const length = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
  zoom(length(now) / length(last), (now.x + other.x) / 2, (now.y + other.y) / 2);
}

function pointerUp(event) {
  pointers.delete(event.pointerId);
}

function click(event) {
  const node = event.target.closest("[data-node]");
  if (node && !moved) choose(Number(node.dataset.node));
}

function wheel(event) {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.offsetX, event.offsetY);
}

const PAN = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
const KEYS = { "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: () => fit() };

function keyDown(event) {
  const at = event.target.closest?.("[data-vertex]");
  const v = at ? Number(at.dataset.vertex) : State.get().selected;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (KEYS[event.key]) KEYS[event.key]();
  else if (PAN[event.key] && event.shiftKey) pan(...PAN[event.key]);
  else if (PAN[event.key]) walk(v, event.key);
  else if (event.key === "Enter" || event.key === " ") choose(v);
  else if (event.key === "Escape") Match.letGo();
  else return;
  event.preventDefault();
}

// The arrow keys go down to an option, up to a predecessor, or sideways in the row: to the nearest one shown.
function walk(v, key) {
  const here = layout.centres.get(v);
  const linked = { ArrowDown: Game.options(v), ArrowUp: Game.predecessors(v) }[key];
  const beside = (w) =>
    Math.abs(layout.centres.get(w).y - here.y) < 2 &&
    Math.sign(layout.centres.get(w).x - here.x) === (key === "ArrowLeft" ? -1 : 1);
  const candidates = linked ? linked.filter((w) => layout.centres.has(w)) : [...layout.centres.keys()].filter(beside);
  const distance = (w) => Math.hypot(layout.centres.get(w).x - here.x, layout.centres.get(w).y - here.y);
  if (!here || !candidates.length) return;
  const next = cheapest(candidates, distance);
  canvas.querySelectorAll('[data-vertex][tabindex="0"]').forEach((other) => other.setAttribute("tabindex", -1));
  canvas.querySelector(`[data-vertex="${next}"]`).setAttribute("tabindex", 0);
  focus(next);
  reveal(next);
}

// The buttons and the legend over the graph, and the setup of the graph on the page

function tools() {
  const { strategy, tab } = State.get();
  const tool = (sign, name, press) => icon(sign, name, press, { "data-key": name });
  return [
    el(
      "div.tools",
      tool("+", say("Zoom in"), () => zoom(1.25)),
      tool("−", say("Zoom out"), () => zoom(0.8)),
      tool("⤢", say("Fit"), () => fit()),
      canGrow() && button(say("Show more"), more, { "data-key": "more" }),
      !all() && button(say("Only around this position"), onlyAround, { "data-key": "here" }),
      tab === "explore" && tick("strategy", say("Winner's strategy"), strategy, (on) => State.set({ strategy: on })),
    ),
    el("details.legend", { "data-key": "legend" }, el("summary", say("Legend")), Shapes.legend()),
    !all() && el("p.extent", extent()),
  ];
}

function onlyAround() {
  around([State.get().selected]);
  State.set({});
}

function extent() {
  const counts = { n: grouped(shown.size), all: grouped(Game.size) };
  return Game.data.sums.length
    ? say("{n} of {all} positions and sums shown; click one to show its neighbours", counts)
    : say("{n} of {all} positions shown; click one to show its neighbours", counts);
}

export function init(element, onChoose, toMark) {
  [host, choose, marks] = [element, onChoose, toMark];
  scene = svg("g");
  canvas = svg(
    "svg",
    {
      class: "canvas",
      role: "group",
      "data-canvas": true,
      pointerdown: pointerDown,
      pointermove: pointerMove,
      pointerup: pointerUp,
      pointercancel: pointerUp,
      click,
      keydown: keyDown,
    },
    svg("defs", ["move", "good", "best", "hold", "loses", "part"].map(Shapes.arrow)),
    scene,
  );
  canvas.addEventListener("wheel", wheel, { passive: false });
  overlay = el("div.overlay");
  host.append(canvas, overlay);
  if (Game.size) {
    if (WHOLE) arrange();
    else around(Match.components());
  }
  new ResizeObserver(resized).observe(canvas);
}

export function update() {
  canvas.setAttribute("aria-label", `${say("Graph of positions")}. ${say("Up and down arrows follow moves, left and right ones stay in the row, Enter chooses, plus and minus zoom, 0 shows the whole graph, Shift and arrows move the graph.")}`);
  replace(overlay, tools());
  draw();
}
