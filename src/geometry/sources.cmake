# Headers do the work; these files give some of the functions their exported names.
set(GRAZE_GEOMETRY_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/convex_exports.c
  ${CMAKE_CURRENT_LIST_DIR}/pose_exports.c
  ${CMAKE_CURRENT_LIST_DIR}/triangle_exports.c)
