"""How Sphinx makes the website; ``python docs/make_site.py`` runs it."""

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

html_theme = "pydata_sphinx_theme"
html_title = "graphgame"
html_static_path = ["site/site.css"]
html_css_files = ["site.css"]
html_context = {"default_mode": "auto"}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}
