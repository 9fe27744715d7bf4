#pragma once
// Which PTX of a program's device code a device runs: of a fat binary that registers itself or is
// loaded, or of plain PTX.
//
// Cost: unpacks one text. Bad input is named, never a fault.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xfer {

/// The PTX that a device of this capability (90: 9.0) compiles where it has no machine code: that
/// of the highest architecture up to the capability. compute_90a is for 9.0 alone, compute_100f for
/// 10.0 to 10.9. Machine code beside it does not count. Nothing: `why` (may be null) says why in a
/// line about the image.
std::optional<std::string> ptx_to_run(std::string_view image, int capability, std::string* why);

/// Whether it is PTX, a fat binary or machine code.
bool is_device_code(std::string_view image);

/// Of each entry, PTX or machine code; of plain PTX the one that it is for.
std::vector<int> architectures_of(std::string_view image);

/// The region of a fat binary that begins there. Empty: none does.
std::string_view region_at(const void* code);

/// The image that a program gives cuModuleLoadData, without its size: a region, a wrapper of one,
/// or PTX that ends with a NUL. Of anything else, machine code included, the first bytes.
std::string_view image_at(const void* image);

/// The regions of the wrapper that __cudaRegisterFatBinary takes: one; or, of nvcc -rdc=true, each
/// part's own code, and the linked machine code where there is some.
std::vector<std::string_view> images_of(const void* wrapper);

}  // namespace xfer
