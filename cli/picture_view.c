/* Chooses the view of a picture.
 *
 * Workload: scenes from empty to ten million triangles, of any size and place. The frame is fitted to the bulk of the
 * scene, not to its box: a floor a thousand times as large as the objects on it must not shrink them to a dot.
 * Twenty-four directions are tried on a sample of points with a coarse depth buffer; the direction that shows most
 * marked points wins, and among equals the one that fills the frame best. */
#include "picture_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  SAMPLE_TARGET = 60000, /* the number of points for comparing directions */
  AZIMUTH_COUNT = 8,
  CELLS_WIDE = 96,
  CELLS_HIGH = 72,
  SPHERE_SIDE = 5 /* from this number of points per side on, a sphere has as many points as a triangle */
};

/* From the side, from above, from below, with their weights: the side view is preferred if it shows as much, and a view
 * from below is used only if marks are not visible otherwise. */
enum { ELEVATION_COUNT = 3 };
static const double elevations_in_degrees[ELEVATION_COUNT] = {24.0, 48.0, -30.0};
static const double elevation_worth[ELEVATION_COUNT] = {0.05, 0.0, -0.35};
static const double habitual_azimuth = 30.0;
static const double full_over_bulk_limit = 5.0;

typedef struct sample_point {
  double p[3];
  float normal[3]; /* of its triangle, of either orientation, unit or zero */
  bool is_marked;
} sample_point;

typedef struct point_sample {
  sample_point *points;
  size_t count;
} point_sample;

static bool is_finite_point(const double *p) {
  return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static double choose_factor(const mesh *meshes, size_t mesh_count) {
  double largest = 0.0;
  for (size_t i = 0; i < mesh_count; i++)
    for (size_t k = 0; k < 3 * meshes[i].vertex_count; k++) {
      const double size = fabs(meshes[i].positions[k]);
      if (isfinite(size) && size > largest) largest = size;
    }
  for (size_t i = 0; i < mesh_count; i++)
    for (size_t k = 0; meshes[i].kind == MESH_SPHERES && k < meshes[i].vertex_count; k++)
      if (isfinite(meshes[i].radii[k])) largest = fmax(largest, meshes[i].radii[k]);
  if (largest == 0.0) return 1.0;
  int exponent;
  (void)frexp(largest, &exponent);
  /* 2^1074 is not representable; the smallest subnormals stay small. */
  return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

static void triangle_normal(const double *const corner[3], double factor, float normal_out[3]) {
  double p[3], q[3];
  for (int axis = 0; axis < 3; axis++) {
    p[axis] = factor * corner[1][axis] - factor * corner[0][axis];
    q[axis] = factor * corner[2][axis] - factor * corner[0][axis];
  }
  const double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int axis = 0; axis < 3; axis++) normal_out[axis] = length > 0.0 ? (float)(n[axis] / length) : 0.0f;
}

/* The point with barycentric coordinates u and v of the second and third corner. */
static void add_point(point_sample *sample, const double *const corner[3], double factor, double u, double v,
                      const float normal[3], bool is_marked) {
  sample_point *point = &sample->points[sample->count++];
  for (int axis = 0; axis < 3; axis++) {
    point->p[axis] =
        factor * corner[0][axis] * (1.0 - u - v) + factor * corner[1][axis] * u + factor * corner[2][axis] * v;
    point->normal[axis] = normal[axis];
  }
  point->is_marked = is_marked;
}

/* Appends side^2 points spread over a triangle, and if there are few triangles also its corners, which bound the
 * frame. */
static void sample_triangle(const mesh *m, size_t triangle, size_t side, bool is_marked, double factor,
                            point_sample *sample) {
  const double *corner[3];
  for (int k = 0; k < 3; k++) {
    corner[k] = m->positions + 3 * (size_t)m->triangles[3 * triangle + (size_t)k];
    if (!is_finite_point(corner[k])) return;
  }
  float normal[3];
  triangle_normal(corner, factor, normal);
  for (int k = 0; side > 1 && k < 3; k++) add_point(sample, corner, factor, k == 1, k == 2, normal, is_marked);
  for (size_t i = 0; i < side; i++) {
    for (size_t j = 0; j < side; j++) {
      double u = ((double)i + 1.0 / 3.0) / (double)side, v = ((double)j + 1.0 / 3.0) / (double)side;
      if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
      }
      add_point(sample, corner, factor, u, v, normal, is_marked);
    }
  }
}

