/* A scanline rasterizer with shading at the corners (Gouraud: Continuous shading of curved surfaces, 1971). Spheres are
 * drawn directly, with a normal and a depth at each sample.
 *
 * Workload: up to ten million triangles, most of the size of a sample. The setup cost of a triangle dominates, so
 * vertices are projected where they are used instead of being stored. Long slivers are common in bad meshes: the span
 * of each row is computed from the three edges, without searching a box. A triangle too thin to hit a sample is drawn
 * as a line, because an intersecting needle must not vanish. */
#include "picture_raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_io/mesh.h"

/* Edges are drawn if the scene has fewer triangles than one per this number of samples, and on triangles whose least
 * altitude exceeds the first of these values; from the second on, in full strength. In samples. */
enum { OUTLINE_SAMPLES_PER_TRIANGLE = 500 };
static const double outline_from = 12.0, outline_full = 50.0;

/* A marked triangle that covers more than this share of a picture of the whole scene, such as a floor, is tinted
 * instead of marked, because it would hide all other marks. In a picture of a part, one that is this many times as
 * large as the picture. */
static const double flood_share = 0.08, zoomed_flood = 8.0;

typedef struct corner {
  double x, y, z, shade;
} corner;

typedef struct raster {
  sample_buffer *buffer;
  const picture_view *view;
  uint8_t color;
  bool is_sparse;   /* few triangles: even one without extent is drawn as a dot, and all marks are drawn in full */
  bool is_outlined; /* triangles are large enough on average to draw their edges */
} raster;

bool sample_buffer_create(sample_buffer *buffer, uint32_t width, uint32_t height) {
  const size_t count = (size_t)width * height;
  memset(buffer, 0, sizeof *buffer);
  buffer->width = width;
  buffer->height = height;
  buffer->all.depth = malloc(count * sizeof(float));
  buffer->all.shade = calloc(count, 1);
  buffer->marked.depth = malloc(count * sizeof(float));
  buffer->marked.shade = calloc(count, 1);
  buffer->color = calloc(count, 1);
  if (!buffer->all.depth || !buffer->all.shade || !buffer->marked.depth || !buffer->marked.shade || !buffer->color)
    return false;
  for (size_t i = 0; i < count; i++) buffer->all.depth[i] = buffer->marked.depth[i] = -INFINITY;
  return true;
}

void sample_buffer_release(sample_buffer *buffer) {
  free(buffer->all.depth);
  free(buffer->all.shade);
  free(buffer->marked.depth);
  free(buffer->marked.shade);
  free(buffer->color);
  memset(buffer, 0, sizeof *buffer);
}

/* ------------------------------------------------------------------------------------------------ light */

/* The light on a unit normal in view axes that faces the viewer: sky from above, a key light over the left shoulder,
 * and a small highlight that raises the shade above 1. */
static double light(double right, double up, double toward) {
  if (toward < 0.0) {
    right = -right;
    up = -up;
    toward = -toward;
  }
  const double key = fmax(0.0, -0.48 * right + 0.62 * up + 0.62 * toward);
  const double fill = fmax(0.0, 0.74 * right + 0.10 * up + 0.66 * toward);
  const double half = fmax(0.0, -0.267 * right + 0.345 * up + 0.900 * toward);
  const double square = half * half, shine = square * square * square * square * square * square;
  return 0.47 + 0.08 * up + 0.06 * toward + 0.42 * key + 0.16 * fill + 0.13 * shine * shine;
}

static double shade_normal(const raster *r, const double normal[3]) {
  double along[3];
  for (int k = 0; k < 3; k++)
    along[k] = r->view->axis[k][0] * normal[0] + r->view->axis[k][1] * normal[1] + r->view->axis[k][2] * normal[2];
  return FULL_SHADE * light(along[0], along[1], along[2]);
}

/* ------------------------------------------------------------------------------------------------ samples */

static uint8_t clamp_shade(double shade) {
  return (uint8_t)(shade < 0.0 ? 0.0 : shade > 255.0 ? 255.0 : shade);
}

static void put_sample(raster *r, size_t sample, double depth, double shade, bool is_marked) {
  sample_buffer *buffer = r->buffer;
  if (depth > r->view->cut) return;
  if ((float)depth > buffer->all.depth[sample]) {
    buffer->all.depth[sample] = (float)depth;
    buffer->all.shade[sample] = clamp_shade(shade);
    buffer->color[sample] = r->color;
  }
  if (is_marked && (float)depth > buffer->marked.depth[sample]) {
    buffer->marked.depth[sample] = (float)depth;
    buffer->marked.shade[sample] = clamp_shade(shade);
  }
}

