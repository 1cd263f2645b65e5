/* Depths of objects; see region_depths.h.
 *
 * When b moves along a unit vector n, a primitive of a can meet it only if it is in the way: if its box meets the box
 * of b at some position of the motion. The same holds for primitives of b and the box of a. Let h be the highest point
 * along n of the primitives of a that are in the way, and l the lowest of those of b. After a motion of h - l or more,
 * any two of them meet at most in the plane between. So h - l is a depth that separates the objects, up to rounding;
 * for convex a and b and the best n it is the least possible.
 *
 * Workload: one pass over the primitives of both objects for all directions. */
#include "regions/region_depths.h"

#include "geometry/vector.h"

#include <float.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- points of regions */

/* Paper: Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985 (each next point is the farthest:
 * all pairs are then within twice the least possible distance of a chosen one).
 *
 * Workload: a contact a pair, a microsecond each; the rest is a few passes over the pairs of each region. */

typedef struct measuring {
  const region_scene *scene;
  const index_pair *pairs;
  graze_region_point *points;
} measuring;

static void measure_range(void *context, size_t first, size_t end, uint32_t worker) {
  const measuring *work = context;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_requested(work->scene->stop); i++) {
    graze_contact contact = {0};
    double points[MEASURE_POINTS][3];
    pair_measure(&work->scene->measured, work->pairs[i], &contact, points, MEASURE_POINTS);
    graze_region_point *point = &work->points[i];
    memcpy(point->position, contact.centroid, sizeof point->position);
    memcpy(point->normal, contact.normal, sizeof point->normal);
    point->depth = contact.depth;
    point->pair = i;
  }
}

void region_points_measure(const region_scene *scene, const index_pair *pairs, size_t count,
                           graze_region_point *points_out) {
  measuring work = {scene, pairs, points_out};
  workers_for(scene->team, count, REGION_GRAIN / 4, measure_range, &work);
}

static double squared_distance(const double *p, const double *q) {
  const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
  return (x * x + y * y) + z * z;
}

static double distance_to_chosen(const graze_region_point *point, const graze_region_point *chosen, uint32_t count) {
  double least = squared_distance(point->position, chosen[0].position);
  for (uint32_t i = 1; i < count; i++) {
    const double distance = squared_distance(point->position, chosen[i].position);
    if (distance < least) least = distance;
  }
  return least;
}

uint32_t region_points_choose(const graze_region_point *points, size_t first, size_t count,
                              graze_region_point chosen_out[GRAZE_REGION_POINTS]) {
  size_t best = first;
  for (size_t i = first + 1; i < first + count; i++)
    if (points[i].depth > points[best].depth) best = i;
  chosen_out[0] = points[best];
  uint32_t chosen = 1;
  for (; chosen < GRAZE_REGION_POINTS; chosen++) {
    double farthest = 0.0;
    for (size_t i = first; i < first + count; i++) {
      const double distance = distance_to_chosen(&points[i], chosen_out, chosen);
      if (!(distance > farthest)) continue;
      farthest = distance;
      best = i;
    }
    if (farthest == 0.0) break;
    chosen_out[chosen] = points[best];
  }
  return chosen;
}

/* Primitives of a task. */
enum { DEPTH_GRAIN = 2048 };

/* The results of a task. */
typedef struct depth_share {
  exact_box box;
  double reach[OBJECT_DIRECTIONS];
} depth_share;

typedef struct depth_work {
  const region_scene *scene;
  const object_source *source;
  const exact_box *way; /* of the other object; NULL: only boxes are computed */
  const double (*directions)[3];
  uint32_t direction_count;
  double
      sign; /* 1: the highest of a along directions, b moves along them; -1: the lowest of b, which moves along them */
  depth_share *shares;
} depth_work;

/* Whether the box `mover` meets the other one at its place or when it moves along a direction. */
static bool blocks_path(const exact_box *box, const exact_box *mover, const double *direction, double sign) {
  double begin = 0.0, end = HUGE_VAL;
  for (int axis = 0; axis < 3; axis++) {
    const double speed = sign * direction[axis];
    const double near = box->min[axis] - mover->max[axis], far = box->max[axis] - mover->min[axis];
    if (speed == 0.0) {
      if (near > 0.0 || far < 0.0) return false;
      continue;
    }
    const double first = speed > 0.0 ? near / speed : far / speed, last = speed > 0.0 ? far / speed : near / speed;
    if (first > begin) begin = first;
    if (last < end) end = last;
  }
  return begin <= end;
}

/* The highest extent of the primitive along a direction, times the sign. */
static double reach_of(const depth_work *work, corner_list corners, const double *direction) {
  double reach = -HUGE_VAL;
  for (uint32_t i = 0; i < corners.count; i++) {
    double position[3];
    fetch_vertex(work->source, corners.vertices[i], position);
    const double height = work->sign * vector3_dot(vector3_load(position), vector3_load(direction));
    if (height > reach) reach = height;
  }
  return reach + radius_at(work->source, corners.vertices[0]);
}

