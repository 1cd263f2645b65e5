/* Packings carried by tetrahedra: the calls of graze_carrier. A scene finds the tetrahedra that contain the centers,
 * and in each frame the spheres that overlap; then it certifies the packing. */
#include "api/definitions.h"
#include "api/packing_certificate.h"
#include "base/answer_list.h"
#include "base/error_text.h"
#include "base/float_environment.h"
#include "base/view.h"
#include "base/workers.h"
#include "packing/sphere_carrier.h"

#include <string.h>

enum { TETRAHEDRA_MOST = 1 << 30 };

struct graze_carrier {
  memory heap;
  sphere_carrier carried;
  graze_scene *scene;
  graze_object surface, balls;
  graze_pairs pairs;
};

static graze_result fail_memory(const graze_carrier *carrier) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory while carrying %zu spheres by %zu tetrahedra",
              carrier->carried.sphere_count, carrier->carried.tetrahedron_count);
}

/* ---------------------------------------------------------------------------------------------- binding */

/* A scene of tetrahedra and points finds, exactly, the tetrahedra that contain each center, and refuses invalid
 * input. */
static graze_result find_carriers(graze_carrier *carrier, const graze_carrier_def *def, const graze_scene_def *how,
                                  uint32_t *tetrahedron_of) {
  graze_scene *scene;
  graze_object body = {0, 0}, points;
  graze_pairs pairs = {0};
  graze_mesh_def mesh = graze_mesh_def_default(), centers = graze_mesh_def_default();
  graze_result result = graze_scene_create(how, &scene);
  if (result != GRAZE_OK) return result;
  mesh.positions = def->positions;
  mesh.tetrahedra = def->tetrahedra;
  mesh.name = "the body at rest";
  centers.positions = (graze_view){def->spheres->center, def->sphere_count, sizeof *def->spheres, GRAZE_FORMAT_DOUBLE3};
  centers.radii = (graze_view){carrier->carried.factors, def->sphere_count, 0, GRAZE_FORMAT_DOUBLE}; /* zeros */
  centers.name = "the centers of the spheres";
  graze_object_def apart = graze_object_def_default();
  apart.self = false;
  result = graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &mesh, &apart, &body);
  if (result == GRAZE_OK) result = graze_scene_add(scene, GRAZE_KIND_SPHERE, &centers, &apart, &points);
  if (result == GRAZE_OK) result = graze_scene_update(scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(scene, NULL, &pairs);
  for (size_t i = pairs.count; i-- > 0;) { /* pairs are sorted by tetrahedron, so the first one is kept */
    const graze_pair *pair = &pairs.pairs[i];
    tetrahedron_of[pair->primitive_b] = pair->primitive_a;
  }
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  return result;
}

static graze_result bind_all(graze_carrier *carrier, const graze_carrier_def *def, const graze_scene_def *how) {
  const size_t count = def->sphere_count;
  uint32_t *tetrahedron_of = memory_allocate(&carrier->heap, count, sizeof *tetrahedron_of);
  if (tetrahedron_of == NULL) return fail_memory(carrier);
  for (size_t i = 0; i < count; i++) tetrahedron_of[i] = UINT32_MAX;
  graze_result result = find_carriers(carrier, def, how, tetrahedron_of);
  if (result == GRAZE_OK) result = sphere_carrier_bind(&carrier->carried, def, tetrahedron_of);
  memory_release(&carrier->heap, tetrahedron_of, count, sizeof *tetrahedron_of);
  return result == GRAZE_OUT_OF_MEMORY ? fail_memory(carrier) : result;
}

/* ---------------------------------------------------------------------------------------------- creation */

/* Creates the scene of surface and spheres at rest; frames overwrite both. */
static graze_result fill_scene(graze_carrier *carrier, const graze_carrier_def *def) {
  graze_mesh_def mesh = graze_mesh_def_default(), balls = graze_mesh_def_default();
  mesh.positions = def->positions;
  mesh.triangles =
      (graze_view){carrier->carried.triangles.data, carrier->carried.triangles.count, 0, GRAZE_FORMAT_UINT32_3};
  mesh.name = "the surface of the body";
  graze_object_def object = graze_object_def_default();
  object.self = false;
  balls.positions = (graze_view){def->spheres->center, def->sphere_count, sizeof *def->spheres, GRAZE_FORMAT_DOUBLE3};
  balls.radii = (graze_view){&def->spheres->radius, def->sphere_count, sizeof *def->spheres, GRAZE_FORMAT_DOUBLE};
  balls.name = "the carried spheres";
  const graze_result result = graze_scene_add(carrier->scene, GRAZE_KIND_TRIANGLE, &mesh, &object, &carrier->surface);
  return result == GRAZE_OK ? graze_scene_add(carrier->scene, GRAZE_KIND_SPHERE, &balls, NULL, &carrier->balls)
                            : result;
}

