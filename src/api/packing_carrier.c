/* Packings carried by tetrahedra: the calls of graze_carrier.
 *
 * A sphere's new radius is the least of three: the radius that its tetrahedron's map leaves (deforming_body.h), the
 * distance of its center from the moved surface, and, for each sphere that it would overlap, its radius times the ratio
 * of the centers' distance to the sum of both radii. The last needs one round: each of two overlapping spheres shrinks
 * by the ratio of this pair or more, so that the sum of the radii fits, and no other pair begins to overlap. All values
 * are rounded down. Then the scene that found the pairs, which contains surface and spheres, certifies the packing.
 *
 * Coordinates are scaled by a power of two per frame, as in the packer.
 *
 * Workload: 10^3 to 10^5 spheres and 10^3 to 10^6 tetrahedra, for many frames; memory is kept between frames. */
#include "api/definitions.h"
#include "api/packing_certificate.h"
#include "base/answer_list.h"
#include "base/error_text.h"
#include "base/float_environment.h"
#include "base/view.h"
#include "base/workers.h"
#include "geometry/binary_scale.h"
#include "packing/deforming_body.h"
#include "packing/obstacle_tree.h"
#include "packing/obstacle_tree_build.h"

#include <string.h>

/* The relative error of the distance of two centers. */
#define MARGIN_OVERLAP 0x1p-40

enum { SPHERES_A_TASK = 256, TETRAHEDRA_MOST = 1 << 30 };

struct graze_carrier {
  memory heap;
  graze_workers *team;
  graze_scene *scene;
  graze_object surface, balls;
  size_t vertex_count, tetrahedron_count, sphere_count;
  double *positions; /* of the frame, scaled */
  uint32_t (*tetrahedra)[4];
  array triangles; /* uint32_t[3]: of the surface */
  double *corners; /* nine a triangle of the surface, scaled */
  carried_sphere *spheres;
  double *factors; /* factors of the radii, one per sphere */
  obstacle_tree_memory room;
  obstacle_tree surface_tree;
  double scale, diagonal;
  graze_pairs pairs;
};

static graze_result fail_memory(const graze_carrier *carrier) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory while carrying %zu spheres by %zu tetrahedra", carrier->sphere_count,
              carrier->tetrahedron_count);
}

/* ---------------------------------------------------------------------------------------------- positions */

/* Finds the power of two that scales these numbers. */
static double scale_for(const double *numbers, size_t count) {
  double largest = 0.0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(numbers[i]));
  return power_of_two(-scaling_exponent(largest));
}

static void read_positions(graze_carrier *carrier, const graze_view *view) {
  for (size_t i = 0; i < carrier->vertex_count; i++)
    view_read_place(view_at(view, i), view->format == GRAZE_FORMAT_DOUBLE3, carrier->positions + 3 * i);
  carrier->scale = scale_for(carrier->positions, 3 * carrier->vertex_count);
  for (size_t i = 0; i < 3 * carrier->vertex_count; i++) carrier->positions[i] *= carrier->scale;
}

