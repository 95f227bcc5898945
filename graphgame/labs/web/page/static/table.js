// Draw the boards of a match: cells, parts to touch, the last move, good moves, and animations.

import * as Board from "./board.js";
import { cheapest, svg } from "./dom.js";
import * as Drawings from "./drawings.js";
import * as Game from "./game.js";
import * as Moves from "./moves.js";
import * as Puzzle from "./puzzle.js";
import { amount, say } from "./text.js";
import * as Touch from "./touch.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const LARGEST = 112; // pixels of the largest cell
const MOST_MARKED = 12;
const FEW = 2;
const GAP = 1;

let host, surface, aims;
let lost = null; // the part that had the focus, until the board has parts to touch again

// Arrange the boards in rows so that they are as large as possible.
function arranged(boards, aspect) {
  const boxes = boards.map(({ places }) => Drawings.extent(places));
  let best = null;
  for (let across = 1; across <= boxes.length; across += 1) {
    const rows = [];
    for (let i = 0; i < boxes.length; i += across) rows.push(boxes.slice(i, i + across));
    const width = Math.max(...rows.map((row) => row.reduce((sum, box) => sum + box.width + GAP, -GAP)));
    const height = rows.reduce((sum, row) => sum + Math.max(...row.map((box) => box.height)) + GAP, -GAP);
    const size = Math.min(aspect / width, 1 / height);
    if (!best || size > best.size * 1.02) best = { size, rows, width, height };
  }
  const at = [];
  let y = 0;
  for (const row of best.rows) {
    const high = Math.max(...row.map((box) => box.height));
    let x = (best.width - row.reduce((sum, box) => sum + box.width + GAP, -GAP)) / 2;
    for (const box of row) {
      at.push([x - box.x, y + high - box.height - box.y]);
      x += box.width + GAP;
    }
    y += high + GAP;
  }
  return { at, width: best.width, height: best.height };
}

// Draw a surface into an element. good maps the keys of the moves to mark, good ones and those that lose at once, to
// their aims. The part with the key focused gets the focus; if there is none and byKeyboard is true, the nearest part.
export function draw(element, next, good, focused, byKeyboard) {
  [host, surface, aims] = [element, next, good];
  host.replaceChildren(picture());
  const all = [...host.querySelectorAll("[data-key]")];
  if (focused) lost = byKeyboard ? focused : null;
  else if (document.activeElement !== document.body) lost = null;
  const target = all.find((part) => part.dataset.key === focused) ?? (lost && nearest(all, lost));
  (target ?? all[0])?.setAttribute("tabindex", 0);
  target?.focus({ preventScroll: true });
  preview(Touch.offered());
}

// The part whose cell number is nearest to that in a key, on the same board if there is one. The part with this key was
// removed by a move.
function nearest(all, key) {
  const split = (name) => name.split("-").slice(-2).map(Number);
  const [board, cell] = split(key);
  const far = ([otherBoard, other]) => Math.abs(otherBoard - board) * 1e6 + Math.abs(other - cell) || 0;
  return cheapest(all, (part) => far(split(part.dataset.key)));
}

function picture() {
  const { clientWidth: wide, clientHeight: high } = host;
  const { at, width, height } = arranged(surface.boards, wide / Math.max(high, 1));
  const [w, h] = [Math.max(width + 0.7, wide / LARGEST), Math.max(height + 0.7, high / LARGEST)];
  return svg(
    "svg",
    {
      viewBox: `${(width - w) / 2} ${(height - h) / 2} ${w} ${h}`,
      role: "group",
      "aria-label": say("The board: arrow keys go from cell to cell, Enter touches a cell, Escape cancels the choice."),
      keydown: steer,
      pointerleave: () => preview([]),
    },
    surface.boards.map((board, number) =>
      svg("g", { transform: `translate(${at[number].join()})`, "data-board": number }, shapes(board, number)),
    ),
  );
}

