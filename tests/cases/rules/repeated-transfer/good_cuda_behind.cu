// A function is given an object, and a kernel writes where its pointer points.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

struct State {
  float* spins;
};

struct Free {
  void operator()(float* pointer) const { cudaFree(pointer); }
};

struct Owner {
  std::unique_ptr<float, Free> spins;
  void step();
  void sweep() { step(); }
};

__global__ void flip(float* spins) { spins[threadIdx.x] = -spins[threadIdx.x]; }

void metropolis(State& state) { flip<<<1, 32>>>(state.spins); }
void sweep(State& state) { metropolis(state); }
void flip_all(const State& state) { flip<<<1, 32>>>(state.spins); }
void flip_first(std::vector<State>& all) { flip<<<1, 32>>>(all[0].spins); }
void Owner::step() { flip<<<1, 32>>>(spins.get()); }

void given(State& state, float* out) {
  cudaMemcpy(out, state.spins, 128, cudaMemcpyDeviceToHost);
  metropolis(state);
  cudaMemcpy(out, state.spins, 128, cudaMemcpyDeviceToHost);
}

void given_on(State& state, float* out) {
  cudaMemcpy(out, state.spins, 128, cudaMemcpyDeviceToHost);
  sweep(state);
  cudaMemcpy(out, state.spins, 128, cudaMemcpyDeviceToHost);
}

void given_as_constant(State& state, float* out) {
  cudaMemcpy(out, state.spins, 128, cudaMemcpyDeviceToHost);
  flip_all(state);
  cudaMemcpy(out, state.spins, 128, cudaMemcpyDeviceToHost);
}

void by_a_method(Owner& owner, float* out) {
  cudaMemcpy(out, owner.spins.get(), 128, cudaMemcpyDeviceToHost);
  owner.sweep();
  cudaMemcpy(out, owner.spins.get(), 128, cudaMemcpyDeviceToHost);
}

void one_of_many(std::vector<State>& all, float* out) {
  cudaMemcpy(out, all[0].spins, 128, cudaMemcpyDeviceToHost);
  flip_first(all);
  cudaMemcpy(out, all[0].spins, 128, cudaMemcpyDeviceToHost);
}
