// What the reader has chosen; every change redraws what shows it.
"use strict";

const State = (() => {
  const listeners = [];
  const state = {
    language: Text.preferred(),
    theme: "auto",
    play: Game.data.play === "misere" && Game.size && Game.knowsMisere() ? "misere" : "normal",
    tab: Game.proof ? "play" : "explore",
    selected: Game.size ? Game.firstVertex() : null,
    tokens: Game.tokens,
    lesson: "values",
    level: "easy",
    seed: 1,
    query: "",
    value: null,
    strategy: false,
  };

  function set(changes) {
    Object.assign(state, changes);
    listeners.forEach((listener) => listener(changes));
  }

  return {
    get: () => state,
    set,
    subscribe: (listener) => listeners.push(listener),
    words: () => Text.tables[state.language],
  };
})();
