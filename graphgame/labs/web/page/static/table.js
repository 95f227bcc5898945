// The boards of a match as they are drawn: their cells, what may be touched, the last move, good moves, and motion.
"use strict";

const Table = (() => {
  const STILL = matchMedia("(prefers-reduced-motion: reduce)");
  const LARGEST = 112; // pixels that a cell takes at most
  const MOST_MARKED = 12;
  const FEW = 2;
  const GAP = 1;

  let room, shown, aims;
  let waiting = null; // what had the keyboard, until the board has something to touch again

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

  // Draws a surface into an element; ``good`` has the aim of each good move by its key.
  function draw(element, surface, good, focused, byKeyboard) {
    [room, shown, aims] = [element, surface, good];
    room.replaceChildren(picture());
    const all = [...room.querySelectorAll("[data-key]")];
    if (focused) waiting = byKeyboard ? focused : null;
    else if (document.activeElement !== document.body) waiting = null;
    const same = all.find((part) => part.dataset.key === focused) ?? (waiting && nearest(all, waiting));
    (same ?? all[0])?.setAttribute("tabindex", 0);
    same?.focus({ preventScroll: true });
    preview(Touch.offered());
  }

  // The part next to that of a key, which a move has emptied, on its board.
  function nearest(all, key) {
    const place = (name) => name.split("-").slice(-2).map(Number);
    const [board, cell] = place(key);
    const far = ([otherBoard, other]) => Math.abs(otherBoard - board) * 1e6 + Math.abs(other - cell) || 0;
    return all.reduce((best, part) => (best && far(place(best.dataset.key)) <= far(place(part.dataset.key)) ? best : part), null);
  }

  function picture() {
    const { clientWidth: wide, clientHeight: high } = room;
    const { at, width, height } = arranged(shown.boards, wide / Math.max(high, 1));
    const [w, h] = [Math.max(width + 0.7, wide / LARGEST), Math.max(height + 0.7, high / LARGEST)];
    return Dom.svg(
      "svg",
      {
        viewBox: `${(width - w) / 2} ${(height - h) / 2} ${w} ${h}`,
        role: "group",
        "aria-label": State.words().boardName,
        keydown: steer,
        pointerleave: () => preview([]),
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
      Touch.pairsOf(board).map((found) => pairZone(board, found)),
      Touch.linesOf(board).map((found) => lineZone(board, found)),
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
    const found = Contest.now().computersTurn() ? [] : Touch.touching(board, [cell]);
    const shape = Drawings.cell(kind, place);
    if (!shape && !found.length) return null;
    const [x, y] = Drawings.middle(place);
    const on = Touch.cellsPicked(board).includes(cell);
    const zone = found.length ? Drawings.isLine(place) ? Dom.svg("path", { class: "zone", d: `M${place[0]},${place[1]}L${place[2]},${place[3]}` }) : Dom.svg("rect", { class: "zone", x: x - 0.5, y: y - 0.5, width: 1, height: 1 }) : null;
    const hooks = found.length
      ? {
          role: "button",
          tabindex: -1,
          "aria-label": named(board, cell, kind, found),
          "aria-pressed": on ? "true" : null,
          "data-key": `cell-${number}-${cell}`,
          "data-moves": found.length,
          click: () => Touch.touch(board, cell),
          pointerenter: () => preview(Touch.ahead(board, cell)),
          focus: () => preview(Touch.ahead(board, cell)),
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
    const all = found.map((offer) => aims.get(Touch.key(offer)));
    const aim = all.find((one) => Panel.rank(one) > 0) ?? (all.every((one) => one === "L") ? all[0] : null);
    return [words.kinds[kind] ?? kind, text, place, words.movesHere(found.length), aim ? Panel.meaning(aim) : ""].filter(Boolean).join(", ");
  }

  const mark = (board, cell) => {
    const [x, y] = Drawings.middle(board.places[cell]);
    return Dom.svg("rect", { class: "last", x: x - 0.49, y: y - 0.49, width: 0.98, height: 0.98, rx: 0.2 });
  };

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
      click: () => Touch.choose(found),
      pointerenter: () => preview(found),
    });
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
        click: () => Touch.choose(found),
        pointerenter: () => preview(found),
        focus: () => preview(found),
      },
      Dom.svg("path", { class: "zone", d }),
      Dom.svg("path", { class: "guide", d }),
    );
  }

  // Good moves, and those that lose at once, are marked where they are made: by a sign, and by a line through all that
  // they touch. Moves of a heap that is too large to show piece by piece touch nothing: only the buttons show them.

  function hints(board) {
    const cells = Touch.cellsPicked(board);
    const made = Touch.on(board).filter((offer) => offer.line || offer.touched.length);
    const wanted = made.filter((offer) => aims.has(Touch.key(offer)) && Touch.within(cells, offer.touched));
    const cuts = wanted.filter((offer) => !Touch.handles(offer).length).map((offer) => hint(offer, []));
    const ofCells = wanted.filter((offer) => Touch.handles(offer).length);
    const loses = (offer) => aims.get(Touch.key(offer)) === "L";
    return [cuts, hintsOf(ofCells.filter(loses), cells), hintsOf(ofCells.filter((offer) => !loses(offer)), cells)];
  }

  function hintsOf(good, cells) {
    const near = (offer) => spotsOf(offer).length < 2 || (spotsOf(offer).length === 2 && far(...spotsOf(offer)) < 1.5);
    if (good.length <= FEW || (good.length <= MOST_MARKED && good.every(near))) return good.map((offer) => hint(offer, Touch.handles(offer)));
    const next = new Map(good.map((offer) => [Touch.handles(offer).find((cell) => !cells.includes(cell)), offer]));
    return [...next].map(([cell, offer]) => hint(offer, [cell]));
  }

  const far = ([a, b], [c, d]) => Math.hypot(a - c, b - d);

  function spotsOf(offer) {
    return Touch.handles(offer).map((cell) => Drawings.middle(offer.board.places[cell]));
  }

  // A frame around each cell, a line along each edge; two neighbours are joined, those further apart by an arc.
  function hint(offer, cells) {
    const aim = aims.get(Touch.key(offer));
    const places = cells.map((cell) => offer.board.places[cell]);
    const spots = places.map(Drawings.middle);
    const joined = spots.length === 2 && far(...spots) < 1.5;
    const edge = places.length === 1 && Drawings.isLine(places[0]);
    const arc = ([a, b], [c, d]) => `M${a},${b - 0.46}Q${(a + c) / 2},${Math.min(b, d) - 0.46 - 0.12 * far([a, b], [c, d])} ${c},${d - 0.46}`;
    const through = joined || edge ? [joined ? spots : [places[0].slice(0, 2), places[0].slice(2, 4)]].map((ends) => `M${ends.join("L")}`) : spots.slice(1).map((spot, i) => arc(spots[i], spot));
    const [x, y] = seal(offer, spots, joined || edge);
    return Dom.svg(
      "g",
      { class: `good ${aim}`, "aria-hidden": "true", "data-good": Touch.key(offer) },
      through.map((d) => Dom.svg("path", { class: "through", d })),
      joined || edge ? null : spots.map(([a, b]) => Dom.svg("rect", { class: "frame", x: a - 0.45, y: b - 0.45, width: 0.9, height: 0.9, rx: 0.14 })),
      Dom.svg("circle", { class: "seal", cx: x, cy: y, r: 0.2 }),
      Dom.svg("text", { x, y: y + 0.1, "font-size": 0.28 }, Panel.sign(aim)),
    );
  }

  // Where the sign of a good move is: on a cut near its end, where no other one crosses it; within, or in a corner.
  function seal({ line }, spots, within) {
    if (line && !spots.length) return [Math.min(line[0], line[2]) + (line[2] - line[0] ? 0.3 : 0), Math.min(line[1], line[3]) + (line[3] - line[1] ? 0.3 : 0)];
    const [x, y] = [0, 1].map((axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length);
    return within ? [x, y] : [spots[0][0] + 0.32, spots[0][1] - 0.32];
  }

  // The look ahead: what a move would change is marked while the pointer or the keyboard is on it.

  function preview(found) {
    const svg = room.querySelector("svg");
    svg?.querySelectorAll(".ahead, .near").forEach((part) => part.classList.remove("ahead", "near"));
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



  // Arrow keys go to the nearest cell in their direction, Enter and the space bar touch it, Escape lets go.
  const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function steer(event) {
    const at = event.target.closest("[data-key]");
    if (event.key === "Escape" && Touch.offered().length) Touch.drop();
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
    for (const other of room.querySelectorAll("[data-key]")) {
      const [a, b] = centre(other);
      const along = (a - x) * dx + (b - y) * dy;
      const aside = Math.abs((a - x) * dy + (b - y) * dx);
      if (along > 2 && (!best || along + 3 * aside < best.far)) best = { far: along + 3 * aside, other };
    }
    return best?.other;
  }

  // Motion: what came is seen to come, what went to go; a man that moved slides.

  function animate() {
    const { last } = shown;
    if (STILL.matches || !last?.board) return;
    const number = shown.boards.indexOf(last.board);
    const part = (cell) => room.querySelector(`[data-spot="${number} ${cell}"] > .cell`);
    const timing = { duration: 420, easing: "cubic-bezier(.3,.7,.3,1)" };
    if (!last.cells) {
      room.querySelector(`[data-board="${number}"]`)?.animate([{ opacity: 0 }, { opacity: 1 }], timing);
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
    const group = room.querySelector(`[data-board="${number}"]`);
    if (!shape || !group) return;
    group.append(shape);
    shape.animate([{ opacity: 1, transform: "none" }, { opacity: 0, transform: "translateY(.5px) scale(.85)" }], timing).onfinish = () => shape.remove();
  }

  return { animate, draw, preview };
})();
