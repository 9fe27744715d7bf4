#pragma once
// The PTX texts that nvcc put into a program or library, for those who read them: the entries of
// its .nv_fatbin section. Which of them a device runs is device_image.h's.
//
// Cost: decompresses the section once. Bad input gives fewer texts, never a fault.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace xfer {

/// Texts of a section's bytes. Left out: the PTX of a region with machine code for an architecture
/// that it has no PTX of, because that code may have been compiled from other source lines
/// (__CUDA_ARCH__).
std::vector<std::string> ptx_of_section(std::string_view section);

/// Of an ELF file. Empty where there is none, or it cannot be read, or has another build id (hex;
/// empty: any).
std::vector<std::string> ptx_of_file(const std::filesystem::path& file, std::string_view build_id);

}  // namespace xfer
