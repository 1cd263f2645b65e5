/* Tests the guarantees of every model: counts near the target, finite coordinates, indices in range, closed surfaces
 * that face outward, the same result for the same seed and another for another seed. */
#include "models/model.h"
#include "models/portable_math.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

typedef struct made_model {
  mesh *meshes;
  size_t count;
  char error[256];
} made_model;

static made_model make(const model *chosen, uint64_t primitives, uint64_t seed) {
  made_model made = {NULL, 0, ""};
  const model_parameters parameters = {primitives, seed};
  if (!model_make(chosen, &parameters, &made.meshes, &made.count, made.error, sizeof made.error))
    fail_msg("%s", made.error);
  return made;
}

static uint64_t primitive_sum(const made_model *made) {
  uint64_t sum = 0;
  for (size_t i = 0; i < made->count; ++i) sum += mesh_element_count(&made->meshes[i]);
  return sum;
}

static void check_arrays(const model *chosen, const made_model *made) {
  for (size_t i = 0; i < made->count; ++i) {
    const mesh *m = &made->meshes[i];
    assert_non_null(m->name);
    assert_int_equal(m->kind, chosen->kind);
    if (m->kind == MESH_POLYGONS && m->corners == NULL) assert_int_equal(m->polygon_count, m->triangle_count);
    for (size_t k = 0; m->kind == MESH_SPHERES && k < m->vertex_count; ++k)
      if (!(m->radii[k] > 0.0 && isfinite(m->radii[k]))) fail_msg("%s: radius %zu of mesh %zu", chosen->name, k, i);
    for (size_t k = 0; k < 3 * m->vertex_count; ++k)
      if (!isfinite(m->positions[k])) fail_msg("%s: coordinate %zu of mesh %zu is not finite", chosen->name, k, i);
    for (size_t k = 0; k < 3 * m->triangle_count; ++k)
      if (m->triangles[k] >= m->vertex_count) fail_msg("%s: index %zu of mesh %zu is out of range", chosen->name, k, i);
  }
}

TEST(every_model_meets_its_target) {
  static const uint64_t targets[] = {1000, 1300, 1777, 2500, 4321, 9999, 25000, 100000, 333333};
  for (size_t number = 0; number < model_count(); ++number) {
    const model *chosen = model_at(number);
    for (size_t k = 0; k < test_scaled(sizeof targets / sizeof targets[0], 6); ++k) {
      made_model made = make(chosen, targets[k], k);
      const double share = (double)primitive_sum(&made) / (double)targets[k];
      if (share < 0.8 || share > 1.2)
        fail_msg("%s: %llu primitives for a target of %llu", chosen->name, (unsigned long long)primitive_sum(&made),
                 (unsigned long long)targets[k]);
      check_arrays(chosen, &made);
      mesh_list_free(made.meshes, made.count);
    }
  }
}

TEST(ten_million_primitives_meet_their_target) {
  static const char *const names[] = {"sphere", "gear", "boxes", "tet-ball"};
  for (size_t number = 0; number < sizeof names / sizeof names[0]; ++number) {
    const size_t target = test_scaled(10000000, 200000);
    made_model made = make(model_find(names[number]), target, 0);
    const double share = (double)primitive_sum(&made) / (double)target;
    assert_true(share > 0.8 && share < 1.2);
    mesh_list_free(made.meshes, made.count);
  }
}

TEST(small_targets_give_the_least_shape) {
  static const uint64_t targets[] = {1, 2, 3, 7, 12, 50, 128, 400};
  for (size_t number = 0; number < model_count(); ++number) {
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; ++k) {
      made_model made = make(model_at(number), targets[k], 9);
      assert_true(primitive_sum(&made) > 0);
      assert_true(primitive_sum(&made) < 1300);
      check_arrays(model_at(number), &made);
      mesh_list_free(made.meshes, made.count);
    }
  }
}

/* ------------------------------------------------------------------------------------------------ closed surfaces */

static int compare_numbers(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Each directed edge occurs once, and its opposite occurs too. */
static void check_closed(const char *name, const mesh *m) {
  const size_t count = 3 * m->triangle_count;
  uint64_t *edges = malloc((2 * count + 1) * sizeof *edges), *opposites = edges + count;
  assert_non_null(edges);
  for (size_t t = 0; t < m->triangle_count; ++t) {
    for (size_t k = 0; k < 3; ++k) {
      const uint64_t a = m->triangles[3 * t + k], b = m->triangles[3 * t + (k + 1) % 3];
      edges[3 * t + k] = a << 32 | b;
      opposites[3 * t + k] = b << 32 | a;
    }
  }
  qsort(edges, count, sizeof *edges, compare_numbers);
  qsort(opposites, count, sizeof *opposites, compare_numbers);
  for (size_t i = 1; i < count; ++i)
    if (edges[i] == edges[i - 1]) fail_msg("%s: an edge is used twice in the same direction", name);
  if (memcmp(edges, opposites, count * sizeof *edges) != 0) fail_msg("%s: an edge has no opposite", name);
  free(edges);
}

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

TEST(watertight_models_are_closed) {
  static const uint64_t targets[] = {100, 1000, 3000, 20000};
  size_t closed = 0;
  for (size_t number = 0; number < model_count(); ++number) {
    if (!model_at(number)->watertight || model_at(number)->kind != MESH_POLYGONS) continue;
    ++closed;
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; ++k) {
      made_model made = make(model_at(number), targets[k], k);
      for (size_t i = 0; i < made.count; ++i) {
        check_closed(model_at(number)->name, &made.meshes[i]);
        assert_true(enclosed_volume(&made.meshes[i]) > 0.0);
      }
      mesh_list_free(made.meshes, made.count);
    }
  }
  assert_int_equal(closed, 11);
}

