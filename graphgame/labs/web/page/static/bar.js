// The bar above every page of the site: an input field for a position, and sliders for its sizes.

import { el } from "./dom.js";
import { say } from "./text.js";

export const site = JSON.parse(document.getElementById("game").textContent).site;
const SIZES = /\(\s*((?:[a-z]+:)?\d+(?:\s*[x,@.]\s*\d+)*)\s*\)/g;
const LEAST_RANGE = 12;

// The address of a position's page, with the reader's choices.
export function address(text, chosen) {
  const params = new URLSearchParams(chosen).toString();
  return `/${text ? `?position=${encodeURIComponent(text)}` : ""}${params ? `#${params}` : ""}`;
}

// The text cut at the numbers that sliders can change: those in parentheses such as (3,4), (3x4) or (path:7). These
// numbers have the odd indices.
function cutAtSizes(text) {
  const pieces = [];
  let end = 0;
  for (const { 0: match, 1: inner, index } of text.matchAll(SIZES))
    for (const { 0: digits, index: at } of inner.matchAll(/\d+/g)) {
      const start = index + match.indexOf(inner) + at;
      pieces.push(text.slice(end, start), digits);
      end = start + digits.length;
    }
  return [...pieces, text.slice(end)];
}

// Completions of a text: its last position is replaced by an example of each game whose name starts with it.
function completions(text) {
  const [, before, prefix] = /^(.*[+&|:(]\s*|\s*)([a-z][a-z-]*)?$/is.exec(text) ?? [];
  if (before === undefined) return [];
  const names = Object.keys(site.examples).filter((name) => name.startsWith((prefix ?? "").toLowerCase()));
  return names.map((name) => before + site.examples[name]);
}

export function form(go, typed = () => {}) {
  const list = el("datalist", { id: "completions" });
  const complete = () => list.replaceChildren(...completions(input.value).map((value) => el("option", { value })));
  const input = el("input", {
    id: "position",
    type: "text",
    list: "completions",
    value: site.text,
    placeholder: say("A position, such as nim(3,4,5) or kayles(7) + chomp(2x3), or a table: wythoff(0..9,0..9)"),
    "aria-label": say("A position, such as nim(3,4,5) or kayles(7) + chomp(2x3), or a table: wythoff(0..9,0..9)"),
    "data-key": "position",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    input: () => (complete(), typed(input.value)),
  });
  const send = (event) => (event.preventDefault(), input.value.trim() && go(input.value.trim()));
  complete();
  return el("form", { submit: send, role: "search" }, input, list, el("button", { "data-key": "open" }, say("Open")));
}

// A slider changes the number in the text. When the slider is released, the position opens.
export function sliders(go) {
  const pieces = cutAtSizes(site.text);
  if (pieces.length === 1) return null;
  const slider = (size, i) => {
    const value = Number(size);
    const output = el("output", value);
    const move = (event) => {
      pieces[2 * i + 1] = output.textContent = Number(event.target.value);
      document.getElementById("position").value = pieces.join("");
    };
    const range = { type: "range", min: 1, max: Math.max(LEAST_RANGE, 2 * value), value, "data-size": i };
    const input = el("input", { ...range, "aria-label": say("Number {n} of the position", { n: i + 1 }), input: move, change: () => go(pieces.join("")) });
    return el("label", input, output);
  };
  const values = pieces.filter((_, i) => i % 2);
  return el("details.sizes", { "data-key": "sizes" }, el("summary", say("Numbers of the position")), el("div", values.map(slider)));
}
