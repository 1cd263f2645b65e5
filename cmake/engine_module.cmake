# The WebAssembly module of the viewer in native builds: the target engine_module builds GRAZE_ENGINE_MODULE in a separate folder
# with the preset engine. If a compiler, linker or library for WebAssembly is missing, there is no target, and
# GRAZE_ENGINE_MODULE is empty.
set(GRAZE_ENGINE_MODULE "")
set(probe ${PROJECT_BINARY_DIR}/engine_probe)
file(WRITE ${probe}.c "#include <stdlib.h>\nint main(void) { return malloc(1) == NULL; }\n")
execute_process(COMMAND clang --target=wasm32-wasi -o ${probe}.wasm ${probe}.c RESULT_VARIABLE failure OUTPUT_QUIET ERROR_QUIET)
if(failure EQUAL 0)
  set(GRAZE_ENGINE_MODULE ${PROJECT_BINARY_DIR}/engine/engine.wasm)
  add_custom_target(engine_module ALL BYPRODUCTS ${GRAZE_ENGINE_MODULE}
    COMMAND ${CMAKE_COMMAND} --preset engine -S ${PROJECT_SOURCE_DIR} -B ${PROJECT_BINARY_DIR}/engine --log-level=WARNING
    COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR}/engine --target engine
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "Building the WebAssembly module of the viewer")
else()
  message(STATUS "Building the viewer without its engine, which requires clang, lld, wasi-libc and libclang-rt-14-dev-wasm32")
endif()
