// The page that the site begins with: a position to type, a file to bring, the games to pick from.
"use strict";

const Board = { kinds: Bar.site.cells.map(([kind, text]) => ({ kind, text })) };

(() => {
  const { site } = Bar;
  const main = Dom.el("main", { class: "home" });
  document.querySelector("main").replaceWith(main);
  const header = document.getElementById("header");
  const state = { language: "en", theme: "auto", query: "", error: site.error };

  function read() {
    const params = new URLSearchParams(location.hash.slice(1));
    const among = (name, table, usual) => (Object.hasOwn(table, params.get(name) ?? "") ? params.get(name) : usual);
    state.language = among("language", SiteText, Text.preferred());
    state.theme = among("theme", Text.tables[state.language].themes, "auto");
    render();
  }

  const chosen = () => ({
    ...(state.language === Text.preferred() ? {} : { language: state.language }),
    ...(state.theme === "auto" ? {} : { theme: state.theme }),
  });

  function choose(changes) {
    Object.assign(state, changes);
    history.replaceState(null, "", `${location.pathname}${location.search}${Bar.address("", chosen()).slice(1)}`);
    render();
  }

  const go = (text) => location.assign(Bar.address(text, chosen()));

  function heading(words, table) {
    const languages = Object.entries(Text.tables).map(([key, { name }]) => [key, name]);
    return [
      Dom.el("div", { class: "heading" }, Dom.el("h1", {}, "graphgame"), Dom.el("p", { class: "quiet" }, words.help)),
      Dom.el(
        "div",
        { class: "controls" },
        Dom.choice("language", table.language, languages, state.language, (language) => choose({ language })),
        Dom.choice("theme", table.theme, Object.entries(table.themes), state.theme, (theme) => choose({ theme })),
      ),
    ];
  }

  async function bring(file) {
    const words = SiteText[state.language];
    try {
      const answer = await fetch(`/file?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
      if (!answer.ok) return fail((await answer.text()).trim());
      const kept = new URLSearchParams(chosen()).toString();
      location.assign(`/?file=${(await answer.json()).file}${kept ? `#${kept}` : ""}`);
    } catch {
      fail(words.away);
    }
  }

  function fail(error) {
    state.error = error;
    render();
  }

  function opener(words) {
    const input = Dom.el("input", { type: "file", id: "file", class: "unseen", "data-key": "file", change: () => input.files[0] && bring(input.files[0]) });
    return Dom.el(
      "section",
      { class: "card bring" },
      Dom.el("label", { class: "file", for: "file" }, words.drop),
      input,
      Dom.el("span", { class: "quiet" }, words.dropHelp),
    );
  }

  const named = (words) =>
    site.named.length
      ? Dom.el("section", { class: "card" }, Dom.el("h2", {}, words.own), Dom.el("ul", { class: "named" }, site.named.map((text) => Dom.el("li", {}, Dom.el("a", { href: Bar.address(text, chosen()) }, Dom.label(text))))))
      : null;

  function card({ name, example, rules, boards }) {
    const drawings = boards.slice(0, 4).map((board) => Drawings.picture([board], { "aria-hidden": "true", role: null }));
    const rule = rules[state.language].join(state.language === "zh" ? "" : " ").trim();
    return Dom.el(
      "li",
      { "data-game": name },
      Dom.el(
        "a",
        { class: "card game", href: Bar.address(example, chosen()) },
        Dom.el("span", { class: "thumb" }, drawings),
        Dom.el("span", { class: "about" }, Dom.el("strong", {}, name), Dom.el("code", {}, example), Dom.el("span", { class: "quiet" }, rule)),
      ),
    );
  }

  // What is typed before a parenthesis finds games by name or rules.
  function matching() {
    const query = state.query.includes("(") ? "" : state.query.trim().toLowerCase();
    return new Set(site.cards.filter(({ name, rules }) => `${name} ${rules[state.language].join(" ")}`.toLowerCase().includes(query)).map(({ name }) => name));
  }

  function filter() {
    const found = matching();
    const shown = found.size || site.cards.length;
    main.querySelectorAll("[data-game]").forEach((part) => (part.hidden = found.size > 0 && !found.has(part.dataset.game)));
    main.querySelector("[data-found]").textContent = SiteText[state.language].found(shown, site.cards.length);
  }

  function typed(text) {
    state.query = text;
    filter();
  }

  function render() {
    const [words, table] = [SiteText[state.language], Text.tables[state.language]];
    document.documentElement.lang = table.tag;
    document.documentElement.dataset.theme = state.theme;
    Dom.replace(header, heading(words, table));
    Dom.replace(
      main,
      Dom.el("div", { class: "site" }, Bar.form(words, go, typed), Bar.sliders(words, go)),
      Dom.el("pre", { class: "fault", role: "alert", tabindex: state.error ? 0 : null }, state.error),
      site.picture ? Dom.el("img", { class: "table", alt: site.text, src: `data:image/svg+xml,${encodeURIComponent(site.picture)}` }) : null,
      named(words),
      opener(words),
      Dom.el("h2", { class: "games" }, words.catalogue, Dom.el("small", { "data-found": "" })),
      Dom.el("ul", { class: "catalogue" }, site.cards.map(card)),
    );
    filter();
  }

  addEventListener("hashchange", read);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) bring(event.dataTransfer.files[0]);
  });
  read();
  if (matchMedia("(min-width: 760px)").matches) document.getElementById("position").focus();
})();
