# Headers do the work; one file gives three of the functions their exported names.
set(GRAZE_GEOMETRY_SOURCES ${CMAKE_CURRENT_LIST_DIR}/triangle_exports.c)
