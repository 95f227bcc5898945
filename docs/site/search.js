// What the search shows first: pages whose title has all words of the query, then guides and other documents; last what
// is about one lab or one game. The numbers are added to Sphinx's own, in which a word in a title counts 15.
"use strict";

const RANKS = [
  [/^README/, 3.5],
  [/^docs\/(zh\/)?howto\//, 4],
  [/^docs\/(zh\/)?(games|glossary|index|gallery|octal-codes|laws-table)$/, 0],
  [/^docs\//, 3],
  [/^api\/(labs|play|io|rules|solution\.results)\./, -6],
  [/^api\/[a-z]+\./, 2],
  [/^(games\/|CHANGELOG|CONTRIBUTING|samples\/)/, -8],
];
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const asked = plain(new URLSearchParams(location.search).get("q") ?? "").split(/\s+/);

var Scorer = {
  score: ([page, title, , , score]) => {
    const [, rank] = RANKS.find(([pattern]) => pattern.test(page)) ?? [null, 0];
    const named = asked.every((word) => plain(title).includes(word));
    return score + rank + (named ? 4 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
