// Why a position has its value, and why the winner of a sum wins: the sentences of explanations, which the file brings.
"use strict";

const Why = (() => {
  const MOST_ROWS = 20;
  const MOST_NAMES = 8;
  const MOST_REPLIES = 8;
  const MOST_VALUES = 12;
  const LONGEST_LABEL = 40;
  const LONGEST_IN_MOVE = 160;

  const told = (key, facts = {}) =>
    Game.data.sentences[State.get().language][key]
      .replaceAll("\n", " ")
      .replace(/\{([a-z]+)\}/g, (_, fact) => facts[fact]);

  function name(v, longest = LONGEST_LABEL) {
    const text = Game.labels[v].replaceAll("\n", "\\n");
    const half = (longest - 3) >> 1;
    return text.length > longest ? `${text.slice(0, half)}...${text.slice(-half)}` : text;
  }

  function capped(lines, most = MOST_ROWS) {
    if (lines.length <= most) return lines;
    return [...lines.slice(0, most), told("more", { count: (lines.length - most).toLocaleString("en-US") })];
  }

  const binary = (value) => value.toString(2);
  const play = () => State.get().play;
  const valueOf = (v) => Game.facts(v, play()).value;
  const verdict = (outcome) => told({ N: "first", P: "second", D: "draw" }[outcome]);
  const columns = (vertices) => ({ columns: vertices });

  // One position

  function position(v) {
    const value = valueOf(v);
    const misere = play() === "misere";
    if (value === null) return [];
    const facts = { name: name(v), value: Values.text(value) };
    if (Game.ending(v)) return [told(`decided_${Game.ending(v)}`, facts)];
    if (value === "loony" && !Game.isSum(v)) return [told("loony", { ...facts, end: name(endingMove(v)) })];
    if (Game.isSum(v)) return [told("sum", facts), ...parts(v, misere)];
    const options = Game.options(v).map((w) => ({ w, ...Game.facts(w, play()) }));
    if (!options.length)
      return [
        told("position", facts),
        ...(misere ? ["end_misere", "end_won"] : ["end", "end_lost"]).map((key) => told(key)),
      ];
    if (options.some((option) => option.value === null)) return [];
    return [
      told("with_options", facts),
      ...byValue(options, value),
      ...undoing(v, options, value),
      outcome(options, value),
    ];
  }

  // The option of a loony position with which the mover wins at once.
  const endingMove = (v) => Game.options(v).find((w) => valueOf(w) === "sunny");

  function parts(v, misere) {
    const vertices = Game.parts(v);
    if (!vertices.length) return [told(misere ? "no_parts_misere" : "no_parts")];
    if (!misere) return [{ head: told("parts"), columns: vertices }];
    const names = capped(vertices.map((w) => name(w))).join(", ");
    return [told("parts_misere", { names }), told("no_xor_misere")];
  }

  function byValue(options, value) {
    const names = new Map();
    for (const option of [...options].sort((a, b) => Values.compare(a.value, b.value))) {
      const text = Values.text(option.value);
      names.set(text, [...(names.get(text) || []), name(option.w)]);
    }
    const lines = [...names].map(([text, same]) =>
      told(text === "loony" ? "left_out" : "same_value", { value: text, names: capped(same, MOST_NAMES).join("; ") }),
    );
    const finite = Values.increasing(options.map((option) => option.value).filter(Values.isFinite));
    const least = Values.mex(finite);
    const seen =
      finite.length > MOST_VALUES ? [...finite.slice(0, MOST_VALUES - 2), "...", finite[finite.length - 1]] : finite;
    const gap = told(least === value ? "gap" : "gap_only", { value: least, seen: `{${seen.join(", ")}}` });
    return [...capped(lines.slice(0, least)), gap, ...capped(lines.slice(least))];
  }

  // How the moves to larger values are undone, or which one is not; nothing where play must end.
  function undoing(v, options, value) {
    if (Game.longest[v] !== Infinity || (play() === "misere" && Game.data.sums.length)) return [];
    const least = Values.mex(options.map((option) => option.value).filter(Values.isFinite));
    const larger = options
      .filter((option) => Array.isArray(option.value) || option.value > least)
      .map(({ w }) => ({ w, reply: Game.undoing(w, least, play())[0] }));
    const ends = ({ w }) => !Game.options(w).length;
    if (!Values.isFinite(value)) {
      const one = larger.find((option) => !ends(option) && option.reply === undefined);
      return [told("not_undone", { name: name(one.w), value: least })];
    }
    const step = ({ from, to }, w) =>
      from === w ? told("reply_to", { name: name(to) }) : `${name(from)} -> ${name(to)}`;
    const line = ({ w, reply }) =>
      reply
        ? told("undone", { name: name(w), reply: step(reply, w), value: least })
        : told("ends_game", { name: name(w) });
    return capped(larger.map(line), MOST_REPLIES);
  }

  function outcome(options, value) {
    const first = (wanted) => options.find((option) => option.outcome === wanted);
    if (first("P")) return told("won", { name: name(first("P").w) });
    if (Values.outcome(value) === "D") return told("drawn", { name: name(first("D").w) });
    return told(options.some((option) => Values.isDecisive(option.value)) ? "lost_at_once" : "lost");
  }

  // A sum

  const movesOf = (components) =>
    Game.lastOf(components) === null ? components.flatMap((v, component) => Game.options(v).map((to) => ({ component, from: v, to }))) : [];
  const leaving = (components, wanted) =>
    movesOf(components).filter((move) => Game.judge(Game.after(components, move), play())?.outcome === wanted);
  const moveText = ({ component, from, to }, key = "move") =>
    told(key, { component: component + 1, start: name(from, LONGEST_IN_MOVE), end: name(to, LONGEST_IN_MOVE) });
  const listed = (moves, line) => capped(moves.map(line));

  function sum(components) {
    const judged = Game.judge(components, play());
    if (!judged || Game.proof) return [];
    if (Game.data.nim) return nim(components, judged);
    if (play() === "misere") return misereSum(components, judged);
    if (Game.longest.includes(Infinity) && !Values.isDecisive(judged.value)) return loopySum(components, judged);
    const values = components.map(valueOf);
    if (Values.isDecisive(judged.value)) return ends(components, values, judged);
    if (components.length === 1 && movesOf(components).length) return one(components, values, judged);
    const head = told("sum_of_tokens", { verdict: verdict(judged.outcome), total: judged.value });
    return [head, columns(components), ...(judged.value ? firstWins : secondWins)(components, values, judged.value)];
  }

  // Play is over, or the first player ends it at once.
  function ends(components, values, judged) {
    const facts = { verdict: verdict(judged.outcome), name: name(components[values.indexOf(judged.value)]) };
    if (Game.lastOf(components) !== null) return [told("over", facts)];
    const key = components.length > 1 ? "move" : "move_of_one";
    const moves = listed(leaving(components, "P"), (move) => moveText(move, key));
    return [told("at_once", facts), told("winning_moves"), { list: moves }];
  }

  // One position, won or lost, takes no nim-sum.
  function one(components, values, judged) {
    const facts = { verdict: verdict(judged.outcome), name: name(components[0]), total: values[0] };
    const alone = (move) => moveText(move, "move_of_one");
    if (values[0]) return [told("one_won", facts), told("winning_moves"), { list: listed(leaving(components, "P"), alone) }];
    const list = listed(movesOf(components), (move) => answered(components, values, move, alone));
    return [told("one_lost", facts), ...loonyAnswers(), { list }];
  }

  function firstWins(components, values, total) {
    const top = 1 << (31 - Math.clz32(total));
    const chosen = values.findIndex((value) => value & top);
    const value = values[chosen];
    const effect = (move) => {
      const [before, after] = [values[move.component], valueOf(move.to)];
      return told("effect", { move: moveText(move), before, total, after }) + (after > before ? told("raised") : "");
    };
    return [
      told("top_column", { total, binary: binary(total), component: chosen + 1, name: name(components[chosen]) }),
      told("aim", { value, total, aim: value ^ total }),
      told("first_answers"),
      told("winning_moves"),
      { list: listed(leaving(components, "P"), effect) },
    ];
  }

  function secondWins(components, values) {
    const moves = movesOf(components);
    if (!moves.length) return [told("no_move")];
    const line = (move) => answered(components, values, move, moveText);
    return [told("second_answers"), ...loonyAnswers(), { list: listed(moves, line) }];
  }

  const loonyAnswers = () => (Game.decides ? [told("loony_answers")] : []);

  function answered(components, values, move, textOf) {
    const reply = answer(components, values, move);
    const facts = { move: textOf(move), reply: reply && textOf(reply) };
    return told(reply ? "answer" : "loses_at_once", facts);
  }

  // A move that makes the nim-sum 0 again, or that ends play at once; null where the move itself ended play.
  function answer(components, values, move) {
    if (Game.losesAtOnce(move.to)) {
      const below = partsOf(move.to).find((v) => endingMove(v) !== undefined);
      return below === undefined ? null : { component: move.component, from: below, to: endingMove(below) };
    }
    const now = values.with(move.component, valueOf(move.to));
    const total = values[move.component] ^ now[move.component];
    const falls = (value) => (value ^ total) < value;
    const component = now.findIndex(falls);
    let from = component === move.component ? move.to : components[component];
    while (Game.isSum(from)) from = Game.parts(from).find((part) => falls(valueOf(part)));
    const wanted = valueOf(from) ^ total;
    return { component, from, to: Game.options(from).find((to) => valueOf(to) === wanted) };
  }

  const partsOf = (v) => (Game.isSum(v) ? Game.parts(v).toReversed().flatMap(partsOf) : [v]);

  function misereSum(components, judged) {
    const count = movesOf(components).length;
    const said = verdict(judged.outcome);
    if (!count) return [told("no_move_misere", { verdict: said })];
    const names = capped(components.map((v) => name(v))).join(", ");
    const good = [
      ["winning_misere", "P"],
      ["drawing_misere", "D"],
    ]
      .map(([key, wanted]) => [key, leaving(components, wanted)])
      .find(([, moves]) => moves.length);
    const lost = () => (count === 1 ? told("one_loses") : told("all_lose", { count: count.toLocaleString("en-US") }));
    return [
      told("under_misere", { verdict: said }),
      ...(components.length > 1 ? [told("move_by_move", { names })] : []),
      ...(good ? [told(good[0]), { list: listed(good[1], (move) => moveText(move)) }] : [lost()]),
    ];
  }

  function loopySum(components, judged) {
    const values = components.map(valueOf);
    const infinite = values.filter((value) => !Values.isFinite(value)).length;
    const total = Values.text(judged.value);
    let why = told(judged.value ? "finite_first" : "finite_second");
    if (infinite > 1) why = told("two_infinite");
    else if (infinite) why = told("smith", { total, holds: told(judged.outcome === "N" ? "holds" : "holds_not") });
    const good = [
      ["winning_moves", "P"],
      ["drawing_moves", "D"],
    ]
      .map(([key, wanted]) => [key, leaving(components, wanted)])
      .find(([, moves]) => moves.length);
    const line = (move) =>
      told("becomes", {
        move: moveText(move),
        before: Values.text(valueOf(move.from)),
        after: Values.text(valueOf(move.to)),
      });
    return [
      told("sum_of_values", { verdict: verdict(judged.outcome), total }),
      columns(components),
      why,
      ...(good ? [told(good[0]), { list: listed(good[1], line) }] : []),
    ];
  }

  // Nim

  function nim(components, judged) {
    const heaps = components.map(Game.heap);
    const total = heaps.reduce((a, b) => a ^ b, 0);
    const line = ([component, heap, end]) =>
      told("left", {
        component: component + 1,
        rest: (heap ^ total) === end ? `${heap} xor ${total} = ${end}` : end,
        taken: heap - end,
      });
    const moves = (ends) => [told("winning_moves"), { list: listed(ends, line) }];
    const xored = heaps.map((heap, place) => [place, heap, heap ^ total]).filter(([, heap, end]) => end < heap);
    if (play() === "misere") return misereNim(components, heaps, total, judged, xored, moves);
    const head = [told("nim_sum", { verdict: verdict(judged.outcome), total }), columns(components)];
    if (!total) return [...head, told(heaps.some(Boolean) ? "every_heap" : "no_move")];
    const top = 1 << (31 - Math.clz32(total));
    const chosen = components[heaps.findIndex((heap) => heap & top)];
    const facts = { total, binary: binary(total), name: name(chosen), rule: told("rule_of_nim", { total }) };
    return [...head, told("top_of", facts), ...moves(xored)];
  }

  function misereNim(components, heaps, total, judged, xored, moves) {
    const large = heaps.filter((heap) => heap > 1).length;
    const kind = `${total ? "S" : "T"}${Math.min(large, 2)}`;
    const odd = 1 - (heaps.filter((heap) => heap === 1).length % 2);
    const all = heaps.map((heap, place) => [place, heap]);
    const ends = {
      S1: all.filter(([, heap]) => heap > 1).map((move) => [...move, odd]),
      S2: xored,
      T0: all.filter(([, heap]) => heap).map((move) => [...move, 0]),
    }[kind];
    const some = heaps.some(Boolean);
    return [
      told("under_misere", { verdict: verdict(judged.outcome) }),
      { columns: components, ofHeaps: true },
      `${told("class", { kind, what: told(`is_${kind}`) })} ${told(some ? `why_${kind}` : "no_heap")}`,
      ...(ends && some ? moves(ends) : []),
    ];
  }

  // On the screen; columns of digits only where the card has none.

  function line(told, digits) {
    if (told.list)
      return Dom.el(
        "ul",
        { class: "quoted" },
        told.list.map((text) => Dom.el("li", {}, Dom.label(text))),
      );
    if (!told.columns) return Dom.el("p", {}, Dom.label(told));
    const value = (v) => (told.ofHeaps ? Game.heap(v) : valueOf(v));
    const entries = () => told.columns.map((v) => ({ head: Dom.label(Shapes.short(Game.labels[v])), value: value(v) }));
    return digits || told.ofHeaps ? Strips.xor(entries()) : null;
  }

  const folded = (lines, key, digits = false) =>
    lines.length
      ? Dom.el(
          "details",
          { class: "why", "data-key": key },
          Dom.el("summary", {}, State.words().why),
          lines.map((told) => line(told, digits)),
        )
      : null;

  // The sum as a match stands, or the position where it is one alone.
  function ofMatch(components, secret = false) {
    const lines = components.length === 1 && !Game.data.nim ? position(components[0]) : sum(components);
    const part = folded(lines, "why-match", true);
    return part && Dom.el("section", { class: `card${secret ? " answer" : ""}`, "data-why": true }, part);
  }

  // The sentences alone, as text.
  const text = (lines) => lines.flatMap((line) => line.list ?? line.head ?? (line.columns ? [] : line));

  return {
    ofMatch,
    ofPosition: (v) => folded(position(v), "why"),
    sumLines: (components) => sum(components).map((told) => line(told, false)),
    ofSum: (components) => folded(sum(components), "why-sum"),
    positionText: (v) => text(position(v)),
    sumText: (components) => text(sum(components)),
  };
})();
