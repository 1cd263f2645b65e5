# cmake -D LIBRARY=... -D HEADERS=... -P check_names.cmake: fails if the library does not export the functions of its headers.
include(${CMAKE_CURRENT_LIST_DIR}/exported_names.cmake)
check_exported_names(${LIBRARY} ${HEADERS})
