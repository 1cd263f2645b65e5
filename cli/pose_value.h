/* Reads a pose from JSON and from a row of numbers. */
#ifndef GRAZE_POSE_VALUE_H
#define GRAZE_POSE_VALUE_H

#include "json_members.h"
#include "placement.h"

/* Reads
 *   an array of 16 or 12 numbers, or of 4 or 3 rows of 4: a matrix, row by row; the last row of four is 0 0 0 1;
 *   an object with "matrix", or with "translation" and one of "quaternion" (w, x, y, z), "axis" with "degrees", and
 *   "xyz_degrees" (about x, then y, then z), each of which may be left out.
 * False after a complaint with the line; `words` say whose pose it is. */
bool pose_value_read(const json_file *file, const json_value *value, const char *words, placement *placed_out);

enum { POSE_NUMBERS_MOST = 16, POSE_MESSAGE_BYTES = 192 };

/* A matrix of 12 or 16 numbers; 7 numbers are a translation and a quaternion. False with an error message. */
bool pose_from_numbers(const double *numbers, size_t count, placement *placed_out, char message[POSE_MESSAGE_BYTES]);

#endif
