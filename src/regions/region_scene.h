/* What the making of regions reads of a scene, and what it works with. */
#ifndef GRAZE_REGIONS_REGION_SCENE_H
#define GRAZE_REGIONS_REGION_SCENE_H

#include "base/array.h"
#include "base/stop_check.h"
#include "base/workers.h"
#include "narrow/pair_measure.h"

typedef struct region_scene {
  measured_scene measured;
  size_t vertex_count, primitive_count;
  memory *heap; /* for scratch */
  workers *team;
  stop_check *stop; /* NULL: nothing stops it */
} region_scene;

/* Pairs in a task of workers. */
enum { REGION_GRAIN = 1024 };

static inline uint32_t region_owner(const region_scene *scene, uint32_t primitive) {
  const measured_scene *measured = &scene->measured;
  return owner_of_primitive(measured->headers, measured->sources, measured->object_count, primitive);
}

static inline const object_source *region_source(const region_scene *scene, uint32_t primitive) {
  return &scene->measured.sources[region_owner(scene, primitive)];
}

#endif
