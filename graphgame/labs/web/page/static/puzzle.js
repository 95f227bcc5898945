// Puzzles: positions with exactly one winning move, drawn by number and difficulty.
"use strict";

const Puzzle = (() => {
  const LEVELS = { easy: 0, medium: 1, hard: 2 };
  const TRIES = 400; // sums drawn in search of one with a single winning move
  const FEW = 6; // positions alone with a single winning move, below which sums are drawn
  const MOST_MOVES = 60;

  let drawn = null; // {key, components, answer}
  let wrong = null;
  let found = false;
  let made = []; // the move that solved it
  const score = { solved: 0, tries: 0 };

  // A generator of numbers in [0, 1) that a seed decides (mulberry32).
  function chance(seed) {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = Math.imul(state ^ (state >>> 15), state | 1);
      t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  const winning = (components, play) => {
    const { aim, moves } = Game.goodMoves(components, play);
    return aim === "P" ? moves : [];
  };
  const isPuzzle = (components, play) =>
    Game.judge(components, play)?.outcome === "N" &&
    Game.movesOf(components).length > 1 &&
    winning(components, play).length === 1;

  // Positions alone, the easier ones first: by the number of their moves, then by how long they last.
  const alone = { normal: null, misere: null };
  function pool(play) {
    const ease = (v) => Game.options(v).length * 1000 + (Game.facts(v, play).moves ?? 0);
    alone[play] ??= [...Game.labels.keys()]
      .filter((v) => !Game.isSum(v) && isPuzzle([v], play))
      .sort((a, b) => ease(a) - ease(b));
    return alone[play];
  }

  function draw({ seed, level, play, tokens }) {
    const random = chance(seed * 3 + LEVELS[level]);
    const pick = (list) => list[Math.floor(random() * list.length)];
    const single = pool(play);
    const third = (list) =>
      list.slice(Math.floor((list.length * LEVELS[level]) / 3), Math.ceil((list.length * (LEVELS[level] + 1)) / 3));
    const several = (tokens?.length ?? 0) > 1 || single.length < FEW;
    return (several && drawSum(pick, level, play)) || (single.length ? [pick(third(single))] : null);
  }

  function drawSum(pick, level, play) {
    const going = [...Game.labels.keys()].filter((v) => !Game.isSum(v) && Game.options(v).length);
    for (let tried = 0; going.length && tried < TRIES; tried += 1) {
      const components = Array.from({ length: LEVELS[level] + 2 }, () => pick(going));
      if (play === "misere") Game.prepare(components);
      if (isPuzzle(components, play)) return components;
    }
    return null;
  }

  function puzzle() {
    const { level, play, seed, tokens } = State.get();
    const key = [seed, level, play, tokens].join();
    if (drawn?.key !== key) {
      const components = draw({ seed, level, play, tokens });
      drawn = { key, components, answer: components && winning(components, play)[0] };
      [wrong, found, made] = [null, false, []];
    }
    return drawn;
  }

  function attempt(move) {
    const { answer } = puzzle();
    score.tries += 1;
    found = move.component === answer.component && move.to === answer.to;
    wrong = found ? null : move;
    made = found ? [move] : [];
    if (found) score.solved += 1;
    State.set({});
  }

  const stepText = ({ from, to }) => `${Game.labels[from]} → ${Game.labels[to]}`;

  function verdict() {
    const { components } = puzzle();
    if (!components) return Dom.el("p", { class: "status" }, State.words().noPuzzle);
    const words = State.words();
    const { play } = State.get();
    if (found) return Dom.el("p", { class: "status won", role: "status" }, words.right);
    if (!wrong) return Dom.el("p", { class: "status" }, play === "misere" ? words.findMoveMisere : words.findMove);
    const left = Game.after(components, wrong);
    const reply = Game.movesOf(left).length ? Game.bestMove(left, play) : null;
    const text = reply ? words.wrong(stepText(wrong), stepText(reply)) : words.wrongNoReply(stepText(wrong));
    return Dom.el("p", { class: "status lost", role: "status" }, Dom.label(text));
  }

  function component(v, place, moves) {
    const shown = moves.slice(0, MOST_MOVES);
    return Dom.el(
      "section",
      { class: "card component", "data-puzzle": place },
      Dom.el("h3", {}, Dom.label(Game.labels[v])),
      Board.look(v) ? null : Panel.board(v),
      Dom.el(
        "div",
        { class: "moves", role: "group", "aria-label": State.words().moves },
        shown.map((move) =>
          Dom.button(["→ ", Dom.label(Game.labels[move.to])], () => attempt(move), {
            class: `move${found && move.to === puzzle().answer.to && place === puzzle().answer.component ? " winning" : ""}`,
            disabled: found,
            "data-key": `try-${place}-${move.to}`,
            "data-try": `${place} ${move.to}`,
          }),
        ),
        moves.length > shown.length
          ? Dom.el("span", { class: "quiet" }, State.words().more(moves.length - shown.length))
          : null,
      ),
    );
  }

  function controls() {
    const words = State.words();
    const { level, seed } = State.get();
    const number = Dom.el("input", {
      type: "number",
      min: 1,
      max: 999999,
      "data-key": "seed",
      change: (event) =>
        State.set({ seed: Math.min(999999, Math.max(1, Math.floor(Number(event.target.value)) || 1)) }),
    });
    number.value = seed;
    return Dom.el(
      "div",
      { class: "settings" },
      Dom.choice("level", words.level, Object.entries(words.levels), level, (value) => State.set({ level: value })),
      Dom.el("label", { class: "choice" }, Dom.el("span", {}, words.seed), number),
      Dom.button(words.nextPuzzle, () => State.set({ seed: seed + 1 }), { "data-key": "next-puzzle" }),
    );
  }

  function show() {
    const words = State.words();
    const { components } = puzzle();
    if (!components) return controls();
    const moves = Game.movesOf(components);
    return [
      components.map((v, place) =>
        component(
          v,
          place,
          moves.filter((move) => move.component === place),
        ),
      ),
      controls(),
      score.tries ? Dom.el("p", { class: "quiet" }, words.solved(score.solved, score.tries)) : null,
      found ? Why.ofMatch(components) : null,
    ];
  }

  const isOpen = () => Learn.isOpen() && State.get().lesson === "puzzle";
  const components = () => puzzle().components ?? [];

  // What the board asks of whatever is played on it: see match.js.
  const contest = {
    components: () => made.reduce(Game.after, components()),
    computersTurn: () => found,
    history: () => made,
    make: attempt,
    moves: () => (found ? [] : Game.movesOf(components())),
    over: () => found,
    settings: { hints: false },
    turns: () => [{ components: components() }],
  };

  return { components, contest, isOpen, isSolved: () => found, show, verdict };
})();
