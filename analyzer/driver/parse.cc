#include "analyzer/driver/parse.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/ExternalASTSource.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Driver/CreateInvocationFromArgs.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/SemaConsumer.h>
#include <llvm/ADT/DenseMap.h>

#include <chrono>
#include <set>

#include "analyzer/driver/console.h"
#include "analyzer/driver/diagnostics.h"
#include "analyzer/driver/project.h"
#include "analyzer/driver/recording_files.h"
#include "analyzer/driver/shims.h"
#include "analyzer/driver/spaced_launches.h"
#include "analyzer/facts/device_code.h"
#include "analyzer/facts/instantiate.h"
#include "analyzer/facts/read_unit.h"

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

/// Facts mean the same wherever the project lies.
std::string relative_name(const std::string& name, const fs::path& root) {
  return shown_file(fs::absolute(name).lexically_normal(), root);
}

void make_relative(analyzer::Unit& unit, const fs::path& root) {
  for (analyzer::SourceFile& file : unit.files) {
    if (!file.name.empty()) file.name = relative_name(file.name, root);
    if (!file.path.empty()) file.path = relative_name(file.path, root);
  }
  for (Note& fault : unit.faults) fault.location.file = relative_name(fault.location.file, root);
}

/// The result of a parse, for the analysis.
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

/// A compiler for `file`, compiled as `command` says; null with an error in `errors`.
std::unique_ptr<clang::CompilerInstance> make_compiler(
    const ParseCommand& command, const fs::path& file, ErrorCollector& errors,
    llvm::IntrusiveRefCntPtr<RecordingFiles> files) {
  std::error_code unreachable;
  fs::current_path(command.directory, unreachable);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> read = std::move(files);
  if (command.cuda) read = with_launches_closed_up(std::move(read));
  const auto vfs = file_system_with_shims(std::move(read));
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

/// In the order in which the parts need each other: the AST is the compiler's.
struct Parsed {
  llvm::IntrusiveRefCntPtr<RecordingFiles> files = llvm::makeIntrusiveRefCnt<RecordingFiles>();
  ErrorCollector collector;
  std::unique_ptr<clang::CompilerInstance> compiler;
  Ast ast;
  std::vector<ParseError> errors;
  bool used_pch = false;
};

std::unique_ptr<Parsed> parse_with(const ParseCommand& command, const fs::path& pch,
                                   const std::string& root) {
  auto parsed = std::make_unique<Parsed>();
  parsed->compiler = make_compiler(command, command.file, parsed->collector, parsed->files);
  if (parsed->compiler != nullptr) {
    if (!pch.empty()) {
      parsed->compiler->getPreprocessorOpts().ImplicitPCHInclude = pch.string();
      parsed->used_pch = true;
    }
    ParsingAction action(root, parsed->ast);
    parsed->compiler->ExecuteAction(action);
    // The consumer is gone, but what the precompiled header brings in later would still be told to
    // it.
    if (parsed->ast.context != nullptr && parsed->ast.context->getExternalSource() != nullptr)
      parsed->ast.context->getExternalSource()->StartTranslationUnit(nullptr);
  }
  if (command.cuda && parsed->ast.context != nullptr && parsed->collector.any())
    parsed->collector.forgive(analyzer::device_code(*parsed->ast.context, parsed->ast.scope),
                              parsed->ast.context->getSourceManager());
  parsed->errors = parsed->collector.take();
  return parsed;
}

/// The parse with `pch` says nothing about the code.
bool may_be_spoilt(const Parsed& parsed, const fs::path& pch) {
  const ErrorCollector& collector = parsed.collector;
  if (parsed.ast.context == nullptr || collector.pch_refused()) return true;
  return !parsed.errors.empty() && !collector.header_missing() && !innocent().contains(pch);
}

void read_facts(Parsed& parsed, const analyzer::ModelSet& models, const ParseOptions& options,
                ParseResult& result) {
  Ast& ast = parsed.ast;
  const auto start = Clock::now();
  if (options.check_models)
    result.model_check = analyzer::check_models(*ast.preprocessor, *ast.context, models);
  ast.context->setTraversalScope(ast.scope);
  analyzer::ReadOptions reading;
  reading.root = options.root.string();
  reading.errors = parsed.collector.locations();
  reading.scope = [&](const clang::FunctionDecl& function) {
    return ast.files->contains(function.getLocation());
  };
  FileFacts& facts = result.facts;
  facts.unit = analyzer::read_unit(*ast.context, models, reading);
  facts.unit->incomplete = !parsed.errors.empty();
  make_relative(*facts.unit, options.root);
  for (const Note& fault : facts.unit->faults)
    facts.errors.push_back(
        {fault.location.file, fault.location.line, fault.location.column, fault.message});
  for (const auto& [file, hash] : ast.files->hashes())
    facts.inputs[relative_name(file, options.root)] = hash;
  result.read_seconds = seconds_since(start);
}

/// Of the files that a parse read or looked for. The precompiled header is none of them: what it
/// was made of is.
FileMarks marks_of(const Parsed& parsed, const ParseCommand& command, const fs::path& pch,
                   const fs::path& root) {
  FileMarks marks = parsed.files->marks([&](const std::string& path) {
    return path == command.file ||
           is_project_file(fs::path(path).lexically_normal().string(), root.string());
  });
  if (!pch.empty())
    std::erase_if(marks, [&](const auto& entry) {
      return entry.first.starts_with((pch.parent_path() / "").string());
    });
  return marks;
}

}  // namespace

ParseResult parse(const ParseCommand& command, const fs::path& pch,
                  const analyzer::ModelSet& models, const ParseOptions& options) {
  const auto start = Clock::now();
  ParseResult result;
  std::unique_ptr<Parsed> parsed = parse_with(command, pch, options.root.string());
  if (!pch.empty() && may_be_spoilt(*parsed, pch)) {
    parsed = parse_with(command, {}, options.root.string());
    result.pch_rejected = parsed->errors.empty();
    if (!result.pch_rejected) innocent().insert(pch);
  }
  result.parse_seconds = seconds_since(start);
  result.used_pch = parsed->used_pch;
  result.facts.file = relative_name(command.file.string(), options.root);
  result.facts.errors = parsed->errors;
  for (ParseError& error : result.facts.errors)
    if (!error.file.empty()) error.file = relative_name(error.file, options.root);
  if (parsed->ast.context != nullptr) read_facts(*parsed, models, options, result);
  result.read = marks_of(*parsed, command, result.used_pch ? pch : fs::path(), options.root);
  return result;
}

BuiltPch build_pch(const ParseCommand& command, const fs::path& header, const fs::path& output) {
  ErrorCollector errors;
  ParseCommand as_source = command;
  if (!command.cuda) as_source.arguments.insert(as_source.arguments.end(), {"-x", "c++"});
  const auto files = llvm::makeIntrusiveRefCnt<RecordingFiles>();
  const auto compiler = make_compiler(as_source, header, errors, files);
  if (compiler == nullptr) return {};
  clang::FrontendOptions& frontend = compiler->getFrontendOpts();
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  frontend.OutputFile = output.string();
  clang::GeneratePCHAction action;
  BuiltPch result;
  result.built = compiler->ExecuteAction(action) && !errors.any();
  if (!result.built) {
    if (compiler->hasSourceManager())
      result.error_line = line_of_first_error(errors, compiler->getSourceManager());
    return result;
  }
  result.read = files->marks([](const std::string&) { return false; });
  std::erase_if(result.read, [&](const auto& entry) {
    return entry.first.starts_with((header.parent_path() / "").string());
  });
  return result;
}

}  // namespace xfer::lint
