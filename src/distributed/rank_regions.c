/* Regions of all ranks; see rank_regions.h.
 *
 * 1. Each rank groups its own pairs.
 * 2. Corner pairs are sent to a rank chosen by their bits. Regions with an equal pair are linked there.
 * 3. All ranks get all links, and join regions. The rank with the most pairs of a joined region receives the other
 *   pairs.
 * 4. Each rank requests every primitive it needs from the rank that owns the primitive's lower corner, and makes its
 *    regions from the result: a scene of parts of objects has the regions of the whole.
 *
 * Workload: 10^2 to 10^7 pairs, few of them in regions that extend over borders. Every rank has the links of all ranks;
 * a rank has all pairs of its regions. */
#include "distributed/rank_regions.h"

#include "base/disjoint_sets.h"
#include "base/unique_sort.h"
#include "distributed/corner_pairs.h"
#include "distributed/rank_exchange.h"
#include "distributed/slab.h"
#include "graze/inside/parts.h"
#include "graze/regions.h"

#include <stdlib.h>
#include <string.h>

/* A region of a rank: its number there, and the rank in the upper half. */
typedef struct region_link {
  uint64_t a, b;
} region_link;

/* A pair on its way to the rank of its region, with the ranks that certainly have its primitives. */
typedef struct region_pair {
  graze_pair pair;
  uint32_t home[2];
} region_pair;

typedef struct wanted_primitive {
  uint32_t home, object, primitive;
} wanted_primitive;

typedef struct named_primitive {
  uint32_t object, primitive;
} named_primitive;

/* A primitive of this rank's slab that another rank requests. */
typedef struct requested_primitive {
  graze_object object;
  uint32_t rank, own;
} requested_primitive;

typedef struct region_work {
  rank_state *state;
  graze_regions own; /* of this rank's pairs only */
  array links;       /* region_link: of all ranks */
  array regions;     /* uint64_t: the regions in links, ascending, the same on all ranks */
  array set_of;      /* uint32_t, one per region */
  array owner_of;    /* uint32_t, one per representative of a set: the rank that receives it */
  array pairs;       /* region_pair: of the regions of this rank */
  array given;       /* graze_pair: the same */
  portion_list portions;
  rank_blocks blocks;
  uint64_t *counts, *received_counts; /* one per rank */
} region_work;

static graze_result work_open(region_work *work, rank_state *state) {
  const uint32_t n = state->net.rank_count;
  *work = (region_work){.state = state};
  array_init(&work->links, sizeof(region_link));
  array_init(&work->regions, sizeof(uint64_t));
  array_init(&work->set_of, sizeof(uint32_t));
  array_init(&work->owner_of, sizeof(uint32_t));
  array_init(&work->pairs, sizeof(region_pair));
  array_init(&work->given, sizeof(graze_pair));
  portion_list_init(&work->portions);
  work->counts = memory_allocate(&state->heap, n, sizeof *work->counts);
  work->received_counts = memory_allocate(&state->heap, n, sizeof *work->received_counts);
  if (work->counts == NULL || work->received_counts == NULL) rank_failure_say_memory(&state->failure);
  return rank_failure_agree(&state->failure, &state->net);
}

static void work_close(region_work *work) {
  memory *heap = &work->state->heap;
  const uint32_t n = work->state->net.rank_count;
  ARRAYS_RELEASE(heap, &work->links, &work->regions, &work->set_of, &work->owner_of, &work->pairs, &work->given);
  portion_list_release(&work->portions, heap);
  rank_blocks_release(&work->blocks, heap);
  graze_regions_free(&work->own);
  memory_release(heap, work->counts, n, sizeof *work->counts);
  memory_release(heap, work->received_counts, n, sizeof *work->received_counts);
}

/* Sends records that are ordered by rank, with the counts in work->counts. */
static graze_result send_records(region_work *work, const array *records, array *received) {
  rank_state *state = work->state;
  return rank_records_exchange(&state->net, &state->heap, records, work->counts, received, work->received_counts,
                               &state->failure);
}

/* ---------------------------------------------------------------------------------------------- arguments */

