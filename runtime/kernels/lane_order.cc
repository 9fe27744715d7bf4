#include "kernels/lane_order.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "kernels/control_flow.h"

namespace xfer::kernels {
namespace {

using ptx::Instruction;

/// Where lanes come together.
bool settles(const Instruction& instruction) {
  constexpr std::array<std::string_view, 9> kMeetings = {
      "bar", "barrier", "shfl", "vote", "match", "redux", "mma", "wmma", "mbarrier"};
  return std::ranges::find(kMeetings, instruction.operation) != kMeetings.end();
}

bool stores(const Instruction& instruction) {
  constexpr std::array<std::string_view, 3> kStores = {"st", "atom", "red"};
  return instruction.has("shared") &&
         std::ranges::find(kStores, instruction.operation) != kStores.end();
}

bool loads(const Instruction& instruction) {
  return instruction.operation == "ld" && instruction.has("shared");
}

class Paths {
 public:
  explicit Paths(const ptx::Body& body) : body_(body), unsettled_(body.instructions.size()) {}

  /// Walks from each store as far as nothing settles it.
  bool reach_a_load() {
    for (std::size_t at = 0; at < body_.instructions.size(); ++at)
      if (stores(body_.instructions[at])) go_on_behind(at);
    while (!left_.empty()) {
      const std::size_t at = left_.back();
      left_.pop_back();
      const Instruction& instruction = body_.instructions[at];
      if (loads(instruction)) return true;
      if (!settles(instruction)) go_on_behind(at);
    }
    return false;
  }

 private:
  void visit(std::size_t at) {
    if (at >= unsettled_.size() || unsettled_[at]) return;
    unsettled_[at] = true;
    left_.push_back(at);
  }
  void go_on_behind(std::size_t at) {
    each_next(body_, at, [&](std::size_t next) { visit(next); });
  }

  const ptx::Body& body_;
  std::vector<bool> unsettled_;  ///< instructions that were reached
  std::vector<std::size_t> left_;
};

}  // namespace

bool counts_on_lane_order(const ptx::Body& body) { return Paths(body).reach_a_load(); }

}  // namespace xfer::kernels
