#pragma once
// The name by which CUDA 12 and older know NVTX's header.
#include <nvtx3/nvToolsExt.h>
