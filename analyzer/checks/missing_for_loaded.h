#pragma once
// missing-transfer, where a script is read from a file, which fixes where it is, and its input is
// where the program chooses when it runs: for one of the choices they are apart. Weights that are
// read into a module are left out: most often the program has saved them where it wants them.

#include <vector>

#include "analyzer/checks/agreements.h"

namespace xfer::analyzer {

class MissingForLoaded {
 public:
  MissingForLoaded(const CheckContext& context, const Agreements& agreements)
      : context_(context), agreements_(agreements) {}

  /// True: it is a finding.
  bool judge(const Meeting& at, const OperandView& a, const OperandView& b);

 private:
  bool judge_module(const Meeting& at, const OperandView& module, const OperandView& input);
  bool is_loaded(const OperandView& module) const;
  bool is_chosen(Device device) const;

  const CheckContext& context_;
  const Agreements& agreements_;
  std::vector<Device> told_;  ///< modules' places; their first call tells
};

}  // namespace xfer::analyzer
