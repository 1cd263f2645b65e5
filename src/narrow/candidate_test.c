/* The narrow phase, from candidates to pairs: a search for common corners if there are many, the float filter over the
 * batch, then the exact test of each remaining candidate.
 *
 * Workload: five to ten candidates a triangle. On meshes without intersections, the float filter decides nine in ten.
 * On a mesh and its own copy, or a triangle soup of one, nearly all touch at a common corner. */
#include "narrow/candidate_test.h"

#include "base/prefetch.h"
#include "base/simd_choice.h"
#include "base/timer.h"
#include "broad/kind_table.h"
#include "broad/primitive_box.h"
#include "broad/vertex_normalization.h"
#include "geometry/float_rounding.h"
#include "geometry/triangle_neighbors.h"
#include "narrow/primitive_pair.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- clearance */

/* Batches of the float filter of clearances. Corners are given coordinates relative to a corner of the pair, so the
 * precision of floats depends on the size of the pair, not of the scene. No rounded vertices are needed. */

/* The clearance is between 1 and 2 units. If it is less than 2^-24 of the scene it is smaller, so that triangles stay
 * within the range of the filter; pairs less than 2^-20 of a unit apart are then undecided. */
near_units near_units_make(const primitive_view *view) {
  int exponent;
  frexp(view->clearance, &exponent);
  const double factor = fmin(ldexp(1.0, 1 - exponent), 0x1p24 * view->normalization->scale);
  near_units units = {0.0, {0.0f, 0.0f}};
  if (!(factor > 0.0 && factor < HUGE_VAL)) return units;
  const double clearance = view->clearance * factor;
  units.factor = factor;
  units.limits.least = float_round_down(clearance);
  units.limits.most = float_round_up(fmax(clearance, 0x1p-20));
  return units;
}

static bool is_filtered(const primitive_view *view, const candidate *pair) {
  const uint32_t a = pair->a->object, b = pair->b->object;
  if (!view->only_triangles && batch_of_pair(view->sources[a].kind, view->sources[b].kind) != BATCH_TRIANGLES)
    return false;
  if (a != b || view->skip_neighbors) return true;
  return !corner_is_repeated(pair->a->corner) && !corner_is_repeated(pair->b->corner) &&
         !headers_share_corner(pair->a, pair->b);
}

static void write_corner(near_pairs *pairs, size_t place, int row, const double *corner, const double *origin,
                         double factor) {
  for (int axis = 0; axis < 3; axis++)
    pairs->coordinates[row + axis][place] = (float)((corner[axis] - origin[axis]) * factor);
}

/* A method lists all candidates of one triangle in sequence, so fetched corners are often reused. */
void near_batch_decide(const near_kernels *kernels, const primitive_view *view, const near_units *units,
                       const candidate *candidates, size_t count, uint8_t answers_out[NEAR_CHUNK]) {
  near_pairs pairs;
  uint8_t places[NEAR_CHUNK], answers[NEAR_CAPACITY];
  const primitive_header *last_a = NULL, *last_b = NULL;
  double p[9] = {0}, q[9] = {0};
  size_t filtered = 0;
  memset(answers_out, NEAR_UNDECIDED, count);
  for (size_t i = 0; i < count; i++) {
    const candidate *pair = &candidates[i];
    if (!is_filtered(view, pair)) continue;
    if (pair->a != last_a) fetch_triangle(view, pair->a, p);
    if (pair->b != last_b) fetch_triangle(view, pair->b, q);
    last_a = pair->a;
    last_b = pair->b;
    for (int corner = 0; corner < 2; corner++)
      write_corner(&pairs, filtered, 3 * corner, p + 3 * (corner + 1), p, units->factor);
    for (int corner = 0; corner < 3; corner++)
      write_corner(&pairs, filtered, 6 + 3 * corner, q + 3 * corner, p, units->factor);
    places[filtered++] = (uint8_t)i;
  }
  if (filtered == 0) return;
  for (int row = 0; row < NEAR_COORDINATES; row++)
    for (size_t i = filtered; i < filtered + (NEAR_CAPACITY - NEAR_CHUNK); i++) pairs.coordinates[row][i] = 0.0f;
  kernels->decide(&pairs, filtered, units->limits, answers);
  for (size_t i = 0; i < filtered; i++) answers_out[places[i]] = answers[i];
}

/* ---------------------------------------------------------------------------------------------- lanes */