static graze_result open_workers(graze_carrier *carrier, graze_workers *given_or_null) {
  if (given_or_null != NULL) {
    workers_retain(given_or_null);
    carrier->carried.team = given_or_null;
    return GRAZE_OK;
  }
  graze_workers_def def = graze_workers_def_default();
  def.allocator = &carrier->heap.allocator;
  def.kept_bytes = 0; /* only workers that the host creates keep memory */
  return graze_workers_create(&def, &carrier->carried.team);
}

static graze_result fill_carrier(graze_carrier *carrier, const graze_carrier_def *def) {
  carrier->carried.heap = &carrier->heap;
  carrier->carried.vertex_count = def->positions.count;
  carrier->carried.tetrahedron_count = def->tetrahedra.count;
  carrier->carried.sphere_count = def->sphere_count;
  graze_scene_def how = graze_scene_def_default();
  how.allocator = &carrier->heap.allocator;
  const bool reserved = sphere_carrier_reserve(&carrier->carried);
  graze_result result = open_workers(carrier, def->workers);
  how.workers = carrier->carried.team;
  if (result == GRAZE_OK && !reserved) result = fail_memory(carrier);
  if (result == GRAZE_OK) result = bind_all(carrier, def, &how);
  if (result == GRAZE_OK) result = graze_scene_create(&how, &carrier->scene);
  return result == GRAZE_OK ? fill_scene(carrier, def) : result;
}

static graze_result check_def(const graze_carrier_def *def) {
  graze_result result = view_check(&def->positions, GRAZE_FORMAT_DOUBLE3, "positions");
  if (result == GRAZE_OK) result = view_check(&def->tetrahedra, GRAZE_FORMAT_UINT32_4, "tetrahedra");
  if (result != GRAZE_OK) return result;
  if (def->positions.count == 0 || def->tetrahedra.count == 0)
    return fail(GRAZE_INVALID_ARGUMENT, "the body has no tetrahedra");
  if (def->tetrahedra.count > TETRAHEDRA_MOST)
    return fail(GRAZE_TOO_LARGE, "%zu tetrahedra are more than can carry spheres", def->tetrahedra.count);
  if (def->sphere_count == 0 || def->spheres == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "there are no spheres to carry");
  if (def->sphere_count > VIEW_COUNT_LIMIT) return fail(GRAZE_TOO_LARGE, "too many spheres: %zu", def->sphere_count);
  return GRAZE_OK;
}

