#pragma once
// The analysis of a unit's facts: functions one by one, callees before callers, each with its flow,
// checks and summary.

#include <map>
#include <memory>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/checks/check.h"
#include "analyzer/facts/unit.h"
#include "analyzer/program/class_fields.h"
#include "analyzer/program/inflows.h"

namespace xfer::analyzer {

/// In order; instances of one template say the same thing once.
void sort_findings(std::vector<Finding>& findings);

class UnitAnalysis : public Surroundings, private ClassFields::Summaries {
 public:
  UnitAnalysis(const Unit& unit, const AnalysisOptions& options);

  AnalysisResult run();

  const Summary& summary_of(FunctionId function) override;
  const Summary& summary_of_any(FunctionId method) override;
  const SettledField* settled(FieldId field) override { return fields_.settled(field); }
  Strict strict(FieldId field) override { return fields_.strict(field); }

 private:
  struct Slot {
    bool asked = false;
    const Summary* known = nullptr;  ///< null: being made
    std::unique_ptr<Summary> own;
  };

  bool in_progress(FunctionId function) const override;
  const Summary& summary_elsewhere(FunctionId function);
  void add_overrider(FunctionId method, FunctionId of, unsigned depth);
  Summary combine_overriders(FunctionId method);
  void export_overriders();
  Summary analyze_body(FunctionId function);
  bool wanted(Rule rule) const { return options_.rules.empty() || options_.rules.count(rule) != 0; }
  void judge(const CheckContext& context);
  // given_parameters.cc
  /// Of parameters that some call in this unit gives tensors on CUDA: such a call.
  using GivenCuda = std::map<std::uint32_t, Location>;
  void judge_given(const CheckContext& context, const GivenCuda& given);
  void note_given(const CheckContext& context);
  void export_summaries();

  const Unit& unit_;
  const AnalysisOptions& options_;
  SourceText source_;
  ClassFields fields_;
  ModuleMembers members_;
  std::vector<Slot> summaries_;                               ///< by the functions' numbers
  std::map<FunctionId, std::vector<FunctionId>> overriders_;  ///< of methods, those of this unit
  std::map<FunctionId, Summary> of_any_;                      ///< of methods that calls name
  std::map<FunctionId, GivenCuda> given_;
  std::vector<FunctionId> to_judge_again_;
  bool judging_given_ = false;
  const Summary unknown_;
  AnalysisResult result_;
};

}  // namespace xfer::analyzer
