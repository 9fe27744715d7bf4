// A program that has a SIGSEGV handler of its own, set in each of the ways there are, before CUDA
// starts or after. usage: signal_cases WHAT HOW WHEN
//
// It says itself whether its handler was called as the system would call it: its exit code is 0
// only then. A comment "FIND: name" marks the line that the report must name.

#include <cuda_runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "../../unit/runtime/small_stack.h"

namespace {

constexpr size_t kBytes = 1 << 16;

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "signal_cases: %s\n", cudaGetErrorString(result));
  std::exit(9);
}
[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "signal_cases: %s\n", what);
  std::exit(5);
}

// Beside the kernel's frame: what the handlers here need, and no more. Sanitizers put more on it.
#ifndef XFER_SIGNAL_STACK
#define XFER_SIGNAL_STACK 1024
#endif
thread_local const xfer::test::SmallStack* t_stack = nullptr;
bool g_on_own_stack = false;
bool g_on_threads_stack = false;  // of which the handler takes much

void* volatile g_address = nullptr;  // of the last fault, where the handler is told
volatile std::sig_atomic_t g_code = 0;
volatile std::sig_atomic_t g_calls = 0;
volatile std::sig_atomic_t g_wrong_stack = 0;
volatile std::sig_atomic_t g_not_blocked = 0;

thread_local sigjmp_buf t_recovered;
thread_local int t_times = 0;
char* g_barrier = nullptr;  // memory of its own that it makes accessible when it is touched

enum class What { kRecovers, kRepairs, kReports, kExits, kPinned };
What g_what = What::kRecovers;

__attribute__((noinline)) int take_much() {
  volatile char much[64 << 10];
  for (size_t i = 0; i < sizeof(much); i += 64) much[i] = 1;
  return much[0];
}

void on_fault(int signal_number) {
  ++g_calls;
  const char here = 0;
  if (g_on_own_stack && !t_stack->holds(&here)) g_wrong_stack = 1;
  if (g_on_threads_stack && take_much() != 1) g_wrong_stack = 1;
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  if (sigismember(&mask, signal_number) != 1) g_not_blocked = 1;
  switch (g_what) {
    case What::kRecovers: siglongjmp(t_recovered, 1);
    case What::kRepairs: mprotect(g_barrier, kBytes, PROT_READ | PROT_WRITE); break;
    case What::kReports: {
      const char text[] = "crashed\n";
      if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0) _exit(6);
      signal(signal_number, SIG_DFL);
      break;
    }
    case What::kExits: _exit(42);
    case What::kPinned: break;
  }
}
void on_fault_with_info(int signal_number, siginfo_t* info, void* context) {
  g_address = info->si_addr;
  g_code = info->si_code;
  if (context == nullptr) g_wrong_stack = 1;
  on_fault(signal_number);
}

void set_handler(const std::string& how) {
  struct sigaction action{};
  sigemptyset(&action.sa_mask);
  if (how == "signal") {
    if (signal(SIGSEGV, on_fault) == SIG_ERR) fail("signal");
    return;
  }
  if (how == "handler") {
    action.sa_handler = on_fault;
  } else {
    action.sa_sigaction = on_fault_with_info;
    action.sa_flags = SA_SIGINFO;
  }
  if (how == "own_stack" || how == "threads_stack") {
    static const xfer::test::SmallStack stack(XFER_SIGNAL_STACK);
    t_stack = &stack;
    g_on_own_stack = how == "own_stack";
    g_on_threads_stack = !g_on_own_stack;
    if (g_on_own_stack) action.sa_flags |= SA_ONSTACK;
  }
  if (sigaction(SIGSEGV, &action, nullptr) != 0) fail("sigaction");
  struct sigaction now{};
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || now.sa_sigaction != action.sa_sigaction ||
      ((now.sa_flags ^ action.sa_flags) & (SA_SIGINFO | SA_ONSTACK)) != 0)
    fail("sigaction does not say what was set");
}

float* device_buffer() {
  void* buffer = nullptr;
  check(cudaMalloc(&buffer, kBytes));
  return static_cast<float*>(buffer);
}

void recovers(bool with_info) {
  const volatile float* values = device_buffer();
  for (int i = 1; i <= 3; ++i) {
    if (sigsetjmp(t_recovered, 1) == 0) {
      std::printf("%f\n", values[i]);  // FIND: recovers
      fail("device memory was read");
    }
    if (g_calls != i) fail("the handler was not called once a fault");
    if (with_info && (g_address != &values[i] || g_code <= 0)) fail("the handler was told nothing");
  }
}

// Each with a small stack of its own, all at once.
void recovers_in_threads() {
  constexpr int kTimes = 50;
  const volatile float* values = device_buffer();
  std::atomic<int> recovered{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&] {
      const xfer::test::SmallStack stack(XFER_SIGNAL_STACK);
      t_stack = &stack;
      t_times = 0;
      while (t_times < kTimes) {
        if (sigsetjmp(t_recovered, 1) == 0) {
          ++t_times;
          std::printf("%f\n", values[t_times]);  // FIND: threads
          fail("device memory was read");
        }
        ++recovered;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (recovered != 4 * kTimes) fail("a handler was not called");
}

// As collectors of garbage do, beside work on a device.
void repairs() {
  g_barrier = static_cast<char*>(
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (g_barrier == MAP_FAILED) fail("mmap");
  float* const device = device_buffer();
  for (int i = 1; i <= 3; ++i) {
    if (mprotect(g_barrier, kBytes, PROT_NONE) != 0) fail("mprotect");
    std::memset(g_barrier, i, kBytes);
    if (g_calls != i) fail("the handler was not called");
    check(cudaMemcpy(device, g_barrier, kBytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(g_barrier, device, kBytes, cudaMemcpyDeviceToHost));  // FIND: repairs
  }
}

void touches_device_memory() {
  const volatile float* values = device_buffer();
  std::printf("%f\n", values[3]);  // FIND: touches
}

// The library handles faults on memory that it watches; the program's handler is not called.
void pinned() {
  float* const device = device_buffer();
  void* host = nullptr;
  cudaStream_t stream = nullptr;
  check(cudaMallocHost(&host, kBytes));
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaMemset(device, 0, kBytes));
  check(cudaDeviceSynchronize());
  check(cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream));
  const volatile float* values = static_cast<float*>(host);
  std::printf("%f\n", values[100]);  // FIND: pinned
  check(cudaStreamSynchronize(stream));
  check(cudaFreeHost(host));
  if (g_calls != 0) fail("the handler was called for a fault of the library's");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: signal_cases WHAT HOW before|after");
  const std::string what = argv[1];
  const std::string how = argv[2];
  const bool after = std::string(argv[3]) == "after";
  if (after) check(cudaFree(nullptr));
  set_handler(how);
  if (what == "recovers") {
    recovers(how != "handler" && how != "signal");
    // Before, an emulated device's own handler, which calls this one, may stand there by now.
    if (how == "signal" && after && signal(SIGSEGV, SIG_DFL) != on_fault)
      fail("signal does not say what was set");
  } else if (what == "threads") {
    recovers_in_threads();
  } else if (what == "repairs") {
    g_what = What::kRepairs;
    repairs();
  } else if (what == "pinned") {
    g_what = What::kPinned;
    pinned();
  } else {
    g_what = what == "exits" ? What::kExits : What::kReports;
    touches_device_memory();
  }
  if (g_wrong_stack != 0) fail("the handler ran on another stack");
  if (g_not_blocked != 0) fail("the signal was not blocked in its handler");
  std::puts("done");
  return 0;
}
