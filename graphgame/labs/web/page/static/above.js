// The bar above a game's page: a link to all games, an input field for another position, sliders for sizes.

import "./page.js";
import * as Address from "./address.js";
import * as Bar from "./bar.js";
import { el, replace } from "./dom.js";
import * as Appearance from "./appearance.js";
import * as State from "./state.js";
import { say } from "./text.js";

const bar = el("nav.site");
document.body.prepend(bar);
let shown = null;

const go = (text) => location.assign(Bar.address(text, Address.choices()));

function render() {
  const { language, theme } = State.get();
  if (shown === `${language} ${theme}`) return;
  shown = `${language} ${theme}`;
  bar.setAttribute("aria-label", say("This site"));
  const home = el("a.all", { href: Bar.address("", Appearance.chosen(State.get())), "data-key": "games", title: say("All games") }, "▦", el("span", say("All games")));
  replace(bar, home, Bar.form(go), Bar.sliders(go));
}

State.subscribe(render);
render();
