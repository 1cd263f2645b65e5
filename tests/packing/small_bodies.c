/* Makes closed meshes; see small_bodies.h. */
#include "small_bodies.h"

static void add_triangle(small_body *body, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *corners = body->triangles[body->triangle_count++];
  corners[0] = a;
  corners[1] = b;
  corners[2] = c;
}

static uint32_t add_vertex(small_body *body, double x, double y, double z) {
  double *position = body->positions[body->vertex_count];
  position[0] = x;
  position[1] = y;
  position[2] = z;
  return (uint32_t)body->vertex_count++;
}

void small_body_add_box(small_body *body, const double least[3], const double greatest[3], bool inverted) {
  /* Corner numbers: bit 0 is x, bit 1 is y, bit 2 is z; anticlockwise from outside. */
  static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  const uint32_t first = (uint32_t)body->vertex_count;
  for (uint32_t i = 0; i < 8; i++)
    add_vertex(body, (i & 1) != 0 ? greatest[0] : least[0], (i & 2) != 0 ? greatest[1] : least[1],
               (i & 4) != 0 ? greatest[2] : least[2]);
  for (int face = 0; face < 6; face++) {
    const uint32_t *corner = faces[face];
    for (int half = 1; half < 3; half++) {
      const uint32_t b = corner[half], c = corner[half + 1];
      add_triangle(body, first + corner[0], first + (inverted ? c : b), first + (inverted ? b : c));
    }
  }
}

void small_body_add_tetrahedron(small_body *body) {
  const uint32_t o = add_vertex(body, 0.0, 0.0, 0.0), x = add_vertex(body, 3.0, 0.0, 0.0);
  const uint32_t y = add_vertex(body, 0.0, 4.0, 0.0), z = add_vertex(body, 0.0, 0.0, 5.0);
  add_triangle(body, o, y, x);
  add_triangle(body, o, x, z);
  add_triangle(body, o, z, y);
  add_triangle(body, x, y, z);
}

graze_view small_body_positions(const small_body *body) {
  return (graze_view){body->positions, body->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
}

graze_view small_body_triangles(const small_body *body) {
  return (graze_view){body->triangles, body->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
}