/* A square of 2 * reach + 1 samples, moved nearer by the width of three samples, so that the slope of the surface
 * around it does not hide its corners. */
static void put_dot(raster *r, const corner *at, int reach, bool is_marked) {
  const double x = floor(at->x), y = floor(at->y), depth = at->z + 3.0 / (r->view->pixels_per_unit * r->view->radius);
  if (!(x >= -8.0 && y >= -8.0 && x < r->buffer->width + 8.0 && y < r->buffer->height + 8.0)) return;
  for (int j = (int)y - reach; j <= (int)y + reach; j++) {
    for (int i = (int)x - reach; i <= (int)x + reach; i++) {
      if (i < 0 || j < 0 || i >= (int)r->buffer->width || j >= (int)r->buffer->height) continue;
      put_sample(r, (size_t)j * r->buffer->width + (size_t)i, depth, at->shade, is_marked);
    }
  }
}

/* Clips a line to normalized coordinates on one axis; false if nothing remains. */
static bool clip_line(double from, double to, double limit, double *start, double *end) {
  const double step = to - from;
  if (step == 0.0) return from >= 0.0 && from <= limit;
  const double a = (0.0 - from) / step, b = (limit - from) / step;
  *start = fmax(*start, fmin(a, b));
  *end = fmin(*end, fmax(a, b));
  return *start <= *end;
}

static void put_line(raster *r, const corner *from, const corner *to, bool is_marked) {
  double start = 0.0, end = 1.0;
  if (!clip_line(from->x, to->x, r->buffer->width - 0.01, &start, &end)) return;
  if (!clip_line(from->y, to->y, r->buffer->height - 0.01, &start, &end)) return;
  const double length = fmax(fabs(to->x - from->x), fabs(to->y - from->y));
  const double steps = ceil((end - start) * length) + 1.0;
  if (!(steps < 1e6)) return;
  for (int i = 0; i <= (int)steps; i++) {
    const double t = start + (end - start) * (i / steps);
    const corner at = {from->x + t * (to->x - from->x), from->y + t * (to->y - from->y),
                       from->z + t * (to->z - from->z), from->shade};
    put_dot(r, &at, is_marked ? 1 : 0, is_marked);
  }
}

/* ------------------------------------------------------------------------------------------------ triangles */

/* A function of the sample position that is linear on the triangle: value = base + x * per_x + y * per_y. */
typedef struct linear {
  double base, per_x, per_y;
} linear;

typedef struct triangle_setup {
  linear edge[3]; /* distance in samples from the edge opposite corner k, positive inside */
  linear depth, shade;
  double outline; /* 0 to 1: the darkness of the outline */
} triangle_setup;

static linear edge_function(const corner *a, const corner *b, double sign) {
  const double x = b->x - a->x, y = b->y - a->y, scale = sign / sqrt(x * x + y * y);
  const linear made = {(y * a->x - x * a->y) * scale, -y * scale, x * scale};
  return made;
}

static linear blend(const linear edge[3], const double weight[3]) {
  const linear made = {edge[0].base * weight[0] + edge[1].base * weight[1] + edge[2].base * weight[2],
                       edge[0].per_x * weight[0] + edge[1].per_x * weight[1] + edge[2].per_x * weight[2],
                       edge[0].per_y * weight[0] + edge[1].per_y * weight[1] + edge[2].per_y * weight[2]};
  return made;
}

static double altitude(const corner c[3], double doubled_area, int k) {
  const corner *a = &c[(k + 1) % 3], *b = &c[(k + 2) % 3];
  return doubled_area / hypot(b->x - a->x, b->y - a->y);
}

static void set_up(const corner c[3], double doubled_area, bool is_outlined, triangle_setup *setup) {
  double by_depth[3], by_shade[3], least = INFINITY;
  const double sign = doubled_area > 0.0 ? 1.0 : -1.0;
  for (int k = 0; k < 3; k++) {
    setup->edge[k] = edge_function(&c[(k + 1) % 3], &c[(k + 2) % 3], sign);
    const double height = altitude(c, fabs(doubled_area), k);
    by_depth[k] = c[k].z / height;
    by_shade[k] = c[k].shade / height;
    least = fmin(least, height);
  }
  setup->depth = blend(setup->edge, by_depth);
  setup->shade = blend(setup->edge, by_shade);
  const double strength = is_outlined ? (least - outline_from) / (outline_full - outline_from) : 0.0;
  setup->outline = strength < 0.0 ? 0.0 : strength > 1.0 ? 1.0 : strength;
}

