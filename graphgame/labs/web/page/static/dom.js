// Make and change elements. Every text becomes a text node: no text is read as markup.

const SVG = "http://www.w3.org/2000/svg";

const isMissing = (value) => value === null || value === undefined || value === false;

function attribute(element, name, value) {
  if (isMissing(value)) return;
  if (typeof value === "function") element.addEventListener(name, value);
  else element.setAttribute(name, value === true ? "" : value);
}

// Return an element. kind is "name" or "name.class.class"; parts are children, or objects with attributes and listeners.
function build(create, kind, parts) {
  const [name, ...classes] = kind.split(".");
  const element = create(name);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const part of parts.flat(Infinity)) {
    if (isMissing(part)) continue;
    if (typeof part !== "object" || part instanceof Node) element.append(part);
    else for (const [key, value] of Object.entries(part)) attribute(element, key, value);
  }
  return element;
}

export const el = (kind, ...parts) => build((name) => document.createElement(name), kind, parts);
export const svg = (kind, ...parts) => build((name) => document.createElementNS(SVG, name), kind, parts);

export const button = (text, press, attributes = {}) => el("button", { type: "button", click: press, ...attributes }, text);

// A button that shows a sign; its name is for screen readers and as a tooltip.
export const icon = (sign, name, press, attributes = {}) =>
  button(sign, press, { class: "icon", "aria-label": name, title: name, ...attributes });

export const group = (kind, name, ...parts) => el(kind, { role: "group", "aria-label": name }, ...parts);

// The first entry of a list with the least cost; undefined for an empty list.
export const cheapest = (list, cost) => list.reduce((best, one) => (cost(one) < cost(best) ? one : best), list[0]);

// A label from the file, isolated so that it does not change the text direction around it.
export const label = (text) => el("bdi.label", text);

export function choice(key, name, entries, chosen, change) {
  const options = entries.map(([value, text]) => el("option", { value, selected: value === chosen }, text));
  const select = el("select", { "data-key": key, change: () => change(select.value) }, options);
  return el("label.choice", el("span", name), select);
}

export function tick(key, name, checked, change) {
  const box = el("input", { type: "checkbox", "data-key": key, checked, change: () => change(box.checked) });
  return el("label.tick", box, el("span", name));
}

// The first entries, and an element that unfolds the others, so that no list scrolls inside a part that scrolls. most
// is the number of the first entries (all are shown if at most two more exist), and part(entries) makes their element.
export function folded(key, entries, most, part, summary) {
  if (entries.length <= most + 2) return part(entries);
  const more = el("details", { "data-key": key }, el("summary", summary), part(entries.slice(most)));
  return [part(entries.slice(0, most)), more];
}

// Replace the content of an element. Unfolded parts stay unfolded. If a part of the old content had the focus, the new
// part with the same key gets it; if there is none, a heading.
export function replace(element, ...children) {
  const active = document.activeElement;
  const inside = active && element.contains(active);
  const key = inside ? active.dataset.key : null;
  const open = new Set([...element.querySelectorAll("details[open]")].map((part) => part.dataset.key));
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  element.querySelectorAll("details").forEach((part) => (part.open = open.has(part.dataset.key)));
  if (!inside) return;
  const target = [...element.querySelectorAll("[data-key]")].find((part) => part.dataset.key === key && !part.disabled);
  (target || element.querySelector("h2[tabindex]"))?.focus({ preventScroll: true });
}
