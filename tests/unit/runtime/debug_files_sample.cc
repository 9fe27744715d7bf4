// A library whose debug information is taken away and put elsewhere: debug_files_test.cc.

namespace debug_files_sample {
namespace {

inline __attribute__((always_inline)) void inlined(void (*callback)()) {
  callback();  // LINE: inlined
  asm volatile("" ::: "memory");
}

__attribute__((noinline)) void local_function(void (*callback)()) {
  inlined(callback);  // LINE: local_function
  asm volatile("" ::: "memory");
}

}  // namespace
}  // namespace debug_files_sample

extern "C" __attribute__((visibility("default"))) void sample_entry(void (*callback)()) {
  debug_files_sample::local_function(callback);  // LINE: sample_entry
  asm volatile("" ::: "memory");
}
