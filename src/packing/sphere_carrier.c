/* Spheres carried by a body of tetrahedra; see sphere_carrier.h. */
#include "packing/sphere_carrier.h"

#include "base/error_text.h"
#include "base/view.h"
#include "base/workers.h"
#include "geometry/binary_scale.h"
#include "packing/obstacle_tree.h"

#include <string.h>

/* The relative error of the distance of two centers. */
#define MARGIN_OVERLAP 0x1p-40

enum { SPHERES_A_TASK = 256 };

bool sphere_carrier_reserve(sphere_carrier *carrier) {
  memory *heap = carrier->heap;
  array_init(&carrier->triangles, 3 * sizeof(uint32_t));
  obstacle_tree_memory_init(&carrier->room);
  carrier->positions = memory_allocate(heap, 3 * carrier->vertex_count, sizeof(double));
  carrier->tetrahedra = memory_allocate(heap, carrier->tetrahedron_count, sizeof *carrier->tetrahedra);
  carrier->spheres = memory_allocate(heap, carrier->sphere_count, sizeof *carrier->spheres);
  carrier->factors = memory_allocate(heap, carrier->sphere_count, sizeof *carrier->factors);
  for (size_t i = 0; carrier->factors != NULL && i < carrier->sphere_count; i++) carrier->factors[i] = 0.0;
  return carrier->positions != NULL && carrier->tetrahedra != NULL && carrier->spheres != NULL &&
         carrier->factors != NULL;
}

void sphere_carrier_release(sphere_carrier *carrier) {
  memory *heap = carrier->heap;
  memory_release(heap, carrier->positions, 3 * carrier->vertex_count, sizeof(double));
  memory_release(heap, carrier->tetrahedra, carrier->tetrahedron_count, sizeof *carrier->tetrahedra);
  memory_release(heap, carrier->spheres, carrier->sphere_count, sizeof *carrier->spheres);
  memory_release(heap, carrier->factors, carrier->sphere_count, sizeof *carrier->factors);
  memory_release(heap, carrier->corners, 9 * carrier->triangles.count, sizeof(double));
  array_release(&carrier->triangles, heap);
  obstacle_tree_memory_release(&carrier->room, heap);
}

/* Finds the power of two that scales these numbers. */
static double scale_for(const double *numbers, size_t count) {
  double largest = 0.0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(numbers[i]));
  return power_of_two(-scaling_exponent(largest));
}

static void read_positions(sphere_carrier *carrier, const graze_view *view) {
  for (size_t i = 0; i < carrier->vertex_count; i++)
    view_read_place(view_at(view, i), view->format == GRAZE_FORMAT_DOUBLE3, carrier->positions + 3 * i);
  carrier->scale = scale_for(carrier->positions, 3 * carrier->vertex_count);
  for (size_t i = 0; i < 3 * carrier->vertex_count; i++) carrier->positions[i] *= carrier->scale;
}

static bool build_surface(sphere_carrier *carrier) {
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
  return obstacle_tree_build(&carrier->room, carrier->heap, carrier->team, carrier->corners,
                             (uint32_t)carrier->triangles.count, OBSTACLE_TRIANGLE_NUMBERS, &carrier->surface_tree);
}

static graze_result bind_spheres(sphere_carrier *carrier, const graze_carrier_def *def,
                                 const uint32_t *tetrahedron_of) {
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

graze_result sphere_carrier_bind(sphere_carrier *carrier, const graze_carrier_def *def,
                                 const uint32_t *tetrahedron_of) {
  read_positions(carrier, &def->positions);
  view_read_indices(&def->tetrahedra, 0, carrier->tetrahedron_count, carrier->tetrahedra[0]);
  graze_result result = tetrahedra_boundary_find(carrier->heap, carrier->positions, carrier->tetrahedra,
                                                 carrier->tetrahedron_count, &carrier->triangles);
  if (result == GRAZE_OK) result = bind_spheres(carrier, def, tetrahedron_of);
  if (result != GRAZE_OK) return result;
  carrier->corners = memory_allocate(carrier->heap, 9 * carrier->triangles.count, sizeof(double));
  return carrier->corners != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

/* ---------------------------------------------------------------------------------------------- a frame */

typedef struct frame {
  const sphere_carrier *carrier;
  graze_sphere *spheres;
} frame;

/* The distance to the surface, or `enough` if that is less. */
static double surface_distance(const sphere_carrier *carrier, const double center[3], double enough) {
  near_list near;
  near_list_begin(&near, 1.0, 1e-6);
  near.careful = true;
  near.cutoff = enough;
  obstacle_tree_search(&carrier->surface_tree, vector3_load(center), &near);
  return near.count > 0 ? fmin(near.distance[0], enough) : enough;
}

/* The largest radius of a sphere at its place, ignoring other spheres; scaled. */
static double lone_radius(const sphere_carrier *carrier, const carried_sphere *sphere, const double center[3]) {
  orientation_tally tally = {0};
  const double desired_radius = sphere->radius * carried_stretch(sphere, carrier->positions);
  if (!(desired_radius > 0.0) || mesh_winding(&carrier->surface_tree, center, &tally) <= 0) return 0.0;
  const double enough = 1.001 * desired_radius + 2.0 * distance_margin(carrier->diagonal);
  const double clearance = surface_distance(carrier, center, enough);
  return fmax(0.0, fmin(desired_radius, safe_radius(clearance, carrier->diagonal)));
}

static void carry_range(void *context, size_t first, size_t end, uint32_t worker) {
  const frame *now = context;
  const sphere_carrier *carrier = now->carrier;
  const double back = 1.0 / carrier->scale;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    double center[3];
    vector3_store(carried_center(&carrier->spheres[i], carrier->positions), center);
    const double radius = lone_radius(carrier, &carrier->spheres[i], center);
    now->spheres[i] = (graze_sphere){{center[0] * back, center[1] * back, center[2] * back}, radius * back};
  }
}

bool sphere_carrier_place(sphere_carrier *carrier, const graze_view *positions, graze_sphere *spheres_out) {
  frame now = {carrier, spheres_out};
  read_positions(carrier, positions);
  if (!build_surface(carrier)) return false;
  workers_for(carrier->team, carrier->sphere_count, SPHERES_A_TASK, carry_range, &now);
  return true;
}

/* The fraction of their radii that two spheres may keep; scaled, so that nothing overflows. */
static double kept_fraction(const sphere_carrier *carrier, const graze_sphere *a, const graze_sphere *b) {
  const double scale = carrier->scale;
  double way[3];
  for (int k = 0; k < 3; k++) way[k] = a->center[k] * scale - b->center[k] * scale;
  const double distance = vector3_length(vector3_load(way)), sum = a->radius * scale + b->radius * scale;
  return fmax(0.0, fmin(1.0, (distance * (1.0 - MARGIN_OVERLAP) - MARGIN_COORDINATES) / sum));
}

void sphere_carrier_keep_apart(sphere_carrier *carrier, const graze_pair *pairs, size_t count, graze_sphere *spheres) {
  for (size_t i = 0; i < carrier->sphere_count; i++) carrier->factors[i] = 1.0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t a = pairs[i].primitive_a, b = pairs[i].primitive_b;
    if (!(spheres[a].radius > 0.0 && spheres[b].radius > 0.0)) continue;
    const double kept = kept_fraction(carrier, &spheres[a], &spheres[b]);
    carrier->factors[a] = fmin(carrier->factors[a], kept);
    carrier->factors[b] = fmin(carrier->factors[b], kept);
  }
  for (size_t i = 0; i < carrier->sphere_count; i++) spheres[i].radius *= carrier->factors[i];
}
