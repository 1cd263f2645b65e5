/* Tests surfaces filled with tetrahedra: positive volumes by exact signs, matching faces, closed boundaries, volumes
 * that approach the surface's, numbers near the target; messages for invalid surfaces; and real meshes. */
#include "geometry/orientation.h"
#include "mesh_io/mesh_file.h"
#include "mesh_set.h"
#include "models/lattice_fill.h"
#include "models/model.h"
#include "models/surface_lattice.h"
#include "test_scale.h"
#include "testing.h"
#include "volume_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double enclosed_volume(const mesh *m) {
  double sum = 0.0;
  for (size_t t = 0; t < m->triangle_count; ++t) {
    const double *a = m->positions + 3 * (size_t)m->triangles[3 * t];
    const double *b = m->positions + 3 * (size_t)m->triangles[3 * t + 1];
    const double *c = m->positions + 3 * (size_t)m->triangles[3 * t + 2];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6.0;
}

/* Fills, checks all that every filling promises, and returns how much of the volume is filled. A surface of one piece
 * that is nowhere thinner than the lattice gives a filling of one piece. */
static double fill_share(const char *name, const mesh *surface, uint64_t target, bool is_one_piece) {
  OWNED(mesh) filled;
  char error[512] = "";
  if (!lattice_fill(surface, target, &filled, error, sizeof error)) fail_msg("%s: %s", name, error);
  assert_int_equal(filled.kind, MESH_TETRAHEDRA);
  assert_non_null(filled.name);
  if (count_non_positive(&filled) != 0) fail_msg("%s: %zu volumes are not positive", name, count_non_positive(&filled));
  check_faces_agree(name, &filled);
  if (is_one_piece) check_boundary_is_one(name, &filled);
  if (least_volume(&filled) < 0.01 * tetrahedra_volume(&filled) / (double)filled.tetrahedron_count) {
    fail_msg("%s: there is a sliver of %g of the mean volume", name,
             least_volume(&filled) * (double)filled.tetrahedron_count / tetrahedra_volume(&filled));
  }
  const double share = (double)filled.tetrahedron_count / (double)target;
  if (target >= 1000 && (share < 0.8 || share > 1.2)) {
    fail_msg("%s: %zu tetrahedra for a target of %llu", name, filled.tetrahedron_count, (unsigned long long)target);
  }
  const double volume = tetrahedra_volume(&filled);
  return volume / enclosed_volume(surface);
}

static mesh *make_surface(const char *name, uint64_t triangles, uint64_t seed, size_t *count_out) {
  const model_parameters parameters = {triangles, seed};
  mesh *meshes;
  char error[256];
  if (!model_make(model_find(name), &parameters, &meshes, count_out, error, sizeof error)) fail_msg("%s", error);
  return meshes;
}

TEST(fillings_approach_the_volume) {
  static const char *const names[] = {"sphere", "torus", "knot", "blob", "gear", "panels"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    for (uint64_t seed = 0; seed < (test_scale() < 1.0 ? 1 : 2); ++seed) {
      size_t count;
      mesh *surface = make_surface(names[i], 3000, seed, &count);
      const double coarse = fill_share(names[i], surface, 2000, false);
      const bool reduced = test_scale() < 1.0;
      const double middle = fill_share(names[i], surface, reduced ? 8000 : 20000, i != 2);
      /* One surface of each kind is filled finely: both, where all is run. */
      const bool finely = seed < test_scaled(2, 1);
      const double fine = finely ? fill_share(names[i], surface, reduced ? 30000 : 120000, true) : 1.0;
      print_message("%s: %.4f, %.4f, %.4f of the volume\n", names[i], coarse, middle, fine);
      /* The missing volume shrinks with the side of the lattice, the cube root of the number. */
      const double slack = reduced ? 3.0 : 1.0;
      assert_true(fabs(coarse - 1.0) < 0.35 && fabs(middle - 1.0) < 0.05 * slack && fabs(fine - 1.0) < 0.015 * slack);
      mesh_list_free(surface, count);
    }
  }
}

/* Axes, squares and diagonals of the lattice in the surface's planes: everything touches everything. */
TEST(aligned_boxes_are_filled) {
  size_t count;
  mesh *boxes = make_surface("boxes", 12, 0, &count);
  for (uint64_t target = 1; target < 3000; target += target / 3 + 1) {
    for (size_t i = 0; i < count; ++i) {
      if (boxes[i].triangle_count > 0) fill_share("boxes", &boxes[i], target, false);
    }
  }
  assert_true(fabs(fill_share("boxes", &boxes[0], test_scaled(50000, 20000), true) - 1.0) < 0.01);
  mesh_list_free(boxes, count);
}

/* A sphere in a sphere, both outward: the space between counts as inside, as an odd number of layers encloses it. */
TEST(hollows_stay_empty) {
  size_t count;
  mesh *surface = make_surface("sphere", 1000, 0, &count);
  const size_t vertices = surface[0].vertex_count, triangles = surface[0].triangle_count;
  mesh both = {.vertex_count = 2 * vertices, .triangle_count = 2 * triangles, .polygon_count = 2 * triangles};
  both.positions = malloc(6 * vertices * sizeof *both.positions);
  both.triangles = malloc(6 * triangles * sizeof *both.triangles);
  assert_non_null(both.positions);
  assert_non_null(both.triangles);
  for (size_t i = 0; i < 3 * vertices; ++i) {
    both.positions[i] = surface[0].positions[i];
    both.positions[3 * vertices + i] = 0.5 * surface[0].positions[i];
  }
  for (size_t i = 0; i < 3 * triangles; ++i) {
    both.triangles[i] = surface[0].triangles[i];
    both.triangles[3 * triangles + i] = surface[0].triangles[i] + (uint32_t)vertices;
  }
  /* The sum over both spheres is 9/8 of the large one, what is filled 7/8. */
  assert_true(fabs(fill_share("hollow", &both, 20000, false) - 7.0 / 9.0) < 0.02);
  mesh_free(&both);
  mesh_list_free(surface, count);
}

