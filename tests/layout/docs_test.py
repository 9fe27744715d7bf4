"""The Markdown pages: links lead somewhere, the README is short, every page is linked, and pages
that a command writes are fresh."""

import functools
import pathlib
import re
import runpy
import subprocess
import sys
import unittest

import repository

MOST_BYTES = 120 << 10  # of a picture
LONGEST_LINE = 100
LONGEST_GUIDE = 190  # lines
MOST_WORDS = 700  # of README.md, code and tables included
FENCE = re.compile(r"^ *(```+|~~~+).*?^ *\1", re.M | re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(<?([^)>\s]*)>?\)")
PAGES = [path for path in repository.files() if path.suffix == ".md"]


@functools.cache
def prose_of(page):
    """The page without its code: nothing in that is a link or a heading."""
    return re.sub(r"`[^`\n]*`", "``", FENCE.sub("", repository.text_of(page)))


@functools.cache
def anchors_of(page):
    """The names that a git host gives to the page's headings."""
    names, seen = set(), {}
    for heading in re.findall(r"^#+ +(.*)$", FENCE.sub("", repository.text_of(page)), flags=re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def links_of(page):
    """(target as written, path of the file that it names, anchor) of each relative link."""
    for target in LINK.findall(prose_of(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (repository.ROOT / page.parent / path).resolve() if path else repository.ROOT / page
        yield target, file, anchor


@functools.cache
def site(name):
    """A value of the site's settings; Sphinx itself is not needed for it."""
    return runpy.run_path(str(repository.ROOT / ".docs" / "conf.py"))[name]


class Links(unittest.TestCase):
    def test_files_are_there(self):
        """A link names a file: a folder would open on a git host and nowhere else."""
        tracked = {repository.ROOT / path for path in repository.files()}
        wrong = [f"{page}: {target}" for page in PAGES for target, file, _ in links_of(page)
                 if file not in tracked]
        self.assertEqual([], wrong)

    def test_anchors_are_there(self):
        wrong = []
        for page in PAGES:
            for target, file, anchor in links_of(page):
                if anchor and file.suffix == ".md" and file.is_file():
                    if anchor not in anchors_of(file.relative_to(repository.ROOT)):
                        wrong.append(f"{page}: {target}")
        self.assertEqual([], wrong)

    def test_each_page_is_linked(self):
        """From another page: what nothing links is read by nobody."""
        linked = {file for page in PAGES for _, file, _ in links_of(page)
                  if file != repository.ROOT / page}
        wrong = [str(page) for page in PAGES
                 if repository.ROOT / page not in linked and str(page) != "README.md"]
        self.assertEqual([], wrong)


class Readme(unittest.TestCase):
    def test_is_short(self):
        words = len(repository.text_of("README.md").split())
        self.assertLessEqual(words, MOST_WORDS)

    def test_says_where_it_was_run(self):
        """CI has no GPU; what one said stands on a page."""
        self.assertIn("(tests/gpu/RESULTS.md)", repository.text_of("README.md"))

    def test_names_the_two_commands(self):
        for command in ("./dev demo", "./dev test"):
            self.assertIn(command, repository.text_of("README.md"))

    def test_pictures_are_small(self):
        wrong = [str(path) for path in repository.files() if path.suffix == ".png"
                 and (repository.ROOT / path).stat().st_size > MOST_BYTES]
        self.assertEqual([], wrong)


class Guides(unittest.TestCase):
    """A page for each kind of reader; tests/install/check_guide.py follows them."""
    guides = [path for path in PAGES if path.name in ("GUIDE.md", "CONTRIBUTING.md")]

    def test_each_kind_of_reader_has_one(self):
        folders = {path.parent.as_posix() for path in self.guides}
        self.assertEqual({".", "analyzer", "cupti_tracer", "cupti_tracer/python", "tensorlib"},
                         folders)

    def test_are_linked_from_the_readme(self):
        linked = {file for _, file, _ in links_of(pathlib.Path("README.md"))}
        self.assertEqual([], [str(path) for path in self.guides
                              if repository.ROOT / path not in linked])

    def test_are_first_in_the_menu(self):
        first = [re.sub(r"^.*<(.*)>$", r"\1.md", entry) for entry in site("GUIDES")]
        self.assertEqual(sorted(map(str, self.guides)), sorted(first))

    def test_are_short(self):
        wrong = [f"{path}: {len(repository.text_of(path).splitlines())} lines"
                 for path in self.guides
                 if len(repository.text_of(path).splitlines()) > LONGEST_GUIDE]
        self.assertEqual([], wrong)

    def test_show_what_is_run(self):
        """Shown output without a command before it would be nobody's."""
        wrong = [str(path) for path in self.guides if path.name == "GUIDE.md" and
                 not 3 <= repository.text_of(path).count("<!-- printed -->") <=
                 repository.text_of(path).count("<!-- run")]
        self.assertEqual([], wrong)


class Markdown(unittest.TestCase):
    """Rules of the site's Markdown reader that a git host's does not have."""

    def test_lists_follow_an_empty_line(self):
        wrong = []
        for page in PAGES:
            lines = FENCE.sub(lambda found: "\n" * found[0].count("\n"),
                              repository.text_of(page)).split("\n")
            for number, (before, line) in enumerate(zip(lines, lines[1:]), 2):
                begins = re.match(r"([-*]|\d+\.) ", line)
                in_list = re.match(r"([-*]|\d+\.) | {2,}|$", before)
                if begins and not in_list:
                    wrong.append(f"{page}:{number}: {line[:60]}")
        self.assertEqual([], wrong)


class Site(unittest.TestCase):
    """The site that ./dev docs makes of the pages."""

    def test_the_menu_has_each_page(self):
        entries = {"README.md"}
        for page, children in [("README.md", site("GUIDES")), *site("MENU").items()]:
            for child in children:
                target = re.sub(r"^.*<(.*)>$", r"\1", child)
                entries.add((pathlib.PurePosixPath(page).parent / target).as_posix() + ".md")
        self.assertEqual({path.as_posix() for path in PAGES}, entries)


class Lines(unittest.TestCase):
    """Prose is wrapped like code. Tables, headings, code and where links lead may be longer."""

    def test_length(self):
        wrong = []
        for page in PAGES:
            lines = FENCE.sub(lambda found: "\n" * found[0].count("\n"),
                              repository.text_of(page)).split("\n")
            for number, line in enumerate(lines, 1):
                prose = re.sub(r"https?://\S+", "", re.sub(r"\]\([^)]*\)", "]", line))
                if not re.match(r" *[|#<]", line) and len(prose) > LONGEST_LINE:
                    wrong.append(f"{page}:{number}: {len(prose)} columns")
        self.assertEqual([], wrong)


class WrittenByScripts(unittest.TestCase):
    def test_are_fresh(self):
        for script in ("tests/bench/results.py", "tests/corpus/results.py",
                       "tensorlib/doc/contents.py"):
            with self.subTest(script):
                done = subprocess.run([sys.executable, "-B", repository.ROOT / script, "--check"],
                                      capture_output=True, text=True)
                self.assertEqual(0, done.returncode, done.stderr)


if __name__ == "__main__":
    unittest.main()
