# Compiler flags. Two sets: what every user of our headers needs too, and what only we need.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# libgrouser.so shows what is marked GROUSER_API alone.
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Contracted multiply-adds would give other bits on other machines and in other build types.
set(GROUSER_PUBLIC_OPTIONS -ffp-contract=off)
# Option structs are filled by designated initialisers that name only what differs.
set(GROUSER_PRIVATE_OPTIONS
    -Wall -Wextra -Wpedantic -Wconversion -Wno-missing-field-initializers)

if(GROUSER_PORTABLE)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    # Same Eigen alignment as the compiler's default, hence no matter for users of the headers.
    list(APPEND GROUSER_PRIVATE_OPTIONS -march=x86-64-v2)
  endif()
else()
  # Eigen takes its alignment, and so the layout of internal types, from the vector width: all of the
  # library is compiled with the same flag. Headers in include/grouser know nothing of Eigen.
  list(APPEND GROUSER_PUBLIC_OPTIONS -march=native)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 reports overlaps inside std::string that cannot happen (GCC bug 105651).
  # The note on passing vectors by value without AVX-512 concerns mixing compilers only.
  list(APPEND GROUSER_PRIVATE_OPTIONS -Wno-restrict -Wno-psabi)
  if(NOT GROUSER_PORTABLE)
    # Inlined AVX-512 intrinsics look uninitialised and out of bounds to GCC 12 (GCC bug 105593).
    list(APPEND GROUSER_PRIVATE_OPTIONS
         -Wno-uninitialized -Wno-maybe-uninitialized -Wno-array-bounds)
  endif()
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # With AVX-512, GCC 12's superword vectoriser takes the wrong element out of an 8-wide vector
  # (multibody/lane.h); where it works it costs the dynamics a quarter of their speed. Loops are
  # still vectorised.
  list(APPEND GROUSER_PUBLIC_OPTIONS -fno-tree-slp-vectorize)
endif()

if(GROUSER_WERROR)
  list(APPEND GROUSER_PRIVATE_OPTIONS -Werror)
endif()

if(GROUSER_SANITIZE)
  add_compile_options(-fsanitize=${GROUSER_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GROUSER_SANITIZE})
endif()
