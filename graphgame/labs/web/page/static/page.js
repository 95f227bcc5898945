// The parts put together: header, graph, panel, and what a choice does.
"use strict";

const Page = (() => {
  const element = (id) => document.getElementById(id);
  let overlay, speaker, panelBody;

  function select(v) {
    if (State.get().tab === "explore") Graph.grow(v);
    State.set({ selected: v });
    Graph.reveal(v);
    element("panel").querySelector("[data-position] h2")?.scrollIntoView({ block: "nearest" });
  }

  function choose(v) {
    if (State.get().tab === "play" && Match.go(v)) return;
    show(v);
  }

  function playFrom(components) {
    State.set({ tab: "play" });
    Start.set(components);
  }

  const TABS = Game.proof ? ["play", "explore"] : ["explore", "play", "learn"];
  const BODIES = { explore: () => Panel.explore(), play: () => Play.play(), learn: () => Learn.show() };
  const misere = () => Game.size > 0 && (State.get().play === "misere" || Game.knowsMisere(State.get().tokens));

  function show(v) {
    if (v === null) return;
    Graph.grow(v);
    State.set({ selected: v });
    Graph.reveal(v);
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
    const { play, tokens } = State.get();
    if (Game.proof) return (Game.proof === "N" ? words.firstWins : words.secondWins)(null);
    if (!tokens || !tokens.length) return counts(words, play);
    const judged = Game.judge(tokens, play);
    const last = Game.lastOf(tokens);
    if (last !== null) return words.isOver[Game.ending(last)];
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
    const secret = !Game.proof && ((tab === "play" && Match.secret()) || Learn.isOpen());
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
        misere() ? Dom.choice("rules", words.rules, Object.entries(words.plays), play, chooseRules) : null,
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
      { class: "tabs", role: "tablist", keydown: turnTabs },
      TABS.map((name) =>
        Dom.button(words[name], () => openTab(name), {
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

  // Arrow keys go round the tabs.
  function turnTabs(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const place = TABS.indexOf(State.get().tab) + (step ?? 0);
    const next = { Home: TABS[0], End: TABS.at(-1) }[event.key] ?? (step && TABS.at(place % TABS.length));
    if (!next) return;
    event.preventDefault();
    openTab(next);
    element(`tab-${next}`).focus();
  }

  function render() {
    const { language, tab, theme } = State.get();
    document.documentElement.lang = Text.tables[language].tag;
    document.documentElement.dataset.theme = theme;
    Dom.replace(element("header"), header());
    Dom.replace(element("tabs"), tabs());
    panelBody.setAttribute("aria-labelledby", `tab-${tab}`);
    Dom.replace(panelBody, BODIES[tab]());
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
    panelBody = Dom.el("div", { id: "body", role: "tabpanel" });
    speaker = Dom.el("div", { class: "unseen", role: "status", "aria-live": "polite" });
    element("panel").append(Dom.el("div", { id: "tabs" }), panelBody, speaker);
    element("panel").append(Dom.el("p", { class: "quiet note", id: "note" }));
    overlay = Graph.init(element("graph"), choose);
    Stage.init(element("stage"));
    State.subscribe((changes) => {
      if ("match" in changes && State.get().tab === "play") Match.components().forEach((v) => Graph.grow(v));
      render();
    });
    State.subscribe(() => {
      element("note").textContent = misere() || !Game.size || Game.proof ? "" : State.words()[Game.decides ? "misereRefused" : "misereMissing"];
    });
    Address.init();
    State.set({});
    Graph.begin();
    if (Game.proof) Match.resume();
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
  }

  return { TABS, playFrom, select, show, start };
})();

Page.start();
