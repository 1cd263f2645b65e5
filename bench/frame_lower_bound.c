/* Bytes of a frame, stage by stage, from the arrays of src/cuda/scene_arrays.h, pair_view.h and grid_view.h.
 *
 * A stage is charged for every element of an array that it reads or writes, once: what it meets again is taken to be in
 * a cache, and what the stage before has left in a cache is not. Stages over lists are charged for the primitives and
 * vertices that their elements name, at most all there are. So this is what a device moves when no byte crosses its bus
 * twice within a stage. Pairs are ranked, not sorted: a frame that sorts them, some primitive having very many, moves
 * more. docs/theory/gpu.md has the table in words; it changes with this file. */
#include "bench/frame_lower_bound.h"

/* Sizes in bytes, of one each. */
enum {
  HEADER = 16,   /* three corners and the object of a primitive */
  ROUNDED = 16,  /* a vertex rounded into normalized coordinates */
  ENTRY = 32,    /* lower corner, number, level and box of a primitive */
  SOLID = 16,    /* four corners of a tetrahedron */
  COUNT = 4,     /* where a bucket begins, a primitive's bucket, its rank in it, its pairs; a vertex's object */
  CANDIDATE = 8, /* of a list of them */
  KEY = 8,       /* of a pair */
  RANK = 4,      /* of a pair */
  PAIR = 16      /* by objects and primitives */
};

/* As in device_search.c and device_cell.h; four buckets have the marks of one block, of eight bytes. */
enum { LEAST_BUCKETS = 1024, BUCKETS_A_PRIMITIVE = 2, BLOCK_BUCKETS = 256, MARKS = 2 };

static double least(double a, double b) {
  return a < b ? a : b;
}

/* A power of two, two to four a primitive, and one block. */
static double buckets_of(const frame_sizes *s) {
  double buckets = LEAST_BUCKETS;
  while (buckets < BUCKETS_A_PRIMITIVE * (double)s->primitives) buckets *= 2.0;
  return buckets + BLOCK_BUCKETS;
}

/* The corners of a tetrahedron, beside its entry. */
static uint64_t solid_bytes(const frame_sizes *s) {
  return s->corner_bytes != 0 ? SOLID : 0;
}

/* Every vertex as it was given, and whose it is. */
static double given_bytes(const frame_sizes *s) {
  return (double)s->vertices * (double)(s->position_bytes + COUNT);
}

/* What the box of every primitive is made of. */
static double shape_bytes(const frame_sizes *s) {
  return (double)s->primitives * (double)(HEADER + s->corner_bytes) + (double)s->vertices * ROUNDED;
}

/* The entries that the search looks at. */
static double all_entry_bytes(const frame_sizes *s) {
  return (double)s->primitives * (double)(ENTRY + HEADER + solid_bytes(s));
}

/* The primitives and vertices, of so many bytes each, that the elements of a list name: two primitives each, of
 * three vertices at least. */
static double named_bytes(const frame_sizes *s, uint64_t entries, uint64_t primitive_bytes, uint64_t vertex_bytes) {
  const double primitives = least(2.0 * (double)entries, (double)s->primitives);
  const double vertices = least(6.0 * (double)entries, (double)s->vertices);
  return primitives * (double)primitive_bytes + vertices * (double)vertex_bytes;
}

/* Lower primitives by which pairs are counted: where there are millions 2, 4, 8 of them together. */
static double groups_of(const frame_sizes *s) {
  uint32_t bits = 0;
  while (s->primitives >> bits > (1u << 21)) bits++;
  return (double)((s->primitives + (UINT64_C(1) << bits) - 1) >> bits);
}

/* Where the pairs of their groups begin. */
static double lower_bytes(const frame_sizes *s) {
  return COUNT * least((double)s->pairs, groups_of(s));
}

static double pose_bytes(const frame_sizes *s) {
  return given_bytes(s);
}

static double rounded_bytes(const frame_sizes *s) {
  return given_bytes(s) + (double)s->vertices * ROUNDED;
}

/* The signs of volumes, of tetrahedra alone. */
static double volume_bytes(const frame_sizes *s) {
  if (s->corner_bytes == 0) return 0.0;
  return (double)s->primitives * (double)(HEADER + s->corner_bytes) + (double)(s->vertices * s->position_bytes);
}

/* The tables of a query: buckets, marks, pairs of each group. */
static double clear_bytes(const frame_sizes *s) {
  return (COUNT + MARKS) * buckets_of(s) + COUNT * groups_of(s);
}

/* Counts are read and raised, marks read and set; bucket and rank are kept. */
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

/* Of tetrahedra the filter needs nothing but their corners. */
static double filter_bytes(const frame_sizes *s) {
  const uint64_t shape = s->corner_bytes != 0 ? SOLID : HEADER;
  return CANDIDATE * (double)(s->candidates + s->left_over) + named_bytes(s, s->candidates, shape, ROUNDED);
}

/* Found pairs write their keys and ranks and count for their lower primitives; their entries tell the numbers. */
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
