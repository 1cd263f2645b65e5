/* The backend cpu's state of a scene: that of its method. */
#ifndef GRAZE_BACKEND_CPU_CPU_STATE_H
#define GRAZE_BACKEND_CPU_CPU_STATE_H

#include "backend/unsuited_method.h"

typedef struct cpu_state {
  method_state search;
  unsuited_method unsuited;
  uint32_t rigid_updates; /* consecutive updates that only posed objects; counted up to the limit of "auto" */
} cpu_state;

/* For a scene that runs on the processor. Queries write its notes, under their own lock. */
static inline cpu_state *cpu_state_of(const graze_scene *scene) {
  return scene->backend_state;
}

#endif
