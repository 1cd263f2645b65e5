# The backend cuda: GRAZE_CUDA is AUTO (if nvcc is found), ON (an error if it is not) or OFF.
#
# nvcc compiles only the files with kernels and their launches. --fmad=false and -ffp-contract=off: a fused multiply-add changes the
# rounding that the error bounds assume.
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
    # As in the presets: machine code of Hopper, and PTX of Turing, which drivers compile for any other architecture from it on.
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-real)
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    # The slowest first, so that the rest compiles beside them.
    set(GRAZE_CUDA_SOURCES cuda/cuda_contacts.cu cuda/cuda_exact.cu cuda/cuda_distances.cu cuda/cuda_stages.cu cuda/cuda_near.cu
        cuda/cuda_clearance.cu cuda/cuda_crowding.cu cuda/cuda_search.cu cuda/cuda_configurations.cu cuda/cuda_operations.cu
        cuda/cuda_packing.cu cuda/cuda_measures.cu cuda/cuda_wrenches.cu cuda/cuda_clusters.cu
        cuda/cuda_vertices.cu cuda/cuda_scan.cu)
    set(GRAZE_CUDA_FOUND ON)
  elseif(GRAZE_CUDA STREQUAL ON)
    message(FATAL_ERROR "GRAZE_CUDA is ON, but nvcc was not found: set CUDACXX to its path, or GRAZE_CUDA to OFF")
  endif()
endif()
