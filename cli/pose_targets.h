/* Which objects the rows of a pose file place. */
#ifndef GRAZE_POSE_TARGETS_H
#define GRAZE_POSE_TARGETS_H

#include "object_names.h"
#include "pose_table.h"

/* The object of each row, to be released by free; NULL after a complaint: a name that fits no object or several, or an
 * object that has two poses in one frame. */
size_t *pose_targets_find(const pose_table *table, const char *path, const object_names *names);

/* Reads the file of --poses, which has no frames, and finds the object of each row. False after a complaint.
 * pose_table_release and free are due in either case. */
bool pose_targets_read(const char *path, const object_list *objects, pose_table *table_out, size_t **targets_out);

/* Places the objects of a list as the file of --poses says; the others stay where they are. False after a complaint. */
bool pose_targets_place(const char *path, object_list *objects);

#endif
