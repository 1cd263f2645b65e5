/* Makes scenes with spheres; see sphere_scenes.h. */
#include "sphere_scenes.h"

#include "base/number_sequence.h"
#include "torture_scenes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

mesh sphere_mesh(size_t count) {
  mesh m = {.kind = MESH_SPHERES,
            .positions = calloc(3 * count + 1, sizeof(double)),
            .vertex_count = count,
            .radii = calloc(count + 1, sizeof(double))};
  if (m.positions == NULL || m.radii == NULL) abort();
  return m;
}

static mesh *mesh_list(size_t mesh_count, size_t *mesh_count_out) {
  mesh *meshes = calloc(mesh_count, sizeof *meshes);
  if (meshes == NULL) abort();
  *mesh_count_out = mesh_count;
  return meshes;
}

static double unit_number(uint64_t *state) {
  return (double)(sequence_next(state) >> 11) * 0x1p-53;
}

/* Spheres in a cube of the given side, of radii from `largest` down by so many halvings. */
static mesh random_spheres(uint64_t seed, size_t count, double side, double largest, uint64_t halvings) {
  mesh m = sphere_mesh(count);
  uint64_t state = seed;
  for (size_t i = 0; i < count; i++) {
    for (int axis = 0; axis < 3; axis++) m.positions[3 * i + axis] = side * (unit_number(&state) - 0.5);
    m.radii[i] = ldexp(largest * (0.5 + 0.5 * unit_number(&state)), -(int)sequence_below(&state, halvings + 1));
  }
  return m;
}

static void make_sizes(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(2, mesh_count_out);
  (*meshes_out)[0] = random_spheres(1, 700, 2.0, 0.5, 20);
  (*meshes_out)[1] = random_spheres(2, 500, 2.0, 0.25, 6);
}

/* A cubic lattice of spheres that touch six others each; every third is smaller by one bit, every fifth larger. */
static void make_touching(mesh **meshes_out, size_t *mesh_count_out) {
  const size_t side = 9;
  *meshes_out = mesh_list(1, mesh_count_out);
  mesh *m = *meshes_out;
  *m = sphere_mesh(side * side * side);
  for (size_t i = 0; i < m->vertex_count; i++) {
    m->positions[3 * i] = (double)(i % side);
    m->positions[3 * i + 1] = (double)(i / side % side);
    m->positions[3 * i + 2] = (double)(i / side / side);
    m->radii[i] = i % 3 == 0 ? nextafter(0.5, 0.0) : i % 5 == 0 ? nextafter(0.5, 1.0) : 0.5;
  }
}

/* Along (3, 4, 12) / 13 and its turns distances are exact: spheres around one in the middle that just touch it. */
static void make_quadruples(mesh **meshes_out, size_t *mesh_count_out) {
  static const int ways[6][3] = {{3, 4, 12}, {4, 3, 12}, {3, 12, 4}, {12, 3, 4}, {4, 12, 3}, {12, 4, 3}};
  *meshes_out = mesh_list(2, mesh_count_out);
  mesh *middle = &(*meshes_out)[0], *around = &(*meshes_out)[1];
  *middle = sphere_mesh(1);
  *around = sphere_mesh(144);
  middle->radii[0] = 8.0;
  for (size_t i = 0; i < 144; i++) {
    const int *way = ways[i % 6];
    for (int axis = 0; axis < 3; axis++) {
      const double sign = (i / 6 >> axis & 1) != 0 ? -1.0 : 1.0;
      around->positions[3 * i + axis] = sign * (double)way[axis];
    }
    around->radii[i] = i / 48 == 0 ? 5.0 : i / 48 == 1 ? nextafter(5.0, 0.0) : nextafter(5.0, 9.0);
  }
}

static void make_points(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(2, mesh_count_out);
  (*meshes_out)[0] = sphere_mesh(300);
  (*meshes_out)[1] = random_spheres(3, 60, 2.0, 0.5, 2);
  uint64_t state = 4;
  for (size_t i = 0; i < 900; i++) (*meshes_out)[0].positions[i] = (double)sequence_below(&state, 5) * 0.25 - 0.5;
}

static void make_one_place(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(1, mesh_count_out);
  mesh *m = *meshes_out;
  *m = sphere_mesh(200);
  for (size_t i = 0; i < 200; i++) {
    for (int axis = 0; axis < 3; axis++) m->positions[3 * i + axis] = 7.0 + axis;
    m->radii[i] = i % 2 == 0 ? 0.0 : (double)i;
  }
}

