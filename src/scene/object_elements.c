/* The elements of an object, by kind: checked, copied, and cut into pieces where tests need triangles. */
#include "scene/object_elements.h"

#include "base/view.h"
#include "base/workers.h"
#include "geometry/convex_shape.h"
#include "geometry/polygon_triangulation.h"
#include "scene/scene_data.h"
#include "scene/scene_failure.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_CORNERS = 3, FEWEST_FACES = 4 };

/* The limit of polygon_triangulate. */
#define MOST_CORNERS ((uint32_t)1 << 30)

void object_elements_init(object_elements *elements, graze_kind kind) {
  const size_t width = kind_corner_count(kind);
  elements->kind = kind;
  elements->count = 0;
  array_init(&elements->corners, (width == CORNERS_VARY ? 1 : width) * sizeof(uint32_t));
  array_init(&elements->corner_first, sizeof(uint32_t));
  array_init(&elements->triangulation, 3 * sizeof(uint32_t));
  array_init(&elements->triangulation_first, sizeof(uint32_t));
  array_init(&elements->repeats, sizeof(uint8_t));
}

void object_elements_release(object_elements *elements, memory *heap) {
  ARRAYS_RELEASE(heap, &elements->corners, &elements->corner_first, &elements->triangulation,
                 &elements->triangulation_first, &elements->repeats);
}

/* ---------------------------------------------------------------------------------------------- fixed corners */

/* Message for corner `corner` of an element that refers to integer `component` of element `at` of the view, which is
 * not a vertex. */
static graze_result fail_index(graze_scene *scene, const object_label *label, graze_kind kind, size_t element,
                               size_t corner, const graze_view *view, size_t at, size_t component,
                               size_t vertex_count) {
  return scene_fail(scene, GRAZE_INDEX_OUT_OF_RANGE,
                    "%s: %s %zu refers to vertex %s at corner %zu; the object has %zu vertices", label->text,
                    graze_kind_text(kind, 1), element, view_index_text(view, at, component).text, corner, vertex_count);
}

/* Copies elements into an object with all workers. */
enum { COPY_GRAIN = 16384 };

typedef struct element_copy {
  const graze_view *view;
  size_t width, vertex_count;
  uint32_t *to;
  atomic_bool out_of_range; /* only ever set: the order of its writers does not matter */
} element_copy;

static void copy_elements(void *context, size_t first, size_t end, uint32_t worker) {
  element_copy *copy = context;
  const size_t width = copy->width;
  uint32_t *to = copy->to + width * first;
  (void)worker;
  view_read_indices(copy->view, first, end, to);
  /* Objects have fewer vertices than 2^32. The loop has no early exit, so that it is vectorized. */
  const uint32_t vertex_count = (uint32_t)copy->vertex_count;
  int outside = 0;
  for (size_t i = 0; i < width * (end - first); i++) outside |= to[i] >= vertex_count;
  if (outside != 0) atomic_store(&copy->out_of_range, true);
}

graze_result object_elements_copy(graze_scene *scene, const object_label *label, const graze_view *view,
                                  graze_kind kind, size_t first, size_t vertex_count, uint32_t *to) {
  const size_t width = kind_corner_count(kind);
  element_copy copy = {.view = view, .width = width, .vertex_count = vertex_count, .to = to};
  atomic_init(&copy.out_of_range, false);
  workers_for(scene->workers, view->count, COPY_GRAIN, copy_elements, &copy);
  for (size_t i = 0; atomic_load(&copy.out_of_range) && i < width * view->count; i++)
    if (to[i] >= vertex_count)
      return fail_index(scene, label, kind, first + i / width, i % width, view, i / width, i % width, vertex_count);
  return GRAZE_OK;
}

static graze_result fill_fixed(graze_scene *scene, const object_label *label, const graze_view *view,
                               scene_object *object) {
  object_elements *elements = &object->elements;
  if (!array_resize(&elements->corners, &scene->memory, view->count)) return scene_fail_memory(scene);
  elements->count = view->count;
  first_touch(scene->workers, elements->corners.data, view->count * elements->corners.element_bytes);
  return object_elements_copy(scene, label, view, elements->kind, 0, object->positions.count, elements->corners.data);
}

static graze_result check_triangles(const graze_mesh_def *def) {
  return view_check(&def->triangles, GRAZE_FORMAT_UINT32_3, "triangles");
}

