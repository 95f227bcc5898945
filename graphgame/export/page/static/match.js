// One game between two players: its moves, undo and redo, and the computer's replies.
"use strict";

const Match = (() => {
  const THINKING = matchMedia("(prefers-reduced-motion: reduce)").matches ? 60 : 450; // milliseconds, to see the move
  const ERRS = { perfect: 0, good: 0.2, weak: 0.5 };

  const settings = { opponent: "computer", starter: "you", skill: "perfect", hints: false };
  let begin = Game.tokens && Game.tokens.length ? [...Game.tokens] : Game.size ? [Game.firstVertex()] : [];
  const REPETITIONS = 3; // a position that comes up so often ends the match as a draw
  let line = [turn(begin)];
  let at = 0;
  let timer = null;
  let pending = [];

  const components = () => line[at].components;
  const play = () => State.get().play;
  const judged = () => Game.judge(components(), play());
  const moves = () => movesAt(at);
  const over = () => moves().length === 0;
  const moverAt = (turn) => turn % 2; // 0: who started
  const isComputer = (player) =>
    settings.opponent === "computer" && (player === 0) === (settings.starter === "computer");
  const computersTurn = () => isComputer(moverAt(at)) && !over();
  const repeats = (place) => line.filter(({ key }, i) => i <= place && key === line[place].key).length >= REPETITIONS;
  const movesAt = (place) => (repeats(place) ? [] : Game.movesOf(line[place].components));

  function turn(from, move = null) {
    return { components: from, move, key: Game.key(from) };
  }

  // A player's number, "draw", or null while the match goes on.
  function winner() {
    if (!over()) return null;
    if (repeats(at)) return "draw";
    return play() === "normal" ? 1 - moverAt(at) : moverAt(at);
  }

  function changed() {
    clearTimeout(timer);
    timer = computersTurn() && State.get().tab === "play" ? setTimeout(reply, THINKING) : null;
    State.set({ match: at });
  }

  function reply() {
    const errs = Math.random() < ERRS[settings.skill];
    advance(errs ? Game.anyOf(moves()) : Game.bestMove(components(), play()));
  }

  function advance(move) {
    line = [...line.slice(0, at + 1), turn(Game.after(components(), move), move)];
    at += 1;
    pending = [];
    changed();
  }

  function restart(from = begin) {
    begin = [...from];
    line = [turn(begin)];
    at = 0;
    pending = [];
    changed();
  }

  // Makes a person's move; a vertex that several components can reach is asked about.
  function go(to) {
    const ways = new Map(
      moves()
        .filter((move) => move.to === to)
        .map((move) => [move.from, move]),
    );
    if (computersTurn() || !ways.size) return false;
    if (ways.size === 1) advance([...ways.values()][0]);
    else ask([...ways.values()]);
    return true;
  }

  function ask(ways) {
    pending = ways;
    State.set({ match: at });
  }

  function make(move) {
    if (!computersTurn()) advance(move);
  }

  // The nearest turn in a direction at which a person moves, or the game's end.
  function turnTowards(step) {
    let place = at + step;
    while (line[place] && isComputer(moverAt(place)) && movesAt(place).length) place += step;
    return line[place] ? place : null;
  }

  function jump(step) {
    const place = turnTowards(step);
    if (place === null) return;
    at = place;
    pending = [];
    changed();
  }

  function configure(changes) {
    Object.assign(settings, changes);
    if ("opponent" in changes || "starter" in changes) restart();
    else changed();
  }

  return {
    ask,
    begin: () => begin,
    cancel: () => ask([]),
    canRedo: () => turnTowards(1) !== null,
    canUndo: () => turnTowards(-1) !== null,
    components,
    computersTurn,
    configure,
    go,
    history: () => line.slice(1, at + 1).map(({ move }, place) => ({ ...move, player: moverAt(place) })),
    isComputer,
    judged,
    make,
    mover: () => moverAt(at),
    moves,
    over,
    pending: () => pending,
    redo: () => jump(1),
    restart,
    resume: changed,
    settings,
    undo: () => jump(-1),
    winner,
  };
})();
