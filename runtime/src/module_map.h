#pragma once
// The modules (program, libraries) loaded in this process, and which of them an address lies in.
// Not thread-safe; loaded_modules() takes the loader's lock, so call it with no lock held that a
// library constructor could want.

#include <cstdint>
#include <string>
#include <vector>

namespace xfer {

struct LoadedModule {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uintptr_t bias = 0;  ///< address in memory less address in the file
  std::string path;
  std::string build_id;  ///< hex; empty when the module has none
  std::uint32_t id = 0;
};

/// Changes whenever a library was loaded or unloaded.
std::uint64_t module_generation();

std::vector<LoadedModule> loaded_modules();

/// Keeps the ids of modules stable over refreshes.
class ModuleMap {
 public:
  /// Takes over a fresh list; `added` gets each module that was not there before.
  void refresh(std::vector<LoadedModule> modules, std::vector<LoadedModule>& added);
  const LoadedModule* find(std::uintptr_t address) const;

 private:
  std::vector<LoadedModule> modules_;  // sorted by begin
  std::uint32_t next_id_ = 1;
};

}  // namespace xfer
