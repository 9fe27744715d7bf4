// A program that looks for the driver as PyTorch does: by opening libcuda.so.1.

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <initializer_list>

namespace {

template <typename Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

int main() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr) {
    std::printf("no driver\n");
    return 1;
  }
  int count = 0;
  std::printf("init %d", find<int(unsigned)>(driver, "cuInit")(0));
  find<int(int*)>(driver, "cuDeviceGetCount")(&count);
  std::printf(", %d devices", count);
  void* context = nullptr;
  find<int(void**)>(driver, "cuCtxGetCurrent")(&context);
  std::printf(", %s\n", context != nullptr ? "a context" : "no context");

  const auto look_up =
      find<int(const char*, void**, int, std::uint64_t, int*)>(driver, "cuGetProcAddress_v2");
  for (const char* const name : {"cuDeviceGet", "cuDevicePrimaryCtxRelease", "cuMemCreate"}) {
    void* function = nullptr;
    int status = -1;
    const int result = look_up(name, &function, 13000, 0, &status);
    std::printf("%s: %d, %d, %s\n", name, result, status, function != nullptr ? "there" : "null");
  }
  const auto create = find<int(void**, std::size_t)>(driver, "cuMemCreate");
  void* memory = nullptr;
  for (int i = 0; i < 2; ++i) std::printf("cuMemCreate: %d\n", create(&memory, 64));
  return 0;
}