static graze_result fill_triangles(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                   scene_object *object) {
  return fill_fixed(scene, label, &def->triangles, object);
}

static graze_result check_tetrahedra(const graze_mesh_def *def) {
  return view_check(&def->tetrahedra, GRAZE_FORMAT_UINT32_4, "tetrahedra");
}

static graze_result fill_tetrahedra(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                    scene_object *object) {
  return fill_fixed(scene, label, &def->tetrahedra, object);
}

/* ---------------------------------------------------------------------------------------------- rings */

static uint32_t number_at(const graze_view *view, size_t i) {
  uint32_t value;
  view_read_indices(view, i, i + 1, &value);
  return value;
}

static int compare_numbers(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Sorts a ring and returns whether it repeats a number; *distinct_out is the number of distinct ones. */
static bool sort_distinct(uint32_t *numbers, size_t count, size_t *distinct_out) {
  qsort(numbers, count, sizeof *numbers, compare_numbers);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || numbers[kept - 1] != numbers[i]) numbers[kept++] = numbers[i];
  *distinct_out = kept;
  return kept < count;
}

/* Scratch for reading the faces of polygons or polyhedra. */
typedef struct ring_work {
  uint32_t *scratch; /* polygon_triangulate_scratch of the longest ring, and one ring more */
  size_t scratch_count;
  double *points; /* of the longest ring */
  uint32_t (*triangles)[3];
  size_t longest;
} ring_work;

static bool ring_work_make(ring_work *work, memory *heap, size_t longest) {
  work->longest = longest;
  work->scratch_count = polygon_triangulate_scratch((uint32_t)longest) + longest;
  work->scratch = memory_allocate(heap, work->scratch_count, sizeof *work->scratch);
  work->points = memory_allocate(heap, longest, 3 * sizeof *work->points);
  work->triangles = memory_allocate(heap, longest, sizeof *work->triangles);
  return work->scratch != NULL && work->points != NULL && work->triangles != NULL;
}

static void ring_work_release(ring_work *work, memory *heap) {
  memory_release(heap, work->scratch, work->scratch_count, sizeof *work->scratch);
  memory_release(heap, work->points, work->longest, 3 * sizeof *work->points);
  memory_release(heap, work->triangles, work->longest, sizeof *work->triangles);
}

static object_source source_of_positions(const scene_object *object) {
  return (object_source){.positions = object->positions.data, .is_double = object->is_double};
}

/* The number of parts of each element, given by sizes or by starts. */
typedef struct size_list {
  const graze_view *view;
  bool by_starts;
  size_t count; /* of elements */
} size_list;

static size_list size_list_of(const graze_view *sizes, const graze_view *starts) {
  return starts->count > 0 ? (size_list){starts, true, starts->count - 1} : (size_list){sizes, false, sizes->count};
}

static size_list faces_of(const graze_mesh_def *def) {
  return size_list_of(&def->face_sizes, &def->face_starts);
}

static size_list cells_of(const graze_mesh_def *def) {
  return size_list_of(&def->cell_sizes, &def->cell_starts);
}

static uint32_t size_at(const size_list *sizes, size_t i) {
  return sizes->by_starts ? number_at(sizes->view, i + 1) - number_at(sizes->view, i) : number_at(sizes->view, i);
}

/* Checks that the sizes of `what` are given in one form only. */
static graze_result check_size_views(const graze_view *sizes, const graze_view *starts, const char *what) {
  char words[32];
  if (sizes->count > 0 && starts->count > 0)
    return fail(GRAZE_INVALID_ARGUMENT, "%ss have %zu sizes and %zu starts; give only one of them", what, sizes->count,
                starts->count);
  snprintf(words, sizeof words, "%s sizes", what);
  const graze_result result = view_check(sizes, GRAZE_FORMAT_UINT32, words);
  snprintf(words, sizeof words, "%s starts", what);
  return result == GRAZE_OK ? view_check(starts, GRAZE_FORMAT_UINT32, words) : result;
}

