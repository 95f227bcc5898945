// The choices below, the position, the tokens and the match are kept in the address after the #: so a reload, Back and
// a copied link restore them.

import * as Game from "./game.js";
import * as Graph from "./graph.js";
import * as Learn from "./learn.js";
import * as Appearance from "./appearance.js";
import * as Match from "./match.js";
import * as Play from "./play.js";
import * as Puzzle from "./puzzle.js";
import * as Start from "./start.js";
import * as State from "./state.js";
import * as Text from "./text.js";

// The choices whose change is a step that Back undoes; in lessons only the tab is such a choice. Other changes replace
// the address.
const STEPS = ["selected", "tab", "tokens", "play"];
const settings = () => ({ ...State.get(), ...Match.settings });
const usual = settings();
const OF_LESSONS = ["lesson", "level", "seed"];

// The settings that do not depend on the positions of this game: [name in the address, name in the settings, parser of
// the text in the address]. The parser returns undefined for a wrong text; that of hints returns false.
const among = (table) => (text) => (Object.hasOwn(table, text ?? "") ? text : undefined);
const CHOICES = [
  ["tab", "tab", (text) => State.TABS.find((tab) => tab === text)],
  ["language", "language", among(Text.languages)],
  ["lesson", "lesson", among(Learn.lessons())],
  ["level", "level", among(Puzzle.levels())],
  ["seed", "seed", (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined)],
  ["theme", "theme", among(Appearance.themes())],
  ["rules", "play", among(Game.data.plays)],
  ["against", "opponent", among(Play.opponents())],
  ["begins", "starter", among(Play.starters())],
  ["err", "err", (text) => Play.ERRS.find((err) => String(err) === text)],
  ["hints", "hints", (text) => text === "1"],
];

let applying = false;

// A vertex is named by its label, or by its number if an earlier vertex has the same label.
const nameOf = (v) => (Game.labels.indexOf(Game.labels[v]) === v ? Game.labels[v] : `:${v}`);

function vertexOf(text) {
  const index = Game.labels.indexOf(text);
  if (index >= 0) return index;
  const number = /^:\d{1,6}$/.test(text) ? Number(text.slice(1)) : Game.size;
  return number < Game.size ? number : null;
}

export function choices() {
  const now = settings();
  const params = new URLSearchParams();
  for (const [name, key] of CHOICES) {
    const isShown = now.tab === "learn" || !OF_LESSONS.includes(name);
    if (isShown && now[key] !== usual[key]) params.append(name, key === "hints" ? Number(now.hints) : now[key]);
  }
  return params;
}

function hashText() {
  const state = State.get();
  const chosen = state.selected !== null && state.selected !== usual.selected;
  const params = new URLSearchParams(chosen ? { position: nameOf(state.selected) } : {});
  for (const [name, value] of choices()) params.append(name, value);
  if (String(state.tokens) !== String(usual.tokens)) state.tokens.forEach((v) => params.append("token", nameOf(v)));
  if (Match.settings.starter === "turns" && Match.isComputer(0)) params.append("first", "computer");
  Match.history().forEach(({ component, to, way }) =>
    params.append("move", `${component}${way ? `.${way}` : ""} ${nameOf(to)}`),
  );
  return params.toString();
}

function update(changes) {
  if (applying) return;
  const text = hashText();
  if (text === location.hash.slice(1)) return;
  const steps = Learn.isOpen() ? ["tab"] : STEPS;
  const method = steps.some((name) => name in changes) ? "pushState" : "replaceState";
  try {
    history[method](null, "", text ? `#${text}` : location.href.split("#")[0]);
  } catch {
    // a frame without its own address cannot keep choices
  }
}

// The choices in an address. A choice that is missing or wrong gets its value for a new page.
function read() {
  const params = new URLSearchParams(location.hash.slice(1));
  const position = params.has("position") ? vertexOf(params.get("position")) : null;
  const tokens = params
    .getAll("token")
    .map(vertexOf)
    .filter((v) => v !== null)
    .flatMap(Game.partsOf)
    .slice(0, Start.MOST);
  const start = tokens.length ? tokens : usual.tokens;
  Game.prepare(start);
  const chosen = Object.fromEntries(CHOICES.map(([name, key, read]) => [key, read(params.get(name)) ?? usual[key]]));
  if (chosen.play === "misere" && !Game.knowsMisere(start)) chosen.play = usual.play;
  return {
    ...chosen,
    selected: position ?? usual.selected,
    tokens: start,
    first: params.get("first"),
    moves: params
      .getAll("move")
      .map((text) => ({
        component: parseInt(text, 10),
        way: Number(/^\d+\.(\d{1,6}) /.exec(text)?.[1] ?? 0),
        to: vertexOf(text.replace(/^[\d.]+ /, "")),
      })),
  };
}

function apply() {
  const { opponent, starter, err, hints, first, moves, ...state } = read();
  applying = true;
  State.set({ ...state, value: null });
  Match.resumeWith({ opponent, starter, err, hints }, first, moves);
  Graph.show(State.get().selected);
  applying = false;
}

export function init() {
  if (location.hash.length > 1) apply();
  State.subscribe(update);
  addEventListener("popstate", apply);
}
