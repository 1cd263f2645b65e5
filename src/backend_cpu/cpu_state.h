/* What the backend cpu keeps of a scene: the state of the method by which it searches. */
#ifndef GRAZE_BACKEND_CPU_CPU_STATE_H
#define GRAZE_BACKEND_CPU_CPU_STATE_H

#include "backend/unsuited_method.h"

typedef struct cpu_state {
  method_state search;
  unsuited_method unsuited;
  uint32_t rigid_updates; /* updates up to the last that have only posed objects; counted up to what "auto" asks for */
} cpu_state;

/* Of a scene that runs on the processor. Queries write its notes, under their own lock. */
static inline cpu_state *cpu_state_of(const graze_scene *scene) {
  return scene->backend_state;
}

#endif
