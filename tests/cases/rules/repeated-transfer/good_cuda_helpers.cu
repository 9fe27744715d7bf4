// Functions and methods that copy: what they copy has changed in between, or is another part.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

__global__ void use(const float* data, int n);
__global__ void change(float* data, int n) { data[threadIdx.x] += n; }

namespace {

template <class T>
struct Mirror {
  explicit Mirror(int n) : on_host(n), count(n) { cudaMalloc(&on_device, n * sizeof(T)); }
  ~Mirror() { cudaFree(on_device); }
  T& operator[](int i) { return on_host[i]; }
  T& at(int i) { return on_host[i]; }
  T* host() { return on_host.data(); }
  T* begin() { return on_host.data(); }
  T* end() { return on_host.data() + on_host.size(); }
  std::vector<T>& vector() { return on_host; }
  void push() {
    cudaMemcpy(on_device, on_host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    use<<<1, 1>>>(on_device, count);
  }
  void pull() { cudaMemcpy(on_host.data(), on_device, count * sizeof(T), cudaMemcpyDeviceToHost); }
  void resize(int n) { count = n; }
  void fill(T x) {
    for (auto& value : on_host) value = x;
  }
  void zero() { cudaMemset(on_device, 0, count * sizeof(T)); }
  void run() { change<<<1, 32>>>(on_device, count); }

  std::vector<T> on_host;
  T* on_device = nullptr;
  int count = 0;
};

void set_first(Mirror<float>& mirror) { mirror[0] = 3; }
void drop_last(Mirror<float>& mirror) { mirror.count--; }

void written_through_the_object(Mirror<float>& m) {
  m.push();
  m[0] = 1;
  m.push();
  m.at(1) = 2;
  m.push();
  m.host()[2] = 3;
  m.push();
  m.vector()[3] = 4;
  m.push();
  m.on_host[4] = 5;
  m.push();
  m.fill(6);
  m.push();
  set_first(m);
  m.push();
  for (auto& value : m) value = 7;
  m.push();
  for (auto& value : m.vector()) value = 8;
  m.push();
}

void written_by_others(Mirror<float>& m, std::vector<float>& other, std::FILE* file) {
  m.push();
  std::iota(m.begin(), m.end(), 1.0f);
  m.push();
  std::generate(m.vector().begin(), m.vector().end(), [] { return 1.0f; });
  m.push();
  std::swap(m.vector(), other);
  m.push();
  if (std::fread(m.host(), sizeof(float), 8, file) != 8) return;
  m.push();
  std::fscanf(file, "%f", &m[0]);
  m.push();
}

void written_by_an_alias(Mirror<float>& m) {
  float* pointer = m.host();
  auto& vector = m.vector();
  m.push();
  *pointer = 1;
  m.push();
  vector[0] = 2;
  m.push();
}

void written_by_a_function_object(Mirror<float>& m, const std::function<void(Mirror<float>&)>& f) {
  const auto set = [&](int i) { m[i] = 3; };
  m.push();
  set(1);
  m.push();
  f(m);
  m.push();
  std::thread other([&] { m[0] = 3; });
  other.join();
  m.push();
}

void another_count(Mirror<float>& m) {
  m.push();
  m.resize(4);
  m.push();
  m.count = 8;
  m.push();
  drop_last(m);
  m.push();
}

void written_on_the_device(Mirror<float>& m) {
  m.push();
  m.run();
  m.pull();
  std::printf("%f", m[0]);
  m.run();
  m.pull();
  std::printf("%f", m[0]);
  m.zero();
  m.push();
}

void send(float* to, const float* from, std::size_t n) {
  cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
}

void other_parts(float* to, const float* from, int n) {
  send(to, from, n);
  send(to + n, from, n);
  send(to, from + n, n);
  use<<<1, 1>>>(to, n);
  send(to, from, 2 * n);
}

struct Owner {
  std::vector<float> values;
  std::vector<float> copy() const { return values; }
};

void of_a_copy(const Owner& owner, float* to) {
  send(to, owner.values.data(), 32);
  use<<<1, 1>>>(to, 1);
  std::vector<float> copied = owner.copy();
  copied[0] = 2;
  send(to, copied.data(), 32);
  use<<<1, 1>>>(to, 2);
}

/// Copies only if it has to.
struct Lazy {
  bool changed = true;
  std::vector<float> values;
  float* on_device;

  void update() {
    if (!changed) return;
    cudaMemcpy(on_device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    changed = false;
  }
};

void lazy(Lazy& lazy) {
  lazy.update();
  use<<<1, 1>>>(lazy.on_device, 1);
  lazy.update();
  use<<<1, 1>>>(lazy.on_device, 2);
}

}  // namespace
