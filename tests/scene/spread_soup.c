/* Makes soups; see spread_soup.h. */
#include "spread_soup.h"
#include "testing.h"

#include <stdlib.h>

enum { SEED = 7 };

double soup_random(soup *s) {
  s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(s->random >> 11) * 0x1p-53;
}

soup soup_make(size_t capacity, size_t corners) {
  soup s = {.capacity = capacity, .corners = corners, .random = SEED};
  s.mesh.kind = corners == 4 ? MESH_TETRAHEDRA : MESH_POLYGONS;
  s.mesh.positions = malloc((corners * capacity + 1) * 3 * sizeof *s.mesh.positions);
  uint32_t *elements = malloc(corners * capacity * sizeof *elements);
  assert_true(s.mesh.positions != NULL && elements != NULL);
  for (size_t i = 0; i < corners * capacity; i++) elements[i] = (uint32_t)i;
  if (corners == 4)
    s.mesh.tetrahedra = elements;
  else
    s.mesh.triangles = elements;
  return s;
}

void soup_free(soup *s) {
  mesh_free(&s->mesh);
}

void soup_clear(soup *s) {
  s->mesh.vertex_count = s->mesh.tetrahedron_count = s->mesh.triangle_count = s->mesh.polygon_count = 0;
  s->random = SEED;
}

static size_t soup_count(const soup *s) {
  return s->corners == 4 ? s->mesh.tetrahedron_count : s->mesh.triangle_count;
}

void soup_add(soup *s, double x, double y, double z, double edge) {
  assert_true(soup_count(s) < s->capacity);
  const double place[3] = {x, y, z};
  for (size_t corner = 0; corner < s->corners; corner++, s->mesh.vertex_count++)
    for (int axis = 0; axis < 3; axis++)
      s->mesh.positions[3 * s->mesh.vertex_count + axis] = place[axis] + edge * (soup_random(s) - 0.5);
  if (s->corners == 4)
    s->mesh.tetrahedron_count++;
  else
    s->mesh.polygon_count = ++s->mesh.triangle_count;
}

void soup_add_cube(soup *s, size_t count, double x, double y, double z, double size, double edge) {
  for (size_t i = 0; i < count; i++)
    soup_add(s, x + size * soup_random(s), y + size * soup_random(s), z + size * soup_random(s), edge * size);
}

void soup_add_stray_vertex(soup *s, double at) {
  for (int axis = 0; axis < 3; axis++) s->mesh.positions[3 * s->mesh.vertex_count + axis] = at;
  s->mesh.vertex_count++;
}
