/* Finds pairs of features near each other, by graze.
 *
 * Each patch of some triangles is in the scene as its box, grown by half the reach: a triangle with one corner at the
 * least and two at the greatest point of the box has exactly that box. The query finds candidates, which are exactly
 * the pairs of intersecting boxes. Every corner and every edge belongs to one patch (after Curtis, Tamstorf, Manocha:
 * "Fast collision detection for deformable models using representative-triangles", 2008), so that each pair of features
 * is found once.
 *
 * Workload: 12,000 patches and 40,000 candidates for a sheet of 92,000 triangles, many times per frame. Boxes of single
 * triangles would give ten times as many candidates, nearly all of them neighbors in the sheet. */
#include "simulation/parallel_ranges.h"
#include "simulation/simulation_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CATEGORY_FREE = 1, CATEGORY_KINEMATIC = 2, PATCH_GRAIN = 512, PAIR_GRAIN = 256, VOLUME_GRAIN = 1024 };

#define PAIR_UNKNOWN UINT32_MAX

/* How far beyond the reach the cached search goes, as a fraction of the reach. */
#define MEMORY_MARGIN 0.6

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static bool meets_itself(const simulated_body *body) {
  return body->kind == BODY_CLOTH || body->kind == BODY_SOFT;
}

graze_result near_pairs_add_body(simulation *world, size_t number) {
  simulated_body *body = &world->bodies[number];
  uint32_t *indices = malloc((3 * body->patch_count + 1) * sizeof *indices);
  if (indices == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < body->patch_count; ++i) {
    indices[3 * i] = (uint32_t)(2 * i);
    indices[3 * i + 1] = indices[3 * i + 2] = (uint32_t)(2 * i + 1);
  }
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions =
      (graze_view){world->patch_boxes + 6 * body->first_patch, 2 * body->patch_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){indices, body->patch_count, 0, GRAZE_FORMAT_UINT32_3};
  placed.category = body->kind == BODY_KINEMATIC ? CATEGORY_KINEMATIC : CATEGORY_FREE;
  placed.mask = body->kind == BODY_KINEMATIC ? CATEGORY_FREE : CATEGORY_FREE | CATEGORY_KINEMATIC;
  placed.self = meets_itself(body);
  const graze_result result = graze_scene_add(world->scene, GRAZE_KIND_TRIANGLE, &def, &placed, &body->object);
  free(indices);
  return result;
}

