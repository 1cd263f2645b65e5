/* Makes torture scenes; see torture_scenes.h. */
#include "torture_scenes.h"
#include "owned.h"

#include "base/number_sequence.h"
#include "models/model.h"
#include "test_scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mesh torture_mesh(size_t vertex_count, size_t triangle_count) {
  mesh m = {.positions = calloc(3 * vertex_count + 1, sizeof(double)),
            .vertex_count = vertex_count,
            .polygon_count = triangle_count,
            .triangles = calloc(3 * triangle_count + 1, sizeof(uint32_t)),
            .triangle_count = triangle_count};
  if (m.positions == NULL || m.triangles == NULL) abort();
  return m;
}

mesh torture_copy(const mesh *m) {
  mesh copy = torture_mesh(m->vertex_count, m->triangle_count);
  memcpy(copy.positions, m->positions, 3 * m->vertex_count * sizeof(double));
  memcpy(copy.triangles, m->triangles, 3 * m->triangle_count * sizeof(uint32_t));
  return copy;
}

void torture_model(const char *name, uint64_t triangles, uint64_t seed, mesh **meshes_out, size_t *mesh_count_out) {
  char error[256] = "no such model";
  const model *chosen = model_find(name);
  const model_parameters parameters = {triangles, seed};
  if (chosen == NULL || !model_make(chosen, &parameters, meshes_out, mesh_count_out, error, sizeof error)) {
    fprintf(stderr, "%s: %s\n", name, error);
    abort();
  }
}

mesh torture_first_mesh(const char *name, uint64_t triangles, uint64_t seed) {
  mesh *meshes;
  size_t mesh_count;
  torture_model(name, triangles, seed, &meshes, &mesh_count);
  const mesh first = meshes[0];
  for (size_t i = 1; i < mesh_count; i++) mesh_free(&meshes[i]);
  free(meshes);
  return first;
}

void torture_round_to_float(mesh *meshes, size_t mesh_count) {
  for (size_t i = 0; i < mesh_count; i++)
    for (size_t k = 0; k < 3 * meshes[i].vertex_count; k++)
      meshes[i].positions[k] = (double)(float)meshes[i].positions[k];
}

void torture_scale(mesh *m, double factor) {
  for (size_t i = 0; i < 3 * m->vertex_count; i++) m->positions[i] *= factor;
  for (size_t i = 0; m->kind == MESH_SPHERES && i < m->vertex_count; i++) m->radii[i] *= factor;
}

void torture_move(mesh *m, double x, double y, double z) {
  for (size_t i = 0; i < m->vertex_count; i++) {
    m->positions[3 * i] += x;
    m->positions[3 * i + 1] += y;
    m->positions[3 * i + 2] += z;
  }
}

static mesh *mesh_list(size_t mesh_count) {
  mesh *meshes = calloc(mesh_count, sizeof *meshes);
  if (meshes == NULL) abort();
  return meshes;
}

static double unit_number(uint64_t *state) {
  return (double)(sequence_next(state) >> 11) * 0x1p-53;
}

/* Uniform in [-1, 1), with few enough bits to be a float. */
static double signed_float(uint64_t *state) {
  return (double)(sequence_next(state) >> 41) * 0x1p-22 - 1.0;
}

static mesh soup_mesh(size_t triangle_count) {
  mesh m = torture_mesh(3 * triangle_count, triangle_count);
  for (uint32_t i = 0; i < 3 * triangle_count; i++) m.triangles[i] = i;
  return m;
}

/* Half of it, a quarter under sanitizers: most of the time goes into the quadratic reference. Scenes whose number is
 * their point, as many objects, stay whole. */
static size_t some(size_t full) {
  return test_is_sanitized() ? full / 4 : test_scaled_to(0.5, full, full / 2);
}

/* ---------------------------------------------------------------------------------------------- meshes and copies */

static void make_from_knot(uint64_t triangles, mesh **meshes_out, size_t *mesh_count_out) {
  torture_model("knot", triangles, 3, meshes_out, mesh_count_out);
  torture_round_to_float(*meshes_out, *mesh_count_out);
}