static graze_result check_options(rank_state *state, const graze_query *given, const graze_region_options *options,
                                  const graze_regions *regions) {
  rank_failure *failure = &state->failure;
  const graze_query query = rank_read_query(given);
  *failure = (rank_failure){0};
  if (regions == NULL) rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "the list of regions is NULL");
  if (query.clearance > 0 || query.candidates_only)
    rank_failure_say(failure, GRAZE_UNSUPPORTED,
                     "regions need pairs that intersect: the query has a clearance or candidates_only");
  if (options->object_depths)
    rank_failure_say(failure, GRAZE_UNSUPPORTED,
                     "regions over several ranks do not support object_depths: set it to false");
  if (options->test != GRAZE_TEST_SAT && options->test != query.test)
    rank_failure_say(failure, GRAZE_INVALID_ARGUMENT, "the test of the options differs from that of the query");
  const graze_result result = rank_failure_agree(failure, &state->net);
  if (result != GRAZE_OK) return result;
  const uint64_t words[3] = {options->test, options->depths, options->curves};
  return rank_check_alike(state, words, sizeof words / sizeof *words, "region options");
}

/* ---------------------------------------------------------------------------------------------- links */

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static uint32_t rank_of_corners(const corner_pair *corner, uint32_t rank_count) {
  uint64_t words[7], hash = 0;
  memcpy(words, corner->place, sizeof corner->place);
  memcpy(words + 6, corner->object, sizeof corner->object);
  for (int i = 0; i < 7; i++) hash = mix(hash + words[i] + UINT64_C(0x9e3779b97f4a7c15));
  return (uint32_t)(hash % rank_count);
}

/* Orders the corner pairs by the ranks that they are sent to. */
static bool order_corner_pairs(region_work *work, const array *corner_pairs, array *ordered) {
  const uint32_t n = work->state->net.rank_count;
  const corner_pair *list = corner_pairs->data;
  uint64_t *counts = work->counts;
  if (!array_resize(ordered, &work->state->heap, corner_pairs->count)) return false;
  memset(counts, 0, n * sizeof *counts);
  for (size_t i = 0; i < corner_pairs->count; i++) counts[rank_of_corners(&list[i], n)]++;
  uint64_t *next = work->received_counts, first = 0;
  for (uint32_t i = 0; i < n; i++) {
    next[i] = first;
    first += counts[i];
  }
  for (size_t i = 0; i < corner_pairs->count; i++)
    ARRAY_AS(corner_pair, ordered)[next[rank_of_corners(&list[i], n)]++] = list[i];
  return true;
}

