/* Tests the guarantees of the models of tetrahedra, cells and polygons by exact signs: positive volumes, every inner
 * face used twice, closed boundaries, planar faces of convex cells, outlines that their triangles cover; and sums of
 * volumes, which show that nothing overlaps. */
#include "geometry/orientation.h"
#include "models/model.h"
#include "testing.h"
#include "volume_checks.h"

#include <stdlib.h>
#include <string.h>

typedef struct made_model {
  mesh *meshes;
  size_t count;
} made_model;

static made_model make(const char *name, uint64_t primitives, uint64_t seed) {
  made_model made;
  const model_parameters parameters = {primitives, seed};
  char error[256];
  if (!model_make(model_find(name), &parameters, &made.meshes, &made.count, error, sizeof error)) fail_msg("%s", error);
  return made;
}

static const uint64_t targets[] = {1, 2, 9, 60, 100, 215, 400, 777, 1300, 4000, 30000};
enum { TARGET_COUNT = sizeof targets / sizeof targets[0] };

/* ------------------------------------------------------------------------------------------------ tetrahedra */

TEST(solids_have_positive_volumes_and_agreeing_faces) {
  size_t solids = 0;
  for (size_t number = 0; number < model_count(); ++number) {
    const model *chosen = model_at(number);
    if (chosen->kind != MESH_TETRAHEDRA || !chosen->watertight) continue;
    ++solids;
    for (size_t i = 0; i < TARGET_COUNT; ++i) {
      made_model made = make(chosen->name, targets[i], i % 3);
      for (size_t k = 0; k < made.count; ++k) {
        assert_int_equal(count_non_positive(&made.meshes[k]), 0);
        check_faces_agree(chosen->name, &made.meshes[k]);
        check_boundary_is_one(chosen->name, &made.meshes[k]);
      }
      mesh_list_free(made.meshes, made.count);
    }
  }
  assert_int_equal(solids, 5);
}

TEST(volumes_are_those_of_the_shapes) {
  static const struct {
    const char *name;
    double volume;
  } rows[] = {{"tet-ball", 4.18879}, {"tet-torus", 3.15827}, {"tet-pair", 4.18879}, {"tet-rod", 3.9536}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    made_model made = make(rows[i].name, 200000, 1);
    for (size_t k = 0; k < made.count; ++k) {
      const double share = tetrahedra_volume(&made.meshes[k]) / rows[i].volume;
      if (share < 0.975 || share > 1.0) fail_msg("%s: has %g of its volume", rows[i].name, share);
    }
    mesh_list_free(made.meshes, made.count);
  }
}

TEST(soup_has_every_orientation) {
  made_model made = make("tet-soup", 8000, 3);
  size_t signs[3] = {0, 0, 0};
  for (size_t i = 0; i < 8000; ++i) ++signs[tetrahedron_sign(&made.meshes[0], i) + 1];
  assert_in_range(signs[0], 3000, 4000);
  assert_int_equal(signs[1], 1000);
  assert_in_range(signs[2], 3000, 4000);
  mesh_list_free(made.meshes, made.count);
}

/* ------------------------------------------------------------------------------------------------ cells */

static int corner_side(const mesh *m, const uint32_t *face, uint32_t vertex) {
  orientation_tally tally = {0};
  return orientation_3d(m->positions + 3 * (size_t)face[0], m->positions + 3 * (size_t)face[1],
                        m->positions + 3 * (size_t)face[2], m->positions + 3 * (size_t)vertex, &tally);
}

/* Every corner of the cell lies behind each of its faces or is one of its corners, and those lie on it. */
static void check_cell_is_convex(const mesh *m, uint32_t cell) {
  for (uint32_t face = m->cell_first[cell]; face < m->cell_first[cell + 1]; ++face) {
    const uint32_t *corners = m->face_corners + m->face_first[face];
    const uint32_t count = m->face_first[face + 1] - m->face_first[face];
    for (uint32_t i = m->face_first[m->cell_first[cell]]; i < m->face_first[m->cell_first[cell + 1]]; ++i) {
      bool is_own = false;
      for (uint32_t k = 0; k < count; ++k) is_own = is_own || corners[k] == m->face_corners[i];
      assert_int_equal(corner_side(m, corners, m->face_corners[i]), is_own ? 0 : -1);
    }
  }
}

TEST(cells_are_convex_with_flat_faces) {
  static const char *const names[] = {"cells", "cell-pair"};
  for (size_t name = 0; name < 2; ++name) {
    for (uint64_t seed = 0; seed < 4; ++seed) {
      made_model made = make(names[name], 10 + 400 * seed, seed);
      for (size_t k = 0; k < made.count; ++k) {
        const mesh *m = &made.meshes[k];
        assert_int_equal(m->face_count, 14 * m->cell_count);
        for (uint32_t cell = 0; cell < m->cell_count; ++cell) check_cell_is_convex(m, cell);
        for (uint32_t cell = 0; cell < m->cell_count; ++cell) {
          const uint32_t first = m->cell_first[cell], last = m->cell_first[cell + 1];
          check_outlines_close("cell", m->face_corners, m->face_first, first, last);
        }
      }
      mesh_list_free(made.meshes, made.count);
    }
  }
}

static int compare_numbers(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Faces by a mixture of their vertices that does not depend on where they begin or how they turn. */
TEST(inner_faces_belong_to_two_cells) {
  made_model made = make("cells", 2000, 0);
  const mesh *m = &made.meshes[0];
  uint64_t *faces = malloc(m->face_count * sizeof *faces);
  assert_non_null(faces);
  for (size_t face = 0; face < m->face_count; ++face) {
    uint64_t sum = 0, product = 1;
    for (uint32_t i = m->face_first[face]; i < m->face_first[face + 1]; ++i) {
      sum += m->face_corners[i];
      product *= 2 * (uint64_t)m->face_corners[i] + 1;
    }
    faces[face] = product ^ sum << 40;
  }
  qsort(faces, m->face_count, sizeof *faces, compare_numbers);
  size_t twice = 0;
  for (size_t i = 1; i < m->face_count; ++i) twice += faces[i] == faces[i - 1];
  /* 2 n^3 cells of 14 faces: only those at the boundary are not shared, 10 of a lattice square on each of six sides. */
  assert_int_equal(m->cell_count, 2000);
  assert_true(2 * twice > m->face_count - 2 * 6 * 10 * 100 && 2 * twice < m->face_count);
  free(faces);
  mesh_list_free(made.meshes, made.count);
}

/* ------------------------------------------------------------------------------------------------ panels */

TEST(panels_close_and_are_covered_by_their_triangles) {
  for (size_t i = 0; i < TARGET_COUNT; ++i) {
    made_model made = make("panels", targets[i], i);
    const mesh *m = &made.meshes[0];
    check_outlines_close("panels", m->corners, m->polygon_first, 0, (uint32_t)m->polygon_count);
    size_t triangle = 0;
    for (uint32_t polygon = 0; polygon < m->polygon_count; ++polygon) {
      const size_t first = triangle;
      while (triangle < m->triangle_count && m->triangle_polygon[triangle] == polygon) ++triangle;
      check_triangles_cover(m, polygon, first, triangle);
    }
    assert_int_equal(triangle, m->triangle_count);
    mesh_list_free(made.meshes, made.count);
  }
}
