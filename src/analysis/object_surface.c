/* Windings, edges and shells of surfaces; see object_surface.h.
 *
 * Most meshes are closed by their vertex numbers, which is fast to check. Only otherwise are positions compared, as for
 * a mesh with a seam or a triangle soup. */
#include "analysis/object_surface.h"

#include "base/disjoint_sets.h"
#include "geometry/binary_scale.h"
#include "geometry/triangle_winding.h"
#include "packing/closed_mesh.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- winding numbers */

enum { WINDING_GRAIN = 4096, CELLS_MOST = 1024 };

/* The sides of the points' bounding rectangle that a vertex is beyond, as bits. A triangle whose corners have a
 * common bit misses all points (Cohen, Sutherland, in Newman, Sproull, "Principles of Interactive Computer Graphics",
 * 1973). */
enum { BEYOND_LEAST_X = 1, BEYOND_GREATEST_X = 2, BEYOND_LEAST_Y = 4, BEYOND_GREATEST_Y = 8 };

/* Points by cells of the xy plane; each side has as many cells as the square root of the number of points. */
typedef struct winding_cells {
  double least[2], greatest[2]; /* of the points */
  double scale[2];              /* the number of a cell is (coordinate - least) * scale, rounded down and clamped */
  uint32_t side;
  uint32_t *first; /* side * side + 1 */
  uint32_t *order; /* numbers of points, by cell */
} winding_cells;

typedef struct winding_work {
  const object_source *source;
  stop_check *stop;
  wound_point *points;
  uint8_t *sides; /* one per vertex */
  winding_cells cells;
} winding_work;

/* Monotonic in the coordinate, even on overflow: so a point between two coordinates is in a cell between theirs. */
static uint32_t cell_of(const winding_cells *cells, double coordinate, int axis) {
  const double cell = (coordinate - cells->least[axis]) * cells->scale[axis];
  if (!(cell > 0.0)) return 0;
  return cell < (double)cells->side ? (uint32_t)cell : cells->side - 1;
}

static size_t cell_of_point(const winding_cells *cells, const wound_point *point) {
  return (size_t)cell_of(cells, point->place[1], 1) * cells->side + cell_of(cells, point->place[0], 0);
}

static void measure_cells(winding_cells *cells, const wound_point *points, size_t count) {
  for (int axis = 0; axis < 2; axis++) {
    double least = points[0].place[axis], greatest = least;
    for (size_t i = 1; i < count; i++) {
      least = points[i].place[axis] < least ? points[i].place[axis] : least;
      greatest = points[i].place[axis] > greatest ? points[i].place[axis] : greatest;
    }
    cells->least[axis] = least;
    cells->greatest[axis] = greatest;
    cells->scale[axis] = greatest > least ? (double)cells->side / (greatest - least) : 0.0;
  }
}

static void fill_cells(winding_cells *cells, const wound_point *points, size_t count) {
  const size_t cell_count = (size_t)cells->side * cells->side;
  memset(cells->first, 0, (cell_count + 1) * sizeof *cells->first);
  for (size_t i = 0; i < count; i++) cells->first[cell_of_point(cells, &points[i])]++;
  uint32_t end = 0;
  for (size_t i = 0; i < cell_count; i++) cells->first[i] = end += cells->first[i];
  cells->first[cell_count] = end;
  for (size_t i = count; i-- > 0;) cells->order[--cells->first[cell_of_point(cells, &points[i])]] = (uint32_t)i;
}

static void wind_point(const double corners[9], wound_point *point, orientation_tally *tally) {
  const int side = line_crossing(corners, point->place, tally);
  if (side == 0) return;
  atomic_fetch_add_explicit(&point->crossings, side, memory_order_relaxed);
  if (crossing_is_above(corners, point->place, side, tally))
    atomic_fetch_add_explicit(&point->winding, side, memory_order_relaxed);
}

static bool box_covers(const exact_box *box, const double place[3]) {
  return box->min[0] <= place[0] && place[0] <= box->max[0] && box->min[1] <= place[1] && place[1] <= box->max[1];
}

static void wind_triangle(const winding_work *work, const double corners[9]) {
  const winding_cells *cells = &work->cells;
  const exact_box box = exact_box_of(corners, 3);
  const uint32_t first_x = cell_of(cells, box.min[0], 0), last_x = cell_of(cells, box.max[0], 0);
  const uint32_t first_y = cell_of(cells, box.min[1], 1), last_y = cell_of(cells, box.max[1], 1);
  orientation_tally tally = {0};
  for (uint32_t y = first_y; y <= last_y; y++) {
    const uint32_t *row = cells->first + (size_t)y * cells->side;
    for (uint32_t i = row[first_x]; i < row[last_x + 1]; i++) {
      wound_point *point = &work->points[cells->order[i]];
      if (box_covers(&box, point->place)) wind_point(corners, point, &tally);
    }
  }
}

