// Small CUDA programs in one, chosen by the first argument. A comment "FIND: name" marks the line
// that the report must name for that case; the test looks the line number up. Here: one plain case,
// how programs end, and what else they do beside CUDA.

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <thread>

#include "cases.cuh"

namespace {

void repeated() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));  // FIND: repeated
    run_scale(b.in, b.out);
    b.bring(b.out);
  }
}

// Wrong calls: their errors are the program's to handle, and no harm may come of them.
void mistakes() {
  Buffers b;
  cudaMemcpy(b.in, nullptr, kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(nullptr, b.host.data(), kBytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b.in, b.in, kBytes, cudaMemcpyHostToDevice);
  cudaFree(b.host.data());
  cudaFree(nullptr);
  cudaGetLastError();
}

// No thread frees before all are done: a free would wait for the other threads' work.
void threads() {
  constexpr int kThreads = 4;
  std::atomic<int> working{kThreads};
  std::vector<std::thread> workers;
  for (int t = 0; t < kThreads; ++t)
    workers.emplace_back([t, &working] {
      Buffers b;
      for (int i = 0; i < 50; ++i) {
        b.host[0] = static_cast<float>(t * 1000 + i);
        check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
        run_scale(b.in, b.out);
        b.bring(b.out);
      }
      --working;
      while (working > 0) std::this_thread::yield();
    });
  for (std::thread& worker : workers) worker.join();
}

void fork_after_cuda() {
  repeated();
  const pid_t child = fork();
  if (child == 0) {
    std::puts("child");
    std::exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::exit(8);
}

void exec_child(const char* self) {
  const pid_t child = fork();
  if (child == 0) {
    execl(self, self, "repeated", nullptr);
    _exit(127);
  }
  repeated();
  int status = 0;
  waitpid(child, &status, 0);
}

// Takes CUPTI's one slot before CUDA starts.
void other_subscriber() {
  void* cupti = dlopen("libcupti.so.13", RTLD_NOW);
  using Subscribe = int (*)(void**, void (*)(void*, int, unsigned, const void*), void*);
  const auto subscribe =
      cupti != nullptr ? reinterpret_cast<Subscribe>(dlsym(cupti, "cuptiSubscribe")) : nullptr;
  void* subscriber = nullptr;
  if (subscribe == nullptr ||
      subscribe(&subscriber, [](void*, int, unsigned, const void*) {}, nullptr) != 0)
    std::exit(7);
  repeated();
}

// Programs with signal handlers of their own, installed before CUDA starts and after.

volatile std::sig_atomic_t g_signals = 0;

sigjmp_buf g_recovered;
void recover(int) { siglongjmp(g_recovered, 1); }
void count_signal(int) { g_signals = g_signals + 1; }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

void own_handlers(bool before) {
  if (!before) repeated();
  handle(SIGTERM, count_signal);
  handle(SIGSEGV, recover);
  if (before) repeated();
  raise(SIGTERM);
  if (sigsetjmp(g_recovered, 1) == 0) *static_cast<volatile int*>(nullptr) = 1;
  if (g_signals != 1) std::exit(5);
}

const AddCases kAdded({
    {"repeated", repeated},
    {"mistakes", mistakes},
    {"threads", threads},
    {"fork", fork_after_cuda},
    {"other_subscriber", other_subscriber},
    {"exit7",
     [] {
       repeated();
       std::exit(7);
     }},
    {"_exit3",
     [] {
       repeated();
       _exit(3);
     }},
    {"quick_exit",
     [] {
       repeated();
       std::quick_exit(4);
     }},
    {"abort",
     [] {
       repeated();
       std::abort();
     }},
    {"segfault",
     [] {
       repeated();
       *static_cast<volatile int*>(nullptr) = 1;
     }},
    {"terminated",
     [] {
       repeated();
       raise(SIGTERM);
     }},
    {"handlers_before", [] { own_handlers(true); }},
    {"handlers_after", [] { own_handlers(false); }},
    {"goes_on",
     [] {
       repeated();
       for (int i = 0; i < 600; ++i) usleep(100'000);
     }},
    {"kill9",
     [] {
       repeated();
       usleep(800'000);
       kill(getpid(), SIGKILL);
     }},
});

}  // namespace

int main(int argc, char** argv) {
  all_cases()["exec"] = [argv] { exec_child(argv[0]); };
  const auto chosen = argc > 1 ? all_cases().find(argv[1]) : all_cases().end();
  if (chosen == all_cases().end()) {
    std::fprintf(stderr, "cases: no such case\n");
    return 2;
  }
  chosen->second();
  std::printf("%s done\n", argv[1]);
  return 0;
}
