// Finds the CUDA plugin. The emulator is used when XFERCHECK_EMULATE asks for devices, and never
// otherwise.
#include "backend/platform.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/cuda.h"
#include "tensorlib/error.h"

namespace tensorlib {

Allocator::~Allocator() = default;
Backend::~Backend() = default;
CudaPlatform::~CudaPlatform() = default;

namespace {

namespace fs = std::filesystem;

fs::path own_directory() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&cuda_platform), &info) == 0) return {};
  std::error_code ignored;
  const fs::path path = fs::canonical(info.dli_fname, ignored);
  return path.parent_path();
}

struct Loaded {
  CudaPlatform* platform = nullptr;
  bool built = false;  // the plugin's file is there
  std::string reason;  // why there is no platform
};

bool emulation_is_asked_for() {
  const char* count = std::getenv("XFERCHECK_EMULATE");
  return count != nullptr && std::atoi(count) > 0;
}

Loaded load() {
  Loaded loaded;
  const fs::path directory = own_directory();
  const fs::path plugin = directory / "libtensorlib_cuda.so";
  std::error_code ignored;
  loaded.built = fs::exists(plugin, ignored);
  if (!loaded.built) return loaded;

  // The plugin finds a loaded libcudart.so.13 by its name, so the emulated one must come first.
  const fs::path emulator = directory / "emulator";
  if (emulation_is_asked_for() &&
      dlopen((emulator / "libcudart.so.13").c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    loaded.reason =
        str_cat("XFERCHECK_EMULATE is set, but the emulator cannot be loaded: ", dlerror());
    return loaded;
  }
  void* handle = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    loaded.reason = str_cat("the CUDA runtime cannot be loaded: ", dlerror());
    return loaded;
  }
  // A real runtime that was loaded before keeps its name, and the plugin is bound to it.
  if (emulation_is_asked_for() && dlsym(handle, "xfer_emulator_register_kernel") == nullptr) {
    Dl_info runtime{};
    const void* const call = dlsym(handle, "cudaGetDeviceCount");
    const bool known = call != nullptr && dladdr(call, &runtime) != 0;
    loaded.reason = str_cat("XFERCHECK_EMULATE is set, but ",
                            known ? runtime.dli_fname : "another CUDA runtime",
                            " was loaded before the emulated one: start the program with xfertrace "
                            "--emulate");
    return loaded;
  }
  // Any emulator in the process (preloaded, or loaded above) runs the host versions of our kernels.
  if (dlsym(RTLD_DEFAULT, "xfer_emulator_register_kernel") != nullptr) {
    dlopen((emulator / "libtensorlib_kernels.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  const auto make = reinterpret_cast<MakeCudaPlatform>(dlsym(handle, kMakeCudaPlatform));
  if (make == nullptr) {
    loaded.reason = str_cat(plugin.string(), " is not tensorlib's CUDA backend");
    return loaded;
  }
  try {
    loaded.platform = make();
  } catch (const std::exception& error) {
    loaded.reason = error.what();
  }
  return loaded;
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

}  // namespace

CudaPlatform* cuda_platform() { return loaded().platform; }

CudaPlatform& require_cuda(CallSite site) {
  const Loaded& found = loaded();
  if (found.platform != nullptr) return *found.platform;
  if (!found.built) {
    throw DeviceError(
        "no CUDA: this tensorlib was built without its CUDA backend\n"
        "help: build it with a CUDA 13 toolkit (cmake -DXFER_CUDA=ON), or use torch::kCPU",
        site);
  }
  throw DeviceError(str_cat("no CUDA: there is no device present (", found.reason,
                            ")\n"
                            "help: check torch::cuda::is_available() and use torch::kCPU, or set "
                            "XFERCHECK_EMULATE=1 to try the program on an emulated device"),
                    site);
}

Device resolve(Device device, CallSite site) {
  if (device.is_cpu()) return device;
  CudaPlatform& platform = require_cuda(site);
  if (!device.has_index()) {
    return Device(kCUDA, static_cast<DeviceIndex>(platform.current_device()));
  }
  const int count = platform.device_count();
  if (device.index() >= count) {
    throw DeviceError(str_cat("no ", device, ": the index is out of range, this machine has ",
                              count, " CUDA device", count == 1 ? "" : "s", " (cuda:0",
                              count > 1 ? str_cat(" to cuda:", count - 1) : "", ")"),
                      site);
  }
  return device;
}

Backend& backend_for(Device device) {
  return device.is_cpu() ? cpu_backend() : cuda_platform()->device(device.index());
}

namespace {

thread_local CallSite current_device_chosen = CallSite::none();

}  // namespace

CallSite chooser_of_current_device() { return current_device_chosen; }

namespace cuda {

bool is_available() { return device_count() > 0; }

int64_t device_count() {
  CudaPlatform* platform = cuda_platform();
  return platform == nullptr ? 0 : platform->device_count();
}

DeviceIndex current_device(CallSite site) {
  return static_cast<DeviceIndex>(require_cuda(site).current_device());
}

void set_device(DeviceIndex index, CallSite site) {
  require_cuda(site).set_current_device(resolve(Device(kCUDA, index), site).index());
  // Back to what every thread begins with is no choice of a place.
  current_device_chosen = index == 0 ? CallSite::none() : site;
}

CUDAGuard::CUDAGuard(DeviceIndex index, CallSite site)
    : before_(cuda::current_device(site)), site_before_(current_device_chosen) {
  set_device(index, site);
  current_device_chosen = site;
}
CUDAGuard::CUDAGuard(Device device, CallSite site)
    : CUDAGuard(resolve(device, site).index(), site) {}
CUDAGuard::~CUDAGuard() {
  cuda_platform()->set_current_device(before_);
  current_device_chosen = site_before_;
}
void CUDAGuard::set_index(DeviceIndex index, CallSite site) {
  set_device(index, site);
  current_device_chosen = site;
}

void synchronize(int64_t index, CallSite site) {
  require_cuda(site);
  const Device device = resolve(Device(kCUDA, static_cast<DeviceIndex>(index)), site);
  backend_for(device).synchronize();
  stream_order::note_host_wait(device);
}

}  // namespace cuda

}  // namespace tensorlib
