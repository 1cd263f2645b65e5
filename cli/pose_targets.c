/* Finds the objects of names in pose files. */
#include "pose_targets.h"

#include "complaint.h"

#include <stdlib.h>

enum { WORDS_BYTES = 512 };

static bool refuse_second(const pose_table *table, const char *path, const pose_row *row, size_t first) {
  return decline("%s:%zu: object \"%.60s\" is placed twice%s, first in line %zu", path, row->line, row->object,
                 table->has_frames ? " in this frame" : "", table->rows[first].line);
}

/* `last` is one more than the last row of each object; 0: none so far. */
static bool find_all(const pose_table *table, const char *path, const object_names *names, size_t *last,
                     size_t *targets) {
  for (size_t i = 0; i < table->count; i++) {
    const pose_row *row = &table->rows[i];
    char words[WORDS_BYTES];
    snprintf(words, sizeof words, "%s:%zu", path, row->line);
    if (!object_names_find(names, words, row->object, &targets[i])) return false;
    const size_t before = last[targets[i]];
    if (before > 0 && table->rows[before - 1].frame == row->frame) return refuse_second(table, path, row, before - 1);
    last[targets[i]] = i + 1;
  }
  return true;
}

size_t *pose_targets_find(const pose_table *table, const char *path, const object_names *names) {
  size_t *targets = calloc(table->count + 1, sizeof *targets);
  size_t *last = calloc(names->objects->count + 1, sizeof *last);
  const bool reserved = targets != NULL && last != NULL;
  if (!reserved) complain("out of memory");
  const bool found = reserved && find_all(table, path, names, last, targets);
  free(last);
  if (found) return targets;
  free(targets);
  return NULL;
}

static bool place_rows(const pose_table *table, const size_t *targets, const char *path, object_list *objects) {
  for (size_t i = 0; i < table->count; i++) {
    char words[WORDS_BYTES];
    snprintf(words, sizeof words, "%s:%zu", path, table->rows[i].line);
    if (!object_list_place(objects, targets[i], &table->rows[i].placed, words)) return false;
  }
  return true;
}

bool pose_targets_read(const char *path, const object_list *objects, pose_table *table_out, size_t **targets_out) {
  object_names names = {0};
  *targets_out = NULL;
  bool read = pose_table_read(path, false, table_out);
  if (read && table_out->has_frames) {
    complain("%s: the file has frames, but check places each object once; 'graze play' plays a scene file with them",
             path);
    read = false;
  }
  read =
      read && object_names_make(objects, &names) && (*targets_out = pose_targets_find(table_out, path, &names)) != NULL;
  object_names_release(&names);
  return read;
}

bool pose_targets_place(const char *path, object_list *objects) {
  pose_table table;
  size_t *targets;
  const bool placed = pose_targets_read(path, objects, &table, &targets) && place_rows(&table, targets, path, objects);
  free(targets);
  pose_table_release(&table);
  return placed;
}
