// Choose the tokens at which the game starts. With 12 or more, no token can be added.

import { button, el, icon, label } from "./dom.js";
import * as Game from "./game.js";
import * as Graph from "./graph.js";
import * as Match from "./match.js";
import * as State from "./state.js";
import { say } from "./text.js";

export const MOST = 12;

const tokens = () => State.get().tokens ?? [];
export const isOfFile = () => String(State.get().tokens) === String(Game.tokens);

// Start a match with these tokens. A token on a sum becomes a token on each of its parts.
export function set(wanted) {
  const next = wanted.flatMap(Game.partsOf);
  Game.prepare(next);
  State.set({ tokens: next });
  Match.restart();
}

export function playFrom(components) {
  State.set({ tab: "play" });
  set(components);
}

const without = (v) => tokens().toSpliced(tokens().lastIndexOf(v), 1);

function row(v) {
  const count = tokens().filter((token) => token === v).length;
  const name = Game.labels[v];
  const press = (sign, what, next, off) =>
    icon(sign, what, () => set(next()), { disabled: off, "data-key": `${sign}${v}` });
  return el(
    "li",
    { "data-token": v },
    button([label(name)], () => Graph.select(v), { class: "link", "data-key": `token-${v}` }),
    press("−", say("One fewer token on {label}", { label: name }), () => without(v), false),
    el("span.count", count),
    press("+", say("One more token on {label}", { label: name }), () => [...tokens(), v], tokens().length >= MOST),
  );
}

export function card() {
  const { selected } = State.get();
  return el(
    "section.card",
    { "data-start": true },
    el("h3", say("The start: tokens")),
    tokens().length ? el("ul.tokens", [...new Set(tokens())].map(row)) : el("p.quiet", say("There is no token yet.")),
    el(
      "div.buttons",
      button(say("Put a token on {label}", { label: Game.labels[selected] }), () => set([...tokens(), selected]), { disabled: tokens().length >= MOST, "data-key": "add-token" }),
      isOfFile()
        ? null
        : button(say("Back to the tokens of the file"), () => set(Game.tokens), { class: "link", "data-key": "file-tokens" }),
    ),
  );
}
