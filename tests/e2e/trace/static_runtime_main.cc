// `late LIBRARY…`: from libraries that are loaded when the program runs, each gone before the next.

#include <dlfcn.h>

#include <cstring>

extern "C" int scaled_sum();

namespace {

int sum_of(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 2;
  auto* const function = reinterpret_cast<int (*)()>(dlsym(library, "scaled_sum"));
  const bool right = function != nullptr && function() == 192;
  dlclose(library);
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || std::strcmp(argv[1], "late") != 0) return scaled_sum() == 192 ? 0 : 1;
  for (int i = 2; i < argc; ++i)
    if (const int failed = sum_of(argv[i]); failed != 0) return failed;
  return 0;
}