static void make_own_copy(mesh **meshes_out, size_t *mesh_count_out) {
  OWNED_MEMORY mesh *made;
  make_from_knot(some(900), &made, mesh_count_out);
  *meshes_out = mesh_list(2);
  (*meshes_out)[0] = made[0];
  (*meshes_out)[1] = torture_copy(&made[0]);
  *mesh_count_out = 2;
}

static void make_shifted_copy(mesh **meshes_out, size_t *mesh_count_out) {
  make_own_copy(meshes_out, mesh_count_out);
  torture_move(&(*meshes_out)[1], 0.005, 0.0, 0.0);
  torture_round_to_float(*meshes_out, *mesh_count_out);
}

/* Every coordinate of the copy moved to the float beside it, up or down. */
static void make_float_jittered_copy(mesh **meshes_out, size_t *mesh_count_out) {
  make_own_copy(meshes_out, mesh_count_out);
  uint64_t state = 11;
  mesh *copy = &(*meshes_out)[1];
  for (size_t i = 0; i < 3 * copy->vertex_count; i++)
    copy->positions[i] =
        (double)nextafterf((float)copy->positions[i], sequence_below(&state, 2) == 0 ? -FLT_MAX : FLT_MAX);
}

static void make_double_jittered_copy(mesh **meshes_out, size_t *mesh_count_out) {
  make_own_copy(meshes_out, mesh_count_out);
  uint64_t state = 12;
  mesh *copy = &(*meshes_out)[1];
  for (size_t i = 0; i < 3 * copy->vertex_count; i++)
    copy->positions[i] = nextafter(copy->positions[i], sequence_below(&state, 2) == 0 ? -DBL_MAX : DBL_MAX);
}

/* One mesh that holds everything twice: pairs within instead of between. */
static void make_doubled_within(mesh **meshes_out, size_t *mesh_count_out) {
  mesh *two;
  make_own_copy(&two, mesh_count_out);
  const size_t vertices = two[0].vertex_count, triangles = two[0].triangle_count;
  *meshes_out = mesh_list(1);
  *mesh_count_out = 1;
  mesh *m = *meshes_out;
  *m = torture_mesh(2 * vertices, 2 * triangles);
  for (size_t part = 0; part < 2; part++) {
    memcpy(m->positions + 3 * part * vertices, two[part].positions, 3 * vertices * sizeof(double));
    for (size_t i = 0; i < 3 * triangles; i++)
      m->triangles[3 * part * triangles + i] = two[part].triangles[i] + (uint32_t)(part * vertices);
  }
  mesh_list_free(two, 2);
}

static void make_boxes(mesh **meshes_out, size_t *mesh_count_out) {
  torture_model("boxes", some(500), 1, meshes_out, mesh_count_out);
  torture_round_to_float(*meshes_out, *mesh_count_out);
}

static void make_boxes_scaled(double factor, double offset, mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes(meshes_out, mesh_count_out);
  for (size_t i = 0; i < *mesh_count_out; i++) {
    torture_scale(&(*meshes_out)[i], factor);
    torture_move(&(*meshes_out)[i], offset, -offset, 0.5 * offset);
  }
}

static void make_millimeters(mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes_scaled(1000.0, 0.0, meshes_out, mesh_count_out);
}
static void make_tiny(mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes_scaled(1e-30, 0.0, meshes_out, mesh_count_out);
}
static void make_huge(mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes_scaled(1e30, 0.0, meshes_out, mesh_count_out);
}
static void make_subnormal(mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes_scaled(0x1p-1060, 0.0, meshes_out, mesh_count_out);
}
static void make_largest(mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes_scaled(0x1p1018, 0.0, meshes_out, mesh_count_out);
}
static void make_far(mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes_scaled(1.0, 1e6, meshes_out, mesh_count_out);
}
static void make_very_far(mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes_scaled(1.0, 1e12, meshes_out, mesh_count_out);
}
/* So far that the shapes collapse onto a few numbers. */
static void make_collapsed(mesh **meshes_out, size_t *mesh_count_out) {
  make_boxes_scaled(1.0, 0x1p53, meshes_out, mesh_count_out);
}

