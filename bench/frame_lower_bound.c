/* Bytes of a frame, stage by stage, from the arrays of src/cuda/scene_arrays.h and pair_view.h.
 *
 * A stage is charged once for every array element that it reads or writes: repeated accesses within a stage are assumed
 * to hit a cache, the results of the previous stage are not. Stages over lists are charged for the primitives and
 * vertices of their elements, at most all of them. This is the traffic of a device if no byte crosses its bus twice
 * within a stage. Pairs are ranked, not sorted: a frame that sorts them, because a primitive has very many, moves more.
 * docs/theory/gpu.md describes the table and must match this file. */
#include "bench/frame_lower_bound.h"

/* Sizes of one element in bytes. */
enum {
  HEADER = 16,   /* three corners and the object of a primitive */
  ROUNDED = 16,  /* a vertex rounded into normalized coordinates */
  ENTRY = 32,    /* lower corner, number, level and box of a primitive */
  SOLID = 16,    /* four corners of a tetrahedron */
  COUNT = 4,     /* start of a bucket; bucket, rank and pairs of a primitive; object of a vertex */
  CANDIDATE = 8, /* an element of the list of candidates */
  KEY = 8,       /* of a pair */
  RANK = 4,      /* of a pair */
  PAIR = 16      /* by objects and primitives */
};

/* As in device_search.c and device_cell.h; four buckets share a block of marks of eight bytes. */
enum { LEAST_BUCKETS = 1024, BUCKETS_A_PRIMITIVE = 2, BLOCK_BUCKETS = 256, MARKS = 2 };

static double least(double a, double b) {
  return a < b ? a : b;
}

/* A power of two, two to four per primitive, plus one block. */
static double buckets_of(const frame_sizes *s) {
  double buckets = LEAST_BUCKETS;
  while (buckets < BUCKETS_A_PRIMITIVE * (double)s->primitives) buckets *= 2.0;
  return buckets + BLOCK_BUCKETS;
}

/* The corners of a tetrahedron, in addition to its entry. */
static uint64_t solid_bytes(const frame_sizes *s) {
  return s->corner_bytes != 0 ? SOLID : 0;
}

/* Every input vertex and its object. */
static double given_bytes(const frame_sizes *s) {
  return (double)s->vertices * (double)(s->position_bytes + COUNT);
}

/* The input of the box of every primitive. */
static double shape_bytes(const frame_sizes *s) {
  return (double)s->primitives * (double)(HEADER + s->corner_bytes) + (double)s->vertices * ROUNDED;
}

/* The entries that the search reads. */
static double all_entry_bytes(const frame_sizes *s) {
  return (double)s->primitives * (double)(ENTRY + HEADER + solid_bytes(s));
}

/* The primitives and vertices, with these sizes, of the elements of a list: two primitives each, with at least three
 * vertices. */
static double named_bytes(const frame_sizes *s, uint64_t entries, uint64_t primitive_bytes, uint64_t vertex_bytes) {
  const double primitives = least(2.0 * (double)entries, (double)s->primitives);
  const double vertices = least(6.0 * (double)entries, (double)s->vertices);
  return primitives * (double)primitive_bytes + vertices * (double)vertex_bytes;
}

/* The groups of lower primitives for which pairs are counted; with millions of primitives, a group has 2, 4 or 8. */
static double groups_of(const frame_sizes *s) {
  uint32_t bits = 0;
  while (s->primitives >> bits > (1u << 21)) bits++;
  return (double)((s->primitives + (UINT64_C(1) << bits) - 1) >> bits);
}

/* The first pairs of the groups. */
static double lower_bytes(const frame_sizes *s) {
  return COUNT * least((double)s->pairs, groups_of(s));
}

static double pose_bytes(const frame_sizes *s) {
  return given_bytes(s);
}

static double rounded_bytes(const frame_sizes *s) {
  return given_bytes(s) + (double)s->vertices * ROUNDED;
}

/* The signs of volumes, only for tetrahedra. */
static double volume_bytes(const frame_sizes *s) {
  if (s->corner_bytes == 0) return 0.0;
  return (double)s->primitives * (double)(HEADER + s->corner_bytes) + (double)(s->vertices * s->position_bytes);
}

/* The tables of a query: buckets, marks, pairs of each group. */
static double clear_bytes(const frame_sizes *s) {
  return (COUNT + MARKS) * buckets_of(s) + COUNT * groups_of(s);
}

/* Counts are read and incremented, marks are read and set, and bucket and rank are stored. */
static double box_bytes(const frame_sizes *s) {
  return 2.0 * (COUNT + MARKS) * buckets_of(s) + shape_bytes(s) + 2.0 * COUNT * (double)s->primitives;
}

static double scan_bytes(const frame_sizes *s) {
  return 2.0 * COUNT * buckets_of(s);
}

static double entry_bytes(const frame_sizes *s) {
  return COUNT * buckets_of(s) + shape_bytes(s) + 2.0 * COUNT * (double)s->primitives + all_entry_bytes(s);
}

static double search_bytes(const frame_sizes *s) {
  return (COUNT + MARKS) * buckets_of(s) + all_entry_bytes(s) + CANDIDATE * (double)s->candidates;
}

/* For tetrahedra, the filter needs only the corners. */
static double filter_bytes(const frame_sizes *s) {
  const uint64_t shape = s->corner_bytes != 0 ? SOLID : HEADER;
  return CANDIDATE * (double)(s->candidates + s->left_over) + named_bytes(s, s->candidates, shape, ROUNDED);
}

/* Found pairs write keys and ranks and increment the count of their lower primitive; their entries have the numbers. */
static double exact_bytes(const frame_sizes *s) {
  return CANDIDATE * (double)s->left_over + named_bytes(s, s->left_over, HEADER + solid_bytes(s), s->position_bytes) +
         (KEY + RANK) * (double)s->pairs + named_bytes(s, s->pairs, COUNT, 0) + 2.0 * lower_bytes(s);
}

static double sums_bytes(const frame_sizes *s) {
  return 2.0 * COUNT * groups_of(s);
}

static double partner_bytes(const frame_sizes *s) {
  return (KEY + RANK + KEY) * (double)s->pairs + lower_bytes(s);
}

static double rank_bytes(const frame_sizes *s) {
  return (KEY + PAIR) * (double)s->pairs + lower_bytes(s) + named_bytes(s, s->pairs, HEADER, 0);
}

static const struct {
  const char *name;
  double (*bytes)(const frame_sizes *sizes);
} stages[] = {
    {"pose", pose_bytes},     {"rounding", rounded_bytes}, {"volume", volume_bytes}, {"clear", clear_bytes},
    {"box", box_bytes},       {"scan", scan_bytes},        {"entry", entry_bytes},   {"search", search_bytes},
    {"filter", filter_bytes}, {"exact", exact_bytes},      {"sums", sums_bytes},     {"partner", partner_bytes},
    {"rank", rank_bytes},
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