/* Refuses starts that do not begin at 0, do not ascend, or do not end at the number of parts. */
static graze_result check_starts(graze_scene *scene, const object_label *label, const size_list *sizes,
                                 const char *element, const char *part, size_t part_count) {
  const uint32_t begin = number_at(sizes->view, 0), end = number_at(sizes->view, sizes->count);
  if (begin != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the starts of %ss begin at %s, but must begin at 0",
                      label->text, element, view_index_text(sizes->view, 0, 0).text);
  for (size_t i = 0; i < sizes->count; i++) {
    const uint32_t first = number_at(sizes->view, i), next = number_at(sizes->view, i + 1);
    if (next < first)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: %s %zu starts at %s of the %s, and the next at %s",
                        label->text, element, i, view_index_text(sizes->view, i, 0).text, part,
                        view_index_text(sizes->view, i + 1, 0).text);
  }
  if (end != part_count)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the starts of %zu %ss end at %s %s; %zu are given",
                      label->text, sizes->count, element, view_index_text(sizes->view, sizes->count, 0).text, part,
                      part_count);
  return GRAZE_OK;
}

/* The given number of parts of element i. */
static index_text size_text(const size_list *sizes, size_t i) {
  const graze_view size = {&(uint32_t){size_at(sizes, i)}, 1, 0, GRAZE_FORMAT_UINT32};
  return sizes->by_starts ? view_index_text(&size, 0, 0) : view_index_text(sizes->view, i, 0);
}

/* Refuses sizes that are too small or too large, and sums that do not match the data. */
static graze_result check_sizes(graze_scene *scene, const object_label *label, const size_list *sizes,
                                const char *element, const char *part, uint32_t least, size_t part_count,
                                size_t *longest_out) {
  const graze_result result =
      sizes->by_starts ? check_starts(scene, label, sizes, element, part, part_count) : GRAZE_OK;
  if (result != GRAZE_OK) return result;
  uint64_t sum = 0;
  *longest_out = 0;
  for (size_t i = 0; i < sizes->count; i++) {
    const uint32_t size = size_at(sizes, i);
    const bool outside = size < least || size > MOST_CORNERS;
    const index_text words = outside ? size_text(sizes, i) : (index_text){""};
    if (size < least || words.text[0] == '-')
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: %s %zu has %s %s; at least %u are required", label->text,
                        element, i, words.text, part, least);
    if (outside)
      return scene_fail(scene, GRAZE_TOO_LARGE, "%s: %s %zu has %s %s; at most %u are supported", label->text, element,
                        i, words.text, part, MOST_CORNERS);
    sum += size;
    *longest_out = size > *longest_out ? size : *longest_out;
  }
  if (sum != part_count)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the sizes of %zu %ss sum to %llu %s; %zu are given",
                      label->text, sizes->count, element, (unsigned long long)sum, part, part_count);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- polygons */

static graze_result check_polygons(const graze_mesh_def *def) {
  const graze_result result = view_check(&def->corners, GRAZE_FORMAT_UINT32, "corners");
  return result == GRAZE_OK ? check_size_views(&def->face_sizes, &def->face_starts, "face") : result;
}

static graze_result fill_polygon(graze_scene *scene, const object_label *label, const graze_view *corners,
                                 const scene_object *object, ring_work *work, size_t polygon, uint32_t first,
                                 uint32_t count) {
  const object_elements *elements = &object->elements;
  const object_source source = source_of_positions(object);
  uint32_t *ring = ARRAY_AS(uint32_t, &elements->corners) + first;
  for (uint32_t i = 0; i < count; i++) {
    if (ring[i] >= object->positions.count)
      return fail_index(scene, label, elements->kind, polygon, i, corners, first + i, 0, object->positions.count);
    fetch_vertex(&source, ring[i], work->points + 3 * i);
  }
  polygon_triangulate(work->points, count, work->scratch, work->triangles);
  uint32_t *triangulation = ARRAY_AS(uint32_t, &elements->triangulation) + 3 * (first - 2 * polygon);
  for (uint32_t i = 0; i < count - 2; i++)
    for (int k = 0; k < 3; k++) triangulation[3 * i + k] = ring[work->triangles[i][k]];
  size_t distinct;
  if (count >= ASCENDING_LEAST) qsort(ring, count, sizeof *ring, compare_numbers);
  memcpy(work->scratch, ring, count * sizeof *ring);
  ARRAY_AS(uint8_t, &elements->repeats)[polygon] = sort_distinct(work->scratch, count, &distinct);
  return GRAZE_OK;
}

