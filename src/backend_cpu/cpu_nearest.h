/* Least distances of the objects of a scene, on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_NEAREST_H
#define GRAZE_BACKEND_CPU_CPU_NEAREST_H

#include "backend/backend.h"

typedef struct nearest_answer {
  graze_nearest *rows; /* sorted, in the list's memory; without depths */
  size_t count;
  bool complete; /* all rows are */
  uint64_t visits, measures;
  graze_timings timings;
} nearest_answer;

/* For a scene on any backend; the options are checked. `stop_or_null` cancels the call. */
graze_result cpu_find_nearest(const graze_scene *scene, const graze_nearest_options *options, stop_check *stop_or_null,
                              graze_list_memory *list, nearest_answer *answer_out);

#endif