static void make_outlier(mesh **meshes_out, size_t *mesh_count_out) {
  OWNED_MEMORY mesh *made;
  make_from_knot(some(1200), &made, mesh_count_out);
  *meshes_out = mesh_list(3);
  (*meshes_out)[0] = made[0];
  (*meshes_out)[1] = torture_copy(&made[0]);
  torture_move(&(*meshes_out)[1], 0.11, 0.03, 0.0);
  mesh *outlier = &(*meshes_out)[2];
  *outlier = soup_mesh(1);
  const double corners[9] = {1e30, 1e30, 1e30, 1.1e30, 1e30, 1e30, 1e30, 1.2e30, 1e30};
  memcpy(outlier->positions, corners, sizeof corners);
  *mesh_count_out = 3;
  torture_round_to_float(*meshes_out, 3);
}

/* ---------------------------------------------------------------------------------------------- degenerate */

static void make_identical(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(1);
  *mesh_count_out = 1;
  **meshes_out = soup_mesh(some(300));
  const double corners[9] = {0.1, 0.2, 0.3, 1.0, 0.25, 0.125, 0.5, 0.75, 1.0};
  for (size_t i = 0; i < (*meshes_out)->triangle_count; i++)
    memcpy((*meshes_out)->positions + 9 * i, corners, sizeof corners);
  torture_round_to_float(*meshes_out, 1);
}

/* Points on a lattice, some on one another, and one large triangle through them. */
static void make_points(mesh **meshes_out, size_t *mesh_count_out) {
  uint64_t state = 5;
  *meshes_out = mesh_list(1);
  *mesh_count_out = 1;
  const size_t points = some(1500) - 1;
  **meshes_out = soup_mesh(points + 1);
  double *positions = (*meshes_out)->positions;
  for (size_t i = 0; i < points; i++)
    for (int axis = 0; axis < 3; axis++) {
      const double place = (double)sequence_below(&state, 9);
      for (int corner = 0; corner < 3; corner++) positions[9 * i + 3 * corner + axis] = place;
    }
  const double wide[9] = {0, 0, 4, 8, 0, 4, 0, 8, 4};
  memcpy(positions + 9 * points, wide, sizeof wide);
}

static void make_one_point(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(1);
  *mesh_count_out = 1;
  **meshes_out = soup_mesh(200);
  for (size_t i = 0; i < 9 * 200; i++) (*meshes_out)->positions[i] = 0.75;
}

/* Corners on a lattice of 7, by shared vertices: repeated indices, triangles with one to three vertices in common,
 * segments and points are all common. */
static void make_lattice_mesh(mesh **meshes_out, size_t *mesh_count_out) {
  uint64_t state = 21;
  *meshes_out = mesh_list(2);
  *mesh_count_out = 2;
  for (size_t part = 0; part < 2; part++) {
    mesh *m = &(*meshes_out)[part];
    *m = torture_mesh(some(250), some(200));
    for (size_t i = 0; i < 3 * m->vertex_count; i++) m->positions[i] = (double)sequence_below(&state, 7);
    for (size_t i = 0; i < m->triangle_count; i++) {
      const uint64_t from = sequence_below(&state, m->vertex_count - 12);
      for (int corner = 0; corner < 3; corner++)
        m->triangles[3 * i + corner] = (uint32_t)(from + sequence_below(&state, 12));
    }
  }
}

/* ---------------------------------------------------------------------------------------------- sizes and crowds */

/* Triangles of sizes 2^-40 to 1, smaller ones beside larger ones, so that every pair of levels meets. */
static void make_size_ratios(mesh **meshes_out, size_t *mesh_count_out) {
  uint64_t state = 31;
  *meshes_out = mesh_list(1);
  *mesh_count_out = 1;
  **meshes_out = soup_mesh(some(2000));
  double *positions = (*meshes_out)->positions;
  for (size_t i = 0; i < (*meshes_out)->triangle_count; i++) {
    const double size = ldexp(1.0, -(int)sequence_below(&state, 41));
    const double *other = i == 0 ? positions : positions + 9 * sequence_below(&state, i);
    for (int corner = 0; corner < 3; corner++)
      for (int axis = 0; axis < 3; axis++)
        positions[9 * i + 3 * corner + axis] = other[axis] + size * signed_float(&state);
  }
}