/* Appends points on a sphere in the directions of the corners, edges and sides of a cube: all 26 if there are few
 * spheres, else only the sides. `side` as for triangles. */
static void sample_sphere(const mesh *m, size_t sphere, size_t side, bool is_marked, double factor,
                          point_sample *sample) {
  const double *center = m->positions + 3 * sphere;
  const double radius = factor * m->radii[sphere];
  if (!is_finite_point(center) || !isfinite(radius)) return;
  for (int i = 0; i < 27; i++) {
    const double d[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (square == 0.0 || (side < SPHERE_SIDE && square > 1.0)) continue;
    sample_point *point = &sample->points[sample->count++];
    for (int axis = 0; axis < 3; axis++) {
      const double normal = d[axis] / sqrt(square);
      point->p[axis] = factor * center[axis] + radius * normal;
      point->normal[axis] = (float)normal;
    }
    point->is_marked = is_marked;
  }
}

static void sample_element(const mesh *m, size_t element, size_t side, bool is_marked, double factor,
                           point_sample *sample) {
  if (m->kind == MESH_SPHERES) {
    sample_sphere(m, element, side, is_marked, factor, sample);
  } else {
    sample_triangle(m, element, side, is_marked, factor, sample);
  }
}

/* Samples every n-th triangle or sphere, and every n-th marked one by a separate count, so that a few marks among
 * millions are included. */
static bool take_sample(const mesh *meshes, size_t mesh_count, const uint8_t *const *marked, double factor,
                        point_sample *sample_out) {
  size_t elements = 0, marks = 0;
  for (size_t i = 0; i < mesh_count; i++) {
    elements += picture_element_count(&meshes[i]);
    for (size_t t = 0; marked != NULL && marked[i] != NULL && t < picture_element_count(&meshes[i]); t++)
      marks += marked[i][t] != 0;
  }
  const size_t stride = elements / SAMPLE_TARGET + 1, mark_stride = marks / (SAMPLE_TARGET / 4) + 1;
  size_t side = 1;
  while (side < 24 && (side + 1) * (side + 1) * elements <= 30000) side++;
  const size_t most_points = side < SPHERE_SIDE ? SPHERE_SIDE * SPHERE_SIDE : side * side + 3;
  const size_t capacity = (elements / stride + marks / mark_stride + 2 + mesh_count) * most_points + 1;
  sample_out->count = 0;
  sample_out->points = malloc(capacity * sizeof *sample_out->points);
  if (sample_out->points == NULL) return false;
  size_t seen = 0, marks_seen = 0;
  for (size_t i = 0; i < mesh_count; i++) {
    for (size_t t = 0; t < picture_element_count(&meshes[i]); t++) {
      const bool is_marked = marked != NULL && marked[i] != NULL && marked[i][t] != 0;
      const bool is_taken = is_marked ? marks_seen++ % mark_stride == 0 : seen++ % stride == 0;
      if (is_taken) sample_element(&meshes[i], t, side, is_marked, factor, sample_out);
    }
  }
  return true;
}

static int compare_doubles(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* The interval of the bulk of the values: all of them, unless a hundredth at each end makes it five times as long; then
 * the rest, extended by a quarter of its length at each end. Sorts the values. */
static void bulk_interval(double *values, size_t count, double *low_out, double *high_out) {
  qsort(values, count, sizeof *values, compare_doubles);
  *low_out = values[0];
  *high_out = values[count - 1];
  const double low = values[count / 100], high = values[count - 1 - count / 100];
  if (high > low && *high_out - *low_out > full_over_bulk_limit * (high - low)) {
    *low_out = low - 0.25 * (high - low);
    *high_out = high + 0.25 * (high - low);
  }
}

static bool bulk_box(const point_sample *sample, double low_out[3], double high_out[3]) {
  double *values = malloc(sample->count * sizeof *values);
  if (values == NULL) return false;
  for (int axis = 0; axis < 3; axis++) {
    for (size_t i = 0; i < sample->count; i++) values[i] = sample->points[i].p[axis];
    bulk_interval(values, sample->count, &low_out[axis], &high_out[axis]);
  }
  free(values);
  return true;
}

/* The axes right, up and toward the viewer of the front view, for each axis that may be up: right-handed, and with x to
 * the right unless it is up. */
static const double front_views[PICTURE_UP_COUNT][3][3] = {
    [PICTURE_UP_X] = {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},    [PICTURE_UP_Y] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [PICTURE_UP_Z] = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},    [PICTURE_DOWN_X] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
    [PICTURE_DOWN_Y] = {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, [PICTURE_DOWN_Z] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
};

static void make_axes(picture_up up, double azimuth, double elevation, double axes_out[3][3]) {
  const double radian = 3.14159265358979323846 / 180.0;
  const double ca = cos(azimuth * radian), sa = sin(azimuth * radian);
  const double ce = cos(elevation * radian), se = sin(elevation * radian);
  const double turn[3][3] = {{ca, 0.0, -sa}, {-sa * se, ce, -ca * se}, {sa * ce, se, ca * ce}};
  for (int k = 0; k < 3; k++)
    for (int axis = 0; axis < 3; axis++)
      axes_out[k][axis] = turn[k][0] * front_views[up][0][axis] + turn[k][1] * front_views[up][1][axis] +
                          turn[k][2] * front_views[up][2][axis];
}

void picture_camera_axes(const picture_camera *camera, double axes_out[3][3]) {
  make_axes(camera->up, camera->is_set ? camera->azimuth : habitual_azimuth,
            camera->is_set ? camera->elevation : elevations_in_degrees[0], axes_out);
}

/* Sets scale and center so that the part of the sample inside the box fills the frame. */
static void fit_frame(picture_view *view, const point_sample *sample, const double low[3], const double high[3],
                      double width, double height) {
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
  for (size_t i = 0; i < sample->count; i++) {
    const double *p = sample->points[i].p;
    bool is_inside = true;
    for (int axis = 0; axis < 3; axis++) is_inside = is_inside && p[axis] >= low[axis] && p[axis] <= high[axis];
    if (!is_inside) continue;
    for (int k = 0; k < 2; k++) {
      double along = 0.0;
      for (int axis = 0; axis < 3; axis++) along += view->axis[k][axis] * (p[axis] - view->center[axis]);
      least[k] = fmin(least[k], along);
      most[k] = fmax(most[k], along);
    }
  }
  if (!(most[0] >= least[0])) least[0] = most[0] = least[1] = most[1] = 0.0;
  const double margin = 0.88;
  const double wide = fmax(most[0] - least[0], 1e-9 * view->radius),
               tall = fmax(most[1] - least[1], 1e-9 * view->radius);
  view->pixels_per_unit = margin * fmin(width / wide, height / tall);
  view->middle_x = 0.5 * width - view->pixels_per_unit * 0.5 * (least[0] + most[0]);
  view->middle_y = 0.5 * height + view->pixels_per_unit * 0.5 * (least[1] + most[1]);
}

typedef struct coarse_depth {
  float nearest[CELLS_WIDE * CELLS_HIGH];
} coarse_depth;

/* The cell of a projected point, or -1 outside. */
static int cell_of(const double projected[3]) {
  const double x = floor(projected[0]), y = floor(projected[1]);
  if (!(x >= 0.0 && x < CELLS_WIDE && y >= 0.0 && y < CELLS_HIGH)) return -1;
  return (int)y * CELLS_WIDE + (int)x;
}

/* The visibility of a marked point: 0 if it lies more than about two cells behind the front, else larger the more its
 * triangle faces the viewer, because marks at a silhouette are hard to see. */
static double visibility(const picture_view *view, const sample_point *point, const double projected[3],
                         const coarse_depth *depth) {
  const double tolerance = 2.0 / (view->pixels_per_unit * view->radius);
  const int cell = cell_of(projected);
  if (cell < 0 || projected[2] < (double)depth->nearest[cell] - tolerance) return 0.0;
  double facing = 0.0;
  for (int axis = 0; axis < 3; axis++) facing += view->axis[2][axis] * (double)point->normal[axis];
  return 0.3 + 0.7 * fabs(facing);
}

/* The mean visibility of marked points, plus a smaller weight for the filled part of the normalized cube. `view` is
 * fitted to the coarse frame. */
static double reference(const picture_view *view, const point_sample *sample, coarse_depth *depth) {
  size_t filled = 0, marked = 0;
  double visible = 0.0;
  double projected[3];
  picture_view plain = *view;
  plain.factor = 1.0;
  for (int i = 0; i < CELLS_WIDE * CELLS_HIGH; i++) depth->nearest[i] = -INFINITY;
  for (size_t i = 0; i < sample->count; i++) {
    picture_view_project(&plain, sample->points[i].p, projected);
    const int cell = cell_of(projected);
    if (cell >= 0 && (float)projected[2] > depth->nearest[cell]) depth->nearest[cell] = (float)projected[2];
  }
  for (size_t i = 0; i < sample->count; i++) {
    if (!sample->points[i].is_marked) continue;
    marked++;
    picture_view_project(&plain, sample->points[i].p, projected);
    visible += visibility(view, &sample->points[i], projected, depth);
  }
  for (int i = 0; i < CELLS_WIDE * CELLS_HIGH; i++) filled += depth->nearest[i] > -INFINITY;
  const double shown = marked == 0 ? 0.0 : visible / (double)marked;
  return shown + 0.5 * (double)filled / (CELLS_WIDE * CELLS_HIGH);
}

static bool try_directions(picture_view *view, picture_up up, const point_sample *sample, const double low[3],
                           const double high[3]) {
  coarse_depth *depth = malloc(sizeof *depth);
  if (depth == NULL) return false;
  double best = -1.0, best_azimuth = 0.0, best_elevation = 0.0;
  for (int i = 0; i < ELEVATION_COUNT * AZIMUTH_COUNT; i++) {
    const int level = i % ELEVATION_COUNT;
    const double azimuth = habitual_azimuth + 360.0 / AZIMUTH_COUNT * (i / ELEVATION_COUNT),
                 elevation = elevations_in_degrees[level];
    make_axes(up, azimuth, elevation, view->axis);
    fit_frame(view, sample, low, high, CELLS_WIDE, CELLS_HIGH);
    /* The first direction is the default. */
    const double score = reference(view, sample, depth) + elevation_worth[level] + (i == 0 ? 0.02 : 0.0);
    if (score > best) {
      best = score;
      best_azimuth = azimuth;
      best_elevation = elevation;
    }
  }
  free(depth);
  make_axes(up, best_azimuth, best_elevation, view->axis);
  return true;
}

/* With a focus, only marks inside it count, and its center is one: a large triangle may have no sample point there. */
static void mark_focus(point_sample *sample, const picture_box *focus, double factor) {
  for (size_t i = 0; i < sample->count; i++) {
    const double *p = sample->points[i].p;
    for (int axis = 0; axis < 3; axis++)
      if (!(p[axis] >= factor * focus->low[axis] && p[axis] <= factor * focus->high[axis]))
        sample->points[i].is_marked = false;
  }
  sample_point *middle = &sample->points[sample->count++];
  *middle = (sample_point){.is_marked = true};
  for (int axis = 0; axis < 3; axis++) middle->p[axis] = 0.5 * (factor * focus->low[axis] + factor * focus->high[axis]);
}

static bool choose_frame(const point_sample *sample, const picture_camera *camera, double width, double height,
                         picture_view *view) {
  double low[3], high[3], square = 0.0;
  if (!bulk_box(sample, low, high)) return false;
  for (int axis = 0; axis < 3; axis++) {
    view->center[axis] = 0.5 * (low[axis] + high[axis]);
    square += (high[axis] - low[axis]) * (high[axis] - low[axis]);
  }
  if (square > 0.0) view->radius = 0.5 * sqrt(square);
  if (!camera->is_set && !try_directions(view, camera->up, sample, low, high)) return false;
  fit_frame(view, sample, low, high, width, height);
  return true;
}

/* Around a very small box, enough of the scene is shown to recognize the place. */
static const double least_zoom_radius = 0.02;

/* The box and its surroundings, as large as the frame allows, from the same direction. */
static picture_view zoomed_to(const picture_view *view, const picture_box *box, double width, double height) {
  picture_view zoomed = *view;
  double square = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double low = view->factor * box->low[axis], high = view->factor * box->high[axis];
    zoomed.center[axis] = 0.5 * (low + high);
    square += (high - low) * (high - low);
  }
  zoomed.radius = fmax(sqrt(square), least_zoom_radius * view->radius);
  zoomed.pixels_per_unit = 0.5 * fmin(width, height) / zoomed.radius;
  zoomed.is_zoomed = true;
  zoomed.middle_x = 0.5 * width;
  zoomed.middle_y = 0.5 * height;
  return zoomed;
}

/* ---------------------------------------------------------------------------------------------- what hides a focus */

/* Lines from points of the focus toward the viewer, in the axes of a view: right, up, toward, from its center. */
enum { LINE_COUNT = 9 };
typedef struct sight_lines {
  picture_view view;
  double from[LINE_COUNT][3]; /* where they leave the focus */
  double low[2], high[2];     /* the box of all lines, right and up */
  double ends[LINE_COUNT];    /* where they are blocked first; infinite if they are not */
  double reach;               /* bounds their distance from the middle one */
} sight_lines;

static void to_view(const picture_view *view, const double *position, double out[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = 0.0;
    for (int axis = 0; axis < 3; axis++)
      out[k] += view->axis[k][axis] * (position[axis] * view->factor - view->center[axis]);
  }
}

/* The center of the box, and points halfway to its corners. */
static sight_lines begin_lines(const picture_view *seen, const picture_box *box) {
  sight_lines made = {.view = *seen}, *const lines = &made;
  const picture_view *view = &made.view;
  for (int k = 0; k < 2; k++) {
    lines->low[k] = INFINITY;
    lines->high[k] = -INFINITY;
  }
  for (int i = 0; i < LINE_COUNT; i++) {
    double at[3], gone = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
      const double middle = 0.5 * box->low[axis] + 0.5 * box->high[axis],
                   half = 0.5 * box->high[axis] - 0.5 * box->low[axis];
      const double step = i == 0 ? 0.0 : (i - 1) >> axis & 1 ? 0.5 : -0.5, toward = view->axis[2][axis];
      at[axis] = middle + step * half;
      if (toward != 0.0)
        gone = fmin(gone, view->factor * half * (toward > 0.0 ? 1.0 - step : 1.0 + step) / fabs(toward));
    }
    double *from = lines->from[i];
    to_view(view, at, from);
    from[2] += gone;
    for (int k = 0; k < 2; k++) {
      lines->low[k] = fmin(lines->low[k], from[k]);
      lines->high[k] = fmax(lines->high[k], from[k]);
    }
    lines->ends[i] = INFINITY;
    lines->reach = fmax(lines->reach, hypot(from[0], from[1]));
  }
  return made;
}