static void keep_pair(test_lane *lane, index_pair pair) {
  lane->scratch.found.pairs[lane->scratch.found.count++] = pair;
}

static void count_tier(test_counts *counts, const orientation_tally *tally) {
  counts->double_decided += tally->deepest_tier == TIER_DOUBLE;
  counts->exact_decided += tally->deepest_tier == TIER_EXPANSION;
  counts->wide_decided += tally->deepest_tier == TIER_WIDE;
}

static void prefetch_exact(const primitive_view *view, const candidate *candidates, size_t count) {
  for (size_t i = 0; i < count; i++) {
    prefetch_triangle(view, candidates[i].a);
    prefetch_triangle(view, candidates[i].b);
  }
}

/* Keeps the pairs that certainly meet, writes the undecided ones, and returns the number of those. */
static size_t decide_some(const candidate_test *test, const candidate *candidates, size_t count, candidate *left_out,
                          test_lane *lane) {
  batch_pairs *found = &lane->scratch.found;
  size_t meeting;
  const size_t left =
      test->kernels->decide_by_edges(test->view, candidates, count, left_out, found->pairs + found->count, &meeting);
  found->count += meeting;
  return left;
}

/* Planes along edges pay unless triangles touch or are coplanar. Planes upright on edges pay if triangles are coplanar
 * and apart, as on flat faces of machine parts. The first candidates of a batch decide which
 * filters run. Batches do not depend on the workers, so this choice does not either. */
static size_t decide_crossing(const candidate_test *test, candidate *crossing, size_t count, test_lane *lane) {
  enum { SAMPLE = 64 };
  const size_t sample = count < SAMPLE ? count : SAMPLE;
  const size_t edges_left = decide_some(test, crossing, sample, crossing, lane);
  const size_t left = test->kernels->filter_upright(test->view, crossing, edges_left, crossing);
  candidate *rest = crossing + sample;
  size_t rest_count = count - sample;
  if (8 * (edges_left - left) >= sample) {
    rest_count = test->kernels->filter_upright(test->view, rest, rest_count, crossing + left);
    rest = crossing + left;
  }
  if (8 * (sample - edges_left) >= sample) return left + decide_some(test, rest, rest_count, crossing + left, lane);
  if (rest > crossing + left) memmove(crossing + left, rest, rest_count * sizeof *rest);
  return left + rest_count;
}

/* Whether the two triangles have a corner with equal rounded coordinates. */
static bool seems_to_touch(const rounded_vertex *vertices, const candidate *pair) {
  bool any = false;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      any |= memcmp(&vertices[pair->a->corner[i]], &vertices[pair->b->corner[j]], sizeof *vertices) == 0;
  return any;
}

/* Whether most candidates of a batch seem to touch at common corners, as in a mesh and its copy, fragments of one
 * body, or a triangle soup. It samples the first few, whose rounded corners the filter is about to read. */
static bool most_touch(const primitive_view *view, const candidate *candidates, size_t count) {
  enum { SAMPLE = 16, OTHERS = 2 };
  if (count < SAMPLE) return false;
  size_t others = 0;
  for (size_t i = 0; i < SAMPLE && others <= OTHERS; i++)
    others += !seems_to_touch(view->rounded_vertices, &candidates[i]);
  return others <= OTHERS;
}

/* Keeps the pairs with a common corner, and writes the others. A method lists all candidates of one triangle in
 * sequence, so fetched corners are often reused. */
static size_t keep_touching(const primitive_view *view, const candidate *candidates, size_t count, candidate *left_out,
                            test_lane *lane) {
  enum { AHEAD = 8 }; /* corners are prefetched this many candidates ahead */
  const primitive_header *last_a = NULL, *last_b = NULL;
  double p[9] = {0}, q[9] = {0};
  size_t left = 0;
  prefetch_exact(view, candidates, count < AHEAD ? count : AHEAD);
  for (size_t i = 0; i < count; i++) {
    if (i + AHEAD < count) prefetch_exact(view, candidates + i + AHEAD, 1);
    const candidate pair = candidates[i];
    if (pair.a != last_a) fetch_triangle(view, pair.a, p);
    if (pair.b != last_b) fetch_triangle(view, pair.b, q);
    last_a = pair.a;
    last_b = pair.b;
    if (corners_are_shared(p, q))
      keep_pair(lane, pair.pair);
    else
      left_out[left++] = pair;
  }
  lane->counts.double_decided += count - left;
  return left;
}

