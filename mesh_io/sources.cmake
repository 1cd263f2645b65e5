# The one list of the sources of mesh_io; the fuzz targets compile the same files once more with their own instrumentation.
set(GRAZE_MESH_IO_SOURCES)
foreach(file
    mesh mesh_reading mesh_builder polygon_triangles mesh_split mesh_name mesh_format mesh_file byte_source number_scanner decimal_rounding
    number_printer byte_sink mesh_writing mesh_writer weld obj_reader ply_header ply_reader stl_reader off_reader
    value_cursor element_shape element_builder node_tags gmsh_types gmsh_reader medit_reader vtk_types vtk_reader tetgen_reader
    rope_reader sphere_columns csv_reader sph_reader gmsh_writer vtk_writer sphere_writer text_encoding skipped_elements unknown_lines
    utf8_text json_reader expansion_limit base64 relative_uri gltf_members gltf_buffers gltf_reader
    zip_archive xml_scanner threemf_model threemf_reader)
  list(APPEND GRAZE_MESH_IO_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${file}.c)
endforeach()
