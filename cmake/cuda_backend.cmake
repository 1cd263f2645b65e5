# The backend cuda: GRAZE_CUDA is AUTO (when nvcc is found), ON (an error when it is not) or OFF.
#
# nvcc compiles a few files, of kernels and of what launches them. --fmad=false and -ffp-contract=off: a fused multiply-add
# changes the rounding that the error bounds are derived for.
set(GRAZE_CUDA AUTO CACHE STRING "Build the backend cuda: AUTO, ON or OFF")
set_property(CACHE GRAZE_CUDA PROPERTY STRINGS AUTO ON OFF)
set(GRAZE_CUDA_SOURCES cuda/cuda_absent.c)
if(NOT GRAZE_CUDA STREQUAL OFF)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(GRAZE_NVCC nvcc PATHS /usr/local/cuda/bin /opt/cuda/bin)
    mark_as_advanced(GRAZE_NVCC)
    if(GRAZE_NVCC)
      set(CMAKE_CUDA_COMPILER ${GRAZE_NVCC})
    endif()
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Turing, Ampere, Hopper, and the text of the last for what comes after.
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(GRAZE_CUDA_SOURCES cuda/cuda_operations.cu cuda/cuda_vertices.cu cuda/cuda_search.cu cuda/cuda_pushes.cu cuda/cuda_sweep.cu cuda/cuda_learning.cu cuda/cuda_exact.cu
        cuda/cuda_contacts.cu cuda/cuda_poses.cu)
    set(GRAZE_CUDA_FOUND ON)
  elseif(GRAZE_CUDA STREQUAL ON)
    message(FATAL_ERROR "GRAZE_CUDA is ON and nvcc was not found: set CUDACXX to it, or GRAZE_CUDA to OFF")
  endif()
endif()
