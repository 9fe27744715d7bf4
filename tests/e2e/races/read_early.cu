// A result that the host uses before it is known to have come.

#include <unistd.h>

#include <vector>

#include "race_case.cuh"

// vllm-project/vllm#36013: how many tokens were accepted, read in the next step.
RACE_CASE(accepted_tokens) {
  constexpr int kRequests = 7;
  OnDevice<int> accepted(kRequests), more(kRequests);
  Pinned<int> on_host(kRequests);
  Stream stream;
  Event arrived;
  int all = 0;
  for (int step = 0; step < 3; ++step) {
    if (step > 0) {
      if (right) arrived.wait();
      for (int i = 0; i < kRequests; ++i) all += on_host[i];  // RACE read-before-sync
    }
    add_to<<<1, 32, 0, stream>>>(accepted.get(), more.get(), kRequests);
    to_host(on_host.get(), accepted.get(), kRequests, stream);
    arrived.record(stream);
  }
  std::printf("%d\n", all);
}

// vllm-project/vllm#53919: the host moves rows of a buffer into which a copy is still on its way.
RACE_CASE(rows_moved_while_they_come) {
  OnDevice<int> state(16), more(16);
  Pinned<int> rows(16);
  Stream stream;
  Event arrived;
  add_to<<<1, 32, 0, stream>>>(state.get(), more.get(), 16);
  to_host(rows.get(), state.get(), 16, stream);
  arrived.record(stream);
  if (right) arrived.wait();
  rows[3] = rows[9];  // RACE read-before-sync
  arrived.wait();
  std::printf("%d\n", rows[3]);
}

// pytorch/pytorch#86264: three results are fetched without waiting, and compared.
RACE_CASE(three_results) {
  constexpr int kFloats = 1000;
  OnDevice<float> x(3 * kFloats), more(kFloats);
  Pinned<float> y(3 * kFloats);
  Stream stream;
  for (int i = 0; i < 3; ++i) {
    add_to<<<4, 256, 0, stream>>>(x.get() + i * kFloats, more.get(), kFloats);
    to_host(y.get() + i * kFloats, x.get() + i * kFloats, kFloats, stream);
  }
  if (right) stream.wait();
  std::printf("%d\n", std::memcmp(y.get(), y.get() + kFloats, 64) == 0);  // RACE read-before-sync
}

// pytorch/pytorch#174695: the event that the program waited for is of before the copy.
RACE_CASE(an_event_from_before_the_copy) {
  OnDevice<float> x(1000), more(1000);
  Pinned<float> y(1000);
  Stream stream;
  Event event;
  add_to<<<4, 256, 0, stream>>>(x.get(), more.get(), 1000);
  if (!right) event.record(stream);
  to_host(y.get(), x.get(), 1000, stream);
  if (right) event.record(stream);
  event.wait();
  std::printf("%g\n", y[0] + y[999]);  // RACE read-before-sync
}

// ggml-org/llama.cpp#18310: embeddings are fetched in decode(), whose caller takes them at once.
RACE_CASE(embeddings_of_decode) {
  constexpr int kWidth = 96;
  OnDevice<float> embeddings(kWidth), more(kWidth);
  Pinned<float> output(kWidth);
  Stream stream;
  add_to<<<1, 128, 0, stream>>>(embeddings.get(), more.get(), kWidth);
  to_host(output.get(), embeddings.get(), kWidth, stream);
  if (right) stream.wait();
  double norm = 0;
  for (int i = 0; i < kWidth; ++i) norm += output[i] * output[i];  // RACE read-before-sync
  std::printf("%g\n", norm);
}

// ggml-org/llama.cpp#25676: the next call clears the buffers into which copies are on their way.
RACE_CASE(buffers_cleared_by_the_next_call) {
  constexpr int kWidth = 30;
  OnDevice<float> embeddings(kWidth), more(kWidth);
  Pinned<float> output(3 * kWidth);
  Stream stream;
  for (int call = 0; call < 3; ++call) {
    if (right) stream.wait();
    std::memset(output.get(), 0, 3 * kWidth * sizeof(float));  // RACE read-before-sync
    add_to<<<1, 32, 0, stream>>>(embeddings.get(), more.get(), kWidth);
    for (int sequence = 0; sequence < 3; ++sequence)
      to_host(output.get() + sequence * kWidth, embeddings.get(), kWidth, stream);
  }
}

// sgl-project/sglang#16493: what was fetched is sent on.
RACE_CASE(sent_on_before_it_has_come) {
  OnDevice<char> tokens(64), more(64);
  Pinned<char> message(64);
  Stream stream;
  int ends[2];
  if (pipe(ends) != 0) std::exit(4);
  add_to<<<1, 64, 0, stream>>>(tokens.get(), more.get(), 64);
  to_host(message.get(), tokens.get(), 64, stream);
  if (right) stream.wait();
  if (write(ends[1], message.get(), 64) != 64) std::exit(5);  // RACE read-before-sync
}

// Our own: a vector that is registered; its whole pages are watched.
RACE_CASE(registered_result) {
  constexpr int kCount = 8192;
  std::vector<int> result(kCount);
  CHECK(cudaHostRegister(result.data(), kCount * sizeof(int), cudaHostRegisterDefault));
  OnDevice<int> on_device(kCount), more(kCount);
  Stream stream;
  for (int step = 0; step < 3; ++step) {
    add_to<<<kCount / 64, 64, 0, stream>>>(on_device.get(), more.get(), kCount);
    to_host(result.data(), on_device.get(), kCount, stream);
    if (right) stream.wait();
    std::printf("%d\n", result[kCount / 2]);  // RACE read-before-sync
    stream.wait();
  }
  CHECK(cudaHostUnregister(result.data()));
}
