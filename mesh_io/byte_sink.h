/* A file being written, plain or compressed. */
#ifndef GRAZE_BYTE_SINK_H
#define GRAZE_BYTE_SINK_H

#include "mesh_io/mesh_reading.h"

typedef struct byte_sink byte_sink;

/* The most bytes that byte_sink_room gives. */
#define BYTE_SINK_ROOM 512

/* Opens the file named place->file_name; of `place`, memory and error are used, too. NULL after a message. */
byte_sink *byte_sink_open(const mesh_reading *place, bool compressed);

/* A place for BYTE_SINK_ROOM bytes, of which byte_sink_advance then takes `count`. Failures are kept until the end. */
char *byte_sink_room(byte_sink *sink);
void byte_sink_advance(byte_sink *sink, size_t count);

/* Any number of bytes. */
void byte_sink_write(byte_sink *sink, const void *bytes, size_t count);

/* Writes what is left and closes; false after a message when anything went wrong since the file was opened. */
bool byte_sink_close(byte_sink *sink);

#endif