/* The height of the triangle over a point, toward the viewer; -infinity where it does not cover the point. */
static double height_over(const double corner[3][3], const double at[3]) {
  double share[3], sum = 0.0, height = 0.0;
  for (int k = 0; k < 3; k++) {
    const double *a = corner[(k + 1) % 3], *b = corner[(k + 2) % 3];
    share[k] = (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]);
    sum += share[k];
    height += share[k] * corner[k][2];
  }
  const bool covers = (share[0] >= 0.0 && share[1] >= 0.0 && share[2] >= 0.0) ||
                      (share[0] <= 0.0 && share[1] <= 0.0 && share[2] <= 0.0);
  return covers && sum != 0.0 ? height / sum : -INFINITY;
}

static void block_lines(sight_lines *lines, const double corner[3][3], double near) {
  for (int k = 0; k < 2; k++) {
    if (fmin(corner[0][k], fmin(corner[1][k], corner[2][k])) > lines->high[k]) return;
    if (!(fmax(corner[0][k], fmax(corner[1][k], corner[2][k])) >= lines->low[k])) return;
  }
  for (int i = 0; i < LINE_COUNT; i++) {
    const double height = height_over(corner, lines->from[i]);
    if (height > lines->from[i][2] + near && height < lines->ends[i]) lines->ends[i] = height;
  }
}

