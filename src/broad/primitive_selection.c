/* Selection by objects and by shared space, and bounding boxes; see primitive_selection.h.
 *
 * Intersections of pairs of boxes are sufficient: three boxes of which any two meet have a common point, so that a
 * primitive in a pair of two objects, with both primitives meeting the query's box, meets the intersection of the
 * three.
 *
 * Workload: some objects, or 10^5 of them, and 10^4 to 10^7 primitives, most of them triangles; once per query. */
#include "broad/primitive_selection.h"

#include "base/four_floats.h"
#include "broad/clearance_growth.h"
#include "broad/focus_box.h"
#include "broad/primitive_box.h"

#include <string.h>

/* ---------------------------------------------------------------------------------------------- shared space */

/* Removes primitives outside of shared space.
 *
 * Two boxes that meet have a common point, and both meet the cell of that point: it is marked by both objects. So a
 * primitive that meets no cell marked by two objects is in no pair between objects. Two surfaces that intersect share
 * only the cells along their curve of intersection: a few thousand triangles of two meshes of 70,000 remain. This
 * precedes the computation of boxes: cells are found once per vertex, and those of a triangle are the bytewise minimum
 * and maximum of three. The cells are bits: 64 along x in a word, 64 x 64 words, 32 KiB per map, so that a worker's map
 * stays in its first-level cache.
 *
 * Workload: two to about ten objects, 10^4 to 10^7 triangles; most triangles are smaller than a cell or two. */

enum {
  LAST_CELL = 63, /* cells 0 and 63 of each axis contain everything outside of the region, and are never marked */
  INNER_CELLS = LAST_CELL - 1,
  MAP_WORDS = 64 * 64,
  MOST_OBJECTS = 64,          /* with more, nearly every cell is occupied */
  FEWEST_TRIANGLES = 2048,    /* with fewer, a search is cheaper than the marks */
  MOST_WORDS_A_TRIANGLE = 16, /* on average; above, marking large triangles would take too long */
  SPACE_GRAIN = 8192,
  MOST_WORDS_A_RANGE = 64 * SPACE_GRAIN, /* above, all marks are abandoned. Otherwise each range could mark as many
                                            words as all ranges together may, and marking would be quadratic */
  MERGE_GRAIN = 1024,                    /* words */
  SPACE_SAMPLES = 32768 /* in a scene of at least 16 times as many, where checking a sample may save marking */
};

/* The region is closed: its upper end is in the last inner cell. Two roundings, of this quotient and of its product
 * with the size, are far less than the distance to INNER_CELLS. */
#define CELLS_TO_THE_END (INNER_CELLS - 0x1p-8f)

/* The bits of the highest cells in a code. */
#define HIGH_CELLS ((uint64_t)(LAST_CELL * 0x010101) << 32)

#define INNER_MASK (~UINT64_C(0) << 1 & ~UINT64_C(0) >> 1)

/* The cells of the current object, per worker. If several workers set bits of one map, its cache lines would move
 * between their caches: with sixteen workers marking took more than four times its share. */
typedef struct worker_map {
  uint64_t words[MAP_WORDS]; /* if it is in use */
  bool in_use;
} worker_map;

typedef struct joint_map {
  uint64_t own[MAP_WORDS]; /* cells of the current object while the workers' maps are merged; otherwise 0 */
  uint64_t any[MAP_WORDS]; /* of the earlier objects */
  uint64_t shared[MAP_WORDS];
} joint_map;

typedef struct shared_space {
  const primitive_view *view;
  stop_check *stop;
  uint8_t *searched;
  four_floats origin, inverse_side; /* the fourth of each 0 */
  uint64_t *codes;                  /* one per vertex: see code_of */
  worker_map *own;                  /* one per worker */
  size_t worker_count;
  joint_map *joint;
  size_t first_primitive; /* of the current object */
  uint64_t word_limit;
  _Atomic(uint64_t) words_met; /* a sum: above the limit, regardless of the order, the marks are abandoned */
} shared_space;

/* Cells along x, y and z, as numbers with a fraction. Monotone in the coordinates, including rounding, so that boxes
 * with a common point have a common cell. */
