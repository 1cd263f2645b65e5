/* Byte-order marks at the beginning of text files, and refused encodings. */
#ifndef GRAZE_TEXT_ENCODING_H
#define GRAZE_TEXT_ENCODING_H

#include "mesh_io/mesh_reading.h"

/* Returns the number of bytes of the UTF-8 byte-order mark of a file: 3, or 0 if there is none. */
size_t byte_order_mark_bytes(const char *bytes, size_t size);

/* Returns the text of a file without its byte-order mark: a view of `file`, with the same memory and line numbers.
 * False, with a message, for a mark of UTF-16 or UTF-32. Every text reader begins with this. */
bool text_encoding_start(const mesh_reading *file, mesh_reading *text_out);

#endif
