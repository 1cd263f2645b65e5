# The static libraries that users link. Each defines the functions of its public headers and no other global symbol, so that its
# inner names (`fail`, `array_push`) cannot clash with those of a program, or of the other library.
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

# add_localized_library(TARGET NAME OBJECTS...): libNAME.a of these objects
function(add_localized_library target name)
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
  set(relocatable -r -nostdlib -Wl,--force-group-allocation)
  foreach(section .text .rodata .data .bss)
    list(APPEND relocatable "-Wl,--unique=${section}*")
  endforeach()
  if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    list(APPEND relocatable -flinker-output=nolto-rel)
  endif()
  add_custom_command(OUTPUT ${joined}
    COMMAND ${CMAKE_C_COMPILER} ${relocatable} -o ${joined} ${ARGN}
    COMMAND ${CMAKE_OBJCOPY} --wildcard --localize-hidden --keep-global-symbol=graze_* ${joined}
    DEPENDS ${ARGN}
    COMMENT "Localizing the inner symbols of lib${name}.a" VERBATIM COMMAND_EXPAND_LISTS)
  set_source_files_properties(${joined} PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  add_library(${target} STATIC ${joined})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME ${name}
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/localized)
endfunction()
