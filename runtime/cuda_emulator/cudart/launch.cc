#include "cudart/launch.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cudart/capture.h"
#include "cudart/execution.h"
#include "cudart/kernel_arguments.h"
#include "cudart/kernel_report.h"
#include "cudart/run_code.h"
#include "cudart/symbols.h"
#include "grid/launch.h"
#include "machine/cost_model.h"
#include "machine/grid_runner.h"
#include "machine/say.h"

namespace xfer::emulator {
namespace {

struct Launch {
  Kernel* kernel;
  LaunchShape shape;
  Execution execution;
  std::shared_ptr<KernelArguments> arguments;  ///< null: skipped
  std::uint64_t duration_ns;
};

bool shape_fits(dim3 grid, dim3 block) {
  const auto in = [](unsigned value, unsigned most) { return value >= 1 && value <= most; };
  return in(grid.x, 0x7fffffff) && in(grid.y, 65535) && in(grid.z, 65535) && in(block.x, 1024) &&
         in(block.y, 1024) && in(block.z, 64) && std::uint64_t{block.x} * block.y * block.z <= 1024;
}

std::uint64_t blocks_of(const LaunchShape& shape) {
  return std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z;
}

unsigned threads_of(const LaunchShape& shape) {
  return shape.block.x * shape.block.y * shape.block.z;
}

/// Checks the launch against the limits of the kernel's own code.
cudaError_t check_code(const kernels::Code& code, const LaunchShape& shape) {
  constexpr std::size_t kMostShared = 227 << 10;
  if (threads_of(shape) > code.max_threads) return cudaErrorInvalidValue;
  if (code.shared_bytes + shape.shared_bytes > kMostShared) return cudaErrorInvalidValue;
  return cudaSuccess;
}

/// Code for warps is dear to make, by the length of the kernel: worth it once its threads have done
/// what takes about as long. By what is the same in each run, as the order of threads is another.
std::uint64_t enough_for_warps(const kernels::Code& code) {
  // For each instruction of its text; threads that wait lose more time than those that compute.
  const std::uint64_t for_each = code.waits ? 100'000 : 300'000;
  return for_each * std::max<std::uint64_t>(code.length, 20);
}

/// Takes warps at once where it is known that much is to do, or that threads one by one would do
/// something else than a device; else when it turns out to be much.
void choose_warps(const Options& options, Kernel& kernel, std::uint64_t work, grid::Launch& its) {
  if (options.warps == Warps::kNever) return;
  const kernels::Code& code = *its.code;
  const auto make = [&kernel, extra = code.extra, block = its.block] {
    return kernel.module->warp_code(kernel.name, extra,
                                    kernels::warp_shape({block.x, block.y, block.z}));
  };
  const std::uint64_t enough = enough_for_warps(code);
  const bool at_once = code.counts_on_lane_order || kernel.work + work >= enough;
  if (options.warps == Warps::kAlways || (at_once && !kernel.waits_in_lanes)) {
    its.warp = make();
  } else if (!kernel.waits_in_lanes) {
    its.make_warp = make;
    its.enough = enough - kernel.work;
  }
}

void report(Machine& machine, const Launch& launch, const grid::Failure& failure) {
  if (!failure.what.empty())
    report_kernel_fault(machine, *launch.kernel, failure, launch.arguments->unreachable());
}

void run_host_version(Machine& machine, const Launch& launch) {
  const LaunchShape& shape = launch.shape;
  report(machine, launch,
         {run_grid(*launch.execution.host, shape.grid, shape.block, shape.shared_bytes,
                   launch.arguments->pointers())});
}

/// Threads of the host for a kernel that does much; waking them is dear.
unsigned parties_for(const Options& options, const kernels::Code& code, std::uint64_t threads) {
  constexpr std::uint64_t kEnough = 500'000;
  return code.weight * threads >= kEnough ? options.threads : 1;
}

/// Of the kernel's own code.
struct Running {
  Launch launch;
  std::uint32_t correlation;
  std::vector<std::uintptr_t> variables;
  std::optional<CodeRun> run;  ///< nothing: it has not begun
  std::uint64_t work = 0;      ///< instructions, by the text
};

void begin(Machine& machine, int device, Running& running) {
  const Launch& launch = running.launch;
  const LaunchShape& shape = launch.shape;
  const std::uint64_t threads = blocks_of(shape) * threads_of(shape);
  grid::Launch its;
  its.code = launch.execution.code;
  its.parties = parties_for(machine.options(), *its.code, threads);
  its.parameters = launch.arguments->bytes();
  its.variables = running.variables.data();
  its.grid = shape.grid;
  its.block = shape.block;
  its.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.shared_bytes);
  running.work = its.code->weight * threads;
  choose_warps(machine.options(), *launch.kernel, running.work, its);
  running.run.emplace(machine, device, its, shape.cooperative, running.correlation);
}

/// False: it is not over.
bool go_on(Machine& machine, int device, Running& running, bool patient) {
  if (!running.run) begin(machine, device, running);
  if (!running.run->go_on(patient)) return false;
  Kernel& kernel = *running.launch.kernel;
  kernel.work += std::max(running.work, running.run->work());
  if (running.run->left_warps()) kernel.waits_in_lanes = true;
  report(machine, running.launch, running.run->failure());
  running.run.reset();
  return true;
}

/// One run of a host version that waits for others.
class WaitingRun {
 public:
  explicit WaitingRun(Launch launch)
      : launch_(std::move(launch)), kernel_(*launch_.execution.host->waiting) {}
  WaitingRun(const WaitingRun&) = delete;
  WaitingRun& operator=(const WaitingRun&) = delete;
  ~WaitingRun() {
    if (run_ != nullptr) kernel_.end(run_);
  }

