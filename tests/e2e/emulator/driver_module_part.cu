// The part that the linker adds to driver_module.cu.

extern "C" {
__device__ int factor = 3;
__device__ int scaled(int value) { return value * factor; }
}
