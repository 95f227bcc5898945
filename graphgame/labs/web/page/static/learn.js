// The tab of lessons: the stepper and the puzzles.
"use strict";

const Learn = (() => {
  function show() {
    const words = State.words();
    const { lesson, selected } = State.get();
    if (selected === null) return [Dom.el("p", {}, words.empty)];
    const chip = ([name, text]) =>
      Dom.button(
        text,
        () => {
          Stepper.begin();
          State.set({ lesson: name });
        },
        { class: "chip", "aria-pressed": name === lesson ? "true" : "false", "data-key": `lesson-${name}` },
      );
    return [
      Dom.el("h2", { tabindex: -1, class: "unseen" }, words.learn),
      Dom.el(
        "div",
        { class: "chips", role: "group", "aria-label": words.lesson },
        Object.entries(words.lessons).map(chip),
      ),
      lesson === "puzzle" ? Puzzle.show() : Dom.el("section", { class: "card", "data-lesson": lesson }, Stepper.show()),
    ];
  }

  const isOpen = () => State.get().tab === "learn";

  // What the graph hides while one learns: the values that have not come about, or those that tell the answer.
  const hides = (v) => {
    const { lesson } = State.get();
    if (!isOpen() || lesson === "sum") return false;
    return lesson === "puzzle" ? !Puzzle.isSolved() : !Stepper.known(v);
  };

  const tokens = () => (State.get().lesson === "puzzle" ? Puzzle.components() : State.get().tokens || []);
  const current = () => (isOpen() && State.get().lesson === "values" ? Stepper.current() : []);

  return { current, hides, isOpen, show, tokens };
})();
