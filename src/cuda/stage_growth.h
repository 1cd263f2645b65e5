/* The stage before entries for a query with a clearance: boxes that are larger by half of the clearance on each side.
 *
 * Workload: every primitive once. */
#ifndef GRAZE_CUDA_STAGE_GROWTH_H
#define GRAZE_CUDA_STAGE_GROWTH_H

#include "broad/clearance_growth.h"
#include "cuda/stage_entries.h"

/* Writes the box of a primitive, larger by half of the clearance on each side, from which its entry is made. Scenes
 * of triangles only have corners only in headers. */
GEOMETRY_FUNCTION void stage_clearance_box(uint32_t primitive, const grid_view *v) {
  scene_arrays scene = v->pairs.scene;
  const primitive_header header = scene.headers[primitive];
  const object_source *source = &scene.sources[header.object];
  const double clearance = v->pairs.query.clearance;
  scene.grown_boxes = NULL;
  if (is_erased(&scene, primitive)) return;
  if (scene.slots == 0.0f) {
    const primitive_box box = device_box(&scene, &header, primitive);
    v->clearance_boxes[primitive] = box_grown(&box, clearance_reach(clearance, scene.normalization->scale));
    return;
  }
  uint32_t own[3];
  for (int i = 0; i < 3; i++) own[i] = header.corner[i] - source->first_vertex;
  const corner_list three = {own, 3};
  const corner_list corners = source->corners != NULL ? corners_of(source, primitive) : three;
  v->clearance_boxes[primitive] = bent_box_grown(source, corners, clearance, scene.map);
}

#endif