/* A sphere blocks like a square through its center. */
static void block_by_element(sight_lines *lines, const mesh *m, size_t element, double near) {
  const picture_view *view = &lines->view;
  double corner[4][3];
  if (m->kind != MESH_SPHERES) {
    for (int k = 0; k < 3; k++)
      to_view(view, m->positions + 3 * (size_t)m->triangles[3 * element + (size_t)k], corner[k]);
    block_lines(lines, (const double(*)[3])corner, near);
    return;
  }
  double center[3];
  const double reach = view->factor * m->radii[element];
  to_view(view, m->positions + 3 * element, center);
  for (int k = 0; k < 4; k++) {
    corner[k][0] = center[0] + (k % 2 == 0 ? -reach : reach);
    corner[k][1] = center[1] + (k < 2 ? -reach : reach);
    corner[k][2] = center[2];
  }
  block_lines(lines, (const double(*)[3])corner, near);
  block_lines(lines, (const double(*)[3])(corner + 1), near);
}

/* A ball around an element, from the center of the focus. */
static double ball_around(const picture_view *view, const mesh *m, size_t element, double center_out[3]) {
  const size_t first = m->kind == MESH_SPHERES ? element : m->triangles[3 * element];
  double radius = m->kind == MESH_SPHERES ? 1.5 * view->factor * m->radii[element] : 0.0;
  for (int axis = 0; axis < 3; axis++)
    center_out[axis] = m->positions[3 * first + (size_t)axis] * view->factor - view->center[axis];
  for (size_t k = 1; m->kind != MESH_SPHERES && k < 3; k++) {
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      const double at = m->positions[3 * (size_t)m->triangles[3 * element + k] + (size_t)axis];
      const double edge = at * view->factor - view->center[axis] - center_out[axis];
      square += edge * edge;
    }
    radius = fmax(radius, sqrt(square));
  }
  return radius;
}

