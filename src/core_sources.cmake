# Methods, tests and scene. Kernels of eight lanes are compiled for AVX2 and called only where the processor has it.
set(GRAZE_CORE_SOURCES
  broad/kind_table.c broad/method_state.c broad/primitive_selection.c
  broad/tree.c broad/tree_forest.c broad/structure_list.c broad/tree_body.c broad/tree_occupancy_table.c broad/tree_bodies.c broad/tree_ranks.c broad/tree_interleaved.c
  broad/tree_descent.c
  broad/brute.c broad/axis_map_choice.c
  broad/box_list.c broad/grid.c broad/grid_build.c broad/grid_search.c
  broad/grid_floor.c broad/grid_range_reader.c
  broad/clusters.c broad/clusters_state.c broad/clusters_learning.c broad/clusters_cover.c broad/clusters_unit.c
  analysis/crowding.c analysis/nested_objects.c analysis/object_surface.c
  regions/clash_kind.c regions/region_depths.c regions/region_groups.c regions/region_list.c
  packing/closed_mesh.c packing/obstacle_tree_build.c
  packing/packer_stages.c packing/packer.c packing/packing_gaps.c packing/deforming_body.c packing/sphere_carrier.c packing/fan_crossings.c
  narrow/candidate_test.c narrow/primitive_pair.c narrow/element_tree.c narrow/mesh_rings.c narrow/pair_measure.c narrow/pair_sink.c narrow/primitive_nearest.c
  spheres/sphere_calls.c spheres/sphere_build.c spheres/sphere_prototypes.c
  spheres/posed_trees.c spheres/sphere_search.c spheres/sphere_queries.c
  cuda/device_state.c cuda/device_memory.c cuda/device_scene.c cuda/device_update.c
  cuda/device_search.c cuda/device_find.c cuda/device_grid.c cuda/device_trees.c cuda/device_forest.c
  cuda/device_clusters.c cuda/device_contacts.c cuda/device_crowding.c cuda/device_batch.c
  cuda/device_spheres.c
  division/division.c
  distributed/portion_list.c distributed/rank_division.c distributed/rank_failure.c distributed/slab.c
  methods/method_table.c
  scene/object_boxes.c scene/object_elements.c scene/object_exclusions.c scene/object_lookup.c scene/object_numbers.c scene/object_positions.c scene/part_bytes.c scene/scene_change.c scene/scene_failure.c scene/scene_numbers.c scene/scene_vertices.c
  backend_cpu/cpu_backend.c backend_cpu/cpu_contacts.c backend_cpu/cpu_crowding.c backend_cpu/cpu_find.c backend_cpu/query_view.c backend_cpu/cpu_method.c backend_cpu/cpu_nearest.c backend_cpu/cpu_batch.c backend_cpu/pair_listing.c backend_cpu/nearest_search.c backend_cpu/pose_test.c backend_cpu/batch_tests.c backend_cpu/batch_rows.c backend_cpu/nearest_row.c backend_cpu/pose_trees.c backend_cpu/pair_groups.c backend_cpu/box_tree.c
  backend_cuda/device_backend.c backend_cuda/cuda_scene.c backend_cuda/device_method.c backend_cuda/device_rings.c backend_cuda/batch_call.c
  backend_devices/device_shares.c backend_devices/devices_backend.c
  api/answer_fields.c api/backend_table.c api/definitions.c api/device_calls.c api/method_calls.c api/method_options.c api/object_add.c api/object_edit.c api/part_calls.c api/object_query.c api/pack_spheres.c api/packing_carrier.c api/packing_certificate.c api/public_names.c api/query_reading.c api/scene_containments.c api/scene_create.c api/scene_update.c api/scene_exclude.c api/scene_find.c api/scene_object_pairs.c api/scene_batch.c api/scene_contacts.c api/scene_wrenches.c api/shape_calls.c api/sphere_tree_create.c regions/region_curves.c api/scene_regions.c api/batch_plan.c api/enumeration_table.c api/scene_distances.c api/scene_nearest.c api/scene_inspect.c)

# A file of kernels is compiled once for each vector width: a generated file, whose name ends in the width, includes it.
set(widths scalar)
set(lanes_scalar 1)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|aarch64|arm64|wasm32")
  list(APPEND widths 128)
  set(lanes_128 4)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND widths 256)
  set(lanes_256 8)
endif()
set(GRAZE_KERNEL_SOURCES "")
foreach(kernels broad/box_kernels broad/tree_kernels narrow/near_kernels narrow/plane_kernels narrow/solid_kernels)
  foreach(width ${widths})
    get_filename_component(source ${kernels}_${width}.c NAME)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/kernels/${source})
    file(CONFIGURE OUTPUT ${source} CONTENT "#define SIMD_WIDTH ${lanes_${width}}\n#include \"${kernels}.c\"\n")
    list(APPEND GRAZE_KERNEL_SOURCES ${source})
    if(width EQUAL 256)
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -mavx2)
    endif()
  endforeach()
endforeach()
