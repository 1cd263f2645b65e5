/* The k-free measure of mesh files, several at a time. */
#ifndef GRAZE_MESH_MEASURE_H
#define GRAZE_MESH_MEASURE_H

#include "backend_options.h"
#include "mesh_file_list.h"
#include "progress.h"

#include "graze/graze.h"
#include "mesh_io/mesh_file.h"

typedef struct crowded_primitive {
  uint32_t number, k, neighbors;
} crowded_primitive;

typedef struct mesh_measure {
  const char *file; /* borrowed from the list of files */
  char *trouble;    /* why there is nothing below, one message; owned; NULL: the file was measured */
  char *note;       /* what was skipped while reading, one message; owned; NULL: nothing */
  uint64_t vertex_count;
  uint64_t unknown_lines;   /* passed over while reading */
  graze_crowding crowding;  /* its numbers, not its arrays */
  uint64_t near_pairs;      /* the sum of k - 1 */
  crowded_primitive *worst; /* highest k first, then lowest number; owned */
  size_t worst_count;
  double reading_ms, measuring_ms;
} mesh_measure;

/* Measures every file; measures_out has one for each, in the order of the list, to be released by the call below.
 * Which threads measure what changes nothing but the times. Files that take long are measured one after the other by
 * all threads, the others side by side. Scenes are made by `where`, whose number of threads is that of all together; on
 * a device the files take turns. False after a complaint. */
bool mesh_measure_files(const mesh_file_list *files, const mesh_read_options *how, const backend_options *where,
                        size_t worst_count, progress *steps, mesh_measure **measures_out);
void mesh_measure_release(mesh_measure *measures, size_t count);

#endif
