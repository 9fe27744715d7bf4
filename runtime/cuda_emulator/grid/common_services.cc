#include "grid/common_services.h"

#include <cstdio>

#include "grid/grid_run.h"
#include "grid/kernel_text.h"
#include "grid/print.h"
#include "grid/texture_services.h"
#include "machine/say.h"

namespace xfer::emulator::grid {

namespace {

using kernels::Thread;

std::int32_t print(Thread* thread, std::uintptr_t format, std::uintptr_t arguments) {
  const OutOfCode run;
  if (format == 0) return -1;
  const Printed printed = format_text(*thread->block, format, arguments);
  std::fwrite(printed.text.data(), 1, printed.text.size(), stdout);
  return printed.arguments;
}

std::uintptr_t allocate(Thread*, std::uint64_t bytes) {
  const OutOfCode run;
  Heap* const heap = run->heap();
  run->grid().note_heap();
  return heap == nullptr || bytes == 0 ? 0 : heap->allocate(bytes);
}

void release(Thread*, std::uintptr_t address) {
  const OutOfCode run;
  Heap* const heap = run->heap();
  run->grid().note_heap();
  if (heap != nullptr && address != 0) heap->release(address);
}

void trap(Thread*) {
  const OutOfCode run;
  run->stopped_at(call_before(__builtin_return_address(0)));
  run->fail(kTrapped);
  run->leave();
}

void fail_assertion(Thread* thread, std::uintptr_t message, std::uintptr_t file, std::uint32_t line,
                    std::uintptr_t function) {
  const OutOfCode run;
  const kernels::Block& block = *thread->block;
  const auto& at = block.index;
  const auto& lane = thread->index;
  run->stopped_at(call_before(__builtin_return_address(0)));
  if (run->fail(kAssertionFailed))
    say("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n",
        kernel_text(block, file), line, kernel_text(block, function), at[0], at[1], at[2], lane[0],
        lane[1], lane[2], kernel_text(block, message));
  run->leave();
}

}  // namespace

kernels::Services with_common_services(kernels::Services own) {
  own.print = &print;
  own.allocate = &allocate;
  own.release = &release;
  own.read_texture = &read_texture;
  own.read_surface = &read_surface;
  own.write_surface = &write_surface;
  own.query_texture = &query_texture;
  own.query_surface = &query_surface;
  own.trap = &trap;
  own.fail_assertion = &fail_assertion;
  return own;
}

}  // namespace xfer::emulator::grid
