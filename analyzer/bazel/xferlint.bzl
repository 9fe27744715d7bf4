"""xferlint over cc_library, cc_binary and cc_test: one action for each source, one merge.

    load("@xfercheck//:xferlint.bzl", "xferlint_report", "xferlint_test")

    xferlint_test(name = "lint", deps = ["//app"])    # fails by findings, and prints them
    xferlint_report(name = "sarif", deps = ["//app"], format = "sarif")

Both take what `deps` are made of, down to the libraries of other repositories, which are left out.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

XferFacts = provider(
    doc = "What xferlint knows of a target's sources and of those below it.",
    fields = {"facts": "a depset of files of facts"},
)

# The program, and the models that it is given.
_XFERLINT = {
    "_models": attr.label(default = "@xferlint//:models"),
    "_xferlint": attr.label(
        default = "@xferlint//:xferlint",
        allow_single_file = True,
        executable = True,
        cfg = "host",
    ),
}

_SOURCES = ("cc", "cp", "cpp", "cxx", "c++", "C")
_COMPILE = "c++-compile"

def _copts(ctx):
    """The rule's own flags, as Bazel expands them."""
    words = []
    for word in getattr(ctx.rule.attr, "copts", []):
        words.extend(ctx.tokenize(ctx.expand_make_variables("copts", word, {})))
    return words

def _is_foreign(path):
    return path.startswith("external/") or "/bin/external/" in path

def _parse(ctx, cc, toolchain, features, source):
    """The action that turns one source into facts."""
    facts = ctx.actions.declare_file(
        "_xferlint/{}/{}.facts".format(ctx.label.name, source.short_path.replace("../", "")),
    )

    # Headers of other repositories are system headers: nothing is reported in them. For `includes`
    # Bazel takes those of this one for the same.
    quoted = cc.quote_includes.to_list()
    system = cc.system_includes.to_list()
    own = [path for path in system if not _is_foreign(path)]
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        source_file = source.path,
        output_file = facts.path,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + _copts(ctx),
        include_directories = depset(own, transitive = [cc.includes]),
        quote_include_directories = depset([path for path in quoted if not _is_foreign(path)]),
        system_include_directories = depset(
            [path for path in quoted + system if _is_foreign(path)],
        ),
        preprocessor_defines = depset(transitive = [cc.defines, cc.local_defines]),
    )
    compiler = cc_common.get_tool_for_action(
        feature_configuration = features,
        action_name = _COMPILE,
    )
    command = cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = _COMPILE,
        variables = variables,
    )
    arguments = ctx.actions.args()
    arguments.add_all(["--root", ".", "--no-stored-facts", "-j", "1"])
    arguments.add_all(ctx.files._models, before_each = "--models")
    arguments.add_all(["--as-compiler", "--", compiler])
    arguments.add_all(command)
    ctx.actions.run(
        executable = ctx.executable._xferlint,
        arguments = [arguments],
        inputs = depset(
            [source] + ctx.files._models + ctx.rule.files.srcs,
            transitive = [cc.headers, toolchain.all_files],
        ),
        outputs = [facts],
        mnemonic = "XferFacts",
        progress_message = "Linting " + source.short_path,
    )
    return facts

def _aspect_impl(target, ctx):
    below = [
        dep[XferFacts].facts
        for name in ("deps", "implementation_deps")
        for dep in getattr(ctx.rule.attr, name, [])
        if XferFacts in dep
    ]
    own = []
    if CcInfo in target and hasattr(ctx.rule.files, "srcs") and not ctx.label.workspace_name:
        sources = [file for file in ctx.rule.files.srcs if file.extension in _SOURCES]
        if sources:
            toolchain = find_cpp_toolchain(ctx)
            features = cc_common.configure_features(
                ctx = ctx,
                cc_toolchain = toolchain,
                requested_features = ctx.features,
                unsupported_features = ctx.disabled_features + ["header_modules", "module_maps"],
            )
            cc = target[CcInfo].compilation_context
            own = [_parse(ctx, cc, toolchain, features, source) for source in sources]
    facts = depset(own, transitive = below)
    return [XferFacts(facts = facts), OutputGroupInfo(xferlint = depset(own))]

xferlint_aspect = aspect(
    implementation = _aspect_impl,
    attr_aspects = ["deps", "implementation_deps"],
    attrs = dict(
        _XFERLINT,
        _cc_toolchain = attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    ),
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)

_MERGE = dict(
    _XFERLINT,
    deps = attr.label_list(aspects = [xferlint_aspect], mandatory = True),
    options = attr.string_list(doc = "of the merge: --checks=GLOBS, --baseline=FILE"),
    data = attr.label_list(allow_files = True, doc = "files that the options name"),
)

def _facts_of(ctx):
    return depset(transitive = [dep[XferFacts].facts for dep in ctx.attr.deps])

def _report_impl(ctx):
    facts = _facts_of(ctx)
    report = ctx.actions.declare_file("{}.{}".format(ctx.label.name, ctx.attr.format))
    arguments = ctx.actions.args()
    arguments.add_all(["--root", ".", "--format", ctx.attr.format, "-o", report])
    arguments.add_all(ctx.files._models, before_each = "--models")
    arguments.add_all(ctx.attr.options)
    arguments.add("--merge")
    arguments.add_all(facts)

    # That there are findings is no error here.
    ctx.actions.run_shell(
        command = '"$@" || [ $? -eq 1 ]',
        arguments = [ctx.executable._xferlint.path, arguments],
        tools = [ctx.executable._xferlint],
        inputs = depset(ctx.files.data + ctx.files._models, transitive = [facts]),
        outputs = [report],
        mnemonic = "XferMerge",
        progress_message = "Merging the facts of %s" % ctx.label,
    )
    return [DefaultInfo(files = depset([report]))]

xferlint_report = rule(
    implementation = _report_impl,
    doc = "The findings of all that `deps` are made of, as a file.",
    attrs = dict(_MERGE, format = attr.string(
        default = "json",
        values = ["text", "json", "sarif", "github", "gitlab", "html"],
    )),
)

def _quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"

def _test_impl(ctx):
    facts = _facts_of(ctx)
    words = [ctx.executable._xferlint.short_path, "--root", "."]
    for model in ctx.files._models:
        words.extend(["--models", model.short_path])
    words.extend(["--fail-on", ctx.attr.fail_on] + ctx.attr.options + ["--merge"])
    words.extend([file.short_path for file in facts.to_list()])
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(
        script,
        "#!/bin/sh\nexec " + " \\\n  ".join([_quoted(word) for word in words]) + "\n",
        is_executable = True,
    )
    files = ctx.files.data + ctx.files._models + [ctx.executable._xferlint]
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(files = files, transitive_files = facts),
    )]

xferlint_test = rule(
    implementation = _test_impl,
    doc = "Fails where there are findings in what `deps` are made of.",
    test = True,
    attrs = dict(_MERGE, fail_on = attr.string(
        default = "warning",
        values = ["error", "warning", "advice"],
    )),
)
