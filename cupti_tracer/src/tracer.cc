#include "tracer.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <utility>

#include "callback_decoder.h"
#include "crash_flush.h"
#include "fault_handler.h"
#include "host_clock.h"
#include "messages.h"
#include "report_at_exit.h"
#include "run_facts.h"
#include "thread_state.h"
#include "trace_path.h"
#include "write_failure.h"
#include "xfer/no_cancel.h"

namespace xfer::tracer {
namespace {

std::atomic<Tracer*> g_tracer{nullptr};
std::atomic<bool> g_started{false};

TracerOptions read_options() {
  TracerOptions options;
  const char* text = std::getenv("XFERCHECK_OPTIONS");
  if (text == nullptr) return options;
  const std::vector<std::string> problems = parse_options(text, options);
  set_log_path(expand_path(options.log_path));
  for (const std::string& problem : problems)
    if (problem.find("emulate_") == std::string::npos)  // the emulated CUDA's own
      say(problem);
  if (options.help) print_options_help(std::cerr);
  return options;
}

}  // namespace

Fault fault_of(const CudaQueries::HostTouch& touch) noexcept {
  Fault fault;
  fault.address = touch.begin;
  fault.bytes = touch.bytes;
  fault.access = touch.writes ? kWrites : kReads;
  fault.correlation = touch.id;
  return fault;
}

Tracer* Tracer::current() noexcept { return g_tracer.load(std::memory_order_acquire); }

bool Tracer::is_off() noexcept {
  return g_started.load(std::memory_order_acquire) && current() == nullptr;
}

Tracer::Tracer(TracerOptions options, CuptiApi cupti, CudaQueries queries,
               std::unique_ptr<TraceWriter> writer, std::string path)
    : options_(std::move(options)),
      cupti_(std::move(cupti)),
      queries_(queries),
      writer_(std::move(writer)),
      path_(std::move(path)),
      pid_(getpid()),
      python_(*writer_),
      queue_([this](const Event& event) { writer_->add(event); }),
      kernels_([this](std::string_view name) { return writer_->intern_string(name); },
               [this](const char* mangled) { return queries_.is_skipped_kernel(mangled); }),
      recorder_(
          queue_, kernels_,
          {options_.hash, options_.hash_max_bytes, options_.hash_budget, options_.watch_host},
          [this](std::uint64_t address) { return queries_.space_of(address); }, queries_.host_use(),
          queries_.touch_query(), options_.watch_host ? queries_.host_watch() : HostWatch(),
          queries_.graph_query(), queries_.variable_query()) {
  for (auto& device : device_of_context_) device.store(-1, std::memory_order_relaxed);
  filter_.add_module_of(reinterpret_cast<const void*>(&Tracer::start));
  filter_.add_module_of(reinterpret_cast<const void*>(cupti_.cuptiSubscribe));
  queries_.for_each_module([this](const void* address) { filter_.add_module_of(address); });
}

void Tracer::start() {
  if (g_started.exchange(true)) return;
  try {
    TracerOptions options = read_options();
    if (!options.enabled) return;
    prepare_report(options);
    std::string problem;
    CudaQueries queries;
    queries.find();
    CuptiApi cupti;
    const bool can_trace = cupti.load(queries.emulated(), problem);
    // Another process reports, and learns from the trace why nothing was traced.
    const bool tells = !options.report && !options.output.empty();
    if (!can_trace && !tells) return say("not tracing: " + problem);

    // The program may go to another folder.
    const std::string path = std::filesystem::absolute(trace_path(options)).string();
    TraceWriterOptions writing;
    writing.flush_interval_ms = options.flush_interval_ms;
    writing.max_file_bytes = options.max_file_bytes;
    auto writer = TraceWriter::open(path.c_str(), writing);
    if (writer == nullptr) {
      const int error = errno;
      return say("not tracing: " + path + " cannot be written: " + std::strerror(error) + "; " +
                 remedy_of_write(error));
    }
    record_run(*writer, queries.emulated());
    writer->flush();  // however the program ends
    if (!can_trace) {
      writer->set_metadata("tracer_problem", problem);
      return say("not tracing: " + problem);
    }

    prepare_stack_capture();
    // Never destroyed: CUDA may call back until the very end.
    auto* tracer =
        new Tracer(std::move(options), std::move(cupti), queries, std::move(writer), path);
    g_tracer.store(tracer, std::memory_order_release);
    if (!tracer->subscribe(problem)) {
      g_tracer.store(nullptr, std::memory_order_release);
      tracer->writer_->set_metadata("tracer_problem", problem);
      tracer->writer_->close();
      if (!tells) unlink(path.c_str());
      return say("not tracing: " + problem);
    }
    pthread_atfork(nullptr, nullptr, [] { g_tracer.store(nullptr, std::memory_order_release); });
    install_fault_handler(queries);
    install_crash_flush();
    if (tracer->options_.verbosity > 0)
      say("tracing process " + std::to_string(tracer->pid_) + " with " + tracer->cupti_.path +
          " into " + path);
  } catch (const std::exception& error) {
    g_tracer.store(nullptr, std::memory_order_release);
    say(std::string("not tracing: ") + error.what());
  }
}

bool Tracer::subscribe(std::string& problem) {
  const CUptiResult result = cupti_.cuptiSubscribe(&subscriber_, &Tracer::on_callback, this);
  if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    char owner[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN + 1] = {};
    CUpti_SubscriberParams params{};
    params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    params.subscriberName = "xfertrace";
    params.oldSubscriberName = owner;
    params.oldSubscriberSize = sizeof(owner) - 1;
    CUpti_SubscriberHandle second = nullptr;
    if (cupti_.cuptiSubscribe_v2 != nullptr &&
        cupti_.cuptiSubscribe_v2(&second, &Tracer::on_callback, this, &params) == CUPTI_SUCCESS &&
        cupti_.cuptiUnsubscribe != nullptr)
      cupti_.cuptiUnsubscribe(
          second);  // a later CUPTI lets them live side by side; not this one's way
    problem = std::string("another tool uses CUPTI in this process") +
              (owner[0] != '\0' ? std::string(": ") + owner : std::string()) +
              "; CUPTI serves one at a time (nsys, ncu, cuda-gdb, compute-sanitizer and "
              "torch.profiler use it)";
    return false;
  }
  if (result != CUPTI_SUCCESS) {
    problem = "CUPTI (" + cupti_.path + ") refuses: " + cupti_.explain(result);
    return false;
  }
  enable_activities();
  enable_callbacks();
  return true;
}

