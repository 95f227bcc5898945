// Draw how a value follows: the mex as a strip of values, a nim-sum as columns of binary digits.

import { el, label } from "./dom.js";
import * as Game from "./game.js";
import * as Shapes from "./shapes.js";
import { say } from "./text.js";
import * as Values from "./values.js";

const CELLS = 8;
const BEFORE = 4;

// The strip 0, 1, 2, ...: a tick if an option has the value, and a circle around the first missing value, the mex.
export function mex(seen, value) {
  const has = new Set(seen);
  const gap = Values.mex(seen);
  const first = gap > CELLS - 2 ? gap - BEFORE : 0;
  const most = [...has].reduce((a, b) => Math.max(a, b), gap);
  const last = Math.min(most, first ? gap + 1 : CELLS - 1);
  const kind = (v) => (v !== gap ? (has.has(v) ? "seen" : "absent") : Values.isFinite(value) ? "gap" : "open");
  const cells = [];
  if (first) cells.push(cell(0, kind(0)), el("li.rest", "…"));
  for (let v = first; v <= last; v += 1) cells.push(cell(v, kind(v)));
  if (most > last) cells.push(el("li.rest", "…"));
  return el(
    "figure.strip",
    el("ol", { "aria-label": say("The least value that no option has") }, cells),
    el("figcaption", formula(seen)),
  );
}

const cellLabel = (kind, v) =>
  ({
    seen: say("{v}: an option has it", { v }),
    absent: say("{v}: no option has it, but there is a smaller gap", { v }),
    gap: say("{v}: the first gap, and so the value", { v }),
    open: say("{v}: the first gap, but the value is infinite", { v }),
  })[kind];

function cell(v, kind) {
  return el(
    "li",
    { class: kind, "data-cell": v, "aria-label": cellLabel(kind, String(v)) },
    el("span.number", v),
    el("span.sign", { "aria-hidden": "true" }, kind === "seen" ? "✓" : ""),
  );
}

// The formula leaves out infinite and decisive values.
export function formula(values) {
  const seen = Values.increasing(values.filter(Values.isFinite));
  const shown = seen.length > 9 ? [...seen.slice(0, 4), "…", ...seen.slice(-3)] : seen;
  return `mex {${shown.join(", ")}} = ${Values.mex(seen)}`;
}

function ruleOf(total, finite) {
  if (finite) return say("Columns with an odd number of ones are 1 in the nim-sum.");
  if (!Values.isDecisive(total)) return say("inf(K) + n = inf({k xor n : k in K}); two infinite values have the sum inf().");
  return say("If a value is sunny, play is over. Otherwise one is loony, and the player to move wins at once.");
}

// A row for each vertex, with its value, and the sum of the values below; binary digits too if all values are finite.
// seen is the number of columns shown, from the right, in a lesson that adds digit after digit.
export function xor(vertices, valueOf, seen = Infinity) {
  const values = vertices.map(valueOf);
  const total = values.reduce(Values.sum, 0);
  const finite = values.every(Values.isFinite);
  const width = Math.max(1, ...values.map((value) => value.toString(2).length));
  const digits = (value) => (finite ? value.toString(2).padStart(width, "0").split("") : []);
  const odd = digits(total);
  const line = (head, value, kind) =>
    el(
      "tr",
      { class: kind },
      el("th", { scope: "row" }, head),
      el("td.decimal", kind === "total" && seen < width ? "?" : Values.text(value)),
      digits(value).map((digit, i) => {
        if (width - i > seen && kind === "total") return el("td.bit", "·");
        const marked = odd[i] === "1" && width - i <= seen ? " odd" : "";
        return el("td", { class: `bit${marked}${digit === "1" ? " one" : ""}` }, digit);
      }),
    );
  return el(
    "div.scroll",
    el(
      "table.xor",
      el("caption", ruleOf(total, finite)),
      el("tbody", vertices.map((v, row) => line(label(Shapes.short(Game.labels[v])), values[row], ""))),
      el("tfoot", line(Values.isDecisive(total) ? say("sum") : say("nim-sum"), total, "total")),
    ),
  );
}
