#include "analyzer/checks/check.h"

#include <algorithm>
#include <set>

namespace xfer::analyzer {

std::optional<Point> CheckContext::point_of(const Call& call) const {
  for (const BlockId block : facts.blocks.ids())
    for (const Fact& fact : facts.blocks[block].facts)
      if (analyzer::call_of(facts, fact) == &call) return Point{block, &fact};
  return std::nullopt;
}

const Call* CheckContext::call_of(FactId id) const {
  const Fact* fact = numbers.fact(id);
  return fact == nullptr ? nullptr : analyzer::call_of(facts, *fact);
}

const Call* CheckContext::made_by(ObjectId id) const {
  const OriginTable::Entry& made = origins[id];
  return made.origin == Origin::kFact ? call_of(made.fact()) : nullptr;
}

std::string CheckContext::name(SpotId spot_id, Role role) const {
  if (!spot_id) return role == Role::kModule ? "the module" : "a value";
  std::string text = source.text(spot(spot_id));
  while (text.size() > 1 && (text.back() == '>' || text.back() == '-' || text.back() == '.'))
    text.pop_back();
  if (text.empty()) return role == Role::kModule ? "the module" : "a value";
  return "`" + text + "`";
}

std::string CheckContext::short_text(Device device) const {
  switch (device.kind) {
    case DeviceKind::kCpu: return "the CPU";
    case DeviceKind::kCuda:
      return !device.is_indexed() ? "CUDA" : "cuda:" + std::to_string(device.index);
    case DeviceKind::kSymbol: {
      const Symbol& symbol = symbols[device.symbol];
      if (symbol.on_one_path) return short_text(*symbol.on_one_path);
      return symbol.name.empty() ? "a device chosen at run time" : "`" + symbol.name + "`";
    }
    case DeviceKind::kBottom:
    case DeviceKind::kUnknown: break;
  }
  return "an unknown device";
}

std::string CheckContext::if_moved(Device device) const {
  return device.is_symbol() && symbols[device.symbol].on_one_path ? " if it was moved" : "";
}

std::string CheckContext::text(Device device) const {
  std::string text = short_text(device) + if_moved(device);
  if (device.is_symbol() && symbols[device.symbol].may_cuda) text += ", which may be CUDA";
  return text;
}

Finding CheckContext::make(Rule rule, SpotId spot_id, const MessageFields& fields) const {
  Finding finding;
  finding.rule = rule;
  finding.severity = info(rule).severity;
  finding.confidence = Confidence::kCertain;
  finding.location = at(spot_id);
  finding.message = format_message(info(rule).lint_message, fields);
  return finding;
}

void CheckContext::share(Finding finding, Location operation, SharedFinding::Blame blame) const {
  shared.push_back({std::move(finding), std::move(operation), unit[facts.function].qualified_name,
                    blame, unit_number});
}

void CheckContext::add_placement(Finding& finding, const std::string& name,
                                 const Object& object) const {
  if (!object.placed_at) return;
  const std::string device = short_text(object.device);
  switch (object.placed) {
    case Placed::kMade:
      finding.notes.push_back(note(object.placed_at, name + " was made on " + device + " here"));
      break;
    case Placed::kMoved:
      finding.notes.push_back(note(object.placed_at, name + " was moved to " + device + " here"));
      break;
    case Placed::kComputed:
      finding.notes.push_back(
          note(object.placed_at, name + " was computed on " + device + " here"));
      break;
    case Placed::kUnknown:
    case Placed::kGiven: break;
  }
}

void CheckContext::add_choice(Finding& finding, Device device) const {
  if (!device.is_symbol()) return;
  const Symbol& symbol = symbols[device.symbol];
  if (symbol.chosen)
    finding.notes.push_back(note(symbol.chosen, short_text(device) + " is chosen here"));
}

DeviceSet CheckContext::places_in_program(Device device) const {
  if (program == nullptr || !device.is_symbol()) return {};
  return program->known(unit_number, sources_of(device)).devices;
}

bool CheckContext::always_on_cpu(const Object& object) const {
  return object.device.is_cpu() || places_in_program(object).always_cpu();
}

bool CheckContext::copies(const TransferEvent& event) const {
  return event.certain || (event.perhaps && always_on_cpu(event.source_object));
}

bool CheckContext::tries_device(const TransferEvent& event) const {
  if (events.reads.contains(event.result)) return false;
  return std::ranges::any_of(facts.blocks[event.block].successors,
                             [&](BlockId next) { return facts.blocks[next].catches; });
}

bool CheckContext::unguarded(BlockId block, bool symbolic) const {
  const Guards guards = graph.guards(block);
  return !guards.device_query && !(symbolic && guards.device_choice);
}

bool CheckContext::differ(Device a, Device b, BlockId block) const {
  if (relate(a, b) == Relation::kDifferent) return true;
  const auto is_current = [](Device device) {
    return device.is_cuda() && device.index == Device::kCurrent;
  };
  if (a.is_cuda() && b.is_cuda() && is_current(a) != is_current(b)) {
    const Device indexed = is_current(a) ? b : a;
    return indexed.index > 0 && !current_device_changes;
  }
  const auto always_differ = [&](Device cpu, Device other) {
    return cpu.is_cpu() && other.is_symbol() && symbols[other.symbol].always_cuda;
  };
  if (always_differ(a, b) || always_differ(b, a)) return true;
  const auto may_differ = [&](Device cpu, Device other) {
    return cpu.is_cpu() && other.is_symbol() &&
           (symbols.may_be_cuda(other) || moved_on_a_path_to(other, block));
  };
  return (may_differ(a, b) || may_differ(b, a)) && unguarded(block, true);
}

bool CheckContext::moved_on_a_path_to(Device device, BlockId block) const {
  const Symbol& symbol = symbols[device.symbol];
  return symbol.on_one_path && graph.follows(block, symbol.block);
}

bool CheckContext::made_before(VersionId id, const Loop& loop) const {
  const BlockId block = origins[id].block;
  return block == kNoBlock || !loop.blocks[block];
}

const Loop* CheckContext::widest_loop(BlockId block,
                                      const std::function<bool(const Loop&)>& passes) const {
  const Loop* widest = nullptr;
  for (const Loop* loop : graph.loops_around(block)) {
    if (!graph.runs_every_iteration(*loop, block) || !passes(*loop)) break;
    widest = loop;
  }
  return widest;
}

bool same_place(const Location& a, const Location& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

bool happens_in(const std::map<ObjectId, std::vector<BlockId>>& events, ObjectId id,
                const Loop& loop) {
  const auto found = events.find(id);
  return found != events.end() && std::any_of(found->second.begin(), found->second.end(),
                                              [&](BlockId block) { return loop.blocks[block]; });
}

bool read_only_by(const CheckContext& context, ObjectId id, FactId fact) {
  const auto reads = context.events.reads.find(id);
  return reads != context.events.reads.end() && context.events.escapes.count(id) == 0 &&
         context.events.writes.count(id) == 0 &&
         std::all_of(reads->second.begin(), reads->second.end(),
                     [&](const auto& read) { return read.first == fact; });
}

bool any_call(const FunctionFacts& facts, const Block& block, bool (*is)(const Call&)) {
  return std::any_of(block.facts.begin(), block.facts.end(), [&](const Fact& fact) {
    const Call* call = call_of(facts, fact);
    return call != nullptr && is(*call);
  });
}

bool asks_the_time(const Call& call) { return call.asks_time; }

bool stands_between(const CheckContext& context, const Call& first, const Call& second,
                    bool (*is)(const Call&)) {
  const Spot begin = context.spot(first.callee_spot);
  const unsigned end = context.spot(second.callee_spot).at;
  return std::ranges::any_of(context.facts.calls, [&](const Call& call) {
    if (!is(call)) return false;
    const Spot spot = context.spot(call.callee_spot);
    return spot.file == begin.file && spot.at > begin.at && spot.at < end;
  });
}

SpotId spot_in(const CheckContext& context, const Call& call, SpotId operand) {
  const Spot whole = context.spot(call.spot);
  const Spot part = context.spot(operand);
  const bool within = part.file == whole.file && part.at >= whole.begin && part.at <= whole.end;
  return within || whole.begin == whole.end ? operand : call.callee_spot;
}

const Call* allocation_of(const CheckContext& context, const Object& memory) {
  if (memory.kind != ObjectKind::kMemory || memory.placed != Placed::kMade || !memory.placed_at)
    return nullptr;
  for (const Call& call : context.facts.calls)
    if (call.spot == memory.placed_at && call.model != nullptr &&
        call.model->kind == CallKind::kAllocate)
      return &call;
  return nullptr;
}

Allocation dear_allocation(const CheckContext& context, ObjectId memory) {
  const auto& rooms = context.amounts.rooms;
  if (const auto room = rooms.find(memory); room != rooms.end() && room->second.untouched)
    return {&context.facts.calls[room->second.made], context.amounts.bytes(room->second), "bytes",
            false};
  const Call* made = context.made_by(memory);
  if (made == nullptr || made->model == nullptr || made->model->kind != CallKind::kAllocate ||
      (made->model->result == Placement::kCpu && !made->model->pins))
    return {};
  return {made, context.amounts.bytes(context.facts.calls.id_of(*made)),
          "`" + made->size.text + "` bytes", made->model->asynchronous};
}

bool waits(const Call& call) {
  return call.model != nullptr && call.model->kind == CallKind::kSynchronize;
}

}  // namespace xfer::analyzer
