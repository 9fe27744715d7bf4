// Memory that is written to by way of objects, arrays and lists that hold a pointer to it.

#include <cuda_runtime.h>

#include <vector>

void run(void* task, int n);
void run_all(float** parts, int n);

struct Task {
  float* data;
};
template <class T>
struct Operation {
  T base;
  int step;
};

__global__ void fill(Task task) { task.data[threadIdx.x] = 1; }
static void launch(Task task) { fill<<<1, 32>>>(task); }
static void by_address(Task task, int n) { run(&task, n); }
static void by_reference(const Task& task, int n) { run((void*)&task, n); }
static void by_pointer(Task* task, int n) { run(task, n); }
template <class O>
static void in_a_template(O operation, int n) {
  O copy = operation;
  run(&copy, n);
}
static void clear(float** parts, int count, int n) {
  for (int i = 0; i < count; ++i) cudaMemset(parts[i], 0, n);
}
template <int N>
static void each(float* parts[N], int n) {
  for (int i = 0; i < N; ++i) run(parts[i], n);
}

void by_a_helper_that_launches(float* host, int n) {
  float* data;
  cudaMalloc(&data, n);
  Task task{data};
  launch(task);
  cudaMemcpy(host, data, n, cudaMemcpyDeviceToHost);
  cudaFree(data);
}

void by_helpers(float* host, int n) {
  float *first, *second, *third, *fourth;
  cudaMalloc(&first, n);
  cudaMalloc(&second, n);
  cudaMalloc(&third, n);
  cudaMalloc(&fourth, n);
  Task one{first}, two{second}, three{third};
  Operation<float*> four{fourth, 1};
  by_address(one, n);
  by_reference(two, n);
  by_pointer(&three, n);
  in_a_template(four, n);
  cudaMemcpy(host, first, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(host + n, second, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(host + 2 * n, third, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(host + 3 * n, fourth, n, cudaMemcpyDeviceToHost);
}

void by_arrays(float* host, int n) {
  float *first, *second, *third;
  cudaMalloc(&first, n);
  cudaMalloc(&second, n);
  cudaMalloc(&third, n);
  float* parts[1] = {first};
  clear(parts, 1, n);
  float* others[1] = {second};
  each<1>(others, n);
  std::vector<float*> list = {third};
  run_all(list.data(), n);
  cudaMemcpy(host, first, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(host + n, second, n, cudaMemcpyDeviceToHost);
  cudaMemcpy(host + 2 * n, third, n, cudaMemcpyDeviceToHost);
}
