# Keeps a build from nothing short. Each choice was measured; tests/bench/build.sh measures again.

# Several sources of a target are compiled as one, so that their headers are read once. A developer
# who builds after every change turns it off.
option(XFER_UNITY "Compile several sources at once: the first build is short, later ones longer" ON)
if(XFER_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
  # g++ takes an included source for a header, whose types should not be a file's own.
  target_compile_options(xfer_warnings INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()

# Debug information as far as lines and functions: a third of the time goes into the rest. A test
# that needs more says so itself, and the build type Debug has all.
foreach(language CXX CUDA)
  string(REGEX REPLACE "(^| )-g($| )" "\\1-g1\\2" CMAKE_${language}_FLAGS_RELWITHDEBINFO
         "${CMAKE_${language}_FLAGS_RELWITHDEBINFO}")
endforeach()
