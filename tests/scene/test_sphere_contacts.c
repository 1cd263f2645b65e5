/* Tests shared volumes of spheres: lenses and wrenches against integrals by slices, the gradient along a path, wrenches
 * of a query bit by bit, and spheres against other kinds. */
#include "mesh_set.h"
#include "models/mesh_object.h"
#include "scene_runner.h"
#include "sphere_scenes.h"
#include "testing.h"

#include <math.h>
#include <string.h>

static running_variant variant_of(const char *method) {
  running_variant variant = running_variant_reference();
  variant.method = method;
  variant.worker_count = 2;
  variant.threading = GRAZE_THREADING_AUTO;
  return variant;
}

static const double pi = 3.14159265358979323846;

/* The lens of two balls at a distance: the integral of the cross sections, by many slices. */
static double volume_by_slices(double r, double s, double distance) {
  enum { SLICES = 200000 };
  double sum = 0.0;
  const double low = fmax(-r, distance - s), high = fmin(r, distance + s), step = (high - low) / SLICES;
  for (int i = 0; i < SLICES; i++) {
    const double x = low + (i + 0.5) * step;
    sum += fmin(r * r - x * x, s * s - (x - distance) * (x - distance));
  }
  return pi * sum * step;
}

static graze_scene *scene_of_pair(double r, double s, double distance) {
  graze_scene *scene = create_scene(NULL);
  for (int i = 0; i < 2; i++) {
    const double center[3] = {2.0 + i * distance * 2.0 / 3.0, 3.0 + i * distance * 2.0 / 3.0, 5.0 + i * distance / 3.0};
    const double radius = i == 0 ? r : s;
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){center, 1, 0, GRAZE_FORMAT_DOUBLE3};
    def.radii = (graze_view){&radius, 1, 0, GRAZE_FORMAT_DOUBLE};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, NULL));
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

TEST(test_contacts_and_wrenches) {
  static const double cases[6][3] = {{1, 1, 1}, {2, 1, 2.5}, {2, 1, 1.25}, {3, 1, 1}, {1, 2, 0.5}, {0.5, 4, 4.2}};
  for (int i = 0; i < 6; i++) {
    const double r = cases[i][0], s = cases[i][1], distance = cases[i][2];
    OWNED_SCENE *scene = scene_of_pair(r, s, distance);
    const graze_pair pair = {0, 0, 1, 0};
    OWNED(graze_contacts) contacts = make_contacts(scene, &pair, 1, NULL);
    const graze_contact *contact = &contacts.contacts[0];
    const double volume = volume_by_slices(r, s, distance);
    const bool contained = distance <= fabs(r - s);
    const double plane = (distance * distance + r * r - s * s) / (2.0 * distance);
    const double area = contained ? 0.0 : pi * (r * r - plane * plane);
    assert_int_equal(contact->kind, GRAZE_CONTACT_KIND_VOLUME);
    assert_int_equal(contact->point_count, 0);
    assert_true(fabs(contact->volume - volume) < 1e-6 * volume);
    assert_true(fabs(contact->area - area) < 1e-12);
    assert_true(fabs(contact->depth - (r + s - distance)) < 1e-12);
    const double way[3] = {2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0};
    for (int axis = 0; axis < 3; axis++) {
      assert_true(fabs(contact->normal[axis] - way[axis]) < 1e-12);
      assert_true(fabs(contact->witness_a[axis] - contact->witness_b[axis] - contact->depth * way[axis]) < 1e-12);
    }
    const double about[3] = {1, -2, 4};
    for (int force = 0; force < 3; force++) {
      graze_contact_options options = graze_contact_options_default();
      options.stiffness = 10.0;
      options.force = (graze_force)force;
      memcpy(options.about, about, sizeof about);
      OWNED(graze_wrenches) wrenches = make_wrenches(scene, &pair, 1, &options);
      assert_int_equal(wrenches.count, 1);
      const graze_wrench *wrench = &wrenches.wrenches[0];
      const double by_volume = force == GRAZE_FORCE_GRADIENT ? 1.0 : contact->volume;
      const double strength = contained ? 0.0 : 10.0 * by_volume * (force == GRAZE_FORCE_VOLUME ? 1.0 : contact->area);
      double f[3], arm[3];
      for (int axis = 0; axis < 3; axis++) {
        f[axis] = strength * contact->normal[axis];
        arm[axis] = contact->centroid[axis] - about[axis];
        assert_true(fabs(wrench->force[axis] - f[axis]) <= 1e-12 * strength);
        assert_true(fabs(wrench->centroid[axis] - contact->centroid[axis]) < 1e-12);
      }
      assert_true(fabs(wrench->torque[0] - (arm[1] * f[2] - arm[2] * f[1])) <= 1e-11 * strength);
      assert_true(fabs(wrench->torque[2] - (arm[0] * f[1] - arm[1] * f[0])) <= 1e-11 * strength);
      assert_true(wrench->volume == contact->volume);
    }
  }
}

/* The wrenches of a query are those of its pairs, to the bit, whatever solids they are of.
 */
