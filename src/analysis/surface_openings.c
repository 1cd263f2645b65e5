/* Edges of surfaces; see surface_openings.h.
 *
 * Most meshes are closed by their vertex numbers, which is fast to check. Only otherwise are positions compared, as for
 * a mesh with a seam or a triangle soup. */
#include "analysis/surface_openings.h"

#include "analysis/surface_winding.h"
#include "packing/mesh_edges.h"

/* The triangles of a source by vertex numbers, three per triangle. */
typedef struct numbered_surface {
  const object_source *source;
  memory *heap;
  uint32_t *vertices;
  size_t triangle_count, vertex_count;
} numbered_surface;

/* Replaces vertex numbers with numbers of positions; false when out of memory. */
static bool number_by_place(numbered_surface *surface) {
  const size_t vertex_count = surface->vertex_count;
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

static bool find_holes(numbered_surface *surface, mesh_hole *hole) {
  if (!mesh_holes_find(surface->vertices, surface->triangle_count, surface->vertex_count, surface->heap, hole))
    return false;
  if (hole->edges == 0) return true;
  return number_by_place(surface) &&
         mesh_holes_find(surface->vertices, surface->triangle_count, surface->vertex_count, surface->heap, hole);
}

static surface_opening opening_of(const numbered_surface *surface, const mesh_hole *hole) {
  surface_opening opening = {.edge_count = hole->edges};
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

graze_result surface_openings_find(const object_source *source, size_t vertex_count, memory *heap,
                                   surface_opening *opening_out) {
  numbered_surface surface = {source, heap, NULL, surface_triangle_count(source), vertex_count};
  const size_t number_count = 3 * surface.triangle_count;
  *opening_out = (surface_opening){.edge_count = 0};
  if (number_count == 0) return GRAZE_OK;
  if (number_count > UINT32_MAX) return GRAZE_TOO_LARGE;
  mesh_hole hole;
  surface.vertices = memory_allocate(heap, number_count, sizeof *surface.vertices);
  bool done = surface.vertices != NULL;
  if (done) {
    surface_copy_triangles(source, surface.vertices);
    done = find_holes(&surface, &hole);
  }
  if (done) *opening_out = opening_of(&surface, &hole);
  memory_release(heap, surface.vertices, number_count, sizeof *surface.vertices);
  return done ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}