/* Darkens samples within about one sample of an edge. */
static double outline_shade(const triangle_setup *setup, double x, double y, double shade) {
  double nearest = INFINITY;
  for (int k = 0; k < 3; k++)
    nearest = fmin(nearest, setup->edge[k].base + x * setup->edge[k].per_x + y * setup->edge[k].per_y);
  const double cover = 1.4 - nearest;
  if (cover <= 0.0) return shade;
  return shade * (1.0 - 0.5 * setup->outline * (cover < 1.0 ? cover : 1.0));
}

static void put_row(raster *r, const triangle_setup *setup, int row, double left, double right, bool is_marked) {
  const double y = row + 0.5;
  for (int k = 0; k < 3; k++) {
    const double constant = setup->edge[k].base + y * setup->edge[k].per_y, per_x = setup->edge[k].per_x;
    if (per_x > 0.0) {
      left = fmax(left, -constant / per_x);
    } else if (per_x < 0.0) {
      right = fmin(right, -constant / per_x);
    } else if (constant < 0.0) {
      return;
    }
  }
  if (!(left <= right)) return;
  const int first = (int)ceil(fmax(left, 0.0) - 0.5), last = (int)floor(fmin(right, r->buffer->width) - 0.5);
  double depth = setup->depth.base + y * setup->depth.per_y + (first + 0.5) * setup->depth.per_x;
  double shade = setup->shade.base + y * setup->shade.per_y + (first + 0.5) * setup->shade.per_x;
  size_t sample = (size_t)row * r->buffer->width + (size_t)(first > 0 ? first : 0);
  for (int column = first; column <= last; column++, sample++) {
    const double drawn = setup->outline > 0.0 ? outline_shade(setup, column + 0.5, y, shade) : shade;
    put_sample(r, sample, depth, drawn, is_marked);
    depth += setup->depth.per_x;
    shade += setup->shade.per_x;
  }
}

static void draw_filled(raster *r, const corner c[3], double doubled_area, bool is_marked) {
  const double low_x = fmin(c[0].x, fmin(c[1].x, c[2].x)), high_x = fmax(c[0].x, fmax(c[1].x, c[2].x));
  const double low_y = fmin(c[0].y, fmin(c[1].y, c[2].y)), high_y = fmax(c[0].y, fmax(c[1].y, c[2].y));
  if (high_x < 0.0 || high_y < 0.0 || low_x > r->buffer->width || low_y > r->buffer->height) return;
  const int first = (int)ceil(fmax(low_y, 0.0) - 0.5), last = (int)floor(fmin(high_y, r->buffer->height) - 0.5);
  if (first > last || ceil(low_x - 0.5) > floor(high_x - 0.5)) return;
  triangle_setup setup;
  set_up(c, doubled_area, r->is_outlined, &setup);
  for (int row = first; row <= last; row++) put_row(r, &setup, row, low_x, high_x, is_marked);
}

/* Marks with no edge longer than this, in samples, are widened to a dot that fills at least one pixel. */
enum { SMALL_MARK = 4 };

/* The longest edge represents a triangle that is thinner than a sample. A triangle that is small in all directions is a
 * dot if it is marked or the scene is sparse. */
static void draw_thin(raster *r, const corner c[3], double longest, int longest_edge, bool is_marked) {
  if (longest > SMALL_MARK) {
    put_line(r, &c[longest_edge], &c[(longest_edge + 1) % 3], is_marked);
  } else if (is_marked || r->is_sparse) {
    const corner middle = {(c[0].x + c[1].x + c[2].x) / 3.0, (c[0].y + c[1].y + c[2].y) / 3.0,
                           (c[0].z + c[1].z + c[2].z) / 3.0, c[0].shade};
    put_dot(r, &middle, r->is_sparse ? 2 : 1, is_marked);
  }
}

/* Whether a triangle covers too much of the picture, by the part of its box in normalized coordinates. Except for
 * slanted slivers, that is about twice its visible area. */
