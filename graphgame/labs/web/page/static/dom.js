// Elements by name. Every text becomes a text node: nothing here reads markup.
"use strict";

const Dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (typeof value === "function") element.addEventListener(name, value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== false) element.append(child);
    }
    return element;
  }

  const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

  const button = (text, press, attributes = {}) => el("button", { type: "button", click: press, ...attributes }, text);

  // A label of the file: isolated, so that its direction stays its own.
  const label = (text) => el("bdi", { class: "label" }, text);

  function choice(key, name, entries, chosen, change) {
    const options = entries.map(([value, text]) => el("option", { value, selected: value === chosen }, text));
    const select = el("select", { "data-key": key, change: () => change(select.value) }, options);
    return el("label", { class: "choice" }, el("span", {}, name), select);
  }

  function tick(key, name, checked, change) {
    const box = el("input", { type: "checkbox", "data-key": key, checked, change: () => change(box.checked) });
    return el("label", { class: "tick" }, box, el("span", {}, name));
  }

  // The first entries are in sight, the others unfold: a long list does not scroll inside what scrolls already.
  function folded(key, entries, most, part, summary) {
    if (entries.length <= most + 2) return part(entries);
    const others = el("details", { "data-key": key }, el("summary", {}, summary), part(entries.slice(most)));
    return [part(entries.slice(0, most)), others];
  }

  // Replaces what stands in an element; what is unfolded stays so, the keyboard on the part with the same key or on a heading.
  function replace(element, ...children) {
    const active = document.activeElement;
    const inside = active && element.contains(active);
    const key = inside ? active.dataset.key : null;
    const open = new Set([...element.querySelectorAll("details[open]")].map((part) => part.dataset.key));
    element.replaceChildren(...children.flat(Infinity).filter(Boolean));
    element.querySelectorAll("details").forEach((part) => (part.open = open.has(part.dataset.key)));
    if (!inside) return;
    const same = [...element.querySelectorAll("[data-key]")].find((part) => part.dataset.key === key && !part.disabled);
    (same || element.querySelector("h2[tabindex]"))?.focus({ preventScroll: true });
  }

  return { button, choice, el, folded, label, replace, svg, tick };
})();
