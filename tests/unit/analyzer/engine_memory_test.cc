// Raw memory: code that uses the CUDA runtime.

#include "unit/analyzer/engine_fixture.h"

namespace xfer::analyzer::testing {
namespace {

const char* const kKernels = R"(
__global__ void scale(float* x, int n) { x[threadIdx.x] *= 2; }
__global__ void add(float* a, const float* b, float* out, int n) {
  float* row = a + n;
  out[threadIdx.x] = a[0] + row[1] + b[threadIdx.x];
}
)";

const std::set<Rule> kAll = {
    Rule::kHostPointerToKernel, Rule::kCopyKind,       Rule::kCopySize,  Rule::kHostAccess,
    Rule::kRepeatedTransfer,    Rule::kTransferInLoop, Rule::kRoundTrip, Rule::kReadBeforeSync,
    Rule::kAsyncSourceReuse,    Rule::kMissingTransfer};

void check_memory(const std::string& code, const std::set<Rule>& rules = kAll) {
  check_cuda(kKernels + code, rules);
}

TEST(MemoryTest, kernels_want_memory_of_the_device) {
  check_memory(R"(
void f(int n, float* given) {
  std::vector<float> v(n);
  float stack[8]; float one = 1; float* made = new float[n];
  float* c = (float*)malloc(n * sizeof(float));
  float* d; CHECK(cudaMalloc(&d, n * sizeof(float)));
  scale<<<1, n>>>(v.data(), n);  // expect: host-pointer-to-kernel
  scale<<<1, n>>>(&v[0], n);  // expect: host-pointer-to-kernel
  scale<<<1, 8>>>(stack, 8);  // expect: host-pointer-to-kernel
  scale<<<1, 1>>>(&one, 1);  // expect: host-pointer-to-kernel
  scale<<<1, n>>>(made + 2, n);  // expect: host-pointer-to-kernel
  cudaMemset(c, 0, n);  // expect: host-pointer-to-kernel
  scale<<<1, n>>>(d, n);
  scale<<<1, n>>>(given, n);
}
)");
}

TEST(MemoryTest, devices_may_follow_pinned_and_managed_memory) {
  check_memory(R"(
float f(int n, bool device) {
  float *pinned, *managed, *registered = new float[n];
  cudaMallocHost(&pinned, n); cudaMallocManaged(&managed, n); cudaHostRegister(registered, n, 0);
  scale<<<1, n>>>(pinned, n);
  scale<<<1, n>>>(managed, n);
  scale<<<1, n>>>(registered, n);
  float* either = new float[n];
  if (device) cudaMalloc(&either, n * sizeof(float));
  scale<<<1, n>>>(either, n);
  cudaDeviceSynchronize();
  return pinned[0] + managed[0] + registered[0] + either[0];
}
)");
}

TEST(MemoryTest, the_host_does_not_follow_pointers_to_the_device) {
  check_memory(R"(
struct Point { float x, y; };
float f(int n) {
  float* d; Point* points;
  cudaMalloc((void**)&d, n * sizeof(float));
  cudaMalloc(&points, n * sizeof(Point));
  float sum = d[0];  // expect: host-access
  sum += points->x;  // expect: host-access
  return sum;
}
void g(int n, float* to) {
  float* d = nullptr;
  cudaMalloc(&d, n * sizeof(float));
  memcpy(to, d, n);  // expect: host-access
  float* end = d + n;
  size_t size = sizeof(*d);
  float* third = &d[3];
  scale<<<1, n>>>(third, n);
}
)");
}

TEST(MemoryTest, what_functions_do_with_their_pointers) {
  check_memory(R"(
void allocate(float** p, int n) { CHECK(cudaMalloc(p, n * sizeof(float))); }
void allocate_reference(float*& p, int n) { cudaMalloc(&p, n * sizeof(float)); }
float* make(int n) { float* p; cudaMalloc(&p, n * sizeof(float)); return p; }
float* make_host(int n) { return new float[n]; }
float first(const float* x) { return x[0]; }
void run(float* x, int n) { scale<<<1, n>>>(x, n); }
void perhaps(float* x, int n, bool device) { if (device) run(x, n); else x[0] = 1; }
struct Buffer {
  float* p; int n;
  explicit Buffer(int size) : n(size) { cudaMalloc(&p, n * sizeof(float)); }
  float read() { return p[0]; }  // expect: host-access
  void work() { scale<<<1, n>>>(p, n); }
};
float f(int n) {
  float *a, *b;
  allocate(&a, n); allocate_reference(b, n);
  float *c = make(n), *h = make_host(n);
  run(a, n); run(c, n); perhaps(a, n, true); perhaps(h, n, false);
  run(h, n);  // expect: host-pointer-to-kernel
  return first(h) + first(a)  // expect: host-access
       + b[0] + c[0];  // expect: host-access host-access
}
)");
}

TEST(MemoryTest, kinds_of_copies_follow_the_pointers) {
  check_memory(R"(
void f(int n, float* given, cudaMemcpyKind kind) {
  float* h = new float[n]; float *d, *pinned, *managed;
  CHECK(cudaMalloc(&d, n * sizeof(float))); cudaMallocHost(&pinned, n);
  cudaMallocManaged(&managed, n);
  CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyHostToDevice));  // expect: copy-kind
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: copy-kind
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyDeviceToDevice);  // expect: copy-kind
  cudaMemcpy(given, d, n * sizeof(float), cudaMemcpyHostToDevice);  // expect: copy-kind
}
void g(int n, float* given, cudaMemcpyKind kind) {
  float* h = new float[n]; float *d, *pinned, *managed;
  CHECK(cudaMalloc(&d, n * sizeof(float))); cudaMallocHost(&pinned, n);
  cudaMallocManaged(&managed, n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyDefault);
  scale<<<1, n>>>(d, n);
  cudaMemcpy(d, h, n * sizeof(float), kind);
  scale<<<1, n>>>(d, n);
  cudaMemcpy(d, pinned, n * sizeof(float), cudaMemcpyDeviceToDevice);
  scale<<<1, n>>>(d, n);
  cudaMemcpy(managed, h, n * sizeof(float), cudaMemcpyHostToHost);
  cudaMemcpy(given, h, n * sizeof(float), cudaMemcpyHostToDevice);
}
)");
}