static bool is_flood(const raster *r, const corner c[3], double area) {
  const double frame = (double)r->buffer->width * r->buffer->height;
  if (r->view->is_zoomed) return area > zoomed_flood * frame;
  if (r->is_sparse) return false;
  const double low_x = fmax(0.0, fmin(c[0].x, fmin(c[1].x, c[2].x)));
  const double low_y = fmax(0.0, fmin(c[0].y, fmin(c[1].y, c[2].y)));
  const double high_x = fmin(r->buffer->width, fmax(c[0].x, fmax(c[1].x, c[2].x)));
  const double high_y = fmin(r->buffer->height, fmax(c[0].y, fmax(c[1].y, c[2].y)));
  if (high_x < low_x || high_y < low_y) return false;
  return (high_x - low_x) * (high_y - low_y) > 2.0 * flood_share * frame;
}

/* The altitude on the longest edge, below which a triangle can fall between the samples. */
static bool is_thin(const corner c[3], double *doubled_area_out, double *longest_out, int *longest_edge_out) {
  double longest = 0.0;
  *longest_edge_out = 0;
  for (int k = 0; k < 3; k++) {
    const double x = c[(k + 1) % 3].x - c[k].x, y = c[(k + 1) % 3].y - c[k].y, square = x * x + y * y;
    if (square > longest) {
      longest = square;
      *longest_edge_out = k;
    }
  }
  *longest_out = sqrt(longest);
  *doubled_area_out = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y);
  return fabs(*doubled_area_out) <= *longest_out;
}

/* Whether all corners lie beyond the same side of the picture, by more than the radius of a dot. */
static bool is_beyond(const raster *r, const corner c[3]) {
  const double far = 8.0, right = r->buffer->width + far, low = r->buffer->height + far;
  return (c[0].x < -far && c[1].x < -far && c[2].x < -far) || (c[0].x > right && c[1].x > right && c[2].x > right) ||
         (c[0].y < -far && c[1].y < -far && c[2].y < -far) || (c[0].y > low && c[1].y > low && c[2].y > low);
}

/* Normals at the corners of triangles.
 *
 * Workload: up to ten million triangles, six around a vertex. The mean is weighted by area, so that large flat faces
 * stay flat next to narrow roundings. */

typedef struct surface_normals {
  float *faces;       /* 4 per triangle: the unit normal, 0 if there is none, and the area */
  uint32_t *first;    /* triangles around vertex i are around[first[i] .. first[i + 1]) of this array */
  uint32_t *around;   /* 3 per triangle */
  float least_cosine; /* of two faces that are smoothed together */
} surface_normals;

/* Scaled to the size of the largest edge coordinate, so that the square of a small triangle does not underflow. */
static void make_face(const mesh *m, size_t triangle, double factor, float face_out[4]) {
  const uint32_t *index = m->triangles + 3 * triangle;
  const double *a = m->positions + 3 * (size_t)index[0], *b = m->positions + 3 * (size_t)index[1];
  const double *c = m->positions + 3 * (size_t)index[2];
  double p[3], q[3], largest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    p[axis] = factor * b[axis] - factor * a[axis];
    q[axis] = factor * c[axis] - factor * a[axis];
    largest = fmax(largest, fmax(fabs(p[axis]), fabs(q[axis])));
  }
  const double lift = largest > 0.0 ? 1.0 / largest : 0.0;
  for (int axis = 0; axis < 3; axis++) {
    p[axis] *= lift;
    q[axis] *= lift;
  }
  const double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  const bool has_normal = length > 0.0 && isfinite(length);
  for (int axis = 0; axis < 3; axis++) face_out[axis] = has_normal ? (float)(n[axis] / length) : 0.0f;
  face_out[3] = has_normal ? (float)(length * largest * largest) : 0.0f;
}

/* Counted, summed, and filled from the end of the part of each vertex. */
static void list_faces_around(const mesh *m, surface_normals *normals) {
  const size_t corner_count = 3 * m->triangle_count;
  for (size_t i = 0; i < corner_count; i++) normals->first[m->triangles[i]]++;
  for (size_t i = 0; i < m->vertex_count; i++) normals->first[i + 1] += normals->first[i];
  for (size_t i = corner_count; i-- > 0;) normals->around[--normals->first[m->triangles[i]]] = (uint32_t)(i / 3);
}

/* Positions are multiplied by the factor, a power of two that brings them into [-1, 1]. Faces whose normals differ by
 * more than the crease angle are not smoothed together. Needs 28 bytes per triangle and 4 per vertex. False when out of
 * memory; release in any case. */
