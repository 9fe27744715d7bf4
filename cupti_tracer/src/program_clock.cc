#include "program_clock.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "thread_state.h"

namespace xfer::tracer {
namespace {

#ifdef DLFO_STRUCT_HAS_EH_DBASE
// glibc has this search since 2.35. It is looked up as this library is loaded, not linked to: what
// is built here also runs where it is missing.
const auto g_find_object =
    reinterpret_cast<decltype(&_dl_find_object)>(dlsym(RTLD_DEFAULT, "_dl_find_object"));
#endif

// The file that the code is from. dladdr takes the loader's lock, which a signal handler must not
// want; the newer search takes none.
const char* file_of(const void* code) noexcept {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
  if (g_find_object != nullptr) {
    dl_find_object found{};
    if (g_find_object(const_cast<void*>(code), &found) != 0) return nullptr;
    return found.dlfo_link_map->l_name;
  }
#endif
  Dl_info info{};
  return dladdr(code, &info) != 0 ? info.dli_fname : nullptr;
}

// They read clocks for what they count themselves. libstdc++ does for whoever asks it, which is
// noted where it is asked: see interpose_clock.cc. Not Python's own library: a script's clock is
// there.
bool is_of_library(const void* code) noexcept {
  constexpr std::array kLibraries = {std::string_view("libxfer"), std::string_view("libcu"),
                                     std::string_view("libnccl"), std::string_view("libstdc++"),
                                     std::string_view("libc10"),  std::string_view("libtorch"),
                                     std::string_view("libgomp"), std::string_view("libomp"),
                                     std::string_view("libiomp"), std::string_view("libmkl")};
  const char* const file = file_of(code);
  if (file == nullptr) return false;
  const std::string_view path = file;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::any_of(kLibraries.begin(), kLibraries.end(),
                     [&](std::string_view library) { return name.starts_with(library); });
}

}  // namespace

void note_clock_read(const void* caller) noexcept {
  ThreadState* const thread = thread_state_if_any();
  if (thread == nullptr || thread->busy || thread->active || thread->open.clock_read ||
      caller == thread->clock_of_library)
    return;
  if (is_of_library(caller))
    thread->clock_of_library = caller;
  else
    thread->open.clock_read = true;
}

}  // namespace xfer::tracer
