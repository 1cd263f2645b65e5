/* The default functions of the structs of graze/io.h, with a row for each: its name, its function, and the end of its
 * first version. */
#include "io/io_structs.h"

MAKER(graze_io_read_options, .struct_bytes = 0)
MAKER(graze_io_write_options, .struct_bytes = 0)

DEFINITION(io_read_options, graze_io_read_options, allocator, "the options", "graze_io_read_options_default()");
DEFINITION(io_write_options, graze_io_write_options, allocator, "the options", "graze_io_write_options_default()");
ANSWER(io_info, graze_io_info, unknown_lines, "the info");
DEFINITION(io_mesh_def, graze_mesh_def, user_data, "the definition", "graze_mesh_def_default()");
DEFINITION(io_allocator, graze_allocator, release, "the allocator", "graze_allocator_default()");