void Tracer::enable_callbacks() {
  const auto enable = [this](CUpti_CallbackDomain domain, std::uint32_t id) {
    cupti_.cuptiEnableCallback(1, subscriber_, domain, id);  // an older CUPTI lacks some: no matter
  };
  for_each_api(
      [&](CUpti_CallbackDomain domain, std::uint32_t id, const ApiEntry&) { enable(domain, id); });
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  if (cupti_.cuptiGetCallbackName == nullptr) return;
  // Calls that the table does not know, a newer CUDA's among them: seen, counted, said.
  constexpr std::uint32_t kBeyond = 256;
  const std::pair<CUpti_CallbackDomain, std::uint32_t> domains[] = {
      {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE},
      {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE}};
  for (const auto& [domain, size] : domains) {
    for (std::uint32_t id = 1; id < size + kBeyond; ++id) {
      if (find_api(domain, id) != nullptr) continue;
      const char* name = nullptr;
      if (cupti_.cuptiGetCallbackName(domain, id, &name) != CUPTI_SUCCESS || name == nullptr) {
        if (id >= size) break;
        continue;
      }
      if (looks_like_transfer(name)) enable(domain, id);
    }
  }
}

void Tracer::enable_activities() {
  if (cupti_.cuptiActivityRegisterTimestampCallback != nullptr &&
      cupti_.cuptiActivityRegisterTimestampCallback(&host_clock_ns) == CUPTI_SUCCESS) {
    clock_offset_ns_ = 0;
  } else if (std::uint64_t cupti_ns = 0; cupti_.cuptiGetTimestamp != nullptr &&
                                         cupti_.cuptiGetTimestamp(&cupti_ns) == CUPTI_SUCCESS) {
    clock_offset_ns_ = static_cast<std::int64_t>(host_clock_ns() - cupti_ns);
  }
  if (cupti_.cuptiActivityRegisterCallbacks(&on_buffer_requested, &on_buffer_completed) !=
      CUPTI_SUCCESS)
    return;
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
        CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL})
    cupti_.cuptiActivityEnable(kind);
  constexpr std::uint32_t kFlushPeriodMs = 1000;
  if (cupti_.cuptiActivityFlushPeriod != nullptr) cupti_.cuptiActivityFlushPeriod(kFlushPeriodMs);
}

void Tracer::flush_all() noexcept {
  if (getpid() != pid_ || finished_.load(std::memory_order_relaxed)) return;
  cupti_.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  std::size_t lost = 0;
  if (cupti_.cuptiActivityGetNumDroppedRecords != nullptr &&
      cupti_.cuptiActivityGetNumDroppedRecords(nullptr, 0, &lost) == CUPTI_SUCCESS)
    records_lost_.fetch_add(lost, std::memory_order_relaxed);
  queue_.drain();
  writer_->flush();
}

void Tracer::describe(const char* how) {
  writer_->set_metadata("exit", how);
  if (const int status = exit_status_.load(); status >= 0)
    writer_->set_metadata("exit_code", std::to_string(status));
  writer_->set_metadata("cupti", cupti_.path);
  writer_->set_metadata("cupti.version", std::to_string(cupti_.version));
  if (const std::string& python = python_.stacks().version(); !python.empty())
    writer_->set_metadata(python_.stacks().readable() ? "python" : "python.unread", python);
  writer_->set_metadata("options", format_options(options_));
  describe_content();
  describe_scopes();
  if (const std::string report = queries_.kernel_report(); !report.empty())
    writer_->set_metadata("emulated.kernels", report);
  writer_->set_metadata("watch.rests", std::to_string(queries_.watch_rests()));
  writer_->set_metadata("watch.unwatched_results", std::to_string(recorder_.unwatched_results()));
  writer_->set_metadata("unmodelled_calls", std::to_string(recorder_.unmodelled()));
  writer_->set_metadata("activity_records_lost", std::to_string(records_lost_.load()));
}

