// Where the game starts: the tokens, which the reader may put on any vertices, and as many as he likes.
"use strict";

const Start = (() => {
  const MOST = 12;

  const tokens = () => State.get().tokens ?? [];
  const isOfFile = () => String(State.get().tokens) === String(Game.tokens);

  function set(next) {
    Game.prepare(next);
    State.set({ tokens: next });
    Match.restart();
  }

  const add = (v) => set([...tokens(), v]);
  const without = (v) => tokens().toSpliced(tokens().lastIndexOf(v), 1);

  function row(v) {
    const words = State.words();
    const count = tokens().filter((token) => token === v).length;
    const label = Game.labels[v];
    const press = (sign, name, next, off) =>
      Dom.button(sign, () => set(next()), {
        class: "icon",
        "aria-label": name,
        title: name,
        disabled: off,
        "data-key": `${sign}${v}`,
      });
    return Dom.el(
      "li",
      { "data-token": v },
      Dom.button([Dom.label(label)], () => Page.select(v), { class: "link", "data-key": `token-${v}` }),
      press("−", words.oneLess(label), () => without(v), false),
      Dom.el("span", { class: "count" }, count),
      press("+", words.oneMore(label), () => [...tokens(), v], tokens().length >= MOST),
    );
  }

  function card() {
    const words = State.words();
    const { selected } = State.get();
    return Dom.el(
      "section",
      { class: "card", "data-start": true },
      Dom.el("h3", {}, words.start),
      tokens().length
        ? Dom.el("ul", { class: "tokens" }, [...new Set(tokens())].map(row))
        : Dom.el("p", { class: "quiet" }, words.noTokens),
      Dom.el(
        "div",
        { class: "buttons" },
        Dom.button(words.addToken(Game.labels[selected]), () => add(selected), { disabled: tokens().length >= MOST, "data-key": "add-token" }),
        isOfFile()
          ? null
          : Dom.button(words.fileTokens, () => set(Game.tokens), { class: "link", "data-key": "file-tokens" }),
      ),
    );
  }

  return { MOST, card, isOfFile, set };
})();
