// An ELF file with bytes changed: three bytes of input say where, and to what.

#include <cstdint>
#include <string>

#include "../unit/runtime/elf_writer.h"
#include "src/linked_runtime.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string file = xfer::test::elf_file({{"__cudaRegisterFatBinary", 0x10},
                                           {"cudaMalloc", 0x40},
                                           {"cudaFree", 0x40},
                                           {"main", 0x90, false}},
                                          {".nv_fatbin", ".dynamic"});
  for (; size >= 3; data += 3, size -= 3)
    file[(data[0] | data[1] << 8U) % file.size()] = static_cast<char>(data[2]);
  xfer::linked_runtime(file);
  return 0;
}
