# xfer_clang: Clang and LLVM, for programs. Their archives are linked in where this installation has
# them: a program then starts in 7 ms, not 45, and runs where no LLVM is. Clang's own CMake targets
# do not give this, as each of them names the shared libLLVM.

add_library(xfer_clang INTERFACE)

# xfer_archives_behind(variable target...): the archives of the targets and of all that they name.
function(xfer_archives_behind variable)
  set(archives "")
  set(seen "")
  set(open ${ARGN})
  while(open)
    list(POP_FRONT open target)
    if(target IN_LIST seen OR NOT TARGET ${target})
      continue()
    endif()
    list(APPEND seen ${target})
    get_target_property(type ${target} TYPE)
    get_target_property(next ${target} INTERFACE_LINK_LIBRARIES)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND archives $<TARGET_FILE:${target}>)
      list(APPEND open ${next})
    endif()
  endwhile()
  set(${variable} ${archives} PARENT_SCOPE)
endfunction()

if(TARGET clangTooling AND TARGET LLVMSupport)
  xfer_archives_behind(clang_archives clangTooling clangFrontendTool)
  llvm_map_components_to_libnames(llvm_libraries
    support option targetparser profiledata bitreader core object mcparser frontenddriver
    frontendhlsl frontendopenmp frontendopenacc windowsdriver)
  # Clang's archives name each other in circles.
  target_link_libraries(xfer_clang INTERFACE
    -Wl,--start-group ${clang_archives} -Wl,--end-group ${llvm_libraries})
  target_link_options(xfer_clang INTERFACE LINKER:--gc-sections)
else()
  target_link_libraries(xfer_clang INTERFACE clang-cpp LLVM)
endif()
