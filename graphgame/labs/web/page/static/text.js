// The texts in the reader's language. Texts are looked up by their English form.

const data = JSON.parse(document.getElementById("texts").textContent);

export const languages = data.languages; // a map from the code of each language to {tag, name}

// The initial language: the one asked for when the page was written, otherwise the browser's.
export const preferred = () =>
  document.documentElement.dataset.language ??
  (navigator.languages || [navigator.language]).map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => Object.hasOwn(languages, tag)) ??
  "en";

let language = preferred();

export function use(chosen) {
  language = chosen;
  document.documentElement.lang = languages[chosen].tag;
}

// A text with its facts in place of the names in braces; a list of parts if a fact is an element.
function fill(text, facts) {
  const parts = text.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? facts[part] : part));
  return parts.some((part) => part instanceof Element) ? parts : parts.join("");
}

const translated = (english) => data.texts[language]?.[english];

export const say = (english, facts = {}) => fill(translated(english) ?? english, facts);

export const grouped = (n) => n.toLocaleString("en-US");

// A text with a {count}. English has a plural, by default with an s, for all counts except 1.
export const amount = (n, one, many = `${one}s`, facts = {}) =>
  fill(translated(one) ?? (n === 1 ? one : many), { count: grouped(n), ...facts });

export const more = (n) => say("and {count} more", { count: grouped(n) });

// A sentence of an explanation, by its key, in the reader's language. These sentences come from Python.
export const sentence = (key, facts = {}) => fill(data.sentences[key][Object.keys(languages).indexOf(language)], facts);

// The separator of two sentences.
export const space = () => say("{sentence} {next}", { sentence: "", next: "" });
