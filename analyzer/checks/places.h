#pragma once
// Places, known and unknown: what else is there, what they are the place of, and what may be there.

#include <vector>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

bool has(const std::vector<Device>& places, Device device);

/// What counts as the place of something, besides its own.
enum class Places : std::uint8_t {
  kAgreeing,  ///< what must agree for it to be there
  kMet,       ///< also what met for it to be made, be it without dimensions or not
  kPossible,  ///< also each of those of which it is one
};
void add_places(const SymbolTable& symbols, Device device, Places which,
                std::vector<Device>& places);
/// What is there comes from one of the places.
bool comes_from(const SymbolTable& symbols, Device device, const std::vector<Device>& places);
/// What has the place: a parameter, or a field; kNone: something else.
Role holder_role(const CheckContext& context, const Symbol& symbol);
/// It is a device that the code names, gets or chooses, and not just where some tensor or module
/// is.
bool is_device_value(const CheckContext& context, Device place);
/// In some run, as the function or the program says.
bool may_be_cuda(const CheckContext& context, Device device);
/// Neither the function nor the program says that it is anywhere but on the CPU.
bool nobody_knows(const CheckContext& context, Device device);

}  // namespace xfer::analyzer
