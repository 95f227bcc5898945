// The match on the screen: its settings, whose move it is, the components, the moves made.

import { button, choice, el, folded, group, label, tick } from "./dom.js";
import * as Game from "./game.js";
import * as Match from "./match.js";
import * as Moves from "./moves.js";
import * as Panel from "./panel.js";
import * as Start from "./start.js";
import * as State from "./state.js";
import { amount, more, say } from "./text.js";
import * as Timeline from "./timeline.js";
import * as Why from "./why.js";

const MOST_MOVES = 120;
const MOST_SEEN = 24;
export const ERRS = [0, 5, 20, 50, 100];

export const opponents = () => ({ computer: say("the computer"), person: say("a person") });
export const starters = () => ({ you: say("you"), computer: say("the computer"), turns: say("you and the computer in turn") });

function skill(errs) {
  if (errs === 0) return say("perfect");
  return errs === 100 ? say("any move, at random") : say("{n} moves in 100 at random", { n: errs });
}

function settings() {
  const { opponent, starter, err } = Match.settings;
  const pick = (key, name, entries, chosen, read = String) =>
    choice(key, name, entries, chosen, (value) => Match.configure({ [key]: read(value) }));
  if (Game.proof) return el("section.settings", el("p.quiet", { "data-proof": true }, proofText()));
  return el(
    "section.settings",
    pick("opponent", say("Against"), Object.entries(opponents()), opponent),
    opponent === "computer" && [
      pick("starter", say("Who starts"), Object.entries(starters()), starter),
      pick("err", say("The computer's skill"), ERRS.map((n) => [String(n), skill(n)]), String(err), Number),
    ],
  );
}

const proofText = () =>
  say(
    "The computer plays the winner's side, by a certificate. For a position that it does not list, this page has no value and only the winner's answer.",
  );

// The controls come before the list of moves, so that they stay in place when the list grows.
function controls() {
  return el(
    "div.buttons",
    button(say("New game"), () => Match.restart(), { "data-key": "new" }),
    button(say("Undo"), () => Match.jump(-1), { disabled: Match.turnTowards(-1) === null, "data-key": "undo" }),
    button(say("Redo"), () => Match.jump(1), { disabled: Match.turnTowards(1) === null, "data-key": "redo" }),
    tick("hints", say("Hints"), Match.settings.hints, (on) => Match.configure({ hints: on })),
  );
}

const lookingBack = (i) =>
  i ? say("Looking back: after move {n}.", { n: i }) : say("Looking back: the start.");

export function status() {
  const winner = Match.winner();
  const name = Match.names()[winner ?? Match.mover()];
  const person = Match.settings.opponent === "person";
  let text = person ? say("{player} to move.", { player: name }) : Match.computersTurn() ? say("The computer is thinking.") : say("Your move.");
  if (Match.heldToken() !== null) text = say("The token on {label} is picked up: choose where it goes.", { label: Game.labels[Match.heldToken()] });
  if (Match.computersTurn() && Match.looksBack()) text = lookingBack(Match.turnIndex());
  if (winner === "draw") text = say("The position has come up three times: a draw.");
  else if (winner !== null)
    text = person ? say("{player} wins!", { player: name }) : Match.isComputer(winner) ? say("The computer wins.") : say("You win!");
  const why = winner === null ? null : reason();
  const kind = winner === null ? "" : winner === "draw" ? " drawn" : Match.isComputer(winner) ? " lost" : " won";
  return el(
    "p",
    { class: `status${kind}` },
    text,
    " ",
    winner === null && Match.settings.hints && el("span.hint", prospect()),
    why && el("span.hint", { "data-reason": true }, why),
  );
}

// Why the match is over, in a game that a move can end at once. The rules are quoted if all components are of one game.
function reason() {
  const last = Game.lastOf(Match.components());
  if (!Game.decides || Match.winner() === "draw") return null;
  if (last === null) return say("No move is left: whoever is to move has lost.");
  const rules = Game.data.rules ?? [];
  const [, end] = (rules.length === 1 && rules[0][State.get().language]) || [];
  const who = { P: say("whoever moves to it has won."), N: say("whoever moves to it has lost.") };
  const rule = end ? end[0].toLowerCase() + end.slice(1) : who[Game.ending(last)];
  return say("Play ended with {label}: {rule}", { label: label(Game.labels[last]), rule });
}

