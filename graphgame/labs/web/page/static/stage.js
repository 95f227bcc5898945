// The board of a match, or of a puzzle, on the page: its rules above it, the message, and the moves among which a touch leaves a choice.
"use strict";

// What is played on the board.
const Contest = { now: () => (Puzzle.isOpen() ? Puzzle.contest : Match) };

const Stage = (() => {
  const MOST_OFFERED = 12;

  let stage, view = "board";
  let shown = null; // the surface on the screen, and after how many moves
  let made = -1;
  let aims = new Map(); // the good moves and those that lose at once, where hints are on

  const plays = () => Game.size > 0 && (State.get().tab === "play" || Puzzle.isOpen());
  const onBoard = () => Board.exists && view === "board" && shown?.boards.length > 0;

  // The moves among which a touch leaves a choice, side by side, each as what it leaves.
  function chooser() {
    const words = State.words();
    const offered = Touch.offered();
    if (!offered.length) return null;
    const ways = [...offered].sort((a, b) => Panel.rank(aims.get(Touch.key(b))) - Panel.rank(aims.get(Touch.key(a))) || a.touched.length - b.touched.length);
    const button = (offer) => {
      const aim = aims.get(Touch.key(offer));
      return Dom.button([pictureOf(offer), Dom.el("span", { class: "unseen" }, Game.labels[offer.to]), Panel.star(aim)], () => Touch.make(offer), {
        class: `offer${Panel.starred(aim)}`,
        "aria-label": `→ ${Game.labels[offer.to]}${aim ? `, ${Panel.meaning(aim)}` : ""}`,
        "data-offer": Touch.key(offer),
        "data-key": `offer-${offer.component}-${offer.way}`,
        pointerenter: () => Table.preview([offer]),
        focus: () => Table.preview([offer]),
      });
    };
    const rest = ways.length - MOST_OFFERED;
    return Dom.el(
      "div",
      { class: "chooser", role: "group", "aria-label": words.whichMove },
      Dom.el("span", { class: "quiet" }, words.whichMove),
      ways.slice(0, MOST_OFFERED).map(button),
      rest > 0 ? Dom.el("span", { class: "quiet" }, words.narrow(rest)) : null,
      Dom.button(words.cancel, Touch.drop, { class: "link", "data-key": "drop" }),
    );
  }

  function pictureOf(offer) {
    if (!offer.after) return Drawings.still(offer.to, { "aria-hidden": "true" }) ?? Dom.label(Game.labels[offer.to]);
    const cells = offer.board.cells.map((cell, i) => offer.after.get(i) ?? cell);
    const lines = offer.line ? [...offer.board.lines, offer.line] : offer.board.lines;
    return Drawings.picture([{ places: offer.board.places, cells, lines, marked: offer.touched }], { "aria-hidden": "true" });
  }

  // Rules and message

  function rules() {
    const words = State.words();
    const { language, play } = State.get();
    const told = Game.data.rules ?? [];
    const parts = told.map((text) => text[language] ?? text.en).map(([rule, end]) => (play === "normal" ? (end ? rule + words.space + end : rule) : rule));
    const ends = play === "normal" && told.length && told.every(({ en }) => en[1]);
    if (!ends) parts.push(words.endings[Game.decides ? "decided" : play]);
    if (Game.mayStall) parts.push(words.endings.stalled);
    if (Board.exists && !Game.data.surfaces.ways) parts.push(words.tooMany);
    return Dom.el("p", { class: "rule" }, parts.map((text) => [Dom.label(text), words.space]));
  }

  function toggle() {
    const words = State.words();
    if (!Board.exists) return null;
    const other = view === "board" ? "graph" : "board";
    return Dom.button(words.views[other], () => show(other), { class: "chip", "data-key": "view", "data-view": other });
  }

  function show(other) {
    view = other;
    State.set({});
    Graph.refit?.();
  }

  // The whole

  function update() {
    const contest = Contest.now();
    const history = contest.history();
    shown = Board.surface(contest.turns()[0].components, history);
    Touch.begin(shown, contest.moves(), history.length !== made);
    aims = new Map();
    if (contest.settings.hints && !contest.computersTurn()) aims = Panel.aimsOf(contest.components());
    const forward = history.length === made + 1;
    made = history.length;
    return forward;
  }

  function render() {
    document.body.classList.toggle("playing", plays());
    const forward = plays() && Board.exists && update();
    document.body.classList.toggle("on-board", Boolean(plays() && onBoard()));
    if (!plays()) return Dom.replace(stage);
    const active = document.activeElement;
    const focused = stage.contains(active) ? active.dataset.key : null;
    const byKeyboard = active.matches(":focus-visible");
    const told = Dom.el("div", { class: "told" }, rules(), toggle());
    const room = onBoard() ? Dom.el("div", { class: "surface" }) : null;
    const said = Puzzle.isOpen() ? Puzzle.verdict() : [Play.status(), Play.question()];
    Dom.replace(stage, told, said, room, room && chooser());
    if (room) Table.draw(room, shown, aims, focused, byKeyboard);
    if (room && forward) Table.animate();
  }

  function init(element) {
    stage = element;
    State.subscribe(render);
    new ResizeObserver(() => {
      const room = stage.querySelector(".surface");
      if (room && onBoard()) Table.draw(room, shown, aims, document.activeElement?.dataset.key);
    }).observe(stage);
  }

  return { init };
})();
