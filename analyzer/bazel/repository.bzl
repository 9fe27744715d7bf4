"""The xferlint of this machine, as the repository @xferlint.

    load("@xfercheck//:repository.bzl", "xferlint_repository")

    xferlint_repository(name = "xferlint", models = ["//lint:wrappers.yaml"])
"""

def _impl(repository):
    path = repository.attr.path or repository.os.environ.get("XFERLINT", "")
    found = repository.path(path) if path else repository.which("xferlint")
    if not found or not found.exists:
        fail("xferlint was not found: install xfercheck, or set XFERLINT to the program's path")
    repository.symlink(found, "xferlint")
    lines = ["package(default_visibility = [\"//visibility:public\"])"]
    lines.append("exports_files([\"xferlint\"])")
    lines.append("filegroup(name = \"models\", srcs = %s)" %
                 repr([str(label) for label in repository.attr.models]))
    repository.file("BUILD.bazel", "\n".join(lines) + "\n")

xferlint_repository = repository_rule(
    implementation = _impl,
    local = True,
    environ = ["PATH", "XFERLINT"],
    attrs = {
        "path": attr.string(doc = "of the program; else $XFERLINT, else it is looked for in PATH"),
        "models": attr.label_list(doc = "files for --models"),
    },
)
