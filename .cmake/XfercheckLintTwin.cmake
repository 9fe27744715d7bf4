# xfercheck_add_twin(NAME TARGET): the compile commands of a target, with xferlint in the compiler's
# place. Called in the target's folder, at its end.

# The sources in C++, CUDA and HIP that the target itself names, and the files that are generated
# for them. Files in C are left out.
function(_xfercheck_sources_of target exclude sources_out generated_out)
  get_target_property(listed ${target} SOURCES)
  set(sources)
  set(generated)
  foreach(source IN LISTS listed)
    if(source MATCHES "TARGET_OBJECTS:")
      continue()
    elseif(source MATCHES "\\$<")
      list(APPEND sources ${source})
      continue()
    endif()
    foreach(property LANGUAGE HEADER_FILE_ONLY LOCATION GENERATED)
      get_source_file_property(${property} ${source} ${property})
    endforeach()
    if(GENERATED)
      list(APPEND generated ${source})
    endif()
    if(NOT HEADER_FILE_ONLY AND NOT LOCATION MATCHES "${exclude}" AND
       (LANGUAGE MATCHES "^(CXX|CUDA|HIP)$" OR
        source MATCHES "\\.(C|cc|cp|cpp|cxx|c\\+\\+|CPP|cu|hip)$"))
      list(APPEND sources ${source})
    endif()
  endforeach()
  set(${sources_out} "${sources}" PARENT_SCOPE)
  set(${generated_out} "${generated}" PARENT_SCOPE)
endfunction()

function(xfercheck_add_twin name target)
  foreach(argument ROOT OPTIONS EXCLUDE)
    get_property(${argument} GLOBAL PROPERTY xfercheck_lint_${name}_${argument})
  endforeach()
  set(twin ${target}_${name})
  if(TARGET ${twin})
    return()
  endif()
  _xfercheck_sources_of(${target} "${EXCLUDE}" sources generated)
  if(NOT sources)
    return()
  endif()
  add_library(${twin} OBJECT EXCLUDE_FROM_ALL ${sources})

  # These include the usage requirements of linked targets, also of links that are still to come.
  # The links themselves say which folders hold system headers.
  foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES)
    set_property(TARGET ${twin} PROPERTY ${property} "$<TARGET_PROPERTY:${target},${property}>")
  endforeach()
  _xfercheck_copy(${target} ${twin} LINK_LIBRARIES COMPILE_FLAGS POSITION_INDEPENDENT_CODE
                  NO_SYSTEM_FROM_IMPORTED CUDA_ARCHITECTURES CUDA_SEPARABLE_COMPILATION
                  CUDA_RUNTIME_LIBRARY)
  set(launcher ${XFERLINT} --root ${ROOT} ${OPTIONS} --as-compiler --)
  foreach(language CXX CUDA HIP)
    _xfercheck_copy(${target} ${twin} ${language}_STANDARD ${language}_STANDARD_REQUIRED
                    ${language}_EXTENSIONS)
    set_target_properties(${twin} PROPERTIES
      ${language}_COMPILER_LAUNCHER "${launcher}"
      ${language}_CLANG_TIDY "" ${language}_CPPLINT "" ${language}_INCLUDE_WHAT_YOU_USE "")
  endforeach()
  get_target_property(type ${target} TYPE)
  get_target_property(exports ${target} ENABLE_EXPORTS)
  if(type MATCHES "^(SHARED|MODULE)_LIBRARY$" OR exports)
    get_target_property(symbol ${target} DEFINE_SYMBOL)
    if(NOT symbol)
      string(MAKE_C_IDENTIFIER ${target}_EXPORTS symbol)
    endif()
    set_property(TARGET ${twin} APPEND PROPERTY COMPILE_DEFINITIONS ${symbol})
  endif()
  _xfercheck_include_precompiled(${target} ${twin})
  # A source that lists several would hide from the analysis which of them it is.
  set_target_properties(${twin} PROPERTIES
    XFERCHECK_TWIN TRUE UNITY_BUILD OFF DISABLE_PRECOMPILE_HEADERS ON EXPORT_COMPILE_COMMANDS OFF
    AUTOMOC OFF AUTOUIC OFF AUTORCC OFF INTERPROCEDURAL_OPTIMIZATION OFF)
  _xfercheck_wait(${target} ${twin} "${generated}")
  set_property(GLOBAL APPEND PROPERTY xfercheck_lint_${name}_twins ${twin})
endfunction()

# The twin waits for what the target's sources wait for, generated headers say. Of linked libraries
# ninja takes that alone; make builds them.
function(_xfercheck_wait target twin generated)
  get_target_property(others ${target} MANUALLY_ADDED_DEPENDENCIES)
  if(others)
    add_dependencies(${twin} ${others})
  endif()
  foreach(file IN LISTS generated)
    get_source_file_property(language ${file} LANGUAGE)
    if(NOT language MATCHES "^C$")
      target_sources(${twin} PRIVATE ${file})
    endif()
  endforeach()
  # Of two targets that generate one file, make runs both at once. And Qt's files are made by a
  # target that is not there yet.
  get_target_property(moc ${target} AUTOMOC)
  get_target_property(uic ${target} AUTOUIC)
  if(moc OR uic OR (generated AND CMAKE_GENERATOR MATCHES "Makefiles"))
    add_dependencies(${twin} ${target})
  endif()
endfunction()

function(_xfercheck_copy target twin)
  foreach(property IN LISTS ARGN)
    get_property(is_set TARGET ${target} PROPERTY ${property} SET)
    if(is_set)
      get_property(value TARGET ${target} PROPERTY ${property})
      set_property(TARGET ${twin} PROPERTY ${property} "${value}")
    endif()
  endforeach()
endfunction()

# A header that is precompiled is included everywhere by the command line; sources rely on it.
function(_xfercheck_include_precompiled target twin)
  get_target_property(owner ${target} PRECOMPILE_HEADERS_REUSE_FROM)
  if(NOT owner)
    set(owner ${target})
  endif()
  get_target_property(headers ${owner} PRECOMPILE_HEADERS)
  get_target_property(off ${target} DISABLE_PRECOMPILE_HEADERS)
  if(NOT headers OR off)
    return()
  endif()
  get_target_property(binary ${owner} BINARY_DIR)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(folder ${binary}/CMakeFiles/${owner}.dir)
  if(several)
    string(APPEND folder /$<CONFIG>)
  endif()
  set_property(TARGET ${twin} APPEND PROPERTY COMPILE_OPTIONS
               "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${folder}/cmake_pch.hxx>")
endfunction()
