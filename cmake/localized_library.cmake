# The static libraries that users link. The only global symbols of each are the functions of its public headers, so internal names
# (`fail`, `array_push`) cannot clash with those of a program or of the other library.
#
# `ld -r` joins all objects. objcopy makes hidden symbols and foreign symbols local: templates of the C++ library keep their default
# visibility. Groups are resolved, because the linker may drop a group that a program also has, together with its local symbols.
# Sections of different objects remain separate, so --gc-sections can drop unused ones. The machine code is that of the objects;
# objects for link-time optimization are compiled here.
set(GRAZE_LOCALIZED OFF)
if(UNIX AND NOT APPLE AND CMAKE_OBJCOPY)
  set(GRAZE_LOCALIZED ON)
endif()
# GNU ld cannot compile clang's objects for link-time optimization.
if(CMAKE_C_COMPILER_ID MATCHES Clang AND (CMAKE_INTERPROCEDURAL_OPTIMIZATION OR CMAKE_C_FLAGS MATCHES "-flto"))
  message(STATUS "The static library exposes its internal symbols: clang's link-time optimization is on")
  set(GRAZE_LOCALIZED OFF)
endif()

# add_localized_library(TARGET NAME OBJECTS...) builds libNAME.a from these objects.
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
    COMMENT "Localizing the internal symbols of lib${name}.a" VERBATIM COMMAND_EXPAND_LISTS)
  set_source_files_properties(${joined} PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  add_library(${target} STATIC ${joined})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME ${name}
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/localized)
endfunction()
