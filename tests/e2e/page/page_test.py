"""The HTML page in a real browser: it opens without an error or a request, the keyboard is enough,
hostile texts stay texts, and it fits narrow and dark screens.

usage: page_test.py XFERCHECK_REPORT [XFERTRACE]    (XFERTRACE makes the page of a comparison; with
XFER_SCREENSHOTS=FOLDER it leaves pictures of the pages there)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import browser
import sample_reports

FOCUSED = "document.activeElement"
# None of these is in the page unless a text made it.
MADE_BY_TEXTS = "document.querySelectorAll('img, .finding svg, .finding script').length"
# The foreground's contrast on what lies behind it, of every text that is shown; WCAG asks for 4.5.
LOW_CONTRAST = """(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => c.slice(0, 3).map((v) => v / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const low = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !e.checkVisibility()) continue;
    if (e.matches("script, title")) continue;
    const style = getComputedStyle(e);
    const text = light(rgb(e.ownerSVGElement ? style.fill : style.color));
    const behind = light(ground(e));
    const contrast = (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
    if (contrast < 4.5) low.push(`${walk.currentNode.data.trim()}: ${contrast.toFixed(2)}`);
  }
  return low;
})()"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder_object = tempfile.TemporaryDirectory(prefix="xfer_page_")
        cls.folder = pathlib.Path(cls.folder_object.name)
        (cls.folder / "train.cu").write_text(sample_reports.SOURCE)
        (cls.folder / "hostile.cu").write_text(sample_reports.HOSTILE.replace("\u0007", "") + "\n")
        for name in ("ordinary", "hostile", "crashed", "many"):
            findings = cls.folder / f"{name}.json"
            findings.write_text(json.dumps(getattr(sample_reports, name)()))
            subprocess.run([REPORT_TOOL, "--format", "html", "--root", cls.folder,
                            "-o", cls.folder / f"{name}.html", findings], check=True)
        if XFERTRACE:
            found = subprocess.run([XFERTRACE, "diff", cls.folder / "ordinary.json",
                                    cls.folder / "hostile.json", "--format", "html",
                                    "-o", cls.folder / "comparison.html"], check=False)
            assert found.returncode == 1, "a new finding"
        cls.browser = browser.Browser(browser.find())

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder_object.cleanup()

    def setUp(self):
        self.browser.problems.clear()
        self.browser.requests.clear()
        self.browser.color_scheme("light")
        self.browser.resize(1280)

    def tearDown(self):
        if folder := os.environ.get("XFER_SCREENSHOTS"):
            self.browser.screenshot(
                pathlib.Path(folder) / f"{self.id().split('.')[-1]}.png", whole=True)
        self.assertEqual([], self.browser.problems)
        self.assertEqual([], self.browser.requests, "the page asks for something")

    def open(self, name):
        # A page of its own each time, even where only the part after '#' differs.
        self.browser.open("/dev/null")
        self.browser.open(self.folder / f"{name}.html")

    def value(self, expression):
        return self.browser.value(expression)

    def press(self, *keys, **how):
        for key in keys:
            self.browser.press(key, **how)

    def tab_to(self, selector, most=60):
        for _ in range(most):
            self.press("Tab")
            if self.value(f"{FOCUSED}.matches({json.dumps(selector)})"):
                return
        self.fail(f"Tab does not reach {selector}")

    def test_shows_the_run_and_the_findings(self):
        self.open("ordinary")
        self.assertEqual(3, self.value("document.querySelectorAll('.finding').length"))
        self.assertEqual(3, self.value("document.querySelectorAll('a.mark').length"))
        for selector in (".finding .source", ".scroll svg", ".steps svg", ".tiles", "#controls",
                         "#theme"):
            box = f"document.querySelector('{selector}').getBoundingClientRect()"
            self.assertGreater(self.value(f"{box}.width * {box}.height"), 100, selector)

    def test_all_that_reacts_is_reached_by_tab_and_seen_there(self):
        self.open("ordinary")
        count = self.value(
            "[...document.querySelectorAll('a, button, input, select, summary, [tabindex]')]"
            ".filter((e) => e.checkVisibility()).length")
        seen = set()
        for _ in range(count):
            self.press("Tab")
            seen.add(self.value(f"[...document.querySelectorAll('*')].indexOf({FOCUSED})"))
            what = self.value(f"{FOCUSED}.outerHTML.slice(0, 80)")
            self.assertNotEqual("none", self.value(f"getComputedStyle({FOCUSED}).outlineStyle"),
                                what)
            box = f"{FOCUSED}.getBoundingClientRect()"
            self.assertGreater(self.value(f"{box}.width * {box}.height"), 50, what)
        self.assertEqual(count, len(seen))

    def test_the_first_tab_skips_to_the_findings(self):
        self.open("ordinary")
        self.press("Tab", "Enter", "Tab")
        self.assertTrue(self.value(f"{FOCUSED}.matches('#f1 summary')"),
                        self.value(f"{FOCUSED}.outerHTML"))

    def test_enter_and_space_close_and_open_a_finding(self):
        self.open("ordinary")
        self.tab_to("#f1 > details > summary")
        for key, is_open in (("Enter", False), (" ", True)):
            self.press(key)
            self.assertEqual(is_open, self.value("document.querySelector('#f1 details').open"))
        self.tab_to("#f1 .stack summary")
        self.press("Enter")
        self.assertTrue(self.value("document.querySelector('#f1 .stack ol').checkVisibility()"))

    def test_a_mark_of_the_timeline_leads_to_its_finding(self):
        self.open("ordinary")
        self.tab_to("a.mark[href='#f2']")
        self.press("Enter", "Tab")
        self.assertTrue(self.value(f"document.getElementById('f2').contains({FOCUSED})"))

    def test_a_mark_leads_to_its_finding_even_where_the_filter_hides_it(self):
        self.open("ordinary")
        self.press("/", "x", "y", "z", "Escape")
        self.assertFalse(self.value("document.getElementById('f2').checkVisibility()"))
        self.value("document.querySelector(\"a.mark[href='#f2']\").focus()")
        self.press("Enter")
        self.assertTrue(self.value("document.getElementById('f2').checkVisibility()"))
        self.assertEqual(0, self.value("[...document.querySelectorAll('.finding')]"
                                       ".filter((e) => e.hidden).length"))

    def test_j_and_k_go_from_finding_to_finding(self):
        self.open("ordinary")
        self.press("j", "j", "j", "j", "k")
        self.assertTrue(self.value(f"{FOCUSED}.matches('#f2 summary')"))

    def test_the_filter(self):
        self.open("ordinary")
        self.press("/")
        self.press(*"same j")  # a 'j' there is a letter
        self.assertEqual("same j", self.value(f"{FOCUSED}.value"))
        self.assertEqual("0 of 3 findings shown",
                         self.value("document.getElementById('shown').textContent"))
        self.assertTrue(self.value("document.getElementById('nothing').checkVisibility()"))
        self.value("document.getElementById('query').value = ''")
        self.press(*"same")
        self.assertEqual(["f2"], self.value("[...document.querySelectorAll('.finding')]"
                                            ".filter((e) => e.checkVisibility()).map((e) => e.id)"))
        self.press("Escape", "j")
        self.assertTrue(self.value(f"{FOCUSED}.matches('#f2 summary')"))

    def test_hostile_texts_stay_texts(self):
        self.open("hostile")
        self.assertEqual(0, self.value(MADE_BY_TEXTS))
        self.assertEqual(0, self.value(
            "[...document.querySelectorAll('*')].filter((e) => [...e.attributes].some("
            "(a) => /^on/.test(a.name) || /^javascript:/i.test(a.value))).length"))
        self.assertEqual(2, self.value("document.scripts.length"))
        data = json.loads(self.value("document.getElementById('data').textContent"))
        self.assertEqual(sample_reports.HOSTILE, data["findings"][0]["message"])
        # A lane's name stays left of what the lane did.
        self.assertLess(
            self.value("document.querySelector('.lane').getBoundingClientRect().right"),
            self.value("document.querySelector('svg rect').getBoundingClientRect().left"))
        self.assertIn("onerror=alert(2)",
                      self.value("document.querySelector('.message').textContent"))
        self.press("/", *"onerror", "Escape", "j", "Enter")  # the script meets them too

    @unittest.skipUnless(len(sys.argv) > 2, "no xfertrace here")
    def test_a_comparison(self):
        for width, scheme in ((1280, "light"), (360, "dark")):
            self.browser.resize(width)
            self.browser.color_scheme(scheme)
            self.open("comparison")
            self.assertEqual(4, self.value("document.querySelectorAll('.finding').length"))
            self.assertEqual(2, self.value("document.querySelectorAll('.run .scroll svg').length"))
            self.assertEqual(["new", "gone"], self.value(
                "[...document.querySelectorAll('.group')]"
                ".map((e) => e.textContent.trim().split(' ')[0].toLowerCase())"))
            self.assertEqual(0, self.value(MADE_BY_TEXTS))
            self.assertLessEqual(self.value("document.scrollingElement.scrollWidth"), width)
            self.assertEqual([], self.value(LOW_CONTRAST))
            self.press("j", "j", "k")
            self.assertTrue(self.value(f"{FOCUSED}.matches('#f1 summary')"))

    def test_a_script_that_got_in_would_not_run(self):
        page = (self.folder / "ordinary.html").read_text()
        (self.folder / "got_in.html").write_text(
            page.replace("<main>", "<main><script>window.got_in = 1</script>"
                                   "<img src=x onerror='got_in = 2'>"))
        self.open("got_in")
        self.assertEqual("undefined", self.value("typeof window.got_in"))
        # Script, image, handler: refused.
        self.assertEqual(3, len(self.browser.problems), self.browser.problems)
        self.browser.problems.clear()
        self.browser.requests.clear()

    def group_by(self, name):
        self.press("g")  # the keyboard is enough
        self.assertTrue(self.value(f"{FOCUSED}.matches('#grouping')"))
        self.press(name[0])
        chosen = "document.getElementById('grouping').selectedOptions[0].textContent"
        self.assertEqual(name, self.value(chosen))
        self.press("Escape")

    def groups(self):
        return self.value("[...document.querySelectorAll('.group:not([hidden]) h2')]"
                          ".map((e) => e.textContent)")

    def test_a_crash_is_said_before_the_findings(self):
        self.open("crashed")
        text = self.value("document.querySelector('main').innerText")
        told = text.index("the program was killed by SIGSEGV (signal 11) after 12 CUDA calls")
        self.assertLess(told, text.index("Nothing found, but not everything was examined"))
        self.assertNotIn("No findings.", text)
        self.assertIn("2 emulated devices; times are modelled", text)
        self.assertEqual([], self.value(LOW_CONTRAST))

    def test_the_worst_and_costliest_come_first(self):
        self.open("many")
        messages = self.value(
            "[...document.querySelectorAll('.finding')].map((e) => [e.dataset.severity, "
            "Number(e.querySelector('.message').textContent.match(/finding (\\d+)/)[1])])")
        order = {"error": 0, "warning": 1, "advice": 2}
        self.assertEqual(messages, sorted(messages, key=lambda m: (order[m[0]], -m[1])))

    def test_groups_by_rule_and_by_file(self):
        self.open("ordinary")
        self.group_by("rule")
        self.assertEqual(["read-before-sync 1", "repeated-transfer 1", "pageable-async 1"],
                         self.groups())
        self.press("j", "j")
        self.assertTrue(self.value(f"{FOCUSED}.matches('#f2 summary')"))
        self.group_by("file")
        self.assertEqual(["train.cu 3"], self.groups())
        self.press("/", *"same")
        self.assertEqual(["train.cu 1"], self.groups(), "what the filter leaves")
        self.press("Escape")
        self.group_by("nothing")
        self.assertEqual([], self.groups())
        self.assertEqual(3, self.value("document.querySelectorAll('#findings > .finding').length"))

    def test_a_group_is_closed_and_opened_by_the_keyboard(self):
        self.open("ordinary")
        self.group_by("rule")
        self.tab_to(".group summary")
        for key, is_open in (("Enter", False), (" ", True)):
            self.press(key)
            self.assertEqual(is_open, self.value("document.querySelector('.group > details').open"))
        self.assertEqual([], self.value(LOW_CONTRAST))

    def test_a_rules_name_opens_its_page(self):
        self.open("ordinary")
        page = "document.getElementById('rule-repeated-transfer')"
        self.assertFalse(self.value(f"{page}.checkVisibility()"))
        self.tab_to("#f2 a.slug")
        self.press("Enter")
        self.browser.wait_for(f"{page}.checkVisibility()")
        self.assertTrue(self.value(f"{page}.getBoundingClientRect().top < innerHeight"))
        text = self.value(f"{page}.innerText")
        self.assertIn("A value is copied to a device that already holds an unmodified copy", text)
        self.assertIn("When it stays silent", text)
        self.assertNotIn("`", text)
        self.assertEqual(3, self.value("document.querySelectorAll('.rule').length"),
                         "the page's own rules alone")
        self.assertEqual([], self.value(LOW_CONTRAST))

    def test_excerpts_are_there_without_a_root(self):
        findings = sample_reports.ordinary()
        findings["runs"] = [sample_reports.run(project=str(self.folder))]
        (self.folder / "elsewhere").mkdir(exist_ok=True)
        (self.folder / "elsewhere" / "in.json").write_text(json.dumps(findings))
        for moved in (False, True):
            if moved:  # and what the debug information says is the place where it was built
                for one in findings["findings"]:
                    one["location"]["file"] = f"/no/such/build/{self.folder.name}/train.cu"
                findings["runs"][0]["project"] = str(self.folder.parent)
                (self.folder / "elsewhere" / "in.json").write_text(json.dumps(findings))
            subprocess.run([REPORT_TOOL, "--format", "html", "-o", self.folder / "no_root.html",
                            "in.json"], check=True, cwd=self.folder / "elsewhere")
            self.open("no_root")
            self.assertIn("cudaMemcpy(device, weights",
                          self.value("document.querySelector('#f2 .hit').textContent"))

    def test_long_names_are_short_and_whole_in_the_tooltip(self):
        self.open("many")
        for selector in (".finding .message .long", ".finding .in .long", ".finding .stack .long",
                         ".kernels .long"):
            element = f"document.querySelector({json.dumps(selector)})"
            shown = self.value(f"{element}.textContent")
            whole = self.value(f"{element}.title")
            self.assertEqual(sample_reports.LONG_NAME, whole)
            self.assertLess(len(shown), 90)
            self.assertTrue(shown.startswith("void at::native::vectorized_elementwise_kernel<"),
                            shown)

    def test_five_hundred_findings_stay_usable(self):
        self.open("many")
        self.assertEqual(500, self.value("document.querySelectorAll('.finding').length"))
        self.assertEqual("auto", self.value(
            "getComputedStyle(document.querySelector('.finding')).contentVisibility"))
        opened = "document.querySelectorAll('.finding > details[open]').length"
        self.assertEqual(0, self.value(opened))
        self.assertLess((self.folder / "many.html").stat().st_size, 4 << 20)
        self.press("/", *"finding 499", "Escape", "j", "Enter")
        self.assertTrue(self.value("document.querySelector('#f1 .cost').checkVisibility()"))
        self.press("/")
        self.value("document.getElementById('query').value = ''")
        self.press("Escape")
        self.group_by("file")
        groups = self.groups()
        self.assertEqual(20, len(groups))
        self.assertTrue(all(group.endswith(" 25") for group in groups), groups)
        self.assertEqual(0, self.value(
            "document.querySelectorAll('.group > details[open]').length"))
        self.press("j")
        self.assertTrue(self.value(f"{FOCUSED}.closest('.group > details').open"))

    def test_fits_a_narrow_screen(self):
        for name in ("ordinary", "hostile", "crashed", "many"):
            self.browser.resize(360)
            self.open(name)
            self.assertLessEqual(self.value("document.scrollingElement.scrollWidth"), 360)

    def test_texts_are_legible_in_both_themes(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                self.browser.color_scheme(scheme)
                self.open("ordinary")
                self.assertEqual([], self.value(LOW_CONTRAST))

    def test_the_theme_is_changed_by_its_button(self):
        self.open("ordinary")
        before = self.value("getComputedStyle(document.body).backgroundColor")
        self.tab_to("#theme")
        self.press("Enter")
        self.assertNotEqual(before, self.value("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual("Light theme", self.value("document.getElementById('theme').textContent"))


if __name__ == "__main__":
    if browser.find() is None:
        print("page_test: skipped, no Chromium is here (Debian's package chromium; XFER_CHROMIUM "
              "names another)")
        sys.exit(77)
    XFERTRACE = sys.argv[2] if len(sys.argv) > 2 else None
    REPORT_TOOL = os.path.abspath(sys.argv[1])
    del sys.argv[1:3]
    unittest.main()
