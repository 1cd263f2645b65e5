"""Configuration of the site, for Sphinx: MyST reads the pages, Breathe the API reference out of Doxygen's XML.

make_site.py sets the three variables of the environment that are read here.
"""
import os

project = "graze"
release = version = os.environ["GRAZE_VERSION"]
author = "the graze authors"
copyright = "the graze authors"

extensions = ["myst_parser", "breathe"]
root_doc = "index"
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["site", "notebooks", "man", "schema"]

myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]

breathe_projects = {"graze": os.environ["GRAZE_DOXYGEN_XML"]}
breathe_default_project = "graze"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
c_id_attributes = ["GRAZE_API"]

# Blocks without a language are terminal sessions, grammars or printed tables.
highlight_language = "none"
pygments_style = "tango"
pygments_dark_style = "native"

html_theme = "furo"
html_title = f"graze {release}"
html_static_path = ["static"]
html_css_files = ["graze.css"]
html_js_files = ["graze.js"]
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}

# A page that names a C identifier in prose does not have to link it.
nitpicky = False
suppress_warnings = ["myst.header"]