static void test_apart(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  const candidate *undecided = candidates;
  size_t left = count;
  if (test->kernels != NULL) {
    candidate *crossing = lane->scratch.triangles.left;
    if (most_touch(test->view, candidates, count)) {
      count = keep_touching(test->view, candidates, count, crossing, lane);
      candidates = crossing;
    }
    const size_t crossing_count = test->kernels->filter(test->view, candidates, count, crossing);
    left = decide_crossing(test, crossing, crossing_count, lane);
    undecided = crossing;
  }
  prefetch_exact(test->view, undecided, left);
  lane->counts.float_decided += count - left;
  for (size_t i = 0; i < left; i++) {
    double p[9], q[9];
    orientation_tally tally = {0};
    fetch_triangle(test->view, undecided[i].a, p);
    fetch_triangle(test->view, undecided[i].b, q);
    if (triangle_pair_intersects(p, q, &tally)) keep_pair(lane, undecided[i].pair);
    count_tier(&lane->counts, &tally);
  }
}

static bool meets_beyond(const primitive_view *view, const candidate *pair, test_counts *counts) {
  const shared_corners shared = shared_corners_of(pair->a->corner, pair->b->corner);
  double p[9], q[9];
  orientation_tally tally = {0};
  fetch_triangle(view, pair->a, p);
  fetch_triangle(view, pair->b, q);
  const bool meet = triangle_pair_intersects_beyond(p, q, shared.count, shared.a, shared.b, &tally);
  count_tier(counts, &tally);
  return meet;
}

static void write_adjacent(const candidate *pair, const shared_corners *shared, adjacent_pair *adjacent_out) {
  adjacent_vertices(pair->a->corner, pair->b->corner, shared, adjacent_out->vertex);
  adjacent_out->candidate = *pair;
}

/* Tests adjacent candidates that the float filter did not decide, by the rule for neighbors. */
static void test_adjacent(const candidate_test *test, const adjacent_pair *adjacent, size_t count, test_lane *lane) {
  for (size_t i = 0; i < count; i++)
    if (meets_beyond(test->view, &adjacent[i].candidate, &lane->counts)) keep_pair(lane, adjacent[i].candidate.pair);
}

/* With GRAZE_NEIGHBORS_BEYOND, triangles that share corners are tested by the rule for neighbors, and the others by the
 * plain test. Those with a common edge are gathered from the end of the array. */
static void test_beyond(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  candidate *plain = lane->scratch.triangles.plain;
  adjacent_pair *by_vertex = lane->scratch.triangles.adjacent, *by_edge = by_vertex + CANDIDATE_BATCH;
  size_t plain_count = 0, vertex_count = 0, edge_count = 0;
  for (size_t i = 0; i < count; i++) {
    const candidate *pair = &candidates[i];
    if (pair->a->object == pair->b->object &&
        (corner_is_repeated(pair->a->corner) || corner_is_repeated(pair->b->corner)))
      continue;
    const shared_corners shared = shared_corners_of(pair->a->corner, pair->b->corner);
    if (shared.count == 0) {
      plain[plain_count++] = *pair;
    } else if (shared.count == 1) {
      write_adjacent(pair, &shared, &by_vertex[vertex_count++]);
    } else if (shared.count == 2) {
      write_adjacent(pair, &shared, --by_edge);
      edge_count++;
    }
  }
  const size_t adjacent_count = vertex_count + edge_count;
  if (test->kernels != NULL) {
    vertex_count = test->kernels->filter_vertex_adjacent(test->view, by_vertex, vertex_count, by_vertex);
    edge_count = test->kernels->filter_edge_adjacent(test->view, by_edge, edge_count, by_edge);
  }
  lane->counts.float_decided += adjacent_count - vertex_count - edge_count;
  test_adjacent(test, by_vertex, vertex_count, lane);
  test_adjacent(test, by_edge, edge_count, lane);
  test_apart(test, plain, plain_count, lane);
}

static void test_boxes(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  const bool grown = test->view->clearance > 0.0;
  for (size_t i = 0; i < count; i++)
    if (grown ? primitive_boxes_within(test->view, candidates[i].pair)
              : primitive_boxes_meet(test->view, candidates[i].pair))
      keep_pair(lane, candidates[i].pair);
  lane->counts.double_decided += count;
}

static void test_triangles(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  if (test->view->skip_neighbors)
    test_apart(test, candidates, count, lane);
  else
    test_beyond(test, candidates, count, lane);
}

