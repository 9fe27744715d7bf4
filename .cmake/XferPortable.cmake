# xfer_portable: for what is installed and runs elsewhere. It brings its C++ library along, so that
# it runs beside an older or a newer one, and asks for no function that came after glibc 2.34.

add_library(xfer_portable INTERFACE)
# A sanitizer's runtime wants the shared one.
if(NOT XFER_SANITIZE)
  add_library(xfer_older_glibc STATIC ${CMAKE_CURRENT_LIST_DIR}/older_glibc.cc)
  # Of the compiler's helpers those that a shared libgcc lacks where it is older.
  target_link_libraries(xfer_portable INTERFACE xfer_older_glibc -lgcc)
  # The archive stands before the C++ library, which alone asks for its function.
  target_link_options(xfer_portable INTERFACE -static-libstdc++ LINKER:--undefined=arc4random)
endif()
