/* A file being written, plain or compressed. */
#ifndef GRAZE_BYTE_SINK_H
#define GRAZE_BYTE_SINK_H

#include "mesh_io/mesh_reading.h"

typedef struct byte_sink byte_sink;

/* The largest number of bytes that byte_sink_reserve provides. */
#define BYTE_SINK_ROOM 512

/* Opens the file named place->file_name; uses memory and error of `place`. NULL after a message. */
byte_sink *byte_sink_open(const mesh_reading *place, bool compressed);

/* Returns space for BYTE_SINK_ROOM bytes, of which byte_sink_advance takes `count`. Failures are reported at the
 * end. */
char *byte_sink_reserve(byte_sink *sink);
void byte_sink_advance(byte_sink *sink, size_t count);

/* Writes any number of bytes. */
void byte_sink_write(byte_sink *sink, const void *bytes, size_t count);

/* Writes the rest and closes; false after a message if anything failed since the file was opened. */
bool byte_sink_close(byte_sink *sink);

#endif
