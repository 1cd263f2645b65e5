/* Pairs grouped into regions; see region_groups.h.
 *
 * Two pairs are neighbors if they have a common place u on side a and a common place v on side b; equal primitives
 * share all their places. So it is enough to unite, for every (u, v), the pairs that have it. For each u, the pairs at
 * u are visited, and each of their places v stores the last pair that had it. This takes the product of the corners of
 * two primitives, nine steps for two triangles, with local memory access: the places of small primitives are stored
 * with their pairs. A place u of a single pair needs no steps: most corners of two large polygons are such.
 *
 * Within an object the sides of a pair are interchangeable. There each pair is listed at the places of both sides, and
 * (u, v) is visited only if u is not above v.
 *
 * Workload: 10^2 to 10^7 pairs. */
#include "regions/region_groups.h"

#include "base/disjoint_sets.h"
#include "base/pair_hash.h"
#include "base/radix_sort.h"
#include "geometry/orientation.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- places */

/* Vertices are sorted by a hash of their places, and those with the same
 * hash are compared.
 *
 * Workload: the vertices of intersecting primitives, often a tenth of all; nearly all have a place of their own. */

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
  ARRAYS_RELEASE(work->scene->heap, &work->used, &work->vertices, &work->objects, &work->keys, &work->key_scratch,
                 &work->order, &work->order_scratch, &work->first);
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
  ARRAYS_RELEASE(heap, &vertices->place_of, &vertices->vertex_of, &vertices->object_of);
}

/* Places of a primitive stored with each of its pairs; unused ones are NO_PLACE. */
enum { KEPT_PLACES = 4 };
#define NO_PLACE UINT32_MAX

/* The places of both primitives of a pair. The first of side a is NO_PLACE if a primitive has more than KEPT_PLACES. */
typedef struct pair_places {
  uint32_t side[2][KEPT_PLACES];
} pair_places;

/* The last pair with a given place on its other side. */
typedef struct last_pair {
  uint32_t at, pair; /* the visited place u, plus one */
} last_pair;

typedef struct grouping {
  const region_scene *scene;
  const region_vertices *vertices;
  const index_pair *pairs;
  size_t count;
  array places; /* pair_places, one per pair */
  array first;  /* size_t, one per place, and an end: where its pairs begin */
  array at;     /* uint32_t, pairs: twice their number, plus one for side b */
  array last;   /* last_pair, one per place */
  uint32_t *parent;
} grouping;

static bool is_within(const grouping *work, index_pair pair) {
  return region_whole(work->scene, pair.a) == region_whole(work->scene, pair.b);
}

static bool keep_places(const grouping *work, uint32_t primitive, uint32_t kept_out[KEPT_PLACES]) {
  const object_source *source = region_source(work->scene, primitive);
  const corner_list corners = corners_of(source, primitive);
  for (uint32_t i = 0; i < KEPT_PLACES; i++)
    kept_out[i] = i < corners.count ? place_of_corner(work->vertices, source, corners.vertices[i]) : NO_PLACE;
  return corners.count <= KEPT_PLACES;
}

static void keep_range(void *context, size_t first, size_t end, uint32_t worker) {
  const grouping *work = context;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    pair_places *places = &ARRAY_AS(pair_places, &work->places)[i];
    const bool a_fits = keep_places(work, work->pairs[i].a, places->side[0]);
    const bool b_fits = keep_places(work, work->pairs[i].b, places->side[1]);
    if (!a_fits || !b_fits) places->side[0][0] = NO_PLACE;
  }
}

/* ---------------------------------------------------------------------------------------------- pairs by places */

/* Counts a pair at a place, or writes it there: then the first index of each place ends at its end. */
static void enter_place(grouping *work, uint32_t place, bool writes, uint32_t entry) {
  size_t *first = work->first.data;
  if (writes)
    ARRAY_AS(uint32_t, &work->at)[first[place]++] = entry;
  else
    first[place + 1] += 1;
}

static void enter_side(grouping *work, size_t pair, int side, bool writes) {
  const pair_places *places = &ARRAY_AS(pair_places, &work->places)[pair];
  const uint32_t entry = (uint32_t)(2 * pair) + (uint32_t)side;
  if (places->side[0][0] != NO_PLACE) {
    const uint32_t *kept = places->side[side];
    for (int i = 0; i < KEPT_PLACES && kept[i] != NO_PLACE; i++) enter_place(work, kept[i], writes, entry);
    return;
  }
  const uint32_t primitive = side == 0 ? work->pairs[pair].a : work->pairs[pair].b;
  const object_source *source = region_source(work->scene, primitive);
  const corner_list corners = corners_of(source, primitive);
  for (uint32_t i = 0; i < corners.count; i++)
    enter_place(work, place_of_corner(work->vertices, source, corners.vertices[i]), writes, entry);
}

