/* Implements voxmap and pointshell. */
#include "lab/voxmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- vectors */

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double difference_out[3]) {
  for (int k = 0; k < 3; k++) difference_out[k] = a[k] - b[k];
}

static void cross(const double a[3], const double b[3], double product_out[3]) {
  for (int k = 0; k < 3; k++) product_out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void rotate(const double rotation[9], const double v[3], double turned_out[3]) {
  for (int k = 0; k < 3; k++) turned_out[k] = dot(rotation + 3 * k, v);
}

static const double *corner_of(const mesh *body, size_t triangle, int corner) {
  return body->positions + 3 * (size_t)body->triangles[3 * triangle + (size_t)corner];
}

/* What distances to a triangle are made of. */
typedef struct triangle_frame {
  double corner[3][3], edge[3][3]; /* edge i goes from corner i to the next */
  double inward[3][3];             /* across edge i, in the plane */
  double normal[3];                /* of length 1; zero where the triangle has no area */
  double edge_length2[3];
} triangle_frame;

static void make_frame(const mesh *body, size_t triangle, triangle_frame *frame_out) {
  *frame_out = (triangle_frame){.normal = {0.0, 0.0, 0.0}};
  for (int i = 0; i < 3; i++) memcpy(frame_out->corner[i], corner_of(body, triangle, i), sizeof frame_out->corner[i]);
  for (int i = 0; i < 3; i++) {
    subtract(frame_out->corner[(i + 1) % 3], frame_out->corner[i], frame_out->edge[i]);
    frame_out->edge_length2[i] = dot(frame_out->edge[i], frame_out->edge[i]);
  }
  double normal[3];
  cross(frame_out->edge[0], frame_out->edge[1], normal);
  const double length = sqrt(dot(normal, normal));
  if (!(length > 0.0)) return;
  for (int k = 0; k < 3; k++) frame_out->normal[k] = normal[k] / length;
  for (int i = 0; i < 3; i++) cross(frame_out->normal, frame_out->edge[i], frame_out->inward[i]);
}

/* The squared distance, or some value not below `enough` where that is as near or nearer. Over an edge that the foot is
 * beyond, the nearest point lies on an edge; else it is the foot. */
static double triangle_distance2(const double p[3], const triangle_frame *frame, double enough) {
  double from[3][3];
  subtract(p, frame->corner[0], from[0]);
  const double height = dot(from[0], frame->normal);
  if (height * height >= enough) return enough;
  subtract(p, frame->corner[1], from[1]);
  subtract(p, frame->corner[2], from[2]);
  bool within = true;
  for (int i = 0; i < 3; i++) within = within && dot(from[i], frame->inward[i]) > 0.0;
  if (within) return height * height;
  double least = enough;
  for (int i = 0; i < 3; i++) {
    const double length2 = frame->edge_length2[i], along = dot(from[i], frame->edge[i]);
    const double part = length2 > 0.0 ? fmin(fmax(along / length2, 0.0), 1.0) : 0.0;
    least = fmin(least, dot(from[i], from[i]) - 2.0 * part * along + part * part * length2);
  }
  return fmax(least, 0.0);
}

/* ---------------------------------------------------------------------------------------------- inside or outside */

static size_t voxel_at(const voxmap *map, size_t x, size_t y, size_t z) {
  return (z * map->count[1] + y) * map->count[0] + x;
}

static double center_of(const voxmap *map, int axis, size_t index) {
  return map->origin[axis] + ((double)index + 0.5) * map->side;
}

/* Which side of the line through a and b in the plane y z the point is on, beyond all doubt the same for the two
 * triangles of an edge: the ends are taken in one order. */
static double side_of(const double a[3], const double b[3], double y, double z) {
  const bool swapped = a[1] > b[1] || (a[1] == b[1] && a[2] > b[2]);
  const double *const low = swapped ? b : a, *const high = swapped ? a : b;
  const double side = (high[1] - low[1]) * (z - low[2]) - (high[2] - low[2]) * (y - low[1]);
  return swapped ? -side : side;
}

/* How often the triangle's edges wind around (y, z): each edge counts where it passes the height z, its lower end in
 * and its upper end out, to the right of y. Edges of two triangles cancel, so no row slips through a closed mesh. */
static int winding_at(const mesh *body, size_t triangle, double y, double z) {
  int winding = 0;
  for (int i = 0; i < 3; i++) {
    const double *const a = corner_of(body, triangle, i), *const b = corner_of(body, triangle, (i + 1) % 3);
    const double side = side_of(a, b, y, z);
    if (a[2] <= z && b[2] > z && side > 0.0) winding++;
    if (b[2] <= z && a[2] > z && side < 0.0) winding--;
  }
  return winding;
}

/* The height of the triangle's plane above (y, z), clamped to its extent, in case it is nearly upright. */
static double height_at(const mesh *body, size_t triangle, double y, double z) {
  const double *const a = corner_of(body, triangle, 0), *const b = corner_of(body, triangle, 1),
                      *const c = corner_of(body, triangle, 2);
  double one[3], two[3], normal[3];
  subtract(b, a, one);
  subtract(c, a, two);
  cross(one, two, normal);
  const double x = normal[0] != 0.0 ? a[0] - (normal[1] * (y - a[1]) + normal[2] * (z - a[2])) / normal[0] : a[0];
  return fmin(fmax(x, fmin(a[0], fmin(b[0], c[0]))), fmax(a[0], fmax(b[0], c[0])));
}

/* The first row or voxel whose center is not below the value. */
static size_t first_at(const voxmap *map, int axis, double value) {
  const double index = ceil((value - map->origin[axis]) / map->side - 0.5);
  return (size_t)fmin(fmax(index, 0.0), (double)map->count[axis]);
}

/* Leaves at each place of a row by how much the winding changes there. */
static void mark_crossings(const mesh *body, size_t triangle, voxmap *map) {
  double low[3], high[3];
  for (int k = 0; k < 3; k++) {
    const double a = corner_of(body, triangle, 0)[k], b = corner_of(body, triangle, 1)[k],
                 c = corner_of(body, triangle, 2)[k];
    low[k] = fmin(a, fmin(b, c)) - map->side;
    high[k] = fmax(a, fmax(b, c)) + map->side;
  }
  for (size_t z = first_at(map, 2, low[2]); z < first_at(map, 2, high[2]); z++)
    for (size_t y = first_at(map, 1, low[1]); y < first_at(map, 1, high[1]); y++) {
      const double at_y = center_of(map, 1, y), at_z = center_of(map, 2, z);
      const int winding = winding_at(body, triangle, at_y, at_z);
      if (winding == 0) continue;
      const size_t x = first_at(map, 0, height_at(body, triangle, at_y, at_z));
      if (x < map->count[0])
        map->layers[voxel_at(map, x, y, z)] = (int8_t)(map->layers[voxel_at(map, x, y, z)] - winding);
    }
}

/* 1 where the mesh winds around the center, else 0. */
static void mark_inside(const mesh *body, voxmap *map) {
  for (size_t i = 0; i < body->triangle_count; i++) mark_crossings(body, i, map);
  for (size_t row = 0; row < map->count[1] * map->count[2]; row++) {
    int winding = 0;
    for (size_t x = 0; x < map->count[0]; x++) {
      int8_t *const voxel = &map->layers[row * map->count[0] + x];
      winding += *voxel;
      *voxel = winding != 0;
    }
  }
}

/* ---------------------------------------------------------------------------------------------- layers */

enum { LEAF = 4 }; /* voxels along a side of a box that is cut no further */

typedef struct layering {
  const triangle_frame *frames;
  voxmap *map;
  int deepest; /* layer that is told apart from those below it */
} layering;

typedef struct voxel_box {
  size_t low[3], high[3]; /* up to before high */
} voxel_box;

static int8_t layer_for(const layering *at, double distance, bool inside) {
  const double layer = floor((inside ? distance : -distance) / at->map->side + 0.5);
  return (int8_t)fmin(fmax(layer, -1.0), at->deepest);
}

static double nearest_of(const layering *at, const double point[3], const uint32_t *triangles, size_t count) {
  double least = HUGE_VAL;
  for (size_t i = 0; i < count; i++) least = triangle_distance2(point, &at->frames[triangles[i]], least);
  return sqrt(least);
}

/* All of one layer, or each by the distance to the triangles that may be nearest. */
static void fill_box(const layering *at, const voxel_box *box, const uint32_t *triangles, size_t count, bool far) {
  for (size_t z = box->low[2]; z < box->high[2]; z++)
    for (size_t y = box->low[1]; y < box->high[1]; y++)
      for (size_t x = box->low[0]; x < box->high[0]; x++) {
        const double center[3] = {center_of(at->map, 0, x), center_of(at->map, 1, y), center_of(at->map, 2, z)};
        int8_t *const voxel = &at->map->layers[voxel_at(at->map, x, y, z)];
        const bool inside = *voxel != 0;
        const double distance = far ? HUGE_VAL : nearest_of(at, center, triangles, count);
        *voxel = layer_for(at, distance, inside);
      }
}

static void box_place(const voxmap *map, const voxel_box *box, double middle_out[3], double *reach_out) {
  double reach2 = 0.0;
  for (int k = 0; k < 3; k++) {
    const double half = 0.5 * (double)(box->high[k] - 1 - box->low[k]) * map->side;
    middle_out[k] = center_of(map, k, box->low[k]) + half;
    reach2 += half * half;
  }
  *reach_out = sqrt(reach2);
}

/* Keeps the triangles that may be the nearest of a point within reach of the middle. Returns how many there are, and
 * how far the nearest is from the middle. */
static size_t keep_near(const layering *at, const double middle[3], double reach, const uint32_t *triangles,
                        size_t count, uint32_t *kept_out, double *nearest_out) {
  *nearest_out = nearest_of(at, middle, triangles, count);
  const double limit = *nearest_out + 2.0 * reach + at->map->side; /* a side more: what rounding could do is far less */
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (triangle_distance2(middle, &at->frames[triangles[i]], limit * limit) < limit * limit)
      kept_out[kept++] = triangles[i];
  return kept;
}

static int longest_side(const voxel_box *box) {
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (box->high[k] - box->low[k] > box->high[axis] - box->low[axis]) axis = k;
  return axis;
}

/* `triangles` has room behind its `count` for the lists of the boxes within. */
static void make_layers(const layering *at, voxel_box box, uint32_t *triangles, size_t count) {
  double middle[3], reach, nearest;
  box_place(at->map, &box, middle, &reach);
  uint32_t *const near = triangles + count;
  const size_t kept = keep_near(at, middle, reach, triangles, count, near, &nearest);
  const bool inside = at->map->layers[voxel_at(at->map, box.low[0], box.low[1], box.low[2])] != 0;
  const double far = (inside ? at->deepest : 1) * at->map->side;
  const int axis = longest_side(&box);
  const size_t length = box.high[axis] - box.low[axis];
  if (nearest - reach > far || length <= LEAF) {
    fill_box(at, &box, near, kept, nearest - reach > far);
    return;
  }
  voxel_box low = box, high = box;
  low.high[axis] = high.low[axis] = box.low[axis] + length / 2;
  make_layers(at, low, near, kept);
  make_layers(at, high, near, kept);
}

/* A cut halves a side, so that no more than 3 * 64 lists lie one in the other. */
static bool layer_voxels(const mesh *body, int deepest, voxmap *map) {
  enum { LISTS = 3 * 64 };
  uint32_t *const triangles = malloc(LISTS * body->triangle_count * sizeof *triangles);
  triangle_frame *const frames = malloc(body->triangle_count * sizeof *frames);
  const bool made = triangles != NULL && frames != NULL;
  for (size_t i = 0; i < body->triangle_count && made; i++) {
    triangles[i] = (uint32_t)i;
    make_frame(body, i, &frames[i]);
  }
  const voxel_box all = {{0, 0, 0}, {map->count[0], map->count[1], map->count[2]}};
  if (made) make_layers(&(layering){frames, map, deepest}, all, triangles, body->triangle_count);
  free(triangles);
  free(frames);
  return made;
}

static void place_grid(const mesh *body, size_t voxels, voxmap *map) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (size_t i = 0; i < body->vertex_count; i++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], body->positions[3 * i + (size_t)k]);
      high[k] = fmax(high[k], body->positions[3 * i + (size_t)k]);
    }
  map->side = (high[0] - low[0]) / (double)(voxels > 1 ? voxels - 1 : 1);
  for (int k = 0; k < 3; k++) {
    map->origin[k] = low[k] - map->side / 2;
    map->count[k] = 1 + (size_t)ceil((high[k] - low[k]) / map->side - 1e-6);
  }
}