  /// False: it is not over.
  bool go_on(bool patient) {
    if (run_ == nullptr) run_ = kernel_.begin(launch_.arguments->pointers());
    return run_ == nullptr || kernel_.go_on(run_, patient);
  }

 private:
  const Launch launch_;
  const WaitingKernel& kernel_;
  void* run_ = nullptr;
};

bool waits_for_others(const Launch& launch) {
  return launch.execution.host != nullptr && launch.execution.host->waiting != nullptr;
}

std::uint64_t duration_of(const kernels::Code* code, const LaunchShape& shape) {
  const std::uint64_t threads = blocks_of(shape) * threads_of(shape);
  return code == nullptr ? cost::kernel_ns(threads)
                         : cost::kernel_ns(threads, code->weight, code->bytes);
}

/// Later results may be wrong: it is said at once, and not only at the end.
void say_first_skipped(const Machine& machine, const Launch& launch) {
  if (!machine.options().summary || machine.options().execute == Execute::kSkip) return;
  say("xfercheck: {}\n", first_skipped_text(launch.kernel->name, launch.execution.why,
                                            machine.options().missing_is_nan));
}

cudaError_t queue(Session& session, Stream& stream, const Launch& launch) {
  Machine& machine = session.machine;
  KernelRegistry& registry = KernelRegistry::instance();
  const int device = stream.device;
  std::vector<std::uintptr_t> variables;
  if (launch.execution.code != nullptr) {
    auto addresses = variables_of(machine, launch.kernel->module, *launch.execution.code, device);
    if (!addresses) return cudaErrorMemoryAllocation;
    variables = std::move(*addresses);
  }
  Op op;
  op.activity.kind = Activity::Kind::kKernel;
  op.activity.async = true;
  op.activity.name = launch.kernel->name.c_str();
  op.activity.grid = launch.shape.grid;
  op.activity.block = launch.shape.block;
  op.activity.shared_bytes = static_cast<std::uint32_t>(launch.shape.shared_bytes);
  const bool waits = waits_for_others(launch);
  machine.place(stream, waits ? DeviceEngine::kLinks : DeviceEngine::kCompute, launch.duration_ns,
                &op.activity);
  ++machine.launches;
  if (launch.execution.skipped()) {
    if (machine.launches_skipped++ == 0) say_first_skipped(machine, launch);
    registry.count_skipped(*launch.kernel, launch.execution.why);
  } else {
    if (launch.execution.code != nullptr)
      registry.count_from_ptx(*launch.kernel, launch.execution.code->approximate);
    else
      registry.count_from_host(*launch.kernel);
    op.host_ranges = launch.arguments->host_ranges();
    if (waits) {
      op.run_part = [run = std::make_shared<WaitingRun>(launch)](bool patient) {
        return run->go_on(patient);
      };
      op.others_wait = true;
    } else if (launch.execution.host != nullptr) {
      op.run = [&machine, launch] { run_host_version(machine, launch); };
    } else {
      auto running = std::make_shared<Running>(launch, op.activity.correlation,
                                               std::move(variables), std::nullopt);
      op.run_part = [&machine, device, running](bool patient) {
        return go_on(machine, device, *running, patient);
      };
    }
  }
  machine.scheduler().submit(session.lock, stream, std::move(op));
  return cudaSuccess;
}

}  // namespace

