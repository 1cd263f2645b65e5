/* Places of vertices; see region_vertices.h. Vertices are sorted by a hash of their places, and those with the same
 * hash are compared.
 *
 * Workload: the vertices of intersecting primitives, often a tenth of all; nearly all have a place of their own. */
#include "regions/region_vertices.h"

#include "base/pair_hash.h"
#include "base/radix_sort.h"
#include "geometry/orientation.h"

#include <string.h>

/* Marks a vertex of some pair, during the search for vertices. */
#define USED 1u

/* State of the search for the places of vertices. */
typedef struct welding {
  const region_scene *scene;
  array used;                 /* uint8_t, one per primitive */
  array vertices;             /* uint32_t, the scene's numbers, in the order of places */
  array objects;              /* uint32_t, one per vertex of the scene */
  array keys, key_scratch;    /* uint64_t */
  array order, order_scratch; /* uint32_t */
  array first;                /* uint32_t, for each the first vertex at its place */
} welding;

static void welding_init(welding *work, const region_scene *scene) {
  work->scene = scene;
  array_init(&work->used, sizeof(uint8_t));
  array_init(&work->vertices, sizeof(uint32_t));
  array_init(&work->objects, sizeof(uint32_t));
  array_init(&work->keys, sizeof(uint64_t));
  array_init(&work->key_scratch, sizeof(uint64_t));
  array_init(&work->order, sizeof(uint32_t));
  array_init(&work->order_scratch, sizeof(uint32_t));
  array_init(&work->first, sizeof(uint32_t));
}

static void welding_release(welding *work) {
  array *const arrays[] = {&work->used,        &work->vertices, &work->objects,       &work->keys,
                           &work->key_scratch, &work->order,    &work->order_scratch, &work->first};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) array_release(arrays[i], work->scene->heap);
}

/* Marks the vertices of the primitives of all pairs in `place_of`; returns their number. */
static size_t mark_vertices(welding *work, const index_pair *pairs, size_t count, uint32_t *place_of) {
  const region_scene *scene = work->scene;
  uint8_t *used = work->used.data;
  size_t vertex_count = 0;
  memset(used, 0, scene->primitive_count);
  memset(place_of, 0, scene->vertex_count * sizeof *place_of);
  for (size_t i = 0; i < count; i++) used[pairs[i].a] = used[pairs[i].b] = 1;
  for (size_t i = 0; i < scene->primitive_count; i++) {
    if (used[i] == 0) continue;
    const object_source *source = region_source(scene, (uint32_t)i);
    const corner_list corners = corners_of(source, (uint32_t)i);
    for (uint32_t j = 0; j < corners.count; j++) {
      uint32_t *mark = &place_of[source->first_vertex + corners.vertices[j]];
      vertex_count += *mark == 0;
      *mark = USED;
    }
  }
  return vertex_count;
}

/* Lists them, object by object. Objects may not be in the order of their vertices; the list is. */
static bool list_vertices(welding *work, const uint32_t *place_of, size_t vertex_count) {
  const region_scene *scene = work->scene;
  memory *heap = scene->heap;
  if (!array_resize(&work->vertices, heap, vertex_count) || !array_resize(&work->objects, heap, scene->vertex_count))
    return false;
  uint32_t *objects = work->objects.data, *vertices = work->vertices.data;
  const uint8_t *used = work->used.data;
  for (size_t i = 0; i < scene->primitive_count; i++) {
    if (used[i] == 0) continue;
    const uint32_t object = region_owner(scene, (uint32_t)i);
    const object_source *source = &scene->measured.sources[object];
    const corner_list corners = corners_of(source, (uint32_t)i);
    for (uint32_t j = 0; j < corners.count; j++) objects[source->first_vertex + corners.vertices[j]] = object;
  }
  size_t listed = 0;
  for (size_t i = 0; i < scene->vertex_count; i++)
    if (place_of[i] == USED) vertices[listed++] = (uint32_t)i;
  return true;
}

static uint32_t whole_of(const welding *work, uint32_t vertex) {
  return whole_of_object(work->scene->rules, ARRAY_AS(uint32_t, &work->objects)[vertex]);
}

/* Orders the list by the numbers of the vertices in their whole objects. */
static void order_by_number(welding *work) {
  const region_scene *scene = work->scene;
  uint64_t *keys = work->keys.data;
  uint32_t *vertices = work->vertices.data;
  if (scene->numbers == NULL) return;
  for (size_t i = 0; i < work->vertices.count; i++) {
    const uint32_t object = ARRAY_AS(uint32_t, &work->objects)[vertices[i]];
    const uint32_t own = vertices[i] - scene->measured.sources[object].first_vertex;
    keys[i] = (uint64_t)whole_of(work, vertices[i]) << 32 | part_vertex_number(&scene->numbers[object], own);
  }
  radix_sort_pairs_stoppable(keys, vertices, work->key_scratch.data, work->order_scratch.data, work->vertices.count, 64,
                             scene->heap, scene->team, scene->stop);
}

