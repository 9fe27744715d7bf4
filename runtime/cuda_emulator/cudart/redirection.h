#pragma once
// Functions of NVIDIA's libraries that others take the place of, in programs that load the library
// while they run. loading/redirect.cc does it; this is what it and the functions agree on.

#include <span>
#include <string_view>

namespace xfer::emulator {

struct Redirection {
  std::string_view name;     ///< without what marks its version
  const void* by;            ///< null: the library's own stays, and is only told
  void* original = nullptr;  ///< once its library is loaded
};

struct RedirectedLibrary {
  std::string_view name;  ///< how its file's name begins
  std::span<Redirection> functions;
  bool is_loaded = false;  ///< a second one of another version keeps its functions
};

/// The library's own function: of the one that was loaded, or of the one that the program is linked
/// to. Null: there is none.
void* own_function(std::span<const Redirection> functions, const char* name);

/// Calls it. `missing`: the status where there is none.
template <class... Arguments>
int call_own(std::span<const Redirection> functions, const char* name, int missing,
             Arguments... arguments) {
  auto* const own = reinterpret_cast<int (*)(Arguments...)>(own_function(functions, name));
  return own == nullptr ? missing : own(arguments...);
}

std::span<Redirection> nvrtc_redirections();
std::span<Redirection> nvjitlink_redirections();

}  // namespace xfer::emulator
