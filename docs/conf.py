"""How Sphinx builds these pages: MyST Markdown, the Furo theme, nothing from the network."""

import sys
from pathlib import Path

from battletape._version import VERSION

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from generate import write_pages  # noqa: E402  (it stands beside this file)

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

write_pages(HERE / "rulesets")