static inline four_floats cells_at(const shared_space *space, four_floats position) {
  const four_floats inner = four_floats_multiply(four_floats_subtract(position, space->origin), space->inverse_side);
  const four_floats steps = four_floats_add(inner, four_floats_fill(1.0f));
  return four_floats_smaller(four_floats_larger(steps, four_floats_fill(0.0f)), four_floats_fill(LAST_CELL));
}

static void code_range(void *context, size_t first, size_t end, uint32_t worker) {
  const shared_space *space = context;
  (void)worker;
  if (stop_is_requested(space->stop)) return;
  const four_floats reach = four_floats_fill(space->view->growth);
  for (size_t i = first; i < end; i++) {
    const four_floats vertex = four_floats_load(&space->view->rounded_vertices[i].x);
    const four_floats error = four_floats_add(four_floats_fill_last(vertex), reach);
    const uint64_t cells = eight_bytes_of(cells_at(space, four_floats_subtract(vertex, error)),
                                          cells_at(space, four_floats_add(vertex, error)));
    space->codes[i] = cells ^ HIGH_CELLS; /* for a number of six bits, LAST_CELL minus the number is its complement */
  }
}

/* The inner cells of a primitive: bits of the words first_y to last_y of the planes first_z to last_z. Outside of
 * the region the mask is empty and the words are arbitrary. Most triangles meet at most two words per axis: those
 * use one path without a branch, because a loop over one or two words would be mispredicted half of the time. */
typedef struct cell_span {
  uint64_t x_mask;
  uint32_t first_y, last_y, first_z, last_z;
} cell_span;

/* A code has in bytes 0 to 2 the lowest cell along x, y and z, in bytes 4 to 6 LAST_CELL minus the highest. The
 * code of a primitive is the bytewise minimum of its corners' codes; the first three corners are in the header. */
static inline uint64_t code_of(const primitive_view *view, const uint64_t *codes, size_t primitive) {
  const primitive_header *header = &view->headers[primitive];
  const uint32_t *corner = header->corner;
  uint64_t code = eight_bytes_least(eight_bytes_least(codes[corner[0]], codes[corner[1]]), codes[corner[2]]);
  if (view->only_triangles) return code;
  const object_source *source = &view->sources[header->object];
  if (headers_have_all_corners(source)) return code;
  const corner_list all = corners_of(source, (uint32_t)primitive);
  for (uint32_t i = 3; i < all.count; i++)
    code = eight_bytes_least(code, codes[source->first_vertex + all.vertices[i]]);
  return code;
}

static inline cell_span span_of(uint64_t code) {
  const uint32_t low_y = (uint32_t)(code >> 8) & 63u, low_z = (uint32_t)(code >> 16) & 63u;
  const uint32_t high_y = LAST_CELL - ((uint32_t)(code >> 40) & 63u);
  const uint32_t high_z = LAST_CELL - ((uint32_t)(code >> 48) & 63u);
  const uint64_t mask = ~UINT64_C(0) << (code & 63u) & ~UINT64_C(0) >> (code >> 32 & 63u) & INNER_MASK;
  const bool inside = (low_y < LAST_CELL) & (low_z < LAST_CELL) & (high_y > 0) & (high_z > 0);
  return (cell_span){inside ? mask : 0, low_y > 0 ? low_y : 1, high_y < LAST_CELL ? high_y : INNER_CELLS,
                     low_z > 0 ? low_z : 1, high_z < LAST_CELL ? high_z : INNER_CELLS};
}

static inline bool span_is_small(const cell_span *span) {
  return (span->last_y - span->first_y <= 1) & (span->last_z - span->first_z <= 1);
}

static inline uint32_t word_of(uint32_t y, uint32_t z) {
  return z * 64 + y;
}

static inline void mark_small(uint64_t *map, const cell_span *span) {
  map[word_of(span->first_y, span->first_z)] |= span->x_mask;
  map[word_of(span->last_y, span->first_z)] |= span->x_mask;
  map[word_of(span->first_y, span->last_z)] |= span->x_mask;
  map[word_of(span->last_y, span->last_z)] |= span->x_mask;
}