/* Boxes whose sides are powers of two and that lie on borders of cells: on, one bit before and one behind. */
static void make_cell_borders(mesh **meshes_out, size_t *mesh_count_out) {
  uint64_t state = 32;
  *meshes_out = mesh_list(1);
  *mesh_count_out = 1;
  **meshes_out = soup_mesh(some(2500));
  double *positions = (*meshes_out)->positions;
  for (size_t i = 0; i < (*meshes_out)->triangle_count; i++) {
    const float side = ldexpf(1.0f, -(int)sequence_below(&state, 8));
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = side * (float)sequence_below(&state, (uint64_t)(4.0f / side)) - 2.0f;
      high[axis] = low[axis] + side;
      const uint64_t nudge = sequence_below(&state, 6);
      if (nudge < 2) low[axis] = nextafterf(low[axis], nudge == 0 ? -9.0f : 9.0f);
      if (nudge > 3) high[axis] = nextafterf(high[axis], nudge == 4 ? -9.0f : 9.0f);
    }
    const double corners[9] = {low[0], low[1], low[2], high[0], low[1], high[2], high[0], high[1], low[2]};
    memcpy(positions + 9 * i, corners, sizeof corners);
  }
}

/* 3000 small triangles in one cell, their boxes spread so that segments of the crowd differ; under sanitizers 1000,
 * which are still sixty segments of the grid. */
static void make_crowd(mesh **meshes_out, size_t *mesh_count_out) {
  uint64_t state = 41;
  *meshes_out = mesh_list(2);
  *mesh_count_out = 2;
  const size_t count = test_sanitized(1000, 3000);
  meshes_out[0][0] = soup_mesh(count);
  meshes_out[0][1] = soup_mesh(40);
  double *positions = meshes_out[0][0].positions;
  for (size_t i = 0; i < count; i++) {
    double place[3];
    for (int axis = 0; axis < 3; axis++) place[axis] = 1.5 * signed_float(&state);
    for (int corner = 0; corner < 3; corner++)
      for (int axis = 0; axis < 3; axis++)
        positions[9 * i + 3 * corner + axis] = place[axis] + 0.26 * signed_float(&state);
  }
  for (size_t i = 0; i < 9 * 40; i++) meshes_out[0][1].positions[i] = 40.0 * signed_float(&state);
  torture_round_to_float(*meshes_out, 2);
}

/* Slivers along the axes, as those of drilled plates, that all lie in a cell or two of their length, in the order of
 * where they are; and small triangles among them. Few boxes meet, and without more each small triangle is compared with
 * every sliver. */
static void make_slivers(mesh **meshes_out, size_t *mesh_count_out) {
  uint64_t state = 61;
  const size_t rows = 32, slivers = rows * rows, small = some(1600);
  *meshes_out = mesh_list(2);
  *mesh_count_out = 2;
  meshes_out[0][0] = soup_mesh(slivers);
  meshes_out[0][1] = soup_mesh(small);
  for (size_t i = 0; i < slivers; i++) {
    const int axis = (int)(i / rows % 3), across = (axis + 1) % 3, up = (axis + 2) % 3;
    double *corner = meshes_out[0][0].positions + 9 * i;
    for (int k = 0; k < 3; k++) {
      corner[3 * k + axis] = 0.1 * unit_number(&state) + (k == 1 ? 0.85 : 0.0);
      corner[3 * k + across] = ((double)(i / rows) + 0.5 * unit_number(&state)) / (double)rows;
      corner[3 * k + up] = ((double)(i % rows) + 0.5 * unit_number(&state)) / (double)rows;
    }
  }
  for (size_t i = 0; i < small; i++)
    for (int axis = 0; axis < 3; axis++) {
      const double place = unit_number(&state);
      for (int k = 0; k < 3; k++) meshes_out[0][1].positions[9 * i + 3 * k + axis] = place + 0.02 * unit_number(&state);
    }
  torture_round_to_float(*meshes_out, 2);
}

