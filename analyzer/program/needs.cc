#include "analyzer/program/needs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "analyzer/program/inflows.h"

namespace xfer::analyzer {
namespace {

constexpr std::size_t kMostOfBranches = 64;

class NeedsOfFunction {
 public:
  NeedsOfFunction(const FunctionView& function, const Events& events, Graph& graph,
                  const SourceText& source, const Inference* program, std::size_t number,
                  CallersTerms& terms)
      : function_(function),
        events_(events),
        graph_(graph),
        source_(source),
        program_(program),
        number_(number),
        terms_(terms) {}

  std::vector<Need> find() {
    for (const OperandsEvent& event : events_.operand_events) needs_of(event);
    for (const NeedEvent& event : events_.need_events) forward_need(event);
    for (const DeviceAccessEvent& event : events_.device_access_events)
      // Devices follow pinned and managed memory, wherever it is.
      if (event.pointer.object.memory != Memory::kPinned &&
          event.pointer.object.memory != Memory::kManaged)
        need_of({}, event.pointer.object.device, Device::cuda(Device::kCurrent), event.block,
                event.call->callee_spot, event.call->spot);
    for (const HostAccessEvent& event : events_.host_access_events) host_need(event);
    for (const OfBranches& need : of_branches_)
      if (graph_.one_runs_if_loops_do(need.blocks)) add(need.need);
    return std::move(needs_);
  }

 private:
  /// A need that each of some branches has.
  struct OfBranches {
    Need need;
    std::vector<BlockId> blocks;
  };

  /// Every call comes to it, or at least every one that gives what the need speaks of.
  bool certain(BlockId block, const Need& need) {
    std::set<VariableId> given;
    for (const DeviceTerm* term : {&need.first, &need.second})
      if (term->kind == DeviceTerm::Kind::kOfParameter &&
          term->parameter < function_.facts.parameters.size())
        given.insert(function_.facts.parameters[term->parameter]);
    return graph_.runs_where_given(block, given);
  }

  /// The code runs wherever things are.
  bool unasked(BlockId block) {
    const Guards guards = graph_.guards(block);
    return !guards.device_query && !guards.device_choice;
  }

  void add(Need need, BlockId block) {
    if (!unasked(block)) return;
    if (certain(block, need)) return add(std::move(need));
    for (OfBranches& other : of_branches_) {
      Need& known = other.need;
      if (known.first != need.first || known.second != need.second ||
          known.host_access != need.host_access || known.host_reads != need.host_reads ||
          known.host_writes != need.host_writes)
        continue;
      known.zero_dim_cpu |= need.zero_dim_cpu;
      known.first_has_dims &= need.first_has_dims;
      known.second_has_dims &= need.second_has_dims;
      return other.blocks.push_back(block);
    }
    if (of_branches_.size() < kMostOfBranches) of_branches_.push_back({std::move(need), {block}});
  }

  void add(Need need) {
    const bool known = std::any_of(needs_.begin(), needs_.end(), [&](const Need& other) {
      return other.first == need.first && other.second == need.second &&
             other.zero_dim_cpu == need.zero_dim_cpu &&
             other.first_has_dims == need.first_has_dims &&
             other.second_has_dims == need.second_has_dims &&
             other.host_access == need.host_access && other.host_reads == need.host_reads &&
             other.host_writes == need.host_writes;
    });
    if (!known && needs_.size() < 16) needs_.push_back(std::move(need));
  }

  void needs_of(const OperandsEvent& event) {
    if (event.indexing || event.again) return;
    for (std::size_t i = 0; i < event.operands.size(); ++i)
      for (std::size_t j = i + 1; j < event.operands.size(); ++j) {
        std::optional<Need> need = pair(event.operands[i], event.operands[j], event.zero_dim_cpu);
        if (!need) continue;
        need->at =
            source_.location(function_.facts.spots[event.call->callee_spot], function_.facts.name);
        need->what = "`" + source_.text(function_.facts.spots[event.call->spot]) + "`";
        add(std::move(*need), event.block);
      }
  }

  void forward_need(const NeedEvent& event) {
    if (event.again) return;
    std::optional<Need> need = pair(event.first, event.second, event.need->zero_dim_cpu);
    if (!need) return;
    need->host_access = event.need->host_access;
    need->host_reads = event.need->host_reads;
    need->host_writes = event.need->host_writes;
    need->at = event.need->at;
    need->what = event.need->what;
    add(std::move(*need), event.block);
  }

