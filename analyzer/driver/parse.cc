#include "analyzer/driver/parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/ExternalASTSource.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Driver/CreateInvocationFromArgs.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/SemaConsumer.h>
#include <llvm/ADT/DenseMap.h>

#include <chrono>
#include <set>

#include "analyzer/driver/diagnostics.h"
#include "analyzer/driver/project.h"
#include "analyzer/driver/shims.h"
#include "analyzer/driver/summary_file.h"
#include "analyzer/facts/device_code.h"
#include "analyzer/facts/instantiate.h"
#include "xfer/rules/report.h"

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

  /// Of all the project's files that the unit read.
  std::map<std::string, std::string> hashes() const {
    std::map<std::string, std::string> result;
    const clang::FileEntry* main = sources_.getFileEntryForID(sources_.getMainFileID());
    for (auto file = sources_.fileinfo_begin(); file != sources_.fileinfo_end(); ++file) {
      const std::string path = full_path(file->first);
      const bool own = &file->first.getFileEntry() == main || is_project_file(path, root_);
      if (own) result[path] = content_hash(path);
    }
    return result;
  }

 private:
  bool is_project(clang::FileID file, clang::SourceLocation place) const {
    if (file == sources_.getMainFileID()) return true;
    if (sources_.isInSystemHeader(place)) return false;
    const auto entry = sources_.getFileEntryRefForID(file);
    if (!entry) return false;
    return is_project_file(full_path(*entry), root_);
  }
  static std::string full_path(clang::FileEntryRef file) {
    return fs::absolute(file.getName().str()).lexically_normal().string();
  }

  const clang::SourceManager& sources_;
  std::string root_;
  llvm::DenseMap<clang::FileID, bool> known_;
};

/// A summary means the same wherever the project lies.
void make_relative(analyzer::UnitSummaries& summaries, const fs::path& root) {
  Report report;
  std::vector<Note>& notes = report.findings.emplace_back().notes;
  const auto each_location = [&](const auto& visit) {
    for (auto& [name, function] : summaries.functions)
      for (analyzer::Need& need : function.summary.needs) visit(need.at);
    for (auto& [key, uses] : summaries.classes) {
      for (auto& [name, member] : uses.members) visit(member.use);
      if (uses.moved) visit(*uses.moved);
    }
  };
  each_location([&](const Location& at) { notes.push_back({at, {}}); });
  make_relative(report, root);
  auto note = notes.begin();
  each_location([&](Location& at) { at = (note++)->location; });
}

/// Clang drops what it could not read: some function may do more with its class's members than is
/// left. (A function with an error has an empty summary already.)
void forget_members(analyzer::UnitSummaries& summaries) {
  for (auto& [key, uses] : summaries.classes) {
    for (auto& [name, member] : uses.members) member.changed = true;
    uses.moved.reset();
  }
}

/// What a parse leaves behind for the analysis.
struct Ast {
  clang::ASTContext* context = nullptr;  ///< null: there was nothing to look at
  clang::Preprocessor* preprocessor = nullptr;
  std::optional<ProjectFiles> files;
  std::vector<clang::Decl*> scope;  ///< the declarations that the project wrote
};

class Consumer : public clang::SemaConsumer {
 public:
  Consumer(clang::Preprocessor& preprocessor, const std::string& root, Ast& ast) : ast_(ast) {
    ast_.preprocessor = &preprocessor;
    ast_.files.emplace(preprocessor.getSourceManager(), root);
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group)
      if (ast_.files->contains(declaration->getLocation())) ast_.scope.push_back(declaration);
    return true;
  }
  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    return !ast_.files->contains(declaration->getLocation());
  }
  void HandleTranslationUnit(clang::ASTContext& context) override {
    ast_.context = &context;
    analyzer::instantiate_constructors(*sema_, ast_.scope);
  }
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }

 private:
  Ast& ast_;
  clang::Sema* sema_ = nullptr;
};

class ParsingAction : public clang::ASTFrontendAction {
 public:
  ParsingAction(std::string root, Ast& ast) : root_(std::move(root)), ast_(ast) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    return std::make_unique<Consumer>(compiler.getPreprocessor(), root_, ast_);
  }

 private:
  std::string root_;
  Ast& ast_;
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

/// The line of the main file that brings in the first error's place; 0 when there is none.
unsigned line_of_first_error(const ErrorCollector& errors, const clang::SourceManager& sources) {
  if (errors.locations().empty()) return 0;
  clang::SourceLocation place = sources.getExpansionLoc(errors.locations().front());
  while (true) {
    const clang::SourceLocation included = sources.getIncludeLoc(sources.getFileID(place));
    if (included.isInvalid()) return sources.getExpansionLineNumber(place);
    place = included;
  }
}

/// Precompiled headers that are not the cause of errors: of some file the parse without met errors
/// too.
std::set<fs::path>& innocent() {
  static std::set<fs::path> pchs;
  return pchs;
}

}  // namespace

