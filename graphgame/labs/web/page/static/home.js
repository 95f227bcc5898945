// The start page of the site: type a position, open a file, or pick a game.

import * as Bar from "./bar.js";
import { site } from "./bar.js";
import { el, label, replace } from "./dom.js";
import * as Drawings from "./drawings.js";
import * as Appearance from "./appearance.js";
import * as Text from "./text.js";
import { say, space } from "./text.js";

const main = el("main.home");
document.querySelector("main").replaceWith(main);
const header = document.getElementById("header");
const state = { language: "en", theme: "auto", query: "", error: site.error };

function read() {
  const params = new URLSearchParams(location.hash.slice(1));
  const validOr = (name, table, fallback) => (Object.hasOwn(table, params.get(name) ?? "") ? params.get(name) : fallback);
  state.language = validOr("language", Text.languages, Text.preferred());
  state.theme = validOr("theme", Appearance.themes(), "auto");
  render();
}

const chosen = () => Appearance.chosen(state);

function choose(changes) {
  Object.assign(state, changes);
  history.replaceState(null, "", `${location.pathname}${location.search}${Bar.address("", chosen()).slice(1)}`);
  render();
}

const go = (text) => location.assign(Bar.address(text, chosen()));

function heading() {
  const help = say(
    "Type a position, pick a game, or drop a graph file. Signs between positions: + is the sum, & | : are other ways to play several games at once.",
  );
  return [
    el("div.heading", el("h1", "graphgame"), el("p.quiet", help)),
    el("div.controls", Appearance.choices(state, choose)),
  ];
}

async function sendFile(file) {
  try {
    const answer = await fetch(`/file?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    if (!answer.ok) return fail((await answer.text()).trim());
    const params = new URLSearchParams(chosen()).toString();
    location.assign(`/?file=${(await answer.json()).file}${params ? `#${params}` : ""}`);
  } catch {
    fail(say("The site does not answer: is graphgame serve still running?"));
  }
}

function fail(error) {
  state.error = error;
  render();
}

function fileInput() {
  const input = el("input", { type: "file", id: "file", class: "unseen", "data-key": "file", change: () => input.files[0] && sendFile(input.files[0]) });
  return el(
    "section.card.bring",
    el("label.file", { for: "file" }, say("Open a graph file")),
    input,
    el("span.quiet", say("or drop it here: token files, edge lists, CSV, GraphML, GEXF, DOT, JSON, Parquet, NumPy, ...; the file stays on this computer")),
  );
}

const namedSources = () =>
  site.named.length
    ? el("section.card", el("h2", say("Named on the command line")), el("ul.named", site.named.map((text) => el("li", el("a", { href: Bar.address(text, chosen()) }, label(text))))))
    : null;

function card({ name, example, rules, boards }) {
  const drawings = boards.slice(0, 4).map(({ places, cells }) => {
    const decoded = cells.map(([kind, text]) => ({ kind, text }));
    return Drawings.picture([{ places, cells: decoded }], { "aria-hidden": "true", role: null });
  });
  const rule = rules[state.language].join(space()).trim();
  return el(
    "li",
    { "data-game": name },
    el(
      "a.card.game",
      { href: Bar.address(example, chosen()) },
      el("span.thumb", drawings),
      el("span.about", el("strong", name), el("code", example), el("span.quiet", rule)),
    ),
  );
}

// The names of the games to list: a text without a parenthesis filters the games by name and rules.
function matching() {
  const query = state.query.includes("(") ? "" : state.query.trim().toLowerCase();
  return new Set(site.cards.filter(({ name, rules }) => `${name} ${rules[state.language].join(" ")}`.toLowerCase().includes(query)).map(({ name }) => name));
}

function filter() {
  const matches = matching();
  const count = matches.size || site.cards.length;
  main.querySelectorAll("[data-game]").forEach((part) => (part.hidden = matches.size > 0 && !matches.has(part.dataset.game)));
  main.querySelector("[data-found]").textContent = countText(count, site.cards.length);
}

const countText = (n, all) => (n === all ? say("{all} games", { all }) : say("{n} of {all} games", { n, all }));

function onInput(text) {
  state.query = text;
  filter();
}

function render() {
  Appearance.apply(state);
  replace(header, heading());
  replace(
    main,
    el("div.site", Bar.form(go, onInput), Bar.sliders(go)),
    el("pre.fault", { role: "alert", tabindex: state.error ? 0 : null }, state.error),
    site.picture ? el("img.table", { alt: site.text, src: `data:image/svg+xml,${encodeURIComponent(site.picture)}` }) : null,
    namedSources(),
    fileInput(),
    el("h2.games", say("Games"), el("small", { "data-found": "" })),
    el("ul.catalogue", site.cards.map(card)),
  );
  filter();
}

addEventListener("hashchange", read);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) sendFile(event.dataTransfer.files[0]);
});
read();
if (matchMedia("(min-width: 760px)").matches) document.getElementById("position").focus();
