# The static library that users link. It defines the functions of the public headers and no other global symbol, so that its
# inner names (`fail`, `array_push`) cannot clash with those of a program.
#
# `ld -r` joins all objects, and objcopy makes all symbols local that are hidden, or are not graze's: templates of the C++
# library keep their default visibility. Groups are resolved, because the linker may drop a group that a program has as well,
# with local symbols in it. Sections of different objects stay apart, so that --gc-sections can drop what a program does not
# use. The machine code is that of the objects. Objects with code for link-time optimization are compiled here.
set(GRAZE_LOCALIZED OFF)
if(UNIX AND NOT APPLE AND CMAKE_OBJCOPY)
  set(GRAZE_LOCALIZED ON)
endif()
# GNU ld cannot compile what clang writes for link-time optimization.
if(CMAKE_C_COMPILER_ID MATCHES Clang AND (CMAKE_INTERPROCEDURAL_OPTIMIZATION OR CMAKE_C_FLAGS MATCHES "-flto"))
  message(STATUS "The static library shows its inner symbols: clang's link-time optimization is on")
  set(GRAZE_LOCALIZED OFF)
endif()

get_target_property(library_type graze TYPE)
if(NOT GRAZE_LOCALIZED OR (library_type STREQUAL SHARED_LIBRARY AND NOT GRAZE_STATIC_TOO))
  add_library(graze::graze ALIAS graze)
  return()
endif()

set(joined ${CMAKE_CURRENT_BINARY_DIR}/graze_localized.o)
set(objects $<TARGET_OBJECTS:graze_objects> $<TARGET_OBJECTS:graze>)
set(relocatable -r -nostdlib -Wl,--force-group-allocation)
foreach(section .text .rodata .data .bss)
  list(APPEND relocatable "-Wl,--unique=${section}*")
endforeach()
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
  list(APPEND relocatable -flinker-output=nolto-rel)
endif()
add_custom_command(OUTPUT ${joined}
  COMMAND ${CMAKE_C_COMPILER} ${relocatable} -o ${joined} ${objects}
  COMMAND ${CMAKE_OBJCOPY} --wildcard --localize-hidden --keep-global-symbol=graze_* ${joined}
  DEPENDS ${objects}
  COMMENT "Localizing the inner symbols of the static library" VERBATIM COMMAND_EXPAND_LISTS)
set_source_files_properties(${joined} PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)

add_library(graze_localized STATIC ${joined})
set_target_properties(graze_localized PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME graze
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/localized)
target_include_directories(graze_localized INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
get_target_property(libraries graze LINK_LIBRARIES)
list(FILTER libraries EXCLUDE REGEX graze_compile_options)
target_link_libraries(graze_localized PRIVATE ${libraries})
if(library_type STREQUAL SHARED_LIBRARY)
  add_library(graze::graze ALIAS graze)
else()
  set_target_properties(graze_localized PROPERTIES EXPORT_NAME graze)
  add_library(graze::graze ALIAS graze_localized)
endif()
