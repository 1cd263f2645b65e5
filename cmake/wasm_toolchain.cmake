# WebAssembly by Debian's clang, lld, wasi-libc and libclang-rt-14-dev-wasm32.
#
# All instructions that are asked for are older than, or came with, the fixed-width vector instructions that the module needs anyway:
# Chrome 91, Firefox 89, Safari 16.4, node 16.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# There is one thread; with -mbulk-memory clang 14 refuses what is local to a thread.
set(CMAKE_C_FLAGS_INIT "-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -D_Thread_local= -D_WASI_EMULATED_GETPID -Wno-shorten-64-to-32")
# A program needs an entry; libraries show all that CMake wants to know.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
