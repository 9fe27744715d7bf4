#pragma once
// missing-transfer, where a function moves one tensor of an object to a device that may be CUDA,
// but not another that came as it did, and the two meet in a function of their own.

#include <optional>
#include <string>
#include <vector>

#include "analyzer/checks/agreements.h"
#include "analyzer/checks/operand_pair.h"

namespace xfer::analyzer {

class MovedWithout {
 public:
  MovedWithout(const CheckContext& context, const Agreements& agreements)
      : context_(context), agreements_(agreements) {}

  /// True: it is a finding.
  bool judge(const Meeting& at, const OperandView& a, const OperandView& b);

 private:
  /// A field, as the function found it in an object.
  struct Part {
    ObjectId base;
    FieldId field;
    friend bool operator==(const Part&, const Part&) = default;
  };
  std::optional<Part> part_at(Device place) const;
  /// Those that are where the operand is, or that it was made of: at one of `places`.
  std::vector<Part> left_parts(const OperandView& view, const std::vector<Device>& places) const;
  bool judge_left(const Meeting& at, const OperandView& left, const OperandView& other,
                  bool left_first);
  /// The move of what is in `moved`, which left what is in `left` where it was; null: none is.
  const Inflow* move_without(const Part& left, const Part& moved) const;
  /// Of all the fields of a class that the function moves: the first.
  Location first_move(FunctionId function, ClassId owner) const;
  void report(const Meeting& at, const Part& left, const Part& moved, const Inflow& move);
  std::string name(const Part& part) const;

  const CheckContext& context_;
  const Agreements& agreements_;
  std::vector<Part> told_;
};

}  // namespace xfer::analyzer