static uint64_t mark_large(uint64_t *map, const cell_span *span) {
  uint64_t words = 0;
  for (uint32_t z = span->first_z; span->x_mask != 0 && z <= span->last_z; z++)
    for (uint32_t y = span->first_y; y <= span->last_y; y++, words++) map[word_of(y, z)] |= span->x_mask;
  return words;
}

static inline uint64_t check_small_span(const uint64_t *map, const cell_span *span) {
  return (map[word_of(span->first_y, span->first_z)] | map[word_of(span->last_y, span->first_z)] |
          map[word_of(span->first_y, span->last_z)] | map[word_of(span->last_y, span->last_z)]) &
         span->x_mask;
}

static uint64_t check_large_span(const uint64_t *map, const cell_span *span) {
  uint64_t met = 0;
  for (uint32_t z = span->first_z; met == 0 && z <= span->last_z; z++)
    for (uint32_t y = span->first_y; y <= span->last_y; y++) met |= map[word_of(y, z)] & span->x_mask;
  return met;
}

static uint64_t *map_of_worker(shared_space *space, uint32_t worker) {
  worker_map *own = &space->own[worker];
  if (!own->in_use) memset(own->words, 0, sizeof own->words);
  own->in_use = true;
  return own->words;
}

/* The code of no primitive: its bytes are cells that codes do not have. */
#define NO_CODE UINT64_MAX

/* Primitives outside of the region are in no pair, regardless of the marks: they are removed at once, and not read
 * again. Neighbors in a fine mesh, and consecutive primitives of its file, are mostly in the same cells: the second has
 * nothing to mark. */
static void mark_range(void *context, size_t first, size_t end, uint32_t worker) {
  shared_space *space = context;
  if (stop_is_requested(space->stop)) return;
  uint64_t *own = map_of_worker(space, worker);
  const primitive_view view =
      *space->view; /* a copy, so that it is not reloaded after each byte that is written; likewise these */
  const uint64_t *codes = space->codes;
  const uint64_t most = space->word_limit < MOST_WORDS_A_RANGE ? space->word_limit : MOST_WORDS_A_RANGE;
  const size_t first_primitive = space->first_primitive;
  uint8_t *searched = space->searched;
  uint64_t words_met = 0, last_code = NO_CODE;
  bool last_inside = false;
  for (size_t i = first_primitive + first; i < first_primitive + end && words_met <= most; i++) {
    if (searched[i] == 0) continue;
    const uint64_t code = code_of(&view, codes, i);
    if (code != last_code) {
      const cell_span span = span_of(code);
      last_code = code;
      last_inside = span.x_mask != 0;
      if (last_inside && span_is_small(&span))
        mark_small(own, &span);
      else
        words_met += mark_large(own, &span);
    }
    searched[i] = last_inside;
  }
  atomic_fetch_add(&space->words_met, words_met <= most ? words_met : space->word_limit + 1);
}

static void merge_range(void *context, size_t first, size_t end, uint32_t worker) {
  const shared_space *space = context;
  joint_map *joint = space->joint;
  (void)worker;
  for (size_t i = 0; i < space->worker_count; i++) {
    if (!space->own[i].in_use) continue;
    const uint64_t *own = space->own[i].words;
    for (size_t word = first; word < end; word++) joint->own[word] |= own[word];
  }
  for (size_t word = first; word < end; word++) {
    joint->shared[word] |= joint->any[word] & joint->own[word];
    joint->any[word] |= joint->own[word];
    joint->own[word] = 0;
  }
}

/* Cells that the current object has in common with earlier ones are shared. */
static void merge_marks(shared_space *space, workers *team) {
  size_t in_use = 0;
  for (size_t i = 0; i < space->worker_count; i++) in_use += space->own[i].in_use;
  if (in_use > 2)
    workers_for(team, MAP_WORDS, MERGE_GRAIN, merge_range, space);
  else
    merge_range(space, 0, MAP_WORDS, 0);
  for (size_t i = 0; i < space->worker_count; i++) space->own[i].in_use = false;
}

