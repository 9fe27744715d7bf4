"""xfercheck_lint() over a project that has what makes lint steps hard, by ninja and by make."""

import json
import os
import re
import shutil

from sample import HERE, MOCK, PieceCase, expected, found, main, run

# Targets that are made where a test asks for them.
OF_OTHERS = ("kernels.cu", "late.cc")

NVCC = os.environ.get("XFER_NVCC", "")


class CMake(PieceCase):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "project"
        shutil.copytree(HERE / "cmake", self.source)
        self.build = self.folder / "build"
        self.report = self.folder / "report.json"
        (package,) = self.prefix.rglob("XfercheckLint.cmake")
        self.package = package.parent

    def configure(self, *definitions, generator="Ninja", code=0):
        return run("cmake", "-S", self.source, "-B", self.build, "-G", generator,
                   "-DCMAKE_BUILD_TYPE=Debug", f"-DMOCK={MOCK}",
                   f"-DCMAKE_MODULE_PATH={self.package}", *definitions, code=code)

    def call(self, *arguments, of="ALL", **more):
        """`of`: all targets, or those of one folder."""
        return self.configure(f"-DLINT={of}", "-DARGUMENTS=" + ";".join(map(str, arguments)),
                              **more)

    def lint(self, code, name="xferlint", *options):
        return run("cmake", "--build", self.build, "--target", name, *options, code=code)

    def steps(self, output):
        """The sources whose facts were made."""
        return sorted(re.findall(r"Building \w+ object .*_xferlint\.dir/(?:.*/)?([\w.]+)\.o\n",
                                 output))

    def findings(self):
        return {place.replace(str(self.folder) + "/", "")
                for place in found(json.loads(self.report.read_text()))}

    def expected(self, *names):
        """A generated source is found where it was generated."""
        return {place.replace("engine/source.cc.in", self.generated())
                for place in expected(self.source, *names)}

    def generated(self):
        return "build/engine/generated/source.cc"

    def test_all_targets(self):
        self.call("JSON", self.report)
        output = self.lint(code=1)
        self.assertEqual(self.expected() - expected(self.source, *OF_OTHERS), self.findings())
        self.assertEqual(["combine.cc", "main.cc", "parts.cc", "shared.cc", "source.cc",
                          "special.cc"], self.steps(output))
        self.assertIn("app/main.cc:11:3: error: ", output)
        compiled = [*self.build.rglob("*.a"), *self.build.glob("*/CMakeFiles/app.dir/*.o")]
        self.assertEqual([], compiled)

    def test_only_what_changed_is_parsed(self):
        self.call()
        self.lint(code=1)
        self.assertEqual([], self.steps(self.lint(code=1)))
        main_file = self.source / "app" / "main.cc"
        main_file.write_text(main_file.read_text().replace("upload(at::ones(3))", "at::ones(3)"))
        output = self.lint(code=1)
        self.assertEqual(["main.cc"], self.steps(output))
        self.assertNotIn("missing-transfer", output)
        header = self.source / "engine" / "header.h.in"
        header.write_text(header.read_text() + "\n")
        self.assertEqual(["combine.cc", "parts.cc"], self.steps(self.lint(code=1)))

    def test_a_new_file_and_a_new_flag(self):
        self.call()
        self.lint(code=1)
        (self.source / "app" / "more.cc").write_text("int more;\n")
        lists = self.source / "app" / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("app main.cc", "app main.cc more.cc"))
        self.assertEqual(["more.cc"], self.steps(self.lint(code=1)))
        lists.write_text(lists.read_text() + "target_compile_definitions(app PRIVATE NEW)\n")
        self.assertEqual(["main.cc", "more.cc"], self.steps(self.lint(code=1)))

    def test_make(self):
        self.call("JSON", self.report, of="engine", generator="Unix Makefiles")
        output = self.lint(code=2)
        self.assertEqual(self.expected("special.cc", "source.cc.in", "late.cc"), self.findings())
        header = self.source / "engine" / "header.h.in"
        header.write_text(header.read_text() + "\n")
        output = self.lint(code=2)
        self.assertEqual(["combine.cc", "parts.cc"], self.steps(output))

    def test_a_twin_waits_for_what_is_generated(self):
        self.call()
        output = self.lint(0, "engine_xferlint")
        self.assertEqual(["combine.cc", "source.cc", "special.cc"], self.steps(output))

    def test_several_configurations(self):
        self.call("JSON", self.report, generator="Ninja Multi-Config")
        run("cmake", "--build", self.build, "--config", "Debug", "--target", "xferlint", code=1)
        self.assertEqual(self.expected() - expected(self.source, *OF_OTHERS), self.findings())

    def test_without_a_change_to_the_project(self):
        self.configure("-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES="
                       f"{self.package / 'XfercheckLintAll.cmake'}",
                       f"-DXFERCHECK_LINT_OPTIONS=JSON;{self.report};EXCLUDE;special")
        self.lint(code=1)
        self.assertEqual(self.expected() - expected(self.source, *OF_OTHERS, "special.cc"),
                         self.findings())

    def test_options(self):
        sarif = self.folder / "lint.sarif"
        self.call("NAME", "device-lint", "SARIF", sarif, "FAIL_ON", "error", of="app")
        output = self.lint(0, "device-lint")
        self.assertIn("[discarded-transfer]", output)
        log = json.loads(sarif.read_text())
        self.assertEqual("2.1.0", log["version"])
        self.assertEqual(["discarded-transfer"],
                         [result["ruleId"].removeprefix("xfer-")
                          for result in log["runs"][0]["results"]])

    def test_never_fail_and_a_choice_of_rules(self):
        self.call("FAIL_ON", "never")
        self.assertIn("missing-transfer", self.lint(code=0))
        self.call("MERGE_OPTIONS", "--checks", "-*,round-trip")
        self.assertEqual([], self.steps(self.lint(code=0)), "facts do not depend on rules")

    def test_a_file_that_does_not_parse(self):
        (self.source / "app" / "shared.cc").write_text("int x = undeclared;\n")
        self.call()
        output = self.lint(1, "xferlint", "--", "-k0")
        self.assertIn("app/shared.cc:1:9: error: use of undeclared identifier", output)
        self.assertIn("main.cc", self.steps(output), "the others are parsed")

    def test_what_is_wrong(self):
        for arguments, problem in ((["app"], "cannot use: app"),
                                   (["TARGETS", "gone"], "there is no target gone"),
                                   (["TARGETS", "app"], "app makes app; call it there"),
                                   (["FAIL_ON", "pedantic"], "FAIL_ON pedantic: it is error")):
            with self.subTest(arguments):
                self.assertIn(problem, " ".join(self.call(*arguments, code=1).split()))

    def test_cuda(self):
        if not NVCC:
            self.skipTest("there is no nvcc")
        for generator in ("Ninja", "Unix Makefiles"):
            with self.subTest(generator):
                shutil.rmtree(self.build, ignore_errors=True)
                self.configure("-DWITH_CUDA=ON", f"-DCMAKE_CUDA_COMPILER={NVCC}", "-DLINT=cuda",
                               f"-DARGUMENTS=JSON;{self.report}", generator=generator)
                output = self.lint(None)
                self.assertTrue(self.report.exists(), output)
                self.assertEqual(expected(self.source, "kernels.cu"), self.findings())


if __name__ == "__main__":
    main()