/* Marked elements beside the focus are what the picture is to show, so they do not block it. Most elements are far from
 * all lines. */
static void block_all(sight_lines *sights, size_t count, const mesh *meshes, size_t mesh_count,
                      const uint8_t *const *marked) {
  for (size_t i = 0; i < mesh_count; i++)
    for (size_t t = 0; t < picture_element_count(&meshes[i]); t++) {
      const bool is_marked = marked != NULL && marked[i] != NULL && marked[i][t] != 0;
      double center[3];
      const double reach = 1.001 * (ball_around(&sights[0].view, &meshes[i], t, center) + sights[0].reach);
      const double square = center[0] * center[0] + center[1] * center[1] + center[2] * center[2];
      for (size_t k = 0; k < count; k++) {
        const double *toward = sights[k].view.axis[2];
        const double along = center[0] * toward[0] + center[1] * toward[1] + center[2] * toward[2];
        if (along + reach < 0.0 || square - along * along > reach * reach) continue;
        block_by_element(&sights[k], &meshes[i], t, (is_marked ? 1.0 : 1e-3) * sights[k].view.radius);
      }
    }
}

static bool is_open(const sight_lines *lines) {
  int free_count = 0;
  for (int i = 0; i < LINE_COUNT; i++) free_count += lines->ends[i] == INFINITY;
  return 2 * free_count > LINE_COUNT;
}