void Tracer::describe_content() {
  const ContentBudget::Account account = recorder_.content();
  const std::pair<const char*, std::uint64_t> sums[] = {
      {"content.read_bytes", account.read_bytes},
      {"content.read_ns", account.read_ns},
      {"content.skipped_copies", account.skipped_copies},
      {"content.skipped_bytes", account.skipped_bytes},
      {"content.unsearched_uploads", recorder_.unsearched()}};
  for (const auto& [key, sum] : sums) writer_->set_metadata(key, std::to_string(sum));
  content_described_.store(account.skipped_copies, std::memory_order_relaxed);
}

void Tracer::finish(const char* how) noexcept {
  if (getpid() != pid_ || finished_.exchange(true)) return;
  g_tracer.store(nullptr, std::memory_order_release);
  try {
    describe(how);
    if (!queries_.in_kernel()) recorder_.finish();
    queue_.drain();
  } catch (const std::exception&) {  // out of memory: the file is closed as it is
  }
  writer_->close();
  say_what_was_lost();
}

// Once: the trace has ended.
void Tracer::say_what_was_lost() noexcept {
  if (writer_->error() == 0) return;
  std::array<char, 512> line;
  describe_write_failure(
      {writer_->error(), writer_->dropped(), path_.c_str(), options_.max_file_bytes}, line);
  say(line.data());
}

void Tracer::drain_from_signal() noexcept {
  queue_.drain_from_signal([this](const Event& event) { writer_->add_from_signal(event); });
}

void Tracer::finish_from_signal() noexcept {
  if (getpid() != pid_ || finished_.exchange(true)) return;
  g_tracer.store(nullptr, std::memory_order_release);
  drain_from_signal();
  writer_->flush_from_signal(/*last=*/true);
  say_what_was_lost();
}

void Tracer::host_memory_freed(std::uint64_t address) noexcept {
  const ThreadState* const thread = thread_state_if_any();
  if (getpid() != pid_ || (thread != nullptr && thread->busy)) return;
  const NoCancel no_cancel;
  try {
    recorder_.host_memory_freed(address);
  } catch (const std::exception&) {  // out of memory: that it was unread goes unsaid
  }
}

void Tracer::note_fault(const Fault& fault) noexcept {
  constexpr unsigned kMostFaults = 4096;  // of a program that lives on with them
  constexpr std::uint8_t kMostAtOnePlace = 16;
  const ThreadState* const thread = thread_state_if_any();
  if (getpid() != pid_ || finished_.load(std::memory_order_relaxed) || queries_.in_kernel() ||
      (thread != nullptr && thread->busy))
    return;
  std::optional<Event> event = recorder_.fault(fault.address);
  if (!event) return;
  // An instruction whose fault nobody mended faults again.
  const std::uint64_t which = fault.address * 0x9e3779b97f4a7c15ull + fault.pc;
  const bool again = last_fault_.exchange(which) == which && event->space == Space::kDevice;
  std::atomic<std::uint8_t>& here =
      faults_at_[fault.pc * 0x9e3779b97f4a7c15ull >> 54];  // ten bits of 64
  if (again || here.load() == kMostAtOnePlace || faults_.fetch_add(1) >= kMostFaults) return;
  here.fetch_add(1);
  event->flags = fault.access;
  event->bytes = fault.bytes;
  event->correlation = fault.correlation;
  event->thread = static_cast<std::uint32_t>(gettid());
  event->begin_ns = event->end_ns = host_clock_ns();
  std::array<std::uintptr_t, kMaxStackDepth> frames;
  std::size_t depth = 0;
  if (options_.stacks && options_.stack_depth != 0 && fault.pc != 0)
    depth = capture_interrupted_stack(
        fault.pc, {frames.data(), std::min<std::size_t>(options_.stack_depth, frames.size())});
  // Names that the trace does not have yet take memory. Code that touches CUDA's memory is not in
  // the midst of the C library's allocator, and of programs without Python nothing is asked here.
  std::array<PythonFrameRef, kMaxStackDepth> calls;
  const std::size_t python_depth = depth > 1 ? python_.capture({calls.data(), calls.size()}) : 0;
  drain_from_signal();
  writer_->add_from_signal(*event, {frames.data(), depth}, {calls.data(), python_depth});
  writer_->flush_from_signal(/*last=*/false);
}

void Tracer::system_touches(const void* address, std::size_t bytes, bool writes,
                            const void* caller) noexcept {
  CudaQueries::HostTouch touch{};
  if (!queries_.system_touches(address, bytes, writes, touch)) return;
  Fault fault = fault_of(touch);
  fault.pc = reinterpret_cast<std::uintptr_t>(caller) - 1;
  note_fault(fault);
}

int Tracer::report() noexcept {
  if (getpid() != pid_ || !options_.report) return 0;
  return report_trace(path_.c_str(), options_.output.empty());
}

}  // namespace xfer::tracer
