"""Sphinx's settings for target/docs: `make docs`."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "packaging")]  # header.py, which the manual pages read as well

project = "gpumex"
author = "the authors of gpumex"
copyright = "the authors of gpumex, MIT or Apache-2.0"
release = re.search(r'^version = "(.+)"', (HERE.parent / "Cargo.toml").read_text(), re.M)[1]
version = ".".join(release.split(".")[:2])

extensions = ["myst_parser", "sphinx_design", "gpumex_docs", "plots"]
exclude_patterns = ["_ext", "abi", "examples"]
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline", "substitution"]
myst_substitutions = {"version": release}
myst_heading_anchors = 3
primary_domain = "c"
highlight_language = "none"
nitpicky = True
nitpick_ignore = [("c:identifier", name) for name in (
    "int32_t", "int64_t", "uint8_t", "uint32_t", "uint64_t", "size_t")]
nitpick_ignore_regex = [("c:identifier", r"operation|options")]
suppress_warnings = ["myst.header"]  # files of the repository whose headings skip a level

html_theme = "furo"
html_title = f"gpumex {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "monokai"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2a6f3b", "color-brand-content": "#1f6a8a"},
    "dark_css_variables": {"color-brand-primary": "#7fd08f", "color-brand-content": "#7cc4e4"},
}
# linkcheck is not part of the build: it needs the network. `sphinx-build -b linkcheck docs target/linkcheck` lists them.
linkcheck_anchors = False
