// The shapes of the graph: vertices, tokens, arrows, and the legend of them all.
"use strict";

const Shapes = (() => {
  const { HEIGHT, WIDTH, WORDS } = Layout;
  const [SHORT, LINE] = [16, 24];
  const ROOMY = WORDS > 46; // for names in two lines

  // P is round with a double line, N has corners, D has its corners cut off, a sum is pointed.
  function outline(v, outcome) {
    const [w, h] = [WIDTH / 2, HEIGHT / 2];
    if (Game.isSum(v))
      return Dom.svg("polygon", {
        class: "outline",
        points: `${-w},0 ${12 - w},${-h} ${w - 12},${-h} ${w},0 ${w - 12},${h} ${12 - w},${h}`,
      });
    if (outcome === "D")
      return Dom.svg("polygon", {
        class: "outline",
        points: `${-w},${-h + 12} ${12 - w},${-h} ${w - 12},${-h} ${w},${-h + 12} ${w},${h - 12} ${w - 12},${h} ${12 - w},${h} ${-w},${h - 12}`,
      });
    const rounded = (inset, r) => ({
      x: inset - w,
      y: inset - h,
      width: WIDTH - 2 * inset,
      height: HEIGHT - 2 * inset,
      rx: r,
    });
    if (outcome === "P")
      return [
        Dom.svg("rect", { class: "outline", ...rounded(0, WORDS / 2) }),
        Dom.svg("rect", { class: "inner", ...rounded(4, WORDS / 2 - 4) }),
      ];
    return Dom.svg("rect", { class: "outline", ...rounded(0, outcome === "N" ? 3 : 12) });
  }

  function short(text, most = SHORT) {
    const line = text.split("\n", 1)[0];
    if (line.length > most) return `${line.slice(0, most / 2)}…${line.slice(1 - most / 2)}`;
    return line.length < text.length ? `${line.slice(0, most - 1)}…` : line;
  }

  // A long name of several words takes two lines, where the file has room for them.
  function lines(text) {
    const end = text.lastIndexOf(" ", LINE);
    if (!ROOMY || text.length <= SHORT || text.includes("\n") || end < 1) return [short(text)];
    return text.length <= LINE ? [text] : [text.slice(0, end), short(text.slice(end + 1), LINE)];
  }

  // The name, behind its sign, and, unless it is a secret, the facts below it.
  function words(sign, text, facts, middle) {
    const [first, ...second] = lines(text);
    const up = 9 * second.length;
    const y = middle - up + (facts === null ? 5 : -4);
    const rest = second.map((line) => Dom.svg("tspan", { x: 0, y: y + 17 }, line));
    return [
      Dom.svg("text", { class: "name", y }, sign + first, second.length ? " " : null, rest),
      " ",
      facts === null ? null : Dom.svg("text", { class: "facts", y: middle + 14 + up }, short(facts)),
    ];
  }

  // What the words show, and the whole name where that is cut short: a name that can be spoken as it is read.
  function spoken(sign, text, facts) {
    const shown = lines(text).join(" ");
    return [facts === null ? sign + shown : `${sign}${shown}: ${short(facts)}`, shown === text ? "" : text].filter(Boolean).join(", ");
  }

  // The board of a vertex above its name, where there is one and room for it.
  const boards = new Map();
  function board(v) {
    if (HEIGHT === WORDS) return null;
    const [x, y, width, height] = [4 - WIDTH / 2, 5 - HEIGHT / 2, WIDTH - 8, HEIGHT - WORDS];
    if (!boards.has(v)) {
      const drawing = Drawings.still(v, { x, y, width, height, role: null });
      const plate = { class: "plate", x: x + 4, y, width: width - 8, height, rx: 8 };
      boards.set(v, drawing?.querySelector(".cell") ? [Dom.svg("rect", plate), drawing] : null);
    }
    return boards.get(v);
  }

  const piece = (count) =>
    Dom.svg(
      "g",
      { class: "piece", transform: `translate(${5 - WIDTH / 2},${4 - HEIGHT / 2})` },
      Dom.svg("circle", { r: 10 }),
      count > 1 ? Dom.svg("text", { y: 4 }, count) : null,
    );

  // The sign of a position in which play has ended: a square, for stop.
  const end = (at = `translate(${WIDTH / 2 - 5},${4 - HEIGHT / 2})`) =>
    Dom.svg("g", { class: "end", transform: at }, Dom.svg("circle", { r: 8 }), Dom.svg("rect", { x: -3, y: -3, width: 6, height: 6 }));

  const more = (hidden) =>
    Dom.svg(
      "g",
      { class: "more", transform: `translate(${WIDTH / 2 - 2},${HEIGHT / 2 - 2})` },
      Dom.svg("title", {}, State.words().hidden(hidden)),
      Dom.svg("circle", { r: 8 }),
      Dom.svg("text", { y: 4 }, "+"),
    );

  const arrow = (kind) =>
    Dom.svg(
      "marker",
      {
        id: `arrow-${kind}`,
        class: `arrow ${kind}`,
        viewBox: "0 0 10 10",
        refX: 9,
        refY: 5,
        markerWidth: 11,
        markerHeight: 11,
        markerUnits: "userSpaceOnUse",
        orient: "auto",
      },
      Dom.svg("path", { d: "M0,1.5 L10,5 L0,8.5 z" }),
    );

  function legend(words) {
    const entry = (sign, text) => Dom.el("li", {}, sign, Dom.el("span", {}, text));
    const badge = (letter) => Dom.el("span", { class: `badge ${letter}` }, letter);
    const stop = () => Dom.svg("svg", { viewBox: "-17 -9 34 18", width: 34, height: 18, "aria-hidden": "true" }, end(null));
    const line = (kind) =>
      Dom.svg(
        "svg",
        { class: "sample", viewBox: "0 0 34 12", width: 34, height: 12, "aria-hidden": "true" },
        Dom.svg("path", { class: `edge ${kind}`, d: "M1,6H30", "marker-end": `url(#arrow-${kind})` }),
      );
    return Dom.el(
      "ul",
      {},
      entry(badge("P"), words.signP),
      entry(badge("N"), words.signN),
      Game.hasDraws ? entry(badge("D"), words.signD) : null,
      Game.decides ? entry(stop(), words.signEnding) : null,
      Game.data.sums.length ? entry(Dom.el("span", { class: "badge sum" }, "⊕"), words.signSum) : null,
      State.get().tokens ? entry(Dom.el("span", { class: "dot" }), words.signToken) : null,
      entry(line("best"), words.signWin),
      entry(line("good"), words.signGood),
      Game.hasDraws ? entry(line("hold"), words.signHold) : null,
      Game.decides ? entry(line("loses"), words.signLoses) : null,
      entry(line("move"), words.signMove),
    );
  }

  return { arrow, board, end, legend, more, outline, piece, short, spoken, words };
})();
