/* Tests forces between bodies of many solids: the gradient of the shared volume is that of finite differences, however
 * the bodies are divided, and the forces push a body where it has to go. */
#include "base/number_sequence.h"
#include "graze/contacts.h"
#include "graze/graze.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- bodies */

static double fraction(uint64_t *seed) {
  return (double)sequence_below(seed, UINT64_C(1) << 32) * 0x1p-32;
}

typedef enum box_division { TETRAHEDRA, CUBES } box_division;

/* A box of n^3 cubes, each one polyhedron or six tetrahedra; inner vertices of tetrahedra are moved at random. A hollow
 * one lacks the middle column. */
static graze_object add_box(graze_scene *scene, box_division division, uint32_t n, double size, uint64_t seed,
                            bool hollow) {
  static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static const uint32_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  const uint32_t m = n + 1;
  uint32_t cells = n * n * n;
  double *positions = malloc(sizeof(double) * 3 * m * m * m);
  uint32_t *corners = malloc(sizeof(uint32_t) * 24 * cells), *face_sizes = malloc(sizeof(uint32_t) * 6 * cells);
  uint32_t *cell_sizes = malloc(sizeof(uint32_t) * cells), count = 0;
  for (uint32_t i = 0; i < m * m * m; i++) {
    const uint32_t at[3] = {i / (m * m), i / m % m, i % m};
    const bool inner = !hollow && at[0] % n != 0 && at[1] % n != 0 && at[2] % n != 0 && division == TETRAHEDRA;
    for (int axis = 0; axis < 3; axis++) {
      const double off = inner ? 0.5 * fraction(&seed) - 0.25 : 0.0;
      positions[3 * i + axis] = size * (at[axis] + off) / n;
    }
  }
  cells = 0;
  for (uint32_t place = 0; place < n * n * n; place++) {
    const uint32_t at[3] = {place / (n * n), place / n % n, place % n}, steps[3] = {m * m, m, 1};
    const uint32_t first = at[0] * m * m + at[1] * m + at[2], cell = cells;
    if (hollow && at[0] == n / 2 && at[1] == n / 2) continue;
    cells++;
    cell_sizes[cell] = 6;
    for (int k = 0; k < 6; k++) {
      face_sizes[6 * cell + k] = 4;
      if (division == CUBES)
        for (int i = 0; i < 4; i++) {
          const uint32_t bits = sides[k][i];
          corners[count++] = first + (bits & 1) * steps[2] + (bits >> 1 & 1) * steps[1] + (bits >> 2) * steps[0];
        }
      else
        for (uint32_t i = 0, vertex = first; i < 4; vertex += i < 3 ? steps[orders[k][i]] : 0, i++)
          corners[count++] = vertex;
    }
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, (size_t)m * m * m, 0, GRAZE_FORMAT_DOUBLE3};
  def.tetrahedra = (graze_view){corners, (size_t)6 * cells, 0, GRAZE_FORMAT_UINT32_4};
  def.corners = (graze_view){corners, count, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){face_sizes, (size_t)6 * cells, 0, GRAZE_FORMAT_UINT32};
  def.cell_sizes = (graze_view){cell_sizes, cells, 0, GRAZE_FORMAT_UINT32};
  graze_object object;
  const graze_kind kind = division == CUBES ? GRAZE_KIND_POLYHEDRON : GRAZE_KIND_TETRAHEDRON;
  assert_int_equal(graze_scene_add(scene, kind, &def, NULL, &object), GRAZE_OK);
  free(positions);
  free(corners);
  free(face_sizes);
  free(cell_sizes);
  return object;
}

/* A unit cube, and a smaller one that moves. */
typedef struct two_boxes {
  graze_scene *scene;
  graze_object moving;
  graze_contact_options options;
  graze_wrenches found;
} two_boxes;

static two_boxes boxes_make(box_division a, uint32_t a_cells, box_division b, uint32_t b_cells, double size) {
  two_boxes boxes = {.options = graze_contact_options_default()};
  assert_int_equal(graze_scene_create(NULL, &boxes.scene), GRAZE_OK);
  add_box(boxes.scene, a, a_cells, 1.0, 11, false);
  boxes.moving = add_box(boxes.scene, b, b_cells, size, 12, false);
  return boxes;
}

