# xfer_demo: what ./dev demo runs, as far as its parts are built.

add_custom_target(xfer_demo)
foreach(program xferlint xfercheck-report xfertrace xfertrace_library xfer_emulated_cudart
                xfer_emulated_driver xfer_emulated_cupti xfer_emulated_cublas
                xfer_emulated_cublaslt xfer_no_cudnn tensorlib_cuda tensorlib_kernels
                example_serve example_serve_wasteful example_heat)
  if(TARGET ${program})
    add_dependencies(xfer_demo ${program})
  endif()
endforeach()
