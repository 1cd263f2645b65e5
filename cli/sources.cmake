# The sources of the tool but for its main function. The fuzz targets compile them once more, instrumented.
set(GRAZE_CLI_SOURCES
  analyze_command.c analyze_plot.c analyze_records.c analyze_words.c backend_options.c bcf_names.c bcf_topic.c
  bench_change.c bench_command.c bench_compare.c bench_comparison.c bench_history.c bench_options.c
  bench_records.c caption_font.c check_bcf.c check_command.c check_curves.c check_each.c check_faces.c
  check_inside.c check_nearness.c check_options.c check_records.c check_regions.c check_slabs.c check_words.c
  close_match.c command_line.c complaint.c completion.c distance_command.c distance_picture.c
  distance_records.c distance_search.c distance_words.c drawing_options.c exclusion_list.c file_bytes.c
  file_check.c file_crew.c frame_file.c frame_list.c frame_name.c frame_scene.c frame_source.c interruption.c
  json_members.c json_writer.c make_command.c make_scene.c mesh_components.c mesh_defects.c mesh_file_list.c
  mesh_measure.c mesh_surface.c method_change.c object_list.c object_names.c option_values.c output_file.c
  pack_carry.c pack_command.c pack_words.c page_file.c page_record.c pair_picture.c pair_sort.c pair_table.c
  picture.c picture_ink.c picture_raster.c picture_view.c placement.c plain_words.c play_command.c
  play_meetings.c play_options.c play_outcome.c play_page.c play_plot.c play_records.c play_run.c play_words.c
  png_writer.c pose_table.c pose_targets.c pose_value.c progress.c record_columns.c robust_center.c
  row_growth.c scene_file.c scene_frames.c scene_source.c search_options.c shared_mesh.c
  view_command.c view_gallery.c zip_writer.c)
list(TRANSFORM GRAZE_CLI_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
