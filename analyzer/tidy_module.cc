// The clang-tidy plug-in: a module with one check xfer-<slug> for each rule of the analyzer.
//
// The unit is analysed once, by whichever check comes first; each check reports the findings of its
// rule. clang-tidy does the rest: NOLINT, header filter, fixes. Fits clang-tidy 22 only (its C++
// interface is versioned). Extra API models: the option XferModels, files separated by ';'.
//
// clang-tidy has no level below a warning. So the advice rules are silent under `xfer-*` and `*`:
// they report when a narrower glob names them (`xfer-sync-in-loop`, `xfer-*-on-host`), or when the
// option XferAdvice is true.

#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyModule.h>
#include <clang/AST/ASTContext.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/ASTMatchers/ASTMatchers.h>
#include <llvm/Support/GlobPattern.h>
#include <llvm/Support/YAMLTraits.h>

#include <algorithm>
#include <memory>

#include "analyzer/analyze.h"

namespace xfer::analyzer {
namespace {

using clang::tidy::ClangTidyCheck;
using clang::tidy::ClangTidyContext;

/// The analysis of the unit that is being checked.
struct Unit {
  const clang::ASTContext* context = nullptr;
  AnalysisResult result;
};

thread_local Unit unit;

std::string check_name(Rule rule) { return "xfer-" + std::string(info(rule).slug); }

/// A glob that switches this check on, and not all of ours with it.
bool names(llvm::StringRef glob, llvm::StringRef check) {
  llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(glob);
  if (!pattern) {
    llvm::consumeError(pattern.takeError());
    return false;
  }
  return pattern->match(check) && !std::ranges::all_of(analyzer_rules(), [&](Rule rule) {
           return pattern->match(check_name(rule));
         });
}

/// `checks` as clang-tidy takes them: separated by commas or lines, '-' switches off.
bool are_about(llvm::StringRef checks, llvm::StringRef check) {
  while (!checks.empty()) {
    const llvm::StringRef glob = checks.substr(0, checks.find_first_of(",\n"));
    checks = checks.drop_front(std::min(glob.size() + 1, checks.size()));
    if (!glob.trim().starts_with("-") && names(glob.trim(), check)) return true;
  }
  return false;
}

class RuleCheck : public ClangTidyCheck {
 public:
  RuleCheck(llvm::StringRef name, ClangTidyContext* context, Rule rule)
      : ClangTidyCheck(name, context),
        rule_(rule),
        models_(Options.getLocalOrGlobal("XferModels", "").str()),
        advice_(llvm::yaml::parseBool(Options.getLocalOrGlobal("XferAdvice", "")).value_or(false)),
        reports_(advice_ || info(rule).tier == Tier::kDefault ||
                 are_about(context->getOptions().Checks.value_or(""), name)) {}

  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap& options) override {
    Options.store(options, "XferModels", models_);
    Options.store(options, "XferAdvice", llvm::StringRef(advice_ ? "true" : "false"));
  }

  void registerMatchers(clang::ast_matchers::MatchFinder* finder) override {
    // A new unit: another one's context may have had the same address.
    unit = {};
    if (!reports_) return;
    finder->addMatcher(clang::ast_matchers::translationUnitDecl(), this);
  }

  void check(const clang::ast_matchers::MatchFinder::MatchResult& match) override {
    if (unit.context != match.Context) {
      // Without the places of the errors nothing is certain of a unit that does not parse;
      // clang-tidy names them.
      const bool parsed = !match.Context->getDiagnostics().hasUncompilableErrorOccurred();
      unit.result = parsed ? analyze(*match.Context, models(), {}) : AnalysisResult();
      unit.context = match.Context;
    }
    for (const Finding& finding : unit.result.findings)
      if (finding.rule == rule_) report(finding, *match.SourceManager);
  }

 private:
  ModelSet models() {
    llvm::Expected<ModelSet> set = ModelSet::builtin();
    if (!set) {
      configurationDiag("%0") << llvm::toString(set.takeError());
      return {};
    }
    llvm::SmallVector<llvm::StringRef> files;
    llvm::StringRef(models_).split(files, ';', -1, /*KeepEmpty=*/false);
    for (const llvm::StringRef file : files)
      if (llvm::Error error = set->add_file(file.str()))
        configurationDiag("%0") << llvm::toString(std::move(error));
    return std::move(*set);
  }

  void report(const Finding& finding, const clang::SourceManager& sources) {
    {
      auto warning = diag(locate(finding.location, sources), "%0") << finding.message;
      if (finding.fix)
        for (const Replacement& replacement : finding.fix->replacements)
          add_fix(replacement, sources, warning);
    }
    for (const Note& note : finding.notes)
      diag(locate(note.location, sources), "%0", clang::DiagnosticIDs::Note) << note.message;
  }

  static clang::SourceLocation locate(const Location& place, const clang::SourceManager& sources) {
    const auto file = sources.getFileManager().getOptionalFileRef(place.file);
    if (!file || place.line == 0) return {};
    return sources.translateFileLineCol(*file, place.line, std::max(place.column, 1U));
  }

  static void add_fix(const Replacement& replacement, const clang::SourceManager& sources,
                      clang::DiagnosticBuilder& warning) {
    const auto file = sources.getFileManager().getOptionalFileRef(replacement.file);
    if (!file) return;
    const clang::SourceLocation start = sources.getLocForStartOfFile(sources.translateFile(*file));
    if (start.isInvalid()) return;
    const auto at = [&](std::uint64_t offset) {
      return start.getLocWithOffset(static_cast<clang::SourceLocation::IntTy>(offset));
    };
    warning << clang::FixItHint::CreateReplacement(
        clang::CharSourceRange::getCharRange(at(replacement.offset),
                                             at(replacement.offset + replacement.length)),
        replacement.text);
  }

  Rule rule_;
  std::string models_;
  bool advice_;   ///< as the options say
  bool reports_;  ///< this check, in this run
};

class XferModule : public clang::tidy::ClangTidyModule {
 public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories& factories) override {
    for (const Rule rule : analyzer_rules()) {
      factories.registerCheckFactory(check_name(rule),
                                     [rule](llvm::StringRef check, ClangTidyContext* context) {
                                       return std::make_unique<RuleCheck>(check, context, rule);
                                     });
    }
  }
};

const clang::tidy::ClangTidyModuleRegistry::Add<XferModule> registration(
    "xfer-module", "Finds device misuse: data on the wrong side of the host-device border.");

}  // namespace
}  // namespace xfer::analyzer
