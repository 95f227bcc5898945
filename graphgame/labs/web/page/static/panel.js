// Everything about one position, the search, the filter by value, and the sum of the tokens.

import * as Board from "./board.js";
import { button, choice, el, folded, group, label } from "./dom.js";
import * as Game from "./game.js";
import * as Graph from "./graph.js";
import * as Moves from "./moves.js";
import * as Shapes from "./shapes.js";
import * as Start from "./start.js";
import * as State from "./state.js";
import * as Strips from "./strips.js";
import { amount, more, say } from "./text.js";
import * as Values from "./values.js";
import * as Why from "./why.js";

const MOST_LISTED = 60;
const MOST_SEEN = 10;
const MOST_VALUES = 20;

const histogram = { normal: null, misere: null };

function countsOf(play) {
  if (!histogram[play]) {
    const counts = new Map();
    for (let v = 0; v < Game.size; v += 1) {
      const { value } = Game.isSum(v) ? { value: null } : Game.facts(v, play);
      if (value === null) continue;
      const text = Values.text(value);
      counts.set(text, { value, count: (counts.get(text)?.count ?? 0) + 1 });
    }
    histogram[play] = new Map([...counts].sort(([, a], [, b]) => Values.compare(a.value, b.value)));
  }
  return histogram[play];
}

function entry(v, kind, aim) {
  const { value, outcome } = Game.facts(v, State.get().play);
  return el(
    "li",
    button(
      [Shapes.badge(outcome), label(Game.labels[v]), Moves.star(aim), el("span.value", Values.text(value))],
      () => Graph.select(v),
      { class: `entry${Moves.starred(aim)}`, "data-key": `${kind}-${v}`, "data-entry": v },
    ),
  );
}

function list(vertices, kind, aimOf = () => null) {
  const shown = vertices.slice(0, MOST_LISTED).map((v) => entry(v, kind, aimOf(v)));
  const hidden = vertices.length - shown.length;
  if (hidden > 0) shown.push(el("li.quiet", more(hidden)));
  const part = (entries) => el("ul.entries", { "data-list": kind }, entries);
  return folded(`${kind}-${State.get().selected}`, shown, MOST_SEEN, part, more(vertices.length - MOST_SEEN));
}

// Search and filter

function matches() {
  const { play, query, value } = State.get();
  const wanted = query.trim().toLowerCase();
  const hits = [];
  if (!wanted && value === null) return null;
  for (let v = 0; v < Game.size; v += 1) {
    if (value !== null && (Game.isSum(v) || Values.text(Game.facts(v, play).value) !== value)) continue;
    if (Game.labels[v].toLowerCase().includes(wanted)) hits.push(v);
  }
  const rank = (v) =>
    Game.labels[v].toLowerCase() === wanted ? 0 : Game.labels[v].toLowerCase().startsWith(wanted) ? 1 : 2;
  return Game.sorted(hits).sort((a, b) => rank(a) - rank(b));
}

function finder() {
  const { query } = State.get();
  const hits = matches();
  const input = el("input", {
    type: "search",
    "data-key": "search",
    "aria-label": say("Search for a position"),
    placeholder: say("Search for a position"),
    autocomplete: "off",
    spellcheck: "false",
    input: (event) => State.set({ query: event.target.value }),
    keydown: (event) => event.key === "Enter" && hits?.length && Graph.select(hits[0]),
  });
  input.value = query;
  const count = hits?.length ? amount(hits.length, "{count} position") : say("No position matches.");
  return el(
    "section.finder",
    input,
    values(),
    hits && [el("p.quiet", { role: "status" }, count), hits.length > 0 && list(hits, "found")],
  );
}

function values() {
  const { play, value } = State.get();
  const counts = [...countsOf(play)];
  if (counts.length > MOST_VALUES) {
    const entries = [["", say("all")], ...counts.map(([v, { count }]) => [v, `${v} (${count})`])];
    return choice("values", say("Filter by value"), entries, value ?? "", (text) => State.set({ value: text || null }));
  }
  const chip = (v, text, count) =>
    button([text, count === null ? null : el("small", count)], () => State.set({ value: v }), {
      class: "chip",
      "aria-pressed": v === value ? "true" : "false",
      "data-key": `value-${v}`,
      "data-value": v ?? "all",
    });
  return group(
    "div.chips",
    say("Filter by value"),
    el("span.quiet", say("Filter by value")),
    chip(null, say("all"), null),
    counts.map(([v, { count }]) => chip(v, v, count)),
  );
}

// One position