/* The room in front of the focus: from its front to the first thing that blocks a line. */
static double free_room(const sight_lines *lines, double *front_out) {
  double end = INFINITY;
  *front_out = -INFINITY;
  for (int i = 0; i < LINE_COUNT; i++) {
    *front_out = fmax(*front_out, lines->from[i][2]);
    end = fmin(end, lines->ends[i]);
  }
  return fmax(end - *front_out, 0.0);
}

/* The view with the most room; from the side if that is as good. */
static const sight_lines *choose_sight(const sight_lines *sights, size_t count) {
  const sight_lines *chosen = sights;
  double best = -INFINITY, front;
  for (size_t i = 0; i < count; i++) {
    const double room = is_open(&sights[i]) ? 10.0 : fmin(free_room(&sights[i], &front) / sights[i].view.radius, 5.0);
    if (room + elevation_worth[i % ELEVATION_COUNT] <= best) continue;
    best = room + elevation_worth[i % ELEVATION_COUNT];
    chosen = &sights[i];
  }
  return chosen;
}

/* Turns a view of a hidden focus to the direction with the most room, if the camera leaves it open, and cuts away what
 * hides the focus still. Most of the room stays, with the surroundings of the focus. */
static void open_view(const mesh *meshes, size_t mesh_count, const uint8_t *const *marked, const picture_camera *camera,
                      picture_view *view) {
  enum { SIGHT_COUNT = ELEVATION_COUNT * AZIMUTH_COUNT };
  sight_lines given = begin_lines(view, camera->focus), sights[SIGHT_COUNT];
  const sight_lines *chosen = &given;
  block_all(&given, 1, meshes, mesh_count, marked);
  if (is_open(&given)) return;
  if (!camera->is_set) {
    for (int i = 0; i < SIGHT_COUNT; i++) {
      picture_view turned = *view;
      make_axes(camera->up, habitual_azimuth + 360.0 / AZIMUTH_COUNT * (i / ELEVATION_COUNT),
                elevations_in_degrees[i % ELEVATION_COUNT], turned.axis);
      sights[i] = begin_lines(&turned, camera->focus);
    }
    block_all(sights, SIGHT_COUNT, meshes, mesh_count, marked);
    chosen = choose_sight(sights, SIGHT_COUNT);
  }
  *view = chosen->view;
  if (is_open(chosen)) return;
  double front;
  const double room = free_room(chosen, &front);
  view->cut = (front + 0.6 * room) / view->radius;
}

bool picture_view_choose(const mesh *meshes, size_t mesh_count, const uint8_t *const *marked,
                         const picture_camera *camera, double width, double height, picture_view *view_out) {
  memset(view_out, 0, sizeof *view_out);
  view_out->factor = choose_factor(meshes, mesh_count);
  view_out->radius = 1.0;
  view_out->pixels_per_unit = 1.0;
  view_out->cut = INFINITY;
  picture_camera_axes(camera, view_out->axis);
  point_sample sample;
  if (!take_sample(meshes, mesh_count, marked, view_out->factor, &sample)) return false;
  if (camera->focus != NULL) mark_focus(&sample, camera->focus, view_out->factor);
  const bool is_done = sample.count == 0 || choose_frame(&sample, camera, width, height, view_out);
  free(sample.points);
  if (is_done && camera->focus != NULL) {
    *view_out = zoomed_to(view_out, camera->focus, width, height);
    open_view(meshes, mesh_count, marked, camera, view_out);
  }
  return is_done;
}