/* Radii and centers as large as doubles go, beside small ones. */
static void make_largest(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(2, mesh_count_out);
  (*meshes_out)[0] = random_spheres(5, 120, 0x1p1023, 0x1p1021, 30);
  (*meshes_out)[1] = random_spheres(6, 60, 0x1p900, 0x1p899, 3);
  (*meshes_out)[0].radii[7] = DBL_MAX;
  (*meshes_out)[0].radii[8] = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    (*meshes_out)[0].positions[3 * 9 + axis] = DBL_MAX;
    (*meshes_out)[0].positions[3 * 10 + axis] = -DBL_MAX;
  }
  (*meshes_out)[0].radii[9] = (*meshes_out)[0].radii[10] = DBL_MAX;
}

static void make_subnormal(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(1, mesh_count_out);
  mesh *m = *meshes_out;
  *m = sphere_mesh(200);
  uint64_t state = 8;
  for (size_t i = 0; i < 600; i++) m->positions[i] = DBL_TRUE_MIN * (double)sequence_below(&state, 9);
  for (size_t i = 0; i < 200; i++) m->radii[i] = DBL_TRUE_MIN * (double)sequence_below(&state, 3);
}

/* Small spheres together, and some so far away that the normalized cube would hold the rest in one point. */
static void make_outliers(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(2, mesh_count_out);
  (*meshes_out)[0] = random_spheres(9, 900, 2.0, 0.125, 4);
  (*meshes_out)[1] = random_spheres(10, 300, 2.0, 0.125, 4);
  mesh *m = &(*meshes_out)[0];
  const double far[4] = {1e9, -1e30, 1e300, 1e4};
  for (size_t i = 0; i < 4; i++) m->positions[3 * i + i % 3] = far[i];
  m->radii[1] = 1e30;
  m->radii[3] = 9999.0;
}

/* A coordinate of 1e12 has no room for the radius: boxes are rounded there. */
static void make_far(mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = mesh_list(1, mesh_count_out);
  **meshes_out = random_spheres(11, 400, 2.0, 0.25, 8);
  for (size_t i = 0; i < 400; i++)
    for (int axis = 0; axis < 3; axis++) (*meshes_out)->positions[3 * i + axis] += 1e12;
}

/* Spheres on and around a surface, among soup and tetrahedra: on vertices, in edges, at a distance of their radius. */
static void make_among_kinds(mesh **meshes_out, size_t *mesh_count_out) {
  mesh *surface, *solid, *cells;
  size_t surface_count, solid_count, cell_count;
  torture_model("blob", 400, 3, &surface, &surface_count);
  torture_model("tet-ball", 200, 1, &solid, &solid_count);
  torture_model("cells", 30, 1, &cells, &cell_count);
  *meshes_out = mesh_list(4, mesh_count_out);
  (*meshes_out)[0] = surface[0];
  (*meshes_out)[1] = solid[0];
  (*meshes_out)[2] = cells[0];
  mesh *spheres = &(*meshes_out)[3];
  *spheres = random_spheres(12, 400, 2.5, 0.25, 6);
  for (size_t i = 0; i < 100; i++) {
    const mesh *from = &(*meshes_out)[i % 3];
    memcpy(spheres->positions + 3 * i, from->positions + 3 * (i % from->vertex_count), 3 * sizeof(double));
    if (i % 4 == 0) spheres->radii[i] = 0.0;
  }
  memset(&surface[0], 0, sizeof *surface);
  memset(&solid[0], 0, sizeof *solid);
  memset(&cells[0], 0, sizeof *cells);
  mesh_list_free(surface, surface_count);
  mesh_list_free(solid, solid_count);
  mesh_list_free(cells, cell_count);
}

static void make_floats(mesh **meshes_out, size_t *mesh_count_out) {
  make_sizes(meshes_out, mesh_count_out);
  torture_round_to_float(*meshes_out, *mesh_count_out);
  for (size_t i = 0; i < *mesh_count_out; i++)
    for (size_t k = 0; k < (*meshes_out)[i].vertex_count; k++)
      (*meshes_out)[i].radii[k] = (double)(float)(*meshes_out)[i].radii[k];
}

static const sphere_scene scenes[] = {
    {"spheres of twenty sizes", false, make_sizes},
    {"spheres of twenty sizes, floats", true, make_floats},
    {"spheres that touch", false, make_touching},
    {"spheres of Pythagorean quadruples", false, make_quadruples},
    {"spheres and points", false, make_points},
    {"spheres in one place", true, make_one_place},
    {"spheres at the largest double", false, make_largest},
    {"spheres, subnormal", false, make_subnormal},
    {"spheres and outliers", false, make_outliers},
    {"spheres 1e12 away", false, make_far},
    {"spheres among all kinds", false, make_among_kinds},
};

size_t sphere_scene_count(void) {
  return sizeof scenes / sizeof scenes[0];
}

const sphere_scene *sphere_scene_at(size_t number) {
  return number < sphere_scene_count() ? &scenes[number] : NULL;
}
