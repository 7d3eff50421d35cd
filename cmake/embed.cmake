# cmake -D LIST=<file of paths> -D OUTPUT=<cpp> [-D HEADER=<header> -D TYPE=<struct> -D FUNCTION=<name>] -P embed.cmake
# Writes the files as char arrays: no limit on length, no character that needs escaping. The struct, of kind (the file's
# folder), name (without the last ending) and text, and the function are declared in the header.

if(NOT DEFINED HEADER)
  set(HEADER scene/builtin_files.h)
  set(TYPE BuiltinFile)
  set(FUNCTION builtin_files)
endif()

file(STRINGS ${LIST} paths ENCODING UTF-8)
string(REPEAT "[0-9a-f]" 32 sixteen_bytes)
set(arrays "")
set(entries "")
set(index 0)

foreach(path IN LISTS paths)
  cmake_path(GET path STEM LAST_ONLY name)
  cmake_path(GET path PARENT_PATH folder)
  cmake_path(GET folder FILENAME kind)
  file(READ ${path} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(${sixteen_bytes})" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  # The closing zero keeps the array of an empty file legal.
  string(APPEND arrays "constexpr char kText${index}[] = {\n    ${bytes}'\\0'};\n")
  string(APPEND entries "    ${TYPE}{\"${kind}\", \"${name}\", {kText${index}, ${size}}},\n")
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE ${OUTPUT} "// Generated; do not edit.
#include \"${HEADER}\"

#include <array>

namespace grouser::internal {
namespace {

${arrays}
constexpr std::array<${TYPE}, ${index}> kFiles = {
${entries}};

}  // namespace

std::span<const ${TYPE}> ${FUNCTION}() { return kFiles; }

}  // namespace grouser::internal
")
