// The reader's choices are kept in the address after the #: so a reload, Back and a copied link restore them.

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

const STEPS = ["selected", "tab", "tokens", "play"]; // a change of these is a step that Back undoes; other changes replace the address
const usual = { ...State.get() };
const initial = { ...Match.settings };
let applying = false;

// A vertex is named by its label, or by its number if several vertices have this label.
const nameOf = (v) => (Game.labels.indexOf(Game.labels[v]) === v ? Game.labels[v] : `:${v}`);

function vertexOf(text) {
  const index = Game.labels.indexOf(text);
  if (index >= 0) return index;
  const number = /^:\d{1,6}$/.test(text) ? Number(text.slice(1)) : Game.size;
  return number < Game.size ? number : null;
}

// The choices that do not depend on the positions of this game.
export function choices() {
  const state = State.get();
  const { err, hints, opponent, starter } = Match.settings;
  const params = new URLSearchParams();
  const add = (name, value, standard) => value !== standard && params.append(name, value);
  add("tab", state.tab, usual.tab);
  add("language", state.language, usual.language);
  if (state.tab === "learn") {
    add("lesson", state.lesson, usual.lesson);
    add("level", state.level, usual.level);
    add("seed", state.seed, usual.seed);
  }
  add("theme", state.theme, usual.theme);
  add("rules", state.play, usual.play);
  add("against", opponent, initial.opponent);
  add("begins", starter, initial.starter);
  add("err", err, initial.err);
  add("hints", hints ? 1 : 0, initial.hints ? 1 : 0);
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

const validOr = (value, table, fallback) => (Object.hasOwn(table, value ?? "") ? value : fallback);

// The choices in an address. A choice that is missing or wrong gets its value for a new page.
function read() {
  const params = new URLSearchParams(location.hash.slice(1));
  const position = params.has("position") ? vertexOf(params.get("position")) : null;
  const tokens = params
    .getAll("token")
    .map(vertexOf)
    .filter((v) => v !== null)
    .slice(0, Start.MOST);
  const start = tokens.length ? tokens : usual.tokens;
  Game.prepare(start);
  const play = validOr(params.get("rules"), Game.data.plays, usual.play);
  return {
    selected: position ?? usual.selected,
    tab: State.TABS.includes(params.get("tab")) ? params.get("tab") : usual.tab,
    language: validOr(params.get("language"), Text.languages, usual.language),
    theme: validOr(params.get("theme"), Appearance.themes(), usual.theme),
    play: play === "misere" && !Game.knowsMisere(start) ? usual.play : play,
    lesson: validOr(params.get("lesson"), Learn.lessons(), usual.lesson),
    level: validOr(params.get("level"), Puzzle.levels(), usual.level),
    seed: /^[1-9]\d{0,5}$/.test(params.get("seed")) ? Number(params.get("seed")) : usual.seed,
    tokens: start,
    settings: {
      opponent: validOr(params.get("against"), Play.opponents(), initial.opponent),
      starter: validOr(params.get("begins"), Play.starters(), initial.starter),
      err: Play.ERRS.find((err) => String(err) === params.get("err")) ?? initial.err,
      hints: params.get("hints") === "1",
    },
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
  const { settings, first, moves, ...state } = read();
  applying = true;
  State.set({ ...state, value: null });
  Match.resumeWith(settings, first, moves);
  Graph.show(State.get().selected);
  applying = false;
}

export function init() {
  if (location.hash.length > 1) apply();
  State.subscribe(update);
  addEventListener("popstate", apply);
}
