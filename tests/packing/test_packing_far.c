/* Packs bodies far from the origin, where an ulp of a coordinate is a large part of a sphere, and bodies at the
 * smallest and largest scales of doubles. Each packing is certified and checked in rational arithmetic. */
#include "models/model.h"
#include "packing_checks.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERES = 40, TRIANGLES = 320 };

/* A body as it is packed, and its triangles scaled by a power of two so that squares of lengths are numbers. */
typedef struct body {
  mesh *meshes;
  size_t mesh_count;
  double *positions, *corners;
  double scale; /* of the corners */
} body;

static body body_open(const char *name) {
  body made = {.scale = 1.0};
  char error[256];
  model_parameters parameters = model_parameters_default();
  parameters.primitives = TRIANGLES;
  assert_true(model_make(model_find(name), &parameters, &made.meshes, &made.mesh_count, error, sizeof error));
  made.positions = malloc(3 * made.meshes->vertex_count * sizeof *made.positions);
  made.corners = malloc(9 * made.meshes->triangle_count * sizeof *made.corners);
  assert_true(made.positions != NULL && made.corners != NULL);
  return made;
}

static void body_close(body *made) {
  mesh_list_free(made->meshes, made->mesh_count);
  free(made->positions);
  free(made->corners);
}

static void body_place(body *made, double size, double offset, double scale) {
  made->scale = scale;
  for (size_t i = 0; i < 3 * made->meshes->vertex_count; i++)
    made->positions[i] = made->meshes->positions[i] * size + offset * (1.0 - 0.25 * (double)(i % 3));
  for (size_t i = 0; i < 9 * made->meshes->triangle_count; i++)
    made->corners[i] = made->positions[3 * (size_t)made->meshes->triangles[i / 3] + i % 3] * scale;
}

static graze_result body_pack(const body *made, graze_packing *packing) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){made->positions, made->meshes->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){made->meshes->triangles, made->meshes->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing_options options = graze_packing_options_default();
  options.count = SPHERES;
  return graze_pack_spheres(&def, &options, packing);
}

/* Certified, also by rational arithmetic; the fill rate. */
static double assert_packed(const body *made) {
  OWNED(graze_packing) packing = {0};
  assert_ok(body_pack(made, &packing));
  assert_int_equal(packing.crossing_count, 0);
  assert_int_equal(packing.certified, 1);
  graze_sphere spheres[SPHERES];
  for (size_t i = 0; i < packing.count; i++) {
    spheres[i] = packing.spheres[i];
    for (int k = 0; k < 3; k++) spheres[i].center[k] *= made->scale;
    spheres[i].radius *= made->scale;
  }
  assert_no_overlap(spheres, packing.count);
  assert_inside(spheres, packing.count, made->corners, made->meshes->triangle_count);
  const double fill_rate = packing.fill_rate;
  return fill_rate;
}

TEST(far_bodies_are_certified) {
  static const char *const names[] = {"blob", "torus"};
  static const double offsets[] = {0.0, 5e4, -1e6, 1e9, 1e12, 1e14};
  for (size_t name = 0; name < 2; name++) {
    OWNED_BY(body_close) body made = body_open(names[name]);
    double near = 0.0;
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
      body_place(&made, 1.0, offsets[i], 1.0);
      const double fill_rate = assert_packed(&made);
      if (i == 0) near = fill_rate;
      if (fabs(offsets[i]) <= 1e12) assert_true(fabs(fill_rate - near) < 0.05);
    }
  }
}

/* The smallest have some thousand units of the last place; the largest are the largest doubles. */
TEST(sizes_of_all_doubles_are_certified) {
  static const double sizes[] = {1e-290, 1e-300, 1e-305, 1e-309, 1e-312, 1e-320};
  OWNED_BY(body_close) body made = body_open("blob");
  body_place(&made, 1.0, 0.0, 1.0);
  const double usual = assert_packed(&made);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    body_place(&made, sizes[i], 0.0, 0x1p+1000);
    assert_true(fabs(assert_packed(&made) - usual) < (sizes[i] < 1e-315 ? 0.2 : 0.02));
  }
  body_place(&made, 0x1p+1022, 0.0, 0x1p-1000);
  assert_true(fabs(assert_packed(&made) - usual) < 0.02);
}
