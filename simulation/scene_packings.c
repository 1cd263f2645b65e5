/* Sphere packings in motion, after the paper on packings in constant time: a static body, and its copy, shifted by half
 * its width, that rotates about the vertical once. */
#include "simulation/scene_table.h"

#include "simulation/particle_math.h"

#include "models/model_builder.h"
#include "models/sphere_packing.h"

#include <stdlib.h>
#include <string.h>

static mesh *add_packing(scene_stage *stage, const char *name, const sphere_packing *packing, double shift) {
  mesh *m = stage_add_mesh(stage, name, MESH_SPHERES);
  if (m == NULL) return NULL;
  m->vertex_count = packing->count;
  m->positions = malloc(3 * packing->count * sizeof(double) + 1);
  m->radii = malloc(packing->count * sizeof(double) + 1);
  if (m->positions == NULL || m->radii == NULL) {
    stage_out_of_memory(stage);
    return NULL;
  }
  memcpy(m->radii, packing->radii, packing->count * sizeof(double));
  for (size_t i = 0; i < packing->count; ++i) {
    const double *c = packing->centers[i];
    mesh_set_vertex(m, i, point3_make(c[0] + shift, c[1], c[2]));
  }
  return m;
}

bool start_packings(scene_stage *stage) {
  const uint64_t half = stage->parameters.primitives < 20 ? 10 : stage->parameters.primitives / 2;
  sphere_packing packing;
  if (!stage_reserve(stage, 2)) return false;
  if (!sphere_packing_make(PACKED_DUMBBELL, (size_t)half, stage->parameters.seed, &packing)) {
    return stage_out_of_memory(stage);
  }
  const bool added =
      add_packing(stage, "fixed", &packing, 0.0) != NULL && add_packing(stage, "turning", &packing, 1.0) != NULL;
  sphere_packing_free(&packing);
  return added && stage_keep_rest(stage);
}

bool direct_packings(scene_stage *stage, uint64_t frame) {
  mesh *moving = &stage->meshes[1];
  const double *rest = stage->rest + 3 * stage->meshes[0].vertex_count;
  const double turns = (double)(frame - 1) / (double)stage->parameters.frames;
  const double sine = sine_of_turns(turns), cosine = cosine_of_turns(turns);
  for (size_t i = 0; i < moving->vertex_count; ++i) {
    const point3 from = particle_at(rest, i);
    const double x = from.x - 1.0;
    mesh_set_vertex(moving, i, point3_make(1.0 + cosine * x + sine * from.z, from.y, cosine * from.z - sine * x));
  }
  return true;
}