/* The triangles of a primitive as own vertex numbers, three each. */
static const uint32_t *triangles_of(const object_source *source, uint32_t element, uint32_t *count_out) {
  const uint32_t primitive = source->first_primitive + element;
  const corner_list corners = corners_of(source, primitive);
  *count_out = corners.count - 2;
  if (element_is_removed(source, element)) *count_out = 0;
  return kind_is_cut(source->kind) ? polygon_triangulation(source, primitive) : corners.vertices;
}

static void fetch_corners(const object_source *source, const uint32_t vertices[3], double corners_out[9]) {
  for (int k = 0; k < 3; k++) fetch_vertex(source, vertices[k], corners_out + 3 * k);
}

static void side_range(void *context, size_t first, size_t end, uint32_t worker) {
  const winding_work *work = context;
  const double *least = work->cells.least, *greatest = work->cells.greatest;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    double place[3];
    fetch_vertex(work->source, (uint32_t)i, place);
    work->sides[i] =
        (uint8_t)((place[0] < least[0] ? BEYOND_LEAST_X : 0) | (place[0] > greatest[0] ? BEYOND_GREATEST_X : 0) |
                  (place[1] < least[1] ? BEYOND_LEAST_Y : 0) | (place[1] > greatest[1] ? BEYOND_GREATEST_Y : 0));
  }
}

static bool is_beside(const winding_work *work, const uint32_t vertices[3]) {
  return (work->sides[vertices[0]] & work->sides[vertices[1]] & work->sides[vertices[2]]) != 0;
}

static void wind_range(void *context, size_t first, size_t end, uint32_t worker) {
  const winding_work *work = context;
  (void)worker;
  if (stop_is_requested(work->stop)) return;
  for (size_t i = first; i < end; i++) {
    uint32_t count;
    const uint32_t *triangles = triangles_of(work->source, (uint32_t)i, &count);
    for (uint32_t t = 0; t < count; t++) {
      double corners[9];
      if (is_beside(work, triangles + 3 * (size_t)t)) continue;
      fetch_corners(work->source, triangles + 3 * (size_t)t, corners);
      wind_triangle(work, corners);
    }
  }
}

static uint32_t cells_a_side(size_t count) {
  uint32_t side = 1;
  while (side < CELLS_MOST && (size_t)side * side < count) side *= 2;
  return side;
}

bool surface_winding_count(const object_source *source, size_t vertex_count, workers *team, memory *heap,
                           stop_check *stop_or_null, wound_point *points, size_t count) {
  winding_work work = {.source = source, .stop = stop_or_null, .points = points};
  work.cells.side = cells_a_side(count);
  const size_t cell_count = (size_t)work.cells.side * work.cells.side;
  work.cells.first = memory_allocate(heap, cell_count + 1, sizeof(uint32_t));
  work.cells.order = memory_allocate(heap, count, sizeof(uint32_t));
  work.sides = memory_allocate(heap, vertex_count, sizeof *work.sides);
  const bool is_allocated = work.cells.first != NULL && work.cells.order != NULL && work.sides != NULL;
  if (is_allocated) {
    measure_cells(&work.cells, points, count);
    fill_cells(&work.cells, points, count);
    workers_for(team, vertex_count, WINDING_GRAIN, side_range, &work);
    workers_for(team, source->primitive_count, WINDING_GRAIN, wind_range, &work);
  }
  memory_release(heap, work.cells.first, cell_count + 1, sizeof(uint32_t));
  memory_release(heap, work.cells.order, count, sizeof(uint32_t));
  memory_release(heap, work.sides, vertex_count, sizeof *work.sides);
  return is_allocated;
}

size_t surface_triangle_count(const object_source *source) {
  size_t all = 0;
  for (uint32_t i = 0; i < source->primitive_count; i++) {
    uint32_t count;
    triangles_of(source, i, &count);
    all += count;
  }
  return all;
}

void surface_copy_triangles(const object_source *source, uint32_t *vertices_out) {
  for (uint32_t i = 0; i < source->primitive_count; i++) {
    uint32_t count;
    const uint32_t *triangles = triangles_of(source, i, &count);
    memcpy(vertices_out, triangles, 3 * (size_t)count * sizeof *vertices_out);
    vertices_out += 3 * (size_t)count;
  }
}

uint32_t surface_triangle_owner(const object_source *source, size_t triangle) {
  uint32_t element = 0, count;
  for (triangles_of(source, element, &count); triangle >= count; triangles_of(source, element++, &count))
    triangle -= count;
  return element;
}

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
