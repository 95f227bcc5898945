// The texts of moves, and the signs for good moves and for moves that lose at once.

import { el, label } from "./dom.js";
import * as Game from "./game.js";
import * as State from "./state.js";
import { say } from "./text.js";

export const key = ({ component, to }) => `${component} ${to}`;
export const text = ({ from, to }) => `${Game.labels[from]} → ${Game.labels[to]}`;
export const step = ({ from, to }) => [label(Game.labels[from]), " → ", label(Game.labels[to])];

// The aim of a move: P if it wins, D if it keeps a draw, L if it loses at once, otherwise null.
const SIGNS = { P: "★", D: "=", L: "!" };
const CLASSES = { P: " winning", D: " holding", L: " losing" };

export const sign = (aim) => SIGNS[aim];
export const starred = (aim) => CLASSES[aim] ?? "";
export const rank = (aim) => ({ P: 1, D: 1, L: -1 })[aim] ?? 0;
export const meaning = (aim) =>
  ({ P: say("winning move"), D: say("move that keeps a draw"), L: say("move that loses at once") })[aim];

export const star = (aim) =>
  aim ? el("span.star", { title: meaning(aim), "aria-label": meaning(aim) }, sign(aim)) : null;

// A map from the key of a move of a sum to the aim of the move: P, D or L. Moves with the aim null have no entry.
export function aimsOf(components) {
  const { aim, moves, losing } = Game.goodMoves(components, State.get().play);
  return new Map([...moves.map((move) => [key(move), aim]), ...losing.map((move) => [key(move), "L"])]);
}
