/* Triangles whose boxes are much longer than wide: bristles, rebar, plates, and a thread of small ones.
 *
 * Hardly any two intersect. Each is a worst case for a broad phase that compares everything in a cell, or everything
 * that overlaps along one axis. The order is random, so consecutive triangles are far apart. */
#include "models/model_table.h"
#include "models/seeded_random.h"

/* The corners of triangle i. */
typedef void slender_triangle(uint64_t count, uint64_t i, random_stream *stream, point3 corners_out[3]);

static bool make_slender(const model_parameters *parameters, model_output *output, const char *name, uint64_t use,
                         slender_triangle *place) {
  const uint64_t count = parameters->primitives;
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add(output, name, 3 * count, count);
  if (m == NULL) return false;
  random_stream stream = random_stream_make(parameters->seed, use);
  for (uint64_t i = 0; i < count; ++i) {
    point3 corners[3];
    place(count, i, &stream, corners);
    for (uint64_t corner = 0; corner < 3; ++corner) mesh_set_vertex(m, 3 * i + corner, corners[corner]);
    mesh_set_triangle(m, i, 3 * i, 3 * i + 1, 3 * i + 2);
  }
  return true;
}

/* From (0, b, c) to (1, b, c), `width` wide, along the axis. */
static void write_needle(int axis, double b, double c, double width, point3 corners_out[3]) {
  const double along[3] = {0.0, 0.0, 1.0}, beside[3] = {b, b + width, b}, behind[3] = {c, c, c + width};
  for (int i = 0; i < 3; ++i)
    corners_out[i] = axis == 0   ? point3_make(along[i], beside[i], behind[i])
                     : axis == 1 ? point3_make(behind[i], along[i], beside[i])
                                 : point3_make(beside[i], behind[i], along[i]);
}

/* So thin that two of `count` intersect with a probability of 2e-6 times their number. */
static void write_bristle(uint64_t count, uint64_t i, random_stream *stream, point3 corners_out[3]) {
  (void)i;
  const double b = random_unit(stream), c = random_unit(stream);
  write_needle(1, b, c, 0.001 / sqrt((double)count), corners_out);
}

/* So thin that there are at most as many intersecting boxes as needles. */
static void write_bar(uint64_t count, uint64_t i, random_stream *stream, point3 corners_out[3]) {
  (void)i;
  const int axis = (int)(random_bits(stream) % 3);
  const double b = random_unit(stream), c = random_unit(stream);
  write_needle(axis, b, c, 0.1 / (double)count, corners_out);
}

static void write_plate(uint64_t count, uint64_t i, random_stream *stream, point3 corners_out[3]) {
  (void)count;
  (void)i;
  const double y = random_unit(stream);
  corners_out[0] = point3_make(0.0, y, 0.0);
  corners_out[1] = point3_make(1.0, y, 0.0);
  corners_out[2] = point3_make(0.0, y, 1.0);
}

static void write_bead(uint64_t count, uint64_t i, random_stream *stream, point3 corners_out[3]) {
  const double step = 1.0 / (double)count, x = (double)i * step, size = 0.9 * step;
  for (int corner = 0; corner < 3; ++corner) {
    /* In separate statements, because the evaluation order of arguments differs between compilers. */
    const double along = random_unit(stream), beside = random_unit(stream), behind = random_unit(stream);
    corners_out[corner] = point3_make(x + size * along, size * beside, size * behind);
  }
}

bool make_bristles(const model_parameters *parameters, model_output *output) {
  return make_slender(parameters, output, "bristles", 71, write_bristle);
}

bool make_rebar(const model_parameters *parameters, model_output *output) {
  return make_slender(parameters, output, "rebar", 72, write_bar);
}

bool make_plates(const model_parameters *parameters, model_output *output) {
  return make_slender(parameters, output, "plates", 73, write_plate);
}

bool make_thread(const model_parameters *parameters, model_output *output) {
  return make_slender(parameters, output, "thread", 74, write_bead);
}
