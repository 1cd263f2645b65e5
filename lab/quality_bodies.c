/* Makes the bodies of the force benchmark. */
#include "lab/quality_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Room for so many vertices and triangles; the counts grow as they are added. */
static bool reserve(mesh *body, size_t vertices, size_t triangles) {
  *body = (mesh){.positions = malloc(3 * vertices * sizeof *body->positions),
                 .triangles = malloc(3 * triangles * sizeof *body->triangles)};
  if (body->positions != NULL && body->triangles != NULL) return true;
  mesh_free(body);
  return false;
}

static uint32_t add_vertex(mesh *body, double x, double y, double z) {
  double *const at = body->positions + 3 * body->vertex_count;
  at[0] = x;
  at[1] = y;
  at[2] = z;
  return (uint32_t)body->vertex_count++;
}

static void add_triangle(mesh *body, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t *const at = body->triangles + 3 * body->triangle_count++;
  at[0] = a;
  at[1] = b;
  at[2] = c;
  body->polygon_count = body->triangle_count;
}

static void add_quad(mesh *body, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  add_triangle(body, a, b, c);
  add_triangle(body, a, c, d);
}

bool quality_box_make(const double half[3], mesh *body_out) {
  if (!reserve(body_out, 8, 12)) return false;
  for (int i = 0; i < 8; i++)
    add_vertex(body_out, i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]);
  static const uint32_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (int i = 0; i < 6; i++) add_quad(body_out, sides[i][0], sides[i][1], sides[i][2], sides[i][3]);
  return true;
}

bool quality_revolve(const quality_outline *outline, size_t count, size_t around, mesh *body_out) {
  const size_t rings = count - 2;
  if (!reserve(body_out, rings * around + 2, 2 * rings * around)) return false;
  const uint32_t below = add_vertex(body_out, 0.0, 0.0, outline[0].height);
  for (size_t ring = 1; ring <= rings; ring++)
    for (size_t i = 0; i < around; i++) {
      const double angle = 2.0 * PI * (double)i / (double)around;
      add_vertex(body_out, outline[ring].radius * cos(angle), outline[ring].radius * sin(angle), outline[ring].height);
    }
  const uint32_t above = add_vertex(body_out, 0.0, 0.0, outline[count - 1].height), n = (uint32_t)around;
  const uint32_t last = 1 + (uint32_t)(rings - 1) * n;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t next = (i + 1) % n;
    add_triangle(body_out, below, 1 + next, 1 + i);
    for (uint32_t row = 1; row < last; row += n) add_quad(body_out, row + i, row + next, row + n + next, row + n + i);
    add_triangle(body_out, above, last + i, last + next);
  }
  return true;
}

bool quality_cone_make(double radius, double height, size_t around, mesh *body_out) {
  const quality_outline outline[] = {{0.0, -height / 2}, {radius, height / 2}, {0.0, height / 2}};
  return quality_revolve(outline, 3, around, body_out);
}

bool quality_cylinder_make(double radius, double height, size_t around, mesh *body_out) {
  const quality_outline outline[] = {
      {0.0, -height / 2}, {radius, -height / 2}, {radius, height / 2}, {0.0, height / 2}};
  return quality_revolve(outline, 4, around, body_out);
}

bool quality_sphere_make(double radius, size_t around, mesh *body_out) {
  const size_t count = around / 2 + 1;
  quality_outline *const outline = malloc(count * sizeof *outline);
  if (outline == NULL) return false;
  for (size_t i = 0; i < count; i++) {
    const double angle = PI * (double)i / (double)(count - 1);
    const bool on_axis = i == 0 || i == count - 1;
    outline[i] = (quality_outline){on_axis ? 0.0 : radius * sin(angle), -radius * cos(angle)};
  }
  const bool made = quality_revolve(outline, count, around, body_out);
  free(outline);
  return made;
}

/* A point of a hole's edge, as its angle says: on the circle, or on the square that the circle touches. */
static void edge_point(double radius, bool square, double angle, double point_out[2]) {
  const double x = cos(angle), y = sin(angle), most = fmax(fabs(x), fabs(y));
  point_out[0] = radius * (square ? x / most : x);
  point_out[1] = radius * (square ? y / most : y);
}

