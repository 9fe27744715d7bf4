# xfer_demo: what ./dev demo runs, as far as its parts are built. tensorlib's examples are linted
# only, and run as well where ./dev build has built them: the library takes longer than all of this.

xfer_gather(xfer_demo
  xferlint xfercheck-report xfertrace xfertrace_library xfer_emulated_cudart xfer_emulated_driver
  xfer_emulated_cupti xfer_no_cudnn example_heat)
