# Lints all targets of a project that says nothing of xfercheck:
#
#   cmake -B build -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=LIB/cmake/xfercheck/XfercheckLintAll.cmake
#   cmake --build build --target xferlint
#
# XFERCHECK_LINT_OPTIONS has the arguments of xfercheck_lint(), separated by semicolons:
# -DXFERCHECK_LINT_OPTIONS='FAIL_ON;error'

include(${CMAKE_CURRENT_LIST_DIR}/XfercheckLint.cmake)
xfercheck_lint(${XFERCHECK_LINT_OPTIONS})
