/* The Chazelle pair: two polyhedra of n facets each whose intersection has on the order of n^2 pieces.
 *
 * Chazelle: Convex partitions of polyhedra: a lower bound and worst-case optimal algorithm (1984) cuts notches into a
 * block from both sides whose edges follow the two families of straight lines on the saddle y = x z. Here each family
 * is a separate comb: tooth edges of the upper comb run along x just below the saddle, those of the lower comb along z
 * just above it. An edge of the upper comb lies above the lower comb between two grooves, and below its surface at each
 * of its edges, so it passes through every facet of the other comb. Every facet of one comb therefore intersects every
 * facet of the other: no method can take less than quadratic time here. */
#include "models/model_table.h"

/* The distance of tooth edges beyond the saddle, of grooves before it, of the back of a comb, and the extent of teeth
 * beyond the ends of the other comb. */
static const double bite = 0.05, groove = 0.35, back = 0.1, overhang = 0.08;

/* A comb in its own frame: teeth are next to each other along `v` in [0, 1] and run along `u`; `sign` is 1 for the
 * upper comb (teeth point down) and -1 for the lower. Vertices: per line first the end at low u, then at high u; lines
 * alternate groove, tooth edge, ..., groove; then the four corners of the back. */
typedef struct comb {
  uint64_t teeth;
  double sign;
} comb;

static point3 comb_point(const comb *shape, double u, double v, double offset) {
  const double a = 2.0 * u - 1.0, b = 2.0 * v - 1.0;
  const double height = 0.5 * a * b + shape->sign * offset;
  return shape->sign > 0.0 ? point3_make(a, height, b) : point3_make(b, height, a);
}

static void write_comb_vertices(const comb *shape, mesh *m) {
  const uint64_t lines = 2 * shape->teeth + 1;
  const double low = -overhang, high = 1.0 + overhang;
  for (uint64_t line = 0; line < lines; ++line) {
    const double v = (double)line / (double)(lines - 1), offset = line % 2 == 0 ? groove : -bite;
    mesh_set_vertex(m, 2 * line, comb_point(shape, low, v, offset));
    mesh_set_vertex(m, 2 * line + 1, comb_point(shape, high, v, offset));
  }
  for (uint64_t corner = 0; corner < 4; ++corner) {
    point3 p = comb_point(shape, corner & 1 ? high : low, corner & 2 ? 1.0 : 0.0, 0.0);
    p.y = shape->sign * (0.5 + groove + back);
    mesh_set_vertex(m, 2 * lines + corner, p);
  }
}

typedef struct triangle_writer {
  mesh *m;
  size_t next;
  bool is_flipped;
} triangle_writer;

static void put(triangle_writer *writer, uint64_t a, uint64_t b, uint64_t c) {
  mesh_set_triangle(writer->m, writer->next++, a, writer->is_flipped ? c : b, writer->is_flipped ? b : c);
}

/* The end face of the teeth: each tooth is a triangle below the straight line of the grooves; above that line the face
 * is a fan from one corner of the back. */
static void write_cheek(triangle_writer *writer, const comb *shape, uint64_t end) {
  const uint64_t lines = 2 * shape->teeth + 1;
  const uint64_t fan = 2 * lines + end, far = 2 * lines + 2 + end;
  const bool keep = writer->is_flipped;
  if (end == 0) writer->is_flipped = !keep;
  for (uint64_t line = 0; line + 2 < lines; line += 2) {
    const uint64_t a = 2 * line + end, tip = a + 2, b = a + 4;
    put(writer, a, b, tip);
    put(writer, fan, b, a);
  }
  put(writer, fan, far, 2 * (lines - 1) + end);
  writer->is_flipped = keep;
}

static mesh *add_comb(model_output *output, const char *name, const comb *shape) {
  const uint64_t lines = 2 * shape->teeth + 1, corners = 2 * lines;
  const uint64_t triangles = 2 * (lines - 1) + 2 * (2 * shape->teeth + 1) + 2 + 4;
  mesh *m = model_output_add(output, name, 2 * lines + 4, triangles);
  if (m == NULL) return NULL;
  write_comb_vertices(shape, m);
  /* The lower comb exchanges the two horizontal axes and flips the height: two reflections, which preserve
   * orientation. */
  triangle_writer writer = {m, 0, false};
  for (uint64_t line = 0; line + 1 < lines; ++line) {
    const uint64_t a = 2 * line, b = a + 1, c = a + 3, d = a + 2;
    put(&writer, a, b, c);
    put(&writer, a, c, d);
  }
  write_cheek(&writer, shape, 0);
  write_cheek(&writer, shape, 1);
  put(&writer, corners, corners + 2, corners + 3);
  put(&writer, corners, corners + 3, corners + 1);
  put(&writer, 0, corners, corners + 1);
  put(&writer, 0, corners + 1, 1);
  const uint64_t last = 2 * (lines - 1);
  put(&writer, last, last + 1, corners + 3);
  put(&writer, last, corners + 3, corners + 2);
  return m;
}

bool make_chazelle(const model_parameters *parameters, model_output *output) {
  const uint64_t teeth = rounded_count(((double)parameters->primitives - 16.0) / 16.0, 1);
  const comb upper = {teeth, 1.0}, lower = {teeth, -1.0};
  if (!model_output_reserve(output, 2)) return false;
  mesh *combs[2] = {add_comb(output, "upper_comb", &upper), NULL};
  if (combs[0] != NULL) combs[1] = add_comb(output, "lower_comb", &lower);
  if (combs[1] == NULL) return false;
  mesh_turn(combs[0], parameters->seed);
  mesh_turn(combs[1], parameters->seed);
  return true;
}