cudaError_t launch(Session& session, const void* function, const LaunchShape& shape, void** args,
                   Stream* stream) {
  Machine& machine = session.machine;
  Kernel* const kernel = KernelRegistry::instance().find(function);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (stream == nullptr || stream->device != session.thread.device) {
    return cudaErrorInvalidResourceHandle;
  }
  if (!shape_fits(shape.grid, shape.block)) return cudaErrorInvalidConfiguration;
  if (shape.shared_bytes > static_cast<std::size_t>(kernel->max_dynamic_shared)) {
    return cudaErrorInvalidValue;
  }

  if (const auto error = may_queue(session, *stream); error != cudaSuccess) return error;
  if (session.thread.launches_dry) {
    session.thread.dry_ns += duration_of(nullptr, shape);
    session.thread.next_kernel_ns = 0;
    machine.spend(cost::kSubmitNs);
    return cudaSuccess;
  }

  Execution execution = execution_of(machine, *kernel);
  const kernels::Code* const code = execution.code;
  if (code != nullptr) {
    if (const auto error = check_code(*code, shape); error != cudaSuccess) return error;
  }
  const std::size_t shared_bytes = shape.shared_bytes + (code != nullptr ? code->shared_bytes : 0);
  if (shape.cooperative &&
      blocks_of(shape) > std::uint64_t{grid::kMultiprocessors} *
                             grid::blocks_per_multiprocessor(threads_of(shape), shared_bytes))
    return cudaErrorCooperativeLaunchTooLarge;

  const std::uint64_t given_ns = std::exchange(session.thread.next_kernel_ns, 0);
  auto touches = std::exchange(session.thread.next_touches, std::nullopt);
  if (session.thread.graph_node == 0) machine.spend(cost::kSubmitNs);
  if (stream->capture != nullptr)
    return keep(
        *stream,
        KernelWork{
            function, shape, std::make_shared<const RawArguments>(execution, args), given_ns, {}});
  Launch what{kernel, shape, std::move(execution), nullptr,
              given_ns != 0 ? given_ns : duration_of(code, shape)};
  const int device = stream->device;
  if (what.execution.host != nullptr)
    what.arguments =
        std::make_shared<KernelArguments>(machine, device, what.execution.host->arg_sizes, args);
  else if (code != nullptr)
    what.arguments = std::make_shared<KernelArguments>(machine, device, *code, args);
  const cudaError_t error = queue(session, *stream, what);
  if (error == cudaSuccess && touches)
    machine.touch_record().tell(session.thread.correlation, std::move(*touches));
  return error;
}

}  // namespace xfer::emulator