static void thin_range(void *context, size_t first, size_t end, uint32_t worker) {
  const shared_space *space = context;
  const uint64_t *shared = space->joint->shared, *codes = space->codes;
  const primitive_view view = *space->view;
  uint8_t *searched = space->searched;
  (void)worker;
  if (stop_is_requested(space->stop)) return;
  uint64_t last_code = NO_CODE, met = 0;
  for (size_t i = first; i < end; i++) {
    if (searched[i] == 0) continue;
    const uint64_t code = code_of(&view, codes, i);
    if (code != last_code) {
      const cell_span span = span_of(code);
      last_code = code;
      met = span_is_small(&span) ? check_small_span(shared, &span) : check_large_span(shared, &span);
    }
    searched[i] = met != 0;
  }
}

/* ---------------------------------------------------------------------------------------------- sampling */

/* A sample is the cell, of twice the side, of a corner of a primitive: the bit of a word above the word's number;
 * NO_SAMPLE outside of the region. */
enum { SAMPLE_WORD_BITS = 12, SAMPLE_GRAIN = 4096 };
#define NO_SAMPLE UINT32_MAX

typedef struct space_samples {
  shared_space *space;
  uint32_t *cells;
  size_t stride, first;     /* distance of sampled primitives; the first sample of the current object */
  _Atomic(uint64_t) shared; /* a sum, independent of the order of its terms */
} space_samples;

static uint32_t sampled_cell(const shared_space *space, size_t primitive) {
  const rounded_vertex *vertex = &space->view->rounded_vertices[space->view->headers[primitive].corner[0]];
  const four_floats cells = cells_at(space, four_floats_load(&vertex->x));
  const uint32_t bytes = (uint32_t)eight_bytes_of(cells, cells);
  const uint32_t x = bytes & 255u, y = bytes >> 8 & 255u, z = bytes >> 16 & 255u;
  const bool inside = x - 1 < INNER_CELLS && y - 1 < INNER_CELLS && z - 1 < INNER_CELLS;
  return inside ? x / 2 << SAMPLE_WORD_BITS | word_of(y / 2, z / 2) : NO_SAMPLE;
}

static inline uint32_t word_of_sample(uint32_t cell) {
  return cell & ((1u << SAMPLE_WORD_BITS) - 1);
}
static inline uint64_t bit_of_sample(uint32_t cell) {
  return UINT64_C(1) << (cell >> SAMPLE_WORD_BITS);
}

/* Samples are far apart in memory, each a cache miss or two: they are read once, and their cells are stored. */
static void take_samples(void *context, size_t first, size_t end, uint32_t worker) {
  const space_samples *samples = context;
  uint64_t *own = map_of_worker(samples->space, worker);
  for (size_t i = samples->first + first; i < samples->first + end; i++) {
    const uint32_t cell = sampled_cell(samples->space, i * samples->stride);
    samples->cells[i] = cell;
    if (cell != NO_SAMPLE) own[word_of_sample(cell)] |= bit_of_sample(cell);
  }
}

static void count_shared(void *context, size_t first, size_t end, uint32_t worker) {
  space_samples *samples = context;
  const uint64_t *shared = samples->space->joint->shared;
  uint64_t count = 0;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const uint32_t cell = samples->cells[i];
    count += cell != NO_SAMPLE && (shared[word_of_sample(cell)] & bit_of_sample(cell)) != 0;
  }
  atomic_fetch_add(&samples->shared, count);
}

/* Whether seven in eight of the sampled primitives have one of another object in their cell, as for a mesh and its
 * copy: then few would be removed, and marking does not pay. Leaves the maps clear; samples use the memory of the
 * codes. */
static bool nearly_all_is_shared(shared_space *space, workers *team) {
  const primitive_view *view = space->view;
  if (view->primitive_count / 16 < SPACE_SAMPLES) return false;
  const size_t stride = view->primitive_count / SPACE_SAMPLES, count = (view->primitive_count - 1) / stride + 1;
  space_samples samples = {.space = space, .cells = (uint32_t *)(void *)space->codes, .stride = stride};
  for (size_t i = 0; i < view->object_count; i++) {
    const size_t first = view->sources[i].first_primitive, end = first + view->sources[i].primitive_count;
    samples.first = (first + stride - 1) / stride;
    workers_for(team, (end + stride - 1) / stride - samples.first, SAMPLE_GRAIN, take_samples, &samples);
    merge_marks(space, team);
  }
  workers_for(team, count, SAMPLE_GRAIN, count_shared, &samples);
  memset(space->joint, 0, sizeof *space->joint);
  return 8 * atomic_load(&samples.shared) >= 7 * (uint64_t)count;
}