static void boxes_release(two_boxes *boxes) {
  graze_wrenches_free(&boxes->found);
  graze_scene_destroy(boxes->scene);
}

/* The wrench of the boxes; zeros if they share nothing. */
static graze_wrench wrench_at(two_boxes *boxes, graze_pose pose) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_int_equal(graze_object_set_pose(boxes->scene, boxes->moving, &pose), GRAZE_OK);
  assert_int_equal(graze_scene_update(boxes->scene), GRAZE_OK);
  assert_int_equal(graze_scene_find_wrenches(boxes->scene, &query, &boxes->options, &boxes->found), GRAZE_OK);
  return boxes->found.count > 0 ? boxes->found.wrenches[0] : (graze_wrench){0};
}

static graze_pose upright_at(double x, double y, double z) {
  return graze_pose_from_quaternion((double[4]){1, 0, 0, 0}, (double[3]){x, y, z});
}

static void assert_vector(const double found[3], double x, double y, double z, double tolerance) {
  const double wanted[3] = {x, y, z};
  for (int axis = 0; axis < 3; axis++)
    if (!(fabs(found[axis] - wanted[axis]) <= tolerance))
      fail_msg("coordinate %c is %.17g, not %.17g", 'x' + axis, found[axis], wanted[axis]);
}

/* ---------------------------------------------------------------------------------------------- directions */

/* A block pressed into a cube is pushed out along the normal of the face, however both are divided. */
TEST(pressed_blocks) {
  static const uint32_t cells[3] = {1, 4, 6};
  static const double depths[5] = {0.01, 0.05, 0.1, 0.2, 0.3};
  for (int i = 0; i < 12; i++) {
    two_boxes boxes = boxes_make(i / 3 % 2 == 0 ? TETRAHEDRA : CUBES, cells[i % 3], i / 6 == 0 ? TETRAHEDRA : CUBES,
                                 cells[i % 3], 0.5);
    for (int k = 0; k < 5; k++) {
      const double volume = 0.25 * depths[k];
      boxes.options.stiffness = 2.0;
      boxes.options.force = GRAZE_FORCE_VOLUME;
      const graze_wrench wrench = wrench_at(&boxes, upright_at(0.2, 0.2, 1.0 - depths[k]));
      assert_true(fabs(wrench.volume - volume) < 1e-14);
      assert_vector(wrench.gradient, 0, 0, -0.25, 1e-14);
      assert_vector(wrench.force, 0, 0, 2.0 * volume, 1e-14);
      assert_vector(wrench.torque, 0.9 * volume, -0.9 * volume, 0, 1e-14);
    }
    boxes_release(&boxes);
  }
}

/* Flush sides push in no direction; a body inside another is pushed nowhere; one that touches has no force by volume.
 */
TEST(flush_enclosed_and_touching) {
  for (uint32_t n = 1; n <= 5; n++) {
    two_boxes boxes = boxes_make(TETRAHEDRA, n, n % 2 == 0 ? CUBES : TETRAHEDRA, n, 1.0);
    for (int k = 1; k <= 4; k++) {
      const graze_wrench wrench = wrench_at(&boxes, upright_at(0, 0, 1.0 - 0.25 * k));
      assert_true(fabs(wrench.volume - 0.25 * k) < 1e-14);
      assert_vector(wrench.gradient, 0, 0, k < 4 ? -1 : 0, 1e-13);
      assert_vector(wrench.force, 0, 0, k < 4 ? 0.25 * k : 0, 1e-13);
    }
    const graze_wrench touching = wrench_at(&boxes, upright_at(0, 0, 1));
    assert_true(touching.volume < 1e-16);
    assert_vector(touching.force, 0, 0, 0, 1e-16);
    boxes_release(&boxes);
    boxes = boxes_make(TETRAHEDRA, n, TETRAHEDRA, n, 0.5);
    for (int force = 0; force < 3; force++) {
      boxes.options.force = (graze_force)force;
      const graze_wrench inside = wrench_at(&boxes, upright_at(0.2, 0.3, 0.25));
      assert_true(fabs(inside.volume - 0.125) < 1e-14);
      assert_vector(inside.gradient, 0, 0, 0, 1e-14);
      assert_vector(inside.force, 0, 0, 0, 0);
      assert_vector(inside.torque, 0, 0, 0, 0);
    }
    boxes_release(&boxes);
  }
}

