// The words of the site around the pages, in each language.
"use strict";

const SiteText = {
  en: {
    site: "This site",
    games: "All games",
    position: "A position, such as nim(3,4,5) or kayles(7) + chomp(2x3), or a table: wythoff(0..9,0..9)",
    open: "Open",
    sizes: "Sizes",
    size: (n) => `Size ${n}`,
    catalogue: "Games",
    found: (n, all) => (n === all ? `${all} games` : `${n} of ${all} games`),
    own: "Named on the command line",
    drop: "Open a graph file",
    dropHelp: "or drop it here: token files, edge lists, CSV, GraphML, GEXF, DOT, JSON, Parquet, NumPy, ...; it stays on this computer",
    example: "Open the example",
    away: "The site does not answer: is graphgame serve still running?",
    help: "Type a position, pick a game, or drop a graph file. Signs between positions: + is the sum, & | : are other ways to play several games at once.",
  },
  zh: {
    site: "本站",
    games: "全部游戏",
    position: "一个局面，例如 nim(3,4,5) 或 kayles(7) + chomp(2x3)，或一张表：wythoff(0..9,0..9)",
    open: "打开",
    sizes: "大小",
    size: (n) => `大小 ${n}`,
    catalogue: "游戏",
    found: (n, all) => (n === all ? `${all} 个游戏` : `${all} 个游戏中的 ${n} 个`),
    own: "命令行上给出的",
    drop: "打开图文件",
    dropHelp: "或拖放到这里：筹码文件、边列表、CSV、GraphML、GEXF、DOT、JSON、Parquet、NumPy 等；文件不离开这台电脑",
    example: "打开示例",
    away: "本站没有应答：graphgame serve 还在运行吗？",
    help: "键入局面、选一个游戏，或拖入图文件。局面之间的符号：+ 是和，& | : 是同时玩几个游戏的其他方式。",
  },
};