graze_result graze_carrier_create(const graze_carrier_def *given, graze_carrier **carrier_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (carrier_out == NULL) return fail(GRAZE_INVALID_ARGUMENT, "the output for the carrier is NULL");
  *carrier_out = NULL;
  graze_carrier_def def;
  graze_allocator allocator;
  memory first;
  graze_result result = definition_read(&carrier_definition, given, false, &def);
  if (result == GRAZE_OK) result = check_def(&def);
  if (result == GRAZE_OK) result = memory_read_allocator(def.allocator, &allocator);
  if (result != GRAZE_OK) return result;
  memory_init(&first, &allocator);
  graze_carrier *carrier = memory_allocate(&first, 1, sizeof *carrier);
  if (carrier == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create a carrier");
  memset(carrier, 0, sizeof *carrier);
  memory_init(&carrier->heap, &allocator);
  result = fill_carrier(carrier, &def);
  if (result == GRAZE_OK)
    *carrier_out = carrier;
  else
    graze_carrier_destroy(carrier);
  return result;
}

void graze_carrier_destroy(graze_carrier *carrier) {
  if (carrier == NULL) return;
  memory last;
  graze_pairs_free(&carrier->pairs);
  graze_scene_destroy(carrier->scene);
  sphere_carrier_release(&carrier->carried);
  if (carrier->carried.team != NULL) workers_destroy(NULL, carrier->carried.team);
  memory_init(&last, &carrier->heap.allocator);
  atomic_store(&last.bytes_now, sizeof *carrier);
  memory_release(&last, carrier, 1, sizeof *carrier);
}

/* ---------------------------------------------------------------------------------------------- a frame */

static graze_result put_into_scene(const graze_carrier *carrier, const graze_sphere *spheres, bool centers) {
  const size_t count = carrier->carried.sphere_count;
  const ptrdiff_t stride = sizeof *spheres;
  graze_result result = GRAZE_OK;
  if (centers)
    result = graze_object_set_positions(carrier->scene, carrier->balls, 0,
                                        (graze_view){spheres->center, count, stride, GRAZE_FORMAT_DOUBLE3});
  if (result == GRAZE_OK)
    result = graze_object_set_radii(carrier->scene, carrier->balls, 0,
                                    (graze_view){&spheres->radius, count, stride, GRAZE_FORMAT_DOUBLE});
  return result == GRAZE_OK ? graze_scene_update(carrier->scene) : result;
}

static graze_result keep_apart(graze_carrier *carrier, graze_sphere *spheres) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_WITHIN; /* only pairs with spheres: pairs within the surface are not needed */
  const graze_result result = graze_scene_find_pairs(carrier->scene, &query, &carrier->pairs);
  if (result != GRAZE_OK) return result;
  sphere_carrier_keep_apart(&carrier->carried, carrier->pairs.pairs, carrier->pairs.count, spheres);
  return put_into_scene(carrier, spheres, false);
}

static void sum_up(const graze_sphere *spheres, size_t count, graze_carried *fields) {
  const double factor = 4.0 / 3.0 * 3.14159265358979323846;
  fields->spheres = spheres;
  fields->count = count;
  for (size_t i = 0; i < count; i++) {
    const double radius = spheres[i].radius;
    fields->sphere_volume += factor * radius * radius * radius;
    fields->gone_count += !(radius > 0.0);
  }
  fields->certified = 1;
}

static graze_result run_frame(graze_carrier *carrier, const graze_view *positions, graze_list_memory *list,
                              graze_carried *fields) {
  packing_certificate found;
  const sphere_carrier *carried = &carrier->carried;
  graze_sphere *spheres = answer_list_reserve(list, 0, carried->sphere_count, sizeof *spheres);
  if (spheres == NULL) return fail_memory(carrier);
  graze_result result = graze_object_set_positions(carrier->scene, carrier->surface, 0, *positions);
  if (result != GRAZE_OK) return result;
  if (!sphere_carrier_place(&carrier->carried, positions, spheres)) return fail_memory(carrier);
  result = put_into_scene(carrier, spheres, true);
  if (result == GRAZE_OK) result = keep_apart(carrier, spheres);
  if (result != GRAZE_OK) return result;
  const certified_body body = {carried->corners, &carried->surface_tree, carried->scale};
  result = packing_certificate_judge(carrier->scene, carrier->surface, &body, spheres, carried->sphere_count,
                                     &carrier->pairs, &found);
  if (result == GRAZE_OK) result = packing_certificate_require(&found);
  if (result == GRAZE_OK) sum_up(spheres, carried->sphere_count, fields);
  return result;
}

graze_result graze_carrier_move(graze_carrier *carrier, graze_view positions, graze_carried *carried) {
  GUARD_FLOAT_ENVIRONMENT();
  if (carrier == NULL || carried == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "the %s is NULL", carrier == NULL ? "carrier" : "output for the spheres");
  if (definition_capacity(&carried_definition, carried->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  graze_list_memory *list = carried->memory;
  answer_list_write(&carried_definition, carried, &(graze_carried){.memory = list});
  graze_result result = view_check(&positions, GRAZE_FORMAT_DOUBLE3, "positions");
  if (result != GRAZE_OK) return result;
  if (positions.count != carrier->carried.vertex_count)
    return fail(GRAZE_INVALID_ARGUMENT, "the frame has %zu positions; the body at rest has %zu", positions.count,
                carrier->carried.vertex_count);
  list = answer_list_open(list, &carrier->heap.allocator, carrier->carried.team);
  if (list == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create a list");
  graze_carried fields = {.memory = list};
  result = run_frame(carrier, &positions, list, &fields);
  answer_list_write(&carried_definition, carried, &fields);
  return result;
}
