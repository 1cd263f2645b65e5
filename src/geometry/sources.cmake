# Headers do the work; this file gives some of the functions their exported names.
set(GRAZE_GEOMETRY_SOURCES ${CMAKE_CURRENT_LIST_DIR}/geometry_exports.c)
