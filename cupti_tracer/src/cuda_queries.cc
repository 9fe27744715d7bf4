#include "cuda_queries.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "cupti_api.h"
#include "library_symbol.h"

namespace xfer::tracer {
namespace {

/// A visitor's function: `to` is a vector of them.
template <typename T>
void append(void* to, const T* item) {
  static_cast<std::vector<T>*>(to)->push_back(*item);
}

Space space_of_driver_type(unsigned type) {
  switch (type) {
    case CU_MEMORYTYPE_HOST: return Space::kPinned;
    case CU_MEMORYTYPE_DEVICE: return Space::kDevice;
    case CU_MEMORYTYPE_UNIFIED: return Space::kManaged;
    default: return Space::kUnknown;
  }
}

/// Of a channel; 0 for block-compressed and planar formats.
std::uint64_t bytes_of_format(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: return 4;
    default: return 0;
  }
}

using TouchedBy = int (*)(std::uint32_t correlation, void (*visit)(void*, const TouchedRange*),
                          void* data);

TouchQuery query_of(TouchedBy touched_by) {
  return [=](std::uint64_t correlation) -> std::optional<std::vector<TouchedRange>> {
    std::vector<TouchedRange> ranges;
    if (touched_by(static_cast<std::uint32_t>(correlation), &append<TouchedRange>, &ranges) == 0)
      return std::nullopt;
    return ranges;
  };
}

}  // namespace

void CudaQueries::find() {
  void* runtime = loaded_handle(loaded_library("libcudart.so"));
  runs_kernel_ = symbol<RunsKernel>(runtime, "xfer_emulator_runs_kernel");
  report_kernels_ = symbol<ReportKernels>(runtime, "xfer_emulator_report_kernels");
  in_kernel_ = symbol<InKernel>(runtime, "xfer_emulator_in_kernel");
  watch_ = symbol<Watch>(runtime, "xfer_emulator_watch");
  variable_ = symbol<Variable>(runtime, "xfer_emulator_variable");
  watch_rests_ = symbol<WatchRests>(runtime, "xfer_emulator_watch_rests");
  release_ = symbol<Release>(runtime, "xfer_emulator_release");
  watched_fault_ = symbol<FaultOfWatch>(runtime, "xfer_emulator_watched_fault");
  stepped_ = symbol<Stepped>(runtime, "xfer_emulator_stepped");
  system_touches_ = symbol<SystemTouches>(runtime, "xfer_emulator_system_touches");
  system_touched_ = symbol<SystemTouched>(runtime, "xfer_emulator_system_touched");
  clear_touches_ = symbol<ClearTouches>(runtime, "xfer_emulator_clear_touches");
  record_touches_ = symbol<RecordTouches>(runtime, "xfer_emulator_record_touches");
  touched_by_ = symbol<TouchedBy>(runtime, "xfer_emulator_touched_by");
  graph_touched_ = symbol<TouchedBy>(runtime, "xfer_emulator_graph_touched");
  host_touched_ = symbol<HostTouched>(runtime, "xfer_emulator_host_touched");
  other_view_ = symbol<OtherView>(runtime, "xfer_emulator_other_view");
  runtime_address_ = symbol<const void*>(runtime, "cudaMemcpy");
  void* const driver = runs_kernel_ == nullptr ? loaded_handle("libcuda.so.1") : nullptr;
  graphs_.find(driver, runtime);
  if (driver != nullptr) {
    stream_is_capturing_ = symbol<StreamIsCapturing>(driver, "cuStreamIsCapturing");
    driver_address_ = symbol<const void*>(driver, "cuInit");
    pointer_attribute_ = symbol<PointerAttribute>(driver, "cuPointerGetAttribute");
    array_descriptor_ = symbol<ArrayDescriptor>(driver, "cuArray3DGetDescriptor_v2");
  }
  if (stream_is_capturing_ == nullptr)
    stream_is_capturing_ = symbol<StreamIsCapturing>(runtime, "cudaStreamIsCapturing");
  if (pointer_attribute_ == nullptr)
    pointer_attributes_ = symbol<PointerAttributes>(runtime, "cudaPointerGetAttributes");
  if (array_descriptor_ == nullptr)
    array_get_info_ = symbol<ArrayGetInfo>(runtime, "cudaArrayGetInfo");
}

