// The bar above the page of a game: back to all games, another position, other sizes.
"use strict";

(() => {
  const bar = Dom.el("nav", { class: "site" });
  document.body.prepend(bar);
  let shown = null;

  const chosen = () => {
    const { language, theme } = State.get();
    return { ...(language === Text.preferred() ? {} : { language }), ...(theme === "auto" ? {} : { theme }) };
  };
  const go = (text) => location.assign(Bar.address(text, Address.choices()));

  function render() {
    const { language, theme } = State.get();
    if (shown === `${language} ${theme}`) return;
    shown = `${language} ${theme}`;
    const words = SiteText[language];
    bar.setAttribute("aria-label", words.site);
    const home = Dom.el("a", { class: "all", href: Bar.address("", chosen()), "data-key": "games", title: words.games }, "▦", Dom.el("span", {}, words.games));
    Dom.replace(bar, home, Bar.form(words, go), Bar.sliders(words, go));
  }

  State.subscribe(render);
  render();
})();
