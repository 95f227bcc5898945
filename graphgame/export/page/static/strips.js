// How a value follows, drawn: the mex as a strip of values, a nim-sum as columns of binary digits.
"use strict";

const Strips = (() => {
  const CELLS = 8;
  const BEFORE = 4;

  // 0, 1, 2, ... with a tick where an option has the value, and a circle around the first gap.
  function mex(seen, value) {
    const words = State.words();
    const has = new Set(seen);
    const first = value > CELLS - 2 ? value - BEFORE : 0;
    const most = [...has].reduce((a, b) => Math.max(a, b), value);
    const last = Math.min(most, first ? value + 1 : CELLS - 1);
    const cells = [];
    if (first) cells.push(cell(0, has, value), Dom.el("li", { class: "rest" }, "…"));
    for (let v = first; v <= last; v += 1) cells.push(cell(v, has, value));
    if (most > last) cells.push(Dom.el("li", { class: "rest" }, "…"));
    return Dom.el(
      "figure",
      { class: "strip" },
      Dom.el("ol", { "aria-label": words.mex }, cells),
      Dom.el("figcaption", {}, formula(has, value)),
    );
  }

  function cell(v, has, value) {
    const words = State.words();
    const kind = v === value ? "gap" : has.has(v) ? "seen" : "absent";
    return Dom.el(
      "li",
      { class: kind, "data-cell": v, "aria-label": words[kind](v) },
      Dom.el("span", { class: "number" }, v),
      Dom.el("span", { class: "sign", "aria-hidden": "true" }, kind === "seen" ? "✓" : ""),
    );
  }

  function formula(has, value) {
    const sorted = [...has].sort((a, b) => a - b);
    const listed = sorted.length > 9 ? [...sorted.slice(0, 4), "…", ...sorted.slice(-3)] : sorted;
    return `mex {${listed.join(", ")}} = ${value}`;
  }

  // One row of binary digits for each part, and the nim-sum below.
  function xor(entries) {
    const words = State.words();
    const total = entries.reduce((sum, { value }) => sum ^ value, 0);
    const width = Math.max(1, ...entries.map(({ value }) => value.toString(2).length));
    const digits = (value) => value.toString(2).padStart(width, "0").split("");
    const odd = digits(total);
    const line = (head, value, kind) =>
      Dom.el(
        "tr",
        { class: kind },
        Dom.el("th", { scope: "row" }, head),
        Dom.el("td", { class: "decimal" }, value),
        digits(value).map((digit, i) =>
          Dom.el("td", { class: `bit${odd[i] === "1" ? " odd" : ""}${digit === "1" ? " one" : ""}` }, digit),
        ),
      );
    return Dom.el(
      "div",
      { class: "scroll" },
      Dom.el(
        "table",
        { class: "xor" },
        Dom.el("caption", {}, words.xorHelp),
        Dom.el(
          "tbody",
          {},
          entries.map(({ head, value }) => line(head, value, "")),
        ),
        Dom.el("tfoot", {}, line(words.nimSum, total, "total")),
      ),
    );
  }

  return { mex, xor };
})();
