# SPDX-License-Identifier: Apache-2.0
# nvcc, cuBLAS and the chips to compile for; only with SWEETSPOT_CUDA.
if(SWEETSPOT_SANITIZE OR SWEETSPOT_FUZZ)
  message(FATAL_ERROR "SWEETSPOT_CUDA goes without sanitizers and fuzzing: nvcc does not know them")
endif()
if(NOT CMAKE_CUDA_COMPILER)
  # JetPack installs it where no PATH leads.
  find_program(SWEETSPOT_NVCC nvcc PATHS /usr/local/cuda/bin)
  if(NOT SWEETSPOT_NVCC)
    message(FATAL_ERROR "SWEETSPOT_CUDA is ON, and there is no nvcc. On a Jetson the package nvidia-jetpack brings it, and cuBLAS; "
                        "elsewhere name it with -DCMAKE_CUDA_COMPILER=. See docs/cuda.md")
  endif()
  set(CMAKE_CUDA_COMPILER ${SWEETSPOT_NVCC})
endif()

# Orin always, and the chip of this machine. Code for 8.7 is also kept as PTX, which drivers of later chips compile.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 87)
  get_filename_component(folder_of_nvcc ${CMAKE_CUDA_COMPILER} DIRECTORY)
  execute_process(COMMAND ${folder_of_nvcc}/__nvcc_device_query OUTPUT_VARIABLE own RESULT_VARIABLE status ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0 AND own MATCHES "^[0-9]+(,[0-9]+)*$")
    string(REPLACE "," ";" own "${own}")
    list(APPEND CMAKE_CUDA_ARCHITECTURES ${own})
    list(REMOVE_DUPLICATES CMAKE_CUDA_ARCHITECTURES)
  endif()
endif()
enable_language(CUDA)
# nvcc has C++20 since 12.0, and CMake before 3.26 does not know it.
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
  message(FATAL_ERROR "SWEETSPOT_CUDA needs nvcc 12.0 or later, for C++20; ${CMAKE_CUDA_COMPILER} is ${CMAKE_CUDA_COMPILER_VERSION}")
endif()
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set(CMAKE_CUDA_STANDARD 20)
find_package(CUDAToolkit REQUIRED)
message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} for chips ${CMAKE_CUDA_ARCHITECTURES}")
# Kernels call constexpr functions of ours. -Wpedantic and -Wold-style-cast would speak of the code that nvcc writes.
add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xcompiler=-Wall,-Wextra,-Wshadow,-Wno-missing-field-initializers>")
