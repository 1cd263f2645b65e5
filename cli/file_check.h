/* Mesh files, each checked by itself. */
#ifndef GRAZE_FILE_CHECK_H
#define GRAZE_FILE_CHECK_H

#include "mesh_defects.h"
#include "mesh_file_list.h"
#include "progress.h"
#include "search_options.h"

#include "mesh_io/mesh_file.h"

typedef struct file_check {
  const char *file; /* borrowed from the list of files */
  char *trouble;    /* why there is nothing below, one message without the file's name; owned; NULL: it was checked */
  char *note;       /* what was skipped while reading, one message; owned; NULL: nothing */
  graze_kind kind;
  size_t vertex_count, primitive_count;
  bool is_surface; /* of triangles or polygons: the next two are known */
  size_t triangle_count;
  mesh_defects defects;
  size_t pair_count, region_count;
  uint64_t hash; /* of the pairs */
  double reading_ms, checking_ms;
} file_check;

/* Finds the pairs within every file; checks_out has one for each, in the order of the list, to be released by the call
 * below. The threads change nothing but the times; those of `search` are all threads together. On a device the files
 * take turns. False after a complaint. */
bool file_check_all(const mesh_file_list *files, const mesh_read_options *how, const search_options *search,
                    progress *steps, file_check **checks_out);
void file_check_release(file_check *checks, size_t count);

#endif