/* The object and place of a vertex. Negative zero becomes zero. */
static const object_source *locate(const welding *work, uint32_t vertex, double place_out[3]) {
  const object_source *source = &work->scene->measured.sources[ARRAY_AS(uint32_t, &work->objects)[vertex]];
  fetch_vertex(source, vertex - source->first_vertex, place_out);
  for (int axis = 0; axis < 3; axis++) place_out[axis] += 0.0;
  return source;
}

static void key_range(void *context, size_t first, size_t end, uint32_t worker) {
  welding *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const uint32_t vertex = ARRAY_AS(uint32_t, &work->vertices)[i];
    double place[3];
    const object_source *source = locate(work, vertex, place);
    uint64_t key = kind_is_ball(source->kind) ? vertex : whole_of(work, vertex), bits[3];
    memcpy(bits, place, sizeof bits);
    for (int axis = 0; axis < 3; axis++) key = pair_hash_mix(key + bits[axis] * UINT64_C(0x9e3779b97f4a7c15));
    ARRAY_AS(uint64_t, &work->keys)[i] = key;
    ARRAY_AS(uint32_t, &work->order)[i] = (uint32_t)i;
  }
}

static bool are_at_one_place(const welding *work, uint32_t a, uint32_t b) {
  double p[3], q[3];
  const object_source *source = locate(work, a, p);
  locate(work, b, q);
  return whole_of(work, a) == whole_of(work, b) && !kind_is_ball(source->kind) && points_equal(p, q);
}

/* Assigns each vertex of a run with the same key the first one at its place, in the order of the list. */
static void weld_run(welding *work, const uint32_t *run, size_t count) {
  const uint32_t *vertices = work->vertices.data;
  uint32_t *first = work->first.data;
  for (size_t i = 0; i < count; i++) {
    first[run[i]] = run[i];
    for (size_t j = 0; j < i; j++) {
      if (first[run[j]] != run[j] || !are_at_one_place(work, vertices[run[j]], vertices[run[i]])) continue;
      first[run[i]] = run[j];
      break;
    }
  }
}

static bool weld(welding *work) {
  const region_scene *scene = work->scene;
  memory *heap = scene->heap;
  const size_t count = work->vertices.count;
  if (!array_resize(&work->keys, heap, count) || !array_resize(&work->key_scratch, heap, count) ||
      !array_resize(&work->order, heap, count) || !array_resize(&work->order_scratch, heap, count) ||
      !array_resize(&work->first, heap, count))
    return false;
  order_by_number(work);
  workers_for(scene->team, count, REGION_GRAIN, key_range, work);
  uint64_t *keys = work->keys.data;
  uint32_t *order = work->order.data;
  radix_sort_pairs_stoppable(keys, order, work->key_scratch.data, work->order_scratch.data, count, 64, heap,
                             scene->team, scene->stop);
  if (stop_was_requested(scene->stop)) return true; /* keys are then arbitrary; the caller checks too */
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && keys[end] == keys[begin]; end++) {
    }
    weld_run(work, order + begin, end - begin);
  }
  return true;
}

/* Numbers the places in the order of their first vertices. */
static bool number_places(const welding *work, region_vertices *vertices) {
  const uint32_t *vertex = work->vertices.data, *first = work->first.data;
  uint32_t *place_of = vertices->place_of.data;
  size_t place_count = 0;
  for (size_t i = 0; i < work->vertices.count; i++) place_count += first[i] == i;
  if (!array_resize(&vertices->vertex_of, work->scene->heap, place_count) ||
      !array_resize(&vertices->object_of, work->scene->heap, place_count))
    return false;
  uint32_t place = 0;
  for (size_t i = 0; i < work->vertices.count; i++) {
    if (first[i] == i) {
      ARRAY_AS(uint32_t, &vertices->vertex_of)[place] = vertex[i];
      ARRAY_AS(uint32_t, &vertices->object_of)[place] = ARRAY_AS(uint32_t, &work->objects)[vertex[i]];
    }
    place_of[vertex[i]] = first[i] == i ? place++ : place_of[vertex[first[i]]];
  }
  return true;
}

void region_vertices_init(region_vertices *vertices) {
  array_init(&vertices->place_of, sizeof(uint32_t));
  array_init(&vertices->vertex_of, sizeof(uint32_t));
  array_init(&vertices->object_of, sizeof(uint32_t));
}

bool region_vertices_make(const region_scene *scene, const index_pair *pairs, size_t count, region_vertices *vertices) {
  welding work;
  welding_init(&work, scene);
  bool complete = array_resize(&work.used, scene->heap, scene->primitive_count) &&
                  array_resize(&vertices->place_of, scene->heap, scene->vertex_count);
  if (complete) {
    const size_t used = mark_vertices(&work, pairs, count, vertices->place_of.data);
    complete = list_vertices(&work, vertices->place_of.data, used) && weld(&work);
  }
  if (complete && !stop_is_requested(scene->stop)) complete = number_places(&work, vertices);
  welding_release(&work);
  return complete;
}

void region_vertices_release(region_vertices *vertices, memory *heap) {
  array_release(&vertices->place_of, heap);
  array_release(&vertices->vertex_of, heap);
  array_release(&vertices->object_of, heap);
}
