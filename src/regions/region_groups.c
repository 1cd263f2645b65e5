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

#include <string.h>

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
static void enter(grouping *work, uint32_t place, bool writes, uint32_t entry) {
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
    for (int i = 0; i < KEPT_PLACES && kept[i] != NO_PLACE; i++) enter(work, kept[i], writes, entry);
    return;
  }
  const uint32_t primitive = side == 0 ? work->pairs[pair].a : work->pairs[pair].b;
  const object_source *source = region_source(work->scene, primitive);
  const corner_list corners = corners_of(source, primitive);
  for (uint32_t i = 0; i < corners.count; i++)
    enter(work, place_of_corner(work->vertices, source, corners.vertices[i]), writes, entry);
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

static bool group(grouping *work) {
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
  const bool complete = group(&work);
  for (size_t i = 0; i < count && complete; i++) first_of[i] = disjoint_sets_find(first_of, (uint32_t)i);
  array_release(&work.first, scene->heap);
  array_release(&work.at, scene->heap);
  array_release(&work.last, scene->heap);
  array_release(&work.places, scene->heap);
  return complete;
}