function shapes(board, number) {
  const { last } = surface;
  const order = Drawings.ordered(board.places);
  const marked = last?.board === board ? (last.touched?.length ? last.touched : (last.cells ?? [])) : [];
  return [
    order.map((cell) => ghost(board, cell)),
    order.map((cell) => spot(board, number, cell, marked.includes(cell))),
    board.lines.map(Drawings.cutLine),
    Touch.pairsOf(board).map((offers) => pairZone(board, offers)),
    Touch.linesOf(board).map((offers) => lineZone(board, offers)),
    marked.map((cell) => mark(board, cell)),
    hints(board),
  ];
}

// A small mark on a blank cell that was not blank when its board first appeared.
function ghost(board, cell) {
  if (!Board.isBlank(board.cells[cell]) || Board.isBlank(board.initial[cell]) || Drawings.isLine(board.places[cell])) return null;
  const [x, y] = board.places[cell];
  return svg("circle.ghost", { cx: x, cy: y, r: 0.07 });
}

function spot(board, number, cell, isLast) {
  const kind = Board.kinds[board.cells[cell]];
  const place = board.places[cell];
  const offers = Puzzle.contest().computersTurn() ? [] : Touch.touching(board, [cell]);
  const shape = Drawings.cell(kind, place);
  if (!shape && !offers.length) return null;
  const on = Touch.cellsPicked(board).includes(cell);
  const name = `spot-cell${offers.length ? " free" : ""}${on ? " picked" : ""}${isLast ? " lately" : ""}`;
  const attributes = { class: name, "data-spot": `${number} ${cell}` };
  if (!offers.length) return svg("g", attributes, shape);
  return svg(
    "g",
    attributes,
    touchable(cellName(board, cell, kind, offers), `cell-${number}-${cell}`, () => Touch.touch(board, cell), () => Touch.movesAt(board, cell)),
    { "aria-pressed": on ? "true" : null, "data-moves": offers.length },
    shape,
    Drawings.isLine(place) ? svg("path.zone", { d: through(place) }) : Drawings.box("rect.zone", place, 1, 1),
    !Drawings.isLine(place) && Drawings.box("rect.ring", place, 0.94, 0.94, { rx: 0.16 }),
  );
}

const through = ([x1, y1, x2, y2]) => `M${x1},${y1}L${x2},${y2}`;

// Make a part of the board a button. While the pointer or the focus is on it, its moves are marked.
const touchable = (name, key, click, moves) => ({
  role: "button",
  tabindex: -1,
  "aria-label": name,
  "data-key": key,
  click,
  pointerenter: () => preview(moves()),
  focus: () => preview(moves()),
});

const kinds = () => ({
  arc: say("arc"),
  blank: say("nothing"),
  coin: say("piece"),
  colour: say("coloured vertex"),
  cross: say("cross"),
  edge: say("edge"),
  heads: say("heads"),
  note: say("sign"),
  paper: say("paper"),
  piece: say("piece"),
  pin: say("pin"),
  poison: say("poisoned square"),
  square: say("square"),
  sweet: say("chocolate"),
  tails: say("tails"),
  taken: say("taken"),
  token: say("token"),
  vertex: say("vertex"),
});

function cellName(board, cell, { kind, text }, offers) {
  const [x, y] = Drawings.middle(board.places[cell]);
  const box = Drawings.extent(board.places);
  const grid = board.places.every((place) => place.length === 2 && Number.isInteger(place[0]) && Number.isInteger(place[1]));
  const place = grid ? say("row {row}, column {column}", { row: Math.round(y - box.y + 0.5), column: Math.round(x - box.x + 0.5) }) : `${cell + 1}`;
  const all = offers.map((offer) => aims.get(Moves.key(offer)));
  const aim = all.find((each) => Moves.rank(each) > 0) ?? (all.every((each) => each === "L") ? all[0] : null);
  return [kinds()[kind] ?? kind, text, place, offers.length === 1 ? say("a move") : amount(offers.length, "{count} move"), aim ? Moves.meaning(aim) : ""].filter(Boolean).join(", ");
}

const mark = (board, cell) => Drawings.box("rect.last", Drawings.middle(board.places[cell]), 0.98, 0.98, { rx: 0.2 });