TEST(MemoryTest, sizes_of_copies_are_in_bytes) {
  check_memory(R"(
#define N 64
void f(int n, size_t bytes, const float* given) {
  float *d, *e; char* c;
  cudaMalloc(&d, n * sizeof(float)); cudaMalloc(&e, sizeof(float) * N * N);
  cudaMalloc(&c, n * sizeof(char));
  cudaMemcpy(d, given, n, cudaMemcpyHostToDevice);  // expect: copy-size
  cudaMemcpy(e, given, N * N, cudaMemcpyHostToDevice);  // expect: copy-size
  cudaMemcpy(d, given, sizeof(d), cudaMemcpyHostToDevice);  // expect: copy-size
  cudaMemcpy(e, given, sizeof(float) * N * N * 2, cudaMemcpyHostToDevice);  // expect: copy-size
  float array[N];
  cudaMemcpy(array, e, sizeof(array), cudaMemcpyDeviceToHost);
  cudaMemcpy(d, given, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(c, given, n, cudaMemcpyHostToDevice);
  cudaMemcpy(d, given, n / 2, cudaMemcpyHostToDevice);
  cudaMemcpy(e, given, sizeof(float) * N, cudaMemcpyHostToDevice);
}
)");
}

TEST(MemoryTest, copies_that_change_nothing) {
  check_memory(R"(
void f(int n, const float* h, float* result) {
  float *a, *b, *o;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&o, n * sizeof(float));
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int step = 0; step < 10; ++step) {
    cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);  // expect: transfer-in-loop
    add<<<1, n>>>(a, b, o, n);
  }
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);  // expect: repeated-transfer
  cudaMemcpy(result, o, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(o, result, n * sizeof(float), cudaMemcpyHostToDevice);  // expect: round-trip
}
)");
}