/* Half a block with its hole: the square around (middle, 0) less what the edge encloses. Vertices 2 i and 2 i + 1 from
 * `corner` on are the corners below and above at 45 degrees + i right angles; those from `edge` on likewise the edge.
 */
static void add_half(mesh *body, double a, double middle, double radius, bool square, uint32_t around,
                     const uint32_t corners[4]) {
  const uint32_t edge = (uint32_t)body->vertex_count, quarter = around / 4;
  for (uint32_t i = 0; i < around; i++) {
    double point[2];
    edge_point(radius, square, 2.0 * PI * (double)i / (double)around, point);
    add_vertex(body, middle + point[0], point[1], -a / 2);
    add_vertex(body, middle + point[0], point[1], a / 2);
  }
  for (uint32_t i = 0; i < around; i++) {
    const uint32_t here = edge + 2 * i, next = edge + 2 * ((i + 1) % around), corner = corners[i / quarter];
    add_triangle(body, corner, here, next);             /* below, facing down */
    add_triangle(body, corner + 1, next + 1, here + 1); /* above */
    add_quad(body, here, here + 1, next + 1, next);     /* the wall of the hole, facing its axis */
  }
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t corner = corners[i], next = corners[(i + 1) % 4], between = edge + 2 * ((i + 1) % 4 * quarter);
    add_triangle(body, corner, between, next);
    add_triangle(body, corner + 1, next + 1, between + 1);
  }
}

bool quality_holes_make(double a, double c, size_t around, mesh *body_out) {
  enum { SQUARE = 8 };
  if (!reserve(body_out, 12 + 2 * SQUARE + 2 * around, 4 * (SQUARE + around) + 16 + 12)) return false;
  /* Columns x = -a, 0, a; each has y = -a/2 below and above, then y = a/2. */
  for (int column = 0; column < 3; column++)
    for (int i = 0; i < 4; i++)
      add_vertex(body_out, a * (column - 1), i < 2 ? -a / 2 : a / 2, i % 2 == 0 ? -a / 2 : a / 2);
  for (uint32_t half = 0; half < 2; half++) {
    const uint32_t left = 4 * half, right = left + 4;
    const uint32_t corners[4] = {right + 2, left + 2, left, right};
    add_half(body_out, a, half == 0 ? -a / 2 : a / 2, c / 2, half == 0, half == 0 ? SQUARE : (uint32_t)around, corners);
    add_quad(body_out, left, right, right + 1, left + 1);         /* the side of low y */
    add_quad(body_out, right + 2, left + 2, left + 3, right + 3); /* of high y */
  }
  add_quad(body_out, 0, 1, 3, 2);   /* of low x */
  add_quad(body_out, 8, 10, 11, 9); /* of high x */
  return true;
}

/* The first one takes over the second, moved along x; both are as they were where memory runs out. */
static bool join(mesh *first, const mesh *second, double first_x, double second_x) {
  mesh both;
  if (!reserve(&both, first->vertex_count + second->vertex_count, first->triangle_count + second->triangle_count))
    return false;
  const mesh *const parts[2] = {first, second};
  for (int i = 0; i < 2; i++) {
    const uint32_t base = (uint32_t)both.vertex_count;
    for (size_t v = 0; v < parts[i]->vertex_count; v++) {
      const double *const p = parts[i]->positions + 3 * v;
      add_vertex(&both, p[0] + (i == 0 ? first_x : second_x), p[1], p[2]);
    }
    for (size_t t = 0; t < parts[i]->triangle_count; t++) {
      const uint32_t *const corners = parts[i]->triangles + 3 * t;
      add_triangle(&both, base + corners[0], base + corners[1], base + corners[2]);
    }
  }
  mesh_free(first);
  *first = both;
  return true;
}

bool quality_pins_make(double a, double c, size_t around, mesh *body_out) {
  const double half[3] = {c / 2, c / 2, a / 2};
  mesh round;
  if (!quality_box_make(half, body_out)) return false;
  if (quality_cylinder_make(c / 2, a, around, &round)) {
    const bool joined = join(body_out, &round, -a / 2, a / 2);
    mesh_free(&round);
    if (joined) return true;
  }
  mesh_free(body_out);
  return false;
}
