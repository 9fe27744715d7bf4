#include "nccl/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <span>

#include "cudart/library_kernel.h"
#include "cudart/on_device.h"
#include "machine/cost_model.h"

namespace xfer::emulated_nccl {
namespace {

/// The stub to launch for a kernel of this name, which is registered when it is first asked for.
const char* stub_of(std::string_view name, std::size_t storage,
                    const emulator::WaitingKernel* kernel, const std::vector<std::size_t>& sizes) {
  static std::mutex mutex;
  static auto* const names = new std::map<std::string, const char*, std::less<>>;
  // Mangled, as a profiler sees NCCL's.
  std::string mangled =
      fmt::format("_Z{}{}24ncclDevKernelArgsStorageILm{}EE", name.size(), name, storage);
  const std::lock_guard lock(mutex);
  const auto [found, is_new] = names->try_emplace(std::move(mangled));
  if (is_new) {
    found->second = found->first.c_str();
    emulator::register_waiting_kernel(found->second, found->second, kernel, sizes);
  }
  return found->second;
}

std::string kernel_name(const Call& call) {
  const bool by_sum = call.reduction == Reduction::kAverage && !its(call.type).is_real;
  const auto reduced = [&](std::string_view kind) {
    std::string_view how = "Sum";
    switch (call.reduction) {
      case Reduction::kSum: break;
      case Reduction::kProduct: how = "Prod"; break;
      case Reduction::kMax:
      case Reduction::kMin: how = "MinMax"; break;
      case Reduction::kAverage: how = by_sum ? "SumPostDiv" : "PreMulSum"; break;
      case Reduction::kScaledSum: how = "PreMulSum"; break;
    }
    return fmt::format("ncclDevKernel_{}_{}_{}_RING_LL", kind, how, its(call.type).in_kernels);
  };
  switch (call.kind) {
    case Kind::kAllReduce: return reduced("AllReduce");
    case Kind::kReduceScatter: return reduced("ReduceScatter");
    case Kind::kReduce: return reduced("Reduce");
    case Kind::kBroadcast: return "ncclDevKernel_Broadcast_RING_LL";
    case Kind::kAllGather: return "ncclDevKernel_AllGather_RING_LL";
    // NCCL makes them of sends and receives.
    case Kind::kGather: return "ncclDevKernel_Gather";
    case Kind::kScatter: return "ncclDevKernel_Scatter";
    case Kind::kAllToAll: return "ncclDevKernel_AlltoAll";
  }
  return {};
}

class Touches {
 public:
  void add(const void* buffer, std::uint64_t bytes, bool writes) {
    if (bytes == 0) return;
    xfer_emulator_touched_range range{};
    range.begin = reinterpret_cast<std::uintptr_t>(buffer);
    range.end = range.begin + bytes;
    range.reads = !writes;
    range.writes = writes;
    range.every_byte = range.in_block = true;
    for (auto& other : ranges_) {  // in place
      if (other.begin != range.begin || other.end != range.end) continue;
      other.reads |= range.reads;
      other.writes |= range.writes;
      return;
    }
    ranges_.push_back(range);
  }
  /// False: the device cannot reach one of them; it is lost, and that was said.
  bool check() const {
    return std::ranges::all_of(ranges_, [](const auto& range) {
      return xfer_emulator_check_operand("NCCL", reinterpret_cast<const void*>(range.begin),
                                         range.end - range.begin);
    });
  }
  void tell() const { xfer_emulator_next_touches(ranges_.data(), ranges_.size()); }