/* ---------------------------------------------------------------------------------------------- other kinds */

/* Tests of polygons may take long, so the task checks for its end before each one. */
static void test_one_by_one(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  for (size_t i = 0; i < count && !search_leaves(test->search, lane->scratch.found.task); i++) {
    orientation_tally tally = {0};
    if (primitive_pair_meets(test->view, candidates[i].pair, test->pair_test, !test->view->skip_neighbors,
                             test->search->memory, &tally))
      keep_pair(lane, candidates[i].pair);
    count_tier(&lane->counts, &tally);
  }
}

/* The scene's vertex numbers of a tetrahedron. */
static void tetrahedron_vertices(const primitive_view *view, const primitive_header *header, uint32_t primitive,
                                 uint32_t vertices_out[4]) {
  const object_source *source = &view->sources[header->object];
  memcpy(vertices_out, header->corner, sizeof header->corner);
  vertices_out[3] = corners_of(source, primitive).vertices[3] + source->first_vertex;
}

static void prefetch_elements(const primitive_view *view, const candidate *candidates, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const candidate *pair = &candidates[i];
    prefetch(corners_of(&view->sources[pair->a->object], pair->pair.a).vertices);
    prefetch(corners_of(&view->sources[pair->b->object], pair->pair.b).vertices);
  }
}

/* Fetches the corner numbers of all candidates, then prefetches the vertices that the filter reads. */
static void gather_tetrahedra(const primitive_view *view, const candidate *candidates, size_t count,
                              uint32_t (*a_out)[4], uint32_t (*b_out)[4]) {
  prefetch_elements(view, candidates, count);
  for (size_t i = 0; i < count; i++) {
    tetrahedron_vertices(view, candidates[i].a, candidates[i].pair.a, a_out[i]);
    tetrahedron_vertices(view, candidates[i].b, candidates[i].pair.b, b_out[i]);
    for (int corner = 0; corner < 4; corner++) {
      prefetch(&view->rounded_vertices[a_out[i][corner]]);
      prefetch(&view->rounded_vertices[b_out[i][corner]]);
    }
  }
}

/* Moves the pairs that the float filter left to the front, and returns how many there are. */
static size_t keep_undecided(const uint32_t *undecided, size_t count, const candidate *candidates, uint32_t (*a)[4],
                             uint32_t (*b)[4], candidate *left_out) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t from = undecided[i];
    left_out[i] = candidates[from];
    memcpy(a[i], a[from], sizeof a[i]);
    memcpy(b[i], b[from], sizeof b[i]);
  }
  return count;
}

static bool has_bit(const uint32_t *bits, size_t i) {
  return (bits[i / 32] >> i % 32 & 1u) != 0;
}

/* Removes from `left` the pairs that certainly meet or certainly are apart; returns the number of the others. */
static size_t take_decided(const uint32_t *intersecting_bits, const uint32_t *apart_bits, candidate *left, size_t count,
                           test_lane *lane) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (has_bit(intersecting_bits, i))
      keep_pair(lane, left[i].pair);
    else if (!has_bit(apart_bits, i))
      left[kept++] = left[i];
  }
  return kept;
}

static void test_tetrahedra(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  const solid_kernels *kernels = test->solid_kernels;
  const rounded_vertex *vertices = test->view->rounded_vertices;
  candidate *left = lane->scratch.tetrahedra.left;
  uint32_t(*a)[4] = lane->scratch.tetrahedra.a, (*b)[4] = lane->scratch.tetrahedra.b;
  uint32_t *undecided = lane->scratch.tetrahedra.undecided;
  uint32_t intersecting_bits[CANDIDATE_BATCH / 32], apart_bits[CANDIDATE_BATCH / 32];
  gather_tetrahedra(test->view, candidates, count, a, b);
  size_t left_count =
      kernels->filter_tetrahedra(vertices, (const uint32_t(*)[4])a, (const uint32_t(*)[4])b, count, undecided);
  left_count = keep_undecided(undecided, left_count, candidates, a, b, left);
  kernels->decide_by_edges(vertices, (const uint32_t(*)[4])a, (const uint32_t(*)[4])b, left_count, intersecting_bits,
                           apart_bits);
  left_count = take_decided(intersecting_bits, apart_bits, left, left_count, lane);
  prefetch_exact(test->view, left, left_count);
  lane->counts.float_decided += count - left_count;
  test_one_by_one(test, left, left_count, lane);
}

