# cmake -DOUT=file.cc -DNAMESPACE=ns "-DFILES=id=path;id=path" -P embed.cmake
#
# Writes a C++ source that holds each file as `extern const std::string_view id`: character arrays,
# because compilers limit the length of a string literal. Its SHA-256 is in `id_sha256`, in
# hexadecimal digits.

set(code "#include <string_view>\n\nnamespace ${NAMESPACE} {\n")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([^=]+)=(.*)$" unused "${entry}")
  set(id ${CMAKE_MATCH_1})
  file(READ "${CMAKE_MATCH_2}" hex HEX)
  file(SHA256 "${CMAKE_MATCH_2}" sha256)
  string(LENGTH "${hex}" length)
  math(EXPR bytes "${length} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," array "${hex}")
  string(APPEND code "static constexpr char ${id}_bytes[] = {\n${array}'\\0'};\n"
                     "extern const std::string_view ${id};\n"
                     "const std::string_view ${id}(${id}_bytes, ${bytes});\n"
                     "extern const std::string_view ${id}_sha256;\n"
                     "const std::string_view ${id}_sha256(\"${sha256}\");\n")
endforeach()
string(APPEND code "}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUT}" "${code}")
