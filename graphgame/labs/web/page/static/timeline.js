// The course of a match: a column for each position, the turning points, the moves, the score.

import { button, el, label, svg } from "./dom.js";
import * as Game from "./game.js";
import * as Match from "./match.js";
import * as Moves from "./moves.js";
import * as State from "./state.js";
import { say } from "./text.js";

const TALL = 56;
const WIDE = 22;
const LOGARITHMIC = 24; // with more moves to the end than this, heights are logarithmic
const RANKS = { P: 2, D: 1, N: 0 }; // how good an outcome is for the player who moved there
const AIMS = { N: "P", D: "D", P: "N" }; // the best outcome that a move from a position of each outcome can reach

const judge = (i) => Game.judge(Match.turns()[i].components, State.get().play);

// The mistake of a move: {index, aim, left} (its number, the best outcome, the outcome reached); null if it was none.
function mistake(index) {
  const [before, after] = [judge(index - 1), judge(index)];
  if (!before || !after) return null;
  const aim = AIMS[before.outcome];
  return RANKS[after.outcome] < RANKS[aim] ? { index, aim, left: after.outcome } : null;
}

const all = () => [...Match.turns().keys()];
const mistakes = () => all().slice(1).map(mistake).filter(Boolean);

// The strip

export function strip() {
  if (Match.turns().length < 2) return null;
  const judged = Match.secret() ? [] : all().map(judge);
  const most = Math.max(1, ...judged.map((facts) => facts?.moves ?? 0));
  const wrong = new Set(Match.secret() ? [] : mistakes().map(({ index }) => index));
  return el(
    "section.card",
    { "data-timeline": true },
    el("h3", say("How the game went")),
    el("ol.timeline", all().map((i) => el("li", column(i, judged[i], most, wrong.has(i))))),
    el("p.quiet", help()),
  );
}

// A certificate does not tell how long play lasts: then all columns have the same height.
function help() {
  if (Match.secret()) return say("A column for each position; values are hidden while you play. Click to go there.");
  if (Game.proof) return say("✗ marks a mistake: a better outcome was possible. Click to go there.");
  return say("The higher a column, the longer play still lasts; ✗ marks a mistake (a better outcome was possible). Click to go there.");
}

function column(i, facts, most, wrong) {
  const text = facts ? factsOf(facts) : null;
  const name = [columnName(i), text, wrong ? say("mistake: a better outcome was possible") : null].filter(Boolean).join("; ");
  return button(
    [
      el("span.sign", { "aria-hidden": "true" }, wrong ? "✗" : ""),
      bar(facts, most),
      el("span.letter", { "aria-hidden": "true" }, facts ? facts.outcome : i || "•"),
    ],
    () => Match.show(i),
    {
      class: `turn${wrong ? " wrong" : ""}`,
      title: name,
      "aria-label": name,
      "aria-current": i === Match.turnIndex() ? "step" : null,
      "data-turn": i,
      "data-key": `turn-${i}`,
    },
  );
}

const factsOf = ({ outcome, moves }) =>
  moves === null ? say("outcome {outcome}", { outcome }) : say("{outcome}, remoteness {n}", { outcome, n: moves });

function columnName(i) {
  const { move } = Match.turns()[i];
  if (!move) return say("the start");
  return say("move {n}, {player}: {move}", { n: i, player: Match.names()[(i - 1) % 2], move: Moves.text(move) });
}

// The height of a column shows how many moves are left. A draw has the full height, an unknown length a third of it.
function bar(facts, most) {
  const height = facts ? Math.max(3, TALL * share(facts, most)) : TALL / 3;
  return svg(
    "svg",
    {
      class: `bar ${facts?.outcome ?? "unknown"}`,
      viewBox: `0 0 ${WIDE} ${TALL}`,
      width: WIDE,
      height: TALL,
      "aria-hidden": "true",
    },
    svg("rect", {
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

export function aftermath() {
  if (!Match.finished() || Match.secret() || Match.turns().length < 2) return null;
  if (all().some((i) => judge(i) === null)) return null;
  const points = mistakes();
  return el(
    "section.card",
    { "data-aftermath": true },
    el("h3", say("After the game")),
    points.length
      ? el("ol.turning", points.map((turning) => el("li", turningPoint(turning))))
      : el("p", noMistake(judge(0).outcome)),
  );
}

const noMistake = (outcome) =>
  ({
    N: say("The first player could win from the start, and never gave that away."),
    P: say("The second player could win from the start, and never gave that away."),
    D: say("Nobody could force a win, and nobody made a mistake."),
  })[outcome];

function turningPoint({ index, aim, left }) {
  const { components, move } = { ...Match.turns()[index], components: Match.turns()[index - 1].components };
  const better = Game.goodMoves(components, State.get().play).moves[0];
  const facts = { n: index, player: Match.names()[(index - 1) % 2] };
  const head = left === "D" ? say("Move {n} ({player}) turned a win into a draw:", facts) : say("Move {n} ({player}) let the other player win:", facts);
  const choice = { position: components.map((v) => Game.labels[v]).join(" + "), move: Moves.text(better) };
  const text = aim === "P" ? say("From {position}, {move} would have kept the win, ", choice) : say("From {position}, {move} would have kept the draw, ", choice);
  return [
    el("strong", head),
    " ",
    label(Moves.text(move)),
    ". ",
    label(text),
    because(components, better, aim),
    " ",
    button(say("Go there"), () => Match.show(index - 1), {
      class: "link",
      "data-key": `there-${index}`,
      "data-there": index - 1,
    }),
  ];
}

function because(components, move, aim) {
  if (aim === "D") return say("because nobody can force a win after this move.");
  const { play } = State.get();
  if (Game.judge(Game.after(components, move), play).value === "sunny") return say("because this move ends play at once, and wins.");
  const byNimSum = play === "normal" && components.length > 1 && !Game.hasDraws;
  return byNimSum ? say("because the nim-sum is 0 after this move.") : say("because this move leads to a P-position.");
}

// The moves, and the score over games

export function moves() {
  const history = Match.history();
  return el(
    "section.card",
    el("h3", say("Moves")),
    history.length
      ? el(
          "ol.history",
          history.map((move) => el("li", el("span.quiet", Match.names()[move.player], " "), Moves.step(move))),
        )
      : el("p.quiet", say("None yet.")),
    score(),
  );
}

function score() {
  const tally = Match.tally();
  if (!Object.values(tally).some(Boolean)) return null;
  const [mine, theirs] = Match.settings.opponent === "person" ? [0, 1] : ["you", "computer"];
  const [first, second] = Match.settings.opponent === "person" ? Match.names() : [say("You"), say("Computer")];
  const draws = tally.draw ? `, ${say("draws: {count}", { count: tally.draw })}` : "";
  return el(
    "p.score",
    { "data-score": true },
    `${say("Score")}: ${first} ${tally[mine]} : ${tally[theirs]} ${second}${draws}`,
  );
}
