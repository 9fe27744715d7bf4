# xfercheck_lint([TARGETS target...] [NAME name] [...]): a target that lints other targets.
#
#   find_package(xfercheck REQUIRED)
#   xfercheck_lint(SARIF ${CMAKE_BINARY_DIR}/lint.sarif)    # before the first add_subdirectory()
#
# `cmake --build build --target xferlint` then parses what has changed, each source by a command of
# its own, and merges the facts of all. Without TARGETS it takes all targets of this folder and of
# those below; with it, targets that this folder makes.
#
#   NAME name           the new target; default: xferlint. Calls with one NAME make one target, with
#                       the other arguments of the first call
#   OPTIONS word...     to both steps: --models FILE
#   MERGE_OPTIONS ...   to the merge: --checks GLOBS, --baseline FILE, --diff-only REVISION
#   FAIL_ON severity    error, warning (default), advice, or never
#   SARIF file, JSON file, HTML file   the findings as a file as well
#   EXCLUDE regex       leaves out sources whose path matches; default: /_deps/
#   ROOT folder         the project's; default: CMAKE_SOURCE_DIR
#
# How: each target gets a twin, TARGET_NAME, an object library with the same sources, flags and
# standards, whose compiler launcher is xferlint. So CMake itself sees to generator expressions,
# flags, depfiles and what has to be generated first. Nothing is compiled: in each object's place
# stand the facts of its source.
#
# XfercheckLintAll.cmake does this for a project that says nothing of xfercheck.

include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/XfercheckLintTwin.cmake)

set_property(GLOBAL PROPERTY xfercheck_lint_merge
             ${CMAKE_CURRENT_LIST_DIR}/XfercheckLintMerge.cmake)
# Where the package lies: PREFIX/lib/cmake/xfercheck, and with Debian's folders one deeper.
set_property(GLOBAL PROPERTY xfercheck_lint_bin ${CMAKE_CURRENT_LIST_DIR}/../../../bin
                                                ${CMAKE_CURRENT_LIST_DIR}/../../../../bin)

