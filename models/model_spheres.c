/* Models of balls: a cloud of very different sizes, and the lattice in which balls touch exactly.
 *
 * The radii of the cloud are uniform in the logarithm, like those of packings and grains, and shrink with the cube root
 * of the number, so that the expected number of partners of a ball stays the same. In the lattice all centers are whole
 * numbers and all radii 1/2: a test with an error in the last bit loses or adds contacts. */
#include "models/model_table.h"
#include "models/seeded_random.h"

/* 16 to the power of a random number in [0, 1) with 24 binary digits: a factor for each digit, using only square
 * roots. */
static double random_ratio(random_stream *stream) {
  uint64_t digits = random_bits(stream);
  double ratio = 1.0, factor = 16.0;
  for (int digit = 0; digit < 24; ++digit, digits >>= 1) {
    factor = sqrt(factor);
    if (digits & 1) ratio *= factor;
  }
  return ratio;
}

/* With radii from 0.06 to 0.96, divided by the cube root of the number, a ball deep inside intersects 2.2 others on
 * average. */
bool make_spheres(const model_parameters *parameters, model_output *output) {
  const uint64_t count = parameters->primitives;
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add_spheres(output, "spheres", count);
  if (m == NULL) return false;
  random_stream stream = random_stream_make(parameters->seed, 91);
  const double least = 0.06 / cube_root((double)count);
  for (uint64_t i = 0; i < count; ++i) {
    const double x = random_unit(&stream), y = random_unit(&stream), z = random_unit(&stream);
    mesh_set_vertex(m, i, point3_make(x, y, z));
    m->radii[i] = least * random_ratio(&stream);
  }
  return true;
}

/* ------------------------------------------------------------------------------------------------ lattice */

/* The lattice points within a distance of the origin. */
typedef struct lattice_ball {
  int64_t reach; /* none has a larger coordinate */
  double square; /* of the distance */
} lattice_ball;

/* Writes the balls around all points, in order, and returns their number; m may be NULL to only count them. */
static uint64_t write_lattice(const lattice_ball *ball, point3 shift, mesh *m) {
  uint64_t count = 0;
  for (int64_t z = -ball->reach; z <= ball->reach; ++z) {
    for (int64_t y = -ball->reach; y <= ball->reach; ++y) {
      for (int64_t x = -ball->reach; x <= ball->reach; ++x) {
        if ((double)(x * x + y * y + z * z) > ball->square) continue;
        if (m != NULL) {
          mesh_set_vertex(m, count, point3_add(point3_make((double)x, (double)y, (double)z), shift));
          m->radii[count] = 0.5;
        }
        ++count;
      }
    }
  }
  return count;
}

/* Whole numbers below 2^20, which leave all coordinates exact, also as floats. */
static point3 choose_shift(uint64_t seed) {
  if (seed == 0) return point3_make(0.0, 0.0, 0.0);
  random_stream stream = random_stream_make(seed, 92);
  const double x = (double)(random_bits(&stream) >> 44), y = (double)(random_bits(&stream) >> 44);
  return point3_make(x, y, (double)(random_bits(&stream) >> 44));
}

bool make_sphere_lattice(const model_parameters *parameters, model_output *output) {
  const double four_thirds_pi = 4.18879020478639098;
  const double reach = cube_root(1.0 + (double)parameters->primitives / four_thirds_pi);
  const lattice_ball ball = {(int64_t)floor(reach), reach * reach};
  const point3 shift = choose_shift(parameters->seed);
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add_spheres(output, "lattice", write_lattice(&ball, shift, NULL));
  if (m == NULL) return false;
  write_lattice(&ball, shift, m);
  return true;
}