TEST(test_wrenches_of_a_query) {
  size_t compared = 0;
  for (size_t number = 0; number < sphere_scene_count(); number++) {
    OWNED(mesh_set) made = made_set(sphere_scene_at(number)->make);
    const running_variant variant = variant_of(number % 2 == 0 ? "grid" : "tree");
    graze_scene *scene = runner_scene(&variant, made.meshes, made.count, NULL);
    for (int force = 0; force < 3; force++) {
      graze_contact_options options = graze_contact_options_default();
      options.force = (graze_force)force;
      options.stiffness = 3.0;
      options.about[1] = 0.5;
      OWNED(graze_wrenches) wanted = {0}, found = {0};
      graze_pairs pairs = find_pairs(scene, NULL);
      const graze_result result = graze_scene_make_wrenches(scene, pairs.pairs, pairs.count, &options, &wanted);
      assert_int_equal(graze_scene_find_wrenches(scene, NULL, &options, &found), result);
      assert_int_equal(found.count, wanted.count);
      if (wanted.count > 0) assert_memory_equal(found.wrenches, wanted.wrenches, wanted.count * sizeof(graze_wrench));
      for (size_t i = 0; i < found.count; i++) {
        const graze_wrench *wrench = &found.wrenches[i];
        for (int axis = 0; axis < 3; axis++)
          assert_true(isfinite(wrench->force[axis]) && isfinite(wrench->torque[axis]) &&
                      isfinite(wrench->centroid[axis]));
        compared += wrench->volume > 0.0;
      }
      graze_query limited = graze_query_default();
      limited.pair_limit = 1;
      assert_int_equal(graze_scene_find_wrenches(scene, &limited, &options, &found), GRAZE_UNSUPPORTED);
      assert_int_equal(found.count, 0);
      graze_pairs_free(&pairs);
    }
    graze_scene_destroy(scene);
  }
  assert_true(compared > 8);
}

/* Along a path through touching, lens and containment the force of the gradient never jumps; that by volume turns round
 * where centers coincide. */
TEST(test_gradient_is_continuous) {
  enum { STEPS = 2000 };
  const double r = 1.0, s = 0.4, step = 2.0 * (r + s) / STEPS;
  double last = 0.0;
  for (int i = 0; i <= STEPS; i++) {
    OWNED_SCENE *scene = scene_of_pair(r, s, -(r + s) + i * step);
    const graze_pair pair = {0, 0, 1, 0};
    graze_contact_options options = graze_contact_options_default();
    options.force = GRAZE_FORCE_GRADIENT;
    OWNED(graze_wrenches) wrenches = make_wrenches(scene, &pair, 1, &options);
    const double force = wrenches.count == 0 ? 0.0 : wrenches.wrenches[0].force[0];
    /* The area of the disc changes by less than 2 pi r a unit of distance, but for where the disc shrinks into the
     * small ball: there by at most 2 pi r s / (r - s). */
    assert_true(fabs(force - last) <= 2.0 * pi * (r + r * s / (r - s)) * step);
    last = force;
  }
}

/* A ball against every other kind, in both orders: b moved by the depth along the normal touches, and a little less
 * does not separate. */
TEST(test_contacts_with_other_kinds) {
  OWNED(mesh_set) made = made_set(sphere_scene_at(sphere_scene_count() - 1)->make);
  for (int order = 0; order < 2; order++) {
    OWNED_SCENE *scene = create_scene(NULL);
    for (size_t i = 0; i < made.count; i++)
      assert_ok(mesh_object_add(scene, &made.meshes[order == 0 ? i : made.count - 1 - i], "m", NULL));
    assert_ok(graze_scene_update(scene));
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    OWNED(graze_pairs) pairs = find_pairs(scene, &query);
    OWNED(graze_contacts) contacts = make_contacts(scene, pairs.pairs, pairs.count, NULL);
    const uint32_t balls = order == 0 ? (uint32_t)made.count - 1 : 0;
    size_t seen = 0;
    for (size_t i = 0; i < pairs.count; i++) {
      const graze_contact *contact = &contacts.contacts[i];
      if (contact->pair.object_a != balls && contact->pair.object_b != balls) continue;
      const bool ball_is_b = contact->pair.object_b == balls;
      const uint32_t ball = ball_is_b ? contact->pair.primitive_b : contact->pair.primitive_a;
      const double *center = made.meshes[made.count - 1].positions + 3 * (size_t)ball;
      const double radius = made.meshes[made.count - 1].radii[ball];
      const double *on_ball = ball_is_b ? contact->witness_b : contact->witness_a;
      double length = 0.0, off = 0.0;
      assert_int_equal(contact->kind, GRAZE_CONTACT_KIND_POINT);
      assert_int_equal(contact->point_count, 1);
      for (int axis = 0; axis < 3; axis++) {
        length += contact->normal[axis] * contact->normal[axis];
        off += (on_ball[axis] - center[axis]) * (on_ball[axis] - center[axis]);
        assert_true(fabs(contact->witness_a[axis] - contact->witness_b[axis] - contact->depth * contact->normal[axis]) <
                    1e-9);
      }
      assert_true(fabs(length - 1.0) < 1e-9 && fabs(sqrt(off) - radius) < 1e-9 && contact->depth >= 0.0);
      seen++;
    }
    assert_true(seen > 300);
    graze_contact_options options = graze_contact_options_default();
    OWNED(graze_wrenches) wrenches = make_wrenches(scene, pairs.pairs, pairs.count, &options);
    for (size_t i = 0; i < wrenches.count; i++) /* balls push no other solid */
      assert_true(wrenches.wrenches[i].object_a != balls && wrenches.wrenches[i].object_b != balls);
  }
}
