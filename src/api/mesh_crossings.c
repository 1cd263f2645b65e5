/* Crossings of a mesh with itself; see mesh_crossings.h. */
#include "api/mesh_crossings.h"

#include "base/error_text.h"
#include "packing/fan_crossings.h"

#include <string.h>

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
  const graze_result result = graze_scene_add_triangles(scene, &def, &body);
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
