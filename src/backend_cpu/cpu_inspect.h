/* The search structure of a query on the processor, for graze_scene_inspect. */
#ifndef GRAZE_BACKEND_CPU_CPU_INSPECT_H
#define GRAZE_BACKEND_CPU_CPU_INSPECT_H

#include "backend/backend.h"

graze_result cpu_inspect(const graze_scene *scene, const inspect_request *request, inspect_answer *answer);

#endif
