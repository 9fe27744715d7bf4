// A program of the driver API. The first argument says what it does, the others are files with PTX.

#undef NDEBUG  // asserts are part of the test
#include <cuda.h>
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

#define CHECK(call) check(call, #call)
bool check(CUresult error, const char* call) {
  if (error == CUDA_SUCCESS) return true;
  const char* name = "?";
  cuGetErrorName(error, &name);
  std::printf("%s: %s\n", std::string(call, std::strcspn(call, "(")).c_str(), name);
  return false;
}

std::string text_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

CUcontext make_context() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
#if CUDA_VERSION >= 13000
  CHECK(cuCtxCreate(&context, nullptr, 0, device));
#else
  CHECK(cuCtxCreate(&context, 0, device));
#endif
  return context;
}

CUfunction function_of(CUmodule module, const char* name) {
  CUfunction function = nullptr;
  CHECK(cuModuleGetFunction(&function, module, name));
  return function;
}

CUmodule load(std::string text) {
  CUmodule module = nullptr;
  CHECK(cuModuleLoadData(&module, text.c_str()));
  text.assign(text.size(), 'x');  // the image may go
  return module;
}

/// Both ways to give arguments; a variable; attributes; what is no longer there.
void modules(const char* path) {
  const CUcontext context = make_context();
  CUmodule module = load(text_of(path));
  const CUfunction take = function_of(module, "take");
  CUdeviceptr out = 0;
  CHECK(cuMemAlloc(&out, sizeof(int)));
  char first = 1;
  double second = 20;
  short third = 300;
  void* arguments[] = {&first, &second, &third, &out};
  CHECK(cuLaunchKernel(take, 1, 1, 1, 1, 1, 1, 64, nullptr, arguments, nullptr));
  int value = 0;
  CHECK(cuMemcpyDtoH(&value, out, sizeof(value)));
  std::printf("%d\n", value);

  struct {
    char first = 2;
    double second = 40;
    short third = 600;
    CUdeviceptr out;
  } packed;
  packed.out = out;
  std::size_t bytes = sizeof(packed);
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(take, 1, 1, 1, 1, 1, 1, 64, nullptr, nullptr, extra));
  CHECK(cuMemcpyDtoH(&value, out, sizeof(value)));
  std::printf("%d\n", value);
  bytes = 8;
  CHECK(cuLaunchKernel(take, 1, 1, 1, 1, 1, 1, 64, nullptr, nullptr, extra));

  CUdeviceptr counter = 0;
  CHECK(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
  CHECK(cuMemcpyDtoH(&value, counter, bytes));
  std::printf("counter %d of %zu bytes\n", value, bytes);
  CHECK(cuModuleGetGlobal(&counter, &bytes, module, "nothing"));
  CUfunction nothing = nullptr;
  CHECK(cuModuleGetFunction(&nothing, module, "nothing"));

  int shared = 0;
  CHECK(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, take));
  int grid = 0;
  int block = 0;
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, take, nullptr, 0, 0));
  std::printf("shared %d, grid %d of %d\n", shared, grid, block);
  CHECK(cuModuleUnload(module));
  CHECK(cuLaunchKernel(take, 1, 1, 1, 1, 1, 1, 64, nullptr, arguments, nullptr));
  CHECK(cuMemFree(out));
  CHECK(cuCtxDestroy(context));
  CHECK(cuCtxSetCurrent(context));
}

/// One stream, one pointer, one device for both APIs.
void mixed(const char* path) {
  make_context();
  CUmodule module = nullptr;
  CHECK(cuModuleLoad(&module, path));
  std::vector<float> ones(1000, 1);
  float* a = nullptr;
  assert(cudaMalloc(&a, 4000) == cudaSuccess);
  assert(cudaMemcpy(a, ones.data(), 4000, cudaMemcpyHostToDevice) == cudaSuccess);
  CUdeviceptr b = 0;
  CHECK(cuMemAlloc(&b, 4000));
  CHECK(cuMemsetD32(b, 0x40000000, 1000));  // 2.0f
  CUstream stream = nullptr;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  int count = 1000;
  void* arguments[] = {&a, &b, &a, &count};
  CUlaunchConfig config{};
  config.gridDimX = 8;
  config.blockDimX = 128;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream;
  CHECK(cuLaunchKernelEx(&config, function_of(module, "add"), arguments, nullptr));
  assert(cudaMemcpyAsync(ones.data(), a, 4000, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  assert(cudaStreamSynchronize(stream) == cudaSuccess);
  std::printf("%.1f %.1f\n", ones.front(), ones.back());

  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  CHECK(cuMemGetAddressRange(&begin, &bytes, reinterpret_cast<CUdeviceptr>(a + 5)));
  std::printf("%s, %zu bytes\n", begin == reinterpret_cast<CUdeviceptr>(a) ? "begin" : "not",
              bytes);
  CHECK(cuMemFree(12345));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

void link(const char* first, const char* second) {
  make_context();
  CUlinkState state = nullptr;
  std::string text = text_of(first);
  CHECK(cuLinkCreate(0, nullptr, nullptr, &state));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "first", 0, nullptr,
                      nullptr));
  CHECK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, second, 0, nullptr, nullptr));
  char library[] = "!<arch>";
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_LIBRARY, library, sizeof(library), "libcudadevrt.a", 0,
                      nullptr, nullptr));
  void* image = nullptr;
  std::size_t bytes = 0;
  CHECK(cuLinkComplete(state, &image, &bytes));
  CUmodule module = nullptr;
  CHECK(cuModuleLoadData(&module, image));
  CHECK(cuLinkDestroy(state));
  CUdeviceptr value = 0;
  int result = 14;
  CHECK(cuMemAlloc(&value, sizeof(int)));
  CHECK(cuMemcpyHtoD(value, &result, sizeof(int)));
  void* arguments[] = {&value};
  CHECK(cuLaunchKernel(function_of(module, "scale"), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments,
                       nullptr));
  CHECK(cuMemcpyDtoH(&result, value, sizeof(int)));
  std::printf("linked %d\n", result);

  CHECK(cuLinkCreate(0, nullptr, nullptr, &state));
  for (int i = 0; i < 2; ++i)
    CHECK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, second, 0, nullptr, nullptr));
  CHECK(cuLinkComplete(state, &image, &bytes));
}

