// The parts put together: header, graph, panel, and what a choice does.
"use strict";

const Page = (() => {
  const element = (id) => document.getElementById(id);
  let overlay, speaker, panelBody, misere;

  function select(v) {
    if (State.get().tab === "explore") Graph.grow(v);
    State.set({ selected: v });
    Graph.reveal(v);
    element("panel").querySelector("[data-position] h2")?.scrollIntoView({ block: "nearest" });
  }

  function choose(v) {
    if (State.get().tab === "play" && Match.go(v)) return;
    Graph.grow(v);
    State.set({ selected: v });
    Graph.reveal(v);
  }

  function playFrom(components) {
    State.set({ tab: "play" });
    Match.restart(components);
  }

  function openTab(tab) {
    State.set({ tab });
    Match.resume();
  }

  function chooseRules(play) {
    State.set({ play, value: null });
    Match.restart();
  }

  // Header

  function verdict() {
    const words = State.words();
    const { play } = State.get();
    if (!Game.tokens || !Game.tokens.length) return counts(words, play);
    const judged = Game.judge(Game.tokens, play);
    if (!judged) return words.unknownWinner;
    if (judged.outcome === "D") return words.draw;
    if (judged.outcome === "N" && judged.moves === 0) return words.noMoveWins;
    return judged.outcome === "N" ? words.firstWins(judged.moves) : words.secondWins(judged.moves);
  }

  function counts(words, play) {
    const tally = { P: 0, N: 0, D: 0, null: 0 };
    for (let v = 0; v < Game.size; v += 1) if (!Game.isSum(v)) tally[Game.facts(v, play).outcome] += 1;
    return words.counts(tally.P + tally.N + tally.D + tally.null, tally.P, tally.N, tally.D);
  }

  function header() {
    const words = State.words();
    const { language, play, tab, theme } = State.get();
    const secret = tab === "play" && Match.secret();
    const title = Game.data.title;
    return [
      Dom.el(
        "div",
        { class: "heading" },
        Dom.el("h1", {}, Dom.label(title)),
        Dom.el("p", { class: "verdict" }, secret ? "" : verdict()),
      ),
      Dom.el(
        "div",
        { class: "controls" },
        misere ? Dom.choice("rules", words.rules, Object.entries(words.plays), play, chooseRules) : null,
        Dom.choice(
          "language",
          words.language,
          Object.entries(Text.tables).map(([key, table]) => [key, table.name]),
          language,
          (value) => State.set({ language: value }),
        ),
        Dom.choice("theme", words.theme, Object.entries(words.themes), theme, (value) => State.set({ theme: value })),
      ),
    ];
  }

  // Panel

  function tabs() {
    const words = State.words();
    const { tab } = State.get();
    return Dom.el(
      "div",
      { class: "tabs", role: "tablist" },
      ["explore", "play"].map((name) =>
        Dom.button(words[name], () => openTab(name), {
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": "body",
          "aria-selected": name === tab ? "true" : "false",
          "data-key": `tab-${name}`,
        }),
      ),
    );
  }

  function render() {
    const { language, tab, theme } = State.get();
    document.documentElement.lang = Text.tables[language].tag;
    document.documentElement.dataset.theme = theme;
    Dom.replace(element("header"), header());
    Dom.replace(element("tabs"), tabs());
    panelBody.setAttribute("aria-labelledby", `tab-${tab}`);
    Dom.replace(panelBody, tab === "play" ? Play.play() : Panel.explore());
    if (tab === "play" && Game.size) {
      const said = Play.status().textContent.trim();
      if (speaker.textContent !== said) speaker.textContent = said;
    }
    Graph.update(overlay);
  }

  // On paper nothing stays folded, and nothing out of the frame.
  let folded = [];

  function print(begins) {
    if (begins) folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((part) => (part.open = begins));
    Graph.print(begins);
  }

  function start() {
    misere = Game.size > 0 && Game.knowsMisere();
    panelBody = Dom.el("div", { id: "body", role: "tabpanel" });
    speaker = Dom.el("div", { class: "unseen", role: "status", "aria-live": "polite" });
    element("panel").append(Dom.el("div", { id: "tabs" }), panelBody, speaker);
    if (!misere && Game.size) element("panel").append(Dom.el("p", { class: "quiet note", id: "note" }));
    overlay = Graph.init(element("graph"), choose);
    State.subscribe((changes) => {
      if ("match" in changes && State.get().tab === "play") Match.components().forEach((v) => Graph.grow(v));
      render();
    });
    State.subscribe(() => {
      if (element("note")) element("note").textContent = State.words().misereMissing;
    });
    State.set({});
    Graph.begin();
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
  }

  return { playFrom, select, start };
})();

Page.start();