static void test_spheres(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  for (size_t i = 0; i < count; i++) {
    orientation_tally tally = {0};
    if (spheres_meet(test->view, candidates[i].pair, &tally)) keep_pair(lane, candidates[i].pair);
    count_tier(&lane->counts, &tally);
  }
}

static kind_batch batch_of(const candidate_test *test, const candidate *pair) {
  const kind_batch batch =
      batch_of_pair(test->view->sources[pair->a->object].kind, test->view->sources[pair->b->object].kind);
  return batch == BATCH_TETRAHEDRA && test->solid_kernels == NULL ? BATCH_OTHERS : batch;
}

static void test_batch(const candidate_test *test, kind_batch batch, const candidate *candidates, size_t count,
                       test_lane *lane) {
  if (count == 0) return;
  if (batch == BATCH_TRIANGLES)
    test_triangles(test, candidates, count, lane);
  else if (batch == BATCH_TETRAHEDRA)
    test_tetrahedra(test, candidates, count, lane);
  else if (batch == BATCH_SPHERES)
    test_spheres(test, candidates, count, lane);
  else
    test_one_by_one(test, candidates, count, lane);
}

/* Groups candidates by kind and tests each group. If all have one kind, as in most scenes, they are not copied. */
static void test_kinds(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  uint8_t batches[CANDIDATE_BATCH];
  size_t counts[BATCH_COUNT] = {0};
  for (size_t i = 0; i < count; i++) {
    batches[i] = (uint8_t)batch_of(test, &candidates[i]);
    counts[batches[i]]++;
  }
  if (counts[batches[0]] == count) {
    test_batch(test, (kind_batch)batches[0], candidates, count, lane);
    return;
  }
  candidate *like[BATCH_COUNT], *ends[BATCH_COUNT];
  candidate *next = lane->scratch.by_kind;
  for (int batch = 0; batch < BATCH_COUNT; batch++) {
    like[batch] = ends[batch] = next;
    next += counts[batch];
  }
  for (size_t i = 0; i < count; i++) *ends[batches[i]]++ = candidates[i];
  for (int batch = 0; batch < BATCH_COUNT; batch++)
    test_batch(test, (kind_batch)batch, like[batch], counts[batch], lane);
}

/* Whether two primitives within the clearance are so near along the mesh that only an intersection makes them a pair,
 * and do not intersect. Those that share a vertex were decided by the rule for neighbors. */
static bool is_left_out(const candidate_test *test, const candidate *pair, const test_lane *lane,
                        orientation_tally *tally) {
  const uint32_t object = pair->a->object;
  if (test->rings == NULL || object != pair->b->object) return false;
  if (share_corner(&test->view->sources[object], pair->pair.a, pair->pair.b)) return false;
  if (!mesh_rings_reach(test->rings, (uint32_t)(lane - test->lanes), object, pair->pair.a, pair->pair.b)) return false;
  return !primitive_pair_meets(test->view, pair->pair, test->pair_test, !test->view->skip_neighbors,
                               test->search->memory, tally);
}

/* Tests one candidate of a query with a clearance, given the answer of the float filter. */
static void test_near(const candidate_test *test, const candidate *pair, near_answer answer, test_lane *lane) {
  orientation_tally tally = {0};
  const bool within = answer != NEAR_UNDECIDED ? answer == NEAR_WITHIN
                                               : primitive_pair_within(test->view, pair->pair, test->pair_test,
                                                                       test->search->memory, &tally);
  if (within && !is_left_out(test, pair, lane, &tally)) keep_pair(lane, pair->pair);
  if (answer == NEAR_UNDECIDED)
    count_tier(&lane->counts, &tally);
  else
    lane->counts.float_decided++;
}

/* Tests the candidates of a query with a clearance. */
static void test_within(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  const bool filters = test->near_kernels != NULL && test->near_units.factor > 0.0;
  prefetch_exact(test->view, candidates, count);
  for (size_t first = 0; first < count; first += NEAR_CHUNK) {
    const size_t part = count - first < NEAR_CHUNK ? count - first : NEAR_CHUNK;
    uint8_t answers[NEAR_CHUNK] = {NEAR_UNDECIDED};
    if (filters)
      near_batch_decide(test->near_kernels, test->view, &test->near_units, candidates + first, part, answers);
    for (size_t i = 0; i < part && !search_leaves(test->search, lane->scratch.found.task); i++)
      test_near(test, &candidates[first + i], (near_answer)answers[i], lane);
  }
}

