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
  char *trouble;    /* the error message if the file was not measured; owned; else NULL */
  char *note;       /* what was skipped while reading, one message; owned; NULL: nothing */
  uint64_t vertex_count;
  uint64_t skipped;         /* elements that were skipped while reading */
  uint64_t unknown_lines;   /* lines likewise */
  graze_crowding crowding;  /* its numbers, not its arrays */
  uint64_t near_pairs;      /* the sum of k - 1 */
  crowded_primitive *worst; /* highest k first, then lowest number; owned */
  size_t worst_count;
  mesh kept; /* the measured mesh, if kept; owned, like */
  graze_crowding kept_crowding;
  double reading_ms, measuring_ms;
} mesh_measure;

/* How files are measured. */
typedef struct measure_options {
  const mesh_read_options *reading;
  const backend_options *where; /* makes the scenes; its number of threads is the total */
  size_t worst_count;
  bool keep; /* keep the meshes and the k of each primitive */
} measure_options;

/* Measures every file. measures_out has one entry per file, in the order of the list; release them with the call below.
 * Results do not depend on the threads. Large files are measured one after the other with all threads, the others in
 * parallel; on a device, all one after the other. False after a complaint. */
bool mesh_measure_files(const mesh_file_list *files, const measure_options *how, progress *steps,
                        mesh_measure **measures_out);
void mesh_measure_release(mesh_measure *measures, size_t count);

#endif