function prospect() {
  const judged = Match.judged();
  if (!judged) return say("This page does not know who wins");
  if (judged.outcome === "D") return say("Nobody can force a win: = marks the moves that keep the draw.");
  if (judged.outcome === "N") {
    if (judged.moves === null) return say("The player to move can win.");
    return amount(judged.moves, "The player to move can win in {count} move.", "The player to move can win in {count} moves.");
  }
  if (judged.moves === null) return say("The player to move cannot force a win.");
  return amount(
    judged.moves,
    "The player to move loses in {count} move against best play.",
    "The player to move loses in {count} moves against best play.",
  );
}

function startLine() {
  if (Start.isOfFile() || !Game.tokens) return null;
  return el(
    "p.quiet",
    say("This match started from {label}.", { label: State.get().tokens.map((v) => Game.labels[v]).join(" + ") }),
    " ",
    Game.tokens.length
      ? button(say("Back to the tokens of the file"), () => Start.set(Game.tokens), { class: "link", "data-key": "back" })
      : null,
  );
}

function components() {
  const moves = Match.moves();
  const aims = Match.settings.hints && !Match.computersTurn() ? Moves.aimsOf(Match.components()) : new Map();
  return Match.components().map((v, i) => card(v, i, moves.filter((move) => move.component === i), aims));
}

function card(v, i, moves, aims) {
  const name = Match.components().length > 1 && el("span.quiet", `${say("Component {number}:", { number: i + 1 })} `);
  return Panel.component(v, { "data-component": i }, moves.length > 0 && buttons(moves, i, aims), name);
}

function buttons(moves, component, aims) {
  const aimOf = (move) => aims.get(Moves.key(move));
  const order = (a, b) => Moves.rank(aimOf(b)) - Moves.rank(aimOf(a));
  const shown = [...moves]
    .sort(order)
    .slice(0, MOST_MOVES)
    .map((move) => {
      const aim = aimOf(move);
      return button(["→ ", label(Game.labels[move.to]), Moves.star(aim)], () => Match.make(move), {
        class: `move${Moves.starred(aim)}`,
        disabled: Match.computersTurn(),
        "data-move": `${move.component} ${move.to}`,
        "data-key": `move-${move.component}-${move.to}`,
      });
    });
  const hidden = moves.length - shown.length;
  if (hidden > 0) shown.push(el("span.quiet", more(hidden)));
  const part = (buttons) => group("div.moves", say("Possible moves"), buttons);
  return folded(`moves-${component}`, shown, MOST_SEEN, part, more(moves.length - MOST_SEEN));
}

export function question() {
  const ways = Match.pending();
  if (!ways.length) return null;
  const ask = el(
    "section.card.question",
    { role: "dialog", "aria-label": say("Which component moves to this position?") },
    el("h3", say("Which component moves to this position?")),
    el(
      "div.moves",
      ways.map((move) =>
        button(Moves.step(move), () => Match.make(move), {
          class: "move",
          "data-key": `ask-${move.component}-${move.to}`,
        }),
      ),
      button(say("Cancel"), Match.cancel, { class: "link", "data-key": "cancel" }),
    ),
  );
  return ask;
}

export function play() {
  return [
    el("h2", { tabindex: -1, class: "unseen" }, say("Play")),
    controls(),
    Match.looksBack() && Match.computersTurn() && button(say("Play on from here"), Match.playOn, { "data-key": "play-on" }),
    components(),
    Match.settings.hints && Panel.tokens(Match.components()),
    Match.computersTurn() ? null : Why.ofMatch(Match.components(), Match.secret()),
    Timeline.aftermath(),
    Timeline.strip(),
    settings(),
    startLine(),
    Timeline.moves(),
  ];
}