static graze_result fill_polygons(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                  scene_object *object) {
  object_elements *elements = &object->elements;
  memory *heap = &scene->memory;
  const size_list polygons = faces_of(def);
  const size_t polygon_count = polygons.count, corner_count = def->corners.count;
  size_t longest;
  graze_result result =
      check_sizes(scene, label, &polygons, "polygon", "corners", FEWEST_CORNERS, corner_count, &longest);
  if (result != GRAZE_OK) return result;
  ring_work work = {0};
  if (!array_resize(&elements->corners, heap, corner_count) ||
      !array_resize(&elements->corner_first, heap, polygon_count + 1) ||
      !array_resize(&elements->triangulation, heap, corner_count - 2 * polygon_count) ||
      !array_resize(&elements->repeats, heap, polygon_count) || !ring_work_make(&work, heap, longest)) {
    ring_work_release(&work, heap);
    return scene_fail_memory(scene);
  }
  elements->count = polygon_count;
  view_read_indices(&def->corners, 0, corner_count, elements->corners.data);
  uint32_t first = 0;
  for (size_t i = 0; i < polygon_count && result == GRAZE_OK; i++) {
    const uint32_t count = size_at(&polygons, i);
    ARRAY_AS(uint32_t, &elements->corner_first)[i] = first;
    result = fill_polygon(scene, label, &def->corners, object, &work, i, first, count);
    first += count;
  }
  ARRAY_AS(uint32_t, &elements->corner_first)[polygon_count] = first;
  ring_work_release(&work, heap);
  return result;
}

/* ---------------------------------------------------------------------------------------------- polyhedra */

static graze_result check_polyhedra(const graze_mesh_def *def) {
  const graze_result result = check_polygons(def); /* its faces */
  return result == GRAZE_OK ? check_size_views(&def->cell_sizes, &def->cell_starts, "cell") : result;
}

/* Scratch for reading cells. */
typedef struct cell_work {
  uint32_t *ring_first;   /* where the faces of the cell begin among its corners, and an end */
  uint32_t *ring_corners; /* corners of the faces, as indices into the cell's list of vertices */
  uint32_t *vertices;     /* sorted; one cell's corners, repeated as faces use them */
  size_t most_faces, most_corners;
} cell_work;

static bool cell_work_make(cell_work *work, memory *heap, size_t most_faces, size_t most_corners) {
  work->most_faces = most_faces;
  work->most_corners = most_corners;
  work->ring_first = memory_allocate(heap, most_faces + 1, sizeof *work->ring_first);
  work->ring_corners = memory_allocate(heap, most_corners, sizeof *work->ring_corners);
  work->vertices = memory_allocate(heap, most_corners, sizeof *work->vertices);
  return work->ring_first != NULL && work->ring_corners != NULL && work->vertices != NULL;
}

static void cell_work_release(cell_work *work, memory *heap) {
  memory_release(heap, work->ring_first, work->most_faces + 1, sizeof *work->ring_first);
  memory_release(heap, work->ring_corners, work->most_corners, sizeof *work->ring_corners);
  memory_release(heap, work->vertices, work->most_corners, sizeof *work->vertices);
}

/* One cell of the definition: its faces, and the corners that they use. */
typedef struct cell_range {
  size_t number;
  size_t first_face, face_count;
  size_t first_corner, corner_count;
} cell_range;

static cell_range next_cell(const graze_mesh_def *def, const cell_range *before, size_t number) {
  const size_list cells = cells_of(def), faces = faces_of(def);
  cell_range cell = {.number = number,
                     .first_face = before->first_face + before->face_count,
                     .face_count = size_at(&cells, number),
                     .first_corner = before->first_corner + before->corner_count};
  for (size_t i = 0; i < cell.face_count; i++) cell.corner_count += size_at(&faces, cell.first_face + i);
  return cell;
}

static size_t most_corners_of(const graze_mesh_def *def) {
  cell_range cell = {0};
  size_t most = 0;
  for (size_t i = 0; i < cells_of(def).count; i++) {
    cell = next_cell(def, &cell, i);
    most = cell.corner_count > most ? cell.corner_count : most;
  }
  return most;
}

/* Writes the distinct vertices of the cell, sorted, to the front of work->vertices; *repeats_out is whether a face
 * repeats one. */