  void host_need(const HostAccessEvent& event) {
    Need need;
    const bool memory = event.object.kind == ObjectKind::kMemory;
    need.host_access = !memory;
    need.host_reads = memory && !event.access->writes;
    need.host_writes = memory && event.access->writes;
    need_of(std::move(need), event.object.device, Device::cpu(), event.block, event.spot,
            event.spot);
  }

  /// Memory that is followed by the host, or on a device, must be there.
  void need_of(Need need, Device memory, Device wanted, BlockId block, SpotId at, SpotId what) {
    need.first = terms_.of(memory);
    need.second.kind = DeviceTerm::Kind::kDevice;
    need.second.device = wanted;
    if (!memory.is_symbol() || need.first.kind != DeviceTerm::Kind::kOfParameter) return;
    need.at = source_.location(function_.facts.spots[at], function_.facts.name);
    need.what = "`" + source_.text(function_.facts.spots[what]) + "`";
    add(std::move(need), block);
  }

  /// The need that two operands, which may or may not agree, put on the caller.
  std::optional<Need> pair(const OperandView& a, const OperandView& b, bool zero_dim_cpu) {
    if (relate(a.object.device, b.object.device) != Relation::kUnsure) return std::nullopt;
    Need need;
    need.zero_dim_cpu = zero_dim_cpu;
    need.first = terms_.of(a.object.device);
    need.second = terms_.of(b.object.device);
    need.first_has_dims = keeps_dims(a);
    need.second_has_dims = keeps_dims(b);
    const OperandView* first = &a;
    const OperandView* second = &b;
    if (!need.first.of_caller()) {
      std::swap(need.first, need.second);
      std::swap(need.first_has_dims, need.second_has_dims);
      std::swap(first, second);
    }
    if (!need.first.of_caller() || need.first == need.second) return std::nullopt;
    const bool told = need.second.kind == DeviceTerm::Kind::kUnknown;
    if (told && !told_by_program(*first, *second, need.second)) return std::nullopt;
    // A CPU operand against a device that may be CUDA is said here, once.
    const auto said = [&](Device cpu, Device other) {
      return cpu.is_cpu() && other.is_symbol() && function_.symbols.may_be_cuda(other);
    };
    if (said(a.object.device, b.object.device) || said(b.object.device, a.object.device))
      return std::nullopt;
    if (zero_dim_cpu && (stays_scalar(a) || stays_scalar(b))) return std::nullopt;
    if (!told && (need.second.kind == DeviceTerm::Kind::kParameter || !need.second.of_caller())) {
      // A value that the callee made itself, and that may be a scalar, may stay where it is.
      const bool cpu_scalar = !second->module && second->object.rank != Rank::kNonZero &&
                              !second->object.device.is_cuda();
      if (zero_dim_cpu && cpu_scalar) return std::nullopt;
    }
    return need;
  }

  /// Of what the caller gives, some other caller gives it on CUDA, or nobody knows; it meets what
  /// is on CUDA for the whole program, in some run: `term`.
  bool told_by_program(const OperandView& given, const OperandView& other, DeviceTerm& term) {
    if (program_ == nullptr || !other.object.device.is_symbol()) return false;
    // A value that all callers give on the CPU is reported where the two meet.
    if (places(given).always_cpu() || !places(other).may_be_cuda()) return false;
    term.kind = DeviceTerm::Kind::kChoice;
    term.choice = terms_.choice_of(other.object.device.symbol);
    term.may_cuda = term.found = true;
    return true;
  }
  DeviceSet places(const OperandView& view) const {
    return program_->known(number_, sources_of(function_, view.object.device)).devices;
  }

  /// It has dimensions, and is where one tensor of the caller's is: not where several agree.
  bool keeps_dims(const OperandView& view) const {
    const Device at = view.object.device;
    return !view.module && view.object.rank == Rank::kNonZero && at.is_symbol() &&
           function_.symbols[at.symbol].all_of.empty();
  }

  /// A value computed here that has no dimensions: it may meet CUDA tensors from the CPU.
  static bool stays_scalar(const OperandView& view) {
    return !view.module && view.object.rank == Rank::kZero;
  }

  const FunctionView& function_;
  const Events& events_;
  Graph& graph_;
  const SourceText& source_;
  const Inference* program_;
  const std::size_t number_;  ///< of the unit in it
  CallersTerms& terms_;
  std::vector<Need> needs_;
  std::vector<OfBranches> of_branches_;
};

}  // namespace

std::vector<Need> needs_of(const FunctionView& function, const Events& events, Graph& graph,
                           const SourceText& source, const Inference* program, std::size_t number,
                           CallersTerms& terms) {
  return NeedsOfFunction(function, events, graph, source, program, number, terms).find();
}

}  // namespace xfer::analyzer
