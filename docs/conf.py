"""How Sphinx builds these pages: MyST Markdown, the Furo theme, nothing from the network."""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

from battletape._version import VERSION

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from docs.generate import write_pages  # noqa: E402  (it stands beside this file)

project = "Battletape"
author = "The Battletape authors"
project_copyright = author
version = release = VERSION

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

myst_enable_extensions = ["attrs_block", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Battletape {VERSION}"
html_static_path = ["_static"]
html_css_files = ["battletape.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-background-primary": "#fffdf8",
        "color-background-secondary": "#f5f1e8",
        "color-background-border": "#ddd5c3",
        "color-code-background": "#f5f1e8",
        "color-inline-code-background": "#f5f1e8",
        "color-foreground-secondary": "#6a6558",
        "color-brand-primary": "#a63a22",
        "color-brand-content": "#1f6670",
        "color-brand-visited": "#1f6670",
    },
    "dark_css_variables": {
        "color-background-primary": "#14161a",
        "color-background-secondary": "#1c1f25",
        "color-background-border": "#34373f",
        "color-code-background": "#1c1f25",
        "color-inline-code-background": "#1c1f25",
        "color-foreground-secondary": "#a39c8c",
        "color-brand-primary": "#ec7a5f",
        "color-brand-content": "#63bcc4",
        "color-brand-visited": "#63bcc4",
    },
}


# In a clone the pages of the rulesets are not there, so links lead to the READMEs; here they lead to the pages.
READMES = re.compile(r"\]\((?P<up>(?:\.\./)*)\.\./(?:src/battletape/rulesets/(?P<name>\w+)/)?README\.md\)")


def to_pages(app: Sphinx, docname: str, source: list[str]) -> None:
    """Links to the README of a ruleset, or of the project, become links to the page of it, or to the list of them."""
    source[0] = READMES.sub(lambda link: f"]({link['up']}rulesets/{link['name'] or 'index'}.md)", source[0])


def setup(app: Sphinx) -> None:
    """Write the pages of the rulesets before any page is read."""
    app.connect("builder-inited", lambda _: write_pages(HERE / "rulesets"))
    app.connect("source-read", to_pages)
