// The loader calls an empty function for debuggers whenever libraries have come or gone, and tells
// them where it is: it is made to jump here.

#include "loading/on_load.h"

#include <link.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "loading/jump.h"
#include "loading/open_pages.h"

namespace xfer::emulator {
namespace {

void (*visitor)(const LoadedModule&);
std::vector<const link_map*>* known;  // sorted; never freed, since libraries go until the end

std::vector<const link_map*> loaded() {
  std::vector<const link_map*> all;
  for (const link_map* library = _r_debug.r_map; library != nullptr; library = library->l_next)
    all.push_back(library);
  std::ranges::sort(all);
  return all;
}

void libraries_changed() noexcept try {
  if (_r_debug.r_state != r_debug::RT_CONSISTENT) return;
  const std::vector<const link_map*> before = std::exchange(*known, loaded());
  for (const link_map* library = _r_debug.r_map; library != nullptr; library = library->l_next)
    if (!std::ranges::binary_search(before, library) && library->l_name != nullptr)
      visitor({library->l_name, library->l_addr, library->l_ld});
} catch (...) {  // no memory: the library stays as it is
}

/// One instruction that returns, before it perhaps the mark of a function that is called through
/// a pointer, and behind it what fills the room up to the next function.
bool is_empty_function(std::uintptr_t at) {
  constexpr std::array<unsigned char, 4> kMark = {0xf3, 0x0f, 0x1e, 0xfa};
  constexpr std::uintptr_t kAlignment = 16;
  const auto* code = reinterpret_cast<const unsigned char*>(at);
  if (at % kAlignment != 0) return false;
  if (std::equal(kMark.begin(), kMark.end(), code)) code += kMark.size();
  constexpr unsigned char kReturn = 0xc3;
  constexpr std::array<unsigned char, 4> kFillers = {0x66, 0x0f, 0x90, 0xcc};
  return code[0] == kReturn && std::ranges::find(kFillers, code[1]) != kFillers.end();
}

}  // namespace

bool on_each_load(void (*visit)(const LoadedModule&)) {
  const auto at = static_cast<std::uintptr_t>(_r_debug.r_brk);
  if (at == 0 || !is_empty_function(at)) return false;
  const OpenPages pages(at, at + kJumpBytes);
  if (!pages.is_open()) return false;
  visitor = visit;
  known = new std::vector<const link_map*>(loaded());
  write_jump(at, reinterpret_cast<const void*>(&libraries_changed));
  return true;
}

}  // namespace xfer::emulator
