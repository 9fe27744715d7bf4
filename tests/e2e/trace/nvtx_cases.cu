// A program that marks its parts by NVTX, as its headers offer it.

#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "cases.cuh"
#include "xfer/annotate.h"

namespace {

/// One upload, of bytes that were not there before.
void upload(Buffers& b, std::size_t bytes = kBytes) {
  static char next = 1;
  b.host[0] = static_cast<float>(next++);
  check(cudaMemcpy(b.in, b.host.data(), bytes, kUp));
  run_scale(b.in, b.out);
}

nvtxEventAttributes_t event(nvtxMessageType_t type, nvtxMessageValue_t message) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = type;
  attributes.message = message;
  return attributes;
}

/// The first step is where CUDA starts.
void nvtx_steps() {
  nvtxRangePushA("run");
  nvtxRangePushA("step");
  Buffers b;
  upload(b);
  nvtxRangePop();
  for (int i = 0; i < 2; ++i) {
    nvtxRangePushA("step");
    upload(b);
    if (i == 1) upload(b);
    nvtxRangePop();
  }
  nvtxRangePop();
}

void nvtx_names() {
  Buffers b;
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
  const auto in_domain = [&](nvtxMessageType_t type, nvtxMessageValue_t message) {
    const nvtxEventAttributes_t attributes = event(type, message);
    if (nvtxDomainRangePushEx(domain, &attributes) != 0) std::exit(3);
    upload(b);
    if (nvtxDomainRangePop(domain) != 0) std::exit(4);
  };
  nvtxMessageValue_t message;
  message.ascii = "narrow";
  in_domain(NVTX_MESSAGE_TYPE_ASCII, message);
  message.unicode = L"größe 😀";
  in_domain(NVTX_MESSAGE_TYPE_UNICODE, message);
  message.registered = nvtxDomainRegisterStringA(domain, "registered");
  in_domain(NVTX_MESSAGE_TYPE_REGISTERED, message);
  message.registered = nvtxDomainRegisterStringW(domain, L"registered, wide");
  in_domain(NVTX_MESSAGE_TYPE_REGISTERED, message);
  in_domain(NVTX_MESSAGE_UNKNOWN, {});
  message.ascii = "by attributes";
  const nvtxEventAttributes_t attributes = event(NVTX_MESSAGE_TYPE_ASCII, message);
  nvtxRangePushEx(&attributes);
  if (nvtxRangePushW(L"wide") != 1) std::exit(5);
  upload(b);
  if (nvtxRangePop() != 1 || nvtxRangePop() != 0) std::exit(6);
}

/// Domains do not nest in each other, nor in the scopes of annotate.h; more ends than begins.
void nvtx_crossing() {
  Buffers b;
  const nvtxDomainHandle_t domain = nvtxDomainCreateW(L"library");
  nvtxMessageValue_t message;
  message.ascii = "theirs";
  const nvtxEventAttributes_t attributes = event(NVTX_MESSAGE_TYPE_ASCII, message);
  if (nvtxRangePop() >= 0) std::exit(3);
  xfer_scope_begin("annotated");
  nvtxRangePushA("ours");
  upload(b);
  nvtxDomainRangePushEx(domain, &attributes);
  upload(b);
  nvtxRangePop();
  xfer_scope_end();
  upload(b);
  upload(b);
  nvtxDomainRangePop(domain);
  upload(b);
  if (nvtxRangePop() >= 0 || nvtxDomainRangePop(domain) >= 0) std::exit(4);
}

/// Process ranges: in no order, and ended by another thread.
void nvtx_process_ranges() {
  Buffers b;
  const nvtxRangeId_t first = nvtxRangeStartA("first");
  upload(b);
  const nvtxRangeId_t second = nvtxRangeStartW(L"second");
  upload(b);
  nvtxRangeEnd(first);
  upload(b);
  std::thread([&] { nvtxRangeEnd(second); }).join();
  upload(b);
  nvtxRangeEnd(second);
  nvtxRangeEnd(12345);
  nvtxRangeId_t of_thread = 0;
  std::thread([&] { of_thread = nvtxRangeStartA("gone"); }).join();
  nvtxRangeEnd(of_thread);
}

/// Most have no CUDA call in them.
void nvtx_many() {
  Buffers b;
  for (int i = 0; i < 100000; ++i) {
    nvtxRangePushA("small");
    if (i % 1000 == 0) upload(b);
    nvtxRangePop();
  }
  for (int i = 0; i < 3000; ++i) {
    nvtxRangePushA(("number " + std::to_string(i)).c_str());
    check(cudaMemset(b.in, 0, kBytes));
    nvtxRangePop();
  }
  for (int i = 0; i < 3000; ++i) nvtxRangePushA("left open");
  upload(b);
  for (int i = 0; i < 3001; ++i) nvtxRangePop();
}

/// The child alone uses CUDA.
void nvtx_fork() {
  nvtxRangePushA("outer");
  nvtxRangePushA("step");
  nvtxRangePop();
  const pid_t child = fork();
  if (child == 0) {
    Buffers b;
    nvtxRangePushA("step");
    upload(b);
    std::exit(nvtxRangePop() == 1 && nvtxRangePop() == 0 ? 0 : 3);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) std::exit(4);
  nvtxRangePop();
}

void nvtx_in_a_library() {
  Buffers b;
  void* const library = dlopen(std::getenv("XFER_NVTX_LIBRARY"), RTLD_NOW);
  if (library == nullptr) std::exit(3);
  const auto in_a_range =
      reinterpret_cast<void (*)(void (*)(void*), void*)>(dlsym(library, "in_a_range"));
  nvtxRangePushA("outside");
  in_a_range([](void* buffers) { upload(*static_cast<Buffers*>(buffers)); }, &b);
  nvtxRangePop();
}

const AddCases kAdded({{"nvtx_steps", nvtx_steps},
                       {"nvtx_in_a_library", nvtx_in_a_library},
                       {"nvtx_fork", nvtx_fork},
                       {"nvtx_names", nvtx_names},
                       {"nvtx_crossing", nvtx_crossing},
                       {"nvtx_process_ranges", nvtx_process_ranges},
                       {"nvtx_many", nvtx_many}});

}  // namespace