TEST(sphere_has_its_volume) {
  made_model made = make(model_find("sphere"), 100000, 4);
  assert_true(fabs(enclosed_volume(&made.meshes[0]) - 4.18879020) < 1e-3);
  mesh_list_free(made.meshes, made.count);
}

/* ------------------------------------------------------------------------------------------------ seeds */

/* Arrays that a kind does not have are both NULL, and of no length. */
static bool same_numbers(const uint32_t *a, const uint32_t *b, size_t count) {
  return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool is_same(const made_model *a, const made_model *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; ++i) {
    const mesh *p = &a->meshes[i], *q = &b->meshes[i];
    if (p->vertex_count != q->vertex_count || mesh_element_count(p) != mesh_element_count(q)) return false;
    if (p->triangle_count != q->triangle_count) return false;
    if (memcmp(p->positions, q->positions, 3 * p->vertex_count * sizeof *p->positions) != 0) return false;
    if (!same_numbers(p->triangles, q->triangles, 3 * p->triangle_count)) return false;
    if (!same_numbers(p->tetrahedra, q->tetrahedra, 4 * p->tetrahedron_count)) return false;
    if (p->face_count != q->face_count) return false;
    if (p->face_count > 0 && !same_numbers(p->face_corners, q->face_corners, p->face_first[p->face_count]))
      return false;
  }
  return true;
}

TEST(seeds_decide) {
  for (size_t number = 0; number < model_count(); ++number) {
    made_model first = make(model_at(number), 3000, 1), again = make(model_at(number), 3000, 1);
    made_model other = make(model_at(number), 3000, 2);
    if (!is_same(&first, &again)) fail_msg("%s: differs from itself", model_at(number)->name);
    if (is_same(&first, &other)) fail_msg("%s: the seed changes nothing", model_at(number)->name);
    mesh_list_free(first.meshes, first.count);
    mesh_list_free(again.meshes, again.count);
    mesh_list_free(other.meshes, other.count);
  }
}

/* ------------------------------------------------------------------------------------------------ the table, refusals
 */

TEST(table_is_sound) {
  assert_int_equal(model_count(), 31);
  assert_null(model_at(model_count()));
  assert_null(model_find("sofa"));
  assert_null(model_find(""));
  for (size_t i = 0; i < model_count(); ++i) {
    assert_ptr_equal(model_find(model_at(i)->name), model_at(i));
    assert_true(strlen(model_at(i)->description) > 20);
    assert_true(strlen(model_at(i)->parameters) > 5);
  }
}

TEST(absurd_targets_get_a_message) {
  static const struct {
    uint64_t primitives;
    const char *message;
  } rows[] = {
      {0, "model soup: the number of primitives must be from 1 to 1000000000, not 0"},
      {1000000001, "model soup: the number of primitives must be from 1 to 1000000000, not 1000000001"},
      {UINT64_MAX, "model soup: the number of primitives must be from 1 to 1000000000, not 18446744073709551615"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    const model_parameters parameters = {rows[i].primitives, 1};
    mesh *meshes = (mesh *)&rows;
    size_t count = 7;
    char error[256] = "";
    assert_false(model_make(model_find("soup"), &parameters, &meshes, &count, error, sizeof error));
    assert_string_equal(error, rows[i].message);
    assert_null(meshes);
    assert_int_equal(count, 0);
  }
}

TEST(portable_sine_is_the_sine) {
  for (int i = -5000; i <= 5000; ++i) {
    const double turns = i / 1237.0;
    assert_true(fabs(sine_of_turns(turns) - sin(6.283185307179586477 * turns)) < 1e-14);
    assert_true(fabs(cosine_of_turns(turns) - cos(6.283185307179586477 * turns)) < 1e-14);
  }
  assert_true(sine_of_turns(0.5) == 0.0 && sine_of_turns(0.25) == 1.0 && cosine_of_turns(0.5) == -1.0);
  for (int i = 1; i < 2000; ++i) assert_true(fabs(cube_root(i) - cbrt(i)) < 1e-12);
}
