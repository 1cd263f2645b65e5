/* How fast a large OBJ file is read, beside the least that reading it could cost. */
#ifndef GRAZE_BENCH_READING_H
#define GRAZE_BENCH_READING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_reading {
  double megabytes;
  double bytes_ms;   /* the file's bytes into memory */
  double numbers_ms; /* that, and a bare loop that turns every number into binary without care for rounding */
  double reader_ms;  /* mesh_file_read */
} bench_reading;

/* Writes a model of about so many triangles to a file in `folder` and reads it in turns; medians. The file is removed.
 */
bool bench_reading_measure(const char *folder, size_t triangles, size_t rounds, bench_reading *reading_out, char *error,
                           size_t error_bytes);

#endif