static void test_all(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  if (count == 0) return;
  if (test->candidates_only)
    test_boxes(test, candidates, count, lane);
  else if (test->view->clearance > 0.0)
    test_within(test, candidates, count, lane);
  else if (test->view->only_triangles)
    test_triangles(test, candidates, count, lane);
  else
    test_kinds(test, candidates, count, lane);
}

/* Whether one of the two primitives extends over several segments of the coordinate map, which bends it: the float
 * filters then do not see its true shape. Kinds without a float filter never count as bent. */
static bool is_bent(const candidate_test *test, const candidate *pair) {
  const primitive_view *view = test->search->view;
  if (!view->only_triangles && batch_of(test, pair) >= BATCH_SPHERES) return false;
  const primitive_box a = primitive_box_at(view, pair->pair.a), b = primitive_box_at(view, pair->pair.b);
  return box_straddles(a.min, a.max, view->slots) || box_straddles(b.min, b.max, view->slots);
}

/* If coordinates are mapped by segments, only pairs within one segment may be filtered. */
static void test_mapped(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane) {
  candidate *ordered = lane->scratch.by_segment;
  size_t plain = 0, first_bent = count;
  for (size_t i = 0; i < count; i++) {
    const bool bent = is_bent(test, &candidates[i]);
    ordered[bent ? --first_bent : plain++] = candidates[i];
  }
  candidate_test unfiltered = *test;
  unfiltered.kernels = NULL;
  unfiltered.solid_kernels = NULL;
  test_all(test, ordered, plain, lane);
  test_all(&unfiltered, ordered + plain, count - plain, lane);
}

/* ---------------------------------------------------------------------------------------------- parts */

static part_side side_of(const primitive_view *view, const primitive_header *header, uint32_t primitive,
                         header_corners *storage) {
  return part_side_of(view->sources, view->parts, header, primitive, storage);
}

/* Tests candidates of two parts of one object that share a vertex, as the query requests, and leaves the others for the
 * tests of different objects. Returns the number of those left. */
static size_t test_parts(const candidate_test *test, const candidate *candidates, size_t count, test_lane *lane,
                         candidate *others_out) {
  const primitive_view *view = test->view;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const candidate *pair = &candidates[i];
    others_out[kept] = *pair;
    if (pair->a->object == pair->b->object || !objects_are_parts(view->rules, pair->a->object, pair->b->object) ||
        (test->candidates_only && !view->skip_neighbors)) {
      kept++;
      continue;
    }
    header_corners storage[2];
    const part_side sides[2] = {side_of(view, pair->a, pair->pair.a, &storage[0]),
                                side_of(view, pair->b, pair->pair.b, &storage[1])};
    const part_relation relation = relate_part_sides(&sides[0], &sides[1], view->skip_neighbors);
    kept += relation == PARTS_APART;
    if (relation != PARTS_NEIGHBORS) continue;
    orientation_tally tally = {0};
    if (part_neighbors_meet(sides, test->pair_test, test->search->memory, &tally)) keep_pair(lane, pair->pair);
    count_tier(&lane->counts, &tally);
  }
  return kept;
}

/* ---------------------------------------------------------------------------------------------- objects */

static index_pair *place_of(test_lane *lane, index_pair objects) {
  return &lane->recent[(objects.a * 31 + objects.b) % RECENT_OBJECTS];
}

static bool is_recent(test_lane *lane, index_pair objects) {
  const index_pair *recent = place_of(lane, objects);
  return recent->a == objects.a && recent->b == objects.b;
}

/* Drops candidates of objects that this worker recently found to touch. */
static size_t drop_recent(const primitive_view *view, const candidate *candidates, size_t count, test_lane *lane,
                          candidate *others_out) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const candidate *pair = &candidates[i];
    others_out[kept] = *pair;
    kept +=
        !is_recent(lane, index_pair_in_order(known_number(view, pair->a->object), known_number(view, pair->b->object)));
  }
  return kept;
}

/* Clears the cache before a crowded region is searched, so that touching objects are found again and added to the
 * search's known pairs. */
static void begin_known_objects(const known_objects *known, test_lane *lane) {
  if (!known->in_use || lane->adds_known) return;
  memset(lane->recent, UINT8_MAX, sizeof lane->recent);
  lane->adds_known = true;
}