static void make_box(simulation *world, size_t triangle) {
  const uint32_t *corners = world->triangles + 3 * triangle;
  double *box = world->triangle_boxes + 6 * triangle;
  for (size_t axis = 0; axis < 3; ++axis) {
    double least = world->positions[3 * (size_t)corners[0] + axis], most = least;
    for (size_t k = 1; k < 3; ++k) {
      const double value = world->positions[3 * (size_t)corners[k] + axis];
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    box[axis] = least;
    box[3 + axis] = most;
  }
}

/* Boxes of the triangles unchanged, of the patches grown. */
static void make_boxes(void *context, size_t first, size_t end) {
  simulation *world = context;
  const double grown = 0.5 * world->reach;
  for (size_t p = first; p < end; ++p) {
    const surface_patch *patch = &world->patches[p];
    double *box = world->patch_boxes + 6 * p;
    for (size_t i = patch->first_triangle; i < patch->triangle_end; ++i) {
      make_box(world, i);
      const double *part = world->triangle_boxes + 6 * i;
      for (size_t axis = 0; axis < 3; ++axis) {
        const bool whole = i == patch->first_triangle;
        box[axis] = whole || part[axis] < box[axis] ? part[axis] : box[axis];
        box[3 + axis] = whole || part[3 + axis] > box[3 + axis] ? part[3 + axis] : box[3 + axis];
      }
    }
    for (size_t axis = 0; axis < 3; ++axis) {
      box[axis] -= grown;
      box[3 + axis] += grown;
    }
  }
}

static graze_result find_candidates(simulation *world) {
  graze_query query = graze_query_default();
  query.candidates_only = true;
  query.should_stop = world->settings.should_stop;
  const double start = milliseconds();
  graze_result result = GRAZE_OK;
  for (size_t i = 0; result == GRAZE_OK && i < world->body_count; ++i) {
    const simulated_body *body = &world->bodies[i];
    const graze_view boxes = {world->patch_boxes + 6 * body->first_patch, 2 * body->patch_count, 0,
                              GRAZE_FORMAT_DOUBLE3};
    result = graze_object_set_positions(world->scene, body->object, 0, boxes);
  }
  if (result == GRAZE_OK) result = graze_scene_update(world->scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(world->scene, &query, &world->candidates);
  world->costs.search_ms += milliseconds() - start;
  ++world->costs.searches;
  return result;
}

/* The pairs of patches to test: first patches with themselves, then the candidates in the order of graze. */
static bool list_patch_pairs(simulation *world, size_t *count_out) {
  patch_memory *memory = &world->memory;
  const size_t most = world->patch_count + world->candidates.count;
  if (most > memory->present_capacity) {
    void *grown;
    if (!GROW(memory->present, 2 * most) || !GROW(memory->known, 2 * most)) return false;
    memory->present_capacity = 2 * most;
  }
  size_t count = 0;
  for (size_t i = 0; i < world->body_count; ++i) {
    const simulated_body *body = &world->bodies[i];
    for (size_t p = body->first_patch; meets_itself(body) && p < body->first_patch + body->patch_count; ++p)
      memory->present[count++] = (patch_pair){(uint32_t)p, (uint32_t)p};
  }
  for (size_t i = 0; i < world->candidates.count; ++i) {
    const graze_pair *pair = &world->candidates.pairs[i];
    const size_t a = world->bodies[pair->object_a].first_patch + pair->primitive_a;
    const size_t b = world->bodies[pair->object_b].first_patch + pair->primitive_b;
    memory->present[count++] = (patch_pair){(uint32_t)a, (uint32_t)b};
  }
  *count_out = count;
  return true;
}

/* ------------------------------------------------------------------------------------------------ cache
 *
 * A falling sheet has nearly the same near pairs a step later: all of it moves, but neighbors move alike. So some
 * searches go slightly beyond the reach, and cache their results for each pair of patches. While the corners of two
 * patches have not moved relative to each other by more than that excess, all near features between them are in the
 * cache. If too many pairs of patches are new or have moved, all are searched and cached again. */

static void measure_moves(void *context, size_t first, size_t end) {
  simulation *world = context;
  for (size_t p = first; p < end; ++p) {
    double *moves = world->memory.moves + 6 * p;
    const uint32_t *begin = world->triangles + 3 * (size_t)world->patches[p].first_triangle;
    const uint32_t *stop = world->triangles + 3 * (size_t)world->patches[p].triangle_end;
    for (const uint32_t *corner = begin; corner < stop; ++corner) {
      for (size_t axis = 0; axis < 3; ++axis) {
        const size_t at = 3 * (size_t)*corner + axis;
        const double move = world->positions[at] - world->memory.positions[at];
        moves[axis] = corner == begin || move < moves[axis] ? move : moves[axis];
        moves[3 + axis] = corner == begin || move > moves[3 + axis] ? move : moves[3 + axis];
      }
    }
  }
}

/* Whether no two points of the patches have moved relative to each other by more, including rounding. */
static double moved_apart(const simulation *world, patch_pair pair) {
  const double *a = world->memory.moves + 6 * (size_t)pair.a, *b = world->memory.moves + 6 * (size_t)pair.b;
  double square = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double one = a[3 + axis] - b[axis], other = b[3 + axis] - a[axis];
    const double most = one > other ? one : other;
    square += most * most;
  }
  return sqrt(square) + 1e-6 * world->reach;
}

static bool comes_before(patch_pair one, patch_pair other) {
  return one.a != other.a ? one.a < other.a : one.b < other.b;
}

/* Pairs of a patch with itself come first. */
static bool is_listed_before(patch_pair one, patch_pair other) {
  if ((one.a == one.b) != (other.a == other.b)) return one.a == one.b;
  return comes_before(one, other);
}

static size_t first_not_before(const patch_memory *memory, patch_pair pair) {
  size_t low = 0, high = memory->pair_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (is_listed_before(memory->pairs[middle], pair)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Both lists are in the same order: after the first pair of the range is found, they are merged. */
static void recall_range(void *context, size_t first, size_t end) {
  simulation *world = context;
  patch_memory *memory = &world->memory;
  size_t at = first_not_before(memory, memory->present[first]);
  for (size_t i = first; i < end; ++i) {
    const patch_pair pair = memory->present[i];
    while (at < memory->pair_count && is_listed_before(memory->pairs[at], pair)) ++at;
    const bool found = at < memory->pair_count && memory->pairs[at].a == pair.a && memory->pairs[at].b == pair.b;
    memory->known[i] = found && moved_apart(world, pair) < MEMORY_MARGIN * world->reach ? (uint32_t)at : PAIR_UNKNOWN;
  }
}

/* Whether enough pairs are cached for the others to be searched individually. */
static bool recall(simulation *world, size_t count) {
  if (world->memory.pair_count == 0) return false;
  parallel_ranges(world->workers, world->patch_count, PATCH_GRAIN, measure_moves, world);
  parallel_ranges(world->workers, count, PAIR_GRAIN, recall_range, world);
  size_t unknown = 0;
  for (size_t i = 0; i < count; ++i) unknown += world->memory.known[i] == PAIR_UNKNOWN;
  return unknown <= count / 4;
}

/* Each range has its own list, so that results are in the order of the pairs of patches. */
static void find_some(void *context, size_t first, size_t end) {
  simulation *world = context;
  const patch_memory *memory = &world->memory;
  near_list *list = &world->found[first / PAIR_GRAIN];
  list->count = 0;
  list->failed = false;
  for (size_t i = first; i < end && !list->failed; ++i) {
    const size_t known = memory->known[i];
    if (known == PAIR_UNKNOWN) {
      list->failed = !patch_pair_find(world, memory->present[i], world->reach, list);
    } else {
      const size_t begin = memory->firsts[known], stop = memory->firsts[known + 1];
      if (begin == stop) continue;
      const double moved = moved_apart(world, memory->present[i]);
      list->failed = !near_list_take(world, memory->near + begin, stop - begin, moved, list);
    }
  }
}

static void find_all(void *context, size_t first, size_t end) {
  simulation *world = context;
  patch_memory *memory = &world->memory;
  near_list *list = &world->found[first / PAIR_GRAIN];
  list->count = 0;
  list->failed = false;
  for (size_t i = first; i < end && !list->failed; ++i) {
    memory->firsts[i] = list->count;
    list->failed = !patch_pair_find(world, memory->present[i], (1.0 + MEMORY_MARGIN) * world->reach, list);
  }
}

static bool reserve_found(simulation *world, size_t count) {
  if (count <= world->found_capacity) return true;
  near_list *found = realloc(world->found, 2 * count * sizeof *found);
  if (found == NULL) return false;
  memset(found + world->found_capacity, 0, (2 * count - world->found_capacity) * sizeof *found);
  world->found = found;
  world->found_capacity = 2 * count;
  return true;
}

/* A part of the distance is never used up, so that rounding cannot make features touch that are pressed together for
 * long. */
static double bound_of(const simulation *world, double distance) {
  const double left = distance - UNUSED_PART * world->settings.thickness;
  return left > 0.0 ? 0.5 * BOUND_PART * left : 0.0;
}

static void bound_by(simulation *world, const uint32_t particles[4], double distance) {
  const double bound = bound_of(world, distance);
  for (size_t i = 0; i < 4; ++i) {
    if (bound < world->bounds[particles[i]]) world->bounds[particles[i]] = bound;
  }
}

/* Joins all lists in order. */
static bool join_found(simulation *world, size_t list_count, near_pair **pairs, size_t *capacity, size_t *count_out) {
  size_t count = 0;
  for (size_t i = 0; i < list_count; ++i) {
    if (world->found[i].failed) return false;
    count += world->found[i].count;
  }
  void *grown;
  if (count > *capacity && !GROW(*pairs, 2 * count)) return false;
  if (count > *capacity) *capacity = 2 * count;
  count = 0;
  for (size_t i = 0; i < list_count; ++i) {
    const near_list *list = &world->found[i];
    if (list->count > 0) memcpy(*pairs + count, list->pairs, list->count * sizeof **pairs);
    count += list->count;
  }
  *count_out = count;
  return true;
}

/* Searches all pairs of patches, and caches the results. */
static bool find_again(simulation *world, size_t count, size_t list_count) {
  patch_memory *memory = &world->memory;
  void *grown;
  memory->pair_count = 0;
  if (count + 1 > memory->pair_capacity) {
    if (!GROW(memory->pairs, 2 * count) || !GROW(memory->firsts, 2 * count)) return false;
    memory->pair_capacity = 2 * count + 1;
  }
  parallel_ranges(world->workers, count, PAIR_GRAIN, find_all, world);
  size_t near_count = 0, before = 0;
  if (!join_found(world, list_count, &memory->near, &memory->near_capacity, &near_count)) return false;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0 && i % PAIR_GRAIN == 0) before += world->found[i / PAIR_GRAIN - 1].count;
    memory->firsts[i] += before;
  }
  memory->firsts[count] = near_count;
  if (count > 0) memcpy(memory->pairs, memory->present, count * sizeof *memory->pairs);
  memcpy(memory->positions, world->positions, 3 * world->particle_count * sizeof(double));
  memory->pair_count = count;
  if (near_count > world->near_capacity) {
    if (!GROW(world->near, 2 * near_count)) return false;
    world->near_capacity = 2 * near_count;
  }
  world->near_count = 0;
  for (size_t i = 0; i < near_count; ++i) {
    if (memory->near[i].distance < world->reach) world->near[world->near_count++] = memory->near[i];
  }
  return true;
}

static bool find_near(simulation *world) {
  size_t count = 0;
  if (!list_patch_pairs(world, &count)) return false;
  const size_t list_count = (count + PAIR_GRAIN - 1) / PAIR_GRAIN;
  if (!reserve_found(world, list_count)) return false;
  if (!recall(world, count)) return find_again(world, count, list_count);
  parallel_ranges(world->workers, count, PAIR_GRAIN, find_some, world);
  return join_found(world, list_count, &world->near, &world->near_capacity, &world->near_count);
}

/* The least height of a tetrahedron. */
static double least_height(const simulation *world, const uint32_t *corners) {
  point3 p[4];
  for (size_t k = 0; k < 4; ++k) p[k] = particle_at(world->positions, corners[k]);
  const point3 ab = point3_minus(p[1], p[0]), ac = point3_minus(p[2], p[0]), ad = point3_minus(p[3], p[0]);
  const double volume = point3_dot(point3_cross(ab, ac), ad);
  const point3 bc = point3_minus(p[2], p[1]), bd = point3_minus(p[3], p[1]);
  const double areas[4] = {point3_length(point3_cross(bc, bd)), point3_length(point3_cross(ac, ad)),
                           point3_length(point3_cross(ab, ad)), point3_length(point3_cross(ab, ac))};
  double height = areas[0] > 0.0 ? volume / areas[0] : 0.0;
  for (size_t k = 1; k < 4; ++k) {
    const double other = areas[k] > 0.0 ? volume / areas[k] : 0.0;
    height = other < height ? other : height;
  }
  return height;
}

static void measure_heights(void *context, size_t first, size_t end) {
  simulation *world = context;
  for (size_t i = first; i < end; ++i) world->volumes[i].height = least_height(world, world->volumes[i].corners);
}

/* No corner moves farther than a part of the least height, so that tetrahedra of ordinary shape do not invert. */
static void bound_by_volumes(simulation *world) {
  parallel_ranges(world->workers, world->volume_count, VOLUME_GRAIN, measure_heights, world);
  for (size_t i = 0; i < world->volume_count; ++i) bound_by(world, world->volumes[i].corners, world->volumes[i].height);
}

graze_result near_pairs_find(simulation *world) {
  parallel_ranges(world->workers, world->patch_count, PATCH_GRAIN, make_boxes, world);
  const graze_result result = find_candidates(world);
  if (result != GRAZE_OK) return result;
  if (!find_near(world)) return GRAZE_OUT_OF_MEMORY;
  memcpy(world->searched, world->positions, 3 * world->particle_count * sizeof(double));
  for (size_t i = 0; i < world->particle_count; ++i) world->bounds[i] = bound_of(world, world->reach);
  for (size_t i = 0; i < world->near_count; ++i) bound_by(world, world->near[i].particles, world->near[i].distance);
  bound_by_volumes(world);
  world->costs.contacts += world->near_count;
  return constraint_blocks_order_contacts(world) ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}
