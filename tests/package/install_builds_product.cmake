# Fails if the target `install`, or `product`, which the installation builds, compiles a test or the laboratory, or if the installation
# does not build `product`.
#
# cmake -D BUILD=... -D SOURCE=... -D GENERATOR=... -P install_builds_product.cmake
find_program(NINJA_PROGRAM ninja)
if(NOT GENERATOR STREQUAL Ninja OR NOT NINJA_PROGRAM)
  message("skipped: ninja lists the steps of a target, ${GENERATOR} does not")
  return()
endif()
foreach(target install product)
  execute_process(COMMAND ${NINJA_PROGRAM} -C ${BUILD} -t commands ${target} OUTPUT_VARIABLE steps COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH " -c ${SOURCE}/(tests|lab)/[^\n]*" surplus "${steps}")
  if(surplus)
    message(FATAL_ERROR "${target} compiles what is not installed:${surplus}")
  endif()
endforeach()
if(NOT steps MATCHES " -c ${SOURCE}/src/")
  message(FATAL_ERROR "product compiles no file of the library")
endif()
file(READ ${BUILD}/cmake_install.cmake script)
if(NOT script MATCHES "--target product.*/docs/cmake_install.cmake")
  message(FATAL_ERROR "the installation does not build product before it copies files")
endif()
message("the installation builds only product")