bool voxmap_make(const mesh *body, size_t voxels, double depth, voxmap *map_out) {
  *map_out = (voxmap){.side = 0.0};
  place_grid(body, voxels, map_out);
  map_out->layers = calloc(map_out->count[0] * map_out->count[1], map_out->count[2]);
  const int deepest = (int)fmin(ceil(depth / map_out->side) + 1.0, VOXMAP_LAYERS_MOST);
  if (map_out->layers != NULL) {
    mark_inside(body, map_out);
    if (layer_voxels(body, deepest, map_out)) return true;
  }
  voxmap_free(map_out);
  return false;
}

void voxmap_free(voxmap *map) {
  free(map->layers);
  *map = (voxmap){.side = 0.0};
}

/* ---------------------------------------------------------------------------------------------- the shell */

static double corner_frame(const mesh *body, size_t triangle, double one[3], double two[3], double normal_out[3]) {
  subtract(corner_of(body, triangle, 1), corner_of(body, triangle, 0), one);
  subtract(corner_of(body, triangle, 2), corner_of(body, triangle, 0), two);
  cross(one, two, normal_out);
  return sqrt(dot(normal_out, normal_out));
}

/* The sequence of Roberts ("The unreasonable effectiveness of quasirandom sequences", 2018), folded into a triangle. */
static void add_point(const mesh *body, size_t triangle, pointshell *shell) {
  double one[3], two[3], normal[3];
  const double twice_area = corner_frame(body, triangle, one, two, normal);
  const double number = (double)shell->count + 0.5;
  double u = fmod(0.75487766624669276 * number, 1.0), v = fmod(0.56984029099805327 * number, 1.0);
  if (u + v > 1.0) {
    u = 1.0 - u;
    v = 1.0 - v;
  }
  for (int k = 0; k < 3; k++) {
    shell->points[shell->count][k] = corner_of(body, triangle, 0)[k] + u * one[k] + v * two[k];
    shell->normals[shell->count][k] = -normal[k] / twice_area;
  }
  shell->count++;
}

