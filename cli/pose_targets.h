/* Which objects the rows of a pose file place. */
#ifndef GRAZE_POSE_TARGETS_H
#define GRAZE_POSE_TARGETS_H

#include "object_names.h"
#include "pose_table.h"

/* The object of each row, to be released by free; NULL after a complaint: a name that fits no object or several, or an
 * object that has two poses in one frame. */
size_t *pose_targets_find(const pose_table *table, const char *path, const object_names *names);

/* Places the objects of a list as the file of --poses says; the others stay where they are. False after a complaint. */
bool pose_targets_place(const char *path, object_list *objects);

#endif
