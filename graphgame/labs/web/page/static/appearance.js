// The language and the colours that the reader chooses.

import { choice } from "./dom.js";
import * as Text from "./text.js";
import { say } from "./text.js";

export const themes = () => ({ auto: say("system"), light: say("light"), dark: say("dark") });

export function choices({ language, theme }, change) {
  const languages = Object.entries(Text.languages).map(([code, { name }]) => [code, name]);
  return [
    choice("language", say("Language"), languages, language, (chosen) => change({ language: chosen })),
    choice("theme", say("Colours"), Object.entries(themes()), theme, (chosen) => change({ theme: chosen })),
  ];
}

// The reader's choices that differ from the defaults.
export const chosen = ({ language, theme }) => ({
  ...(language === Text.preferred() ? {} : { language }),
  ...(theme === "auto" ? {} : { theme }),
});

export function apply({ language, theme }) {
  Text.use(language);
  document.documentElement.dataset.theme = theme;
}