function(xfercheck_lint)
  set(single NAME FAIL_ON SARIF JSON HTML EXCLUDE ROOT)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "${single}" "TARGETS;OPTIONS;MERGE_OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "xfercheck_lint: cannot use: ${arg_UNPARSED_ARGUMENTS} "
                        "${arg_KEYWORDS_MISSING_VALUES} (targets are named after TARGETS)")
  endif()
  foreach(default NAME=xferlint ROOT=${CMAKE_SOURCE_DIR} FAIL_ON=warning EXCLUDE=/_deps/)
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" unused "${default}")
    if(NOT DEFINED arg_${CMAKE_MATCH_1})
      set(arg_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  if(NOT arg_FAIL_ON MATCHES "^(error|warning|advice|never)$")
    message(FATAL_ERROR "xfercheck_lint: FAIL_ON ${arg_FAIL_ON}: it is error, warning, advice or "
                        "never")
  endif()
  get_property(bin GLOBAL PROPERTY xfercheck_lint_bin)
  find_program(XFERLINT xferlint HINTS ${bin} DOC "xferlint, for the targets of xfercheck_lint()")
  if(NOT XFERLINT)
    message(FATAL_ERROR "xfercheck_lint: xferlint was not found; set XFERLINT to its path")
  endif()

  set(name ${arg_NAME})
  get_property(known GLOBAL PROPERTY xfercheck_lint_${name}_NAME)
  if(NOT known)
    foreach(argument ${single} OPTIONS MERGE_OPTIONS)
      set_property(GLOBAL PROPERTY xfercheck_lint_${name}_${argument} "${arg_${argument}}")
    endforeach()
    foreach(format SARIF JSON HTML)
      if(arg_${format})
        get_filename_component(file ${arg_${format}} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
        set_property(GLOBAL PROPERTY xfercheck_lint_${name}_${format} ${file})
      endif()
    endforeach()
  endif()
  # A target's sources and properties are complete when CMake has read its folder.
  if(arg_TARGETS)
    foreach(target IN LISTS arg_TARGETS)
      _xfercheck_defer(${CMAKE_CURRENT_SOURCE_DIR} _xfercheck_lint_target ${name} ${target})
    endforeach()
  else()
    get_property(below DIRECTORY PROPERTY SUBDIRECTORIES)
    if(below)
      message(FATAL_ERROR "xfercheck_lint: call it before add_subdirectory(): it takes the targets "
                          "of folders that come later")
    endif()
    set_property(GLOBAL APPEND PROPERTY xfercheck_lint_folders
                 "${name}=${CMAKE_CURRENT_SOURCE_DIR}/")
    set_property(GLOBAL APPEND PROPERTY xfercheck_lint_seen ${CMAKE_CURRENT_SOURCE_DIR})
    _xfercheck_defer(${CMAKE_CURRENT_SOURCE_DIR} _xfercheck_lint_folder ${name})
    variable_watch(CMAKE_CURRENT_LIST_DIR _xfercheck_enter_folder)
  endif()
  if(NOT known)
    _xfercheck_defer(${CMAKE_SOURCE_DIR} _xfercheck_lint_merge ${name} FALSE)
  endif()
endfunction()

# Deferred calls take variables for what they are then, so that the words are written out.
function(_xfercheck_defer folder function)
  list(JOIN ARGN "]=] [=[" words)
  cmake_language(EVAL CODE
    "cmake_language(DEFER DIRECTORY [=[${folder}]=] CALL ${function} [=[${words}]=])")
endfunction()

# Called whenever CMake begins or ends a file: CMake has no hook for the begin of a folder.
function(_xfercheck_enter_folder)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  get_property(seen GLOBAL PROPERTY xfercheck_lint_seen)
  if(folder IN_LIST seen)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY xfercheck_lint_seen ${folder})
  get_property(wanted GLOBAL PROPERTY xfercheck_lint_folders)
  get_property(parent DIRECTORY PROPERTY PARENT_DIRECTORY)
  foreach(entry IN LISTS wanted)
    string(REGEX MATCH "^([^=]+)=(.*)$" unused "${entry}")
    set(name ${CMAKE_MATCH_1})
    set(top ${CMAKE_MATCH_2})
    # A folder of the project below may lie anywhere on the disk.
    set(above ${folder})
    while(above AND NOT "${above}/" STREQUAL top)
      get_property(above DIRECTORY ${above} PROPERTY PARENT_DIRECTORY)
    endwhile()
    if(above)
      _xfercheck_defer(${folder} _xfercheck_lint_folder ${name})
    endif()
  endforeach()
endfunction()

function(_xfercheck_lint_folder name)
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(twin ${target} XFERCHECK_TWIN)
    if(NOT twin AND type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
      xfercheck_add_twin(${name} ${target})
    endif()
  endforeach()
endfunction()

function(_xfercheck_lint_target name target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "xfercheck_lint: there is no target ${target}")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "xfercheck_lint: ${folder} makes ${target}; call it there, with the same "
                        "NAME, or without TARGETS before add_subdirectory()")
  endif()
  xfercheck_add_twin(${name} ${target})
endfunction()

# Calls that were deferred later come first.
function(_xfercheck_lint_merge name last)
  if(NOT last)
    _xfercheck_defer(${CMAKE_SOURCE_DIR} _xfercheck_lint_merge ${name} TRUE)
    return()
  endif()
  foreach(argument twins FAIL_ON ROOT OPTIONS MERGE_OPTIONS)
    get_property(${argument} GLOBAL PROPERTY xfercheck_lint_${name}_${argument})
  endforeach()
  if(NOT twins)
    message(FATAL_ERROR "xfercheck_lint: no target has a source to lint")
  endif()
  # No command line holds the names of thousands of files.
  set(list ${CMAKE_BINARY_DIR}/CMakeFiles/${name}.dir/facts-$<CONFIG>.txt)
  list(TRANSFORM twins REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE facts)
  file(GENERATE OUTPUT ${list} CONTENT "$<JOIN:${facts},\n>\n")
  set(run ${CMAKE_COMMAND} -DXFERLINT=${XFERLINT} -DFAIL_ON=${FAIL_ON})
  foreach(format SARIF JSON HTML)
    get_property(file GLOBAL PROPERTY xfercheck_lint_${name}_${format})
    if(file)
      list(APPEND run -D${format}=${file})
    endif()
  endforeach()
  get_property(script GLOBAL PROPERTY xfercheck_lint_merge)
  # Make knows files of one folder alone, and ninja takes a target for all that it links.
  set(wait)
  if(NOT CMAKE_GENERATOR MATCHES "Makefiles")
    set(wait DEPENDS ${facts})
  endif()
  add_custom_target(${name}
    COMMAND ${run} -P ${script} -- --root ${ROOT} ${OPTIONS} ${MERGE_OPTIONS} --merge @${list}
    ${wait} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    VERBATIM USES_TERMINAL COMMENT "Linting (${name})")
  if(NOT wait)
    add_dependencies(${name} ${twins})
  endif()
endfunction()
