/* Edges and shells of surfaces; see surface_openings.h.
 *
 * Most meshes are closed by their vertex numbers, which is fast to check. Only otherwise are positions compared, as for
 * a mesh with a seam or a triangle soup. */
#include "analysis/surface_openings.h"

#include "analysis/surface_winding.h"
#include "base/disjoint_sets.h"
#include "geometry/binary_scale.h"
#include "packing/closed_mesh.h"

#include <string.h>

/* The triangles of a source by vertex numbers, three per triangle. */
typedef struct numbered_surface {
  const object_source *source;
  memory *heap;
  uint32_t *vertices;
  size_t triangle_count, vertex_count; /* vertices by the numbers in use: of vertices or of places */
  size_t source_vertex_count;
} numbered_surface;

/* Replaces vertex numbers with numbers of positions; false when out of memory. */
static bool number_by_place(numbered_surface *surface) {
  const size_t vertex_count = surface->source_vertex_count;
  double *points = memory_allocate(surface->heap, 3 * vertex_count, sizeof *points);
  uint32_t *numbers = memory_allocate(surface->heap, vertex_count, sizeof *numbers);
  bool done = points != NULL && numbers != NULL;
  if (done) {
    for (size_t i = 0; i < vertex_count; i++) fetch_vertex(surface->source, (uint32_t)i, points + 3 * i);
    done = mesh_places_number(points, vertex_count, surface->heap, numbers, &surface->vertex_count);
  }
  for (size_t i = 0; done && i < 3 * surface->triangle_count; i++) surface->vertices[i] = numbers[surface->vertices[i]];
  memory_release(surface->heap, points, 3 * vertex_count, sizeof *points);
  memory_release(surface->heap, numbers, vertex_count, sizeof *numbers);
  return done;
}

static bool find_holes(numbered_surface *surface, opening_search wanted, mesh_hole *hole) {
  if (wanted == OPENING_IS_CLOSED) {
    if (!mesh_holes_find(surface->vertices, surface->triangle_count, surface->vertex_count, surface->heap, hole))
      return false;
    if (hole->edges == 0) return true;
  }
  return number_by_place(surface) &&
         mesh_holes_find(surface->vertices, surface->triangle_count, surface->vertex_count, surface->heap, hole);
}

static surface_opening opening_of(const numbered_surface *surface, const mesh_hole *hole) {
  surface_opening opening = {.edge_count = hole->edges,
                             .open_count = hole->open,
                             .reversed_count = hole->reversed,
                             .crowded_count = hole->crowded};
  if (hole->edges == 0) return opening;
  const size_t from = 3 * hole->triangle + (size_t)hole->corner,
               to = 3 * hole->triangle + (size_t)(hole->corner + 1) % 3;
  const bool is_forward = surface->vertices[from] < surface->vertices[to]; /* in the direction of the triangle */
  opening.element = surface_triangle_owner(surface->source, hole->triangle);
  opening.forward = is_forward ? hole->forward : hole->backward;
  opening.backward = is_forward ? hole->backward : hole->forward;
  surface_copy_triangles(surface->source, surface->vertices); /* restores its own vertex numbers */
  fetch_vertex(surface->source, surface->vertices[from], opening.from);
  fetch_vertex(surface->source, surface->vertices[to], opening.to);
  return opening;
}

/* GRAZE_OK without vertices if the source has no triangles. Release the vertices in any case. */
static graze_result surface_begin(numbered_surface *surface) {
  const size_t number_count = 3 * surface->triangle_count;
  if (number_count == 0) return GRAZE_OK;
  if (number_count > UINT32_MAX) return GRAZE_TOO_LARGE;
  surface->vertices = memory_allocate(surface->heap, number_count, sizeof *surface->vertices);
  if (surface->vertices == NULL) return GRAZE_OUT_OF_MEMORY;
  surface_copy_triangles(surface->source, surface->vertices);
  return GRAZE_OK;
}

static void surface_end(numbered_surface *surface) {
  memory_release(surface->heap, surface->vertices, 3 * surface->triangle_count, sizeof *surface->vertices);
}

graze_result surface_openings_find(const object_source *source, size_t vertex_count, memory *heap,
                                   opening_search wanted, surface_opening *opening_out) {
  numbered_surface surface = {source, heap, NULL, surface_triangle_count(source), vertex_count, vertex_count};
  mesh_hole hole;
  *opening_out = (surface_opening){.edge_count = 0};
  graze_result result = surface_begin(&surface);
  if (surface.vertices != NULL && !find_holes(&surface, wanted, &hole)) result = GRAZE_OUT_OF_MEMORY;
  if (surface.vertices != NULL && result == GRAZE_OK) *opening_out = opening_of(&surface, &hole);
  surface_end(&surface);
  return result;
}

/* ---------------------------------------------------------------------------------------------- shells */

/* Triangles that are connected by common vertices. */
typedef struct shell {
  double origin[3], top[3];  /* its first vertex, and one with the greatest z */
  double volume, volume_sum; /* six times its volume, scaled, and the sum of the absolute values of all products */
  size_t first_triangle;
} shell;

static double scale_of(const object_source *source, size_t vertex_count) {
  double largest = 0.0;
  for (size_t i = 0; i < vertex_count; i++) {
    double position[3];
    fetch_vertex(source, (uint32_t)i, position);
    for (int axis = 0; axis < 3; axis++) largest = fmax(largest, fabs(position[axis]));
  }
  return power_of_two(-scaling_exponent(largest));
}

