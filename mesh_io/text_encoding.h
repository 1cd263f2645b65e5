/* Byte-order marks: what may stand before the first character of a text file, and what cannot be read. */
#ifndef GRAZE_TEXT_ENCODING_H
#define GRAZE_TEXT_ENCODING_H

#include "mesh_io/mesh_reading.h"

/* The bytes of the UTF-8 byte-order mark that a file begins with: 3, or 0 where there is none. */
size_t byte_order_mark_bytes(const char *bytes, size_t size);

/* The text of a file without its byte-order mark: a view of `file`, of the same memory and with the same line numbers.
 * False, with a message, where the mark says UTF-16 or UTF-32. Every reader of text begins with this. */
bool text_encoding_start(const mesh_reading *file, mesh_reading *text_out);

#endif
