# One set of compile options for every target of the project.
#
# -ffp-contract=off: a fused multiply-add changes the rounding that the error bounds of src/geometry assume. By default, gcc in GNU
# mode on ARM and clang in every mode fuse.
add_library(graze_compile_options INTERFACE)
target_compile_definitions(graze_compile_options INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(graze_compile_options INTERFACE
  "$<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off;-fno-math-errno;-fno-trapping-math>"
  "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wshadow;-Wconversion;-Wno-sign-conversion;-Wvla>"
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
  "$<$<COMPILE_LANGUAGE:CUDA>:--fmad=false;-Xcompiler=-ffp-contract=off>"
  $<$<CONFIG:Release>:-O3>)

# Users' compilers may know warnings that today's do not. `make check` and `make test` refuse warnings of C and C++.
option(GRAZE_STRICT "Treat warnings as errors in C and C++" OFF)
if(GRAZE_STRICT)
  target_compile_options(graze_compile_options INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
endif()

# WebAssembly has 32-bit sizes; memory bounds all counts there. This must follow -Wconversion, which enables the warning.
if(GRAZE_ENGINE)
  target_compile_options(graze_compile_options INTERFACE -Wno-shorten-64-to-32)
endif()

# Test programs take longer to compile with optimization than they save at run time, so presets set cheaper options.
set(GRAZE_TEST_OPTIONS "" CACHE STRING "Compiler options of test programs, after all others")
separate_arguments(graze_test_options UNIX_COMMAND "${GRAZE_TEST_OPTIONS}")
target_compile_options(graze_compile_options INTERFACE
  "$<$<AND:$<BOOL:$<TARGET_PROPERTY:IS_TEST_PROGRAM>>,$<COMPILE_LANGUAGE:C>>:${graze_test_options}>")

# Without a GPU, CUDA code is only checked for compile errors: without optimization this takes a tenth of the time.
# scripts/test_everything.sh turns the option off if there is no GPU.
option(GRAZE_CUDA_OPTIMIZED "Optimize the code that nvcc compiles" ON)
if(NOT GRAZE_CUDA_OPTIMIZED)
  target_compile_options(graze_compile_options INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcicc=-O0;-Xcompiler=-O0>")
endif()
