#include "training.cuh"

XFER_HOST_KERNEL(training::step);
