/* graze as an engine of rigid bodies, with any of its methods. */
#ifndef GRAZE_RIGID_GRAZE_H
#define GRAZE_RIGID_GRAZE_H

#include "bench/rigid_engine.h"

#include "graze/graze.h"

typedef struct graze_choice {
  const char *method;
  graze_tree_builder builder;
  graze_tree_update update;
  graze_result (*set)(graze_scene *scene, const graze_method_def *method); /* NULL: graze_scene_set_method */
} graze_choice;

/* Returns an additional engine, which borrows the name and the choice. */
rigid_engine rigid_graze_engine(const char *name, unsigned takes_part, const graze_choice *chosen);

#endif
