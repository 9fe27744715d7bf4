// The devices of a module's tensors.
#include <algorithm>
#include <ostream>
#include <sstream>

#include "core/check.h"
#include "nn/layer.h"

namespace tensorlib::nn {

std::vector<Module::DeviceUse> Module::devices() const {
  std::vector<DeviceUse> found;
  const auto add = [&](const OrderedDict<std::string, Tensor>& tensors) {
    for (const auto& item : tensors) {
      const Device device = item.value().device();
      auto use = std::find_if(found.begin(), found.end(),
                              [&](const DeviceUse& known) { return known.device == device; });
      if (use == found.end()) use = found.insert(found.end(), DeviceUse{device, 0, 0, {}});
      ++use->tensors;
      use->bytes += item.value().nbytes();
      use->names.push_back(item.key());
    }
  };
  add(named_parameters());
  add(named_buffers());
  std::stable_sort(found.begin(), found.end(),
                   [](const DeviceUse& a, const DeviceUse& b) { return a.bytes > b.bytes; });
  return found;
}

Device Module::device(CallSite site) const {
  const auto found = devices();
  if (found.size() == 1) return found[0].device;
  if (found.empty()) {
    throw DeviceError(
        str_cat("device: ", short_name(*this), " has no parameters or buffers, and so no device"),
        site);
  }
  std::ostringstream list;
  list << found;
  std::string lines = list.str();
  if (!lines.empty() && lines.back() == '\n') lines.pop_back();
  throw DeviceError(
      str_cat("device: ", short_name(*this), " is spread over ", found.size(), " devices\n", lines,
              "\nhelp: move all of it: module->to(torch::Device(\"", found[0].device, "\"))"),
      site);
}

std::ostream& operator<<(std::ostream& out, const std::vector<Module::DeviceUse>& devices) {
  constexpr size_t kShown = 4;
  for (const Module::DeviceUse& use : devices) {
    out << "  " << use.device << "  " << use.tensors
        << (use.tensors == 1 ? " tensor, " : " tensors, ") << use.bytes << " bytes: ";
    for (size_t i = 0; i < std::min(kShown, use.names.size()); ++i) {
      out << (i == 0 ? "" : ", ") << use.names[i];
    }
    out << (use.names.size() > kShown ? ", ...\n" : "\n");
  }
  return out;
}

}  // namespace tensorlib::nn
