// How a value follows, drawn: the mex as a strip of values, a nim-sum as columns of binary digits.
"use strict";

const Strips = (() => {
  const CELLS = 8;
  const BEFORE = 4;

  // 0, 1, 2, ... with a tick where an option has the value, and a circle around the first gap: the value, if finite.
  function mex(seen, value) {
    const words = State.words();
    const has = new Set(seen);
    const gap = Values.mex(seen);
    const first = gap > CELLS - 2 ? gap - BEFORE : 0;
    const most = [...has].reduce((a, b) => Math.max(a, b), gap);
    const last = Math.min(most, first ? gap + 1 : CELLS - 1);
    const kind = (v) => (v !== gap ? (has.has(v) ? "seen" : "absent") : Values.isFinite(value) ? "gap" : "open");
    const cells = [];
    if (first) cells.push(cell(0, kind(0)), Dom.el("li", { class: "rest" }, "…"));
    for (let v = first; v <= last; v += 1) cells.push(cell(v, kind(v)));
    if (most > last) cells.push(Dom.el("li", { class: "rest" }, "…"));
    return Dom.el(
      "figure",
      { class: "strip" },
      Dom.el("ol", { "aria-label": words.mex }, cells),
      Dom.el("figcaption", {}, formula(has, gap)),
    );
  }

  function cell(v, kind) {
    const words = State.words();
    return Dom.el(
      "li",
      { class: kind, "data-cell": v, "aria-label": words[kind](v) },
      Dom.el("span", { class: "number" }, v),
      Dom.el("span", { class: "sign", "aria-hidden": "true" }, kind === "seen" ? "✓" : ""),
    );
  }

  function formula(has, gap) {
    const listed = Values.increasing(has);
    const shown = listed.length > 9 ? [...listed.slice(0, 4), "…", ...listed.slice(-3)] : listed;
    return `mex {${shown.join(", ")}} = ${gap}`;
  }

  // One row of binary digits for each part, where all are finite, and the nim-sum below.
  // ``seen``: how many columns have come about, from the right, where the table grows digit by digit.
  function xor(entries, seen = Infinity) {
    const words = State.words();
    const total = entries.map(({ value }) => value).reduce(Values.sum, 0);
    const finite = entries.every(({ value }) => Values.isFinite(value));
    const width = Math.max(1, ...entries.map(({ value }) => value.toString(2).length));
    const digits = (value) => (finite ? value.toString(2).padStart(width, "0").split("") : []);
    const odd = digits(total);
    const line = (head, value, kind) =>
      Dom.el(
        "tr",
        { class: kind },
        Dom.el("th", { scope: "row" }, head),
        Dom.el("td", { class: "decimal" }, kind === "total" && seen < width ? "?" : Values.text(value)),
        digits(value).map((digit, i) => {
          if (width - i > seen && kind === "total") return Dom.el("td", { class: "bit" }, "·");
          const marked = odd[i] === "1" && width - i <= seen ? " odd" : "";
          return Dom.el("td", { class: `bit${marked}${digit === "1" ? " one" : ""}` }, digit);
        }),
      );
    return Dom.el(
      "div",
      { class: "scroll" },
      Dom.el(
        "table",
        { class: "xor" },
        Dom.el("caption", {}, finite ? words.xorHelp : Values.isDecisive(total) ? words.decisiveHelp : words.sumHelp),
        Dom.el(
          "tbody",
          {},
          entries.map(({ head, value }) => line(head, value, "")),
        ),
        Dom.el("tfoot", {}, line(Values.isDecisive(total) ? words.sum : words.nimSum, total, "total")),
      ),
    );
  }

  // Of options of infinite and decisive values the mex knows nothing.
  function formulaOf(values) {
    const seen = values.filter(Values.isFinite);
    return formula(new Set(seen), Values.mex(seen));
  }

  return { formula: formulaOf, mex, xor };
})();