void refused(const char* path) {
  make_context();
  CUmodule module = nullptr;
  char log[200] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log))};
  CHECK(cuModuleLoadDataEx(&module, "\177ELF machine code", 2, options, values));
  std::printf("%s\n", log);
  CHECK(cuModuleLoadData(&module, "no code at all"));
  CHECK(cuModuleLoadData(&module, nullptr));
  CHECK(cuModuleLoad(&module, "/nowhere"));
  CHECK(cuModuleUnload(reinterpret_cast<CUmodule>(&module)));
  std::string later = text_of(path);
  later.replace(later.find("sm_80"), 5, "sm_99");
  CHECK(cuModuleLoadData(&module, later.c_str()));
}

void contexts() {
  const CUcontext made = make_context();
  CUcontext primary = nullptr;
  CUcontext current = nullptr;
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK(cuCtxPushCurrent(primary));
  CHECK(cuCtxGetCurrent(&current));
  std::printf("%s", current == primary ? "pushed" : "not");
  CHECK(cuCtxPopCurrent(&current));
  CHECK(cuCtxGetCurrent(&current));
  std::printf(", %s", current == made ? "popped" : "not");
  CHECK(cuDevicePrimaryCtxRetain(&primary, 1));
  CHECK(cuCtxPushCurrent(primary));
  int device = 0;
  assert(cudaGetDevice(&device) == cudaSuccess);
  std::printf(", device %d", device);
  assert(cudaSetDevice(0) == cudaSuccess);
  CHECK(cuCtxGetCurrent(&current));
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0));
  std::printf(", %s\n", current == primary ? "the runtime's" : "not");
  CHECK(cuDevicePrimaryCtxRetain(&primary, 2));
  for (int i = 0; current != nullptr && i < 9; ++i) {
    CHECK(cuCtxPopCurrent(&current));
    CHECK(cuCtxGetCurrent(&current));
  }
  std::printf("%s\n", current == nullptr ? "none left" : "one left");
  CHECK(cuCtxPopCurrent(&current));
}

void memory() {
  make_context();
  CUdeviceptr memory = 0;
  std::size_t pitch = 0;
  CHECK(cuMemAllocPitch(&memory, &pitch, 12, 4, 4));
  CHECK(cuMemsetD2D16(memory, pitch, 0x1234, 6, 4));
  unsigned short host[4][6] = {};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.srcPitch = pitch;
  copy.srcXInBytes = 2;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = host;
  copy.dstPitch = sizeof(host[0]);
  copy.WidthInBytes = 10;
  copy.Height = 3;
  CHECK(cuMemcpy2D(&copy));
  std::printf("%x %x %x %x\n", host[0][0], host[2][4], host[0][5], host[3][0]);
  CHECK(cuMemsetD16(memory + 1, 0, 4));
  unsigned type = 0;
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  std::printf("type %u\n", type);
  CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                              reinterpret_cast<CUdeviceptr>(host)));
  CHECK(cuMemAlloc(&memory, 0));
  CHECK(cuMemAlloc(&memory, std::size_t{1} << 50));
}

void versions() {
  CHECK(cuInit(0));
  void* function = nullptr;
  CUdriverProcAddressQueryResult status{};
  const auto ask = [&](const char* name, int version, cuuint64_t flags, CUresult expected) {
    assert(cuGetProcAddress(name, &function, version, flags, &status) == expected);
    return function;
  };
  const auto exported = [](auto* what) { return reinterpret_cast<void*>(what); };
  assert(ask("cuMemAlloc", 13000, 0, CUDA_SUCCESS) == exported(&cuMemAlloc));
  assert(ask("cuCtxCreate", 13000, 0, CUDA_SUCCESS) == exported(&cuCtxCreate));
  assert(ask("cuCtxCreate", 12000, 0, CUDA_SUCCESS) != exported(&cuCtxCreate));
  assert(ask("cuLaunchKernel", 13000, 0, CUDA_SUCCESS) == exported(&cuLaunchKernel));
  assert(ask("cuLaunchKernel", 13000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM,
             CUDA_SUCCESS) != exported(&cuLaunchKernel));
  ask("cuLaunchKernelEx", 11000, 0, CUDA_ERROR_NOT_FOUND);
  assert(status == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  ask("cuNothing", 13000, 0, CUDA_ERROR_NOT_FOUND);
  assert(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  ask("cuMemCreate", 13000, 0, CUDA_ERROR_NOT_FOUND);  // is not emulated
  assert(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 13000, cudaEnableDefault,
                                          nullptr) == cudaSuccess);
  assert(function == exported(&cuMemAlloc));
  std::printf("found\n");
}

}  // namespace

int main(int, char** argv) {
  const std::string act = argv[1];
  if (act == "modules") modules(argv[2]);
  if (act == "mixed") mixed(argv[2]);
  if (act == "link") link(argv[2], argv[3]);
  if (act == "refused") refused(argv[2]);
  if (act == "contexts") contexts();
  if (act == "memory") memory();
  if (act == "versions") versions();
  return 0;
}