/* Six corners in the planes of the lattice's rows, so that rows run exactly through corners and along edges. */
TEST(rows_through_corners_come_out_again) {
  double positions[18] = {-3, 0, 0, 3, 0, 0, 0, -3, 0, 0, 3, 0, 0, 0, -3, 0, 0, 3};
  uint32_t triangles[24];
  for (uint32_t face = 0; face < 8; ++face) {
    const uint32_t x = face & 1, y = 2 + (face >> 1 & 1), z = 4 + (face >> 2 & 1);
    const bool is_turned = ((face >> 2 ^ face >> 1 ^ face) & 1) == 0;
    triangles[3 * face] = x;
    triangles[3 * face + 1] = is_turned ? z : y;
    triangles[3 * face + 2] = is_turned ? y : z;
  }
  const mesh surface = {.positions = positions, .vertex_count = 6, .triangles = triangles, .triangle_count = 8};
  for (int shift = 0; shift < 8; ++shift) {
    surface_lattice lattice;
    assert_true(surface_lattice_make(&lattice, &surface, 0.5));
    /* The corners stay within the extent, so that the next lattice is the same. */
    for (int i = 0; i < 6; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        const double cubes = floor(0.5 * (double)lattice.count[axis]) + (double)((shift >> axis) % 2) * 0.5;
        if (axis != i / 2) positions[3 * i + axis] = lattice.origin[axis] + lattice.side * cubes;
      }
    }
    surface_lattice_release(&lattice);
    assert_true(surface_lattice_make(&lattice, &surface, 0.5));
    size_t inside = 0;
    for (uint64_t point = 0; point < lattice.point_count; ++point) {
      const lattice_place place = lattice_place_of(&lattice, point);
      const double half = 0.5 * (double)place.middle;
      double p[3];
      for (int axis = 0; axis < 3; ++axis) {
        p[axis] = lattice.origin[axis] + lattice.side * ((double)place.at[axis] + half);
      }
      bool is_within = true, is_on = false;
      for (int face = 0; face < 8; ++face) {
        orientation_tally tally = {0};
        const int side = orientation_3d(positions + 3 * triangles[3 * face], positions + 3 * triangles[3 * face + 1],
                                        positions + 3 * triangles[3 * face + 2], p, &tally);
        is_within = is_within && side < 0;
        is_on = is_on || side == 0;
      }
      if (lattice.state[point] == POINT_ON_SURFACE || is_on) continue;
      inside += is_within;
      assert_int_equal(lattice.state[point], is_within ? POINT_INSIDE : POINT_OUTSIDE);
    }
    assert_true(inside > 50);
    surface_lattice_release(&lattice);
    fill_share("corners on rows", &surface, 700, true);
  }
}

TEST(small_and_large_surfaces_are_filled) {
  static const double scales[] = {0x1p-200, 0x1p-20, 1.0, 0x1p200};
  for (size_t k = 0; k < sizeof scales / sizeof scales[0]; ++k) {
    size_t count;
    mesh *surface = make_surface("torus", 500, 1, &count);
    for (size_t i = 0; i < 3 * surface[0].vertex_count; ++i) surface[0].positions[i] *= scales[k];
    const double share = fill_share("scaled", &surface[0], 5000, true);
    if (fabs(share - 1.0) > 0.1) fail_msg("%.4f of the volume at a scale of %g", share, scales[k]);
    mesh_list_free(surface, count);
  }
}

TEST(open_surfaces_are_refused) {
  double positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
  mesh surface = {.positions = positions, .vertex_count = 4, .triangles = triangles, .triangle_count = 3};
  mesh filled;
  char error[512] = "";
  assert_false(lattice_fill(&surface, 100, &filled, error, sizeof error));
  assert_string_equal(error,
                      "the surface is not closed: the edge from vertex 0 (0, 0, 0) to vertex 2 (0, 1, 0) belongs "
                      "to 1 triangle, an odd number");
  assert_null(filled.positions);
  surface.triangle_count = 0;
  assert_false(lattice_fill(&surface, 100, &filled, error, sizeof error));
  assert_string_equal(error, "there is no surface to fill: no polygons");
  surface.triangle_count = 4;
  fill_share("tetrahedron", &surface, 500, true);
  positions[11] = 0.0;
  assert_false(lattice_fill(&surface, 100, &filled, error, sizeof error));
  assert_string_equal(error, "the surface encloses a volume of 0, which cannot be filled");
}

TEST(real_meshes_are_filled) {
  static const char *const names[] = {"bunny_7k.off", "cow.obj", "elephant.off", "fandisk.obj.gz"};
  const char *folder = getenv("GRAZE_DATA");
  if (folder == NULL) {
    print_message("skipped: GRAZE_DATA names no folder\n");
    return;
  }
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i += test_scale() < 1.0 ? 2 : 1) {
    char path[1024];
    snprintf(path, sizeof path, "%s/meshes/%s", folder, names[i]);
    OWNED(mesh_set) made = read_set(path, NULL);
    const double coarse = fill_share(names[i], &made.meshes[0], 5000, false),
                 fine = fill_share(names[i], &made.meshes[0], 100000, false);
    print_message("%s: %.4f, %.4f of the volume\n", names[i], coarse, fine);
    assert_true(fabs(coarse - 1.0) < 0.15 && fabs(fine - 1.0) < 0.015);
  }
}
