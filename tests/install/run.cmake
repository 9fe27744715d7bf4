# run(COMMAND...): the command's output in `output`; the test fails with it where the command does.
function(run)
  execute_process(COMMAND ${ARGN}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# By pkg-config, in C++17: what main.cc of the consumer prints.
function(run_by_pkg_config prefix libdir source work)
  set(ENV{PKG_CONFIG_PATH} ${libdir}/pkgconfig)
  run(pkg-config --cflags --libs tensorlib)
  if(NOT output MATCHES "${prefix}")
    message(FATAL_ERROR "tensorlib.pc does not name the moved prefix ${prefix}:\n${output}")
  endif()
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(c++ -std=c++17 ${source}/consumer/main.cc -o ${work}/by_pkg_config ${flags}
      -Wl,-rpath,${libdir})
  run(${work}/by_pkg_config)
  if(NOT output MATCHES "\\[3, 2\\] on (cpu|cuda:0)")
    message(FATAL_ERROR "by pkg-config the consumer printed:\n${output}")
  endif()
endfunction()

# extract(page name file): the code block of a Markdown page that stands behind
# `<!-- file: name -->`.
function(extract page name file)
  file(READ ${page} text)
  string(FIND "${text}" "<!-- file: ${name} -->" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${page} has no code block that is named ${name}")
  endif()
  string(SUBSTRING "${text}" ${at} -1 text)
  string(FIND "${text}" "```" at)
  string(SUBSTRING "${text}" ${at} -1 text)
  string(FIND "${text}" "\n" at)
  math(EXPR at "${at} + 1")
  string(SUBSTRING "${text}" ${at} -1 text)
  string(FIND "${text}" "```" at)
  string(SUBSTRING "${text}" 0 ${at} text)
  file(WRITE ${file} "${text}")
endfunction()