/* Needles of aspect 1e4 around common tips; in doubles. */
static void make_needle_fans(mesh **meshes_out, size_t *mesh_count_out) {
  uint64_t state = 51;
  *meshes_out = mesh_list(1);
  *mesh_count_out = 1;
  **meshes_out = soup_mesh(some(900));
  double *positions = (*meshes_out)->positions;
  double tip[3] = {0, 0, 0};
  for (size_t i = 0; i < (*meshes_out)->triangle_count; i++) {
    if (i % 30 == 0)
      for (int axis = 0; axis < 3; axis++) tip[axis] = unit_number(&state);
    for (int axis = 0; axis < 3; axis++) {
      const double end = unit_number(&state);
      positions[9 * i + axis] = tip[axis];
      positions[9 * i + 3 + axis] = end;
      positions[9 * i + 6 + axis] = end + 1e-4 * unit_number(&state);
    }
  }
}

/* A row of 1100 small objects, each touching the next: more objects than the search for common boxes covers. */
static void make_many_objects(mesh **meshes_out, size_t *mesh_count_out) {
  *mesh_count_out = 1100;
  *meshes_out = mesh_list(*mesh_count_out);
  for (size_t i = 0; i < *mesh_count_out; i++) {
    mesh *m = &(*meshes_out)[i];
    *m = soup_mesh(2);
    const double x = (double)(i % 50), y = (double)(i / 50);
    const double corners[18] = {x, y, 0,   x + 1,   y, 0,   x,       y + 0.75, 0,
                                x, y, 0.5, x + 0.5, y, 0.5, x + 0.5, y + 0.5,  0.5};
    memcpy(m->positions, corners, sizeof corners);
  }
}

/* A small scene beside the largest double: a multiple of its size as origin of the normalized cube overflowed once, and
 * the grid lost pairs. */
static void make_beside_largest(mesh **meshes_out, size_t *mesh_count_out) {
  const size_t triangle_count = 256;
  *meshes_out = mesh_list(1);
  *mesh_count_out = 1;
  mesh *m = *meshes_out;
  *m = soup_mesh(triangle_count);
  uint64_t state = 21;
  for (size_t i = 0; i < 9 * triangle_count; i++) m->positions[i] = DBL_MAX - 0x1p1005 * unit_number(&state);
}

static const torture_scene scenes[] = {
    {"own copy", true, make_own_copy},
    {"shifted copy", true, make_shifted_copy},
    {"copy jittered by one bit of float", true, make_float_jittered_copy},
    {"copy jittered by one bit of double", false, make_double_jittered_copy},
    {"doubled within", true, make_doubled_within},
    {"touching boxes", true, make_boxes},
    {"touching boxes in millimeters", false, make_millimeters},
    {"touching boxes at 1e-30", false, make_tiny},
    {"touching boxes at 1e30", false, make_huge},
    {"touching boxes, subnormal", false, make_subnormal},
    {"touching boxes near the largest double", false, make_largest},
    {"soup beside the largest double", false, make_beside_largest},
    {"touching boxes 1e6 away", false, make_far},
    {"touching boxes 1e12 away", false, make_very_far},
    {"touching boxes collapsed by distance", false, make_collapsed},
    {"outlier at 1e30", true, make_outlier},
    {"identical triangles", true, make_identical},
    {"points on a lattice", true, make_points},
    {"one point", true, make_one_point},
    {"mesh on a lattice", true, make_lattice_mesh},
    {"sizes from 2^-40 to 1", false, make_size_ratios},
    {"borders of cells", true, make_cell_borders},
    {"crowd in a cell", true, make_crowd},
    {"slivers", true, make_slivers},
    {"needle fans", false, make_needle_fans},
    {"1100 objects", true, make_many_objects},
};

size_t torture_scene_count(void) {
  return sizeof scenes / sizeof scenes[0];
}

const torture_scene *torture_scene_named(const char *name) {
  for (size_t i = 0; i < torture_scene_count(); i++)
    if (strcmp(scenes[i].name, name) == 0) return &scenes[i];
  fprintf(stderr, "there is no torture scene named %s\n", name);
  abort();
}

const torture_scene *torture_scene_at(size_t number) {
  return number < torture_scene_count() ? &scenes[number] : NULL;
}