function pairZone(board, offers) {
  const [a, b] = offers[0].touched.map((cell) => board.places[cell]);
  const [width, height] = a[1] === b[1] ? [0.4, 0.8] : [0.8, 0.4];
  return Drawings.box("rect.zone.pair", [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], width, height, {
    "data-pair": `${surface.boards.indexOf(board)} ${[...offers[0].touched].sort((p, q) => p - q).join(" ")}`,
    click: () => Touch.choose(offers),
    pointerenter: () => preview(offers),
  });
}

function lineZone(board, offers) {
  const [d, key] = [through(offers[0].line), lineKey(offers[0])];
  const name = say("cut that leads to {label}", { label: Game.labels[offers[0].to] });
  return svg(
    "g.cut.free",
    touchable(name, `line-${key}`, () => Touch.choose(offers), () => offers),
    { "data-line": key },
    svg("path.zone", { d }),
    svg("path.guide", { d }),
  );
}

// Mark on the board the moves that win, keep a draw or lose at once: by a sign, and by a line or frames on the cells
// that they touch. If there are many, mark only the next cell to touch. Moves of a heap that is too large to show piece
// by piece touch no cell: only the buttons show them.

function hints(board) {
  const cells = Touch.cellsPicked(board);
  const visible = Touch.offersOn(board).filter((offer) => offer.line || offer.touched.length);
  const wanted = visible.filter((offer) => aims.has(Moves.key(offer)) && Touch.within(cells, offer.touched));
  const cuts = wanted.filter((offer) => !Touch.handles(offer).length).map((offer) => hint(offer, []));
  const ofCells = wanted.filter((offer) => Touch.handles(offer).length);
  const loses = (offer) => aims.get(Moves.key(offer)) === "L";
  return [cuts, hintsOf(ofCells.filter(loses), cells), hintsOf(ofCells.filter((offer) => !loses(offer)), cells)];
}

function hintsOf(good, cells) {
  const near = (offer) => spotsOf(offer).length < 2 || (spotsOf(offer).length === 2 && far(...spotsOf(offer)) < 1.5);
  if (good.length <= FEW || (good.length <= MOST_MARKED && good.every(near))) return good.map((offer) => hint(offer, Touch.handles(offer)));
  const next = new Map(good.map((offer) => [Touch.handles(offer).find((cell) => !cells.includes(cell)), offer]));
  return [...next].map(([cell, offer]) => hint(offer, [cell]));
}

const far = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

function spotsOf(offer) {
  return Touch.handles(offer).map((cell) => Drawings.middle(offer.board.places[cell]));
}

// The marks of a move: a line along an edge or through two cells that are close together; otherwise a frame around each
// cell, and arcs from the first cell to the others.
function hint(offer, cells) {
  const aim = aims.get(Moves.key(offer));
  const places = cells.map((cell) => offer.board.places[cell]);
  const spots = places.map(Drawings.middle);
  const joined = spots.length === 2 && far(...spots) < 1.5;
  const edge = places.length === 1 && Drawings.isLine(places[0]);
  const arc = ([a, b], [c, d]) => `M${a},${b - 0.46}Q${(a + c) / 2},${Math.min(b, d) - 0.46 - 0.12 * far([a, b], [c, d])} ${c},${d - 0.46}`;
  const straight = joined ? spots.flat() : edge ? places[0] : null;
  const paths = straight ? [through(straight)] : spots.slice(1).map((spot, i) => arc(spots[i], spot));
  const [x, y] = seal(offer, spots, straight);
  return svg(
    "g",
    { class: `good ${aim}`, "aria-hidden": "true", "data-good": Moves.key(offer) },
    paths.map((d) => svg("path.through", { d })),
    !straight && spots.map((spot) => Drawings.box("rect.frame", spot, 0.9, 0.9, { rx: 0.14 })),
    svg("circle.seal", { cx: x, cy: y, r: 0.2 }),
    svg("text", { x, y: y + 0.1, "font-size": 0.28 }, Moves.sign(aim)),
  );
}

