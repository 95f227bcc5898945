// The match on the screen: its settings, whose move it is, the components, the moves made.
"use strict";

const Play = (() => {
  const MOST_MOVES = 120;
  const MOST_SEEN = 24;
  const ERRS = [0, 5, 20, 50, 100];

  function names() {
    const words = State.words();
    if (Match.settings.opponent === "person") return [words.player(1), words.player(2)];
    return [0, 1].map((player) => (Match.isComputer(player) ? words.computer : words.you));
  }

  function settings() {
    const words = State.words();
    const { opponent, starter, err } = Match.settings;
    const pick = (name, table, chosen) =>
      Dom.choice(name, words[name], Object.entries(words[table]), chosen, (value) =>
        Match.configure({ [name]: value }),
      );
    const computer = opponent === "computer" && !Game.proof;
    return Dom.el(
      "section",
      { class: "settings" },
      Game.proof ? Dom.el("p", { class: "quiet", "data-proof": true }, words.proof) : pick("opponent", "opponents", opponent),
      computer ? pick("starter", "starters", starter) : null,
      computer
        ? Dom.choice(
            "err",
            words.skill,
            ERRS.map((n) => [String(n), words.errs(n)]),
            String(err),
            (n) => Match.configure({ err: Number(n) }),
          )
        : null,
    );
  }

  // What is reached for in every game, before the lists that grow with it.
  function controls() {
    const words = State.words();
    return Dom.el(
      "div",
      { class: "buttons" },
      Dom.button(words.newGame, () => Match.restart(), { "data-key": "new" }),
      Dom.button(words.undo, Match.undo, { disabled: !Match.canUndo(), "data-key": "undo" }),
      Dom.button(words.redo, Match.redo, { disabled: !Match.canRedo(), "data-key": "redo" }),
      Dom.tick("hints", words.hints, Match.settings.hints, (on) => Match.configure({ hints: on })),
    );
  }

  function status() {
    const words = State.words();
    const winner = Match.winner();
    const name = names()[winner ?? Match.mover()];
    const person = Match.settings.opponent === "person";
    let text = person ? words.playerMove(name) : Match.computersTurn() ? words.thinking : words.yourMove;
    if (Match.held() !== null) text = words.pickedUp(Game.labels[Match.held()]);
    if (Match.computersTurn() && Match.looksBack()) text = words.lookingBack(Match.place());
    if (winner === "draw") text = words.drawn;
    else if (winner !== null)
      text = person ? words.playerWins(name) : Match.isComputer(winner) ? words.computerWins : words.youWin;
    const why = winner === null ? null : reason();
    const kind = winner === null ? "" : winner === "draw" ? " drawn" : Match.isComputer(winner) ? " lost" : " won";
    return Dom.el(
      "p",
      { class: `status${kind}` },
      text,
      " ",
      winner === null && Match.settings.hints ? Dom.el("span", { class: "hint" }, prospect()) : null,
      why && Dom.el("span", { class: "hint", "data-reason": true }, why),
    );
  }

  // Why the match is over, where the rules let a move decide it; they are quoted where all is one game.
  function reason() {
    const words = State.words();
    const last = Game.lastOf(Match.components());
    if (!Game.decides || Match.winner() === "draw") return null;
    if (last === null) return words.stalled;
    const rules = Game.data.rules ?? [];
    const [, end] = (rules.length === 1 && rules[0][State.get().language]) || [];
    const rule = end ? end[0].toLowerCase() + end.slice(1) : words.whoMadeIt[Game.ending(last)];
    return [...words.decidedBy(Dom.label(Game.labels[last])), rule];
  }

  function prospect() {
    const words = State.words();
    const judged = Match.judged();
    if (!judged) return words.unknownWinner;
    if (judged.outcome === "D") return words.nobodyWins;
    return judged.outcome === "N" ? words.canWin(judged.moves) : words.cannotWin(judged.moves);
  }

  function beginning() {
    const words = State.words();
    if (Start.isOfFile() || !Game.tokens) return null;
    return Dom.el(
      "p",
      { class: "quiet" },
      words.startHere(
        State.get()
          .tokens.map((v) => Game.labels[v])
          .join(" + "),
      ),
      " ",
      Game.tokens.length
        ? Dom.button(words.backToSum, () => Start.set(Game.tokens), { class: "link", "data-key": "back" })
        : null,
    );
  }

  function components() {
    const moves = Match.moves();
    const aims = Match.settings.hints && !Match.computersTurn() ? Panel.aimsOf(Match.components()) : new Map();
    return Match.components().map((v, component) =>
      card(
        v,
        component,
        moves.filter((move) => move.component === component),
        aims,
      ),
    );
  }

  function card(v, component, moves, aims) {
    const words = State.words();
    const name =
      Match.components().length > 1
        ? Dom.el("span", { class: "quiet" }, `${words.component} ${component + 1}: `)
        : null;
    return Dom.el(
      "section",
      { class: "card component", "data-component": component },
      Dom.el("h3", {}, name, Dom.label(Game.labels[v])),
      Board.look(v) ? null : Panel.board(v),
      moves.length ? buttons(moves, component, aims) : null,
    );
  }

  function buttons(moves, component, aims) {
    const words = State.words();
    const aimOf = (move) => aims.get(Touch.key(move));
    const order = (a, b) => Panel.rank(aimOf(b)) - Panel.rank(aimOf(a));
    const shown = [...moves]
      .sort(order)
      .slice(0, MOST_MOVES)
      .map((move) => {
        const aim = aimOf(move);
        return Dom.button(["→ ", Dom.label(Game.labels[move.to]), Panel.star(aim)], () => Match.make(move), {
          class: `move${Panel.starred(aim)}`,
          disabled: Match.computersTurn(),
          "data-move": `${move.component} ${move.to}`,
          "data-key": `move-${move.component}-${move.to}`,
        });
      });
    const rest = moves.length - shown.length;
    if (rest > 0) shown.push(Dom.el("span", { class: "quiet" }, words.more(rest)));
    const part = (buttons) => Dom.el("div", { class: "moves", role: "group", "aria-label": words.moves }, buttons);
    return Dom.folded(`moves-${component}`, shown, MOST_SEEN, part, words.more(moves.length - MOST_SEEN));
  }

  function question() {
    const words = State.words();
    const ways = Match.pending();
    if (!ways.length) return null;
    const ask = Dom.el(
      "section",
      { class: "card question", role: "dialog", "aria-label": words.which },
      Dom.el("h3", {}, words.which),
      Dom.el(
        "div",
        { class: "moves" },
        ways.map((move) =>
          Dom.button(step(move), () => Match.make(move), {
            class: "move",
            "data-key": `ask-${move.component}-${move.to}`,
          }),
        ),
        Dom.button(words.cancel, Match.cancel, { class: "link", "data-key": "cancel" }),
      ),
    );
    return ask;
  }

  const step = (move) => [Dom.label(Game.labels[move.from]), " → ", Dom.label(Game.labels[move.to])];

  function play() {
    if (!Game.size) return [Dom.el("p", {}, State.words().empty)];
    return [
      Dom.el("h2", { tabindex: -1, class: "unseen" }, State.words().play),
      controls(),
      Timeline.playOn(),
      components(),
      Match.settings.hints ? Panel.tokens(Match.components()) : null,
      Match.computersTurn() ? null : Why.ofMatch(Match.components(), Match.secret()),
      Timeline.aftermath(),
      Timeline.strip(),
      settings(),
      beginning(),
      Timeline.moves(),
    ];
  }

  return { ERRS, names, play, question, status, step };
})();
