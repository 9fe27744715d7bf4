// Memory that a function allocates, and that somebody keeps or frees.

#include <cuda_runtime.h>

#include <map>
#include <string>
#include <vector>

__global__ void write_some(float* data, int n) { data[threadIdx.x] = n; }

namespace {

std::vector<float*> all_of_them;
float* remembered(int n) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  all_of_them.push_back(data);
  return data;
}

std::map<std::string, float*> by_name;
float* named(const std::string& name, int n) {
  float*& data = by_name[name];
  if (data == nullptr) cudaMalloc(&data, n * sizeof(float));
  return data;
}

float* only_one;
float* shared(int n) {
  if (only_one == nullptr) cudaMalloc(&only_one, n * sizeof(float));
  return only_one;
}

float* fresh(int n) {
  float* data;
  cudaMalloc(&data, n * sizeof(float));
  return data;
}
void dispose(float* data) {
  if (data != nullptr) cudaFree(data);
}

struct Pool {
  float* kept[8];
  int count = 0;
  float* next(int n) {
    float* data = fresh(n);
    kept[count++] = data;
    return data;
  }
  ~Pool() {
    for (int i = 0; i < count; ++i) cudaFree(kept[i]);
  }
};

void kept_by_others(int n, int steps) {
  Pool pool;
  for (int step = 0; step < steps; ++step) {
    float* first = remembered(n);
    float* second = named("second", n);
    float* third = shared(n);
    float* fourth = pool.next(n);
    for (float* data : {first, second, third, fourth}) write_some<<<1, 32>>>(data, n);
  }
}

void freed(int n, int steps) {
  for (int step = 1; step < steps; ++step) {
    float* data = fresh(n * step);
    write_some<<<1, 32>>>(data, n);
    dispose(data);
  }
}

float* the_last(int n, int steps) {
  float* last = nullptr;
  for (int step = 0; step < steps; ++step) {
    float* data = fresh(n * step);
    write_some<<<1, 32>>>(data, n);
    dispose(last);
    last = data;
  }
  return last;
}

struct Node {
  float* data;
  Node* next;
};
Node* in_a_list(int n, int steps) {
  Node* head = nullptr;
  for (int step = 0; step < steps; ++step) {
    Node* node = new Node{fresh(n), head};
    write_some<<<1, 32>>>(node->data, n);
    head = node;
  }
  return head;
}

}  // namespace
