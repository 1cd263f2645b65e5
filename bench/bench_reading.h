/* Measures the reading speed of a large OBJ file and of a minimal reader. */
#ifndef GRAZE_BENCH_READING_H
#define GRAZE_BENCH_READING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_reading {
  double megabytes;
  double bytes_ms;   /* reading the file's bytes into memory */
  double numbers_ms; /* also converting every number in a bare loop without correct rounding */
  double reader_ms;  /* mesh_file_read */
} bench_reading;

/* Writes a model with about this many triangles to a file in `folder`, reads it in interleaved rounds, and removes it.
 * Returns medians. */
bool bench_reading_measure(const char *folder, size_t triangles, size_t rounds, bench_reading *reading_out, char *error,
                           size_t error_bytes);

#endif
