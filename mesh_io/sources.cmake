# The one list of the sources of mesh_io; the fuzz targets compile the same files once more with their own instrumentation.
file(GLOB GRAZE_MESH_IO_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
