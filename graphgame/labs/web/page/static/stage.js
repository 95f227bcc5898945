// The board of a match or puzzle, with its rules, a message, and the moves to choose from after an ambiguous touch.

import * as Board from "./board.js";
import { button, choice, el, group, label, replace } from "./dom.js";
import * as Game from "./game.js";
import * as Moves from "./moves.js";
import * as Play from "./play.js";
import * as Puzzle from "./puzzle.js";
import * as State from "./state.js";
import * as Table from "./table.js";
import { say, space } from "./text.js";
import * as Touch from "./touch.js";

const MOST_OFFERED = 12;

let stage, view = "board";
let shown = null; // the surface on the screen: see board.js
let drawn = -1;
let aims = new Map(); // with hints: the aims of good moves and of those that lose at once, by key

const plays = () => Game.size > 0 && (State.get().tab === "play" || Puzzle.isOpen());
const onBoard = () => Board.exists && view === "board" && shown?.boards.length > 0;

// The moves to choose from after an ambiguous touch, side by side, each as the board after it.
function chooser() {
  const offered = Touch.offered();
  if (!offered.length) return null;
  const rank = (offer) => Moves.rank(aims.get(Moves.key(offer)));
  const ways = [...offered].sort((a, b) => rank(b) - rank(a) || a.touched.length - b.touched.length);
  const choice = (offer) => {
    const aim = aims.get(Moves.key(offer));
    return button([pictureOf(offer), el("span.unseen", Game.labels[offer.to]), Moves.star(aim)], () => Touch.make(offer), {
      class: `offer${Moves.starred(aim)}`,
      "aria-label": `→ ${Game.labels[offer.to]}${aim ? `, ${Moves.meaning(aim)}` : ""}`,
      "data-offer": Moves.key(offer),
      "data-key": `offer-${offer.component}-${offer.way}`,
      pointerenter: () => Table.preview([offer]),
      focus: () => Table.preview([offer]),
    });
  };
  const hidden = ways.length - MOST_OFFERED;
  return group(
    "div.chooser",
    say("Which move?"),
    el("span.quiet", say("Which move?")),
    ways.slice(0, MOST_OFFERED).map(choice),
    hidden > 0 && el("span.quiet", say("and {n} more: touch another cell for a shorter list", { n: hidden })),
    button(say("Cancel"), Touch.drop, { class: "link", "data-key": "drop" }),
  );
}

function pictureOf(offer) {
  if (!offer.after) return Board.drawingOf(offer.to, { "aria-hidden": "true" }) ?? label(Game.labels[offer.to]);
  const cells = offer.board.cells.map((cell, i) => offer.after.get(i) ?? cell);
  const lines = offer.line ? [...offer.board.lines, offer.line] : offer.board.lines;
  return Board.picture([{ places: offer.board.places, cells, lines, marked: offer.touched }], { "aria-hidden": "true" });
}

// The rules, and the switch between board and graph

function rules() {
  const { language, play } = State.get();
  const texts = Game.data.rules ?? [];
  const parts = texts
    .map((text) => text[language] ?? text.en)
    .map(([rule, end]) => (play === "normal" && end ? rule + space() + end : rule));
  const ends = play === "normal" && texts.length && texts.every(({ en }) => en[1]);
  if (!ends) parts.push(ending(play));
  if (Game.mayStall) parts.push(say("Where nobody can move any more, whoever is to move loses."));
  if (Board.exists && !Game.data.surfaces.ways) parts.push(say("This game is too large for moves on the board: choose one from the list."));
  return el("p.rule", parts.map((text) => [label(text), space()]));
}

function ending(play) {
  if (Game.decides) return say("A move may win or lose at once: the rules say which.");
  return play === "misere" ? say("Misère play: whoever makes the last move loses.") : say("Whoever makes the last move wins.");
}

function toggle() {
  if (!Board.exists) return null;
  const other = view === "board" ? "graph" : "board";
  return button(other === "board" ? say("Board") : say("Graph"), () => show(other), { class: "chip", "data-key": "view", "data-view": other });
}

function show(other) {
  view = other;
  State.set({});
}

// Redraw the stage after a change of the settings

function update() {
  const contest = Puzzle.contest();
  const history = contest.history();
  shown = Board.surface(contest.turns()[0].components, history);
  Touch.begin(shown, contest.moves(), history.length !== drawn);
  aims = new Map();
  if (contest.settings.hints && !contest.computersTurn()) aims = Moves.aimsOf(contest.components());
  const forward = history.length === drawn + 1;
  drawn = history.length;
  return forward;
}

function render() {
  document.body.classList.toggle("playing", plays());
  const forward = plays() && Board.exists && update();
  document.body.classList.toggle("on-board", Boolean(plays() && onBoard()));
  if (!plays()) return replace(stage);
  const active = document.activeElement;
  const focused = stage.contains(active) ? active.dataset.key : null;
  const byKeyboard = active.matches(":focus-visible");
  const head = el("div.told", rules(), toggle());
  const board = onBoard() ? el("div.surface") : null;
  const message = Puzzle.isOpen() ? Puzzle.verdict() : [Play.status(), Play.question()];
  replace(stage, head, message, board, board && chooser());
  if (board) Table.draw(board, shown, aims, focused, byKeyboard);
  if (board && forward) Table.animate();
}

export function init(element) {
  stage = element;
  State.subscribe(render);
  new ResizeObserver(() => {
    const board = stage.querySelector(".surface");
    if (board && onBoard()) Table.draw(board, shown, aims, document.activeElement?.dataset.key);
  }).observe(stage);
}
