// The reader's choices are kept in the address after the #: so a reload, Back and a copied link restore them.

import * as Game from "./game.js";
import * as Graph from "./graph.js";
import * as Learn from "./learn.js";
import * as Looks from "./looks.js";
import * as Match from "./match.js";
import * as Play from "./play.js";
import * as Puzzle from "./puzzle.js";
import * as Start from "./start.js";
import * as State from "./state.js";
import * as Text from "./text.js";

const STEPS = ["selected", "tab", "tokens", "play"]; // a change of these is a step that Back undoes; other changes replace the address
const fresh = { ...State.get() };
const usual = { ...Match.settings };
let applying = false;

// A vertex is named by its label, or by its number if several vertices have this label.
const nameOf = (v) => (Game.labels.indexOf(Game.labels[v]) === v ? Game.labels[v] : `:${v}`);

function vertexOf(text) {
  const found = Game.labels.indexOf(text);
  if (found >= 0) return found;
  const number = /^:\d{1,6}$/.test(text) ? Number(text.slice(1)) : Game.size;
  return number < Game.size ? number : null;
}

// The choices that do not depend on the positions of this game.
export function choices() {
  const state = State.get();
  const { err, hints, opponent, starter } = Match.settings;
  const params = new URLSearchParams();
  const note = (name, value, usual) => value !== usual && params.append(name, value);
  note("tab", state.tab, fresh.tab);
  note("language", state.language, fresh.language);
  if (state.tab === "learn") {
    note("lesson", state.lesson, fresh.lesson);
    note("level", state.level, fresh.level);
    note("seed", state.seed, fresh.seed);
  }
  note("theme", state.theme, fresh.theme);
  note("rules", state.play, fresh.play);
  note("against", opponent, usual.opponent);
  note("begins", starter, usual.starter);
  note("err", err, usual.err);
  note("hints", hints ? 1 : 0, usual.hints ? 1 : 0);
  return params;
}

function written() {
  const state = State.get();
  const chosen = state.selected !== null && state.selected !== fresh.selected;
  const params = new URLSearchParams(chosen ? { position: nameOf(state.selected) } : {});
  for (const [name, value] of choices()) params.append(name, value);
  if (String(state.tokens) !== String(fresh.tokens)) state.tokens.forEach((v) => params.append("token", nameOf(v)));
  if (Match.settings.starter === "turns" && Match.isComputer(0)) params.append("first", "computer");
  Match.history().forEach(({ component, to, way }) =>
    params.append("move", `${component}${way ? `.${way}` : ""} ${nameOf(to)}`),
  );
  return params.toString();
}

function keep(changes) {
  if (applying) return;
  const text = written();
  if (text === location.hash.slice(1)) return;
  const steps = Learn.isOpen() ? ["tab"] : STEPS;
  const way = steps.some((name) => name in changes) ? "pushState" : "replaceState";
  try {
    history[way](null, "", text ? `#${text}` : location.href.split("#")[0]);
  } catch {
    // a frame without its own address cannot keep choices
  }
}

const among = (value, table, usual) => (Object.hasOwn(table, value ?? "") ? value : usual);

// The choices in an address. A choice that is missing or wrong gets its value for a new page.
function read() {
  const params = new URLSearchParams(location.hash.slice(1));
  const position = params.has("position") ? vertexOf(params.get("position")) : null;
  const tokens = params
    .getAll("token")
    .map(vertexOf)
    .filter((v) => v !== null)
    .slice(0, Start.MOST);
  const start = tokens.length ? tokens : fresh.tokens;
  Game.prepare(start);
  const play = among(params.get("rules"), Game.data.plays, fresh.play);
  return {
    selected: position ?? fresh.selected,
    tab: State.TABS.includes(params.get("tab")) ? params.get("tab") : fresh.tab,
    language: among(params.get("language"), Text.languages, fresh.language),
    theme: among(params.get("theme"), Looks.themes(), fresh.theme),
    play: play === "misere" && !Game.knowsMisere(start) ? fresh.play : play,
    lesson: among(params.get("lesson"), Learn.lessons(), fresh.lesson),
    level: among(params.get("level"), Puzzle.levels(), fresh.level),
    seed: /^[1-9]\d{0,5}$/.test(params.get("seed")) ? Number(params.get("seed")) : fresh.seed,
    tokens: start,
    settings: {
      opponent: among(params.get("against"), Play.opponents(), usual.opponent),
      starter: among(params.get("begins"), Play.starters(), usual.starter),
      err: Play.ERRS.find((err) => String(err) === params.get("err")) ?? usual.err,
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
  State.subscribe(keep);
  addEventListener("popstate", apply);
}
