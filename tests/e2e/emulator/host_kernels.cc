#include "kernels.cuh"

XFER_HOST_KERNEL(program::add);
XFER_HOST_KERNEL(program::scale<float>);
XFER_HOST_KERNEL(program::copy);
XFER_HOST_KERNEL(program::follow);
