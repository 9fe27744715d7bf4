"""The site of ./dev docs: the repository's Markdown pages as they lie, with a menu and a search.

Sphinx reads them through MyST, whose Markdown is a git host's: CommonMark, tables, and the same
names for headings. A link that leads nowhere is a warning, and the script makes warnings errors.
"""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def pages():
    """The Markdown files that git tracks or would track; without git those that are not built."""
    try:
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "-co", "--exclude-standard",
                                 "*.md"], check=True, capture_output=True, text=True).stdout
        names = [name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*.md")]
        names = [name for name in names if not name.startswith("build")]
    return sorted({name for name in names if (ROOT / name).is_file()})


def rules():
    """In the order of the catalogue."""
    table = (ROOT / "rules" / "README.md").read_text()
    return re.findall(r"^\| \[[a-z-]+\]\((docs/[a-z-]+)\.md\)", table, flags=re.M)


# A page for each kind of reader: first in the menu, and at the top of the first page.
GUIDES = ["In CI <analyzer/GUIDE>", "CUDA programs <cupti_tracer/GUIDE>",
          "PyTorch <cupti_tracer/python/GUIDE>", "tensorlib <tensorlib/GUIDE>",
          "Contribute <CONTRIBUTING>"]
# The menu: what stands below a page.
MENU = {
    "README": ["Rules <rules/README>", "xferlint <analyzer/README>",
               "xfertrace <cupti_tracer/README>", "Emulated devices <runtime/README>",
               "tensorlib library <tensorlib/README>", "Tests <tests/README>",
               "Changes <CHANGELOG>", "Security <SECURITY>"],
    "analyzer/README": ["In builds and CI <CI>"],
    "cupti_tracer/README": ["For Python <python/README>", "Other profilers <PROFILES>"],
    "tensorlib/README": ["CONTENTS", "API reference <doc/README>"],
    "rules/README": [*rules(), "The pages <docs/README>", "Model files <models/SCHEMA>"],
    "tests/README": ["Measurements <bench/RESULTS>", "Precision and recall <corpus/RESULTS>",
                     "On a GPU <gpu/RESULTS>",
                     "Recorded traces <replay/README>"],
}

project = "xfercheck"
root_doc = "README"
include_patterns = pages()
exclude_patterns = ["build*", ".git", ".docs", "tests/e2e", "tests/cases"]
extensions = ["myst_parser"]
myst_heading_anchors = 6
highlight_language = "text"
html_theme = "furo"
html_title = "xfercheck"
html_show_sourcelink = False
html_show_copyright = False
html_copy_source = False
html_static_path = ["site.css"]
html_css_files = ["site.css"]
pygments_style = "default"
pygments_dark_style = "monokai"


def menu(caption, pages):
    title = f":caption: {caption}\n" if caption else ""
    return f"\n```{{toctree}}\n:hidden:\n{title}" + "\n".join(pages) + "\n```\n"


def add_menu(app, page, source):
    """A git host has no menus, so the pages themselves do not hold them."""
    if page == root_doc:
        links = " · ".join(re.sub(r"(.*) <(.*)>", r"[\1](\2.md)", guide) for guide in GUIDES)
        source[0] = source[0].replace("\n", f"\n\n**Guides:** {links}\n", 1)
        source[0] += menu("Guides", GUIDES)
    if page in MENU:
        source[0] += menu("Reference" if page == root_doc else "", MENU[page])
    if page == "tensorlib/doc/README" and app.config.xfer_reference:
        source[0] += '\n<a href="../reference/index.html">Open the API reference</a>\n'


def add_index(app, error):
    """index.html, which a browser and a web server look for."""
    if not error:
        (pathlib.Path(app.outdir) / "index.html").write_text(
            '<!doctype html><meta charset="utf-8"><title>xfercheck</title>'
            '<meta http-equiv="refresh" content="0; url=README.html">'
            '<a href="README.html">xfercheck</a>\n')


def setup(app):
    app.add_config_value("xfer_reference", False, "env")
    app.connect("source-read", add_menu)
    app.connect("build-finished", add_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
