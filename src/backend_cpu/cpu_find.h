/* Queries on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_FIND_H
#define GRAZE_BACKEND_CPU_CPU_FIND_H

#include "backend/backend.h"

graze_result cpu_find(const graze_scene *scene, const pair_request *request, pair_answer *answer);
graze_result cpu_find_object_pairs(const graze_scene *scene, const pair_request *request, object_pair_answer *answer);

#endif
