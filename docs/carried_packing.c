/* Carries a packing of spheres along with a bending bar. docs/theory/packing.md shows parts of this program. */
#include <graze/packing.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the library's message if a call has failed. */
static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_error_text());
  exit(2);
}

/* A row of cubes, each cut into six tetrahedra around its diagonal. Corner numbers: bit 0 is y, bit 1 is z. */
enum { CUBES = 8, VERTICES = 4 * (CUBES + 1), TETRAHEDRA = 6 * CUBES };
static double rest[VERTICES][3], bent[VERTICES][3];
static uint32_t tetrahedra[TETRAHEDRA][4];

static void make_bar(void) {
  static const uint32_t between[6][2] = {{4, 5}, {5, 1}, {1, 3}, {3, 2}, {2, 6}, {6, 4}}; /* on a path from 0 to 7 */
  for (int i = 0; i < VERTICES; i++) {
    rest[i][0] = i / 4;
    rest[i][1] = i % 2;
    rest[i][2] = i / 2 % 2;
  }
  for (uint32_t i = 0; i < TETRAHEDRA; i++) {
    const uint32_t first = 4 * (i / 6);
    const uint32_t corners[4] = {first, first + between[i % 6][0], first + between[i % 6][1], first + 7};
    for (int k = 0; k < 4; k++) tetrahedra[i][k] = corners[k];
  }
}

/* The bar's surface, for the packer: a box. */
static void pack_bar(graze_packing *packing) {
  static const double corners[8][3] = {{0, 0, 0},     {0, 1, 0},     {0, 0, 1},     {0, 1, 1},
                                       {CUBES, 0, 0}, {CUBES, 1, 0}, {CUBES, 0, 1}, {CUBES, 1, 1}};
  static const uint32_t sides[12][3] = {{0, 3, 1}, {0, 2, 3}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                        {2, 7, 3}, {2, 6, 7}, {0, 6, 2}, {0, 4, 6}, {1, 3, 7}, {1, 7, 5}};
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){corners, 8, 0, GRAZE_FORMAT_DOUBLE3};
  mesh.triangles = (graze_view){sides, 12, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing_options options = graze_packing_options_default();
  options.count = 200;
  expect_ok(graze_pack_spheres(&mesh, &options, packing));
}

/* Bends the bar along a circle, so that its upper side is compressed and its lower side stretched. */
static void bend_bar(double angle) {
  for (int i = 0; i < VERTICES; i++) {
    const double turn = angle * (rest[i][0] / CUBES - 0.5), radius = angle > 0 ? CUBES / angle - rest[i][2] + 0.5 : 0;
    bent[i][0] = angle > 0 ? radius * sin(turn) : rest[i][0];
    bent[i][1] = rest[i][1];
    bent[i][2] = angle > 0 ? -radius * cos(turn) : rest[i][2];
  }
}

int main(void) {
  make_bar();
  graze_packing packing = {0};
  pack_bar(&packing);

  graze_carrier_def def = graze_carrier_def_default();
  def.positions = (graze_view){rest, VERTICES, 0, GRAZE_FORMAT_DOUBLE3};
  def.tetrahedra = (graze_view){tetrahedra, TETRAHEDRA, 0, GRAZE_FORMAT_UINT32_4};
  def.spheres = packing.spheres;
  def.sphere_count = packing.count;
  graze_carrier *carrier;
  expect_ok(graze_carrier_create(&def, &carrier));

  graze_carried frame = {0};
  for (int step = 0; step <= 3; step++) {
    bend_bar(step);
    expect_ok(graze_carrier_move(carrier, (graze_view){bent, VERTICES, 0, GRAZE_FORMAT_DOUBLE3}, &frame));
    printf("bent by %d: %zu spheres, volume %.2f of %.2f, certified\n", step, frame.count, frame.sphere_volume,
           packing.sphere_volume);
  }
  graze_carried_free(&frame);
  graze_carrier_destroy(carrier);
  graze_packing_free(&packing);
  return 0;
}