static void enter_all(grouping *work, bool writes) {
  for (size_t i = 0; i < work->count; i++) {
    enter_side(work, i, 0, writes);
    if (is_within(work, work->pairs[i])) enter_side(work, i, 1, writes);
  }
}

/* Lists pairs by places. */
static bool list_pairs(grouping *work) {
  const size_t place_count = work->vertices->vertex_of.count;
  memory *heap = work->scene->heap;
  if (!array_resize(&work->first, heap, place_count + 1)) return false;
  size_t *first = work->first.data;
  memset(first, 0, (place_count + 1) * sizeof *first);
  enter_all(work, false);
  for (size_t i = 0; i < place_count; i++) first[i + 1] += first[i];
  if (!array_resize(&work->at, heap, first[place_count])) return false;
  enter_all(work, true);
  memmove(first + 1, first, place_count * sizeof *first);
  first[0] = 0;
  return true;
}

/* ---------------------------------------------------------------------------------------------- regions */

/* Unites a pair with the last one with the places u and v. */
static void unite_over(grouping *work, uint32_t u, uint32_t v, uint32_t pair) {
  last_pair *last = &ARRAY_AS(last_pair, &work->last)[v];
  if (last->at == u + 1 && last->pair != pair) disjoint_sets_unite(work->parent, last->pair, pair);
  *last = (last_pair){u + 1, pair};
}

/* The same for the place u and all places of the pair's other side; within an object only places not below u. */
static void unite_at(grouping *work, uint32_t u, uint32_t entry) {
  const uint32_t pair = entry / 2;
  const int other_side = entry % 2 == 0 ? 1 : 0;
  const pair_places *places = &ARRAY_AS(pair_places, &work->places)[pair];
  const uint32_t least = is_within(work, work->pairs[pair]) ? u : 0;
  if (places->side[0][0] != NO_PLACE) {
    const uint32_t *kept = places->side[other_side];
    for (int i = 0; i < KEPT_PLACES && kept[i] != NO_PLACE; i++)
      if (kept[i] >= least) unite_over(work, u, kept[i], pair);
    return;
  }
  const uint32_t other = other_side == 0 ? work->pairs[pair].a : work->pairs[pair].b;
  const object_source *source = region_source(work->scene, other);
  const corner_list corners = corners_of(source, other);
  for (uint32_t i = 0; i < corners.count; i++) {
    const uint32_t v = place_of_corner(work->vertices, source, corners.vertices[i]);
    if (v >= least) unite_over(work, u, v, pair);
  }
}

static bool group_pairs(grouping *work) {
  const size_t place_count = work->vertices->vertex_of.count;
  if (!array_resize(&work->places, work->scene->heap, work->count)) return false;
  workers_for(work->scene->team, work->count, 4 * REGION_GRAIN, keep_range, work);
  if (!list_pairs(work) || !array_resize(&work->last, work->scene->heap, place_count)) return false;
  memset(work->last.data, 0, place_count * sizeof(last_pair));
  const size_t *first = work->first.data;
  for (size_t u = 0; u < place_count; u++) {
    if (first[u + 1] - first[u] < 2) continue;
    for (size_t i = first[u]; i < first[u + 1]; i++) {
      if (i % REGION_GRAIN == 0 && stop_is_requested(work->scene->stop)) return true;
      unite_at(work, (uint32_t)u, ARRAY_AS(uint32_t, &work->at)[i]);
    }
  }
  return true;
}

bool region_groups_find(const region_scene *scene, const region_vertices *vertices, const index_pair *pairs,
                        size_t count, uint32_t *first_of) {
  grouping work = {.scene = scene, .vertices = vertices, .pairs = pairs, .count = count, .parent = first_of};
  array_init(&work.first, sizeof(size_t));
  array_init(&work.at, sizeof(uint32_t));
  array_init(&work.last, sizeof(last_pair));
  array_init(&work.places, sizeof(pair_places));
  disjoint_sets_init(first_of, count);
  const bool complete = group_pairs(&work);
  for (size_t i = 0; i < count && complete; i++) first_of[i] = disjoint_sets_find(first_of, (uint32_t)i);
  ARRAYS_RELEASE(scene->heap, &work.first, &work.at, &work.last, &work.places);
  return complete;
}
