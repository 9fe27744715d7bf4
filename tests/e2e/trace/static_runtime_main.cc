// `late`: from a library that is loaded when the program runs.

#include <dlfcn.h>

#include <cstring>

extern "C" int scaled_sum();

int main(int argc, char** argv) {
  if (argc < 3 || std::strcmp(argv[1], "late") != 0) return scaled_sum() == 192 ? 0 : 1;
  void* const library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 2;
  auto* const function = reinterpret_cast<int (*)()>(dlsym(library, "scaled_sum"));
  return function != nullptr && function() == 192 ? 0 : 1;
}