static graze_result collect_vertices(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                     const cell_range *cell, cell_work *work, size_t *distinct_out, bool *repeats_out) {
  const size_t vertex_count = def->positions.count;
  const size_list faces = faces_of(def);
  size_t at = 0;
  *repeats_out = false;
  for (size_t face = 0; face < cell->face_count; face++) {
    const uint32_t size = size_at(&faces, cell->first_face + face);
    work->ring_first[face] = (uint32_t)at;
    const size_t first = cell->first_corner + at;
    view_read_indices(&def->corners, first, first + size, work->vertices + at);
    for (uint32_t i = 0; i < size; i++)
      if (work->vertices[at + i] >= vertex_count)
        return fail_index(scene, label, GRAZE_KIND_POLYHEDRON, cell->number, at + i, &def->corners, first + i, 0,
                          vertex_count);
    size_t distinct;
    *repeats_out |=
        sort_distinct(work->vertices + at, size, &distinct); /* keeps the set of vertices, but not their counts */
    at += size;
  }
  work->ring_first[cell->face_count] = (uint32_t)at;
  sort_distinct(work->vertices, cell->corner_count, distinct_out);
  if (*distinct_out > GRAZE_POLYHEDRON_CORNERS)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%s: polyhedron %zu has %zu corners; at most %d are supported",
                      label->text, cell->number, *distinct_out, GRAZE_POLYHEDRON_CORNERS);
  return GRAZE_OK;
}

static graze_result check_convex(graze_scene *scene, const object_label *label, const scene_object *object,
                                 const cell_range *cell, const cell_work *work, size_t distinct) {
  const object_source source = source_of_positions(object);
  double points[3 * GRAZE_POLYHEDRON_CORNERS];
  for (size_t i = 0; i < distinct; i++) fetch_vertex(&source, work->vertices[i], points + 3 * i);
  const convex_shape shape = {points, work->ring_corners, work->ring_first, (uint32_t)cell->face_count};
  const convex_defect defect = convex_shape_check(&shape);
  static const char *const words[CONVEX_DEFECT_KIND_COUNT] = {
      [CONVEX_SHAPE_SOUND] = "",
      [CONVEX_SHAPE_FEW_FACES] = "it has too few faces, the last being %u, with vertex %u",
      [CONVEX_SHAPE_FEW_CORNERS] = "face %u has too few corners, among them vertex %u",
      [CONVEX_SHAPE_OPEN_EDGE] = "the edge of face %u that begins at vertex %u does not belong to two faces",
      [CONVEX_SHAPE_NO_AREA] = "face %u, with vertex %u, has no area",
      [CONVEX_SHAPE_CORNER_OUTSIDE] = "face %u: vertex %u lies outside it"};
  if (defect.kind == CONVEX_SHAPE_SOUND) return GRAZE_OK;
  char message[128];
  snprintf(message, sizeof message, words[defect.kind], defect.face, work->vertices[defect.corner]);
  return scene_fail(scene, GRAZE_NOT_CONVEX, "%s: polyhedron %zu is not convex: %s", label->text, cell->number,
                    message);
}

/* Converts face corners to indices into the cell's own list. */
static void place_corners(const graze_mesh_def *def, const cell_range *cell, const cell_work *work, size_t distinct) {
  for (size_t i = 0; i < cell->corner_count; i++) {
    const uint32_t vertex = number_at(&def->corners, cell->first_corner + i);
    const uint32_t *found = bsearch(&vertex, work->vertices, distinct, sizeof vertex, compare_numbers);
    work->ring_corners[i] = (uint32_t)(found - work->vertices);
  }
}

/* Faces are convex, so each is a fan of triangles around its first corner. */
static void write_fans(const cell_range *cell, const cell_work *work, uint32_t *triangulation) {
  for (size_t face = 0; face < cell->face_count; face++) {
    const uint32_t first = work->ring_first[face], end = work->ring_first[face + 1];
    for (uint32_t i = first + 1; i + 1 < end; i++, triangulation += 3) {
      triangulation[0] = work->vertices[work->ring_corners[first]];
      triangulation[1] = work->vertices[work->ring_corners[i]];
      triangulation[2] = work->vertices[work->ring_corners[i + 1]];
    }
  }
}

