/* Finds the objects that the rows of a pose file place. */
#ifndef GRAZE_POSE_TARGETS_H
#define GRAZE_POSE_TARGETS_H

#include "object_names.h"
#include "pose_table.h"

/* Returns the object of each row; release with free. NULL after a complaint: a name matches no object or several, or an
 * object has two poses in one frame. */
size_t *pose_targets_find(const pose_table *table, const char *path, const object_names *names);

/* Reads the file of --poses, which has no frames, and finds the object of each row. False after a complaint. Call
 * pose_table_release and free in any case. */
bool pose_targets_read(const char *path, const object_list *objects, pose_table *table_out, size_t **targets_out);

/* Places the objects of a list by the file of --poses; the others stay in place. False after a complaint. */
bool pose_targets_place(const char *path, object_list *objects);

#endif
