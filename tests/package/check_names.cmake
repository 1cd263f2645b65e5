# cmake -D LIBRARY=... -D HEADERS=... -P check_names.cmake: fails where the library does not export what its headers declare.
include(${CMAKE_CURRENT_LIST_DIR}/exported_names.cmake)
check_exported_names(${LIBRARY} ${HEADERS})