 private:
  std::vector<xfer_emulator_touched_range> ranges_;
};

ncclResult_t launch_kernel(const char* stub, std::uint64_t bytes_on_link, const Touches& touches,
                           std::vector<void*> arguments, cudaStream_t stream) {
  // The call succeeds all the same: as on a device, the fault shows at the next one.
  if (!touches.check()) return ncclSuccess;
  touches.tell();
  xfer_emulator_next_kernel_ns(emulator::cost::collective_ns(bytes_on_link));
  constexpr std::uint64_t kOfBlock = 64 << 10;
  constexpr std::uint64_t kMostBlocks = 24;
  const auto blocks = static_cast<unsigned>(std::min(bytes_on_link / kOfBlock + 1, kMostBlocks));
  return cuda_error("cudaLaunchKernel", emulator::launch_library_kernel(
                                            stub, dim3(blocks), std::move(arguments), stream));
}

ncclResult_t launch_one(const Communicator& communicator, CollectiveArguments arguments,
                        cudaStream_t stream) {
  const Call& call = arguments.call;
  const std::uint32_t rank = communicator.rank();
  const std::uint32_t ranks = communicator.ranks();
  Touches touches;
  touches.add(arguments.send, call.sent_bytes(rank, ranks), false);
  // All ranks run the same code: what a broadcast writes over was the root's to send, and no waste.
  if (call.kind == Kind::kBroadcast && arguments.send == arguments.receive)
    touches.add(arguments.send, call.bytes(), false);
  touches.add(arguments.receive, call.received_bytes(rank, ranks), true);
  const char* const stub = stub_of(kernel_name(call), 4096, &kCollective,
                                   emulator::sizes_of_arguments<CollectiveArguments>());
  return launch_kernel(stub, call.bytes_on_link(ranks), touches, emulator::places_of(arguments),
                       stream);
}

std::uint64_t bytes_on_link(std::span<const Piece> pieces) {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  for (const Piece& piece : pieces) (piece.is_send != 0 ? sent : received) += piece.bytes;
  return std::max(sent, received);
}

ncclResult_t launch_pieces(const Communicator& communicator, std::span<const Piece> pieces,
                           cudaStream_t stream) {
  Touches touches;
  for (const Piece& piece : pieces) touches.add(piece.buffer, piece.bytes, piece.is_send == 0);
  const std::size_t size = storage_for(pieces.size());
  std::vector<std::byte> storage(size);
  const PiecesHeader header{communicator.number(), pieces.size()};
  std::memcpy(storage.data(), &header, sizeof(header));
  std::memcpy(storage.data() + sizeof(header), pieces.data(), pieces.size_bytes());
  const char* const stub = stub_of("ncclDevKernel_SendRecv", size, &kPointToPoint, {size});
  return launch_kernel(stub, bytes_on_link(pieces), touches, {storage.data()}, stream);
}

/// What `stream` is given from here on waits for what `awaited` was given.
ncclResult_t wait_for(cudaStream_t stream, cudaStream_t awaited) {
  cudaEvent_t event = nullptr;
  cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  if (error != cudaSuccess) return cuda_error("cudaEventCreateWithFlags", error);
  error = cudaEventRecord(event, awaited);
  if (error == cudaSuccess) error = cudaStreamWaitEvent(stream, event, 0);
  cudaEventDestroy(event);
  return cuda_error("cudaStreamWaitEvent", error);
}

/// Of one communicator.
class Batch {
 public:
  explicit Batch(CommunicatorPtr communicator) : communicator_(std::move(communicator)) {}

  const CommunicatorPtr& communicator() const { return communicator_; }
  void add(const Operation& operation) {
    if (std::ranges::find(streams_, operation.stream) == streams_.end())
      streams_.push_back(operation.stream);
    if (const auto* const collective = std::get_if<CollectiveArguments>(&operation.what))
      collectives_.push_back(*collective);
    else
      pieces_.push_back(std::get<Piece>(operation.what));
  }

  ncclResult_t launch() const {
    const emulator::OnDevice on_device(communicator_->device());
    const cudaStream_t stream = streams_.front();
    ncclResult_t result = follow_the_last(stream);
    for (std::size_t i = 1; i < streams_.size() && result == ncclSuccess; ++i)
      result = wait_for(stream, streams_[i]);
    for (std::size_t i = 0; i < collectives_.size() && result == ncclSuccess; ++i)
      result = launch_one(*communicator_, collectives_[i], stream);
    if (!pieces_.empty() && result == ncclSuccess)
      result = launch_pieces(*communicator_, pieces_, stream);
    for (std::size_t i = 1; i < streams_.size() && result == ncclSuccess; ++i)
      result = wait_for(streams_[i], stream);
    return result;
  }

  std::uint64_t duration_ns() const {
    std::uint64_t sum = 0;
    for (const CollectiveArguments& collective : collectives_)
      sum += emulator::cost::collective_ns(collective.call.bytes_on_link(communicator_->ranks()));
    if (!pieces_.empty()) sum += emulator::cost::collective_ns(bytes_on_link(pieces_));
    return sum;
  }

 private:
  /// Of a captured stream, the graph says what waits for what.
  ncclResult_t follow_the_last(cudaStream_t stream) const {
    if (xfer_emulator_is_captured(stream) != 0) return ncclSuccess;
    const std::optional<cudaStream_t> last = std::exchange(communicator_->stream, stream);
    // The last one may be gone by now, and with it all that it was given.
    if (last && *last != stream && wait_for(stream, *last) != ncclSuccess) cudaGetLastError();
    return ncclSuccess;
  }

  CommunicatorPtr communicator_;
  std::vector<cudaStream_t> streams_;
  std::vector<CollectiveArguments> collectives_;
  std::vector<Piece> pieces_;
};

std::vector<Batch> batches_of(const std::vector<Operation>& operations) {
  std::vector<Batch> batches;
  for (const Operation& operation : operations) {
    auto found = std::ranges::find(batches, operation.communicator, &Batch::communicator);
    if (found == batches.end()) found = batches.emplace(found, operation.communicator);
    found->add(operation);
  }
  return batches;
}

}  // namespace

ncclResult_t launch(const std::vector<Operation>& operations) {
  ncclResult_t result = ncclSuccess;
  for (const Batch& batch : batches_of(operations))
    if (result == ncclSuccess) result = batch.launch();
  return result;
}

std::uint64_t duration_ns(const std::vector<Operation>& operations) {
  std::uint64_t longest = 0;
  for (const Batch& batch : batches_of(operations))
    longest = std::max(longest, batch.duration_ns());
  return longest;
}

ncclResult_t cuda_error(const char* call, cudaError_t error) {
  if (error == cudaSuccess) return ncclSuccess;
  set_last_error(fmt::format("{} failed: {}", call, cudaGetErrorString(error)));
  return ncclUnhandledCudaError;
}

}  // namespace xfer::emulated_nccl
