#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "nccl_program.h"

namespace xfer::test {
namespace {

std::size_t bytes_of(ncclDataType_t type) {
  constexpr std::size_t kBytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return kBytes[type];
}

template <typename Element>
void put(void* place, Element element) {
  std::memcpy(place, &element, sizeof(element));
}

void encode(ncclDataType_t type, double value, void* to) {
  const auto real = static_cast<float>(value);
  switch (type) {
    case ncclInt8: return put(to, static_cast<std::int8_t>(value));
    case ncclUint8: return put(to, static_cast<std::uint8_t>(value));
    case ncclInt32: return put(to, static_cast<std::int32_t>(value));
    case ncclUint32: return put(to, static_cast<std::uint32_t>(value));
    case ncclInt64: return put(to, static_cast<std::int64_t>(value));
    case ncclUint64: return put(to, static_cast<std::uint64_t>(value));
    case ncclFloat16: return put(to, __float2half(real));
    case ncclFloat32: return put(to, real);
    case ncclFloat64: return put(to, value);
    case ncclBfloat16: return put(to, __float2bfloat16(real));
    case ncclFloat8e4m3: return put(to, __nv_cvt_float_to_fp8(real, __NV_SATFINITE, __NV_E4M3));
    case ncclFloat8e5m2: return put(to, __nv_cvt_float_to_fp8(real, __NV_SATFINITE, __NV_E5M2));
    default: return;
  }
}

std::vector<std::byte> encoded(ncclDataType_t type, const std::vector<double>& values) {
  std::vector<std::byte> bytes(values.size() * bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i)
    encode(type, values[i], bytes.data() + i * bytes_of(type));
  return bytes;
}

}  // namespace

void check(const char* call, ncclResult_t result) {
  if (result == ncclSuccess) return;
  std::printf("%s: %s (%s)\n", call, ncclGetErrorString(result), ncclGetLastError(nullptr));
  std::fflush(stdout);
  std::_Exit(1);
}

void check(const char* call, cudaError_t result) {
  if (result == cudaSuccess) return;
  std::printf("%s: %s\n", call, cudaGetErrorString(result));
  std::fflush(stdout);
  std::_Exit(1);
}

Rank::Rank(int number) : rank(number) {
  check("cudaSetDevice", cudaSetDevice(rank));
  check("cudaStreamCreate", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}

void Rank::synchronize() const { check("cudaStreamSynchronize", cudaStreamSynchronize(stream)); }

std::vector<Rank> join(const std::vector<int>& mine, int ranks, const ncclUniqueId& id) {
  std::vector<Rank> all;
  for (const int rank : mine) all.emplace_back(rank);
  in_group(all, [&](Rank& rank) { return ncclCommInitRank(&rank.comm, ranks, id, rank.rank); });
  return all;
}

void in_group(std::vector<Rank>& mine, const std::function<ncclResult_t(Rank&)>& call) {
  check("ncclGroupStart", ncclGroupStart());
  for (Rank& rank : mine) {
    check("cudaSetDevice", cudaSetDevice(rank.rank));
    check("a call in a group", call(rank));
  }
  check("ncclGroupEnd", ncclGroupEnd());
}

void synchronize(const std::vector<Rank>& mine) {
  for (const Rank& rank : mine) rank.synchronize();
}

void destroy(std::vector<Rank>& mine) {
  for (Rank& rank : mine) check("ncclCommDestroy", ncclCommDestroy(rank.comm));
}

Buffer::Buffer(const Rank& rank, ncclDataType_t type, const std::vector<double>& values)
    : device_(rank.rank), type_(type), count_(values.size()) {
  const std::vector<std::byte> bytes = encoded(type, values);
  check("cudaSetDevice", cudaSetDevice(device_));
  check("cudaMalloc", cudaMalloc(&memory_, bytes.size() + 1));
  check("cudaMemcpy", cudaMemcpy(memory_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  check("cudaDeviceSynchronize", cudaDeviceSynchronize());  // before other streams use it
}

Buffer::Buffer(Buffer&& other) noexcept
    : device_(other.device_),
      type_(other.type_),
      count_(other.count_),
      memory_(std::exchange(other.memory_, nullptr)) {}

Buffer::~Buffer() { cudaFree(memory_); }

void* Buffer::at(std::size_t element) const {
  return static_cast<std::byte*>(memory_) + element * bytes_of(type_);
}

bool Buffer::holds(const std::vector<double>& values) const {
  const std::vector<std::byte> expected = encoded(type_, values);
  std::vector<std::byte> found(count_ * bytes_of(type_));
  check("cudaMemcpy", cudaMemcpy(found.data(), memory_, found.size(), cudaMemcpyDeviceToHost));
  return found == expected;
}

void run_ranks(const std::string& way, int ranks, const Body& body) {
  ncclUniqueId id;
  check("ncclGetUniqueId", ncclGetUniqueId(&id));
  const auto run = [&](const std::vector<int>& numbers) {
    std::vector<Rank> mine = join(numbers, ranks, id);
    body(mine, ranks);
    destroy(mine);
  };
  if (way == "thread") {
    std::vector<int> all;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(rank);
    return run(all);
  }
  if (way == "threads") {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank) threads.emplace_back(run, std::vector<int>{rank});
    for (std::thread& thread : threads) thread.join();
    return;
  }
  for (int rank = 0; rank < ranks; ++rank) {
    std::fflush(stdout);
    if (fork() != 0) continue;
    run({rank});
    std::fflush(stdout);
    std::_Exit(0);
  }
  for (int status = 0; wait(&status) > 0;)
    if (status != 0) std::printf("a process ended with %d\n", status);
}

}  // namespace xfer::test
