#include "cudart/graph/named_places.h"

#include "cudart/graph/raw_arguments.h"

namespace xfer::emulator {
namespace {

class Collector {
 public:
  explicit Collector(Machine& machine) : machine_(machine) {}

  void add(const Graph& graph) {
    for (const auto& node : graph.nodes)
      if (node->enabled) std::visit([this](const auto& work) { add_work(work); }, node->work);
  }
  std::vector<NamedPlace> take() { return std::move(places_); }

 private:
  void add_work(const CopyWork& work) {
    if (!work.copy.from_array) add_used(work.copy.source);
    if (!work.copy.to_array) add_used(work.copy.destination);
  }
  void add_work(const Fill& fill) { add_used(fill.destination); }
  void add_work(const KernelWork& work) {
    if (work.arguments == nullptr) return;
    work.arguments->for_words([this](std::uintptr_t word) {
      if (machine_.memory().device_of(word) >= 0) places_.push_back({word, false});
    });
  }
  void add_work(const ChildWork& work) { add(*work.graph); }
  template <class Other>
  void add_work(const Other&) {}

  void add_used(const void* address) {
    places_.push_back({reinterpret_cast<std::uintptr_t>(address), true});
  }

  Machine& machine_;
  std::vector<NamedPlace> places_;
};

}  // namespace

std::vector<NamedPlace> named_places(Machine& machine, const Graph& graph) {
  Collector collector(machine);
  collector.add(graph);
  return collector.take();
}

}  // namespace xfer::emulator
