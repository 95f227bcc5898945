// The pages to play on are light or dark as the site is.
"use strict";

const followSite = () => {
  const { mode, theme } = document.documentElement.dataset;
  for (const frame of document.querySelectorAll("iframe.game")) {
    const address = new URL(frame.src);
    const chosen = new URLSearchParams(address.hash.slice(1));
    chosen.set("theme", mode === "auto" ? "auto" : theme);
    address.hash = chosen;
    if (address.href !== frame.src) frame.src = address.href;
  }
};
followSite();
new MutationObserver(followSite).observe(document.documentElement, { attributeFilter: ["data-mode", "data-theme"] });