static void thin_out(shared_space *space, workers *team, const primitive_box *region) {
  const primitive_view *view = space->view;
  float origin[4] = {0}, inverse_side[4] = {0};
  for (int axis = 0; axis < 3; axis++) {
    const float size = region->max[axis] - region->min[axis];
    origin[axis] = region->min[axis];
    inverse_side[axis] = size > 0x1p-100f ? CELLS_TO_THE_END / size : 0.0f;
  }
  space->origin = four_floats_load(origin);
  space->inverse_side = four_floats_load(inverse_side);
  memset(space->joint, 0, sizeof *space->joint);
  for (size_t i = 0; i < space->worker_count; i++) space->own[i].in_use = false;
  if (nearly_all_is_shared(space, team)) return;
  workers_for(team, view->vertex_count, SPACE_GRAIN, code_range, space);
  for (size_t i = 0; i < view->object_count && !stop_was_requested(space->stop); i++) {
    space->first_primitive = view->sources[i].first_primitive;
    workers_for(team, view->sources[i].primitive_count, SPACE_GRAIN, mark_range, space);
    merge_marks(space, team);
  }
  if (!stop_was_requested(space->stop) && atomic_load(&space->words_met) <= space->word_limit)
    workers_for(team, view->primitive_count, SPACE_GRAIN, thin_range, space);
}

/* The memory of the codes in units of 8 bytes: one per vertex, or one per two samples. */
static size_t code_count(const primitive_view *view) {
  return view->vertex_count > SPACE_SAMPLES ? view->vertex_count : SPACE_SAMPLES;
}

void shared_space_thin_out(const primitive_view *view, const search *s, const primitive_box *region,
                           uint8_t *searched) {
  if (view->primitive_count < FEWEST_TRIANGLES || view->object_count > MOST_OBJECTS) return;
  memory *heap = s->memory;
  const size_t worker_count = workers_count(s->workers);
  shared_space space = {.view = view,
                        .stop = s->stop,
                        .searched = searched,
                        .codes = memory_allocate(heap, code_count(view), sizeof(uint64_t)),
                        .own = memory_allocate(heap, worker_count, sizeof(worker_map)),
                        .worker_count = worker_count,
                        .joint = memory_allocate(heap, 1, sizeof(joint_map)),
                        .word_limit = MOST_WORDS_A_TRIANGLE * (uint64_t)view->primitive_count};
  if (space.codes != NULL && space.own != NULL && space.joint != NULL) thin_out(&space, s->workers, region);
  memory_release(heap, space.codes, code_count(view), sizeof(uint64_t));
  memory_release(heap, space.own, worker_count, sizeof(worker_map));
  memory_release(heap, space.joint, 1, sizeof(joint_map));
}

/* With more objects the quadratic search for intersections would cost more than it saves. */
enum { REGION_OBJECTS = 1024 };

/* Bytes of `searched` that are set in about ten microseconds. */
enum { SELECT_GRAIN = 1 << 20 };

/* ---------------------------------------------------------------------------------------------- regions */

static const primitive_box no_box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static bool box_is_empty(const primitive_box *box) {
  return !(box->min[0] <= box->max[0] && box->min[1] <= box->max[1] && box->min[2] <= box->max[2]);
}

static void include_box(primitive_box *box, const primitive_box *more) {
  for (int axis = 0; axis < 3; axis++) {
    box->min[axis] = fminf(box->min[axis], more->min[axis]);
    box->max[axis] = fmaxf(box->max[axis], more->max[axis]);
  }
}

static primitive_box common_box(const primitive_box *a, const primitive_box *b) {
  primitive_box common;
  for (int axis = 0; axis < 3; axis++) {
    common.min[axis] = fmaxf(a->min[axis], b->min[axis]);
    common.max[axis] = fminf(a->max[axis], b->max[axis]);
  }
  return common;
}

