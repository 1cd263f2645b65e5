/* Fields that all lists of callers share: memory, timings, counters. */
#ifndef GRAZE_API_ANSWER_FIELDS_H
#define GRAZE_API_ANSWER_FIELDS_H

#include "backend/backend.h"

/* Refuses a scene, a list or a size that is not valid, and returns the memory of the list, created if there is none
 * yet. The first field of the list is its size; its memory is the last one of the first version. */
graze_result scene_open_list(const graze_scene *scene, const definition_kind *kind, const void *list,
                             graze_list_memory **opened);

/* Writes the timings and counters of a call and of the last update into its list. */
void scene_record(const graze_scene *scene, const graze_timings *timings, const graze_counters *counters,
                  graze_list_memory *list);

/* Writes the counters of the last update. */
graze_counters scene_update_counters(const graze_scene *scene);

/* Writes the current memory of the scene, in bytes. */
void scene_count_memory(const graze_scene *scene, graze_counters *counters);

#endif
