/* The certificate of a packing; see packing_certificate.h. */
#include "scene/packing_certificate.h"

#include "geometry/sphere_pair.h"
#include "packing/mesh_winding.h"
#include "packing/packer.h"

static graze_result add_spheres(graze_scene *scene, const graze_sphere *spheres, size_t count, graze_object *added) {
  graze_mesh_def def = graze_mesh_def_default();
  def.name = "the spheres of the packing";
  def.positions = (graze_view){spheres->center, count, sizeof *spheres, GRAZE_DOUBLE3};
  def.radii = (graze_view){&spheres->radius, count, sizeof *spheres, GRAZE_DOUBLE};
  return graze_scene_add_spheres(scene, &def, added);
}

/* The scene lists what touches as well: the sign tells touching from reaching in. Scaling by a power of two keeps it.
 */
static void judge_pair(const packer *packed, const graze_pair *pair, graze_object body, packing_certificate *found) {
  const double *spheres = packed->spheres.data;
  const bool a_is_sphere = pair->object_a != body.index, b_is_sphere = pair->object_b != body.index;
  const double *a = spheres + OBSTACLE_SPHERE_NUMBERS * (size_t)(a_is_sphere ? pair->primitive_a : pair->primitive_b);
  orientation_tally tally = {0};
  if (a_is_sphere && b_is_sphere) {
    const double *b = spheres + OBSTACLE_SPHERE_NUMBERS * (size_t)pair->primitive_b;
    found->overlaps += spheres_overlap(a, a[3], b, b[3], &tally);
  } else {
    const size_t triangle = a_is_sphere ? pair->primitive_b : pair->primitive_a;
    found->crossings += sphere_crosses_triangle(a, a[3], packed->mesh->corners + 9 * triangle, &tally);
  }
}

/* A sphere that no triangle reaches into is inside where its centre is. */
static uint64_t count_outside(const packer *packed) {
  const double *spheres = packed->spheres.data;
  uint64_t outside = 0;
  for (size_t i = 0; i < packed->count; i++) {
    orientation_tally tally = {0};
    outside += mesh_winding(&packed->space.mesh, spheres + OBSTACLE_SPHERE_NUMBERS * i, &tally) <= 0;
  }
  return outside;
}

graze_result packing_certificate_make(graze_scene *scene, graze_object body, const packer *packed,
                                      const graze_sphere *spheres, size_t count, packing_certificate *certificate_out) {
  *certificate_out = (packing_certificate){.outside = count_outside(packed)};
  if (count == 0) return GRAZE_OK;
  graze_object added;
  graze_pairs pairs = {0};
  graze_result result = add_spheres(scene, spheres, count, &added);
  if (result == GRAZE_OK) result = graze_scene_update(scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(scene, NULL, &pairs);
  for (size_t i = 0; i < pairs.count; i++) judge_pair(packed, &pairs.pairs[i], body, certificate_out);
  graze_pairs_free(&pairs);
  return result;
}