bool pointshell_make(const mesh *body, size_t count, pointshell *shell_out) {
  *shell_out = (pointshell){.points = malloc(count * sizeof *shell_out->points),
                            .normals = malloc(count * sizeof *shell_out->normals)};
  if (shell_out->points == NULL || shell_out->normals == NULL) {
    pointshell_free(shell_out);
    return false;
  }
  double one[3], two[3], normal[3], whole = 0.0, before = 0.0;
  for (size_t i = 0; i < body->triangle_count; i++) whole += corner_frame(body, i, one, two, normal);
  for (size_t i = 0; i < body->triangle_count; i++) {
    before += corner_frame(body, i, one, two, normal);
    while (shell_out->count < count && ((double)shell_out->count + 0.5) * whole < before * (double)count)
      add_point(body, i, shell_out);
  }
  return true;
}

void pointshell_free(pointshell *shell) {
  free(shell->points);
  free(shell->normals);
  *shell = (pointshell){0};
}

/* ---------------------------------------------------------------------------------------------- pushing */

/* Finds the voxel of a point; returns false outside of the grid. */
static bool find_voxel(const voxmap *map, const double point[3], size_t index_out[3]) {
  for (int k = 0; k < 3; k++) {
    const double index = floor((point[k] - map->origin[k]) / map->side);
    if (!(index >= 0.0 && index < (double)map->count[k])) return false;
    index_out[k] = (size_t)index;
  }
  return true;
}