/* Appends cell i. Its begin in the corner and piece lists is set; its end is written. */
static graze_result fill_polyhedron(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                    scene_object *object, const cell_range *cell, cell_work *work) {
  object_elements *elements = &object->elements;
  size_t distinct = 0;
  bool repeats;
  graze_result result = collect_vertices(scene, label, def, cell, work, &distinct, &repeats);
  if (result != GRAZE_OK) return result;
  place_corners(def, cell, work, distinct);
  result = check_convex(scene, label, object, cell, work, distinct);
  if (result != GRAZE_OK) return result;
  uint32_t *corner_first = ARRAY_AS(uint32_t, &elements->corner_first) + cell->number;
  uint32_t *triangulation_first = ARRAY_AS(uint32_t, &elements->triangulation_first) + cell->number;
  memcpy(ARRAY_AS(uint32_t, &elements->corners) + corner_first[0], work->vertices, distinct * sizeof(uint32_t));
  write_fans(cell, work, ARRAY_AS(uint32_t, &elements->triangulation) + 3 * (size_t)triangulation_first[0]);
  corner_first[1] = corner_first[0] + (uint32_t)distinct;
  triangulation_first[1] = triangulation_first[0] + (uint32_t)(cell->corner_count - 2 * cell->face_count);
  ARRAY_AS(uint8_t, &elements->repeats)[cell->number] = repeats;
  return GRAZE_OK;
}

static graze_result fill_polyhedra(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                   scene_object *object) {
  object_elements *elements = &object->elements;
  memory *heap = &scene->memory;
  const size_list cells = cells_of(def), faces = faces_of(def);
  const size_t cell_count = cells.count, face_count = faces.count, corner_count = def->corners.count;
  size_t most_faces, longest;
  graze_result result = check_sizes(scene, label, &cells, "polyhedron", "faces", FEWEST_FACES, face_count, &most_faces);
  if (result == GRAZE_OK)
    result = check_sizes(scene, label, &faces, "face", "corners", FEWEST_CORNERS, corner_count, &longest);
  if (result != GRAZE_OK) return result;
  cell_work work = {0};
  if (!array_resize(&elements->corners, heap, corner_count) ||
      !array_resize(&elements->corner_first, heap, cell_count + 1) ||
      !array_resize(&elements->triangulation, heap, corner_count - 2 * face_count) ||
      !array_resize(&elements->triangulation_first, heap, cell_count + 1) ||
      !array_resize(&elements->repeats, heap, cell_count) ||
      !cell_work_make(&work, heap, most_faces, most_corners_of(def))) {
    cell_work_release(&work, heap);
    return scene_fail_memory(scene);
  }
  elements->count = cell_count;
  ARRAY_AS(uint32_t, &elements->corner_first)[0] = ARRAY_AS(uint32_t, &elements->triangulation_first)[0] = 0;
  cell_range cell = {0};
  for (size_t i = 0; i < cell_count && result == GRAZE_OK; i++) {
    cell = next_cell(def, &cell, i);
    result = fill_polyhedron(scene, label, def, object, &cell, &work);
  }
  cell_work_release(&work, heap);
  return result;
}

/* ---------------------------------------------------------------------------------------------- triangulated */

/* Checks that starts begin at 0, increase by a number in [least, most], and end at the number of parts. */
static bool starts_are_sound(const array *starts, size_t count, uint32_t least, uint32_t most, size_t end) {
  const uint32_t *start = starts->data;
  if (start[0] != 0 || start[count] != end) return false;
  for (size_t i = 0; i < count; i++)
    if (start[i + 1] < start[i] || start[i + 1] - start[i] < least || start[i + 1] - start[i] > most) return false;
  return true;
}

static bool are_below(const array *numbers, size_t count, size_t end) {
  const uint32_t *number = numbers->data;
  bool below = true;
  for (size_t i = 0; i < count; i++) below = below && number[i] < end;
  return below;
}

static bool take_array(array *to, memory *heap, const unsigned char *from, size_t count) {
  if (!array_resize(to, heap, count)) return false;
  if (count > 0) memcpy(to->data, from, count * to->element_bytes);
  return true;
}