static bool build_surface(graze_carrier *carrier) {
  const uint32_t *vertices = carrier->triangles.data;
  double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, greatest[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, squared = 0.0;
  for (size_t i = 0; i < 3 * carrier->triangles.count; i++) {
    for (int k = 0; k < 3; k++) {
      const double at = carrier->positions[3 * (size_t)vertices[i] + (size_t)k];
      carrier->corners[3 * i + (size_t)k] = at;
      least[k] = fmin(least[k], at);
      greatest[k] = fmax(greatest[k], at);
    }
  }
  for (int k = 0; k < 3; k++) squared += (greatest[k] - least[k]) * (greatest[k] - least[k]);
  carrier->diagonal = sqrt(squared);
  return obstacle_tree_build(&carrier->room, &carrier->heap, carrier->team, carrier->corners,
                             (uint32_t)carrier->triangles.count, OBSTACLE_TRIANGLE_NUMBERS, &carrier->surface_tree);
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
  centers.radii = (graze_view){carrier->factors, def->sphere_count, 0, GRAZE_FORMAT_DOUBLE}; /* zeros */
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

static graze_result bind_spheres(graze_carrier *carrier, const graze_carrier_def *def, const uint32_t *tetrahedron_of) {
  for (size_t i = 0; i < carrier->sphere_count; i++) {
    const graze_sphere *sphere = &def->spheres[i];
    if (tetrahedron_of[i] == UINT32_MAX)
      return fail(GRAZE_INVALID_ARGUMENT, "the center (%g, %g, %g) of sphere %zu is in no tetrahedron",
                  sphere->center[0], sphere->center[1], sphere->center[2], i);
    double center[3];
    for (int k = 0; k < 3; k++) center[k] = sphere->center[k] * carrier->scale;
    carried_sphere_bind(&carrier->spheres[i], carrier->tetrahedra[tetrahedron_of[i]], carrier->positions, center,
                        sphere->radius * carrier->scale);
  }
  return GRAZE_OK;
}

static graze_result bind_all(graze_carrier *carrier, const graze_carrier_def *def, const graze_scene_def *how) {
  const size_t count = carrier->sphere_count;
  uint32_t *tetrahedron_of = memory_allocate(&carrier->heap, count, sizeof *tetrahedron_of);
  if (tetrahedron_of == NULL) return fail_memory(carrier);
  for (size_t i = 0; i < count; i++) {
    tetrahedron_of[i] = UINT32_MAX;
    carrier->factors[i] = 0.0;
  }
  graze_result result = find_carriers(carrier, def, how, tetrahedron_of);
  if (result == GRAZE_OK) {
    read_positions(carrier, &def->positions);
    view_read_indices(&def->tetrahedra, 0, carrier->tetrahedron_count, carrier->tetrahedra[0]);
    result = tetrahedra_boundary_find(&carrier->heap, carrier->positions, carrier->tetrahedra,
                                      carrier->tetrahedron_count, &carrier->triangles);
  }
  if (result == GRAZE_OK) result = bind_spheres(carrier, def, tetrahedron_of);
  memory_release(&carrier->heap, tetrahedron_of, count, sizeof *tetrahedron_of);
  return result;
}

/* ---------------------------------------------------------------------------------------------- creation */

/* Creates the scene of surface and spheres at rest; frames overwrite both. */
static graze_result fill_scene(graze_carrier *carrier, const graze_carrier_def *def) {
  graze_mesh_def mesh = graze_mesh_def_default(), balls = graze_mesh_def_default();
  mesh.positions = def->positions;
  mesh.triangles = (graze_view){carrier->triangles.data, carrier->triangles.count, 0, GRAZE_FORMAT_UINT32_3};
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
    carrier->team = given_or_null;
    return GRAZE_OK;
  }
  graze_workers_def def = graze_workers_def_default();
  def.allocator = &carrier->heap.allocator;
  def.kept_bytes = 0; /* only workers that the host creates keep memory */
  return graze_workers_create(&def, &carrier->team);
}

static graze_result allocate_all(graze_carrier *carrier) {
  memory *heap = &carrier->heap;
  carrier->positions = memory_allocate(heap, 3 * carrier->vertex_count, sizeof(double));
  carrier->tetrahedra = memory_allocate(heap, carrier->tetrahedron_count, sizeof *carrier->tetrahedra);
  carrier->spheres = memory_allocate(heap, carrier->sphere_count, sizeof *carrier->spheres);
  carrier->factors = memory_allocate(heap, carrier->sphere_count, sizeof *carrier->factors);
  const bool complete =
      carrier->positions != NULL && carrier->tetrahedra != NULL && carrier->spheres != NULL && carrier->factors != NULL;
  return complete ? GRAZE_OK : fail_memory(carrier);
}

static graze_result fill_carrier(graze_carrier *carrier, const graze_carrier_def *def) {
  carrier->vertex_count = def->positions.count;
  carrier->tetrahedron_count = def->tetrahedra.count;
  carrier->sphere_count = def->sphere_count;
  graze_scene_def how = graze_scene_def_default();
  how.allocator = &carrier->heap.allocator;
  graze_result result = open_workers(carrier, def->workers);
  how.workers = carrier->team;
  if (result == GRAZE_OK) result = allocate_all(carrier);
  if (result == GRAZE_OK) result = bind_all(carrier, def, &how);
  if (result == GRAZE_OK) result = graze_scene_create(&how, &carrier->scene);
  if (result == GRAZE_OK) result = fill_scene(carrier, def);
  if (result != GRAZE_OK) return result;
  carrier->corners = memory_allocate(&carrier->heap, 9 * carrier->triangles.count, sizeof(double));
  return carrier->corners != NULL ? GRAZE_OK : fail_memory(carrier);
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
  array_init(&carrier->triangles, 3 * sizeof(uint32_t));
  obstacle_tree_memory_init(&carrier->room);
  result = fill_carrier(carrier, &def);
  if (result == GRAZE_OK)
    *carrier_out = carrier;
  else
    graze_carrier_destroy(carrier);
  return result;
}

void graze_carrier_destroy(graze_carrier *carrier) {
  if (carrier == NULL) return;
  memory *heap = &carrier->heap, last;
  graze_pairs_free(&carrier->pairs);
  graze_scene_destroy(carrier->scene);
  memory_release(heap, carrier->positions, 3 * carrier->vertex_count, sizeof(double));
  memory_release(heap, carrier->tetrahedra, carrier->tetrahedron_count, sizeof *carrier->tetrahedra);
  memory_release(heap, carrier->spheres, carrier->sphere_count, sizeof *carrier->spheres);
  memory_release(heap, carrier->factors, carrier->sphere_count, sizeof *carrier->factors);
  memory_release(heap, carrier->corners, 9 * carrier->triangles.count, sizeof(double));
  array_release(&carrier->triangles, heap);
  obstacle_tree_memory_release(&carrier->room, heap);
  if (carrier->team != NULL) workers_destroy(NULL, carrier->team);
  memory_init(&last, &heap->allocator);
  atomic_store(&last.bytes_now, sizeof *carrier);
  memory_release(&last, carrier, 1, sizeof *carrier);
}

/* ---------------------------------------------------------------------------------------------- a frame */

typedef struct frame {
  graze_carrier *carrier;
  graze_sphere *spheres;
} frame;

/* The distance to the surface, or `enough` if that is less. */
static double surface_distance(const graze_carrier *carrier, const double center[3], double enough) {
  near_list near;
  near_list_begin(&near, 1.0, 1e-6);
  near.careful = true;
  near.cutoff = enough;
  obstacle_tree_search(&carrier->surface_tree, vector3_load(center), &near);
  return near.count > 0 ? fmin(near.distance[0], enough) : enough;
}

/* The largest radius of a sphere at its place, ignoring other spheres; scaled. */
static double lone_radius(const graze_carrier *carrier, const carried_sphere *sphere, const double center[3]) {
  orientation_tally tally = {0};
  const double desired_radius = sphere->radius * carried_stretch(sphere, carrier->positions);
  if (!(desired_radius > 0.0) || mesh_winding(&carrier->surface_tree, center, &tally) <= 0) return 0.0;
  const double enough = 1.001 * desired_radius + 2.0 * distance_margin(carrier->diagonal);
  const double clearance = surface_distance(carrier, center, enough);
  return fmax(0.0, fmin(desired_radius, safe_radius(clearance, carrier->diagonal)));
}

static void carry_range(void *context, size_t first, size_t end, uint32_t worker) {
  const frame *now = context;
  const graze_carrier *carrier = now->carrier;
  const double back = 1.0 / carrier->scale;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    double center[3];
    vector3_store(carried_center(&carrier->spheres[i], carrier->positions), center);
    const double radius = lone_radius(carrier, &carrier->spheres[i], center);
    now->spheres[i] = (graze_sphere){{center[0] * back, center[1] * back, center[2] * back}, radius * back};
  }
}

