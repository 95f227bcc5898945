// Heaps as pieces that one can click: a click takes a piece and all after it.
"use strict";

const Heaps = (() => {
  const MOST_PIECES = 200;

  const shows = (v) => Game.heap(v) >= 0 && Game.heap(v) <= MOST_PIECES;

  // The moves that leave each number of pieces in all.
  function byRest(moves) {
    const found = new Map();
    for (const move of moves) {
      const rest = Game.heap(move.to);
      found.set(rest, [...(found.get(rest) || []), move]);
    }
    return found;
  }

  function draw(v, component, moves, take) {
    const words = State.words();
    const size = Game.heap(v);
    const rests = byRest(moves);
    const piece = (_, rest) => {
      const ways = rests.get(rest) || [];
      const name = ways.length ? words.take(size - rest) : words.cannotTake(size - rest);
      return Dom.button("", () => take(ways), {
        class: "pebble",
        disabled: !ways.length,
        "aria-label": name,
        title: name,
        "data-rest": rest,
        "data-key": `pebble-${component}-${rest}`,
      });
    };
    return Dom.el(
      "div",
      { class: "heap", role: "group", "aria-label": words.heap(size), "data-heap": component },
      Array.from({ length: size }, piece),
    );
  }

  return { draw, shows };
})();