/* Adds the intersection of two objects' boxes, if the query requests pairs of them. */
static void include_common(const primitive_view *view, uint32_t index, uint32_t other, primitive_box *region) {
  const primitive_box *boxes = view->object_boxes;
  if (other == index || view->sources[other].primitive_count == 0 || !boxes_meet(&boxes[index], &boxes[other]) ||
      !objects_meet(view, index, other))
    return;
  const primitive_box common = common_box(&boxes[index], &boxes[other]);
  include_box(region, &common);
}

/* The box around the intersections of the object's box with those of all possible partners; empty if there are none.
 * If the query names objects, the partners of all others are among those. */
static primitive_box common_region(const primitive_view *view, uint32_t index) {
  const query_focus *focus = &view->focus;
  primitive_box region = no_box;
  if (focus->object_count == 2 || (focus->object_count == 1 && index != focus->objects[0])) {
    for (uint32_t i = 0; i < focus->object_count; i++) include_common(view, index, focus->objects[i], &region);
  } else {
    for (uint32_t other = 0; other < view->object_count; other++) include_common(view, index, other, &region);
  }
  return region;
}

/* ---------------------------------------------------------------------------------------------- selection */

typedef struct selection {
  const object_source *source;
  bool takes_part;
  uint8_t *searched; /* of the object */
} selection;

static void select_range(void *context, size_t first, size_t end, uint32_t worker) {
  const selection *chosen = context;
  const uint8_t *removed = chosen->source->removed;
  (void)worker;
  memset(chosen->searched + first, chosen->takes_part ? 1 : 0, end - first);
  if (!chosen->takes_part || removed == NULL) return;
  for (size_t i = first; i < end; i++)
    if (removed[i] != 0) chosen->searched[i] = 0;
}

static void select_object(const object_source *source, bool takes_part, workers *team, uint8_t *searched) {
  selection chosen = {source, takes_part, searched + source->first_primitive};
  const size_t count = source->primitive_count;
  if (count <= workers_grain(count, SELECT_GRAIN))
    select_range(&chosen, 0, count, 0);
  else
    workers_for(team, count, SELECT_GRAIN, select_range, &chosen);
}

/* Sets searched[i] of every primitive to 0 or 1. For a query with a focus, reaches_or_null has one box per object: a
 * primitive whose box does not meet its object's need not be searched either; the boxes of objects that are not
 * searched are not written. */
static void select_primitives(const primitive_view *view, const search *s, uint8_t *searched,
                              primitive_box *reaches_or_null) {
  const bool too_many = view->object_count > REGION_OBJECTS && view->focus.object_count == 0;
  const focus_box limits =
      view->focus.in_box ? focus_box_of(&view->focus.box, view->normalization, view->slots) : (focus_box){0};
  primitive_box all = no_box;
  bool only_between = !too_many;
  for (uint32_t i = 0; i < view->object_count; i++) {
    if (view->sources[i].primitive_count == 0) continue;
    const bool within = too_many || objects_meet(view, i, i);
    primitive_box reach = within ? view->object_boxes[i] : common_region(view, i);
    if (view->focus.in_box) reach = common_box(&reach, &limits.outer);
    const bool takes_part = !box_is_empty(&reach);
    select_object(&view->sources[i], takes_part, s->workers, searched);
    if (!takes_part) continue;
    if (reaches_or_null != NULL) reaches_or_null[i] = reach;
    include_box(&all, &reach);
    only_between = only_between && !within;
  }
  const bool is_bent_and_grown =
      view->clearance > 0.0 && view->slots != 0.0f; /* the cells do not account for this reach */
  if (only_between && !box_is_empty(&all) && !is_bent_and_grown) shared_space_thin_out(view, s, &all, searched);
}

/* ---------------------------------------------------------------------------------------------- bounding boxes */

enum { BOUNDS_GRAIN = 8192 };

typedef struct bounds_work {
  const primitive_view *view;
  stop_check *stop;
  primitive_box *boxes; /* NULL: they are not stored */
  uint8_t *searched;
  primitive_box *reaches;           /* one per object; NULL: the query has no focus */
  focus_box limits;                 /* if the query is in a box */
  _Atomic(uint64_t) searched_count; /* a sum, independent of the order of its terms */
} bounds_work;

