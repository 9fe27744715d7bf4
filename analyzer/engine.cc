#include "analyzer/engine.h"

#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <tuple>

namespace xfer::analyzer {
namespace {

/// Elsewhere pointers to data are nobody's business but the host's.
bool uses_cuda_runtime(clang::ASTContext& context) {
  const clang::DeclarationName name(&context.Idents.get("cudaMemcpy"));
  return !context.getTranslationUnitDecl()->lookup(name).empty();
}

}  // namespace

Engine::Engine(clang::ASTContext& context, const ModelSet& models, const AnalysisOptions& options)
    : context_(context),
      models_(models),
      options_(options),
      types_(models, uses_cuda_runtime(context)),
      unreadable_(context.getSourceManager(), context.getLangOpts(), options.errors),
      fields_(types_, unreadable_),
      builder_(context, models, types_, fields_, unreadable_, options.block_cap),
      scan_(context, models, types_, unreadable_),
      source_(context),
      links_(context, options.root) {}

void Engine::analyze(const clang::FunctionDecl& function) { summary_of(function); }

const Summary& Engine::summary_of(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* definition = nullptr;
  if (!function.hasBody(definition)) return summary_elsewhere(function);
  const auto known = summaries_.find(definition);
  // While a function is being analysed, its own calls of it know nothing.
  if (known != summaries_.end()) return known->second == nullptr ? unknown_ : *known->second;
  summaries_[definition] = nullptr;
  auto summary = std::make_unique<Summary>(analyze_body(*definition));
  const Summary& result = *summary;
  summaries_[definition] = std::move(summary);
  return result;
}

/// Of a function without a body here: what another unit said of it.
const Summary& Engine::summary_elsewhere(const clang::FunctionDecl& function) {
  const auto [entry, added] = elsewhere_.try_emplace(function.getCanonicalDecl(), &unknown_);
  if (!added) return *entry->second;
  const std::string name = links_.of_declaration(function);
  if (name.empty()) return unknown_;
  result_.summaries.calls.insert(name);
  if (options_.others != nullptr)
    if (const Summary* known = options_.others->find(name)) entry->second = known;
  return *entry->second;
}

/// Text is enough to know that a file does not speak of something.
bool Engine::speaks_of(clang::FileID file, std::initializer_list<const char*> names) const {
  const llvm::StringRef text = context_.getSourceManager().getBufferData(file);
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return text.contains(name); });
}

bool Engine::current_device_changes(const clang::FunctionDecl& function) {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::FileID file = sources.getFileID(sources.getFileLoc(function.getLocation()));
  const auto [entry, added] = device_changes_.try_emplace(file.getHashValue(), false);
  if (added)
    entry->second =
        speaks_of(file, {"CUDAGuard", "DeviceGuard", "StreamGuard", "set_device", "SetDevice"});
  return entry->second;
}

/// The CPU, unless the file speaks of a scope that says otherwise.
Device Engine::default_place() {
  if (!default_place_)
    default_place_ = speaks_of(context_.getSourceManager().getMainFileID(), {"DefaultDevice"})
                         ? Device::unknown()
                         : Device::cpu();
  return *default_place_;
}

void Engine::judge(const CheckContext& context) {
  for (const Check& check : checks())
    if (wanted(check.rule)) check.run(context);
}

Summary Engine::analyze_body(const clang::FunctionDecl& function) {
  const std::unique_ptr<FunctionFacts> facts = builder_.build(function);
  const auto given = judging_given_ ? given_.find(&function) : given_.end();
  if (facts == nullptr) {
    result_.stats.skipped += !judging_given_;
    return {};
  }
  if (facts->this_class != nullptr && types_.is_module(*facts->this_class))
    members_.classes.insert(facts->this_class->getDefinition());
  if (!judging_given_) {
    ++result_.stats.functions;
    result_.stats.blocks += static_cast<unsigned>(facts->blocks.size());
  }
  OriginTable origins;
  SymbolTable symbols;
  Interpreter interpreter(*facts, models_, types_, origins, symbols, *this);
  if (given != given_.end())
    for (const auto& [parameter, at] : given->second) interpreter.assume_cuda(parameter);
  Flow flow(*facts, interpreter, origins, symbols);
  if (!flow.run()) {
    result_.stats.skipped += !judging_given_;
    return {};
  }
  Events events;
  flow.replay(events);
  Graph graph(*facts);
  FirstIterations first(events);
  flow.replay_first_iterations(graph, first);
  if (options_.explain_unknown && !judging_given_)
    add_unknowns(*facts, events, source_, result_.stats.unknown);
  const CheckContext context{*facts,
                             events,
                             interpreter,
                             flow,
                             origins,
                             symbols,
                             source_,
                             graph,
                             types_,
                             members_,
                             current_device_changes(function),
                             result_.findings};
  note_given(context);
  if (!options_.scope || options_.scope(function)) {
    if (given != given_.end())
      judge_given(context, given->second);
    else
      judge(context);
  }
  // Judged again: the summary is the one that stands.
  if (facts->unreadable || judging_given_) return {};
  return summarise(*facts, interpreter, flow, events, origins, symbols, source_, graph);
}

void Engine::export_summaries() {
  for (const auto& [function, summary] : summaries_) {
    std::string link_name = links_.of_definition(*function);
    if (!link_name.empty())
      result_.summaries.functions[std::move(link_name)] = {types_.qualified_name(*function),
                                                           *summary};
  }
}

AnalysisResult Engine::take() {
  judging_given_ = true;
  for (std::size_t index = 0; index < to_judge_again_.size(); ++index)
    analyze_body(*to_judge_again_[index]);
  export_summaries();
  export_members(members_, types_, links_, result_.summaries);
  if (options_.others != nullptr) import_members(*options_.others, links_, members_);
  for (const Annotations::Fault& fault : types_.annotations().faults()) {
    const std::uint32_t at = fault.at.getRawEncoding();
    result_.faults.push_back({source_.location({at, at}, {}), "xfer annotation: " + fault.what});
  }
  for (const Check& check : checks())
    if (check.finish != nullptr && wanted(check.rule))
      check.finish(members_, types_, result_.findings);
  const auto key = [](const Finding& finding) {
    return std::tie(finding.location.file, finding.location.line, finding.location.column,
                    finding.rule);
  };
  auto& findings = result_.findings;
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  // Instances of one template say the same thing once.
  findings.erase(std::unique(findings.begin(), findings.end(),
                             [&](const Finding& a, const Finding& b) { return key(a) == key(b); }),
                 findings.end());
  return std::move(result_);
}

}  // namespace xfer::analyzer
