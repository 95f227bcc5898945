// The board of a match: its rules above it, the message, and moves made by touching what they change.
"use strict";

const Stage = (() => {
  const STILL = matchMedia("(prefers-reduced-motion: reduce)");
  const LARGEST = 112; // pixels that a cell takes at most
  const MOST_OFFERED = 24;
  const MOST_MARKED = 12;
  const FEW = 2;
  const GAP = 1;

  let stage, view = "board";
  let shown = null; // the surface on the screen, and after how many moves
  let made = -1;
  let offers = []; // what may be touched now
  let picked = []; // cells that a player has touched: {board, cell}
  let offered = []; // the moves among which a player chooses

  const plays = () => State.get().tab === "play" && Game.size > 0;
  const onBoard = () => Board.exists && view === "board" && shown?.boards.length > 0;
  const alike = (a, b) => a.length === b.length && a.every((cell) => b.includes(cell));
  const within = (inner, outer) => inner.every((cell) => outer.includes(cell));

  // Offers

  // Of moves that touch the same cells and do the same to them one is enough.
  function distinct(found) {
    const seen = new Map();
    for (const offer of found) {
      const after = offer.after ? [...offer.after].map(([cell, kind]) => `${cell}:${kind}`).sort().join() : "";
      const key = [shown.boards.indexOf(offer.board), [...offer.touched].sort().join("."), offer.line ?? "", after || offer.to].join("|");
      if (!seen.has(key)) seen.set(key, offer);
    }
    return [...seen.values()];
  }

  const touching = (board, cells) => offers.filter((offer) => offer.board === board && cells.length && within(cells, offer.touched));

  // The move that a touch makes at once: the only one, or the least where each move is the least somewhere.
  function direct(board, cell) {
    const found = touching(board, [cell]);
    if (found.length === 1) return found[0];
    return nested(board) ? least(found) : null;
  }

  function least(found) {
    const first = found.reduce((a, b) => (b.touched.length < a.touched.length ? b : a), found[0]);
    return found.every((offer) => within(first.touched, offer.touched)) &&
      found.filter((offer) => alike(offer.touched, first.touched)).length === 1
      ? first
      : null;
  }

  let nests = new Map();

  function nested(board) {
    if (!nests.has(board)) {
      const own = offers.filter((offer) => offer.board === board && offer.touched.length);
      const cells = new Set(own.flatMap((offer) => offer.touched));
      const reached = new Set([...cells].map((cell) => least(touching(board, [cell]))));
      nests.set(board, own.every((offer) => reached.has(offer)));
    }
    return nests.get(board);
  }

  // The cells that a player touches for a move: where moves lie one inside the other, those that no lesser one has.
  function handles(offer) {
    if (!nested(offer.board)) return offer.touched;
    const own = offer.touched.filter((cell) => direct(offer.board, cell) === offer);
    return own.length ? own : offer.touched;
  }

  const kindAt = (board, cell) => Board.kinds[board.cells[cell]].kind;

  // A piece that was picked up is put down: of the moves through two cells those that bring it there.
  function putDown(board, cell, found) {
    if (!picked.length) return found;
    const kind = kindAt(board, picked[0].cell);
    const there = found.filter((offer) => offer.after?.has(cell) && Board.kinds[offer.after.get(cell)].kind === kind && kindAt(board, cell) !== kind);
    return there.length ? there : found;
  }

  function touch(board, cell) {
    if (Match.computersTurn()) return;
    const before = picked.filter((pick) => pick.board === board).map((pick) => pick.cell);
    const again = before.includes(cell);
    let found = again ? touching(board, before) : touching(board, [...before, cell]);
    if (!found.length) found = touching(board, [cell]);
    else if (again) {
      const exact = found.filter((offer) => alike(offer.touched, before));
      if (exact.length === 1) return make(exact[0]);
      return drop();
    } else if (before.length) found = putDown(board, cell, found);
    if (!found.length) return drop();
    const at = found.every((offer) => within([...before, cell], offer.touched)) ? [...before, cell] : [cell];
    if (found.length === 1) return make(found[0]);
    if (at.length === 1 && direct(board, cell)) return make(direct(board, cell));
    picked = at.map((one) => ({ board, cell: one }));
    offered = found;
    render();
  }

  // Several moves of one line or one pair of cells are asked about too.
  function choose(found) {
    if (Match.computersTurn()) return;
    if (found.length === 1) return make(found[0]);
    picked = [];
    offered = found;
    render();
  }

  function drop() {
    picked = [];
    offered = [];
    render();
  }

  function make(offer) {
    picked = [];
    offered = [];
    Match.make({ component: offer.component, from: offer.from, to: offer.to, way: offer.way });
  }

  // The look ahead: what a move would change is marked while the pointer or the keyboard is on it.

  function preview(found) {
    const svg = stage.querySelector(".surface svg");
    svg?.querySelectorAll(".ahead, .near").forEach((part) => part.classList.remove("ahead", "near"));
    svg?.querySelectorAll(".ghostly").forEach((part) => part.remove());
    if (!found.length || !svg) return;
    const each = (offer, cells, name) =>
      cells.forEach((cell) => svg.querySelector(`[data-spot="${shown.boards.indexOf(offer.board)} ${cell}"]`)?.classList.add(name));
    if (found.length === 1) {
      const [offer] = found;
      each(offer, offer.cells.length ? offer.cells : offer.touched, "ahead");
      each(offer, offer.touched, "near");
      svg.querySelector(`[data-line="${lineKey(offer)}"]`)?.classList.add("ahead");
    } else found.forEach((offer) => each(offer, offer.touched, "near"));
  }

  const lineKey = (offer) => (offer.line ? `${shown.boards.indexOf(offer.board)} ${offer.line.map((n) => Math.round(n * 10)).join(" ")}` : "");

  function ahead(board, cell) {
    const before = picked.filter((pick) => pick.board === board).map((pick) => pick.cell);
    const more = touching(board, [...before.filter((one) => one !== cell), cell]);
    if (before.length && more.length) return putDown(board, cell, more);
    const one = direct(board, cell);
    return one ? [one] : touching(board, [cell]);
  }

  // Drawing

  // Boards in rows, as many side by side as make them largest.
  function arranged(boards, aspect) {
    const boxes = boards.map(({ places }) => Drawings.extent(places));
    let best = null;
    for (let across = 1; across <= boxes.length; across += 1) {
      const rows = [];
      for (let i = 0; i < boxes.length; i += across) rows.push(boxes.slice(i, i + across));
      const width = Math.max(...rows.map((row) => row.reduce((sum, box) => sum + box.width + GAP, -GAP)));
      const height = rows.reduce((sum, row) => sum + Math.max(...row.map((box) => box.height)) + GAP, -GAP);
      const size = Math.min(aspect / width, 1 / height);
      if (!best || size > best.size * 1.02) best = { size, rows, width, height };
    }
    const at = [];
    let y = 0;
    for (const row of best.rows) {
      const high = Math.max(...row.map((box) => box.height));
      let x = (best.width - row.reduce((sum, box) => sum + box.width + GAP, -GAP)) / 2;
      for (const box of row) {
        at.push([x - box.x, y + high - box.height - box.y]);
        x += box.width + GAP;
      }
      y += high + GAP;
    }
    return { at, width: best.width, height: best.height };
  }

  function surface(room) {
    const words = State.words();
    const { clientWidth: wide, clientHeight: high } = room;
    const { at, width, height } = arranged(shown.boards, wide / Math.max(high, 1));
    const [w, h] = [Math.max(width + 0.7, wide / LARGEST), Math.max(height + 0.7, high / LARGEST)];
    return Dom.svg(
      "svg",
      {
        viewBox: `${(width - w) / 2} ${(height - h) / 2} ${w} ${h}`,
        role: "group",
        "aria-label": words.boardName,
        keydown: steer,
        pointerleave: () => preview(offered.length === 1 ? offered : []),
      },
      shown.boards.map((board, number) =>
        Dom.svg("g", { transform: `translate(${at[number].join()})`, "data-board": number }, drawn(board, number)),
      ),
    );
  }

  function drawn(board, number) {
    const { last } = shown;
    const order = Drawings.ordered(board.places);
    const marked = last?.board === board ? (last.touched?.length ? last.touched : (last.cells ?? [])) : [];
    return [
      order.map((cell) => ghost(board, cell)),
      order.map((cell) => spot(board, number, cell, marked.includes(cell))),
      board.lines.map(Drawings.cutLine),
      pairs(board).map((found) => pairZone(board, found)),
      lines(board).map((found) => lineZone(board, found)),
      marked.map((cell) => mark(board, cell)),
      hints(board),
    ];
  }

  // Where something stood that has gone.
  function ghost(board, cell) {
    if (!Board.isBlank(board.cells[cell]) || Board.isBlank(board.begun[cell]) || Drawings.isLine(board.places[cell])) return null;
    const [x, y] = board.places[cell];
    return Dom.svg("circle", { class: "ghost", cx: x, cy: y, r: 0.07 });
  }

  function spot(board, number, cell, isLast) {
    const kind = Board.kinds[board.cells[cell]];
    const place = board.places[cell];
    const found = Match.computersTurn() ? [] : touching(board, [cell]);
    const shape = Drawings.cell(kind, place);
    if (!shape && !found.length) return null;
    const [x, y] = Drawings.middle(place);
    const on = picked.some((pick) => pick.board === board && pick.cell === cell);
    const zone = found.length ? Drawings.isLine(place) ? Dom.svg("path", { class: "zone", d: `M${place[0]},${place[1]}L${place[2]},${place[3]}` }) : Dom.svg("rect", { class: "zone", x: x - 0.5, y: y - 0.5, width: 1, height: 1 }) : null;
    const hooks = found.length
      ? {
          role: "button",
          tabindex: -1,
          "aria-label": named(board, cell, kind, found),
          "aria-pressed": on ? "true" : null,
          "data-key": `cell-${number}-${cell}`,
          "data-moves": found.length,
          click: () => touch(board, cell),
          pointerenter: () => preview(ahead(board, cell)),
          focus: () => preview(ahead(board, cell)),
        }
      : {};
    return Dom.svg(
      "g",
      { class: `spot-cell${found.length ? " free" : ""}${on ? " picked" : ""}${isLast ? " lately" : ""}`, "data-spot": `${number} ${cell}`, ...hooks },
      shape,
      zone,
      found.length && !Drawings.isLine(place) ? Dom.svg("rect", { class: "ring", x: x - 0.47, y: y - 0.47, width: 0.94, height: 0.94, rx: 0.16 }) : null,
    );
  }

  function named(board, cell, { kind, text }, found) {
    const words = State.words();
    const [x, y] = Drawings.middle(board.places[cell]);
    const grid = board.places.every((place) => place.length === 2 && Number.isInteger(place[0]) && Number.isInteger(place[1]));
    const place = grid ? words.cellAt(Math.round(y - Drawings.extent(board.places).y + 0.5), Math.round(x - Drawings.extent(board.places).x + 0.5)) : `${cell + 1}`;
    const winning = found.some((offer) => aims.has(aimKey(offer)));
    return [words.kinds[kind] ?? kind, text, place, words.movesHere(found.length), winning ? words.signGood : ""].filter(Boolean).join(", ");
  }

  const mark = (board, cell) => {
    const [x, y] = Drawings.middle(board.places[cell]);
    return Dom.svg("rect", { class: "last", x: x - 0.49, y: y - 0.49, width: 0.98, height: 0.98, rx: 0.2 });
  };

  // Two neighbouring cells that one move touches can be touched between them.
  function pairs(board) {
    if (Match.computersTurn() || nested(board)) return [];
    const found = new Map();
    for (const offer of offers) {
      if (offer.board !== board || offer.touched.length !== 2) continue;
      const [a, b] = offer.touched.map((cell) => board.places[cell]);
      if (a.length > 2 || b.length > 2 || Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) !== 1) continue;
      const key = [...offer.touched].sort().join();
      found.set(key, [...(found.get(key) ?? []), offer]);
    }
    return [...found.values()];
  }

  function pairZone(board, found) {
    const [a, b] = found[0].touched.map((cell) => board.places[cell]);
    const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const [w, h] = a[1] === b[1] ? [0.4, 0.8] : [0.8, 0.4];
    return Dom.svg("rect", {
      class: "zone pair",
      x: x - w / 2,
      y: y - h / 2,
      width: w,
      height: h,
      "data-pair": `${shown.boards.indexOf(board)} ${[...found[0].touched].sort((p, q) => p - q).join(" ")}`,
      click: () => choose(found),
      pointerenter: () => preview(found),
    });
  }

  function lines(board) {
    if (Match.computersTurn()) return [];
    const found = new Map();
    for (const offer of offers) if (offer.board === board && offer.line) found.set(lineKey(offer), [...(found.get(lineKey(offer)) ?? []), offer]);
    return [...found.values()];
  }

  function lineZone(board, found) {
    const [x1, y1, x2, y2] = found[0].line;
    const d = `M${x1},${y1}L${x2},${y2}`;
    return Dom.svg(
      "g",
      {
        class: "cut free",
        role: "button",
        tabindex: -1,
        "aria-label": [State.words().cut, ...found.slice(0, 1).map((offer) => Game.labels[offer.to])].join(" "),
        "data-line": lineKey(found[0]),
        "data-key": `line-${lineKey(found[0])}`,
        click: () => choose(found),
        pointerenter: () => preview(found),
        focus: () => preview(found),
      },
      Dom.svg("path", { class: "zone", d }),
      Dom.svg("path", { class: "guide", d }),
    );
  }

  // Good moves are marked where they are made: by a sign, and by a line through all that they touch.

  let aims = new Map();

  function hints(board) {
    const cells = picked.filter((pick) => pick.board === board).map((pick) => pick.cell);
    const good = offers.filter((offer) => offer.board === board && aims.has(aimKey(offer)) && within(cells, offer.touched));
    const near = (offer) => spotsOf(offer).length < 2 || (spotsOf(offer).length === 2 && far(...spotsOf(offer)) < 1.5);
    if (good.length <= FEW || (good.length <= MOST_MARKED && good.every(near))) return good.map((offer) => hint(offer, spotsOf(offer)));
    const next = new Map(good.map((offer) => [handles(offer).find((cell) => !cells.includes(cell)), offer]));
    return [...next].map(([cell, offer]) => hint(offer, [Drawings.middle(board.places[cell])]));
  }

  const aimKey = ({ component, to }) => `${component} ${to}`;
  const far = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

  function spotsOf(offer) {
    const cells = handles(offer);
    const { line } = offer;
    return line && !cells.length ? [[(line[0] + line[2]) / 2, (line[1] + line[3]) / 2]] : cells.map((cell) => Drawings.middle(offer.board.places[cell]));
  }

  // A frame around each cell; two neighbours are joined, those further apart by an arc.
  function hint(offer, spots) {
    const aim = aims.get(aimKey(offer));
    const joined = spots.length === 2 && far(...spots) < 1.5;
    const [[x, y]] = spots;
    const seal = joined ? [(x + spots[1][0]) / 2, (y + spots[1][1]) / 2] : offer.line ? [x, y] : [x + 0.32, y - 0.32];
    const arc = ([a, b], [c, d]) => `M${a},${b - 0.46}Q${(a + c) / 2},${Math.min(b, d) - 0.46 - 0.12 * far([a, b], [c, d])} ${c},${d - 0.46}`;
    return Dom.svg(
      "g",
      { class: `good ${aim}`, "aria-hidden": "true", "data-good": aimKey(offer) },
      joined ? Dom.svg("path", { class: "through", d: `M${spots.map((spot) => spot.join()).join("L")}` }) : null,
      joined ? null : spots.slice(1).map((spot, i) => Dom.svg("path", { class: "through", d: arc(spots[i], spot) })),
      joined || (offer.line && !offer.touched.length) ? null : spots.map(([a, b]) => Dom.svg("rect", { class: "frame", x: a - 0.45, y: b - 0.45, width: 0.9, height: 0.9, rx: 0.14 })),
      Dom.svg("circle", { class: "seal", cx: seal[0], cy: seal[1], r: 0.2 }),
      Dom.svg("text", { x: seal[0], y: seal[1] + 0.1, "font-size": 0.28 }, Panel.sign(aim)),
    );
  }

  // Arrow keys go to the nearest cell in their direction, Enter and the space bar touch it, Escape lets go.
  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function steer(event) {
    const at = event.target.closest("[data-key]");
    if (event.key === "Escape" && (picked.length || offered.length)) drop();
    else if (at && (event.key === "Enter" || event.key === " ")) at.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    else if (at && DIRECTIONS[event.key]) neighbour(at, DIRECTIONS[event.key])?.focus();
    else return;
    event.preventDefault();
  }

  function neighbour(at, [dx, dy]) {
    const centre = (part) => {
      const box = part.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = centre(at);
    let best = null;
    for (const other of stage.querySelectorAll(".surface [data-key]")) {
      const [a, b] = centre(other);
      const along = (a - x) * dx + (b - y) * dy;
      const aside = Math.abs((a - x) * dy + (b - y) * dx);
      if (along > 2 && (!best || along + 3 * aside < best.far)) best = { far: along + 3 * aside, other };
    }
    return best?.other;
  }

  // The moves among which a touch leaves a choice, side by side, each as what it leaves.
  function chooser() {
    const words = State.words();
    if (!offered.length) return null;
    const ways = [...offered].sort((a, b) => aims.has(aimKey(b)) - aims.has(aimKey(a)) || a.touched.length - b.touched.length);
    const button = (offer) => {
      const aim = aims.get(aimKey(offer));
      return Dom.button([pictureOf(offer), Dom.el("span", { class: "unseen" }, Game.labels[offer.to]), Panel.star(aim)], () => make(offer), {
        class: `offer${Panel.starred(aim)}`,
        "aria-label": `→ ${Game.labels[offer.to]}${aim ? `, ${words.signGood}` : ""}`,
        "data-offer": aimKey(offer),
        "data-key": `offer-${offer.component}-${offer.way}`,
        pointerenter: () => preview([offer]),
        focus: () => preview([offer]),
      });
    };
    const rest = ways.length - MOST_OFFERED;
    return Dom.el(
      "div",
      { class: "chooser", role: "group", "aria-label": words.whichMove },
      Dom.el("span", { class: "quiet" }, words.whichMove),
      ways.slice(0, MOST_OFFERED).map(button),
      rest > 0 ? Dom.el("span", { class: "quiet" }, words.narrow(rest)) : null,
      Dom.button(words.cancel, drop, { class: "link", "data-key": "drop" }),
    );
  }

  function pictureOf(offer) {
    if (!offer.after) return Drawings.still(offer.to, { "aria-hidden": "true" }) ?? Dom.label(Game.labels[offer.to]);
    const cells = offer.board.cells.map((cell, i) => offer.after.get(i) ?? cell);
    const lines = offer.line ? [...offer.board.lines, offer.line] : offer.board.lines;
    return Drawings.picture([{ places: offer.board.places, cells, lines, marked: offer.touched }], { "aria-hidden": "true" });
  }

  // Rules and message

  function rules() {
    const words = State.words();
    const { language, play } = State.get();
    const told = Game.data.rules ?? [];
    const parts = told.map((text) => text[language] ?? text.en).map(([rule, end]) => (play === "normal" ? `${rule} ${end}`.trim() : rule));
    const ends = play === "normal" && told.length && told.every(({ en }) => en[1]);
    if (!ends) parts.push(words.endings[play]);
    if (told.some(({ safe }) => safe)) parts.push(words.safeMoves);
    return Dom.el("p", { class: "rule" }, parts.map((text) => [Dom.label(text), " "]));
  }

  function toggle() {
    const words = State.words();
    if (!Board.exists) return null;
    const other = view === "board" ? "graph" : "board";
    return Dom.button(words.views[other], () => show(other), { class: "chip", "data-key": "view", "data-view": other });
  }

  function show(other) {
    view = other;
    State.set({});
    Graph.refit?.();
  }

  // Motion: what came is seen to come, what went to go; a man that moved slides.

  function animate() {
    const { last } = shown;
    if (STILL.matches || !last?.board) return;
    const number = shown.boards.indexOf(last.board);
    const part = (cell) => stage.querySelector(`[data-spot="${number} ${cell}"] > .cell`);
    const timing = { duration: 420, easing: "cubic-bezier(.3,.7,.3,1)" };
    if (!last.cells) {
      stage.querySelector(`[data-board="${number}"]`)?.animate([{ opacity: 0 }, { opacity: 1 }], timing);
      return;
    }
    const { places, cells } = last.board;
    const kind = (list, cell) => Board.kinds[list[cell]].kind;
    const men = ["coin", "cross", "piece", "token"];
    for (const cell of last.cells) {
      const now = kind(cells, cell);
      const from = men.includes(now) && kind(last.before, cell) !== now
        ? last.cells.find((other) => kind(last.before, other) === now && kind(cells, other) !== now)
        : undefined;
      if (from !== undefined) {
        const [dx, dy] = [places[from][0] - places[cell][0], places[from][1] - places[cell][1]];
        const man = part(cell)?.querySelector(".man, .sign") ?? part(cell);
        man?.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], timing);
      } else if (now !== "blank") part(cell)?.animate([{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }], timing);
      else leave(number, last.before[cell], places[cell], timing);
    }
  }

  function leave(number, cell, place, timing) {
    const shape = Drawings.cell(Board.kinds[cell], place);
    const group = stage.querySelector(`[data-board="${number}"]`);
    if (!shape || !group) return;
    group.append(shape);
    shape.animate([{ opacity: 1, transform: "none" }, { opacity: 0, transform: "translateY(.5px) scale(.85)" }], timing).onfinish = () => shape.remove();
  }

  // The whole

  function update() {
    const history = Match.history();
    shown = Board.surface(Match.turns()[0].components, history);
    const fresh = history.length !== made;
    const forward = history.length === made + 1;
    if (fresh) [picked, offered] = [[], []];
    made = history.length;
    const moves = new Set(Match.moves().map(({ component, to }) => `${component} ${to}`));
    offers = distinct(Board.offers(shown, Match.components()).filter(({ component, to }) => moves.has(`${component} ${to}`)));
    nests = new Map();
    aims = new Map();
    if (Match.settings.hints && !Match.computersTurn() && !Match.over()) {
      const { aim, moves } = Game.goodMoves(Match.components(), State.get().play);
      moves.forEach(({ component, to }) => aims.set(`${component} ${to}`, aim));
    }
    picked = picked.filter((pick) => shown.boards.includes(pick.board));
    return forward;
  }

  function render() {
    document.body.classList.toggle("playing", plays());
    if (!plays()) {
      document.body.classList.remove("on-board");
      Dom.replace(stage);
      return;
    }
    const forward = Board.exists ? update() : false;
    const active = document.activeElement;
    const focused = stage.contains(active) ? active.dataset.key : null;
    document.body.classList.toggle("on-board", Boolean(onBoard()));
    const room = Dom.el("div", { class: "surface" });
    Dom.replace(stage, Dom.el("div", { class: "told" }, rules(), toggle()), Play.status(), Play.question(), onBoard() ? room : null, onBoard() ? chooser() : null);
    if (!onBoard()) return;
    draw(room, focused);
    if (offered.length) preview(offered);
    if (forward) animate();
  }

  function draw(room, focused) {
    room.replaceChildren(surface(room));
    const all = [...room.querySelectorAll("[data-key]")];
    const same = all.find((part) => part.dataset.key === focused);
    (same ?? all[0])?.setAttribute("tabindex", 0);
    same?.focus({ preventScroll: true });
  }

  function init(element) {
    stage = element;
    State.subscribe(render);
    new ResizeObserver(() => {
      const room = stage.querySelector(".surface");
      if (room && onBoard()) draw(room, document.activeElement?.dataset.key);
    }).observe(stage);
  }

  return { init };
})();
