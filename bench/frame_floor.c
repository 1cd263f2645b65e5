/* Bytes of a frame, stage by stage, from the arrays of src/cuda/device_view.h.
 *
 * A stage is charged for every element of an array that it reads or writes, once: what it meets again is taken to be in
 * a cache, and what the stage before has left in a cache is not. Stages over lists are charged for the primitives and
 * vertices that their entries name, at most all there are. So this is what a device moves when no byte crosses its bus
 * twice within a stage. docs/gpu.md has the table in words; it changes with this file. */
#include "bench/frame_floor.h"

/* Sizes in bytes, of one each. */
enum {
  TAG = 16,  /* three corners and the object of a primitive */
  NEAR = 16, /* a vertex rounded into the frame */
  ROW = 32,  /* box, level and number of a primitive */
  COUNT = 4, /* a bucket's, a primitive's bucket, its rank in it, a vertex's object */
  ENTRY = 8, /* of a list of candidates */
  KEY = 8,   /* of a pair */
  PAIR = 16  /* by objects and primitives */
};

enum { LEAST_BUCKETS = 1024, SORT_BITS = 8 /* of a key that one pass of the sort looks at */ };

static double least(double a, double b) {
  return a < b ? a : b;
}

/* A power of two, one to two a primitive. */
static double buckets_of(const frame_sizes *s) {
  double buckets = LEAST_BUCKETS;
  while (buckets < (double)s->primitives) buckets *= 2.0;
  return buckets;
}

/* Every vertex as it was given, and whose it is. */
static double given_bytes(const frame_sizes *s) {
  return (double)s->vertices * (double)(s->position_bytes + COUNT);
}

/* What the box of every primitive is made of. */
static double shape_bytes(const frame_sizes *s) {
  return (double)s->primitives * (double)(TAG + s->corner_bytes) + (double)s->vertices * NEAR;
}

/* The tags, and the vertices of so many bytes, that the entries of a list name: two primitives an entry, of three
 * vertices at least. */
static double named_bytes(const frame_sizes *s, uint64_t entries, uint64_t vertex_bytes) {
  const double primitives = least(2.0 * (double)entries, (double)s->primitives);
  const double vertices = least(6.0 * (double)entries, (double)s->vertices);
  return primitives * (double)(TAG + s->corner_bytes) + vertices * (double)vertex_bytes;
}

static double pose_bytes(const frame_sizes *s) {
  return given_bytes(s);
}

static double near_bytes(const frame_sizes *s) {
  return given_bytes(s) + (double)s->vertices * NEAR;
}

/* The signs of volumes, of tetrahedra alone. */
static double volume_bytes(const frame_sizes *s) {
  if (s->corner_bytes == 0) return 0.0;
  return (double)s->primitives * (double)(TAG + s->corner_bytes) + (double)(s->vertices * s->position_bytes);
}

/* Counts are cleared, then read and raised; bucket and rank are kept. */
static double box_bytes(const frame_sizes *s) {
  return 3.0 * COUNT * buckets_of(s) + shape_bytes(s) + 2.0 * COUNT * (double)s->primitives;
}

static double scan_bytes(const frame_sizes *s) {
  return 2.0 * COUNT * buckets_of(s);
}

static double row_bytes(const frame_sizes *s) {
  return COUNT * buckets_of(s) + shape_bytes(s) + (double)s->primitives * (2 * COUNT + ROW + TAG);
}

static double search_bytes(const frame_sizes *s) {
  return COUNT * buckets_of(s) + (double)s->primitives * (ROW + TAG) + ENTRY * (double)s->candidates;
}

static double filter_bytes(const frame_sizes *s) {
  return ENTRY * (double)(s->candidates + s->left_over) + named_bytes(s, s->candidates, NEAR);
}

static double exact_bytes(const frame_sizes *s) {
  return ENTRY * (double)s->left_over + named_bytes(s, s->left_over, s->position_bytes) + KEY * (double)s->pairs;
}

/* Keys are counted once, then read and written in each pass. */
static double sort_bytes(const frame_sizes *s) {
  int number_bits = 1;
  while (number_bits < 32 && (UINT64_C(1) << number_bits) < s->primitives) number_bits++;
  const int passes = (2 * number_bits + SORT_BITS - 1) / SORT_BITS;
  return KEY * (double)s->pairs * (1 + 2 * passes);
}

static double unpack_bytes(const frame_sizes *s) {
  return (KEY + PAIR) * (double)s->pairs + TAG * least(2.0 * (double)s->pairs, (double)s->primitives);
}

static const struct {
  const char *name;
  double (*bytes)(const frame_sizes *sizes);
} stages[] = {
    {"pose", pose_bytes},   {"near", near_bytes}, {"volume", volume_bytes}, {"box", box_bytes},
    {"scan", scan_bytes},   {"row", row_bytes},   {"search", search_bytes}, {"filter", filter_bytes},
    {"exact", exact_bytes}, {"sort", sort_bytes}, {"unpack", unpack_bytes},
};

size_t frame_stage_count(void) {
  return sizeof stages / sizeof stages[0];
}

const char *frame_stage_name(size_t stage) {
  return stages[stage].name;
}

double frame_stage_bytes(size_t stage, const frame_sizes *sizes) {
  return stages[stage].bytes(sizes);
}

double frame_bytes(const frame_sizes *sizes) {
  double sum = 0.0;
  for (size_t i = 0; i < frame_stage_count(); i++) sum += frame_stage_bytes(i, sizes);
  return sum;
}
