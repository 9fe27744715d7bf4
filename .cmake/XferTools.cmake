# xfer_tools: what the component tools is made of, as far as its parts are built.
# xfer_installed: what all components are.

function(xfer_gather name)
  add_custom_target(${name})
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      add_dependencies(${name} ${target})
    endif()
  endforeach()
endfunction()

get_property(torch_libraries GLOBAL PROPERTY xfer_torch_libraries)
xfer_gather(xfer_tools
  xferlint xfercheck-report xfertrace xfertrace_library xfer_emulated_cudart xfer_emulated_driver
  xfer_emulated_cupti xfer_emulated_curand xfer_emulated_nccl xfer_emulated_cublas
  xfer_emulated_cublaslt xfer_kernels xfer_no_cudnn ${torch_libraries})
xfer_gather(xfer_installed
  xfer_tools xferlint-tidy tensorlib tensorlib_cuda tensorlib_kernels xfer_runtime xfer_trace
  xfer_ptx xfer_device_image xfer_rules)