/* ---------------------------------------------------------------------------------------------- finite differences */

static graze_pose random_pose(uint64_t *seed, const double spin[4], const double shift[3]) {
  double q[4], at[3];
  for (int i = 0; i < 4; i++) q[i] = fraction(seed) - 0.5;
  for (int i = 0; i < 3; i++) at[i] = 1.2 * fraction(seed) - 0.2;
  graze_pose pose = graze_pose_from_quaternion(q, at);
  const graze_pose turn = graze_pose_from_quaternion(spin, shift);
  graze_pose turned = pose;
  for (int row = 0; row < 3; row++) {
    turned.translation[row] = turn.translation[row];
    for (int i = 0; i < 3; i++) {
      turned.translation[row] += turn.rotation[3 * row + i] * pose.translation[i];
      turned.rotation[3 * row + i] = 0.0;
      for (int k = 0; k < 3; k++) turned.rotation[3 * row + i] += turn.rotation[3 * row + k] * pose.rotation[3 * k + i];
    }
  }
  return turned;
}

/* The gradient, and its moment, are the central differences of the volume as the body is moved and turned. */
TEST(differences_of_volumes) {
  const double step = 0x1p-17, still[4] = {1, 0, 0, 0}, none[3] = {0, 0, 0};
  const size_t cases = test_scaled(120, 8);
  for (size_t number = 0; number < cases; number++) {
    two_boxes boxes = boxes_make(number % 2 == 0 ? TETRAHEDRA : CUBES, 1 + (uint32_t)number % 4,
                                 number % 3 == 0 ? CUBES : TETRAHEDRA, 1 + (uint32_t)number % 3, 0.7);
    uint64_t seed = number;
    const graze_wrench wrench = wrench_at(&boxes, random_pose(&seed, still, none));
    double moved[3], turned[3];
    for (int axis = 0; axis < 3; axis++) {
      double volume[4];
      for (int i = 0; i < 4; i++) {
        const double way = i % 2 == 0 ? step : -step;
        double spin[4] = {cos(way / 2), 0, 0, 0}, shift[3] = {0, 0, 0};
        seed = number;
        if (i < 2)
          shift[axis] = way;
        else
          spin[axis + 1] = sin(way / 2);
        volume[i] = wrench_at(&boxes, random_pose(&seed, i < 2 ? still : spin, shift)).volume;
      }
      moved[axis] = (volume[0] - volume[1]) / (2 * step);
      turned[axis] = (volume[2] - volume[3]) / (2 * step);
    }
    assert_vector(wrench.gradient, moved[0], moved[1], moved[2], 1e-8);
    assert_vector(wrench.gradient_moment, turned[0], turned[1], turned[2], 1e-8);
    boxes_release(&boxes);
  }
}

/* ---------------------------------------------------------------------------------------------- laws */

/* Each law has its magnitude, and the torque is that of the gradient. */
TEST(laws_of_forces) {
  two_boxes boxes = boxes_make(TETRAHEDRA, 3, TETRAHEDRA, 2, 0.7);
  uint64_t seed = 5;
  const graze_pose pose = random_pose(&seed, (double[4]){1, 0, 0, 0}, (double[3]){0, 0, 0.1});
  boxes.options.stiffness = 8.0;
  for (int force = 0; force < 3; force++) {
    boxes.options.force = (graze_force)force;
    const graze_wrench wrench = wrench_at(&boxes, pose);
    const double *g = wrench.gradient, *m = wrench.gradient_moment,
                 length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const double factor = force == GRAZE_FORCE_VOLUME     ? 8.0 * wrench.volume / length
                          : force == GRAZE_FORCE_GRADIENT ? 8.0
                                                          : 8.0 * wrench.volume;
    assert_true(wrench.volume > 0.01 && length > 0.01);
    assert_vector(wrench.force, -factor * g[0], -factor * g[1], -factor * g[2], 1e-14);
    assert_vector(wrench.torque, -factor * m[0], -factor * m[1], -factor * m[2], 1e-14);
  }
  boxes_release(&boxes);
}