TEST(MemoryTest, parts_are_what_their_sizes_say) {
  check_memory(R"(
int count; int parse(const char*); void set_count(); void scan(int*); void set_here() { count = 3; }
struct Model { int n; float *weights, *host; void upload(); void grow(); };
void f(const char* text, const float* h, float* d, float* o, int steps, std::vector<float>& v) {
  int n = 1;
  n = parse(text);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);  // expect: transfer-in-loop
    add<<<1, n>>>(d, d, o, n);
  }
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);  // expect: repeated-transfer
  set_here();
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);
  set_count();
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);
  count = 2;
  cudaMemcpy(d, h, count * sizeof(float), cudaMemcpyHostToDevice);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<1, n>>>(d, d, o, n);
    n /= 2;
  }
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scan(&n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
  v.resize(3);
  cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
}
void by_another_name(const float* h, float* d, int n) {
  int& other = n;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  other = 3;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
}
void Model::upload() {
  cudaMemcpy(weights, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(weights, host, n * sizeof(float), cudaMemcpyHostToDevice);  // expect: repeated-transfer
  grow();
  cudaMemcpy(weights, host, n * sizeof(float), cudaMemcpyHostToDevice);
  n *= 2;
  cudaMemcpy(weights, host, n * sizeof(float), cudaMemcpyHostToDevice);
}
)");
}

