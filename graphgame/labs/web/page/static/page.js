// Put the page together: header, graph and panel; and react to the reader's choices.

import * as Address from "./address.js";
import { button, choice, el, label, replace } from "./dom.js";
import * as Game from "./game.js";
import * as Graph from "./graph.js";
import * as Learn from "./learn.js";
import * as Appearance from "./appearance.js";
import * as Match from "./match.js";
import * as Panel from "./panel.js";
import * as Play from "./play.js";
import * as Stage from "./stage.js";
import * as State from "./state.js";
import { amount, grouped, say } from "./text.js";

const element = (id) => document.getElementById(id);
let speaker, panelBody;

function choose(v) {
  if (State.get().tab !== "play" || !Match.go(v)) Graph.show(v);
}

const BODIES = { explore: Panel.explore, play: Play.play, learn: Learn.show };
const misere = () => Game.size > 0 && (State.get().play === "misere" || Game.knowsMisere(State.get().tokens));

function openTab(tab) {
  State.set({ tab });
  Match.resume();
}

function chooseRules(play) {
  State.set({ play, value: null });
  Match.restart();
}

// What the graph highlights and hides: the tokens, the moves they may make, and answers that a learner must not see.

function marks() {
  const { play, selected, strategy, tab, value } = State.get();
  const playing = tab === "play";
  const components = playing ? Match.components() : Learn.isOpen() ? Learn.tokens() : State.get().tokens || [];
  const secret = playing && Match.secret();
  const tokens = new Map();
  components.forEach((v) => tokens.set(v, (tokens.get(v) || 0) + 1));
  const open = playing && !Match.computersTurn();
  const held = playing ? Match.heldToken() : null;
  const moves = open ? Match.moves().filter(({ from }) => held === null || from === held) : [];
  return {
    play,
    selected,
    strategy,
    value: playing || Learn.isOpen() ? null : value,
    tokens,
    playing,
    held,
    hides: (v) => secret || Learn.hides(v),
    now: new Set(Learn.current()),
    reachable: new Set(moves.map(({ to }) => to)),
    steps: new Set(moves.map(({ from, to }) => `${from} ${to}`)),
    good: goodSteps(components, play, playing),
  };
}

// The tokens' winning moves, or without any their drawing moves, with the kind of edge that shows them.
function goodSteps(components, play, playing) {
  if (playing && Match.over()) return { steps: new Set(), kind: null };
  const { aim, moves } = Game.goodMoves(components, play);
  return { steps: new Set(moves.map(({ from, to }) => `${from} ${to}`)), kind: aim === "D" ? "hold" : "best" };
}

// Header

function verdict() {
  const { play, tokens } = State.get();
  if (Game.proof) return wins(Game.proof, null);
  if (!tokens || !tokens.length) return counts(play);
  const judged = Game.judge(tokens, play);
  const last = Game.lastOf(tokens);
  if (last !== null)
    return Game.ending(last) === "P" ? say("Second player has won: play is over") : say("First player has won: play is over");
  if (!judged) return say("This page does not know who wins");
  if (judged.outcome === "D") return say("A draw: neither player can force a win");
  return wins(judged.outcome, judged.moves);
}

function wins(outcome, moves) {
  if (outcome === "N") {
    if (moves === null) return say("First player wins");
    return moves ? amount(moves, "First player wins in {count} move") : say("First player wins: there is no move");
  }
  if (moves === null) return say("Second player wins");
  return moves ? amount(moves, "Second player wins in {count} move") : say("Second player wins: there is no move");
}

function counts(play) {
  const tally = { P: 0, N: 0, D: 0, null: 0 };
  for (let v = 0; v < Game.size; v += 1) if (!Game.isSum(v)) tally[Game.facts(v, play).outcome] += 1;
  const [p, n, d] = [tally.P, tally.N, tally.D].map(grouped);
  const positions = amount(tally.P + tally.N + tally.D + tally.null, "{count} position");
  return tally.D
    ? say("{positions}, {p} P, {n} N and {d} D", { positions, p, n, d })
    : say("{positions}, {p} P and {n} N", { positions, p, n });
}

function header() {
  const { play, tab } = State.get();
  const plays = [["normal", say("normal: last mover wins")], ["misere", say("misère: last mover loses")]];
  const secret = !Game.proof && ((tab === "play" && Match.secret()) || Learn.isOpen());
  return [
    el("div.heading", el("h1", label(Game.data.title)), el("p.verdict", secret ? "" : verdict())),
    el(
      "div.controls",
      misere() && choice("rules", say("Play convention"), plays, play, chooseRules),
      Appearance.choices(State.get(), State.set),
    ),
  ];
}

// Panel

function tabs() {
  const { tab } = State.get();
  const names = { explore: say("Explore"), play: say("Play"), learn: say("Learn") };
  return el(
    "div.tabs",
    { role: "tablist", keydown: turnTabs },
    State.TABS.map((name) =>
      button(names[name], () => openTab(name), {
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": "body",
        "aria-selected": name === tab ? "true" : "false",
        tabindex: name === tab ? 0 : -1,
        "data-key": `tab-${name}`,
      }),
    ),
  );
}

// The right and left arrow keys select the next and previous tab, in a circle; Home and End the first and last.
function turnTabs(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const { TABS, get } = State;
  const i = TABS.indexOf(get().tab) + (step ?? 0);
  const next = { Home: TABS[0], End: TABS.at(-1) }[event.key] ?? (step && TABS.at(i % TABS.length));
  if (!next) return;
  event.preventDefault();
  openTab(next);
  element(`tab-${next}`).focus();
}

// The reason why the page does not offer misère play. Empty if it does, or shows a certificate or no position.
function noteText() {
  if (misere() || !Game.size || Game.proof) return "";
  return Game.decides
    ? say(
        "Misère play is not offered: the rules say who wins as soon as a certain position is reached.",
      )
    : say("Misère play is not offered: this file does not contain the graph of the sum.");
}

function render() {
  const { tab } = State.get();
  replace(element("header"), header());
  replace(element("tabs"), tabs());
  panelBody.setAttribute("aria-labelledby", `tab-${tab}`);
  replace(panelBody, Game.size ? BODIES[tab]() : el("p", say("This game has no positions.")));
  if (tab === "play" && Game.size) {
    const text = Play.status().textContent.trim();
    if (speaker.textContent !== text) speaker.textContent = text;
  }
  element("note").textContent = noteText();
  Graph.update();
}

// Before printing, unfold every part and show all of the drawing; after printing, undo this.
let folded = [];

function print(begins) {
  if (begins) folded = [...document.querySelectorAll("details:not([open])")];
  folded.forEach((part) => (part.open = begins));
  Graph.print(begins);
}

function start() {
  panelBody = el("div", { id: "body", role: "tabpanel" });
  speaker = el("div.unseen", { role: "status", "aria-live": "polite" });
  element("panel").append(el("div", { id: "tabs" }), panelBody, speaker);
  element("panel").append(el("p.quiet.note", { id: "note" }));
  Graph.init(element("graph"), choose, marks);
  Stage.init(element("stage"));
  State.subscribe((changes) => {
    if ("match" in changes && State.get().tab === "play") Match.components().forEach((v) => Graph.grow(v));
    render();
  });
  Address.init();
  State.set({});
  Graph.begin();
  if (Game.proof) Match.resume();
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
}

start();