static graze_result put_into_scene(const frame *now, bool centers) {
  graze_carrier *carrier = now->carrier;
  const size_t count = carrier->sphere_count, bytes = sizeof *now->spheres;
  graze_result result = GRAZE_OK;
  if (centers)
    result =
        graze_object_set_positions(carrier->scene, carrier->balls, 0,
                                   (graze_view){now->spheres->center, count, (ptrdiff_t)bytes, GRAZE_FORMAT_DOUBLE3});
  if (result == GRAZE_OK)
    result = graze_object_set_radii(carrier->scene, carrier->balls, 0,
                                    (graze_view){&now->spheres->radius, count, (ptrdiff_t)bytes, GRAZE_FORMAT_DOUBLE});
  return result == GRAZE_OK ? graze_scene_update(carrier->scene) : result;
}

/* The fraction of their radii that two spheres may keep; scaled, so that nothing overflows. */
static double part_of_pair(const graze_carrier *carrier, const graze_sphere *a, const graze_sphere *b) {
  const double scale = carrier->scale;
  double way[3];
  for (int k = 0; k < 3; k++) way[k] = a->center[k] * scale - b->center[k] * scale;
  const double distance = vector3_length(vector3_load(way)), sum = a->radius * scale + b->radius * scale;
  return fmax(0.0, fmin(1.0, (distance * (1.0 - MARGIN_OVERLAP) - MARGIN_COORDINATES) / sum));
}