TEST(MemoryTest, copies_that_are_needed) {
  check_memory(R"(
void refill(float* x, int n); void look(const float* x, int n); extern float* table[];
__global__ void chase(float** tables, int n) { tables[0][0] = n; }
void f(int n, float* h, float* result, void* file, int steps) {
  float *a, *b, *o;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&o, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(a, n);  // overwritten: the input is wanted again
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  h[3] = 1;
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  refill(h, n);
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  fread(h, 1, n, file);
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(a, h + n, n * sizeof(float), cudaMemcpyHostToDevice);  // another part
  cudaMemcpy(a + n, h, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpy(b, h + step * n, n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<1, n>>>(a, b, o, n);
    cudaMemcpy(result, o, n * sizeof(float), cudaMemcpyDeviceToHost);
    look(result, n);
  }
  for (int step = 0; step < steps; ++step)  // timed
    cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  n *= 2;
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
}
void unknown_pointers(int n, float* h) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  table[0] = a;
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(table[0], n);
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  std::vector<float> v(n);
  cudaMemcpy(a, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  std::fill(v.begin(), v.end(), 1.0f);
  cudaMemcpy(a, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (float& x : v) x = 2;
  cudaMemcpy(a, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  float *p = new float[n], *q = new float[n];
  cudaMemcpy(a, p, n * sizeof(float), cudaMemcpyHostToDevice);
  std::swap(p, q);
  cudaMemcpy(a, p, n * sizeof(float), cudaMemcpyHostToDevice);
}
)");
}

TEST(MemoryTest, device_memory_that_nothing_was_copied_to) {
  check_memory(R"(
void fill(float* x, int n);
__global__ void unused(const float* x, float* y, float* never) { y[0] = x[0]; }
void f(int n, const float* h, float* result, bool late) {
  float *a, *b, *o, *p;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&o, n * sizeof(float)); cudaMalloc(&p, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<1, n>>>(a, b, o, n);  // expect: missing-transfer
  cudaMemcpy(result, o, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(result, p, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: missing-transfer
}
void g(int n, const float* h, float* result, bool late) {
  float *a, *b, *o, *u;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&o, n * sizeof(float)); cudaMalloc(&u, n * sizeof(float));
  cudaMemset(a, 0, n);
  if (late) fill(b, n);
  for (int i = 0; i < n; ++i) { add<<<1, n>>>(a, b, o, n); scale<<<1, n>>>(o, n); }
  unused<<<1, 1>>>(a, o, u);
}
)");
}

TEST(MemoryTest, device_memory_that_others_may_have_filled) {
  check_memory(R"(
struct Params { void* out; int n; };
float* kept;
void set(Params& params, float* out) { memset(&params, 0, sizeof(params)); params.out = out; }
void keep(float* p) { kept = p; }
void run(Params& params); void run_kept();
__global__ void casts(const float* x) { float* y = (float*)((char*)x + 4); y[0] = 1; }
template <class F> __global__ void each(F f) { f(threadIdx.x); }
void f(int n, float* result, int steps, bool one) {
  float *a, *b, *c, *in, *out, *g, *l;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float)); cudaMalloc(&l, n * sizeof(float));
  cudaMalloc(&in, n * sizeof(float)); cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&g, n * sizeof(float));
  Params params; set(params, a); run(params);
  cudaMemcpy(result, a, n * sizeof(float), cudaMemcpyDeviceToHost);
  keep(b); run_kept();
  cudaMemcpy(result, b, n * sizeof(float), cudaMemcpyDeviceToHost);
  casts<<<1, n>>>(c);
  cudaMemset(in, 0, n);
  for (int step = 0; step < steps; ++step) {
    add<<<1, n>>>(in, in, out, n);
    float* t = in; in = out; out = t;
  }
  cudaMemcpy(result, in, n * sizeof(float), cudaMemcpyDeviceToHost);
  float* chosen = one ? in : out;
  cudaMemcpy(result, chosen, n * sizeof(float), cudaMemcpyDeviceToHost);
  float* either = one ? g : in;
  scale<<<1, n>>>(either, n);
  cudaMemcpy(result, g, n * sizeof(float), cudaMemcpyDeviceToHost);
  auto work = [=] __device__(int i) { float* to = l + i; *to = i; };
  each<<<1, n>>>(work);
  cudaMemcpy(result, l, n * sizeof(float), cudaMemcpyDeviceToHost);
}
)");
}

TEST(MemoryTest, fields_that_one_path_allocates) {
  check_memory(R"(
__global__ void both(float* p, float* q) { p[0] = 1; q[0] = 1; }
struct Model { float *dp, *dq, *hp, *hq; int n; };
void f(Model* model, bool one) {
  if (one) {
    cudaMalloc((void**)&model->dp, model->n * sizeof(float));
    cudaMalloc((void**)&model->dq, model->n * sizeof(float));
  }
  if (one) {
    cudaMemcpy(model->dp, model->hp, sizeof(float) * model->n, cudaMemcpyHostToDevice);
    cudaMemcpy(model->dq, model->hq, sizeof(float) * model->n, cudaMemcpyHostToDevice);
    both<<<1, 1>>>(model->dp, model->dq);
    cudaMemcpy(model->hp, model->dp, sizeof(float) * model->n, cudaMemcpyDeviceToHost);
    cudaMemcpy(model->hq, model->dq, sizeof(float) * model->n, cudaMemcpyDeviceToHost);
  }
}
)");
}

TEST(MemoryTest, copies_that_nothing_uses) {
  const std::set<Rule> rules = {Rule::kUnusedTransfer};
  check_memory(R"(
void look(const float*); int cudaEventRecord(void*);
void f(int n, const float* h, float* d) {
  float *a, *b;
  float *host = (float*)malloc(n * sizeof(float)), *seen = (float*)malloc(n * sizeof(float));
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);  // expect: unused-transfer
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(b, n);
  cudaMemcpy(host, d, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect: unused-transfer
  cudaMemcpy(seen, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  look(seen);
  cudaFree(a); cudaFree(b); free(host);
}
void timed(int n, const float* h, void* event) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  cudaEventRecord(event);
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaFree(a);
}
float* given(int n, const float* h) {
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  return a;
}
struct Net {
  float* weights;
  void load(const float* h, int n) {
    cudaMalloc(&weights, n);
    cudaMemcpy(weights, h, n, cudaMemcpyHostToDevice);
  }
};
)",
               rules);
}

