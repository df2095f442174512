# SPDX-License-Identifier: Apache-2.0
# The language, the warnings and the sanitizers that every target of the project is built with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
             -Wimplicit-fallthrough -Werror=return-type -Werror=switch
             # Designated initialisers may leave members at their defaults: that is what they are for.
             -Wno-missing-field-initializers
             # GCC 12 sees uninitialised members in every std::variant that is moved.
             $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")
if(SWEETSPOT_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(SWEETSPOT_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(SWEETSPOT_SANITIZE)
  message(FATAL_ERROR "SWEETSPOT_SANITIZE is '${SWEETSPOT_SANITIZE}'; expected empty, address or thread")
endif()

# For libFuzzer, which is Clang's: all code counts its edges and runs under the sanitizers; see tests/fuzz.
if(SWEETSPOT_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "SWEETSPOT_FUZZ needs clang++ (cmake --preset fuzz), not ${CMAKE_CXX_COMPILER}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  if(NOT SWEETSPOT_FUZZ_BARE)
    add_compile_options(-fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero
                        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
  endif()
endif()

# Code that waits for sockets and files is compiled for size, since a daemon that idles is judged by its memory: with -O2
# its text is twice as long and no reply comes sooner (docs/performance.md). Debug builds and sanitizers keep their own.
function(sweetspot_compile_for_size)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR SWEETSPOT_FUZZ)
    return()
  endif()
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE -Os -ffunction-sections -fdata-sections)
    target_link_options(${target} INTERFACE -Wl,--gc-sections)
  endforeach()
endfunction()

# One static library per module. Public headers lie in include/sweetspot/<module>, private ones beside their .cpp.
function(sweetspot_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(sweetspot_${name} STATIC ${ARG_SOURCES})
  target_include_directories(sweetspot_${name} PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(sweetspot_${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()
