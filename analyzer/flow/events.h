#pragma once
// The events of one function, as the last pass of the flow told them: what the checks look at.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/flow/graph.h"
#include "analyzer/flow/observer.h"

namespace xfer::analyzer {

/// Something became unknown.
struct UnknownEvent {
  std::string reason;
  const Fact* fact;
  BlockId block;
};

/// Leaves out events that no check and no summary uses: those in code that asks where something is,
/// and those of calls that expect an exception. Values that these hand over stay: they do run.
class Events : public Observer {
 public:
  explicit Events(Graph& graph) : graph_(graph) {}

  std::vector<OperandsEvent> operand_events;
  std::vector<NeedEvent> need_events;
  std::vector<GivenEvent> given_events;
  std::vector<HandedEvent> handed_events;
  std::vector<RelocatedEvent> relocated_events;
  std::vector<TransferEvent> transfer_events;  ///< also where code asks for a device
  /// Whether transfers to a device that is given are certain, by their results. Of calls that
  /// expect an exception too: a pointer into what they return dangles all the same.
  std::map<ObjectId, bool> given_transfers;
  std::vector<DataEvent> data_events;  ///< also where code asks for a device
  std::vector<FieldEvent> field_events;
  std::vector<ModuleMoveEvent> module_moves;
  std::map<ObjectId, Computed> computed_from;
  std::vector<HostAccessEvent> host_access_events;
  std::vector<MemoryCopyEvent> memory_copy_events;
  std::vector<MemoryCopyEvent> copies_within;  ///< that callees make
  std::vector<FreeEvent> free_events;
  std::vector<DeviceAccessEvent> device_access_events;
  std::vector<KeptPointerEvent> kept_pointer_events;
  std::vector<LetGoEvent> let_go_events;
  std::map<ObjectId, std::vector<std::pair<FactId, BlockId>>> reads;
  std::map<ObjectId, std::vector<BlockId>> writes;
  std::map<ObjectId, std::set<const Fact*>> written_by;
  std::map<ObjectId, std::vector<BlockId>> escapes;
  std::map<ObjectId, std::vector<BlockId>> renumberings;  ///< ObjectId(): of any object
  std::vector<BlockId> outside_writes;
  bool everything_may_be_written = false;
  std::set<std::pair<ObjectId, FieldId>> field_stores;
  std::set<ObjectId> lost_objects;
  std::vector<UnknownEvent> unknown_events;
  bool unknown_calls = false;
  bool may_wait = false;
  bool wrote_behind = false;

  void operands(const OperandsEvent& event) override {
    if (meant(event.call) && unasked(event.block)) operand_events.push_back(event);
  }
  void need(const NeedEvent& event) override {
    if (meant(event.call) && unasked(event.block)) need_events.push_back(event);
  }
  void given(const GivenEvent& event) override {
    if (meant(event.call) && unasked(event.block)) given_events.push_back(event);
  }
  void handed(const HandedEvent& event) override { handed_events.push_back(event); }
  void relocated(const RelocatedEvent& event) override { relocated_events.push_back(event); }
  void transfer(const TransferEvent& event) override {
    if (event.given) given_transfers.try_emplace(event.result, event.certain);
    if (meant(event.call)) transfer_events.push_back(event);
  }
  void data(const DataEvent& event) override {
    if (meant(event.call)) data_events.push_back(event);
  }
  void field_given(const FieldEvent& event) override { field_events.push_back(event); }
  void module_moved(const ModuleMoveEvent& event) override { module_moves.push_back(event); }
  void computed(ObjectId id, const Computed& how) override { computed_from[id] = how; }
  void host_access(const HostAccessEvent& event) override {
    if (unasked(event.block)) host_access_events.push_back(event);
  }
  void memory_copy(const MemoryCopyEvent& event) override {
    if (!meant(event.call) || !unasked(event.block)) return;
    (event.within == nullptr ? memory_copy_events : copies_within).push_back(event);
  }
  void renumbered(ObjectId id, BlockId block) override { renumberings[id].push_back(block); }
  void freed(const FreeEvent& event) override {
    if (meant(event.call)) free_events.push_back(event);
  }
  void followed_on_device(const DeviceAccessEvent& event) override {
    if (meant(event.call) && unasked(event.block)) device_access_events.push_back(event);
  }
  void let_go(const LetGoEvent& event) override { let_go_events.push_back(event); }
  void kept_pointer(const KeptPointerEvent& event) override {
    if (unasked(event.block)) kept_pointer_events.push_back(event);
  }
  void read(ObjectId id, FactId fact, BlockId block) override {
    reads[id].emplace_back(fact, block);
  }
  void written(ObjectId id, BlockId block) override {
    writes[id].push_back(block);
    written_by[id].insert(running_);
  }
  void escaped(ObjectId id, BlockId block) override { escapes[id].push_back(block); }
  void outside_written(BlockId block) override { outside_writes.push_back(block); }
  void everything_written() override { everything_may_be_written = true; }
  void running(const Fact& fact, BlockId block) override {
    running_ = &fact;
    block_ = block;
  }
  void unknown(const std::string& reason) override {
    unknown_events.push_back({reason, running_, block_});
  }
  void unknown_call() override { unknown_calls = true; }
  void waited() override { may_wait = true; }
  void written_behind() override { wrote_behind = true; }
  void field_stored(ObjectId id, FieldId field) override { field_stores.emplace(id, field); }
  void lost(ObjectId id) override { lost_objects.insert(id); }

 private:
  /// Null: no call, the host follows a pointer.
  static bool meant(const Call* call) { return call == nullptr || !call->expects_failure; }
  /// No condition that decides whether the block runs asks where something is.
  bool unasked(BlockId block) { return !graph_.guards(block).device_query; }

  Graph& graph_;
  const Fact* running_ = nullptr;
  BlockId block_ = kNoBlock;
};

/// Of the first iterations of loops, or of later ones: what must agree there, and what the host
/// does too early.
class IterationEvents : public Observer {
 public:
  explicit IterationEvents(bool again) : again_(again) {}

  void operands(const OperandsEvent& event) override {
    operand_events_.push_back(event);
    operand_events_.back().again = again_;
  }
  void need(const NeedEvent& event) override {
    need_events_.push_back(event);
    need_events_.back().again = again_;
  }
  void let_go(const LetGoEvent& event) override {
    if (again_) let_go_events_.push_back(event);
  }
  void data(const DataEvent& event) override {
    if (event.use == DataUse::kEarlyRead || event.use == DataUse::kEarlyWrite)
      data_events_.push_back(event);
  }

  void add_to(Events& events) const {
    for (const OperandsEvent& event : operand_events_) events.operands(event);
    for (const NeedEvent& event : need_events_) events.need(event);
    for (const LetGoEvent& event : let_go_events_) events.let_go(event);
    for (const DataEvent& event : data_events_) events.data(event);
  }

 private:
  bool again_;
  std::vector<OperandsEvent> operand_events_;
  std::vector<NeedEvent> need_events_;
  std::vector<LetGoEvent> let_go_events_;
  std::vector<DataEvent> data_events_;
};

}  // namespace xfer::analyzer
