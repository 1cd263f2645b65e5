/* Checks mesh files, each by itself. */
#ifndef GRAZE_FILE_CHECK_H
#define GRAZE_FILE_CHECK_H

#include "mesh_defects.h"
#include "mesh_file_list.h"
#include "progress.h"
#include "search_options.h"

#include "mesh_io/mesh_file.h"

typedef struct file_check {
  const char *file; /* borrowed from the list of files */
  char *trouble;    /* the error message without the name of the file, if the file was not checked; owned; else NULL */
  char *note;       /* what was skipped while reading, one message; owned; NULL: nothing */
  graze_kind kind;
  size_t vertex_count, primitive_count;
  uint64_t skipped; /* elements of the file that were not read */
  bool is_surface;  /* triangles or polygons: the next two are known */
  size_t triangle_count;
  mesh_defects defects;
  size_t pair_count, region_count;
  uint64_t hash; /* of the pairs */
  double reading_ms, checking_ms;
} file_check;

/* Finds the pairs within every file. checks_out has one entry per file, in the order of the list; release them with the
 * call below. Results do not depend on the threads; `search` states the total number of threads. On a device the files
 * are checked one after the other. False after a complaint. */
bool file_check_all(const mesh_file_list *files, const mesh_read_options *how, const search_options *search,
                    progress *steps, file_check **checks_out);
void file_check_release(file_check *checks, size_t count);

#endif
