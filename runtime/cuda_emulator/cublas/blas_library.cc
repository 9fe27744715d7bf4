// libxfer_emulated_blas.so: OpenBLAS for the emulated cuBLAS. See blas.h.

#include "cublas/blas.h"

extern "C" __attribute__((visibility("default"))) const xfer::emulator::Blas xfer_emulated_blas;
const xfer::emulator::Blas xfer_emulated_blas = {&cblas_sgemm, &cblas_dgemm};
