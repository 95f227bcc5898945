// The reader's choices. Each change redraws the page.

import * as Game from "./game.js";
import * as Appearance from "./appearance.js";
import * as Text from "./text.js";

export const TABS = Game.proof ? ["play", "explore"] : ["explore", "play", "learn"];

const listeners = [];
const state = {
  language: Text.preferred(),
  theme: "auto",
  play: Game.data.play === "misere" && Game.size && Game.knowsMisere() ? "misere" : "normal",
  tab: TABS[0],
  selected: Game.size ? Game.firstVertex() : null,
  tokens: Game.tokens,
  lesson: "values",
  level: "easy",
  seed: 1,
  query: "",
  value: null,
  strategy: false,
};

export function set(changes) {
  Object.assign(state, changes);
  Appearance.apply(state);
  listeners.forEach((listener) => listener(changes));
}

export const get = () => state;
export const subscribe = (listener) => listeners.push(listener);