static graze_result keep_apart(const frame *now) {
  graze_carrier *carrier = now->carrier;
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_WITHIN; /* only pairs with spheres: pairs within the surface are not needed */
  const graze_result result = graze_scene_find_pairs(carrier->scene, &query, &carrier->pairs);
  if (result != GRAZE_OK) return result;
  for (size_t i = 0; i < carrier->sphere_count; i++) carrier->factors[i] = 1.0;
  for (size_t i = 0; i < carrier->pairs.count; i++) {
    const uint32_t a = carrier->pairs.pairs[i].primitive_a, b = carrier->pairs.pairs[i].primitive_b;
    if (!(now->spheres[a].radius > 0.0 && now->spheres[b].radius > 0.0)) continue;
    const double part = part_of_pair(carrier, &now->spheres[a], &now->spheres[b]);
    carrier->factors[a] = fmin(carrier->factors[a], part);
    carrier->factors[b] = fmin(carrier->factors[b], part);
  }
  for (size_t i = 0; i < carrier->sphere_count; i++) now->spheres[i].radius *= carrier->factors[i];
  return put_into_scene(now, false);
}

static void sum_up(const frame *now, graze_carried *fields) {
  const double factor = 4.0 / 3.0 * 3.14159265358979323846;
  fields->spheres = now->spheres;
  fields->count = now->carrier->sphere_count;
  for (size_t i = 0; i < fields->count; i++) {
    const double radius = now->spheres[i].radius;
    fields->sphere_volume += factor * radius * radius * radius;
    fields->gone_count += !(radius > 0.0);
  }
  fields->certified = 1;
}

static graze_result run_frame(graze_carrier *carrier, const graze_view *positions, graze_list_memory *list,
                              graze_carried *fields) {
  packing_certificate found;
  frame now = {carrier, answer_list_reserve(list, 0, carrier->sphere_count, sizeof(graze_sphere))};
  if (now.spheres == NULL) return fail_memory(carrier);
  graze_result result = graze_object_set_positions(carrier->scene, carrier->surface, 0, *positions);
  if (result != GRAZE_OK) return result;
  read_positions(carrier, positions);
  if (!build_surface(carrier)) return fail_memory(carrier);
  workers_for(carrier->team, carrier->sphere_count, SPHERES_A_TASK, carry_range, &now);
  result = put_into_scene(&now, true);
  if (result == GRAZE_OK) result = keep_apart(&now);
  if (result != GRAZE_OK) return result;
  const certified_body body = {carrier->corners, &carrier->surface_tree, carrier->scale};
  result = packing_certificate_judge(carrier->scene, carrier->surface, &body, now.spheres, carrier->sphere_count,
                                     &carrier->pairs, &found);
  if (result == GRAZE_OK) result = packing_certificate_require(&found);
  if (result == GRAZE_OK) sum_up(&now, fields);
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
  if (positions.count != carrier->vertex_count)
    return fail(GRAZE_INVALID_ARGUMENT, "the frame has %zu positions; the body at rest has %zu", positions.count,
                carrier->vertex_count);
  list = answer_list_open(list, &carrier->heap.allocator, carrier->team);
  if (list == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create a list");
  graze_carried fields = {.memory = list};
  result = run_frame(carrier, &positions, list, &fields);
  answer_list_write(&carried_definition, carried, &fields);
  return result;
}
