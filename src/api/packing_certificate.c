/* The certificate of a packing; see packing_certificate.h. */
#include "api/packing_certificate.h"

#include "base/error_text.h"
#include "geometry/sphere_pair.h"
#include "packing/mesh_winding.h"

#include <inttypes.h>

graze_result packing_certificate_require(const packing_certificate *certificate) {
  if (certificate->overlaps + certificate->crossings + certificate->outside == 0) return GRAZE_OK;
  return fail(GRAZE_NOT_CERTIFIED,
              "the spheres fail their certificate: overlaps %" PRIu64 ", crossings %" PRIu64 ", outside %" PRIu64,
              certificate->overlaps, certificate->crossings, certificate->outside);
}

static graze_result add_spheres(graze_scene *scene, const graze_sphere *spheres, size_t count, graze_object *added) {
  graze_mesh_def def = graze_mesh_def_default();
  def.name = "the spheres of the packing";
  def.positions = (graze_view){spheres->center, count, sizeof *spheres, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){&spheres->radius, count, sizeof *spheres, GRAZE_FORMAT_DOUBLE};
  return graze_scene_add_spheres(scene, &def, added);
}

/* Multiplying by a power of two keeps signs: coordinates are no larger than the mesh's, and those that underflow did so
 * in the scene, too. */
static graze_sphere scaled_as(const certified_body *mesh, const graze_sphere *sphere) {
  graze_sphere scaled = *sphere;
  for (int k = 0; k < 3; k++) scaled.center[k] *= mesh->scale;
  scaled.radius *= mesh->scale;
  return scaled;
}

/* The scene also lists touching pairs: the sign distinguishes touching from overlapping. */
static void judge_pair(const certified_body *mesh, const graze_sphere *spheres, const graze_pair *pair,
                       graze_object body, packing_certificate *found) {
  const bool a_is_sphere = pair->object_a != body.index, b_is_sphere = pair->object_b != body.index;
  const graze_sphere a = scaled_as(mesh, &spheres[a_is_sphere ? pair->primitive_a : pair->primitive_b]);
  orientation_tally tally = {0};
  if (a_is_sphere && b_is_sphere) {
    const graze_sphere b = scaled_as(mesh, &spheres[pair->primitive_b]);
    found->overlaps +=
        a.radius > 0.0 && b.radius > 0.0 && spheres_overlap(a.center, a.radius, b.center, b.radius, &tally);
  } else {
    const size_t triangle = a_is_sphere ? pair->primitive_b : pair->primitive_a;
    found->crossings += sphere_crosses_triangle(a.center, a.radius, mesh->corners + 9 * triangle, &tally);
  }
}

/* A sphere without a triangle inside it is inside the mesh if its center is. */
static uint64_t count_outside(const certified_body *mesh, const graze_sphere *spheres, size_t count) {
  uint64_t outside = 0;
  for (size_t i = 0; i < count; i++) {
    orientation_tally tally = {0};
    const graze_sphere sphere = scaled_as(mesh, &spheres[i]);
    outside += sphere.radius > 0.0 && mesh_winding(mesh->tree, sphere.center, &tally) <= 0;
  }
  return outside;
}

/* One query for spheres and triangles, one for spheres only: a common query would compare the boxes of triangles with
 * each other, and those of a fan all meet. */
graze_result packing_certificate_judge(const graze_scene *scene, graze_object body, const certified_body *mesh,
                                       const graze_sphere *spheres, size_t count, graze_pairs *pairs,
                                       packing_certificate *certificate_out) {
  static const graze_scope scopes[] = {GRAZE_SCOPE_BETWEEN, GRAZE_SCOPE_WITHIN};
  *certificate_out = (packing_certificate){.outside = count_outside(mesh, spheres, count)};
  graze_result result = GRAZE_OK;
  for (int k = 0; k < 2 && result == GRAZE_OK; k++) {
    graze_query query = graze_query_default();
    query.scope = scopes[k];
    result = graze_scene_find_pairs(scene, &query, pairs);
    if (result == GRAZE_OK) certificate_out->box_tests += pairs->counters->box_tests;
    for (size_t i = 0; i < pairs->count; i++) judge_pair(mesh, spheres, &pairs->pairs[i], body, certificate_out);
  }
  return result;
}

graze_result packing_certificate_make(graze_scene *scene, graze_object body, const certified_body *mesh,
                                      const graze_sphere *spheres, size_t count, packing_certificate *certificate_out) {
  *certificate_out = (packing_certificate){.overlaps = 0};
  if (count == 0) return GRAZE_OK;
  graze_object added;
  graze_pairs pairs = {0};
  graze_result result = add_spheres(scene, spheres, count, &added);
  if (result == GRAZE_OK) result = graze_scene_update(scene);
  if (result == GRAZE_OK)
    result = packing_certificate_judge(scene, body, mesh, spheres, count, &pairs, certificate_out);
  graze_pairs_free(&pairs);
  return result;
}
