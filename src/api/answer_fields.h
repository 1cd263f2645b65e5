/* Fields that all lists of callers have in common: memory, timings, counters. */
#ifndef GRAZE_API_ANSWER_FIELDS_H
#define GRAZE_API_ANSWER_FIELDS_H

#include "backend/backend.h"

/* Makes the memory of a caller's list, whose first field is its size, where there is none yet. */
graze_result scene_open_list(const graze_scene *scene, const definition_kind *kind, const void *list,
                             graze_list_memory **opened);

/* Writes timings and counters of a call, and those of the last update, into its list. */
void scene_record(const graze_scene *scene, const graze_timings *timings, const graze_counters *counters,
                  graze_list_memory *list);

/* What the last update counted. */
graze_counters scene_update_counters(const graze_scene *scene);

/* The bytes that the scene holds now. */
void scene_count_memory(const graze_scene *scene, graze_counters *counters);

#endif
