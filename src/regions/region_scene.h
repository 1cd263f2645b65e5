/* The input of regions from a scene, and their resources. */
#ifndef GRAZE_REGIONS_REGION_SCENE_H
#define GRAZE_REGIONS_REGION_SCENE_H

#include "base/array.h"
#include "base/stop_check.h"
#include "base/workers.h"
#include "broad/part_vertices.h"
#include "narrow/pair_measure.h"

typedef struct region_scene {
  measured_scene measured;
  const object_rule *rules;     /* one per object: which objects are parts of one */
  const part_vertices *numbers; /* one per object: the numbers of its vertices; NULL: each object has its own */
  size_t vertex_count, primitive_count;
  memory *heap; /* for scratch */
  workers *team;
  stop_check *stop; /* NULL: no request to stop */
} region_scene;

/* Pairs of one task. */
enum { REGION_GRAIN = 1024 };

static inline uint32_t region_owner(const region_scene *scene, uint32_t primitive) {
  const measured_scene *measured = &scene->measured;
  return owner_of_primitive(measured->headers, measured->sources, measured->object_count, primitive);
}

/* The object that represents all parts of the object of a primitive. */
static inline uint32_t region_whole(const region_scene *scene, uint32_t primitive) {
  return whole_of_object(scene->rules, region_owner(scene, primitive));
}

static inline const object_source *region_source(const region_scene *scene, uint32_t primitive) {
  return &scene->measured.sources[region_owner(scene, primitive)];
}

#endif
