/* Merges the sorted rows of a frame into those of the previous frames. */
#include "play_meetings.h"

#include "pair_table.h"

#include <stdlib.h>

static int compare_meeting(const play_meeting *meeting, const pair_row *row) {
  if (meeting->object_a != row->object_a) return meeting->object_a < row->object_a ? -1 : 1;
  return meeting->object_b < row->object_b ? -1 : meeting->object_b > row->object_b;
}

/* Merges two lists; returns the number of rows. A row in both occurs once. */
static size_t merge_meetings(const play_meetings *before, const pair_table *table, size_t frame, play_meeting *rows) {
  size_t count = 0, old = 0;
  for (size_t i = 0; i < table->count; i++) {
    const pair_row *row = &table->rows[i];
    while (old < before->count && compare_meeting(&before->rows[old], row) < 0) rows[count++] = before->rows[old++];
    if (old < before->count && compare_meeting(&before->rows[old], row) == 0)
      rows[count] = before->rows[old++];
    else
      rows[count] = (play_meeting){.object_a = row->object_a, .object_b = row->object_b, .first_frame = frame};
    rows[count].frame_count++;
    rows[count++].pair_count += row->count;
  }
  while (old < before->count) rows[count++] = before->rows[old++];
  return count;
}

static bool name_rows(play_meetings *meetings, const object_list *objects) {
  for (size_t i = 0; i < meetings->count; i++) {
    play_meeting *row = &meetings->rows[i];
    if (row->name_a == NULL) row->name_a = object_list_label(objects, row->object_a);
    if (row->name_b == NULL) row->name_b = object_list_label(objects, row->object_b);
    if (row->name_a == NULL || row->name_b == NULL) return false;
  }
  return true;
}

bool play_meetings_take(play_meetings *meetings, const object_list *objects, const graze_pairs *pairs, size_t frame) {
  pair_table table;
  if (!pair_table_count(pairs->pairs, pairs->count, objects->count, &table)) return false;
  play_meeting *rows = malloc((meetings->count + table.count + 1) * sizeof *rows);
  bool good = rows != NULL;
  if (good) {
    const size_t count = merge_meetings(meetings, &table, frame, rows);
    free(meetings->rows);
    *meetings = (play_meetings){rows, count};
    good = name_rows(meetings, objects);
  }
  pair_table_release(&table);
  return good;
}

void play_meetings_release(play_meetings *meetings) {
  for (size_t i = 0; i < meetings->count; i++) {
    free(meetings->rows[i].name_a);
    free(meetings->rows[i].name_b);
  }
  free(meetings->rows);
  *meetings = (play_meetings){0};
}
