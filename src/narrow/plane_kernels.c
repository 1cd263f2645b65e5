/* The float filter of triangles, compiled once per vector width. Writes the candidates that are
 * not certain. The arithmetic and its error bound are in plane_tests.h. */
#include "narrow/plane_kernels.h"

#include "base/prefetch.h"
#include "narrow/plane_tests.h"

#define PLACES_4(first) (first), (first) + 1, (first) + 2, (first) + 3
#define PLACES_16(first) PLACES_4(first), PLACES_4((first) + 4), PLACES_4((first) + 8), PLACES_4((first) + 12)

/* Candidates of a chunk. The corners of the next chunk are prefetched before those of this one are used. Both fit into
 * the first-level cache. */
enum { CHUNK = 64 };

/* Corner numbers of up to CHUNK candidates, stored by corner. The last candidate fills the unused lanes. */
typedef struct corner_chunk {
  size_t count;
  uint32_t index[6][CHUNK + SIMD_WIDTH];
} corner_chunk;

/* Triangles are in spatial order, their vertices in the order of the file. In a triangle soup each access misses every
 * cache; prefetching many at once overlaps the misses. */
static inline void gather_corners(const rounded_vertex *vertices, const candidate *candidates, size_t count,
                                  corner_chunk *chunk_out) {
  chunk_out->count = count < CHUNK ? count : CHUNK;
  for (size_t at = 0; at < chunk_out->count; at++)
    for (int i = 0; i < 3; i++) {
      const uint32_t p = candidates[at].a->corner[i], q = candidates[at].b->corner[i];
      chunk_out->index[i][at] = p;
      chunk_out->index[3 + i][at] = q;
      prefetch(&vertices[p]);
      prefetch(&vertices[q]);
    }
  if (chunk_out->count % SIMD_WIDTH == 0) return;
  for (int i = 0; i < 6; i++)
    for (size_t lane = 0; lane < SIMD_WIDTH; lane++)
      chunk_out->index[i][chunk_out->count + lane] = chunk_out->index[i][chunk_out->count - 1];
}

/* The corners of SIMD_WIDTH candidates of a chunk. */
typedef struct pair_lanes {
  simd_point p[3], q[3];
  simd_float h; /* twice the largest of their errors */
} pair_lanes;

static inline pair_lanes pair_lanes_of(const rounded_vertex *vertices, const corner_chunk *chunk, size_t at) {
  pair_lanes lanes;
  simd_float error = simd_set(0.0f);
  for (int i = 0; i < 3; i++) lanes.p[i] = fetch_points(vertices, chunk->index[i] + at, &error);
  for (int i = 0; i < 3; i++) lanes.q[i] = fetch_points(vertices, chunk->index[3 + i] + at, &error);
  lanes.h = simd_add(error, error);
  return lanes;
}

/* Places in a chunk, with extra capacity, as whole vectors are written. */
typedef struct chunk_places {
  uint32_t places[CHUNK + SIMD_ROOM];
  size_t count;
} chunk_places;

/* Adds the places of the lanes whose bits are set. */
static inline void add_places(chunk_places *list, size_t at, uint32_t bits) {
  static const uint32_t places[CHUNK] = {PLACES_16(0), PLACES_16(16), PLACES_16(32), PLACES_16(48)};
  simd_compress_word(list->places + list->count, simd_load_word(places + at), bits);
  list->count += simd_count_bits(bits);
}

/* Drops lanes beyond the last candidate. */
static inline void drop_stand_ins(chunk_places *list, size_t count) {
  while (list->count > 0 && list->places[list->count - 1] >= count) list->count--;
}

/* One of the tests of plane_tests.h. */
typedef simd_word separation(const simd_point p[3], const simd_point q[3], simd_float h);

/* The places of candidates that are not certainly apart. No branch depends on the results: it would wait for all of the
 * arithmetic. */
static inline chunk_places filter_chunk(const rounded_vertex *vertices, const corner_chunk *chunk,
                                        separation *separate) {
  chunk_places left;
  left.count = 0;
  for (size_t at = 0; at < chunk->count; at += SIMD_WIDTH) {
    const pair_lanes lanes = pair_lanes_of(vertices, chunk, at);
    add_places(&left, at, simd_bits(separate(lanes.p, lanes.q, lanes.h)) ^ ((1u << SIMD_WIDTH) - 1));
  }
  drop_stand_ins(&left, chunk->count);
  return left;
}

