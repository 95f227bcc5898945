// The texts in the language that the reader has chosen: those of others are found by the English one.

const data = JSON.parse(document.getElementById("texts").textContent);

export const languages = data.languages; // by their code: {tag, name}

// That in which the page was written, if it was asked for, else the browser's.
export const preferred = () =>
  document.documentElement.dataset.language ??
  (navigator.languages || [navigator.language]).map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => Object.hasOwn(languages, tag)) ??
  "en";

let language = preferred();

export function use(chosen) {
  language = chosen;
  document.documentElement.lang = languages[chosen].tag;
}

// A text with its facts where their names stand in braces; a list of parts where one of them is an element.
function fill(text, facts) {
  const parts = text.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? facts[part] : part));
  return parts.some((part) => part instanceof Element) ? parts : parts.join("");
}

const translated = (english) => data.texts[language]?.[english];

export const say = (english, facts = {}) => fill(translated(english) ?? english, facts);

export const grouped = (n) => n.toLocaleString("en-US");

// A text with a count, {count}; English has another one, by default with an s, for all counts but one.
export const amount = (n, one, many = `${one}s`, facts = {}) =>
  fill(translated(one) ?? (n === 1 ? one : many), { count: grouped(n), ...facts });

export const more = (n) => say("and {count} more", { count: grouped(n) });

// A sentence of Python's explanations.
export const sentence = (key, facts = {}) => fill(data.sentences[key][Object.keys(languages).indexOf(language)], facts);

// What stands between two sentences.
export const space = () => say("{sentence} {next}", { sentence: "", next: "" });
