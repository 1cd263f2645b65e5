# Makes headers of a later version: those of a folder with one field appended to each struct that begins with its size.
# Elements of lists never grow.
#
# append_fields(FROM TO)
function(append_fields from to)
  file(GLOB headers ${from}/*.h)
  set(appended_count 0)
  foreach(header ${headers})
    get_filename_component(name ${header} NAME)
    file(READ ${header} text)
    string(REGEX REPLACE
      "(typedef struct graze_[a-z_]+ {\n  size_t struct_bytes;[^}]*\n)} graze_"
      "\\1  uint64_t appended;\n} graze_" later "${text}")
    string(REGEX MATCHALL "uint64_t appended;" found "${later}")
    list(LENGTH found count)
    math(EXPR appended_count "${appended_count} + ${count}")
    file(CONFIGURE OUTPUT ${to}/${name} CONTENT "${later}" @ONLY)
  endforeach()
  if(appended_count LESS 22)
    message(FATAL_ERROR "a field was appended to ${appended_count} structs only")
  endif()
endfunction()
