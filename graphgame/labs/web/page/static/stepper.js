// "Solve it with me": values from the ends backwards, and the sum of the tokens column by column, step by step.
"use strict";

const Stepper = (() => {
  const PAUSE = 1100; // milliseconds between steps that play by themselves
  const MOST_LISTED = 12;

  let unit = "one";
  let at = 0;
  let timer = null;

  // Every position from which play must end, options before those who move to them.
  const order = [...Game.labels.keys()]
    .filter((v) => Game.longest[v] !== Infinity)
    .sort((a, b) => Game.depth[a] - Game.depth[b] || a - b);
  const rank = new Map(order.map((v, place) => [v, place]));
  const ends = { one: order.map((_, place) => place + 1), layer: [] }; // how many have a value after each step
  order.forEach((v, place) => {
    if (place + 1 === order.length || Game.depth[order[place + 1]] !== Game.depth[v]) ends.layer.push(place + 1);
  });

  const isSum = () => State.get().lesson === "sum";
  const count = () => (at ? ends[unit][at - 1] : 0);
  const current = () => (at ? order.slice(at > 1 ? ends[unit][at - 2] : 0, count()) : []);
  const length = () => (isSum() ? columns().width + 1 : ends[unit].length);
  const known = (v) => State.get().lesson === "values" && (rank.get(v) ?? Infinity) < count();

  function go(place) {
    at = Math.max(0, Math.min(length(), place));
    if (at === length()) stop();
    const [first] = isSum() ? [] : current();
    if (first !== undefined) Page.show(first);
    else State.set({});
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
  }

  function begin() {
    stop();
    at = 0;
  }

  function run() {
    timer = setTimeout(() => {
      if (State.get().tab !== "learn") return stop();
      run();
      go(at + 1);
    }, PAUSE);
  }

  function toggle() {
    if (timer) stop();
    else {
      if (at === length()) at = 0;
      run();
      return go(at + 1);
    }
    State.set({});
  }

  // The controls

  function controls() {
    const words = State.words();
    const press = (sign, name, act, off = false) =>
      Dom.button(sign, act, {
        class: "icon",
        "aria-label": name,
        title: name,
        disabled: off,
        "data-key": `step-${sign}`,
        "data-step": name,
      });
    const jump = Dom.el("input", {
      type: "range",
      min: 0,
      max: length(),
      "aria-label": words.stepOf(at, length()),
      "data-key": "step-jump",
      input: (event) => {
        stop();
        go(Number(event.target.value));
      },
    });
    jump.value = at;
    return Dom.el(
      "div",
      { class: "stepper" },
      press("«", words.firstStep, () => go(0), at === 0),
      press("‹", words.stepBack, () => go(at - 1), at === 0),
      timer ? press("‖", words.pauseSteps, toggle) : press("▶", words.playSteps, toggle),
      press("›", words.stepOn, () => go(at + 1), at === length()),
      press("»", words.lastStep, () => go(length()), at === length()),
      jump,
      Dom.el("p", { class: "quiet", role: "status" }, words.stepOf(at, length())),
    );
  }

  // The values

  function values() {
    const words = State.words();
    const { play } = State.get();
    if (order.some((v) => Game.facts(v, play).value === null)) return [Dom.el("p", {}, words.needsProduct)];
    const endless = Game.size - order.length;
    const units = Dom.choice("unit", words.unit, Object.entries(words.units), unit, (value) => {
      begin();
      unit = value;
      State.set({});
    });
    return [
      Dom.el("p", { class: "quiet" }, words.valuesHelp),
      units,
      controls(),
      Dom.el("p", { class: "quiet" }, words.labelled(count(), order.length, words.vertices(Game.data.sums.length))),
      at
        ? Dom.el("ol", { class: "labelled" }, current().slice(0, MOST_LISTED).map(labelled))
        : Dom.el("p", {}, words.nothingYet),
      current().length > MOST_LISTED
        ? Dom.el("p", { class: "quiet" }, words.more(current().length - MOST_LISTED))
        : null,
      endless && at === length() ? Dom.el("p", {}, words.inCycles(endless)) : null,
    ];
  }

  // One that has just got its value, with the options it came from.
  function labelled(v) {
    const words = State.words();
    const { value, outcome } = Game.facts(v, State.get().play);
    const options = Game.isSum(v) ? Game.parts(v) : Game.sorted(Game.options(v));
    const shown = options
      .slice(0, MOST_LISTED)
      .map((w) => `${Shapes.short(Game.labels[w])} (${Values.text(Game.facts(w, State.get().play).value)})`);
    const more = options.length > shown.length ? [words.more(options.length - shown.length)] : [];
    return Dom.el(
      "li",
      { "data-labelled": v },
      Dom.el(
        "h3",
        {},
        Panel.badge(outcome),
        " ",
        words.valueOf(Dom.label(Game.labels[v]), Values.text(value)),
      ),
      options.length
        ? Dom.el("p", { class: "quiet" }, Dom.label(words.fromOptions([...shown, ...more].join(", "))))
        : null,
      current().length > 1 && !Game.isSum(v) && !Values.isDecisive(value)
        ? Dom.el("p", {}, Strips.formula(options.map((w) => Game.facts(w, State.get().play).value)))
        : Panel.derivation(v, value),
      current().length > 1 && !Values.isDecisive(value) ? null : Why.ofPosition(v),
    );
  }

  // The sum

  function columns() {
    const { play, tokens } = State.get();
    const found = (tokens ?? []).map((v) => Game.facts(v, "normal").value);
    if (play !== "normal" || found.length < 2 || !found.every(Values.isFinite)) return { found: null, width: 0 };
    return { found, width: Math.max(...found).toString(2).length };
  }

  function sum() {
    const words = State.words();
    const { found, width } = columns();
    if (!found) return [Dom.el("p", {}, words.xorNeeds)];
    const { tokens } = State.get();
    const entries = tokens.map((v, place) => ({ head: Dom.label(Shapes.short(Game.labels[v])), value: found[place] }));
    const seen = Math.min(at, width);
    const told = Array.from({ length: seen }, (_, bit) => {
      const ones = found.filter((value) => (value >> bit) & 1).length;
      return words.column(2 ** bit, ones, ones % 2);
    });
    return [
      controls(),
      Strips.xor(entries, at > width ? Infinity : seen),
      told.length
        ? Dom.el(
            "ol",
            { class: "told" },
            told.map((text) => Dom.el("li", {}, text)),
          )
        : Dom.el("p", {}, words.sumFirst),
      at > width ? Why.sumLines(tokens) : null,
    ];
  }

  return { begin, current: () => (isSum() ? [] : current()), known, show: () => (isSum() ? sum() : values()) };
})();