bool CudaQueries::is_capturing(std::uint64_t stream) const {
  int status = 0;
  if (stream_is_capturing_ == nullptr ||
      stream_is_capturing_(reinterpret_cast<void*>(stream), &status) != 0)
    return true;
  return status != 0;
}

Space CudaQueries::space_of(std::uint64_t address) const {
  if (pointer_attribute_ != nullptr) {
    unsigned type = 0;
    unsigned managed = 0;
    // The driver calls an address that it does not know invalid: plain host memory.
    if (pointer_attribute_(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) != 0)
      return Space::kPageable;
    if (pointer_attribute_(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) == 0 && managed != 0)
      return Space::kManaged;
    return space_of_driver_type(type);
  }
  cudaPointerAttributes attributes{};
  if (pointer_attributes_ == nullptr ||
      pointer_attributes_(&attributes, reinterpret_cast<const void*>(address)) != 0)
    return Space::kUnknown;
  switch (attributes.type) {
    case cudaMemoryTypeUnregistered: return Space::kPageable;
    case cudaMemoryTypeHost: return Space::kPinned;
    case cudaMemoryTypeDevice: return Space::kDevice;
    case cudaMemoryTypeManaged: return Space::kManaged;
  }
  return Space::kUnknown;
}

std::uint64_t CudaQueries::element_bytes(std::uint64_t array) const {
  void* const handle = reinterpret_cast<void*>(array);
  if (array_descriptor_ != nullptr) {
    CUDA_ARRAY3D_DESCRIPTOR its{};
    if (array_descriptor_(&its, handle) != 0) return 0;
    return bytes_of_format(its.Format) * its.NumChannels;
  }
  cudaChannelFormatDesc its{};
  if (array_get_info_ == nullptr || array_get_info_(&its, nullptr, nullptr, handle) != 0) return 0;
  return static_cast<std::uint64_t>(its.x + its.y + its.z + its.w) / 8;
}

HostUse CudaQueries::host_use() const {
  if (clear_touches_ == nullptr || host_touched_ == nullptr || other_view_ == nullptr) return {};
  const auto pointer = [](std::uint64_t address) { return reinterpret_cast<const void*>(address); };
  return {[=, clear = clear_touches_](std::uint64_t address, std::uint64_t bytes) {
            clear(pointer(address), bytes);
          },
          [=, touched = host_touched_](std::uint64_t address, std::uint64_t bytes) {
            return touched(pointer(address), bytes) != 0;
          },
          [=, view = other_view_](std::uint64_t address) {
            return reinterpret_cast<std::uint64_t>(view(pointer(address)));
          }};
}

HostWatch CudaQueries::host_watch() const {
  if (watch_ == nullptr || release_ == nullptr) return {};
  return {[watch = watch_](const WatchedBytes& bytes) { return watch(&bytes); }, release_};
}

VariableQuery CudaQueries::variable_query() const {
  if (variable_ == nullptr) return {};
  return [variable = variable_](std::uint64_t shadow) -> std::optional<InVariable> {
    InVariable place;
    if (!variable(reinterpret_cast<const void*>(shadow), &place)) return std::nullopt;
    return place;
  };
}

TouchQuery CudaQueries::touch_query() const {
  if (record_touches_ == nullptr || touched_by_ == nullptr) return {};
  record_touches_(1);
  return query_of(touched_by_);
}

GraphQuery CudaQueries::graph_query() const {
  GraphQuery query = graphs_.query();
  if (graph_touched_ != nullptr) query.touched = query_of(graph_touched_);
  return query;
}

std::string CudaQueries::kernel_report() const {
  std::string report;
  if (report_kernels_ != nullptr)
    report_kernels_([](void* to, const char* text) { *static_cast<std::string*>(to) = text; },
                    &report);
  return report;
}

bool CudaQueries::is_skipped_kernel(const char* mangled) const {
  return runs_kernel_ != nullptr && runs_kernel_(mangled) == 0;
}

}  // namespace xfer::tracer
