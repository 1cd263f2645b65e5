/* The extensible structs of graze/io.h, and graze_mesh_def, whose default function is in libgraze. */
#ifndef GRAZE_IO_STRUCTS_H
#define GRAZE_IO_STRUCTS_H

#include "base/definition.h"

#include "graze/io.h"

extern const definition_kind io_read_options_definition;
extern const definition_kind io_write_options_definition;
extern const definition_kind io_info_definition;
extern const definition_kind io_mesh_def_definition;
extern const definition_kind io_allocator_definition;

#endif
