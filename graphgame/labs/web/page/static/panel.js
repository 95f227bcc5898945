// Everything about one position, the search, the filter by value, and the sum of the tokens.
"use strict";

const Panel = (() => {
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

  const badge = (outcome) => Dom.el("span", { class: `badge ${outcome ?? "unknown"}` }, outcome ?? "?");

  // How good a move is: P where it wins, D where it keeps a draw, L where it loses at once; null in all other cases.
  const SIGNS = { P: ["winning", "★", "signStar"], D: ["holding", "=", "signHold"], L: ["losing", "!", "signLoses"] };

  function star(aim) {
    if (!aim) return null;
    return Dom.el("span", { class: "star", title: meaning(aim), "aria-label": meaning(aim) }, sign(aim));
  }

  const meaning = (aim) => State.words()[SIGNS[aim][2]];

  const sign = (aim) => SIGNS[aim][1];

  const starred = (aim) => (aim ? ` ${SIGNS[aim][0]}` : "");

  const rank = (aim) => ({ P: 1, D: 1, L: -1 })[aim] ?? 0;

  // The aims of the moves of a sum by their keys.
  function aimsOf(components) {
    const { aim, moves, losing } = Game.goodMoves(components, State.get().play);
    return new Map([...moves.map((move) => [Touch.key(move), aim]), ...losing.map((move) => [Touch.key(move), "L"])]);
  }

  function entry(v, group, aim) {
    const { value, outcome } = Game.facts(v, State.get().play);
    return Dom.el(
      "li",
      {},
      Dom.button(
        [badge(outcome), Dom.label(Game.labels[v]), star(aim), Dom.el("span", { class: "value" }, Values.text(value))],
        () => Page.select(v),
        { class: `entry${starred(aim)}`, "data-key": `${group}-${v}`, "data-entry": v },
      ),
    );
  }

  function list(vertices, group, aimOf = () => null) {
    const { more } = State.words();
    const shown = vertices.slice(0, MOST_LISTED).map((v) => entry(v, group, aimOf(v)));
    const rest = vertices.length - shown.length;
    if (rest > 0) shown.push(Dom.el("li", { class: "quiet" }, more(rest)));
    const part = (entries) => Dom.el("ul", { class: "entries", "data-list": group }, entries);
    return Dom.folded(`${group}-${State.get().selected}`, shown, MOST_SEEN, part, more(vertices.length - MOST_SEEN));
  }

  // Search and filter

  function matches() {
    const { play, query, value } = State.get();
    const wanted = query.trim().toLowerCase();
    const found = [];
    if (!wanted && value === null) return null;
    for (let v = 0; v < Game.size; v += 1) {
      if (value !== null && (Game.isSum(v) || Values.text(Game.facts(v, play).value) !== value)) continue;
      if (Game.labels[v].toLowerCase().includes(wanted)) found.push(v);
    }
    const rank = (v) =>
      Game.labels[v].toLowerCase() === wanted ? 0 : Game.labels[v].toLowerCase().startsWith(wanted) ? 1 : 2;
    return Game.sorted(found).sort((a, b) => rank(a) - rank(b));
  }

  function finder() {
    const words = State.words();
    const { query } = State.get();
    const found = matches();
    const input = Dom.el("input", {
      type: "search",
      "data-key": "search",
      "aria-label": words.search,
      placeholder: words.search,
      autocomplete: "off",
      spellcheck: "false",
      input: (event) => State.set({ query: event.target.value }),
      keydown: (event) => event.key === "Enter" && found?.length && Page.select(found[0]),
    });
    input.value = query;
    return Dom.el("section", { class: "finder" }, input, values(words), found && results(found, words));
  }

  function results(found, words) {
    const count = Dom.el(
      "p",
      { class: "quiet", role: "status" },
      found.length ? words.found(found.length) : words.none,
    );
    return [count, found.length ? list(found, "found") : null];
  }

  function values(words) {
    const { play, value } = State.get();
    const counts = [...countsOf(play)];
    if (counts.length > MOST_VALUES) {
      const entries = [["", words.all], ...counts.map(([v, { count }]) => [v, `${v} (${count})`])];
      return Dom.choice("values", words.byValue, entries, value ?? "", (text) => State.set({ value: text || null }));
    }
    const chip = (v, text, count) =>
      Dom.button([text, count === null ? null : Dom.el("small", {}, count)], () => State.set({ value: v }), {
        class: "chip",
        "aria-pressed": v === value ? "true" : "false",
        "data-key": `value-${v}`,
        "data-value": v ?? "all",
      });
    return Dom.el(
      "div",
      { class: "chips", role: "group", "aria-label": words.byValue },
      Dom.el("span", { class: "quiet" }, words.byValue),
      chip(null, words.all, null),
      counts.map(([v, { count }]) => chip(v, v, count)),
    );
  }

  // One position

  function position(v) {
    const words = State.words();
    const { play } = State.get();
    const { value, outcome, moves } = Game.facts(v, play);
    const fact = (name, text) => Dom.el("div", {}, Dom.el("dt", {}, name), Dom.el("dd", {}, text ?? words.notKnown));
    return Dom.el(
      "section",
      { class: "card", "data-position": v },
      Dom.el("h2", { tabindex: -1 }, Dom.label(Game.labels[v])),
      Dom.el("p", { class: "outcome" }, badge(outcome), words.decisive[Game.ending(v) ?? value] ?? words.outcomes[outcome]),
      board(v),
      Dom.el(
        "dl",
        {},
        fact(play === "misere" ? words.misereValue : words.value, value === null ? null : Values.text(value)),
        Game.proof ? null : fact(words.remoteness, outcome === "D" ? words.endless : moves),
        Game.proof ? null : fact(words.longest, Game.longest[v] === Infinity ? words.endless : Game.longest[v]),
      ),
      derivation(v, value),
      Why.ofPosition(v),
      Dom.el("h3", {}, Game.isSum(v) ? words.parts : words.options),
      options(v),
      Dom.el("h3", {}, words.predecessors),
      Game.predecessors(v).length
        ? list(Game.sorted(Game.predecessors(v)), "predecessors")
        : Dom.el("p", { class: "quiet" }, words.noPredecessors),
      Game.proof ? null : Dom.button(words.playHere, () => Page.playFrom([v]), { class: "primary", "data-key": "play-here" }),
    );
  }

  function board(v) {
    const picture = Drawings.still(v, { "aria-label": State.words().board(Game.labels[v]) });
    if (picture) return Dom.el("div", { class: "picture" }, picture);
    const drawn = Game.data.boards?.[v];
    return drawn
      ? Dom.el("pre", { class: "board", role: "img", "aria-label": State.words().board(Game.labels[v]) }, drawn)
      : null;
  }

  // A star marks a move that wins the sum of the tokens; with one token or none, the game that begins here. A move that
  // loses at once does so in every sum.
  function options(v) {
    const words = State.words();
    const { play, tokens } = State.get();
    if (!Game.options(v).length) return Dom.el("p", { class: "quiet" }, Game.isSum(v) ? "0" : words.noOptions);
    if (Game.isSum(v)) return list(Game.parts(v), "options");
    const { aim, moves } = Game.goodMoves(tokens?.length > 1 ? tokens : [v], play);
    const good = new Set(moves.filter(({ from }) => from === v).map(({ to }) => to));
    const aimOf = (w) => (good.has(w) ? aim : Game.losesAtOnce(w) ? "L" : null);
    const shown = Game.sorted(Game.options(v)).sort((a, b) => rank(aimOf(b)) - rank(aimOf(a)));
    return list(shown, "options", aimOf);
  }

  function derivation(v, value) {
    const words = State.words();
    const { play } = State.get();
    if (value === null || (Values.isDecisive(value) && !Game.isSum(v))) return null;
    if (Game.isSum(v)) {
      if (play === "misere") return Dom.el("p", { class: "quiet" }, words.sumMisere);
      return Strips.xor(
        Game.parts(v).map((w) => ({ head: Dom.label(Shapes.short(Game.labels[w])), value: Game.facts(w, play).value })),
      );
    }
    if (play === "misere" && !Game.options(v).length) return Dom.el("p", { class: "quiet" }, words.endMisere);
    const seen = Game.options(v).map((w) => Game.facts(w, play).value);
    return seen.includes(null) ? null : Strips.mex(seen.filter(Values.isFinite), value);
  }

  // The tokens

  function tokens(components, name = State.words().tokens) {
    const words = State.words();
    const { play } = State.get();
    if (components.length < 2) return null;
    const head = (v) => Dom.label(Shapes.short(Game.labels[v]));
    const inside =
      play === "misere"
        ? Dom.el("p", { class: "quiet" }, words.misereSum)
        : Strips.xor(components.map((v) => ({ head: head(v), value: Game.facts(v, play).value })));
    return Dom.el(
      "section",
      { class: "card", "data-sum": true },
      Dom.el("h2", {}, name),
      inside,
      State.get().tab === "play" ? null : Why.ofSum(components),
    );
  }

  function explore() {
    const { selected } = State.get();
    if (selected === null) return [Dom.el("p", {}, State.words().empty)];
    return [finder(), position(selected), Game.proof ? null : Start.card(), tokens(State.get().tokens || [])];
  }

  return { aimsOf, badge, board, derivation, explore, meaning, rank, sign, star, starred, tokens };
})();
