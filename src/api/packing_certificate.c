/* The certificate of a packing; see packing_certificate.h. */
#include "api/packing_certificate.h"

#include "base/error_text.h"
#include "geometry/sphere_pair.h"
#include "packing/fan_crossings.h"
#include "packing/obstacle_tree.h"

#include <inttypes.h>
#include <string.h>

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
  return graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, added);
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

/* -------------------------------------------------------------------------------------------- crossings of the mesh */

/* The number of pairs of a mesh that intersects itself everywhere is quadratic, so counting stops here. */
enum { CROSSINGS_A_TRIANGLE = 4, CROSSINGS_MORE = 1024 };

static uint64_t most_crossings(const closed_mesh *mesh) {
  return CROSSINGS_A_TRIANGLE * (uint64_t)mesh->triangle_count + CROSSINGS_MORE;
}

static graze_result fail_memory(const closed_mesh *mesh) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory while packing a mesh of %zu triangles", mesh->triangle_count);
}

/* The coordinates of each distinct point, from any corner at that point. */
static void fill_places(const closed_mesh *mesh, double *places) {
  for (size_t corner = 0; corner < 3 * mesh->triangle_count; corner++)
    memcpy(places + 3 * (size_t)mesh->vertices[corner], mesh->corners + 3 * corner, 3 * sizeof *places);
}

static graze_result add_places(graze_scene *scene, const closed_mesh *mesh, const double *places) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object body;
  def.name = "the mesh that is packed";
  def.positions = (graze_view){places, mesh->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){mesh->vertices, mesh->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  const graze_result result = graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &body);
  return result == GRAZE_OK ? graze_scene_update(scene) : result;
}

static graze_result count_pairs(const graze_scene *scene, const closed_mesh *mesh, const crossings_host *host,
                                mesh_crossings *crossings_out) {
  graze_pairs pairs = {0};
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_WITHIN;
  query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  query.pair_limit = most_crossings(mesh);
  query.should_stop = host->should_stop;
  query.stop_context = host->stop_context;
  const graze_result result = graze_scene_find_pairs(scene, &query, &pairs);
  crossings_out->count = pairs.count;
  crossings_out->more = pairs.limit_reached;
  if (result == GRAZE_OK) crossings_out->work = pairs.counters->candidates;
  if (pairs.count > 0) {
    crossings_out->first[0] = pairs.pairs[0].primitive_a;
    crossings_out->first[1] = pairs.pairs[0].primitive_b;
  }
  graze_pairs_free(&pairs);
  return result;
}

static graze_result find_by_scene(const closed_mesh *mesh, const crossings_host *host, mesh_crossings *crossings_out) {
  graze_scene *scene;
  graze_scene_def def = graze_scene_def_default();
  def.allocator = &host->heap->allocator;
  def.workers = host->team;
  graze_result result = graze_scene_create(&def, &scene);
  if (result != GRAZE_OK) return result;
  double *places = memory_allocate(host->heap, 3 * mesh->vertex_count, sizeof *places);
  if (places == NULL) {
    result = fail_memory(mesh);
  } else {
    fill_places(mesh, places);
    result = add_places(scene, mesh, places);
  }
  memory_release(host->heap, places, 3 * mesh->vertex_count, sizeof *places);
  if (result == GRAZE_OK) result = count_pairs(scene, mesh, host, crossings_out);
  graze_scene_destroy(scene);
  return result;
}

static graze_result find_by_planes(const fan_mesh *fans, const crossings_host *host, mesh_crossings *crossings_out) {
  stop_check stop;
  fan_crossings found;
  stop_check_init(&stop, host->should_stop, host->stop_context);
  const graze_result result = fan_crossings_find(fans, host->heap, host->should_stop != NULL ? &stop : NULL, &found);
  if (result == GRAZE_STOPPED) return fail(result, "the caller stopped the check of the mesh");
  if (result != GRAZE_OK) return fail_memory(fans->mesh);
  const uint64_t most = most_crossings(fans->mesh);
  crossings_out->count = found.count < most ? found.count : most;
  crossings_out->more = found.count > most;
  memcpy(crossings_out->first, found.first, sizeof found.first);
  crossings_out->work = found.work;
  return GRAZE_OK;
}

graze_result mesh_crossings_find(const closed_mesh *mesh, const crossings_host *host, mesh_crossings *crossings_out) {
  *crossings_out = (mesh_crossings){.count = 0};
  uint32_t *valences = memory_allocate(host->heap, mesh->vertex_count, sizeof *valences);
  if (valences == NULL) return fail_memory(mesh);
  memset(valences, 0, mesh->vertex_count * sizeof *valences);
  for (size_t corner = 0; corner < 3 * mesh->triangle_count; corner++) valences[mesh->vertices[corner]]++;
  const fan_mesh fans = {mesh, valences};
  const graze_result result =
      mesh_has_fans(&fans) ? find_by_planes(&fans, host, crossings_out) : find_by_scene(mesh, host, crossings_out);
  memory_release(host->heap, valences, mesh->vertex_count, sizeof *valences);
  return result;
}