/* Whether the focus requests a primitive with this box. */
static bool is_in_focus_range(const bounds_work *work, const primitive_box *box, uint32_t primitive) {
  const uint32_t object = work->view->headers[primitive].object;
  if (!boxes_meet(box, &work->reaches[object])) return false;
  if (!work->view->focus.in_box || box_lies_in(box, &work->limits.inner)) return true;
  const object_source *source = &work->view->sources[object];
  const exact_box exact = box_of_corners(source, corners_of(source, primitive));
  return exact_boxes_meet(&exact, &work->view->focus.box);
}

/* The box by which a primitive is searched with a clearance. */
static primitive_box primitive_box_grown(const primitive_view *view, size_t primitive) {
  if (view->slots != 0.0f) {
    const object_source *source = &view->sources[view->headers[primitive].object];
    return bent_box_grown(source, corners_of(source, (uint32_t)primitive), view->clearance, view->map);
  }
  const primitive_box box = primitive_box_made(view, primitive);
  return box_grown(&box, view->growth);
}

static void bound_primitive(const bounds_work *work, size_t primitive) {
  const primitive_view *view = work->view;
  const primitive_box box =
      view->clearance > 0.0 ? primitive_box_grown(view, primitive) : primitive_box_made(view, primitive);
  if (work->boxes != NULL) work->boxes[primitive] = box;
  if (work->reaches != NULL) work->searched[primitive] = is_in_focus_range(work, &box, (uint32_t)primitive);
}

static void bounds_range(void *context, size_t first, size_t end, uint32_t worker) {
  bounds_work *work = context;
  (void)worker;
  /* A query about few primitives skips most ranges. */
  if (stop_is_requested(work->stop) || memchr(work->searched + first, 1, end - first) == NULL) return;
  if (work->boxes != NULL || work->reaches != NULL) {
    for (size_t i = first; i < end; i++)
      if (work->searched[i] != 0) bound_primitive(work, i);
  }
  uint64_t searched_count = 0;
  for (size_t i = first; i < end; i++) searched_count += work->searched[i];
  atomic_fetch_add(&work->searched_count, searched_count);
}

graze_result primitive_bounds_make(const search *s, bool with_boxes, primitive_view *view,
                                   primitive_bounds *bounds_out) {
  const size_t count = view->primitive_count;
  const bool narrow = focus_is_narrow(&view->focus);
  bounds_work work = {.view = view,
                      .stop = s->stop,
                      .boxes = with_boxes ? memory_allocate(s->memory, count, sizeof(primitive_box)) : NULL,
                      .searched = memory_allocate(s->memory, count, sizeof(uint8_t)),
                      .reaches = narrow ? memory_allocate(s->memory, view->object_count, sizeof(primitive_box)) : NULL};
  *bounds_out = (primitive_bounds){.boxes = work.boxes, .searched = work.searched, .count = count};
  const bool ready = (work.boxes != NULL || !with_boxes) && work.searched != NULL && (work.reaches != NULL || !narrow);
  if (ready) {
    if (view->focus.in_box) work.limits = focus_box_of(&view->focus.box, view->normalization, view->slots);
    select_primitives(view, s, work.searched, work.reaches);
    workers_for(s->workers, count, BOUNDS_GRAIN, bounds_range, &work);
    bounds_out->searched_count = atomic_load(&work.searched_count);
    view->boxes = work.boxes;
    view->searched = work.searched;
  }
  memory_release(s->memory, work.reaches, view->object_count, sizeof(primitive_box));
  const graze_result result = !ready ? GRAZE_OUT_OF_MEMORY : stop_was_requested(s->stop) ? GRAZE_STOPPED : GRAZE_OK;
  if (result != GRAZE_OK) primitive_bounds_release(bounds_out, s->memory);
  return result;
}

void primitive_bounds_release(primitive_bounds *bounds, memory *heap) {
  memory_release(heap, bounds->boxes, bounds->count, sizeof *bounds->boxes);
  memory_release(heap, bounds->searched, bounds->count, sizeof *bounds->searched);
  *bounds = (primitive_bounds){0};
}
