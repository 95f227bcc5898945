"""Sphinx's settings for the website; ``python docs/make_site.py`` runs Sphinx."""

import re
from gettext import translation
from itertools import pairwise
from pathlib import Path
from unicodedata import combining, normalize

import pydata_sphinx_theme
import sphinx
from sphinx import search
from sphinx.application import Sphinx

import graphgame

project = "graphgame"
author = "the graphgame developers"
copyright = f"2026, {author}"
version = release = graphgame.__version__

extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_nb", "sphinx_design"]
root_doc = "index"
exclude_patterns = ["LICENSE"]
suppress_warnings = ["myst.xref_ambiguous"]

autodoc_typehints = "none"
autodoc_member_order = "groupwise"
autodoc_default_options = {"members": True, "show-inheritance": True}
numpydoc_show_class_members = False
default_role = "literal"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "off"

templates_path = ["site/templates"]
html_theme = "pydata_sphinx_theme"
html_title = "graphgame"
html_static_path = ["site/site.css", "site/site.js"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_context = {"default_mode": "auto"}
html_sidebars = {page: [] for page in ("index", "index.zh", "README", "README.zh", "search")}
html_search_language = "en+zh"
html_search_scorer = str(Path(__file__).with_name("site") / "search.js")
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_center": ["sections"],
    "navbar_persistent": ["search-button-field", "language"],
    "search_bar_text": "Search 搜索",
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}

SECTIONS = {
    False: {"README": "Start", "docs/index": "Documentation", "games/index": "Games", "api/index": "Reference"},
    True: {"README.zh": "开始", "docs/zh/index": "文档", "games/zh/index": "游戏", "api/index": "参考（英文）"},
}
WORDS = translation("sphinx", Path(sphinx.__file__).with_name("locale"), ["zh_CN"])
WORDS.add_fallback(translation("sphinx", Path(pydata_sphinx_theme.__file__).with_name("locale"), ["zh"]))
THEME_WORDS = {
    "Collapse Sidebar": "收起侧栏",
    "Expand Sidebar": "展开侧栏",
    "Color mode": "配色",
    "System Settings": "跟随系统",
    "Breadcrumb": "所在位置",
}


class Search(search.SearchEnglish):
    """Search in English and Chinese: the index has English words, and single Chinese characters and pairs of them."""

    lang = "en+zh"
    js_splitter_code = r"""
        var splitQuery = (query) =>
          (query.match(/[\u3400-\u9fff]+|(?:(?![\u3400-\u9fff])[\p{L}\p{N}_])+/gu) || []).flatMap((word) =>
            /[\u3400-\u9fff]{2}/u.test(word) ? Array.from(word.slice(1), (next, index) => word[index] + next) : [word]);
    """
    _word_re = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")

    def split(self, text: str) -> list[str]:
        """Return the words of a text for the index."""
        words = self._word_re.findall(text)
        chinese = [word for word in words if "\u3400" <= word[0] <= "\u9fff"]
        latin = [word for word in words if word not in chinese]
        latin += [plain for word in latin if (plain := without_accents(word)) != word]
        return [*latin, *"".join(chinese), *(first + second for word in chinese for first, second in pairwise(word))]


def without_accents(word: str) -> str:
    """Return a word without accents, as people may type it: misere for misère."""
    return "".join(letter for letter in normalize("NFD", word) if not combining(letter))


def is_chinese(page: str) -> bool:
    """Return True if a page is in Chinese."""
    return page.endswith(".zh") or "/zh/" in page


def twin_of(page: str) -> str:
    """Return the name of the page in the other language, whether or not it exists."""
    if is_chinese(page):
        return page.removesuffix(".zh").replace("/zh/", "/", 1)
    return page.replace("/", "/zh/", 1) if "/" in page else f"{page}.zh"


def in_its_language(app: Sphinx, page: str, _template: str, context: dict[str, object], _doctree: object) -> None:
    """Add to a page the menu and the words of its language, and a link to the other language."""
    chinese = is_chinese(page)
    home = "index.zh" if chinese else "index"
    twin = twin_of(page)
    context |= {
        "chinese": chinese,
        "root_doc": home,
        "sections": SECTIONS[chinese],
        "section": next((name for name in SECTIONS[chinese] if page.startswith(name.removesuffix("index"))), ""),
        "twin": twin if twin in app.env.found_docs else twin_of(home),
    }
    if chinese:
        context |= {"language": "zh-Hans", "gettext": lambda text: THEME_WORDS.get(text) or WORDS.gettext(text)}


def setup(app: Sphinx) -> None:
    """Register the search and the page hook with Sphinx."""
    search.languages[Search.lang] = Search
    app.connect("html-page-context", in_its_language)
