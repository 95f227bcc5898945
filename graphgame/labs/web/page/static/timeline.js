// What came of a match: a column for each position, its turning points, the moves, the score.
"use strict";

const Timeline = (() => {
  const TALL = 56;
  const WIDE = 22;
  const LOGARITHMIC = 24; // moves to the end beyond which heights are logarithmic
  const RANKS = { P: 2, D: 1, N: 0 }; // how good a result is to who made it
  const AIMS = { N: "P", D: "D", P: "N" }; // the best result of a move from a position

  const judge = (place) => Game.judge(Match.turns()[place].components, State.get().play);

  // What a move gave away: {place, aim, left}, or null.
  function mistake(place) {
    const [before, after] = [judge(place - 1), judge(place)];
    if (!before || !after) return null;
    const aim = AIMS[before.outcome];
    return RANKS[after.outcome] < RANKS[aim] ? { place, aim, left: after.outcome } : null;
  }

  const places = () => [...Match.turns().keys()];
  const mistakes = () => places().slice(1).map(mistake).filter(Boolean);

  // The strip

  function strip() {
    const words = State.words();
    if (Match.turns().length < 2) return null;
    const judged = Match.secret() ? [] : places().map(judge);
    const most = Math.max(1, ...judged.map((facts) => facts?.moves ?? 0));
    const wrong = new Set(Match.secret() ? [] : mistakes().map(({ place }) => place));
    return Dom.el(
      "section",
      { class: "card", "data-timeline": true },
      Dom.el("h3", {}, words.timeline),
      Dom.el(
        "ol",
        { class: "timeline" },
        places().map((place) => Dom.el("li", {}, column(place, judged[place], most, wrong.has(place)))),
      ),
      Dom.el("p", { class: "quiet" }, help()),
    );
  }

  // A certificate does not tell how long a game lasts: then all columns have one height.
  function help() {
    const words = State.words();
    if (Match.secret()) return words.timelineSecret;
    return Game.proof ? words.timelineMarks : words.timelineHelp;
  }

  function column(place, facts, most, wrong) {
    const words = State.words();
    const told = facts ? words.turnFacts(facts.outcome, facts.moves) : null;
    const name = [named(place), told, wrong ? words.gaveAway : null].filter(Boolean).join("; ");
    return Dom.button(
      [
        Dom.el("span", { class: "sign", "aria-hidden": "true" }, wrong ? "✗" : ""),
        bar(facts, most),
        Dom.el("span", { class: "letter", "aria-hidden": "true" }, facts ? facts.outcome : place || "•"),
      ],
      () => Match.look(place),
      {
        class: `turn${wrong ? " wrong" : ""}`,
        title: name,
        "aria-label": name,
        "aria-current": place === Match.place() ? "step" : null,
        "data-turn": place,
        "data-key": `turn-${place}`,
      },
    );
  }

  function named(place) {
    const words = State.words();
    const { move } = Match.turns()[place];
    if (!move) return words.beginningOf;
    return words.turn(place, Play.names()[(place - 1) % 2], stepText(move));
  }

  const stepText = ({ from, to }) => `${Game.labels[from]} → ${Game.labels[to]}`;

  // As high as the game still lasts; a draw has no end, and is as high as can be.
  function bar(facts, most) {
    const height = facts ? Math.max(3, TALL * share(facts, most)) : TALL / 3;
    return Dom.svg(
      "svg",
      {
        class: `bar ${facts?.outcome ?? "unknown"}`,
        viewBox: `0 0 ${WIDE} ${TALL}`,
        width: WIDE,
        height: TALL,
        "aria-hidden": "true",
      },
      Dom.svg("rect", {
        x: 1,
        y: TALL - height + 0.5,
        width: WIDE - 2,
        height: height - 1,
        rx: facts?.outcome === "P" ? Math.min(8, height / 2) : 1,
      }),
    );
  }

  function share({ moves, outcome }, most) {
    if (outcome === "D") return 1;
    if (moves === null || Game.proof) return 1 / 3;
    return most > LOGARITHMIC ? Math.log1p(moves) / Math.log1p(most) : moves / most;
  }

  // After the game

  function aftermath() {
    const words = State.words();
    if (!Match.finished() || Match.secret() || Match.turns().length < 2) return null;
    if (places().some((place) => judge(place) === null)) return null;
    const found = mistakes();
    return Dom.el(
      "section",
      { class: "card", "data-aftermath": true },
      Dom.el("h3", {}, words.aftermath),
      found.length
        ? Dom.el(
            "ol",
            { class: "turning" },
            found.map((one) => Dom.el("li", {}, turningPoint(one))),
          )
        : Dom.el("p", {}, words.noMistake[judge(0).outcome]),
    );
  }

  function turningPoint({ place, aim, left }) {
    const words = State.words();
    const { components, move } = { ...Match.turns()[place], components: Match.turns()[place - 1].components };
    const better = Game.goodMoves(components, State.get().play).moves[0];
    const head = left === "D" ? words.lostToDraw : words.lost;
    const from = components.map((v) => Game.labels[v]).join(" + ");
    return [
      Dom.el("strong", {}, head(place, Play.names()[(place - 1) % 2])),
      " ",
      Dom.label(stepText(move)),
      ". ",
      Dom.label(words.kept(from, stepText(better), aim)),
      words.because[aim === "P" ? whyWon(components, better) : aim],
      " ",
      Dom.button(words.goThere, () => Match.look(place - 1), {
        class: "link",
        "data-key": `there-${place}`,
        "data-there": place - 1,
      }),
    ];
  }

  function whyWon(components, move) {
    const { value } = Game.judge(Game.after(components, move), State.get().play);
    if (value === "sunny") return value;
    return State.get().play === "normal" && components.length > 1 && !Game.hasDraws ? "nimSum" : "P";
  }

  // The moves, and the score over games

  function moves() {
    const words = State.words();
    const made = Match.history();
    return Dom.el(
      "section",
      { class: "card" },
      Dom.el("h3", {}, words.history),
      made.length
        ? Dom.el(
            "ol",
            { class: "history" },
            made.map((move) =>
              Dom.el("li", {}, Dom.el("span", { class: "quiet" }, Play.names()[move.player], " "), Play.step(move)),
            ),
          )
        : Dom.el("p", { class: "quiet" }, words.noHistory),
      score(),
    );
  }

  function score() {
    const words = State.words();
    const tally = Match.tally();
    if (!Object.values(tally).some(Boolean)) return null;
    const [mine, theirs] = Match.settings.opponent === "person" ? [0, 1] : ["you", "computer"];
    const [one, other] =
      Match.settings.opponent === "person" ? [words.player(1), words.player(2)] : [words.you, words.computer];
    const draws = tally.draw ? `, ${words.draws} ${tally.draw}` : "";
    return Dom.el(
      "p",
      { class: "score", "data-score": true },
      `${words.score}: ${one} ${tally[mine]} : ${tally[theirs]} ${other}${draws}`,
    );
  }

  // Where the computer waits, for one looks back at its turn.
  function playOn() {
    return Match.looksBack() && Match.computersTurn()
      ? Dom.button(State.words().playOn, Match.playOn, { "data-key": "play-on" })
      : null;
  }

  return { aftermath, moves, playOn, strip };
})();
