// cuLink…: joins texts of PTX into one module. The linker's output is PTX too, for
// cuModuleLoadData.

#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "cudart/driver_seam.h"
#include "cudart/jit_log.h"
#include "cudart/runnable_ptx.h"
#include "driver/driver.h"
#include "machine/say.h"
#include "ptx/joined.h"
#include "src/device_image.h"

using namespace xfer::emulator::driver;

namespace {

struct Link {
  std::vector<std::string> texts;
  std::string complete;
};

struct Links {
  std::mutex mutex;
  std::unordered_map<CUlinkState, std::unique_ptr<Link>> all;
};
Links& links() {
  static auto* const all = new Links;
  return *all;
}

CUresult refuse(CUresult error, const std::string& why) {
  xfer::emulator::say("xfercheck: the linker cannot take {}\n", why);
  return error;
}

CUresult add(Link& link, CUjitInputType type, std::string_view data, const std::string& name) {
  if (xfer::emulator::is_device_runtime(name)) return CUDA_SUCCESS;
  if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY)
    return refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, name + ": emulated devices run PTX");
  std::string why;
  std::string text;
  if (!xfer_emulator_ptx_to_run(data, &text, &why))
    return refuse(
        xfer::is_device_code(data) ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_PTX,
        name + ": " + why);
  link.texts.push_back(std::move(text));
  return CUDA_SUCCESS;
}

CUresult complete(Link& link) {
  xfer::ptx::Joined all = xfer::ptx::joined(link.texts);
  if (!all.defined_twice.empty())
    return refuse(CUDA_ERROR_INVALID_PTX, "two definitions of " + all.defined_twice);
  link.complete = std::move(all.text);
  return link.texts.empty() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/// work(link) -> CUresult.
template <typename Work>
CUresult with_link(CUlinkState state, Work&& work) {
  Links& its = links();
  const std::lock_guard lock(its.mutex);
  const auto found = its.all.find(state);
  return found == its.all.end() ? CUDA_ERROR_INVALID_HANDLE : work(*found->second);
}

}  // namespace

extern "C" {

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option* options, void** optionValues,
                      CUlinkState* stateOut) {
  if (stateOut == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto link = std::make_unique<Link>();
  *stateOut = reinterpret_cast<CUlinkState>(link.get());
  for (const auto log : {CU_JIT_INFO_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER})
    xfer::emulator::write_jit_log("", log, options, optionValues, numOptions);
  Links& its = links();
  const std::lock_guard lock(its.mutex);
  its.all.emplace(*stateOut, std::move(link));
  return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size,
                       const char* name, unsigned int, CUjit_option*, void**) {
  if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_link(state, [&](Link& link) {
    return add(link, type, {static_cast<const char*>(data), size},
               name != nullptr ? name : "a module");
  });
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int,
                       CUjit_option*, void**) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::ifstream file(path, std::ios::binary);
  if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
  const std::string data{std::istreambuf_iterator<char>(file), {}};
  return with_link(state, [&](Link& link) { return add(link, type, data, path); });
}

CUresult cuLinkComplete(CUlinkState state, void** cubinOut, size_t* sizeOut) {
  if (cubinOut == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_link(state, [&](Link& link) {
    if (const CUresult error = complete(link); error != CUDA_SUCCESS) return error;
    *cubinOut = link.complete.data();
    if (sizeOut != nullptr) *sizeOut = link.complete.size() + 1;
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  Links& its = links();
  const std::lock_guard lock(its.mutex);
  return its.all.erase(state) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
}
