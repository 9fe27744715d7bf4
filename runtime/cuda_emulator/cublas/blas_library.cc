// libxfer_emulated_blas.so: OpenBLAS for the emulated cuBLAS. See blas.h.

#include "cublas/blas.h"

extern "C" __attribute__((visibility("default"))) const xfer::emulator::Blas xfer_emulated_blas;
const xfer::emulator::Blas xfer_emulated_blas = {
    &cblas_sgemm,
    &cblas_dgemm,
    {&cblas_saxpy, &cblas_scopy, &cblas_sscal, &cblas_sswap, &cblas_sdot, &cblas_snrm2,
     &cblas_sasum, &cblas_isamax, &cblas_isamin},
    {&cblas_daxpy, &cblas_dcopy, &cblas_dscal, &cblas_dswap, &cblas_ddot, &cblas_dnrm2,
     &cblas_dasum, &cblas_idamax, &cblas_idamin}};
