#pragma once
// The input of a check: one function's facts and events, and the means to report findings. A check
// is a function over this; checks/registry.cc lists them.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/unit.h"
#include "analyzer/flow/amounts.h"
#include "analyzer/flow/events.h"
#include "analyzer/flow/fact_numbers.h"
#include "analyzer/flow/graph.h"
#include "analyzer/flow/source_text.h"
#include "analyzer/program/inference.h"
#include "analyzer/program/inflows.h"
#include "analyzer/program/module_members.h"
#include "analyzer/program/shared_finding.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

/// A fact in its block.
struct Point {
  BlockId block;
  const Fact* fact;
};

struct CheckContext {
  const Unit& unit;
  const FunctionFacts& facts;
  const Events& events;
  const FactNumbers& numbers;
  const Deciders& deciding;  ///< as Interpreter::deciding says
  const OriginTable& origins;
  const SymbolTable& symbols;
  const SourceText& source;
  Graph& graph;
  Amounts& amounts;
  ModuleMembers& members;       ///< of the whole unit
  bool current_device_changes;  ///< see Function
  std::vector<Finding>& findings;
  const Inference* program;  ///< null: not known yet
  std::size_t unit_number;   ///< in the program
  std::vector<SharedFinding>& shared;
  std::vector<ToldNeed>& needs_told;

  Spot spot(SpotId id) const { return facts.spots[id]; }
  Location at(SpotId id) const { return source.location(spot(id), facts.name); }
  const Fact* fact(FactId id) const { return numbers.fact(id); }
  /// The call that a fact is; null: it is none.
  const Call* call_of(FactId id) const;
  /// Where a call stands; none: it is no fact of its own.
  std::optional<Point> point_of(const Call& call) const;
  /// The call that made an object; null: something else did.
  const Call* made_by(ObjectId id) const;
  Note note(SpotId id, std::string message) const { return {at(id), std::move(message)}; }
  /// "`x`": how a person wrote an operand.
  std::string name(const Operand& operand) const { return name(operand.spot, operand.role); }
  std::string name(SpotId spot_id, Role role) const;
  /// "the CPU", "cuda:1", "`device`, which may be CUDA".
  std::string text(Device device) const;
  /// The same in a clause that goes on: "`device`".
  std::string short_text(Device device) const;
  /// Of an object that one path to here has moved from the CPU, what follows either text; else
  /// empty.
  std::string if_moved(Device device) const;
  Finding make(Rule rule, SpotId at, const MessageFields& fields) const;
  /// Says a finding of this function that another function's of the same operation may replace.
  void share(Finding finding, Location operation, SharedFinding::Blame blame) const;
  void add_placement(Finding& finding, const std::string& name, const Object& object) const;
  void add_choice(Finding& finding, Device device) const;
  /// Two devices differ, in some run that gets to this block.
  bool differ(Device a, Device b, BlockId block) const;
  /// The device is that of an object which one path has moved from the CPU, and that path comes to
  /// this block.
  bool moved_on_a_path_to(Device device, BlockId block) const;
  std::vector<Source> sources_of(Device device) const {
    return analyzer::sources_of({unit, facts, origins, symbols, deciding}, device);
  }
  std::vector<Source> sources_of(const Object& object) const { return sources_of(object.device); }
  /// Where the whole program has what this function does not know; nowhere: it is known here, or
  /// the program is not.
  DeviceSet places_in_program(Device device) const;
  DeviceSet places_in_program(const Object& object) const {
    return places_in_program(object.device);
  }
  /// Wherever it comes from, the whole program has it on the CPU.
  bool always_on_cpu(const Object& object) const;
  /// The transfer copies what nobody else may change, in some run.
  bool copies(const TransferEvent& event) const;
  /// A handler waits for its failure, and nothing reads the copy: it is tried whether there is such
  /// a device.
  bool tries_device(const TransferEvent& event) const;
  /// Conclusions from a symbol's possible values hold in this block.
  bool unguarded(BlockId block, bool symbolic) const;
  /// The object, or the version, was made before the loop.
  bool made_before(ObjectId id, const Loop& loop) const {
    return made_before(first_version(id), loop);
  }
  bool made_before(VersionId id, const Loop& loop) const;
  /// The widest loop that runs the block in every iteration and, as those in it do, passes; null:
  /// none.
  const Loop* widest_loop(BlockId block, const std::function<bool(const Loop&)>& passes) const;
};

