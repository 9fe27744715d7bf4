#include "driver/contexts.h"

#include <map>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "cudart/on_device.h"
#include "machine/hooks.h"

namespace xfer::emulator::driver {
namespace {

struct Contexts {
  std::mutex mutex;
  std::map<CUdevice, std::unique_ptr<Context>> primary;
  std::unordered_set<Context*> made;  ///< by cuCtxCreate; kept, so that an old handle is told
  unsigned long long next_id = 1;
};

Contexts& contexts() {
  static auto* const all = new Contexts;
  return *all;
}

std::vector<Context*>& stack() {
  thread_local std::vector<Context*> its;
  return its;
}

/// The thread took away the context that the runtime would give it.
bool& has_none() {
  thread_local bool its = false;
  return its;
}

/// Makes the device of what is on top of the stack the runtime's.
CUresult take_device_of_top() {
  if (stack().empty()) return CUDA_SUCCESS;
  return forward([] { return cudaSetDevice(stack().back()->device); });
}

CUresult create(CUcontext* context, unsigned flags, CUdevice device) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (primary_context(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  auto* const made = new Context{device, false, false, flags, all.next_id++};
  all.made.insert(made);
  stack().push_back(made);
  *context = handle_of(made);
  return take_device_of_top();
}

}  // namespace

Context* primary_context(CUdevice device) {
  int count = 0;
  if (forward([&] { return cudaGetDeviceCount(&count); }) != CUDA_SUCCESS) return nullptr;
  if (device < 0 || device >= count) return nullptr;
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  auto& its = all.primary[device];
  if (!its) its = std::make_unique<Context>(Context{device, true, false, 0, all.next_id++});
  return its.get();
}

Context* current_context() {
  if (!is_emulated()) return nullptr;
  const int device = xfer_emulator_current_device();
  std::vector<Context*>& its = stack();
  if (its.empty()) return has_none() ? nullptr : primary_context(device);
  // cudaSetDevice puts the device's primary context in its place.
  if (its.back()->device != device) its.back() = primary_context(device);
  return its.back();
}

Context* context_of(CUcontext handle) {
  auto* const context = reinterpret_cast<Context*>(handle);
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  if (all.made.count(context) != 0) return context->destroyed ? nullptr : context;
  for (const auto& [device, its] : all.primary)
    if (its.get() == context) return context;
  return nullptr;
}

}  // namespace xfer::emulator::driver

using namespace xfer::emulator::driver;

extern "C" {

CUresult cuCtxCreate(CUcontext* pctx, CUctxCreateParams*, unsigned int flags, CUdevice dev) {
  return create(pctx, flags, dev);
}
CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam*, int, unsigned int flags,
                        CUdevice dev) {
  return create(pctx, flags, dev);
}
CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return create(pctx, flags, dev);
}

CUresult cuCtxDestroy(CUcontext ctx) {
  Context* const context = context_of(ctx);
  if (context == nullptr || context->primary) return CUDA_ERROR_INVALID_CONTEXT;
  {
    const xfer::emulator::OnDevice there(context->device);
    const CUresult error = forward(cudaDeviceSynchronize);
    if (error != CUDA_SUCCESS) return error;
  }
  context->destroyed = true;
  std::vector<Context*>& its = stack();
  if (its.empty() || its.back() != context) return CUDA_SUCCESS;
  its.pop_back();
  return take_device_of_top();
}

CUresult cuCtxPushCurrent(CUcontext ctx) {
  Context* const context = context_of(ctx);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  stack().push_back(context);
  return take_device_of_top();
}

CUresult cuCtxPopCurrent(CUcontext* pctx) {
  Context* const context = current_context();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (pctx != nullptr) *pctx = handle_of(context);
  if (stack().empty())
    has_none() = true;
  else
    stack().pop_back();
  return take_device_of_top();
}

CUresult cuCtxSetCurrent(CUcontext ctx) {
  std::vector<Context*>& its = stack();
  Context* const context = context_of(ctx);
  if (ctx != nullptr && context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (!its.empty()) its.pop_back();
  if (context != nullptr) its.push_back(context);
  has_none() = its.empty();
  return take_device_of_top();
}

CUresult cuCtxGetCurrent(CUcontext* pctx) {
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pctx = handle_of(current_context());
  return is_emulated() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return forward([&] { return cudaGetDevice(device); });
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Context* const context = current_context();
  if (context == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  if (context->primary) return forward([&] { return cudaGetDeviceFlags(flags); });
  *flags = context->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
  const Context* const context = ctx == nullptr ? current_context() : context_of(ctx);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (ctxId == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *ctxId = context->id;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
  if (ctx != nullptr && context_of(ctx) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = 3020;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
  Context* const context = primary_context(dev);
  if (context == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *pctx = handle_of(context);
  return CUDA_SUCCESS;
}
}
