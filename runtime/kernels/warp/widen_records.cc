// Records: loads or stores of elements that lie side by side, as of ld.v4 or of a small structure,
// where the lanes' records lie side by side as well. All lanes' elements are one vector then, and
// each element's lanes are picked out of it. Of what is read some elements may be wanted alone.

#include <llvm/IR/Constants.h>

#include <map>
#include <optional>

#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

constexpr std::uint64_t kMostElements = 8;
constexpr std::uint64_t kMostForOne = 4;  // where one element alone is wanted

/// How many bytes behind the first one the next is; nothing: it is another kind of access.
std::optional<std::uint64_t> distance(const llvm::Instruction& first,
                                      const llvm::Instruction& next) {
  if (next.getOpcode() != first.getOpcode() || next.isVolatile() || next.isAtomic() ||
      llvm::getLoadStoreType(&next) != llvm::getLoadStoreType(&first))
    return std::nullopt;
  const auto place = [](const llvm::Instruction& access) {
    return base_and_offset(const_cast<llvm::Value*>(llvm::getLoadStorePointerOperand(&access)));
  };
  const auto [base, offset] = place(first);
  const auto [its_base, its_offset] = place(next);
  return base == its_base ? std::optional(its_offset - offset) : std::nullopt;
}

/// Another may be done before it, or behind.
bool can_change_places(const llvm::Instruction& instruction, bool with_stores) {
  return with_stores ? llvm::isa<llvm::GetElementPtrInst>(instruction)
                     : !instruction.mayHaveSideEffects() && !instruction.isTerminator();
}

/// Those of `first`'s record, of so many elements, by their places in it; what is stored is all
/// there or nothing.
std::map<std::uint64_t, llvm::Instruction*> elements_of(llvm::Instruction& first,
                                                        std::uint64_t count, std::uint64_t bytes) {
  std::map<std::uint64_t, llvm::Instruction*> found{{0, &first}};
  const bool stores = llvm::isa<llvm::StoreInst>(first);
  for (llvm::Instruction* next = first.getNextNode(); next != nullptr && found.size() < count;
       next = next->getNextNode()) {
    const auto behind = distance(first, *next);
    if (behind && *behind < count * bytes && *behind % bytes == 0)
      found.try_emplace(*behind / bytes, next);
    else if (!can_change_places(*next, stores))
      break;
  }
  const bool enough =
      found.size() == count || (!stores && (found.size() > 1 || count <= kMostForOne));
  if (!enough) found.clear();
  return found;
}

llvm::SmallVector<int> every(unsigned first, unsigned step, unsigned count) {
  llvm::SmallVector<int> places;
  for (unsigned i = 0; i < count; ++i) places.push_back(static_cast<int>(first + i * step));
  return places;
}

}  // namespace

/// False: it is no record's first element. Of a load or store that is not the same for all lanes.
bool Widener::emit_record(llvm::Instruction& first) {
  llvm::Type* type = llvm::getLoadStoreType(&first);
  if (first.isVolatile() || first.isAtomic() || type->isPointerTy()) return false;
  const Address address = address_of(llvm::getLoadStorePointerOperand(&first));
  const std::uint64_t bytes = target_.getDataLayout().getTypeStoreSize(type);
  const auto steps = steps_of_places(address);
  const auto* step = steps ? llvm::dyn_cast<llvm::ConstantInt>(steps->step) : nullptr;
  if (step == nullptr || step->getZExtValue() % bytes != 0) return false;
  const std::uint64_t count = step->getZExtValue() / bytes;
  if (count < 2 || count > kMostElements) return false;
  const auto elements = elements_of(first, count, bytes);
  if (elements.empty()) return false;
  std::vector<unsigned> places;
  std::vector<llvm::Value*> stored;
  for (const auto& [place, element] : elements) {
    places.push_back(static_cast<unsigned>(place));
    if (llvm::isa<llvm::StoreInst>(first)) stored.push_back(wide(element->getOperand(0)));
    in_record_.insert(element);
  }
  std::vector<llvm::Value*> at_once, one_by_one;
  const auto [together, apart] = either(
      both(all_are_here(), steps->holds), "record",
      [&] { at_once = access_records(address, *steps, type, places, stored); },
      [&] {
        // By the first one's address: the others' are computed further down.
        for (std::size_t i = 0; i < places.size(); ++i) {
          Address its = address;
          its.offset += places[i] * bytes;
          one_by_one.push_back(access(its, type, stored.empty() ? nullptr : stored[i]));
        }
      });
  if (!stored.empty()) return true;
  std::vector<llvm::PHINode*> values;
  for (std::size_t i = 0; i < places.size(); ++i) {
    values.push_back(ir_.CreatePHI(at_once[i]->getType(), 2));
    values[i]->addIncoming(at_once[i], together);
    values[i]->addIncoming(one_by_one[i], apart);
  }
  for (std::size_t i = 0; i < places.size(); ++i) define(*elements.at(places[i]), values[i]);
  return true;
}

