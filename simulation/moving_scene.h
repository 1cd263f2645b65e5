/* Moving scenes: built in, seeded, of any resolution, bit-identical on every machine.
 *
 * A scene consists of meshes of one kind and their motion, frame after frame: by the simulator (simulation.h), in which
 * nothing passes through anything, or by a rule, by which bodies pass through each other. Frame 1 is the initial
 * state. */
#ifndef GRAZE_MOVING_SCENE_H
#define GRAZE_MOVING_SCENE_H

#include "mesh_io/mesh.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scene_parameters {
  uint64_t primitives; /* about how many in all, from 1 to SCENE_PRIMITIVE_LIMIT; 0: the scene's default. Small ones are
                          raised to what the scene needs */
  uint64_t frames;     /* the number of frames over which the motion is spread; 0: the default of the scene */
  uint64_t seed;
  uint32_t worker_count;              /* of the simulator; 0: one per processor. Does not change any bit */
  bool (*should_stop)(void *context); /* as in graze_query; may be NULL */
  /* Two meshes of tetrahedra that replace the models of the scene stiff-on-soft: the soft one, the stiff one. Other
   * scenes ignore them. Copied, and scaled; NULL: built-in. */
  const mesh *bodies;
} scene_parameters;

#define SCENE_PRIMITIVE_LIMIT UINT64_C(20000000)
#define SCENE_FRAME_LIMIT UINT64_C(1000000)

struct scene_stage;

typedef struct moving_scene {
  const char *name;
  const char *description;
  mesh_kind kind;
  uint64_t primitives, frames; /* by default */
  bool crosses;                /* bodies pass through each other; otherwise nothing intersects in any frame */
  bool changes;                /* objects appear and disappear */
  bool (*start)(struct scene_stage *stage);
  bool (*direct)(struct scene_stage *stage, uint64_t frame); /* called before frame 2 and all later ones; may be NULL */
} moving_scene;

size_t moving_scene_count(void);
const moving_scene *moving_scene_at(size_t number);      /* NULL past the end */
const moving_scene *moving_scene_find(const char *name); /* NULL if there is none with this name */

/* A scene that is being played. */
typedef struct scene_stage scene_stage;

/* Sets up frame 1; NULL with a message. Release it with scene_stage_close, which accepts NULL. */
scene_stage *scene_stage_open(const moving_scene *scene, const scene_parameters *parameters, char *error,
                              size_t error_bytes);
void scene_stage_close(scene_stage *stage);

uint64_t scene_stage_frames(const scene_stage *stage);

/* The meshes of the current frame; borrowed until the next. */
const mesh *scene_stage_meshes(const scene_stage *stage, size_t *count_out);

/* Advances by a frame; false with a message, or without one if it was stopped. */
bool scene_stage_next(scene_stage *stage, char *error, size_t error_bytes);

#endif
