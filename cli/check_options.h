/* The options of `graze check`. */
#ifndef GRAZE_CHECK_OPTIONS_H
#define GRAZE_CHECK_OPTIONS_H

#include "drawing_options.h"
#include "exclusion_list.h"
#include "mesh_file_list.h"
#include "output_file.h"
#include "search_options.h"

typedef struct check_options {
  mesh_file_list inputs; /* owned: the files, including those in folders */
  char **files;          /* their paths; the array is owned, the texts belong to the list */
  size_t file_count;
  bool each;       /* each file by itself */
  bool weld;       /* vertices of a file at the same place are merged */
  bool components; /* objects are connected components of files */
  bool details;    /* names and coordinates of the pairs */
  bool self, separate, allow_large, quiet, explain;
  uint64_t memory_bytes; /* search slab by slab within this memory; 0: all at once */
  bool is_scene;         /* the only file is a scene file */
  bool solid;            /* surfaces are closed, and objects inside one count */
  bool touching;         /* report which objects intersect, not which primitives */
  const char *units;     /* the unit in text and records; NULL: none */
  search_options search;
  drawing_options drawing;
  object_moves moves;           /* owned */
  exclusion_sources exclusions; /* owned */
  const char *poses;            /* NULL: not requested */
  const char *json, *csv, *contacts, *regions, *curves, *faces, *bcf, *picture,
      *report; /* NULL: not requested; "-": stdout */
} check_options;

/* Reads and checks all options. Call check_options_release in any case. */
options_state check_options_read(const command *self, int argument_count, char **arguments, check_options *options_out);
void check_options_release(check_options *options);

/* What is tested against what: one file within itself; its parts, with --separate, also against each other. */
graze_scope check_scope(const check_options *options, const object_list *objects);

/* The outputs, in this order; all but --bcf and --picture are text. */
enum check_output {
  CHECK_JSON,
  CHECK_CSV,
  CHECK_CONTACTS,
  CHECK_REGIONS,
  CHECK_CURVES,
  CHECK_FACES,
  CHECK_BCF,
  CHECK_PICTURE,
  CHECK_REPORT,
  CHECK_OUTPUTS
};
void check_options_list_outputs(const check_options *options, named_output outputs_out[CHECK_OUTPUTS]);

/* The formats of these files, by their names. */
bool regions_are_json(const check_options *options);
bool curves_are_ply(const check_options *options);
bool faces_are_ply(const check_options *options);

/* The table from which the help text is made. */
extern const command_option check_option_table[];

#endif
