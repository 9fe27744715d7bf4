#pragma once
// Places, known and unknown: what else is there, what they are the place of, and what may be there.

#include <vector>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

bool has(const std::vector<Device>& places, Device device);

/// Devices that count as the place of something, besides its own.
enum class Places : std::uint8_t {
  kAgreeing,  ///< those that must agree for it to be there
  kMet,       ///< also those of operands that met to make it, with or without dimensions
  kPossible,  ///< also each of the devices that it may be
};
void add_places(const SymbolTable& symbols, Device device, Places which,
                std::vector<Device>& places);
/// A value on the device comes from one of the places.
bool comes_from(const SymbolTable& symbols, Device device, const std::vector<Device>& places);
/// The role of the parameter or field that has the place; kNone: something else has it.
Role holder_role(const CheckContext& context, const Symbol& symbol);
/// It is a device that the code names, gets or chooses, and not just where some tensor or module
/// is.
bool is_device_value(const CheckContext& context, Device place);
/// In some run, as the function or the program says.
bool may_be_cuda(const CheckContext& context, Device device);
/// Neither the function nor the program says that it is anywhere but on the CPU.
bool nobody_knows(const CheckContext& context, Device device);

}  // namespace xfer::analyzer