/// As where a macro writes its argument twice, to say what failed: it runs once.
bool same_place(const Location& a, const Location& b);
/// One of the object's events is in the loop.
bool happens_in(const std::map<ObjectId, std::vector<BlockId>>& events, ObjectId id,
                const Loop& loop);
/// Only this fact reads the object, and nothing writes to it or may keep it.
bool read_only_by(const CheckContext& context, ObjectId id, FactId fact);
/// Some call in the block is such a one.
bool any_call(const FunctionFacts& facts, const Block& block, bool (*is)(const Call&));
/// Where to report an operand of a call: there, or at the call if it is written elsewhere, as in an
/// array of arguments.
SpotId spot_in(const CheckContext& context, const Call& call, SpotId operand);
/// The call that allocated memory, where this function did; null: another did, or nothing is known.
const Call* allocation_of(const CheckContext& context, const Object& memory);
/// The call that allocated device, pinned or managed memory, and how many bytes.
struct Allocation {
  const Call* call = nullptr;  ///< null: nothing here did
  Formula bytes;
  std::string text;  ///< the bytes, for a person
  bool pool = false;

  explicit operator bool() const { return call != nullptr; }
};
/// Of memory as this object: by a call, or by what that calls.
Allocation dear_allocation(const CheckContext& context, ObjectId memory);
/// The call reads a clock, as its row says.
bool asks_the_time(const Call& call);

/// Such a call is written between the two, in the file of the first.
bool stands_between(const CheckContext& context, const Call& first, const Call& second,
                    bool (*is)(const Call&));
/// The call makes the host wait for a device.
bool waits(const Call& call);

/// The parts of the rules that speak of raw memory: checks/memory_copies.cc,
/// checks/unset_memory.cc.
void check_repeated_copies(const CheckContext& context);
void check_copies_in_loops(const CheckContext& context);
void check_copies_and_back(const CheckContext& context);
void check_pageable_copies(const CheckContext& context);
void check_unset_memory(const CheckContext& context);
void check_unused_copies(const CheckContext& context);

void check_missing_transfer(const CheckContext& context);
void check_discarded_transfer(const CheckContext& context);
void check_repeated_transfer(const CheckContext& context);
void check_transfer_in_loop(const CheckContext& context);
void check_round_trip(const CheckContext& context);
void check_host_access(const CheckContext& context);
void check_dangling_transfer(const CheckContext& context);
void check_unused_transfer(const CheckContext& context);
void check_convert_side(const CheckContext& context);
void check_leaf_moved(const CheckContext& context);
void check_unregistered_tensor(const CheckContext& context);
void finish_unregistered_tensor(const ModuleMembers& members, const Unit& unit,
                                std::vector<Finding>& findings);
void check_create_on_host(const CheckContext& context);
void check_sync_in_loop(const CheckContext& context);
void check_pin_per_call(const CheckContext& context);
void check_pageable_async(const CheckContext& context);
void check_fake_pinning(const CheckContext& context);
void check_hard_coded_device(const CheckContext& context);
void check_read_before_sync(const CheckContext& context);
void check_async_source_reuse(const CheckContext& context);
void check_host_pointer_to_kernel(const CheckContext& context);
void check_copy_kind(const CheckContext& context);
void check_copy_size(const CheckContext& context);
void check_use_after_free(const CheckContext& context);
void check_alloc_in_loop(const CheckContext& context);
void check_leak(const CheckContext& context);
void check_wrong_current_device(const CheckContext& context);

struct Check {
  Rule rule;
  void (*run)(const CheckContext&);
  /// After the last function of the unit; null: all is said function by function.
  void (*finish)(const ModuleMembers&, const Unit&, std::vector<Finding>&) = nullptr;
};

const std::vector<Check>& checks();

}  // namespace xfer::analyzer
