#pragma once
// The analysis of one translation unit: functions one by one, callees before callers, each with its
// facts, flow, checks and summary.

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/DenseMap.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>

#include "analyzer/analyze.h"
#include "analyzer/checks/check.h"
#include "analyzer/linkage.h"
#include "analyzer/unit_scan.h"

namespace xfer::analyzer {

class Engine : public Surroundings {
 public:
  Engine(clang::ASTContext& context, const ModelSet& models, const AnalysisOptions& options);

  void analyze(const clang::FunctionDecl& function);
  AnalysisResult take();

  const Summary& summary_of(const clang::FunctionDecl& function) override;
  bool may_be_cuda(const clang::ValueDecl& device) override { return scan_.may_be_cuda(device); }
  const SettledField* settled(const clang::FieldDecl& field) override;
  Strict strict(const clang::FieldDecl& field) override;
  Device default_place() override;

 private:
  const Summary& summary_elsewhere(const clang::FunctionDecl& function);
  std::vector<SettledField> settle(const clang::CXXRecordDecl& record);
  bool constructing(const clang::CXXRecordDecl& record) const;
  // kept_fields.cc
  const SettledField* kept(const clang::FieldDecl& module);
  using Methods = llvm::SmallPtrSet<const clang::FunctionDecl*, 4>;
  bool all_leave(const clang::FieldDecl& module, const Methods& methods,
                 const std::function<bool(const Summary&, bool constructor)>& passes);
  std::optional<Device> always_on(const clang::FieldDecl& module);
  bool keeps(const clang::FieldDecl& module, const clang::FieldDecl& device);
  bool seen(const clang::FieldDecl& field);
  bool decided_now(const clang::FieldDecl& field);
  Summary analyze_body(const clang::FunctionDecl& function);
  bool wanted(Rule rule) const { return options_.rules.empty() || options_.rules.count(rule) != 0; }
  void judge(const CheckContext& context);
  // given_parameters.cc
  /// Of parameters that some call in this unit gives tensors on CUDA: such a call.
  using GivenCuda = std::map<std::uint32_t, Location>;
  void judge_given(const CheckContext& context, const GivenCuda& given);
  void note_given(const CheckContext& context);
  void export_summaries();
  bool speaks_of(clang::FileID file, std::initializer_list<const char*> names) const;
  bool current_device_changes(const clang::FunctionDecl& function);

  clang::ASTContext& context_;
  const ModelSet& models_;
  const AnalysisOptions& options_;
  Types types_;
  Unreadable unreadable_;
  FieldTable fields_;
  FactsBuilder builder_;
  UnitScan scan_;
  SourceText source_;
  ModuleMembers members_;
  llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<Summary>> summaries_;
  llvm::DenseMap<const clang::CXXRecordDecl*, std::vector<SettledField>> settled_;
  std::map<const clang::FieldDecl*, SettledField> kept_;  ///< field null: not kept
  std::map<const clang::FunctionDecl*, GivenCuda> given_;
  std::vector<const clang::FunctionDecl*> to_judge_again_;
  bool judging_given_ = false;
  llvm::DenseMap<unsigned, bool> device_changes_;
  std::optional<Device> default_place_;
  llvm::DenseMap<const clang::FunctionDecl*, const Summary*> elsewhere_;
  LinkNames links_;
  Summary unknown_;
  AnalysisResult result_;
};

/// Whoever changes a field of the class is in this unit.
bool bodies_seen(const clang::CXXRecordDecl& record);

/// What the summary says that is left in the field; null: nothing.
const FieldHeld* find(const Summary& summary, const clang::FieldDecl& field);

/// The summary of a function from its flow and events.
Summary summarise(const FunctionFacts& facts, const Interpreter& interpreter, const Flow& flow,
                  const Events& events, const OriginTable& origins, const SymbolTable& symbols,
                  const SourceText& source, Graph& graph);

}  // namespace xfer::analyzer
