/* What `graze check` was asked to do. */
#ifndef GRAZE_CHECK_OPTIONS_H
#define GRAZE_CHECK_OPTIONS_H

#include "drawing_options.h"
#include "exclusion_list.h"
#include "mesh_file_list.h"
#include "option_values.h"
#include "search_options.h"

typedef struct check_options {
  mesh_file_list inputs; /* owned: the files, those of folders among them */
  char **files;          /* their paths; owned, the texts by the list */
  size_t file_count;
  bool each;       /* every file by itself */
  bool weld;       /* vertices of a file at the same place are one */
  bool components; /* objects are connected components of files */
  bool details;    /* names and coordinates with the pairs */
  bool self, separate, allow_large, quiet, explain;
  uint64_t memory_bytes; /* one slab after the other within so much memory; 0: all at once */
  bool is_scene;         /* the only file is a scene file */
  bool solid;            /* surfaces are closed, and what lies inside one counts */
  bool touching;         /* which objects intersect is asked for, and not which pairs of primitives */
  const char *units;     /* that lengths of words and records are in; NULL: not said */
  search_options search;
  drawing_options drawing;
  shift *shifts; /* owned */
  size_t shift_count;
  rotation *rotations; /* owned */
  size_t rotation_count;
  const char *poses;            /* NULL: not asked for */
  exclusion_source *exclusions; /* owned */
  size_t exclusion_count;
  const char *json, *csv, *contacts, *regions, *curves, *faces, *bcf, *picture,
      *report; /* NULL: not asked for; "-": stdout */
} check_options;

/* Reads and checks all options. check_options_release is due whatever it returns. */
options_state check_options_read(const command *self, int argument_count, char **arguments, check_options *options_out);
void check_options_release(check_options *options);

/* The formats that the names of these files ask for. */
bool regions_are_json(const check_options *options);
bool curves_are_ply(const check_options *options);
bool faces_are_ply(const check_options *options);

/* The table that the command's help text is made from. */
extern const command_option check_option_table[];

#endif