/// Of all lanes: the elements at those places, or nothing if they are stored. As many elements as a
/// record has are one step.
std::vector<llvm::Value*> Widener::access_records(const Address& address, const Steps& steps,
                                                  llvm::Type* type, llvm::ArrayRef<unsigned> places,
                                                  llvm::ArrayRef<llvm::Value*> stored) {
  const std::uint64_t bytes = target_.getDataLayout().getTypeStoreSize(type);
  const llvm::Align align(bytes);
  const unsigned width = kLanes / groups_;
  const auto count =
      static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(steps.step)->getZExtValue() / bytes);
  // Behind the last element that is wanted there may be no memory.
  llvm::Type* all = llvm::FixedVectorType::get(type, (width - 1) * count + places.back() + 1);
  std::vector<llvm::Value*> parts[kMostGroups];
  for (unsigned group = 0; group < groups_; ++group) {
    llvm::Value* pointer = first_at(address, steps.first[group], nullptr, nullptr);
    if (stored.empty()) {
      llvm::Value* loaded = ir_.CreateAlignedLoad(all, pointer, align);
      for (const unsigned place : places)
        parts[group].push_back(ir_.CreateShuffleVector(loaded, every(place, count, width)));
    } else {
      for (llvm::Value* value : stored) parts[group].push_back(part_of(value, group));
      ir_.CreateAlignedStore(interleaved(parts[group]), pointer, align);
    }
  }
  if (!stored.empty()) return {};
  std::vector<llvm::Value*> values;
  for (std::size_t i = 0; i < places.size(); ++i) {
    llvm::SmallVector<llvm::Value*, kMostGroups> of_groups;
    for (unsigned group = 0; group < groups_; ++group) of_groups.push_back(parts[group][i]);
    values.push_back(in_a_row(of_groups));
  }
  return values;
}

/// The first of each, then the second of each, and so on.
llvm::Value* Widener::interleaved(llvm::ArrayRef<llvm::Value*> values) {
  const auto count = static_cast<unsigned>(values.size());
  const unsigned width = llvm::cast<llvm::FixedVectorType>(values[0]->getType())->getNumElements();
  std::vector<llvm::Value*> joined(values.begin(), values.end());
  // Vectors of twice the length, until there is one; what has no pair is paired with nothing.
  unsigned length = width;
  while (joined.size() > 1) {
    if (joined.size() % 2 != 0) joined.push_back(llvm::PoisonValue::get(joined[0]->getType()));
    for (std::size_t i = 0; i < joined.size() / 2; ++i)
      joined[i] =
          ir_.CreateShuffleVector(joined[2 * i], joined[2 * i + 1], every(0, 1, 2 * length));
    joined.resize(joined.size() / 2);
    length *= 2;
  }
  llvm::SmallVector<int> places;
  for (unsigned lane = 0; lane < width; ++lane)
    for (unsigned i = 0; i < count; ++i) places.push_back(static_cast<int>(i * width + lane));
  return ir_.CreateShuffleVector(joined[0], places);
}

}  // namespace xfer::kernels