/// In the order in which the parts need each other: the AST is the compiler's.
struct Unit::Parsed {
  ErrorCollector collector;
  std::unique_ptr<clang::CompilerInstance> compiler;
  Ast ast;
  std::vector<ParseError> errors;
  bool used_pch = false;
};

Unit::Unit(ParseCommand command, fs::path pch)
    : command_(std::move(command)), pch_(std::move(pch)) {}
Unit::~Unit() = default;

void Unit::parse(const fs::path& pch, const std::string& root) {
  parsed_ = std::make_unique<Parsed>();
  parsed_->compiler = make_compiler(command_, command_.file, parsed_->collector);
  if (parsed_->compiler != nullptr) {
    if (!pch.empty()) {
      parsed_->compiler->getPreprocessorOpts().ImplicitPCHInclude = pch.string();
      parsed_->used_pch = true;
    }
    ParsingAction action(root, parsed_->ast);
    parsed_->compiler->ExecuteAction(action);
    // The consumer is gone, but what the precompiled header brings in later would still be told to
    // it.
    if (parsed_->ast.context != nullptr && parsed_->ast.context->getExternalSource() != nullptr)
      parsed_->ast.context->getExternalSource()->StartTranslationUnit(nullptr);
  }
  if (command_.cuda && parsed_->ast.context != nullptr && parsed_->collector.any())
    parsed_->collector.forgive(analyzer::device_code(*parsed_->ast.context, parsed_->ast.scope),
                               parsed_->ast.context->getSourceManager());
  parsed_->errors = parsed_->collector.take();
}

bool Unit::may_be_spoilt() const {
  const ErrorCollector& collector = parsed_->collector;
  if (parsed_->ast.context == nullptr || collector.pch_refused()) return true;
  return !parsed_->errors.empty() && !collector.header_missing() && !innocent().contains(pch_);
}

UnitResult Unit::analyze(const analyzer::ModelSet& models, const UnitOptions& options) {
  if (parsed_ == nullptr) {
    const auto start = Clock::now();
    parse(pch_, options.root.string());
    if (!pch_.empty() && may_be_spoilt()) {
      parse({}, options.root.string());
      pch_rejected_ = parsed_->errors.empty();
      if (!pch_rejected_) innocent().insert(pch_);
    }
    parse_seconds_ = seconds_since(start);
  } else {
    std::error_code unreachable;
    fs::current_path(command_.directory, unreachable);
    parse_seconds_ = 0;
  }

  UnitResult result;
  result.errors = parsed_->errors;
  Ast& ast = parsed_->ast;
  if (ast.context != nullptr) {
    result.analysed = true;
    if (options.check_models)
      result.model_check = analyzer::check_models(*ast.preprocessor, *ast.context, models);
    ast.context->setTraversalScope(ast.scope);
    analyzer::AnalysisOptions analysis = options.analysis;
    analysis.read.root = options.root.string();
    analysis.read.errors = parsed_->collector.locations();
    analysis.read.scope = [&](const clang::FunctionDecl& function) {
      return ast.files->contains(function.getLocation());
    };
    analyzer::AnalysisResult found = analyzer::analyze(*ast.context, models, analysis);
    result.findings = std::move(found.findings);
    result.stats = std::move(found.stats);
    result.summaries = std::move(found.summaries);
    if (!parsed_->errors.empty()) forget_members(result.summaries);
    make_relative(result.summaries, options.root);
    for (const auto& [place, what] : found.faults)
      result.errors.push_back({place.file, place.line, place.column, what});
    if (options.hash_inputs) result.inputs = ast.files->hashes();
  }
  result.used_pch = parsed_->used_pch;
  result.pch_rejected = pch_rejected_;
  result.parse_seconds = parse_seconds_;
  return result;
}

BuiltPch build_pch(const ParseCommand& command, const fs::path& header, const fs::path& output) {
  ErrorCollector errors;
  ParseCommand as_source = command;
  if (!command.cuda) as_source.arguments.insert(as_source.arguments.end(), {"-x", "c++"});
  const auto compiler = make_compiler(as_source, header, errors);
  if (compiler == nullptr) return {};
  clang::FrontendOptions& frontend = compiler->getFrontendOpts();
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  frontend.OutputFile = output.string();
  const auto dependencies = std::make_shared<AllDependencies>();
  compiler->addDependencyCollector(dependencies);
  clang::GeneratePCHAction action;
  BuiltPch result;
  result.built = compiler->ExecuteAction(action) && !errors.any();
  if (!result.built) {
    if (compiler->hasSourceManager())
      result.error_line = line_of_first_error(errors, compiler->getSourceManager());
    return result;
  }
  for (const std::string& file : dependencies->getDependencies())
    result.files.push_back((command.directory / file).lexically_normal().string());
  return result;
}

}  // namespace xfer::lint