// The point [x, y] of a move's sign: near the left or upper end of a cut, where no other cut crosses it; in the middle
// of an edge or between two adjacent cells; otherwise in the upper right corner of the first cell.
function seal({ line }, spots, within) {
  if (line && !spots.length) return [Math.min(line[0], line[2]) + (line[2] - line[0] ? 0.3 : 0), Math.min(line[1], line[3]) + (line[3] - line[1] ? 0.3 : 0)];
  const [x, y] = [0, 1].map((axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length);
  return within ? [x, y] : [spots[0][0] + 0.32, spots[0][1] - 0.32];
}

// Preview: mark what a move would change while the pointer or the focus is on it.

export function preview(offers) {
  const drawing = host.querySelector("svg");
  drawing?.querySelectorAll(".ahead, .near").forEach((part) => part.classList.remove("ahead", "near"));
  if (!offers.length || !drawing) return;
  const each = (offer, cells, name) =>
    cells.forEach((cell) => drawing.querySelector(`[data-spot="${surface.boards.indexOf(offer.board)} ${cell}"]`)?.classList.add(name));
  if (offers.length === 1) {
    const [offer] = offers;
    each(offer, offer.cells.length ? offer.cells : offer.touched, "ahead");
    each(offer, offer.touched, "near");
    drawing.querySelector(`[data-line="${lineKey(offer)}"]`)?.classList.add("ahead");
  } else offers.forEach((offer) => each(offer, offer.touched, "near"));
}

const lineKey = (offer) => (offer.line ? `${surface.boards.indexOf(offer.board)} ${offer.line.map((n) => Math.round(n * 10)).join(" ")}` : "");


// Arrow keys go to the nearest cell in their direction, Enter and Space touch it, Escape cancels.
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function steer(event) {
  const at = event.target.closest("[data-key]");
  if (event.key === "Escape" && Touch.offered().length) Touch.drop();
  else if (at && (event.key === "Enter" || event.key === " ")) at.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  else if (at && DIRECTIONS[event.key]) neighbour(at, DIRECTIONS[event.key])?.focus();
  else return;
  event.preventDefault();
}

function neighbour(at, [dx, dy]) {
  const centre = (part) => {
    const box = part.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(at);
  const along = ([a, b]) => (a - x) * dx + (b - y) * dy;
  const aside = ([a, b]) => Math.abs((a - x) * dy + (b - y) * dx);
  const ahead = [...host.querySelectorAll("[data-key]")].filter((part) => along(centre(part)) > 2);
  return cheapest(ahead, (part) => along(centre(part)) + 3 * aside(centre(part)));
}

// Animations: new pieces fade in, removed ones fade out, and a piece that moved slides.

export function animate() {
  const { last } = surface;
  if (STILL.matches || !last?.board) return;
  const number = surface.boards.indexOf(last.board);
  const part = (cell) => host.querySelector(`[data-spot="${number} ${cell}"] > .cell`);
  const timing = { duration: 420, easing: "cubic-bezier(.3,.7,.3,1)" };
  if (!last.cells) {
    host.querySelector(`[data-board="${number}"]`)?.animate([{ opacity: 0 }, { opacity: 1 }], timing);
    return;
  }
  const { places, cells } = last.board;
  const kind = (list, cell) => Board.kinds[list[cell]].kind;
  const movingKinds = ["coin", "cross", "piece", "token"];
  for (const cell of last.cells) {
    const now = kind(cells, cell);
    const from = movingKinds.includes(now) && kind(last.before, cell) !== now
      ? last.cells.find((other) => kind(last.before, other) === now && kind(cells, other) !== now)
      : undefined;
    if (from !== undefined) {
      const [dx, dy] = [places[from][0] - places[cell][0], places[from][1] - places[cell][1]];
      const man = part(cell)?.querySelector(".man, .sign") ?? part(cell);
      man?.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], timing);
    } else if (now !== "blank") part(cell)?.animate([{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }], timing);
    else leave(number, last.before[cell], places[cell], timing);
  }
}

function leave(number, cell, place, timing) {
  const shape = Drawings.cell(Board.kinds[cell], place);
  const group = host.querySelector(`[data-board="${number}"]`);
  if (!shape || !group) return;
  group.append(shape);
  shape.animate([{ opacity: 1, transform: "none" }, { opacity: 0, transform: "translateY(.5px) scale(.85)" }], timing).onfinish = () => shape.remove();
}
