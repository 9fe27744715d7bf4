# xfer_tools: the programs and libraries of the component tools, as far as their parts are built.

add_custom_target(xfer_tools)
get_property(torch_libraries GLOBAL PROPERTY xfer_torch_libraries)
foreach(tool xferlint xfercheck-report xfertrace xfertrace_library xfer_emulated_cudart
             xfer_emulated_driver xfer_emulated_cupti xfer_emulated_curand xfer_emulated_nccl
             xfer_emulated_cublas xfer_emulated_cublaslt xfer_kernels xfer_no_cudnn
             ${torch_libraries})
  if(TARGET ${tool})
    add_dependencies(xfer_tools ${tool})
  endif()
endforeach()
