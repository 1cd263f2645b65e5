/* Patches: runs of PATCH_TRIANGLES triangles of a body along a space-filling curve, through the positions of the
 * triangles when the body is added. Cloth and bodies keep their neighborhoods, so patches keep small boxes while they
 * move.
 *
 * Every corner and every edge belongs to one patch, that of its first triangle. */
#include "simulation/curve_order.h"
#include "simulation/simulation_parts.h"

#include <stdlib.h>
#include <string.h>

bool surface_order(const double *positions, uint32_t *triangles, size_t count) {
  double *centers = calloc(3 * count + 1, sizeof *centers);
  uint32_t *order = malloc((count + 1) * sizeof *order), *copy = malloc((3 * count + 1) * sizeof *copy);
  const bool room = centers != NULL && order != NULL && copy != NULL;
  for (size_t i = 0; room && i < 3 * count; ++i) {
    const uint32_t *corners = triangles + 3 * (i / 3);
    centers[i] = positions[3 * (size_t)corners[0] + i % 3] + positions[3 * (size_t)corners[1] + i % 3] +
                 positions[3 * (size_t)corners[2] + i % 3];
  }
  const bool made = room && curve_order_make(centers, count, order);
  if (made) memcpy(copy, triangles, 3 * count * sizeof *copy);
  for (size_t i = 0; made && i < count; ++i) memcpy(triangles + 3 * i, copy + 3 * (size_t)order[i], 3 * sizeof *copy);
  free(centers);
  free(order);
  free(copy);
  return made;
}

/* The corners of each patch: numbers of particles, patch after patch. */
static bool add_corners(simulation *world, const simulated_body *body) {
  uint8_t *seen = calloc(body->particle_count + 1, 1);
  if (seen == NULL) return false;
  for (size_t p = body->first_patch; p < body->first_patch + body->patch_count; ++p) {
    surface_patch *patch = &world->patches[p];
    patch->first_corner = (uint32_t)world->corner_count;
    for (size_t i = 3 * (size_t)patch->first_triangle; i < 3 * (size_t)patch->triangle_end; ++i) {
      const uint32_t corner = world->triangles[i];
      if (seen[corner - body->first_particle]) continue;
      seen[corner - body->first_particle] = 1;
      world->corners[world->corner_count++] = corner;
    }
    patch->corner_end = (uint32_t)world->corner_count;
  }
  free(seen);
  return true;
}

/* Sorts edges by the patches of their owners, by counting. */
static void add_edges(simulation *world, const simulated_body *body, const surface_edge *edges, size_t count) {
  surface_patch *patches = world->patches + body->first_patch;
  for (size_t i = 0; i < count; ++i) ++patches[edges[i].owner / PATCH_TRIANGLES].edge_end;
  for (size_t p = 0; p < body->patch_count; ++p) {
    patches[p].first_edge = (uint32_t)world->edge_count;
    world->edge_count += patches[p].edge_end;
    patches[p].edge_end = patches[p].first_edge;
  }
  for (size_t i = 0; i < count; ++i) {
    uint32_t *edge = world->edges + 2 * (size_t)patches[edges[i].owner / PATCH_TRIANGLES].edge_end++;
    edge[0] = edges[i].a;
    edge[1] = edges[i].b;
  }
}

bool surface_patches_add(simulation *world, simulated_body *body, const surface_edge *edges, size_t edge_count) {
  body->first_patch = world->patch_count;
  body->patch_count = (body->triangle_count + PATCH_TRIANGLES - 1) / PATCH_TRIANGLES;
  for (size_t p = 0; p < body->patch_count; ++p) {
    const size_t first = body->first_triangle + p * PATCH_TRIANGLES, end = body->first_triangle + body->triangle_count;
    const size_t next = first + PATCH_TRIANGLES;
    world->patches[body->first_patch + p] =
        (surface_patch){.first_triangle = (uint32_t)first, .triangle_end = (uint32_t)(next < end ? next : end)};
  }
  if (!add_corners(world, body)) return false;
  add_edges(world, body, edges, edge_count);
  memset(world->patch_boxes + 6 * body->first_patch, 0, 6 * body->patch_count * sizeof(double));
  world->patch_count += body->patch_count;
  return true;
}
