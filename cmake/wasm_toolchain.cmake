# WebAssembly with Debian's clang, lld, wasi-libc and libclang-rt-14-dev-wasm32.
#
# All enabled instructions are at least as old as the fixed-width vector instructions, which the module requires in any case: Chrome
# 91, Firefox 89, Safari 16.4, node 16.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# There is one thread; with -mbulk-memory, clang 14 rejects thread-local variables.
set(CMAKE_C_FLAGS_INIT "-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -D_Thread_local= -D_WASI_EMULATED_GETPID -Wno-shorten-64-to-32")
# A program would need an entry point; a static library suffices for CMake's checks.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