graze_result object_elements_take(graze_scene *scene, const object_label *label, const cut_elements *cut,
                                  scene_object *object) {
  object_elements *elements = &object->elements;
  memory *heap = &scene->memory;
  const bool is_cells = kind_has_faces(elements->kind);
  if (!take_array(&elements->corners, heap, cut->corners, cut->corner_count) ||
      !take_array(&elements->corner_first, heap, cut->corner_first, cut->count + 1) ||
      !take_array(&elements->triangulation, heap, cut->triangulation, cut->triangle_count) ||
      !take_array(&elements->repeats, heap, cut->repeats, cut->count) ||
      (is_cells && !take_array(&elements->triangulation_first, heap, cut->triangulation_first, cut->count + 1)))
    return scene_fail_memory(scene);
  elements->count = cut->count;
  const bool sound =
      starts_are_sound(&elements->corner_first, cut->count, is_cells ? 1 : FEWEST_CORNERS,
                       is_cells ? GRAZE_POLYHEDRON_CORNERS : MOST_CORNERS, cut->corner_count) &&
      (is_cells ? starts_are_sound(&elements->triangulation_first, cut->count, 1, UINT32_MAX, cut->triangle_count)
                : cut->triangle_count == cut->corner_count - 2 * cut->count) &&
      are_below(&elements->corners, cut->corner_count, object->positions.count) &&
      are_below(&elements->triangulation, 3 * cut->triangle_count, object->positions.count);
  return sound ? GRAZE_OK
               : scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the elements of the part are invalid", label->text);
}

/* ---------------------------------------------------------------------------------------------- spheres */

static graze_result check_spheres(const graze_mesh_def *def) {
  return view_check(&def->radii, GRAZE_FORMAT_DOUBLE, "radii");
}

/* Sphere i is around vertex i. */
static graze_result fill_spheres(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                 scene_object *object) {
  object_elements *elements = &object->elements;
  const size_t count = def->positions.count;
  if (def->radii.count != count)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: %zu spheres have %zu radii", label->text, count,
                      def->radii.count);
  if (!array_resize(&elements->corners, &scene->memory, count) || !array_resize(&object->radii, &scene->memory, count))
    return scene_fail_memory(scene);
  elements->count = count;
  for (size_t i = 0; i < count; i++) ARRAY_AS(uint32_t, &elements->corners)[i] = (uint32_t)i;
  return scene_copy_radii(scene, label, &def->radii, 0, object->radii.element_bytes == sizeof(double),
                          object->radii.data);
}

/* ---------------------------------------------------------------------------------------------- any kind */

/* How a kind is read from a definition */
typedef struct element_reader {
  graze_result (*check)(const graze_mesh_def *def);
  graze_result (*fill)(graze_scene *scene, const object_label *label, const graze_mesh_def *def, scene_object *object);
} element_reader;

static const element_reader readers[] = {[GRAZE_KIND_TRIANGLE] = {check_triangles, fill_triangles},
                                         [GRAZE_KIND_POLYGON] = {check_polygons, fill_polygons},
                                         [GRAZE_KIND_TETRAHEDRON] = {check_tetrahedra, fill_tetrahedra},
                                         [GRAZE_KIND_POLYHEDRON] = {check_polyhedra, fill_polyhedra},
                                         [GRAZE_KIND_SPHERE] = {check_spheres, fill_spheres}};

_Static_assert(sizeof readers / sizeof *readers == KIND_COUNT, "every kind is read");

graze_result object_elements_check(const graze_mesh_def *def, graze_kind kind) {
  return readers[kind].check(def);
}

graze_result object_elements_fill(graze_scene *scene, const object_label *label, const graze_mesh_def *def,
                                  scene_object *object) {
  return readers[object->elements.kind].fill(scene, label, def, object);
}

/* ---------------------------------------------------------------------------------------------- radii */

/* Reports the first invalid radius. */
graze_result scene_check_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first) {
  for (size_t i = 0; i < view->count; i++) {
    const double radius = view_read_number(view, i);
    if (!isfinite(radius))
      return scene_fail(scene, GRAZE_NOT_FINITE, "%s: the radius of sphere %zu is %g", label->text, first + i, radius);
    if (radius < 0.0)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the radius of sphere %zu is %g; it must be 0 or more",
                        label->text, first + i, radius);
  }
  return GRAZE_OK;
}

graze_result scene_copy_radii(graze_scene *scene, const object_label *label, const graze_view *view, size_t first,
                              bool to_double, void *to) {
  const graze_result result = scene_check_radii(scene, label, view, first);
  for (size_t i = 0; i < view->count && result == GRAZE_OK; i++) {
    const double radius = fabs(view_read_number(view, i)); /* -0 becomes 0 */
    if (to_double)
      ((double *)to)[i] = radius;
    else
      ((float *)to)[i] = (float)radius;
  }
  return result;
}
