#include "callback_decoder.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>

#include "call_shapes.h"

namespace xfer::tracer {
namespace {

const auto kRuntime = CUPTI_CB_DOMAIN_RUNTIME_API;
const auto kDriver = CUPTI_CB_DOMAIN_DRIVER_API;

template <typename Params>
ApiCall decode(CUpti_CallbackDomain domain, std::uint32_t id, const Params& params) {
  const ApiEntry* entry = find_api(domain, id);
  EXPECT_NE(entry, nullptr) << id;
  ApiCall call;
  if (entry != nullptr) decode_call(*entry, &params, call);
  return call;
}

void* pointer(std::uint64_t value) { return reinterpret_cast<void*>(value); }
cudaStream_t stream(std::uint64_t value) { return reinterpret_cast<cudaStream_t>(value); }

#define RUNTIME(id, ...) decode(kRuntime, CUPTI_RUNTIME_TRACE_CBID_##id, id##_params{__VA_ARGS__})
#define DRIVER(id, ...) decode(kDriver, CUPTI_DRIVER_TRACE_CBID_##id, id##_params{__VA_ARGS__})

TEST(CallbackDecoder, PlainCopies) {
  ApiCall call =
      RUNTIME(cudaMemcpy_v3020, pointer(0x1000), pointer(0x2000), 64, cudaMemcpyHostToDevice);
  EXPECT_EQ(call.op, Op::kCopy);
  EXPECT_EQ(call.transfer.destination.address, 0x1000U);
  EXPECT_EQ(call.transfer.destination.side, Side::kDevice);
  EXPECT_EQ(call.transfer.source.address, 0x2000U);
  EXPECT_EQ(call.transfer.source.side, Side::kHost);
  EXPECT_EQ(call.transfer.bytes(), 64U);
  EXPECT_FALSE(call.async);
  EXPECT_FALSE(call.thread_stream);

  call = RUNTIME(cudaMemcpyAsync_ptsz_v7000, pointer(0x1000), pointer(0x2000), 64,
                 cudaMemcpyDefault, stream(7));
  EXPECT_EQ(call.transfer.destination.side, Side::kUnknown);
  EXPECT_EQ(call.transfer.source.side, Side::kUnknown);
  EXPECT_EQ(call.stream, 7U);
  EXPECT_TRUE(call.async);
  EXPECT_TRUE(call.thread_stream);
}

TEST(CallbackDecoder, DriverCopies) {
  ApiCall call =
      DRIVER(cuMemcpyHtoDAsync_v2, 0x1000, pointer(0x2000), 32, reinterpret_cast<CUstream>(9));
  EXPECT_EQ(call.op, Op::kCopy);
  EXPECT_EQ(call.transfer.destination.address, 0x1000U);
  EXPECT_EQ(call.transfer.source.address, 0x2000U);
  EXPECT_EQ(call.transfer.source.side, Side::kHost);
  EXPECT_EQ(call.transfer.bytes(), 32U);
  EXPECT_EQ(call.stream, 9U);

  call = DRIVER(cuMemcpyDtoH_v2_ptds, pointer(0x2000), 0x1000, 8);
  EXPECT_EQ(call.transfer.destination.address, 0x2000U);
  EXPECT_EQ(call.transfer.destination.side, Side::kHost);
  EXPECT_TRUE(call.thread_stream);

  call = DRIVER(cuMemcpy, 0x10, 0x20, 8);
  EXPECT_EQ(call.transfer.destination.address, 0x10U);
  EXPECT_EQ(call.transfer.source.address, 0x20U);
  EXPECT_EQ(call.transfer.source.side, Side::kUnknown);
}

TEST(CopyCall, ExtentOfPitchedSides) {
  CopyCall transfer;
  transfer.width = 10;
  transfer.rows = 3;
  transfer.slices = 2;
  CopySide side;
  EXPECT_EQ(transfer.extent(side), 60U);
  side.pitch = 16;
  side.slice_pitch = 64;
  EXPECT_EQ(transfer.extent(side), 64U + 32 + 10);
  transfer.rows = 0;
  EXPECT_EQ(transfer.extent(side), 0U);
}

TEST(CallbackDecoder, GraphsThatAreMadeAndChanged) {
  const auto executable = reinterpret_cast<cudaGraphExec_t>(pointer(0x70));
  const auto graph = reinterpret_cast<cudaGraph_t>(pointer(0x80));
  const auto node = reinterpret_cast<cudaGraphNode_t>(pointer(0x90));
  cudaGraphExec_t made = executable;
  ApiCall call = RUNTIME(cudaGraphInstantiate_v12000, &made, graph, 0);
  EXPECT_EQ(call.op, Op::kGraphMade);
  EXPECT_EQ(call.made(), 0x70U);
  EXPECT_EQ(call.from, 0x80U);
  call = DRIVER(cuGraphExecUpdate_v2, executable, graph, nullptr);
  EXPECT_EQ(call.op, Op::kGraphUpdated);
  EXPECT_EQ(call.graph, 0x70U);
  EXPECT_EQ(call.from, 0x80U);
  EXPECT_EQ(RUNTIME(cudaGraphExecDestroy_v10000, executable).op, Op::kGraphGone);
  call = RUNTIME(cudaGraphNodeSetEnabled_v11060, executable, node, 0);
  EXPECT_EQ(call.op, Op::kGraphNodeOnOff);
  EXPECT_EQ(call.node, 0x90U);
  EXPECT_FALSE(call.enabled);
  call = RUNTIME(cudaGraphExecMemcpyNodeSetParams1D_v11010, executable, node, pointer(0x1000),
                 pointer(0x2000), 64, cudaMemcpyHostToDevice);
  EXPECT_EQ(call.op, Op::kGraphNodeSet);
  EXPECT_EQ(call.node_kind, NodeKind::kCopy);
  EXPECT_EQ(call.graph, 0x70U);
  EXPECT_EQ(call.node, 0x90U);
  EXPECT_EQ(call.transfer.source.address, 0x2000U);
  EXPECT_EQ(call.transfer.bytes(), 64U);

  cudaGraphNodeParams any{};
  any.type = cudaGraphNodeTypeMemset;
  any.memset = {pointer(0x3000), 128, 0, 4, 16, 2};
  call = RUNTIME(cudaGraphExecNodeSetParams_v12020, executable, node, &any);
  EXPECT_EQ(call.op, Op::kGraphNodeSet);
  EXPECT_EQ(call.node_kind, NodeKind::kFill);
  EXPECT_EQ(call.transfer.bytes(), 128U);
  EXPECT_EQ(call.transfer.destination.pitch, 128U);
  any.type = cudaGraphNodeTypeGraph;
  EXPECT_EQ(RUNTIME(cudaGraphExecNodeSetParams_v12020, executable, node, &any).op, Op::kGraphGone)
      << "what its nodes are now, nobody says";
}

TEST(CallbackDecoder, PitchedCopies) {
  ApiCall call = RUNTIME(cudaMemcpy2DAsync_v3020, pointer(0x1000), 512, pointer(0x2000), 100, 100,
                         3, cudaMemcpyHostToDevice, stream(1));
  EXPECT_EQ(call.transfer.bytes(), 300U);
  EXPECT_TRUE(call.transfer.strided());
  EXPECT_EQ(call.transfer.destination.pitch, 512U);
  EXPECT_EQ(call.transfer.source.pitch, 100U);

  call = RUNTIME(cudaMemcpy2D_v3020, pointer(0x1000), 100, pointer(0x2000), 100, 100, 3,
                 cudaMemcpyHostToDevice);
  EXPECT_FALSE(call.transfer.strided());

  cudaMemcpy3DParms parms{};
  parms.srcPtr = {pointer(0x10000), 64, 64, 8};
  parms.srcPos = {4, 2, 1};
  parms.dstPtr = {pointer(0x20000), 64, 64, 8};
  parms.extent = {16, 4, 2};
  parms.kind = cudaMemcpyDeviceToHost;
  call = RUNTIME(cudaMemcpy3D_v3020, &parms);
  EXPECT_EQ(call.transfer.source.address, 0x10000U + 4 + 2 * 64 + 1 * 64 * 8);
  EXPECT_EQ(call.transfer.bytes(), 16U * 4 * 2);
  EXPECT_TRUE(call.transfer.strided());
  EXPECT_EQ(call.transfer.destination.side, Side::kHost);

  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = pointer(0x1000);
  copy.srcPitch = 32;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = 0x9000;
  copy.dstPitch = 32;
  copy.WidthInBytes = 32;
  copy.Height = 2;
  call = DRIVER(cuMemcpy2D_v2, &copy);
  EXPECT_EQ(call.transfer.source.address, 0x1020U);
  EXPECT_EQ(call.transfer.source.side, Side::kHost);
  EXPECT_EQ(call.transfer.destination.side, Side::kDevice);
  EXPECT_EQ(call.transfer.bytes(), 64U);
}

TEST(CallbackDecoder, ArraysAndSymbolsAreMarked) {
  ApiCall call = RUNTIME(cudaMemcpyToArray_v3020, reinterpret_cast<cudaArray_t>(0x77), 0, 0,
                         pointer(0x2000), 16, cudaMemcpyHostToDevice);
  EXPECT_TRUE(call.transfer.destination.array);
  EXPECT_FALSE(call.transfer.source.array);
  call = RUNTIME(cudaMemcpyToSymbol_v3020, pointer(0x400), pointer(0x2000), 16, 4,
                 cudaMemcpyHostToDevice);
  EXPECT_TRUE(call.transfer.destination.symbol);
  EXPECT_EQ(call.transfer.destination.address, 0x404U);
  call = RUNTIME(cudaMemcpyFromSymbolAsync_v3020, pointer(0x2000), pointer(0x400), 16, 0,
                 cudaMemcpyDeviceToHost, stream(3));
  EXPECT_TRUE(call.transfer.source.symbol);
  EXPECT_EQ(call.transfer.destination.address, 0x2000U);
  EXPECT_EQ(call.stream, 3U);
}

TEST(CallbackDecoder, PeerCopiesNameTheirDevices) {
  const ApiCall call =
      RUNTIME(cudaMemcpyPeerAsync_v4000, pointer(0x10), 1, pointer(0x20), 0, 99, stream(2));
  EXPECT_EQ(call.transfer.destination.device, 1);
  EXPECT_EQ(call.transfer.source.device, 0);
  EXPECT_EQ(call.transfer.bytes(), 99U);
}

TEST(CallbackDecoder, ABatchIsManyCopies) {
  void* destinations[] = {pointer(0x1), pointer(0x2)};
  const void* sources[] = {pointer(0x11), pointer(0x12)};
  std::size_t sizes[] = {8, 16};
  const ApiCall call = RUNTIME(cudaMemcpyBatchAsync_v13000, destinations, sources, sizes, 2,
                               nullptr, nullptr, 0, stream(5));
  EXPECT_EQ(call.transfer.bytes(), 8U);
  ASSERT_EQ(call.more.size(), 1U);
  EXPECT_EQ(call.more[0].source.address, 0x12U);
  EXPECT_EQ(call.more[0].bytes(), 16U);
}

TEST(CallbackDecoder, AllocationsAreReadAtTheExit) {
  void* made = nullptr;
  ApiCall call = RUNTIME(cudaMalloc_v3020, &made, 128);
  made = pointer(0xabc0);
  EXPECT_EQ(call.op, Op::kAlloc);
  EXPECT_EQ(call.space, Space::kDevice);
  EXPECT_EQ(call.made(), 0xabc0U);
  EXPECT_EQ(call.allocated(), 128U);

  std::size_t pitch = 0;
  call = RUNTIME(cudaMallocPitch_v3020, &made, &pitch, 100, 10);
  pitch = 512;
  EXPECT_EQ(call.allocated(), 5120U);

  cudaPitchedPtr pitched{};
  call = RUNTIME(cudaMalloc3D_v3020, &pitched, cudaExtent{100, 10, 2});
  pitched.ptr = pointer(0x700);
  pitched.pitch = 256;
  EXPECT_EQ(call.made(), 0x700U);
  EXPECT_EQ(call.allocated(), 5120U);

  call = RUNTIME(cudaHostAlloc_v3020, &made, 64, cudaHostAllocWriteCombined);
  EXPECT_EQ(call.space, Space::kPinned);
  EXPECT_TRUE(call.uncached);

  CUdeviceptr device = 0;
  call = DRIVER(cuMemAlloc_v2, &device, 32);
  device = 0x5000;
  EXPECT_EQ(call.made(), 0x5000U);
}

TEST(CallbackDecoder, FillsOfEveryWidth) {
  EXPECT_EQ(RUNTIME(cudaMemset_v3020, pointer(0x10), 0, 40).transfer.bytes(), 40U);
  EXPECT_EQ(DRIVER(cuMemsetD8_v2, 0x10, 0, 40).transfer.bytes(), 40U);
  EXPECT_EQ(DRIVER(cuMemsetD16Async, 0x10, 0, 40, nullptr).transfer.bytes(), 80U);
  EXPECT_EQ(DRIVER(cuMemsetD32_v2, 0x10, 0, 40).transfer.bytes(), 160U);
  const ApiCall call = DRIVER(cuMemsetD2D32_v2, 0x10, 64, 0, 4, 3);
  EXPECT_EQ(call.transfer.bytes(), 48U);
  EXPECT_TRUE(call.transfer.strided());
}

TEST(CallbackDecoder, Launches) {
  void* arguments[] = {nullptr};
  ApiCall call =
      RUNTIME(cudaLaunchKernel_v7000, pointer(0x40), dim3(1), dim3(32), arguments, 0, stream(4));
  EXPECT_EQ(call.op, Op::kLaunch);
  EXPECT_EQ(call.launch.arguments, arguments);
  EXPECT_EQ(call.stream, 4U);

  cudaLaunchConfig_t config{};
  config.stream = stream(6);
  call = RUNTIME(cudaLaunchKernelExC_v11060, &config, pointer(0x40), arguments);
  EXPECT_EQ(call.stream, 6U);

  CUlaunchConfig driver_config{};
  driver_config.hStream = reinterpret_cast<CUstream>(8);
  call = DRIVER(cuLaunchKernelEx, &driver_config, nullptr, arguments, nullptr);
  EXPECT_EQ(call.stream, 8U);
  EXPECT_EQ(call.launch.arguments, arguments);

  shapes::KernelLaunchParams params{nullptr, dim3(2), dim3(64), arguments, 0, stream(3)};
  call = decode(kRuntime, CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000, params);
  EXPECT_EQ(call.launch.arguments, arguments);
  EXPECT_EQ(call.stream, 3U);
  params.blockDim = dim3(4096);  // no such launch: the struct is laid out another way
  call = decode(kRuntime, CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000, params);
  EXPECT_EQ(call.launch.arguments, nullptr);
}

TEST(CallbackDecoder, WhatTellsOtherProcesses) {
  EXPECT_EQ(RUNTIME(cudaIpcOpenEventHandle_v4010, nullptr, {}).op, Op::kSharedEvent);
  const ApiCall call =
      RUNTIME(cudaSignalExternalSemaphoresAsync_v11020, nullptr, nullptr, 0, stream(4));
  EXPECT_EQ(call.op, Op::kHostFunction);
  EXPECT_EQ(call.stream, 4U);
}

TEST(CallbackDecoder, WaitsAndEvents) {
  const ApiEntry* entry = find_api(kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020);
  ASSERT_NE(entry, nullptr);
  ApiCall call;
  decode_call(*entry, nullptr, call);
  EXPECT_EQ(call.op, Op::kSync);
  EXPECT_EQ(call.scope, SyncScope::kDevice);

  call = RUNTIME(cudaStreamSynchronize_v3020, stream(4));
  EXPECT_EQ(call.scope, SyncScope::kStream);
  EXPECT_EQ(call.stream, 4U);
  call = RUNTIME(cudaEventSynchronize_v3020, reinterpret_cast<cudaEvent_t>(11));
  EXPECT_EQ(call.scope, SyncScope::kEvent);
  EXPECT_EQ(call.event, 11U);
  call = RUNTIME(cudaStreamWaitEvent_v3020, stream(4), reinterpret_cast<cudaEvent_t>(11), 0);
  EXPECT_EQ(call.op, Op::kStreamWait);
  EXPECT_EQ(call.stream, 4U);
  EXPECT_EQ(call.event, 11U);
  call = RUNTIME(cudaStreamQuery_v3020, stream(4));
  EXPECT_EQ(call.op, Op::kQuery);
  float ms = 0;
  call = RUNTIME(cudaEventElapsedTime_v12080, &ms, reinterpret_cast<cudaEvent_t>(10),
                 reinterpret_cast<cudaEvent_t>(11));
  EXPECT_EQ(call.op, Op::kQuery);
  EXPECT_EQ(call.scope, SyncScope::kEvent);
  EXPECT_EQ(call.event, 11U);
}

// Whatever CUPTI has that moves or fills memory is in the table, but for the driver's 32-bit calls
// of CUDA 3.1, whose pointers no current device has.
TEST(CallbackDecoder, KnowsEveryTransferOfCupti) {
#define EXPECT_KNOWN(id) \
  EXPECT_NE(find_api(kRuntime, CUPTI_RUNTIME_TRACE_CBID_##id), nullptr) << #id
  EXPECT_KNOWN(cudaMemcpy_ptds_v7000);
  EXPECT_KNOWN(cudaMemcpy2DArrayToArray_ptds_v7000);
  EXPECT_KNOWN(cudaMemcpy3DPeerAsync_ptsz_v7000);
  EXPECT_KNOWN(cudaMemcpyBatchAsync_ptsz_v12080);
  EXPECT_KNOWN(cudaMemcpy3DBatchAsync_v13000);
  EXPECT_KNOWN(cudaMemset3DAsync_ptsz_v7000);
#undef EXPECT_KNOWN
  int entries = 0;
  for_each_api([&](CUpti_CallbackDomain, std::uint32_t, const ApiEntry& entry) {
    ++entries;
    EXPECT_NE(entry.name, nullptr);
  });
  EXPECT_GT(entries, 250);
}

TEST(CallbackDecoder, ForeignIdsAreUnknown) {
  EXPECT_EQ(find_api(kRuntime, 0), nullptr);
  EXPECT_EQ(find_api(kRuntime, CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020), nullptr);
  EXPECT_EQ(find_api(kRuntime, 1'000'000), nullptr);
  EXPECT_EQ(find_api(CUPTI_CB_DOMAIN_RESOURCE, 31), nullptr);
}

TEST(CallbackDecoder, NamesOfTransfers) {
  EXPECT_TRUE(looks_like_transfer("cudaMemcpyFancyAsync_v99000"));
  EXPECT_TRUE(looks_like_transfer("cuMemsetD64"));
  EXPECT_FALSE(looks_like_transfer("cudaMalloc"));
  EXPECT_FALSE(looks_like_transfer("cudaGraphAddMemcpyNode"));
  EXPECT_FALSE(looks_like_transfer("Memcpy"));
}

}  // namespace
}  // namespace xfer::tracer