static void add_to_shell(shell *target, const double corners[9], double scale) {
  double edges[3][3];
  for (int k = 0; k < 3; k++)
    for (int axis = 0; axis < 3; axis++) edges[k][axis] = corners[3 * k + axis] * scale - target->origin[axis] * scale;
  for (int axis = 0; axis < 3; axis++) {
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    const double left = edges[0][axis] * edges[1][y] * edges[2][z], right = edges[0][axis] * edges[1][z] * edges[2][y];
    target->volume += left - right;
    target->volume_sum += fabs(left) + fabs(right);
  }
  for (int k = 0; k < 3; k++)
    if (corners[3 * k + 2] > target->top[2]) memcpy(target->top, corners + 3 * k, sizeof target->top);
}

/* The sign is certain if the volume exceeds all rounding errors: those of six products, and of the sums. */
static bool faces_inward(const shell *one, size_t triangle_count) {
  return one->volume < -(double)(6 * triangle_count + 16) * 0x1p-53 * one->volume_sum;
}

/* Fills an array of shell, in the order of their first triangles, for a surface that is numbered by places. False when
 * out of memory. */
static bool make_shells(const numbered_surface *surface, array *shells) {
  const size_t count = surface->triangle_count, place_count = surface->vertex_count;
  const object_source *source = surface->source;
  uint32_t *parents = memory_allocate(surface->heap, place_count, sizeof *parents);
  uint32_t *shell_of = memory_allocate(surface->heap, place_count, sizeof *shell_of);
  uint32_t *own = memory_allocate(surface->heap, 3 * count, sizeof *own);
  bool done = parents != NULL && shell_of != NULL && own != NULL;
  if (done) {
    const double scale = scale_of(source, surface->source_vertex_count);
    surface_copy_triangles(source, own);
    disjoint_sets_init(parents, place_count);
    memset(shell_of, 0xff, place_count * sizeof *shell_of);
    for (size_t i = 0; i < count; i++) {
      disjoint_sets_unite(parents, surface->vertices[3 * i], surface->vertices[3 * i + 1]);
      disjoint_sets_unite(parents, surface->vertices[3 * i], surface->vertices[3 * i + 2]);
    }
    for (size_t i = 0; i < count && done; i++) {
      uint32_t *number = &shell_of[disjoint_sets_find(parents, surface->vertices[3 * i])];
      double corners[9];
      for (int k = 0; k < 3; k++) fetch_vertex(source, own[3 * i + (size_t)k], corners + 3 * k);
      if (*number == UINT32_MAX) {
        shell new_shell = {.first_triangle = i};
        memcpy(new_shell.origin, corners, sizeof new_shell.origin);
        memcpy(new_shell.top, corners, sizeof new_shell.top);
        *number = (uint32_t)shells->count;
        done = array_push(shells, surface->heap, &new_shell);
      }
      if (done) add_to_shell(&ARRAY_AS(shell, shells)[*number], corners, scale);
    }
  }
  memory_release(surface->heap, parents, place_count, sizeof *parents);
  memory_release(surface->heap, shell_of, place_count, sizeof *shell_of);
  memory_release(surface->heap, own, 3 * count, sizeof *own);
  return done;
}

/* Keeps the shells that face inward. */
static void keep_inward(const numbered_surface *surface, array *shells) {
  shell *list = shells->data;
  size_t kept = 0;
  for (size_t i = 0; i < shells->count; i++)
    if (faces_inward(&list[i], surface->triangle_count)) list[kept++] = list[i];
  shells->count = kept;
}

/* No triangle of a shell is above its top, so there the winding number is that of the other shells: a cavity has a
 * positive one. */
static bool count_inverted(const numbered_surface *surface, const array *shells, workers *team,
                           surface_inversion *inversion_out) {
  const shell *list = shells->data;
  const size_t count = shells->count;
  wound_point *points = memory_allocate(surface->heap, count, sizeof *points);
  bool done = points != NULL;
  for (size_t i = 0; done && i < count; i++) {
    memcpy(points[i].place, list[i].top, sizeof points[i].place);
    atomic_init(&points[i].winding, 0);
    atomic_init(&points[i].crossings, 0);
  }
  done = done &&
         surface_winding_count(surface->source, surface->source_vertex_count, team, surface->heap, NULL, points, count);
  for (size_t i = 0; done && i < count; i++) {
    if (atomic_load(&points[i].winding) > 0) continue;
    if (inversion_out->shell_count++ == 0)
      inversion_out->element = surface_triangle_owner(surface->source, list[i].first_triangle);
  }
  memory_release(surface->heap, points, count, sizeof *points);
  return done;
}

graze_result surface_inversion_find(const object_source *source, size_t vertex_count, workers *team, memory *heap,
                                    surface_inversion *inversion_out) {
  numbered_surface surface = {source, heap, NULL, surface_triangle_count(source), vertex_count, vertex_count};
  array shells;
  array_init(&shells, sizeof(shell));
  *inversion_out = (surface_inversion){0};
  graze_result result = surface_begin(&surface);
  if (surface.vertices != NULL) {
    bool done = number_by_place(&surface) && make_shells(&surface, &shells);
    if (done) keep_inward(&surface, &shells);
    if (done && shells.count > 0) done = count_inverted(&surface, &shells, team, inversion_out);
    if (!done) result = GRAZE_OUT_OF_MEMORY;
  }
  array_release(&shells, heap);
  surface_end(&surface);
  return result;
}
