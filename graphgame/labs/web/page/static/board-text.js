// The words of the board, in each language.
"use strict";

(() => {
  const en = {
    space: " ", // between sentences
    boardName: "The board: arrow keys go from cell to cell, Enter touches one, Escape lets go.",
    views: { board: "Board", graph: "Graph" },
    endings: {
      normal: "Whoever makes the last move wins.",
      misere: "Misère play: whoever makes the last move loses.",
      decided: "A move may win or lose at once, as the rules say.",
      stalled: "Where nobody can move any more, whoever is to move loses.",
    },
    tooMany: "This game is too large for moves on the board: choose one from the list.",
    cellAt: (row, column) => `row ${row}, column ${column}`,
    movesHere: (n) => (n === 1 ? "a move" : `${n} moves`),
    whichMove: "Which move?",
    narrow: (n) => `and ${n} more: touch another cell`,
    cut: "cut to",
    kinds: {
      arc: "arc",
      blank: "nothing",
      coin: "piece",
      colour: "coloured vertex",
      cross: "cross",
      edge: "edge",
      heads: "heads",
      note: "sign",
      paper: "paper",
      piece: "piece",
      pin: "pin",
      poison: "poisoned square",
      square: "square",
      sweet: "chocolate",
      tails: "tails",
      taken: "taken",
      token: "token",
      vertex: "vertex",
    },
  };

  const zh = {
    space: "",
    boardName: "棋盘：方向键在格子间移动，回车触碰，Esc 取消。",
    views: { board: "棋盘", graph: "局面图" },
    endings: {
      normal: "走最后一步者胜。",
      misere: "反常规则：走最后一步者负。",
      decided: "按规则，一步棋可能立即取胜或落败。",
      stalled: "双方都无步可走时，轮到走的一方负。",
    },
    tooMany: "此游戏过大，无法在棋盘上走：请从列表中选择走法。",
    cellAt: (row, column) => `第 ${row} 行第 ${column} 列`,
    movesHere: (n) => `${n} 种走法`,
    whichMove: "走哪一步？",
    narrow: (n) => `还有 ${n} 种：再点一格`,
    cut: "切成",
    kinds: {
      arc: "有向边",
      blank: "空",
      coin: "棋子",
      colour: "已着色的顶点",
      cross: "叉",
      edge: "边",
      heads: "正面",
      note: "记号",
      paper: "纸",
      piece: "棋子",
      pin: "木瓶",
      poison: "有毒的格子",
      square: "格子",
      sweet: "巧克力",
      tails: "反面",
      taken: "已占",
      token: "棋子",
      vertex: "顶点",
    },
  };

  Object.assign(Text.tables.en, en);
  Object.assign(Text.tables.zh, zh);
})();