/* Replaces the found pairs with pairs of their objects; false when out of memory. */
static bool replace_by_objects(const search *s, known_objects *known, test_lane *lane) {
  const primitive_view *view = s->view;
  batch_pairs *found = &lane->scratch.found;
  size_t kept = 0;
  for (size_t i = 0; i < found->count; i++) {
    const index_pair pair = found->pairs[i];
    const uint32_t a = owner_of_primitive(view->headers, view->sources, view->object_count, pair.a);
    const uint32_t b = owner_of_primitive(view->headers, view->sources, view->object_count, pair.b);
    const index_pair objects = index_pair_in_order(known_number(view, a), known_number(view, b));
    if (is_recent(lane, objects)) continue;
    *place_of(lane, objects) = objects;
    if (lane->adds_known && pair_set_has(&known->pairs, objects)) continue;
    if (lane->adds_known && !pair_set_add(&known->pairs, s->memory, objects)) return false;
    found->pairs[kept++] = objects;
  }
  found->count = kept;
  return true;
}

static void rank_pairs(const uint32_t *ranks, batch_pairs *found) {
  for (size_t i = 0; i < found->count; i++) {
    const uint32_t a = ranks[found->pairs[i].a], b = ranks[found->pairs[i].b];
    found->pairs[i] = a < b ? (index_pair){a, b} : (index_pair){b, a};
  }
}

static size_t consume_candidates(void *context, uint32_t worker, uint32_t task, const candidate *candidates,
                                 size_t count) {
  const candidate_test *test = context;
  test_lane *lane = &test->lanes[worker];
  batch_pairs *found = &lane->scratch.found;
  const double begin = timer_now_ms();
  found->task = task;
  found->count = 0;
  if (test->objects_only) {
    begin_known_objects(&test->search->known[worker], lane);
    count = drop_recent(test->view, candidates, count, lane, lane->scratch.of_others);
    candidates = lane->scratch.of_others;
  }
  if (test->view->parts != NULL) {
    count = test_parts(test, candidates, count, lane, lane->scratch.of_parts);
    candidates = lane->scratch.of_parts;
  }
  if (test->view->slots != 0.0f && test->kernels != NULL)
    test_mapped(test, candidates, count, lane);
  else
    test_all(test, candidates, count, lane);
  const size_t found_count = found->count;
  if (test->sink->ranks != NULL) rank_pairs(test->sink->ranks, found);
  if ((test->objects_only && !replace_by_objects(test->search, &test->search->known[worker], lane)) ||
      !pair_sink_add(test->sink, test->search, worker, task, found->pairs, found->count))
    search_stop_out_of_memory(test->search);
  lane->counts.milliseconds += timer_now_ms() - begin;
  return found_count;
}

void candidate_test_init(candidate_test *test, search *s, pair_sink *sink, test_lane *lanes, bool filter,
                         const graze_query *query) {
  const bool is_near = query->clearance > 0.0;
  *test = (candidate_test){.view = s->view,
                           .search = s,
                           .sink = sink,
                           .kernels = filter && !is_near ? SIMD_KERNELS(plane_kernels, s->simd) : NULL,
                           .solid_kernels = filter && !is_near ? SIMD_KERNELS(solid_kernels, s->simd) : NULL,
                           .lanes = lanes,
                           .pair_test = query->test,
                           .candidates_only = query->candidates_only,
                           .objects_only = s->one_of_each};
  if (is_near && filter) {
    test->near_kernels = SIMD_KERNELS(near_kernels, s->simd);
    test->near_units = near_units_make(s->view);
  }
  for (uint32_t i = 0; i < workers_count(s->workers); i++) {
    lanes[i].counts = (test_counts){0};
    lanes[i].adds_known = false;
    memset(lanes[i].recent, UINT8_MAX, sizeof lanes[i].recent);
  }
  s->sink = (candidate_sink){test, consume_candidates};
}

test_counts candidate_test_counts(const candidate_test *test, uint32_t worker_count) {
  test_counts sum = {0};
  for (uint32_t i = 0; i < worker_count; i++) {
    const test_counts *counts = &test->lanes[i].counts;
    sum.float_decided += counts->float_decided;
    sum.double_decided += counts->double_decided;
    sum.exact_decided += counts->exact_decided;
    sum.wide_decided += counts->wide_decided;
    sum.milliseconds += counts->milliseconds;
  }
  return sum;
}
