#include "analyzer/driver/parse.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Driver/CreateInvocationFromArgs.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/DenseMap.h>

#include <chrono>

#include "analyzer/driver/diagnostics.h"
#include "analyzer/driver/project.h"
#include "analyzer/driver/shims.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Which source locations belong to the project; one look-up per file.
class ProjectFiles {
 public:
  ProjectFiles(const clang::SourceManager& sources, std::string root)
      : sources_(sources), root_(std::move(root)) {}

  bool contains(clang::SourceLocation location) {
    if (location.isInvalid()) return false;
    const clang::SourceLocation place = sources_.getExpansionLoc(location);
    const clang::FileID file = sources_.getFileID(place);
    const auto [entry, is_new] = known_.try_emplace(file, false);
    if (is_new) entry->second = is_project(file, place);
    return entry->second;
  }

 private:
  bool is_project(clang::FileID file, clang::SourceLocation place) const {
    if (file == sources_.getMainFileID()) return true;
    if (sources_.isInSystemHeader(place)) return false;
    const auto entry = sources_.getFileEntryRefForID(file);
    if (!entry) return false;
    const fs::path path = fs::path(entry->getName().str());
    return is_project_file(
        (path.is_absolute() ? path : fs::absolute(path)).lexically_normal().string(), root_);
  }

  const clang::SourceManager& sources_;
  std::string root_;
  llvm::DenseMap<clang::FileID, bool> known_;
};

class AnalyzingConsumer : public clang::ASTConsumer {
 public:
  AnalyzingConsumer(clang::Preprocessor& preprocessor, const analyzer::ModelSet& models,
                    const UnitOptions& options, UnitResult& result)
      : preprocessor_(preprocessor),
        files_(preprocessor.getSourceManager(), options.root.string()),
        models_(models),
        options_(options),
        result_(result) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group)
      if (files_.contains(declaration->getLocation())) scope_.push_back(declaration);
    return true;
  }

  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    return !files_.contains(declaration->getLocation());
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    result_.analysed = true;
    if (options_.check_models)
      result_.model_check = check_models(preprocessor_, context, models_);
    context.setTraversalScope(scope_);
    analyzer::AnalysisOptions analysis = options_.analysis;
    analysis.scope = [this](const clang::FunctionDecl& function) {
      return files_.contains(function.getLocation());
    };
    analyzer::AnalysisResult found = analyze(context, models_, analysis);
    result_.findings = std::move(found.findings);
    result_.stats = std::move(found.stats);
  }

 private:
  clang::Preprocessor& preprocessor_;
  ProjectFiles files_;
  const analyzer::ModelSet& models_;
  const UnitOptions& options_;
  UnitResult& result_;
  std::vector<clang::Decl*> scope_;
};

class AnalyzingAction : public clang::ASTFrontendAction {
 public:
  AnalyzingAction(const analyzer::ModelSet& models, const UnitOptions& options, UnitResult& result)
      : models_(models), options_(options), result_(result) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<AnalyzingConsumer>(compiler.getPreprocessor(), models_, options_,
                                               result_);
  }

 private:
  const analyzer::ModelSet& models_;
  const UnitOptions& options_;
  UnitResult& result_;
};

/// Every file that a precompiled header was made from.
class AllDependencies : public clang::DependencyCollector {
 public:
  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef file, bool, bool, bool, bool missing) override {
    return !missing && !file.starts_with("<") && !file.starts_with(kShimFolder);
  }
};

/// A compiler for `file`, compiled as `command` says; null with an error in `errors`.
std::unique_ptr<clang::CompilerInstance> make_compiler(const ParseCommand& command,
                                                       const fs::path& file,
                                                       ErrorCollector& errors) {
  std::error_code unreachable;
  fs::current_path(command.directory, unreachable);
  const auto vfs = file_system_with_shims();
  clang::DiagnosticOptions driver_options;
  const auto driver_diagnostics =
      clang::CompilerInstance::createDiagnostics(*vfs, driver_options, &errors, false);
  std::vector<const char*> words;
  for (const std::string& word : command.arguments) words.push_back(word.c_str());
  const std::string name = file.string();
  words.insert(words.end(), {"--", name.c_str()});

  clang::CreateInvocationOptions how;
  how.Diags = driver_diagnostics;
  how.VFS = vfs;
  how.RecoverOnError = true;
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(words, how);
  if (invocation == nullptr) return nullptr;

  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  frontend.SkipFunctionBodies = true;
  // The worker process is replaced before the leaks hurt: see worker.cc.
  frontend.DisableFree = true;
  auto compiler = std::make_unique<clang::CompilerInstance>(std::move(invocation));
  compiler->setVirtualFileSystem(vfs);
  compiler->createDiagnostics(&errors, false);
  // As far as the AST goes: a missing header must not end the parse.
  compiler->getDiagnostics().setFatalsAsError(true);
  compiler->createFileManager();
  return compiler;
}

UnitResult run_unit(const ParseCommand& command, const fs::path& pch,
                    const analyzer::ModelSet& models, const UnitOptions& options) {
  UnitResult result;
  const auto start = Clock::now();
  ErrorCollector errors;
  if (const auto compiler = make_compiler(command, command.file, errors)) {
    if (!pch.empty()) {
      compiler->getPreprocessorOpts().ImplicitPCHInclude = pch.string();
      result.used_pch = true;
    }
    AnalyzingAction action(models, options, result);
    compiler->ExecuteAction(action);
  }
  result.errors = errors.take();
  result.parse_seconds = seconds_since(start) - result.stats.seconds;
  return result;
}

}  // namespace

UnitResult analyze_unit(const ParseCommand& command, const fs::path& pch,
                        const analyzer::ModelSet& models, const UnitOptions& options) {
  if (!pch.empty()) {
    UnitResult result = run_unit(command, pch, models, options);
    if (result.errors.empty() && result.analysed) return result;
  }
  UnitResult result = run_unit(command, {}, models, options);
  result.pch_rejected = !pch.empty() && result.errors.empty();
  return result;
}

std::optional<std::vector<std::string>> build_pch(const ParseCommand& command,
                                                  const fs::path& header, const fs::path& output) {
  ErrorCollector errors;
  ParseCommand as_source = command;
  if (!command.cuda) as_source.arguments.insert(as_source.arguments.end(), {"-x", "c++"});
  const auto compiler = make_compiler(as_source, header, errors);
  if (compiler == nullptr) return std::nullopt;
  clang::FrontendOptions& frontend = compiler->getFrontendOpts();
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  frontend.OutputFile = output.string();
  const auto dependencies = std::make_shared<AllDependencies>();
  compiler->addDependencyCollector(dependencies);
  clang::GeneratePCHAction action;
  const bool done = compiler->ExecuteAction(action);
  if (!done || errors.any()) return std::nullopt;
  std::vector<std::string> files;
  for (const std::string& file : dependencies->getDependencies())
    files.push_back((command.directory / file).lexically_normal().string());
  return files;
}

}  // namespace xfer::lint