static bool surface_normals_make(const mesh *m, double factor, double crease_degrees, surface_normals *normals_out) {
  const double radian = 3.14159265358979323846 / 180.0;
  *normals_out = (surface_normals){
      .faces = malloc((m->triangle_count + 1) * 4 * sizeof(float)),
      .first = calloc(m->vertex_count + 2, sizeof(uint32_t)),
      .around = malloc((m->triangle_count + 1) * 3 * sizeof(uint32_t)),
      /* Rounding of unit normals in floats must not separate faces that differ by exactly the angle. */
      .least_cosine = (float)cos(crease_degrees * radian) - 1e-5f,
  };
  if (m->triangle_count > UINT32_MAX / 3) return false; /* more than 32-bit positions around vertices can hold */
  if (normals_out->faces == NULL || normals_out->first == NULL || normals_out->around == NULL) return false;
  for (size_t t = 0; t < m->triangle_count; t++) make_face(m, t, factor, normals_out->faces + 4 * t);
  list_faces_around(m, normals_out);
  return true;
}

static void surface_normals_release(surface_normals *normals) {
  free(normals->faces);
  free(normals->first);
  free(normals->around);
  memset(normals, 0, sizeof *normals);
}

/* Returns the unit normal at corner k of a triangle: the mean of the faces around it, weighted by area, within the
 * crease angle of the triangle's own normal. False if the triangle has none. */
static bool surface_normals_at(const surface_normals *normals, const mesh *m, size_t triangle, int k,
                               double normal_out[3]) {
  const float *own = normals->faces + 4 * triangle;
  const uint32_t vertex = m->triangles[3 * triangle + (size_t)k];
  float sum[3] = {0.0f, 0.0f, 0.0f};
  for (uint32_t i = normals->first[vertex]; i < normals->first[vertex + 1]; i++) {
    const float *face = normals->faces + 4 * (size_t)normals->around[i];
    if (face[0] * own[0] + face[1] * own[1] + face[2] * own[2] < normals->least_cosine) continue;
    for (int axis = 0; axis < 3; axis++) sum[axis] += face[3] * face[axis];
  }
  const float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  const bool is_smooth = length > 0.0f && isfinite(length);
  for (int axis = 0; axis < 3; axis++) normal_out[axis] = (double)(is_smooth ? sum[axis] / length : own[axis]);
  return own[0] != 0.0f || own[1] != 0.0f || own[2] != 0.0f;
}

static void draw_triangle(raster *r, const mesh *m, size_t triangle, const surface_normals *normals, bool is_marked) {
  corner c[3];
  for (int k = 0; k < 3; k++) {
    double projected[3];
    picture_view_project(r->view, m->positions + 3 * (size_t)m->triangles[3 * triangle + (size_t)k], projected);
    c[k].x = projected[0];
    c[k].y = projected[1];
    c[k].z = projected[2];
    if (!isfinite(c[k].x + c[k].y + c[k].z)) return;
  }
  if (is_beyond(r, c)) return;
  double doubled_area, longest;
  int longest_edge;
  const bool thin = is_thin(c, &doubled_area, &longest, &longest_edge);
  for (int k = 0; k < 3; k++) {
    double normal[3];
    const bool has_normal = surface_normals_at(normals, m, triangle, k, normal);
    c[k].shade = shade_normal(r, has_normal ? normal : r->view->axis[2]);
  }
  const uint8_t color = r->color;
  if (is_marked && is_flood(r, c, 0.5 * fabs(doubled_area))) {
    is_marked = false;
    r->color = (uint8_t)(color + PALETTE_COUNT);
  }
  if (fabs(doubled_area) > 1e-12 * longest * longest) draw_filled(r, c, doubled_area, is_marked);
  if (thin || (is_marked && longest < SMALL_MARK)) draw_thin(r, c, longest, longest_edge, is_marked);
  r->color = color;
}

/* ------------------------------------------------------------------------------------------------ spheres */

/* The half of a ball that faces the viewer: a disc whose samples each have their own normal and depth. */
typedef struct ball {
  corner center;
  double reach;       /* radius in samples */
  double depth_reach; /* radius in units of depth */
} ball;

/* Light is most of the work, and most samples of many balls lie behind others. */
static bool is_hidden(const raster *r, size_t sample, double depth, bool is_marked) {
  const sample_layer *layer = is_marked ? &r->buffer->marked : &r->buffer->all;
  return (float)depth <= layer->depth[sample];
}