/* A square pin that is turned in the square hole of a block is turned back, and not pushed. */
TEST(pin_in_its_hole) {
  for (int division = 0; division < 4; division++) {
    two_boxes boxes = {.options = graze_contact_options_default()};
    const double size = 0.33, middle = 0.5 * size, step = 0x1p-16;
    graze_wrench at[3];
    assert_ok(graze_scene_create(NULL, &boxes.scene));
    add_box(boxes.scene, division % 2 == 0 ? TETRAHEDRA : CUBES, 3, 1.0, 11, true);
    boxes.moving = add_box(boxes.scene, division / 2 == 0 ? TETRAHEDRA : CUBES, 2, size, 12, false);
    for (int axis = 0; axis < 3; axis++) boxes.options.about[axis] = 0.5;
    for (int i = 0; i < 3; i++) {
      const double angle = 0.2 + (i - 1) * step, c = cos(angle), s = sin(angle);
      const double shift[3] = {0.5 - (c - s) * middle, 0.5 - (s + c) * middle, 0.5 - middle};
      at[i] = wrench_at(&boxes, graze_pose_from_quaternion((double[4]){cos(angle / 2), 0, 0, sin(angle / 2)}, shift));
    }
    const double slope = (at[2].volume - at[0].volume) / (2 * step);
    assert_true(slope > 1e-3);
    assert_vector(at[1].gradient, 0, 0, 0, 1e-15);
    assert_vector(at[1].gradient_moment, 0, 0, slope, 1e-9);
    assert_vector(at[1].force, 0, 0, 0, 1e-15);
    assert_vector(at[1].torque, 0, 0, -slope * at[1].volume, 1e-9);
    boxes_release(&boxes);
  }
}

/* A block that falls on a cube rests where the force equals its weight; without damping its energy remains. */
TEST(resting_and_bouncing) {
  const double mass = 0.125, weight = 9.81 * mass, step = 0x1p-9, begin = 1.05;
  two_boxes boxes = boxes_make(TETRAHEDRA, 2, TETRAHEDRA, 2, 0.5);
  for (int damped = 0; damped < 2; damped++) {
    boxes.options.force = damped != 0 ? GRAZE_FORCE_VOLUME : GRAZE_FORCE_ENERGY;
    boxes.options.stiffness = damped != 0 ? 100.0 : 1e4;
    double height = begin, speed = 0.0, most = 0.0;
    graze_wrench wrench = wrench_at(&boxes, upright_at(0.2, 0.2, height));
    for (int i = 0; i < (damped != 0 ? 1500 : (int)test_scaled(5120, 512)); i++) {
      speed += 0.5 * step * (wrench.force[2] - weight) / mass;
      height += step * speed;
      wrench = wrench_at(&boxes, upright_at(0.2, 0.2, height));
      speed += 0.5 * step * (wrench.force[2] - weight) / mass;
      if (damped != 0) speed *= 0.98;
      const double energy =
          0.5 * mass * speed * speed + weight * (height - begin) + 0.5 * 1e4 * wrench.volume * wrench.volume;
      most = fmax(most, fabs(energy));
    }
    if (damped != 0)
      assert_true(fabs(wrench.force[2] - weight) < 1e-3 * weight &&
                  fabs((1.0 - height) * 25.0 - weight) < 1e-3 * weight);
    else
      assert_true(most < 0.02 * weight * 0.05 && most > 0.0);
  }
  boxes_release(&boxes);
}

/* Flat solids and coinciding bodies share what they share; nothing is NaN. */
TEST(degenerate_bodies) {
  two_boxes boxes = boxes_make(TETRAHEDRA, 2, TETRAHEDRA, 2, 1.0);
  const graze_wrench same = wrench_at(&boxes, upright_at(0, 0, 0));
  assert_true(fabs(same.volume - 1.0) < 1e-14);
  boxes.options.stiffness = HUGE_VAL;
  assert_int_equal(graze_scene_find_wrenches(boxes.scene, NULL, &boxes.options, &boxes.found), GRAZE_INVALID_ARGUMENT);
  boxes_release(&boxes);
  boxes = boxes_make(TETRAHEDRA, 2, TETRAHEDRA, 2, 0.0);
  const graze_wrench flat = wrench_at(&boxes, upright_at(0.5, 0.5, 0.5));
  assert_true(flat.volume == 0.0);
  assert_vector(flat.force, 0, 0, 0, 0);
  boxes_release(&boxes);
}