static void depth_task(void *context, uint32_t task, uint32_t worker) {
  const depth_work *work = context;
  const object_source *source = work->source;
  depth_share *share = &work->shares[task];
  const uint32_t first = task * DEPTH_GRAIN;
  const uint32_t end = source->primitive_count - first < DEPTH_GRAIN ? source->primitive_count : first + DEPTH_GRAIN;
  (void)worker;
  share->box = exact_box_empty();
  for (uint32_t i = 0; i < OBJECT_DIRECTIONS; i++) share->reach[i] = -HUGE_VAL;
  for (uint32_t i = first; i < end && !stop_is_requested(work->scene->stop); i++) {
    if (element_is_removed(source, i)) continue;
    const corner_list corners = corners_of(source, source->first_primitive + i);
    const exact_box box = box_of_corners(source, corners);
    exact_box_include_box(&share->box, &box);
    for (uint32_t j = 0; j < work->direction_count; j++)
      if (blocks_path(&box, work->way, work->directions[j], work->sign))
        share->reach[j] = fmax(share->reach[j], reach_of(work, corners, work->directions[j]));
  }
}

/* Adds the primitives of one part of an object; false when out of memory. */
static bool add_share(depth_work *work, uint32_t part, depth_share *share) {
  const region_scene *scene = work->scene;
  work->source = &scene->measured.sources[part];
  const size_t task_count = (work->source->primitive_count + (size_t)DEPTH_GRAIN - 1) / DEPTH_GRAIN;
  work->shares = memory_allocate(scene->heap, task_count, sizeof *work->shares);
  if (work->shares == NULL) return false;
  workers_run(scene->team, depth_task, work, (uint32_t)task_count);
  for (size_t i = 0; i < task_count; i++) {
    exact_box_include_box(&share->box, &work->shares[i].box);
    for (uint32_t j = 0; j < OBJECT_DIRECTIONS; j++) share->reach[j] = fmax(share->reach[j], work->shares[i].reach[j]);
  }
  memory_release(scene->heap, work->shares, task_count, sizeof *work->shares);
  return true;
}

/* Sums up all primitives of an object and its parts; false when out of memory. */
static bool find_share(depth_work *work, uint32_t whole, depth_share *share_out) {
  const region_scene *scene = work->scene;
  share_out->box = exact_box_empty();
  for (uint32_t i = 0; i < OBJECT_DIRECTIONS; i++) share_out->reach[i] = -HUGE_VAL;
  if (scene->rules[whole].part_of == 0) return add_share(work, whole, share_out);
  for (size_t i = 0; i < scene->measured.object_count; i++)
    if (whole_of_object(scene->rules, (uint32_t)i) == whole && !add_share(work, (uint32_t)i, share_out)) return false;
  return true;
}

/* Lists axes, then the direction between the centers of the boxes if they differ, then the given ones. */
static uint32_t list_directions(const exact_box *a, const exact_box *b, const double (*given)[3], uint32_t given_count,
                                double directions_out[OBJECT_DIRECTIONS][3]) {
  uint32_t count = 0;
  for (int i = 0; i < 6; i++, count++)
    for (int axis = 0; axis < 3; axis++) directions_out[count][axis] = axis == i / 2 ? (i % 2 == 0 ? 1.0 : -1.0) : 0.0;
  double between[3];
  for (int axis = 0; axis < 3; axis++)
    between[axis] = (b->min[axis] / 2 + b->max[axis] / 2) - (a->min[axis] / 2 + a->max[axis] / 2);
  const double largest = vector3_largest_magnitude(vector3_load(between));
  if (largest > 0.0 && largest <= DBL_MAX) {
    const vector3 scaled = vector3_make(between[0] / largest, between[1] / largest, between[2] / largest);
    vector3_store(vector3_scale(scaled, 1.0 / vector3_length(scaled)), directions_out[count++]);
  }
  for (uint32_t i = 0; i < given_count && i < REGION_DIRECTIONS; i++, count++)
    memcpy(directions_out[count], given[i], sizeof directions_out[count]);
  return count;
}

bool object_depth_find(const region_scene *scene, uint32_t object_a, uint32_t object_b, const double (*directions)[3],
                       uint32_t direction_count, double *depth_out, double normal_out[3]) {
  depth_work work = {.scene = scene, .sign = 1.0};
  depth_share a, b, high, low;
  double all[OBJECT_DIRECTIONS][3];
  if (!find_share(&work, object_a, &a) || !find_share(&work, object_b, &b)) return false;
  work.directions = (const double(*)[3])all;
  work.direction_count = list_directions(&a.box, &b.box, directions, direction_count, all);
  work.way = &b.box;
  if (!find_share(&work, object_a, &high)) return false;
  work.sign = -1.0;
  work.way = &a.box;
  if (!find_share(&work, object_b, &low)) return false;
  *depth_out = HUGE_VAL;
  memcpy(normal_out, all[0], sizeof all[0]);
  for (uint32_t i = 0; i < work.direction_count; i++) {
    const double depth = fmax(high.reach[i] + low.reach[i], 0.0);
    if (!(depth < *depth_out)) continue;
    *depth_out = depth;
    memcpy(normal_out, all[i], sizeof all[i]);
  }
  *depth_out = fmin(*depth_out, DBL_MAX);
  return true;
}
