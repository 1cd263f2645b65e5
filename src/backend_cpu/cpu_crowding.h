/* The k-free measure of an object on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_CROWDING_H
#define GRAZE_BACKEND_CPU_CPU_CROWDING_H

#include "backend/backend.h"

graze_result cpu_measure(const graze_scene *scene, uint32_t object, const crowding_counts *counts,
                         crowding_outcome *outcome_out);

#endif