static int compare_links(const void *a, const void *b) {
  const region_link *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

/* Links regions with equal corner pairs, each two once. */
static bool link_regions(memory *heap, array *corner_pairs, array *links) {
  corner_pair *list = corner_pairs->data;
  if (corner_pairs->count > 0) qsort(list, corner_pairs->count, sizeof *list, corner_pair_order);
  for (size_t i = 1; i < corner_pairs->count; i++) {
    const region_link link = {list[i - 1].region, list[i].region};
    if (corner_pair_compare(&list[i - 1], &list[i]) != 0 || link.a == link.b) continue;
    if (!array_push(links, heap, &link)) return false;
  }
  array_sort_unique(links, compare_links);
  return true;
}

/* Groups the pairs of this rank, and finds all links of all ranks. */
static graze_result find_links(region_work *work, const graze_region_options *options, const graze_pairs *pairs) {
  rank_state *state = work->state;
  memory *heap = &state->heap;
  graze_region_options simple = *options;
  simple.depths = simple.curves = simple.object_depths = false;
  array corner_pairs, ordered, received, links;
  array_init(&corner_pairs, sizeof(corner_pair));
  array_init(&ordered, sizeof(corner_pair));
  array_init(&received, sizeof(corner_pair));
  array_init(&links, sizeof(region_link));
  rank_failure_note(&state->failure,
                    graze_scene_make_regions(state->share.scene, pairs->pairs, pairs->count, &simple, &work->own));
  if (state->failure.result == GRAZE_OK)
    corner_pairs_make(&state->share, &state->parts, &work->own, (uint64_t)state->net.rank << 32, heap, &corner_pairs,
                      &state->failure);
  if (state->failure.result == GRAZE_OK && !order_corner_pairs(work, &corner_pairs, &ordered))
    rank_failure_say_memory(&state->failure);
  graze_result result = rank_failure_agree(&state->failure, &state->net);
  array_release(&corner_pairs, heap);
  if (result == GRAZE_OK) result = send_records(work, &ordered, &received);
  array_release(&ordered, heap);
  if (result == GRAZE_OK) {
    if (!link_regions(heap, &received, &links)) rank_failure_say_memory(&state->failure);
    result = rank_failure_agree(&state->failure, &state->net);
  }
  array_release(&received, heap);
  if (result == GRAZE_OK) result = rank_gather(state, links.data, links.count, &work->links);
  array_release(&links, heap);
  return result;
}

/* ---------------------------------------------------------------------------------------------- joined regions */

static int compare_numbers(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool list_linked_regions(region_work *work) {
  const region_link *links = work->links.data;
  if (!array_resize(&work->regions, &work->state->heap, 2 * work->links.count)) return false;
  uint64_t *regions = work->regions.data;
  for (size_t i = 0; i < work->links.count; i++) {
    regions[2 * i] = links[i].a;
    regions[2 * i + 1] = links[i].b;
  }
  array_sort_unique(&work->regions, compare_numbers);
  return array_resize(&work->set_of, &work->state->heap, work->regions.count) &&
         array_resize(&work->owner_of, &work->state->heap, work->regions.count);
}

/* The index of a region among the linked ones; their number if no other rank has a part of it. */
static size_t find_region(const region_work *work, uint64_t region) {
  const uint64_t *regions = work->regions.data;
  const uint64_t *found =
      work->regions.count > 0 ? bsearch(&region, regions, work->regions.count, sizeof *regions, compare_numbers) : NULL;
  return found != NULL ? (size_t)(found - regions) : work->regions.count;
}

/* Counts the pairs of each linked region; each rank knows those of its own. */
static void count_pairs(const region_work *work, uint64_t *pair_counts) {
  const transport *net = &work->state->net;
  const uint64_t *regions = work->regions.data;
  for (size_t i = 0; i < work->regions.count; i++) {
    const bool is_own = regions[i] >> 32 == net->rank;
    pair_counts[i] = is_own ? work->own.regions[(uint32_t)regions[i]].pair_count : 0;
  }
  transport_reduce(net, TRANSPORT_SUM, pair_counts, work->regions.count);
}

/* Joins linked regions, and chooses the rank of each set: that of the region with the most pairs. */
static graze_result join_regions(region_work *work) {
  rank_state *state = work->state;
  const bool listed = list_linked_regions(work);
  const size_t count = work->regions.count;
  uint64_t *pair_counts = listed ? memory_allocate(&state->heap, count, 2 * sizeof *pair_counts) : NULL;
  if (pair_counts == NULL) rank_failure_say_memory(&state->failure);
  const graze_result result = rank_failure_agree(&state->failure, &state->net);
  if (result == GRAZE_OK) {
    uint64_t *most = pair_counts + count;
    uint32_t *set_of = work->set_of.data, *owner_of = work->owner_of.data;
    const uint64_t *regions = work->regions.data;
    const region_link *links = work->links.data;
    count_pairs(work, pair_counts);
    memset(most, 0, count * sizeof *most);
    disjoint_sets_init(set_of, count);
    for (size_t i = 0; i < work->links.count; i++)
      disjoint_sets_unite(set_of, (uint32_t)find_region(work, links[i].a), (uint32_t)find_region(work, links[i].b));
    for (size_t i = 0; i < count; i++) {
      const uint32_t set = disjoint_sets_find(set_of, (uint32_t)i);
      if (pair_counts[i] <= most[set]) continue;
      most[set] = pair_counts[i];
      owner_of[set] = (uint32_t)(regions[i] >> 32);
    }
  }
  memory_release(&state->heap, pair_counts, count, 2 * sizeof *pair_counts);
  return result;
}

/* ---------------------------------------------------------------------------------------------- pairs */

/* The rank that makes a region of this rank. */
static uint32_t rank_of_region(region_work *work, size_t region) {
  const uint32_t rank = work->state->net.rank;
  const size_t place = find_region(work, (uint64_t)rank << 32 | region);
  if (place == work->regions.count) return rank;
  uint32_t *set_of = work->set_of.data;
  return ARRAY_AS(uint32_t, &work->owner_of)[disjoint_sets_find(set_of, (uint32_t)place)];
}

static graze_result home_of(const region_work *work, uint32_t object, uint32_t primitive, uint32_t *home_out) {
  rank_state *state = work->state;
  graze_object found;
  uint32_t own;
  double box[6];
  graze_result result = graze_scene_find_primitive(state->share.scene, object, primitive, &found, &own);
  if (result == GRAZE_OK) result = graze_object_get_boxes(state->share.scene, found, own, 1, box);
  if (result != GRAZE_OK) return rank_failure_note(&state->failure, result);
  *home_out = division_owner(&state->parts, division_key(&state->parts, box));
  return GRAZE_OK;
}

/* Orders the pairs of this rank by the ranks that they are sent to. */
static graze_result order_pairs(region_work *work, array *ordered) {
  rank_state *state = work->state;
  const graze_regions *own = &work->own;
  const uint32_t n = state->net.rank_count;
  uint64_t *counts = work->counts, *next = work->received_counts, first = 0;
  if (!array_resize(ordered, &state->heap, own->pair_count)) return rank_failure_say_memory(&state->failure);
  memset(counts, 0, n * sizeof *counts);
  for (size_t i = 0; i < own->count; i++) counts[rank_of_region(work, i)] += own->regions[i].pair_count;
  for (uint32_t i = 0; i < n; i++) {
    next[i] = first;
    first += counts[i];
  }
  graze_result result = GRAZE_OK;
  for (size_t i = 0; i < own->count; i++) {
    const graze_region *region = &own->regions[i];
    const uint32_t to = rank_of_region(work, i);
    for (size_t k = 0; k < region->pair_count && result == GRAZE_OK; k++) {
      region_pair one = {.pair = own->pairs[region->first_pair + k]};
      result = home_of(work, one.pair.object_a, one.pair.primitive_a, &one.home[0]);
      if (result == GRAZE_OK) result = home_of(work, one.pair.object_b, one.pair.primitive_b, &one.home[1]);
      ARRAY_AS(region_pair, ordered)[next[to]++] = one;
    }
  }
  return result;
}

static graze_result move_pairs(region_work *work) {
  rank_state *state = work->state;
  array ordered;
  array_init(&ordered, sizeof(region_pair));
  order_pairs(work, &ordered);
  graze_result result = rank_failure_agree(&state->failure, &state->net);
  if (result == GRAZE_OK) result = send_records(work, &ordered, &work->pairs);
  array_release(&ordered, &state->heap);
  return result;
}

/* ---------------------------------------------------------------------------------------------- primitives */

static int compare_wanted(const void *a, const void *b) {
  const wanted_primitive *x = a, *y = b;
  if (x->home != y->home) return x->home < y->home ? -1 : 1;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  return (x->primitive > y->primitive) - (x->primitive < y->primitive);
}

/* Lists the primitives of the received pairs, ordered by the ranks to request them from. */
static bool list_wanted(region_work *work, array *wanted, array *names) {
  memory *heap = &work->state->heap;
  const region_pair *pairs = work->pairs.data;
  if (!array_resize(wanted, heap, 2 * work->pairs.count)) return false;
  wanted_primitive *list = wanted->data;
  for (size_t i = 0; i < work->pairs.count; i++) {
    list[2 * i] = (wanted_primitive){pairs[i].home[0], pairs[i].pair.object_a, pairs[i].pair.primitive_a};
    list[2 * i + 1] = (wanted_primitive){pairs[i].home[1], pairs[i].pair.object_b, pairs[i].pair.primitive_b};
  }
  if (wanted->count > 0) qsort(list, wanted->count, sizeof *list, compare_wanted);
  memset(work->counts, 0, work->state->net.rank_count * sizeof *work->counts);
  for (size_t i = 0; i < wanted->count; i++) {
    if (i > 0 && compare_wanted(&list[i - 1], &list[i]) == 0) continue;
    const named_primitive name = {list[i].object, list[i].primitive};
    if (!array_push(names, heap, &name)) return false;
    work->counts[list[i].home]++;
  }
  return true;
}

static int compare_requested(const void *a, const void *b) {
  const requested_primitive *x = a, *y = b;
  if (x->object.index != y->object.index) return x->object.index < y->object.index ? -1 : 1;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return (x->own > y->own) - (x->own < y->own);
}

/* Finds the requested primitives, in the order of portions. */
static graze_result find_requested(const region_work *work, const array *names, array *requested) {
  rank_state *state = work->state;
  if (!array_resize(requested, &state->heap, names->count)) return rank_failure_say_memory(&state->failure);
  requested_primitive *list = requested->data;
  size_t i = 0;
  for (uint32_t rank = 0; rank < state->net.rank_count; rank++)
    for (uint64_t k = 0; k < work->received_counts[rank]; k++, i++) {
      const named_primitive name = ARRAY_AS(named_primitive, names)[i];
      list[i].rank = rank;
      const graze_result result =
          graze_scene_find_primitive(state->share.scene, name.object, name.primitive, &list[i].object, &list[i].own);
      if (result != GRAZE_OK) return rank_failure_note(&state->failure, result);
    }
  if (requested->count > 0) qsort(list, requested->count, sizeof *list, compare_requested);
  return GRAZE_OK;
}

/* Appends the portions of one object, for the requested primitives [first, end). */
static graze_result pack_object(region_work *work, const requested_primitive *requested, size_t first, size_t end) {
  rank_state *state = work->state;
  portion_list *list = &work->portions;
  const size_t first_portion = list->portions.count;
  for (size_t i = first; i < end; i++) {
    const bool is_new = i == first || requested[i - 1].rank != requested[i].rank;
    const portion one = {.object = requested[i].object, .part = requested[i].rank, .first = list->primitives.count};
    if (is_new && !array_push(&list->portions, &state->heap, &one)) return rank_failure_say_memory(&state->failure);
    if (!array_push(&list->primitives, &state->heap, &requested[i].own))
      return rank_failure_say_memory(&state->failure);
    ARRAY_AS(portion, &list->portions)[list->portions.count - 1].count++;
  }
  return portion_list_measure(list, &state->heap, state->share.scene, first_portion, &state->failure);
}

static graze_result pack_requested(region_work *work, const array *requested) {
  const requested_primitive *list = requested->data;
  graze_result result = GRAZE_OK;
  for (size_t first = 0, end; first < requested->count && result == GRAZE_OK; first = end) {
    for (end = first + 1; end < requested->count && list[end].object.index == list[first].object.index;) end++;
    result = pack_object(work, list, first, end);
  }
  return result;
}

/* Requests the primitives of the received pairs, and serves the requests of others. */
static graze_result fetch_primitives(region_work *work) {
  rank_state *state = work->state;
  memory *heap = &state->heap;
  array wanted, names, received, requested;
  array_init(&wanted, sizeof(wanted_primitive));
  array_init(&names, sizeof(named_primitive));
  array_init(&received, sizeof(named_primitive));
  array_init(&requested, sizeof(requested_primitive));
  if (!list_wanted(work, &wanted, &names)) rank_failure_say_memory(&state->failure);
  graze_result result = rank_failure_agree(&state->failure, &state->net);
  array_release(&wanted, heap);
  if (result == GRAZE_OK) result = send_records(work, &names, &received);
  if (result == GRAZE_OK) {
    if (find_requested(work, &received, &requested) == GRAZE_OK) pack_requested(work, &requested);
    result = rank_failure_agree(&state->failure, &state->net);
  }
  ARRAYS_RELEASE(heap, &names, &received, &requested);
  if (result == GRAZE_OK)
    result =
        rank_blocks_exchange(&work->blocks, &state->net, heap, state->share.scene, &work->portions, &state->failure);
  return result;
}

/* ---------------------------------------------------------------------------------------------- regions */

static graze_result make_regions(region_work *work, const graze_region_options *options, graze_regions *regions) {
  rank_state *state = work->state;
  rank_failure *failure = &state->failure;
  slab *share = &state->region_share;
  const size_t count = work->pairs.count;
  if (slab_clear(share, failure) != GRAZE_OK) return failure->result;
  if (rank_blocks_unload(&work->blocks, &state->net, &state->heap, share, failure) != GRAZE_OK) return failure->result;
  if (!array_resize(&work->given, &state->heap, count)) return rank_failure_say_memory(failure);
  graze_pair *own = work->given.data;
  for (size_t i = 0; i < count; i++) own[i] = ARRAY_AS(region_pair, &work->pairs)[i].pair;
  graze_result result = graze_scene_update(share->scene);
  if (result == GRAZE_OK) result = graze_scene_make_regions(share->scene, own, count, options, regions);
  return rank_failure_note(failure, result);
}

static graze_result make_rank_regions(region_work *work, const graze_region_options *options, const graze_pairs *pairs,
                                      graze_regions *regions) {
  graze_result result = find_links(work, options, pairs);
  if (result == GRAZE_OK) result = join_regions(work);
  if (result == GRAZE_OK) result = move_pairs(work);
  if (result == GRAZE_OK) result = fetch_primitives(work);
  if (result != GRAZE_OK) return result;
  make_regions(work, options, regions);
  return rank_failure_agree(&work->state->failure, &work->state->net);
}

graze_result rank_find_regions(rank_state *state, const graze_scene *scene, const graze_query *query,
                               const graze_region_options *given, graze_pairs *pairs, graze_regions *regions,
                               rank_totals *totals_out) {
  graze_region_options options = *given;
  region_work work;
  graze_result result = check_options(state, query, &options, regions);
  options.test = rank_read_query(query).test;
  if (result == GRAZE_OK) result = rank_find(state, scene, query, pairs, totals_out);
  if (result == GRAZE_OK) {
    result = work_open(&work, state);
    if (result == GRAZE_OK) result = make_rank_regions(&work, &options, pairs, regions);
    work_close(&work);
  }
  if (result != GRAZE_OK) graze_regions_free(regions);
  return result;
}
