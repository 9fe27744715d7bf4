// Waits, what they are for, and results that are looked at or not.

#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <ctime>

#include "cases.cuh"
#include "training.cuh"

namespace {

// Results in pinned memory, of which the program looks at the last only; or at each of them, also
// through a system call.
void results(void (*look)(const Async& a, int i)) {
  Async a;
  for (int i = 0; i < 3; ++i) {
    run_scale(a.b.in, a.b.out, a.stream);
    check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, kDown, a.stream));  // FIND: unread
    check(cudaStreamSynchronize(a.stream));
    look(a, i);
  }
}
void unread() {
  results([](const Async&, int) {});
}
void each_is_read() {
  results([](const Async& a, int i) {
    int ends[2];
    if (i != 0 || pipe(ends) != 0) {
      if (a.pinned[kCount / 4] < 0) std::puts("never");
      return;
    }
    if (write(ends[1], a.pinned, 4096) != 4096) std::puts("cannot be written");
    close(ends[0]);
    close(ends[1]);
  });
}

// Each step waits for its results; looked at are all of them at the end, or each at once.
void step_by_step(bool looks) {
  Async a;
  float* all = nullptr;
  check(cudaMallocHost(reinterpret_cast<void**>(&all), 8 * kBytes));
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    float* const result = all + i * kCount;
    check(cudaMemcpyAsync(result, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
    check(cudaStreamSynchronize(a.stream));  // FIND: waits_too_early
    if (looks) sum += result[0];
    check(cudaMemsetAsync(a.b.out, i, kBytes, a.stream));
  }
  check(cudaStreamSynchronize(a.stream));
  for (int i = 0; i < 8; ++i) sum += all[i * kCount];
  check(cudaFreeHost(all));
  if (sum < 0) std::puts("never");
}

// Kernels one by one, each waited for; and the same to take its time.
void one_by_one(double (*now)()) {
  Buffers b;
  check(cudaMemset(b.in, 0, kBytes));
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    run_scale(b.in, b.out);
    check(cudaDeviceSynchronize());  // FIND: waits_for_each
    check(cudaGetLastError());
    sum += now();
  }
  b.bring(b.out);
  if (sum < 0) std::puts("never");
}
void timed_each() {
  one_by_one([] {
    return static_cast<double>(std::chrono::steady_clock::now().time_since_epoch().count());
  });
  one_by_one([] {
    timeval time;
    gettimeofday(&time, nullptr);
    return static_cast<double>(time.tv_sec);
  });
  one_by_one([] { return static_cast<double>(std::clock()); });
}

// A training loop that looks at its loss; how often, and how, makes the difference.
void train(float (*look)(float* loss, int step)) {
  Buffers b;
  check(cudaMemset(b.in, 0, kBytes));
  float sum = 0;
  for (int i = 0; i < 64; ++i) {
    training::step<<<kCount / 256, 256>>>(b.in, b.out, kCount);
    sum += look(b.out, i);
  }
  check(cudaDeviceSynchronize());
  if (sum < 0) std::puts("never");
}
void loss_each_step() {
  train([](float* loss, int) {
    float value = 0;
    check(cudaMemcpy(&value, loss, sizeof(value), cudaMemcpyDeviceToHost));  // FIND: loss_each_step
    return value;
  });
}
void loss_now_and_then() {
  train([](float* loss, int step) {
    float value = 0;
    if (step % 8 == 7) check(cudaMemcpy(&value, loss, sizeof(value), cudaMemcpyDeviceToHost));
    return value;
  });
}
// As a search does that goes on until nothing changes.
void flag_each_step() {
  train([](float* flag, int) {
    float value = 0;
    check(cudaMemcpy(&value, flag, sizeof(value), cudaMemcpyDeviceToHost));
    check(cudaMemset(flag, 0, sizeof(value)));
    return value;
  });
}

const AddCases kAdded({
    {"unread", unread},
    {"waits_for_each", [] { one_by_one([] { return 0.0; }); }},
    {"timed_each", timed_each},
    {"waits_too_early", [] { step_by_step(false); }},
    {"waits_in_time", [] { step_by_step(true); }},
    {"each_is_read", each_is_read},
    {"loss_each_step", loss_each_step},
    {"loss_now_and_then", loss_now_and_then},
    {"flag_each_step", flag_each_step},
});

}  // namespace