static void put_ball_row(raster *r, const ball *b, int row, bool is_marked) {
  const double up = (b->center.y - (row + 0.5)) / b->reach;
  const double half = b->reach * sqrt(fmax(0.0, 1.0 - up * up));
  if (b->center.x + half < 0.0 || b->center.x - half > r->buffer->width) return;
  const int first = (int)ceil(fmax(b->center.x - half, 0.0) - 0.5);
  const int last = (int)floor(fmin(b->center.x + half, r->buffer->width) - 0.5);
  for (int column = first; column <= last; column++) {
    const size_t sample = (size_t)row * r->buffer->width + (size_t)column;
    const double right = (column + 0.5 - b->center.x) / b->reach;
    const double toward = sqrt(fmax(0.0, 1.0 - up * up - right * right));
    const double depth = b->center.z + toward * b->depth_reach;
    if (is_hidden(r, sample, depth, is_marked)) continue;
    put_sample(r, sample, depth, FULL_SHADE * light(right, up, toward), is_marked);
  }
}

/* A sphere smaller than a sample is a dot. */
static void draw_ball(raster *r, const ball *b, bool is_marked) {
  const corner *at = &b->center;
  if (b->reach < 1.0) {
    put_dot(r, at, r->is_sparse ? 2 : is_marked ? 1 : 0, is_marked);
    return;
  }
  if (at->x + b->reach < 0.0 || at->y + b->reach < 0.0) return;
  if (at->x - b->reach > r->buffer->width || at->y - b->reach > r->buffer->height) return;
  const int first = (int)ceil(fmax(at->y - b->reach, 0.0) - 0.5);
  const int last = (int)floor(fmin(at->y + b->reach, r->buffer->height) - 0.5);
  for (int row = first; row <= last; row++) put_ball_row(r, b, row, is_marked);
}

static void draw_sphere(raster *r, const mesh *m, size_t sphere, bool is_marked) {
  const picture_view *view = r->view;
  double projected[3];
  picture_view_project(view, m->positions + 3 * sphere, projected);
  const double radius = view->factor * m->radii[sphere];
  if (!isfinite(projected[0] + projected[1] + projected[2] + view->pixels_per_unit * radius)) return;
  const ball b = {
      {projected[0], projected[1], projected[2], FULL_SHADE}, view->pixels_per_unit * radius, radius / view->radius};
  const corner low = {b.center.x - b.reach, b.center.y - b.reach, 0.0, 0.0};
  const corner high = {b.center.x + b.reach, b.center.y + b.reach, 0.0, 0.0};
  const uint8_t color = r->color;
  if (is_marked && is_flood(r, (const corner[3]){low, high, low}, 3.0 * b.reach * b.reach)) {
    is_marked = false;
    r->color = (uint8_t)(color + PALETTE_COUNT);
  }
  draw_ball(r, &b, is_marked);
  r->color = color;
}

/* ------------------------------------------------------------------------------------------------ meshes */

static bool draw_mesh(raster *r, const mesh *m, const uint8_t *flags, double crease_degrees) {
  if (m->kind == MESH_SPHERES) {
    for (size_t i = 0; i < m->vertex_count; i++) draw_sphere(r, m, i, flags != NULL && flags[i] != 0);
    return true;
  }
  surface_normals normals;
  const bool is_made = surface_normals_make(m, r->view->factor, crease_degrees, &normals);
  for (size_t t = 0; is_made && t < m->triangle_count; t++)
    draw_triangle(r, m, t, &normals, flags != NULL && flags[t] != 0);
  surface_normals_release(&normals);
  return is_made;
}

bool sample_buffer_draw(sample_buffer *buffer, const picture_view *view, const mesh *meshes, size_t mesh_count,
                        const uint8_t *const *marked, double crease_degrees) {
  size_t elements = 0;
  for (size_t i = 0; i < mesh_count; i++) elements += picture_element_count(&meshes[i]);
  const double samples = (double)buffer->width * buffer->height;
  raster r = {buffer, view, 0, elements < 500,
              view->is_zoomed || (double)elements * OUTLINE_SAMPLES_PER_TRIANGLE < samples};
  bool is_drawn = true;
  for (size_t i = 0; is_drawn && i < mesh_count; i++) {
    r.color = (uint8_t)(i % PALETTE_COUNT);
    is_drawn = draw_mesh(&r, &meshes[i], marked == NULL ? NULL : marked[i], crease_degrees);
  }
  return is_drawn;
}