static inline size_t filter_by(separation *separate, const primitive_view *view, const candidate *candidates,
                               size_t count, candidate *undecided_out) {
  const rounded_vertex *vertices = view->rounded_vertices;
  corner_chunk chunks[2];
  size_t undecided = 0;
  if (count > 0) gather_corners(vertices, candidates, count, &chunks[0]);
  for (size_t at = 0, turn = 0; at < count; at += CHUNK, turn ^= 1) {
    const size_t next = at + CHUNK;
    if (next < count) gather_corners(vertices, candidates + next, count - next, &chunks[turn ^ 1]);
    const chunk_places left = filter_chunk(vertices, &chunks[turn], separate);
    for (size_t i = 0; i < left.count; i++) undecided_out[undecided++] = candidates[at + left.places[i]];
  }
  return undecided;
}

static size_t filter_by_planes(const primitive_view *view, const candidate *candidates, size_t count,
                               candidate *undecided_out) {
  return filter_by(planes_separate, view, candidates, count, undecided_out);
}

static size_t filter_by_upright_planes(const primitive_view *view, const candidate *candidates, size_t count,
                                       candidate *undecided_out) {
  return filter_by(upright_planes_separate, view, candidates, count, undecided_out);
}

/* The corners of these candidates were in a cache recently. */
static size_t decide_by_edge_planes(const primitive_view *view, const candidate *candidates, size_t count,
                                    candidate *undecided_out, index_pair *meeting_out, size_t *meeting_count_out) {
  const rounded_vertex *vertices = view->rounded_vertices;
  size_t undecided = 0, meeting = 0;
  for (size_t at = 0; at < count; at += CHUNK) {
    corner_chunk chunk;
    chunk_places left, met;
    gather_corners(vertices, candidates + at, count - at, &chunk);
    left.count = met.count = 0;
    for (size_t lane = 0; lane < chunk.count; lane += SIMD_WIDTH) {
      const pair_lanes lanes = pair_lanes_of(vertices, &chunk, lane);
      const simd_relation relation = relate_triangles(lanes.p, lanes.q, lanes.h);
      const uint32_t meet = simd_bits(relation.meet), decided = simd_bits(relation.apart) | meet;
      add_places(&met, lane, meet);
      add_places(&left, lane, decided ^ ((1u << SIMD_WIDTH) - 1));
    }
    drop_stand_ins(&met, chunk.count);
    drop_stand_ins(&left, chunk.count);
    for (size_t i = 0; i < met.count; i++) meeting_out[meeting++] = candidates[at + met.places[i]].pair;
    for (size_t i = 0; i < left.count; i++) undecided_out[undecided++] = candidates[at + left.places[i]];
  }
  *meeting_count_out = meeting;
  return undecided;
}

/* One of the tests of plane_tests.h, for pairs with this number of vertices. */
typedef simd_word adjacent_separation(const simd_point *point, simd_float h);

static inline size_t filter_adjacent_by(adjacent_separation *separate, int vertex_count, const primitive_view *view,
                                        const adjacent_pair *candidates, size_t count, adjacent_pair *undecided_out) {
  size_t undecided = 0;
  for (size_t at = 0; at < count; at += SIMD_WIDTH) {
    uint32_t index[5][SIMD_WIDTH];
    for (size_t lane = 0; lane < SIMD_WIDTH; lane++)
      for (int i = 0; i < vertex_count; i++)
        index[i][lane] = candidates[at + lane < count ? at + lane : count - 1].vertex[i];
    simd_float error = simd_set(0.0f);
    simd_point point[5];
    for (int i = 0; i < vertex_count; i++) point[i] = fetch_points(view->rounded_vertices, index[i], &error);
    const uint32_t apart_bits = simd_bits(separate(point, simd_add(error, error)));
    for (size_t lane = 0; lane < SIMD_WIDTH && at + lane < count; lane++)
      if ((apart_bits >> lane & 1u) == 0) undecided_out[undecided++] = candidates[at + lane];
  }
  return undecided;
}

static size_t filter_vertex_adjacent(const primitive_view *view, const adjacent_pair *candidates, size_t count,
                                     adjacent_pair *undecided_out) {
  return filter_adjacent_by(adjacent_planes_separate, 5, view, candidates, count, undecided_out);
}

static size_t filter_edge_adjacent(const primitive_view *view, const adjacent_pair *candidates, size_t count,
                                   adjacent_pair *undecided_out) {
  return filter_adjacent_by(adjacent_edges_separate, 4, view, candidates, count, undecided_out);
}

const plane_kernels SIMD_NAMED(plane_kernels) = {filter_by_planes, filter_by_upright_planes, decide_by_edge_planes,
                                                 filter_vertex_adjacent, filter_edge_adjacent};
