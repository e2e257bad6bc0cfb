"""How Sphinx builds these pages: MyST Markdown, the Furo theme, nothing from the network."""

from battletape._version import VERSION

project = "Battletape"
author = "The Battletape authors"
project_copyright = author
version = release = VERSION

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "description"

html_theme = "furo"
html_title = f"Battletape {VERSION}"
