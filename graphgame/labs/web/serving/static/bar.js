// What stands above every page of the site: a text to type a position, and sliders for its sizes.
"use strict";

const Bar = (() => {
  const site = JSON.parse(document.getElementById("game").textContent).site;
  const SIZES = /\(\s*((?:[a-z]+:)?\d+(?:\s*[x,@.]\s*\d+)*)\s*\)/g;
  const LEAST_RANGE = 12;

  // The address of a position; what the reader has chosen goes along.
  function address(text, chosen) {
    const kept = new URLSearchParams(chosen).toString();
    return `/${text ? `?position=${encodeURIComponent(text)}` : ""}${kept ? `#${kept}` : ""}`;
  }

  // Where the numbers stand in a text that are sizes: those of a position that has nothing but numbers.
  function sizes(text) {
    const found = [];
    for (const { 0: whole, 1: inner, index } of text.matchAll(SIZES))
      for (const { 0: digits, index: at } of inner.matchAll(/\d+/g))
        found.push({ start: index + whole.indexOf(inner) + at, digits });
    return found;
  }

  // The last position of a sum is completed to an example of each game whose name begins so.
  function completions(text) {
    const [, before, begun] = /^(.*[+&|:(]\s*|\s*)([a-z][a-z-]*)?$/is.exec(text) ?? [];
    if (before === undefined) return [];
    const names = Object.keys(site.examples).filter((name) => name.startsWith((begun ?? "").toLowerCase()));
    return names.map((name) => before + site.examples[name]);
  }

  function form(words, go, typed = () => {}) {
    const list = Dom.el("datalist", { id: "completions" });
    const complete = () => list.replaceChildren(...completions(input.value).map((value) => Dom.el("option", { value })));
    const input = Dom.el("input", {
      id: "position",
      type: "text",
      list: "completions",
      value: site.text,
      placeholder: words.position,
      "aria-label": words.position,
      "data-key": "position",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      input: () => (complete(), typed(input.value)),
    });
    const send = (event) => (event.preventDefault(), input.value.trim() && go(input.value.trim()));
    complete();
    return Dom.el("form", { submit: send, role: "search" }, input, list, Dom.el("button", { "data-key": "open" }, words.open));
  }

  // A slider moves the number in the text, and opens the position where it is let go.
  function sliders(words, go) {
    const found = sizes(site.text);
    if (!found.length) return null;
    const values = found.map(({ digits }) => Number(digits));
    const text = () => {
      let [result, end] = ["", 0];
      found.forEach(({ start, digits }, i) => {
        result += site.text.slice(end, start) + values[i];
        end = start + digits.length;
      });
      return result + site.text.slice(end);
    };
    const slider = (value, i) => {
      const shown = Dom.el("output", {}, value);
      const move = (event) => {
        values[i] = Number(event.target.value);
        shown.textContent = values[i];
        document.getElementById("position").value = text();
      };
      const range = { type: "range", min: 1, max: Math.max(LEAST_RANGE, 2 * value), value, "data-size": i };
      const input = Dom.el("input", { ...range, "aria-label": words.size(i + 1), input: move, change: () => go(text()) });
      return Dom.el("label", {}, input, shown);
    };
    return Dom.el("details", { class: "sizes", "data-key": "sizes" }, Dom.el("summary", {}, words.sizes), Dom.el("div", {}, values.map(slider)));
  }

  return { address, form, site, sliders };
})();