function position(v) {
  const { play } = State.get();
  const { value, outcome, moves } = Game.facts(v, play);
  const fact = (name, text) => el("div", el("dt", name), el("dd", text ?? say("not on this page")));
  return el(
    "section.card",
    { "data-position": v },
    el("h2", { tabindex: -1 }, label(Game.labels[v])),
    el("p.outcome", Shapes.badge(outcome), outcomeText(Game.ending(v) ?? value, outcome)),
    board(v),
    el(
      "dl",
      fact(play === "misere" ? say("Misère value") : say("Value"), value === null ? null : Values.text(value)),
      !Game.proof && fact(say("Remoteness"), outcome === "D" ? say("no end") : moves),
      !Game.proof && fact(say("Longest play"), Game.longest[v] === Infinity ? say("no end") : Game.longest[v]),
    ),
    derivation(v, value),
    Why.ofPosition(v),
    el("h3", Game.isSum(v) ? say("Parts") : say("Options")),
    options(v),
    el("h3", say("Predecessors")),
    Game.predecessors(v).length
      ? list(Game.sorted(Game.predecessors(v)), "predecessors")
      : el("p.quiet", Game.proof ? say("not on this page") : say("No move leads here.")),
    !Game.proof && button(say("Play from here"), () => Start.playFrom([v]), { class: "primary", "data-key": "play-here" }),
  );
}

function outcomeText(value, outcome) {
  const decisive = {
    P: say("Play is over: the player who just moved has won."),
    N: say("Play is over: the player who just moved has lost."),
    sunny: say("Sunny: a part of the sum has ended play, and the player who just moved has won."),
    loony: say("Loony: the player to move wins at once, whatever else is in the sum."),
  };
  const outcomes = {
    P: say("P-position: the previous player wins"),
    N: say("N-position: the next player wins"),
    D: say("a draw: neither player can force a win"),
    null: say("outcome not on this page"),
  };
  return decisive[value] ?? outcomes[outcome];
}

function board(v) {
  const name = { "aria-label": say("Board of {label}", { label: Game.labels[v] }) };
  const picture = Board.drawingOf(v, name);
  if (picture) return el("div.picture", picture);
  const text = Game.data.boards?.[v];
  return text ? el("pre.board", { role: "img", ...name }, text) : null;
}

// The card of a component of a match or puzzle: its name and its moves. If the stage does not draw its board, the
// card has the board as text.
export const component = (v, attributes, moves, name) =>
  el("section.card.component", attributes, el("h3", name, label(Game.labels[v])), !Board.boardOf(v) && board(v), moves);

// A sign marks a move that wins or draws: with two or more tokens, the sum of the tokens; otherwise, the game that
// begins at v. A sign also marks a move that loses at once: it loses in every sum. The page of a certificate may lack
// the options of a position without a value.
function options(v) {
  const { play, tokens } = State.get();
  if (Game.proof && !Game.options(v).length && Game.facts(v, play).value === null) return el("p.quiet", say("not on this page"));
  if (!Game.options(v).length) return el("p.quiet", Game.isSum(v) ? "0" : say("No option: the game is over here."));
  if (Game.isSum(v)) return list(Game.parts(v), "options");
  const { aim, moves } = Game.goodMoves(tokens?.length > 1 ? tokens : [v], play);
  const good = new Set(moves.filter(({ from }) => from === v).map(({ to }) => to));
  const aimOf = (w) => (good.has(w) ? aim : Game.losesAtOnce(w) ? "L" : null);
  const shown = Game.sorted(Game.options(v)).sort((a, b) => Moves.rank(aimOf(b)) - Moves.rank(aimOf(a)));
  return list(shown, "options", aimOf);
}

export function derivation(v, value) {
  const { play } = State.get();
  if (value === null || (Values.isDecisive(value) && !Game.isSum(v))) return null;
  if (Game.isSum(v)) {
    if (play === "misere") return el("p.quiet", say("Misère values do not combine by xor: they do not give the outcome of the sum."));
    return Strips.xor(Game.parts(v), (w) => Game.facts(w, play).value);
  }
  if (play === "misere" && !Game.options(v).length) return el("p.quiet", say("No option: in misère play the player to move has won, value 1."));
  const seen = Game.options(v).map((w) => Game.facts(w, play).value);
  return seen.includes(null) ? null : Strips.mex(seen.filter(Values.isFinite), value);
}

// The tokens

export function tokens(components) {
  const { play } = State.get();
  if (components.length < 2) return null;
  const valueOf = (v) => Game.facts(v, play).value;
  const inside =
    play === "misere"
      ? el("p.quiet", say("Misère values do not combine by xor: they do not give the outcome of the sum."))
      : components.every((v) => valueOf(v) !== null)
        ? Strips.xor(components, valueOf)
        : el("p.quiet", say("not on this page"));
  return el(
    "section.card",
    { "data-sum": true },
    el("h2", say("The sum")),
    inside,
    State.get().tab === "play" ? null : Why.ofSum(components),
  );
}

export function explore() {
  return [finder(), position(State.get().selected), Game.proof ? null : Start.card(), tokens(State.get().tokens || [])];
}
