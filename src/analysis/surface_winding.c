/* Winding numbers of surfaces; see surface_winding.h. */
#include "analysis/surface_winding.h"

#include "geometry/triangle_winding.h"

#include <string.h>

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
  if (source->erased != NULL && source->erased[element] != 0) *count_out = 0;
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
  for (triangles_of(source, element, &count); triangle >= count; triangles_of(source, ++element, &count))
    triangle -= count;
  return element;
}
