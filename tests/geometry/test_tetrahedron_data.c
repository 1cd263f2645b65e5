/* Compares tetrahedra of published meshes with the rational reference: pairs with intersecting boxes, of a mesh with
 * itself (many common corners and coplanar faces) and with a moved copy (as in contacts). Requires the folder
 * GRAZE_DATA; skipped without it. */
#include "geometry/tetrahedron_pair.h"
#include "mesh_io/mesh_file.h"
#include "mesh_set.h"
#include "rational_oracle.h"
#include "test_scale.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flat plates, slivers, needles of two and three tetrahedra, and ordinary bodies; the moves, along x, are a
 * fraction of the extent: flat ones slide in their own plane. */
static const char *const files[] = {"tets/octopus-low.mesh",     "tets/hand.mesh.gz",   "tets/sphere1K.msh.gz",
                                    "tets/plate57_1e-3.vtk.gz",  "tets/spike.msh",      "tets/wedge.msh",
                                    "tets/Armadillo2.5K.vtk.gz", "tets/mat40x40.msh.gz"};
static const double moves[] = {0.0, 0.03125, 0.1};

typedef struct boxed_tetrahedron {
  double corner[12], least[3], most[3];
} boxed_tetrahedron;

typedef struct compared_counts {
  size_t candidates, wanted, meeting, wrong;
} compared_counts;

static int compare_least(const void *a, const void *b) {
  const double x = ((const boxed_tetrahedron *)a)->least[0], y = ((const boxed_tetrahedron *)b)->least[0];
  return (x > y) - (x < y);
}

static boxed_tetrahedron *make_boxed(const mesh *solid, double move, double *longest_out) {
  boxed_tetrahedron *boxed = malloc((solid->tetrahedron_count + 1) * sizeof *boxed);
  assert_non_null(boxed);
  *longest_out = 0.0;
  for (size_t i = 0; i < solid->tetrahedron_count; ++i) {
    boxed_tetrahedron *box = &boxed[i];
    for (int k = 0; k < 12; ++k) {
      const size_t vertex = solid->tetrahedra[4 * i + (size_t)k / 3];
      box->corner[k] = solid->positions[3 * vertex + (size_t)k % 3] + (k % 3 == 0 ? move : 0.0);
      box->least[k % 3] = k < 3 ? box->corner[k] : fmin(box->least[k % 3], box->corner[k]);
      box->most[k % 3] = k < 3 ? box->corner[k] : fmax(box->most[k % 3], box->corner[k]);
    }
    *longest_out = fmax(*longest_out, box->most[0] - box->least[0]);
  }
  qsort(boxed, solid->tetrahedron_count, sizeof *boxed, compare_least);
  return boxed;
}

static bool boxes_overlap(const boxed_tetrahedron *a, const boxed_tetrahedron *b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a->most[axis] < b->least[axis] || b->most[axis] < a->least[axis]) return false;
  }
  return true;
}

static void reference_pair(rational_oracle *oracle, const double p[12], const double q[12], compared_counts *counts) {
  orientation_tally tally = {0};
  const bool meets = rational_oracle_hulls_intersect(oracle, p, 4, q, 4);
  const bool triangle_meets = rational_oracle_hulls_intersect(oracle, p, 3, q, 4);
  counts->wrong += tetrahedron_pair_intersects(p, q, &tally) != meets;
  counts->wrong += tetrahedron_pair_intersects(q, p, &tally) != meets;
  counts->wrong += triangle_tetrahedron_intersects(p, q, &tally) != triangle_meets;
  counts->wanted += 1;
  counts->meeting += meets;
}

/* Every `step`th of the pairs whose boxes meet. Both lists are sorted by their least x. */
static void reference_lists(rational_oracle *oracle, const boxed_tetrahedron *a, const boxed_tetrahedron *b,
                            size_t count, double longest, size_t step, compared_counts *counts) {
  size_t first = 0;
  for (size_t i = 0; i < count; ++i) {
    while (first < count && b[first].least[0] + longest < a[i].least[0]) first += 1;
    for (size_t j = first; j < count && b[j].least[0] <= a[i].most[0]; ++j) {
      if (!boxes_overlap(&a[i], &b[j])) continue;
      if (counts->candidates++ % step == 0) reference_pair(oracle, a[i].corner, b[j].corner, counts);
    }
  }
}

static void reference_mesh(rational_oracle *oracle, const mesh *solid, double move, compared_counts *counts_out) {
  double longest, moved_longest, extent = 0.0;
  for (size_t i = 0; i < 3 * solid->vertex_count; ++i)
    extent = fmax(extent, fabs(solid->positions[i] - solid->positions[i % 3]));
  OWNED_MEMORY boxed_tetrahedron *still = make_boxed(solid, 0.0, &longest);
  OWNED_MEMORY boxed_tetrahedron *moved = make_boxed(solid, move * extent, &moved_longest);
  const size_t step = 1 + solid->tetrahedron_count / test_sanitized(25, test_scaled(500, 50));
  reference_lists(oracle, still, moved, solid->tetrahedron_count, 1.001 * fmax(longest, moved_longest), step,
                  counts_out);
}

TEST(test_real_tetrahedra_agree_with_the_reference) {
  rational_oracle *oracle = rational_oracle_create();
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("GRAZE_DATA"), files[i]);
    OWNED(mesh_set) made = read_set(path, NULL);
    assert_int_equal(made.meshes->kind, MESH_TETRAHEDRA);
    for (size_t k = 0; k < sizeof moves / sizeof *moves; ++k) {
      if (test_is_sanitized() && k != i % (sizeof moves / sizeof *moves)) continue;
      compared_counts counts = {0, 0, 0, 0};
      reference_mesh(oracle, made.meshes, moves[k], &counts);
      print_message("%-26s moved by %-7g: %8zu boxes meet, %6zu compared, %6zu intersect, wrong %zu\n", files[i],
                    moves[k], counts.candidates, counts.wanted, counts.meeting, counts.wrong);
      wrong += counts.wrong;
    }
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
}

TEST_REQUIRES("GRAZE_DATA")