TEST(MemoryTest, parts_of_memory_are_that_memory) {
  check_memory(R"(
struct Pixel { float r, g; };
void sort(float* from, float* to);
template <class T> void both(T* x, int n) { scale<<<1, n>>>(&x[n], n); }
void f(int n, float* h, Pixel* pixels, int levels) {
  float* d; int* counts = new int[n]; std::vector<int> sizes(n);
  cudaMalloc(&d, n * sizeof(float));
  scale<<<1, n>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  sort(&h[2], &h[2] + n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  both(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  sort(&pixels[1].r, h + n);
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int level = 0; level < levels; ++level)
    scale<<<1, counts[level]>>>(d, counts[level] + sizes[level]);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  float grid[4][4];
  scale<<<1, n>>>(&grid[1][0], n);  // expect: host-pointer-to-kernel
  scale<<<1, n>>>(grid[1], n);  // expect: host-pointer-to-kernel
}
#define TWICE(call)                                                        \
  do {                                                                     \
    if ((call) != cudaSuccess) {                                           \
      cudaError_t error = call; printf("%s", cudaGetErrorString(error));   \
    }                                                                      \
  } while (0)
void twice(int n, float* h, float* d) {
  TWICE(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
}
int everywhere;
void managed() { extern __global__ void count(int*); count<<<1, 1>>>(&everywhere); }
)");
}

TEST(MemoryTest, pointers_that_are_kept_elsewhere) {
  check_memory(R"(
struct Args { float* x; }; struct List { float* items[4]; };
void start(Args* args); void later(List& list);
__global__ void chase(float** all, int n) { all[0][0] = n; }
void f(int n, float* h) {
  float *a, *b, *c, *e, **all;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float)); cudaMalloc(&e, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(e, h, n * sizeof(float), cudaMemcpyHostToDevice);
  Args args{a}; start(&args);
  List list; list.items[0] = b; later(list);
  float* locals[] = {c}; scale<<<1, n>>>(locals[0], n);
  auto lambda = [=] { scale<<<1, n>>>(e, n); };
  lambda();
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(e, h, n * sizeof(float), cudaMemcpyHostToDevice);
}
)");
}

TEST(MemoryTest, asynchronous_copies_of_pinned_memory) {
  check_memory(R"(
void f(int n, cudaStream_t s) {
  float *h, *d;
  cudaMallocHost(&h, n * sizeof(float)); cudaMalloc(&d, n * sizeof(float));
  cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s);
  h[0] = 1;  // expect: async-source-reuse
  scale<<<1, n, 0, s>>>(d, n);
  cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, s);
  printf("%f", h[0]);  // expect: read-before-sync
}
void waited(int n, cudaStream_t s) {
  float *h, *d, *pageable = new float[n];
  cudaMallocHost(&h, n * sizeof(float)); cudaMalloc(&d, n * sizeof(float));
  cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  h[0] = 1;
  scale<<<1, n, 0, s>>>(d, n);
  cudaMemcpyAsync(h, d, n * sizeof(float), cudaMemcpyDeviceToHost, s);
  cudaDeviceSynchronize();
  printf("%f", h[0]);
  // This call comes back when it is done.
  cudaMemcpyAsync(pageable, d, n * sizeof(float), cudaMemcpyDeviceToHost, s);
  printf("%f", pageable[0]);
}
)");
}

TEST(MemoryTest, without_the_cuda_runtime_pointers_are_nobodys_business) {
  check(R"(
void launch(float*);
float f(int n) { float* p = new float[n]; launch(p); float* q = p; return q[0]; }
)",
        kAll);
}

}  // namespace
}  // namespace xfer::analyzer::testing