int voxmap_layer(const voxmap *map, const double point[3]) {
  size_t index[3];
  return find_voxel(map, point, index) ? map->layers[voxel_at(map, index[0], index[1], index[2])] : -1;
}

void voxmap_push(const voxmap *map, const pointshell *shell, const quality_pose *pose, quality_sample *sample_out) {
  *sample_out = (quality_sample){.penalty = 0.0};
  for (size_t i = 0; i < shell->count; i++) {
    double arm[3], point[3], normal[3], offset[3], force[3], torque[3];
    size_t index[3];
    rotate(pose->rotation, shell->points[i], arm);
    for (int k = 0; k < 3; k++) point[k] = arm[k] + pose->translation[k];
    if (!find_voxel(map, point, index)) continue;
    const int layer = map->layers[voxel_at(map, index[0], index[1], index[2])];
    if (layer < 0) continue;
    rotate(pose->rotation, shell->normals[i], normal);
    for (int k = 0; k < 3; k++) offset[k] = center_of(map, k, index[k]) - point[k];
    const double depth = dot(normal, offset) + (double)layer * map->side;
    if (depth <= 0.0) continue;
    for (int k = 0; k < 3; k++) force[k] = depth * normal[k];
    cross(arm, force, torque);
    for (int k = 0; k < 3; k++) sample_out->wrench.force[k] += force[k];
    for (int k = 0; k < 3; k++) sample_out->wrench.torque[k] += torque[k];
    sample_out->penalty = fmax(sample_out->penalty, depth);
  }
}

void voxmap_run(const quality_scenario *scenario, const voxmap *map, const pointshell *shell, size_t steps,
                quality_sample *samples_out) {
  for (size_t i = 0; i < steps; i++) {
    quality_pose pose;
    scenario->pose(quality_part(scenario, i, steps), &pose);
    const double begin = quality_milliseconds();
    voxmap_push(map, shell, &pose, &samples_out[i]);
    samples_out[i].time_ms = quality_milliseconds() - begin;
  }
}
