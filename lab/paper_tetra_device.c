/* Statements of Mirzayousef Jadid, "Tetrahedral kDet", 2023, on its device and its table, counted and not measured: how
 * many warps can be resident for a block size (figure 6.5), and how full the table of cells is (table 6.2). The same on
 * every machine. */
#include "lab/kdet_stages.h"
#include "lab/paper_film.h"
#include "lab/paper_lines.h"
#include "lab/paper_table.h"
#include "lab/paper_tetrahedra_figures.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- figure 6.5 */

/* A multiprocessor by its compute capability: NVIDIA, "CUDA C++ Programming Guide", technical specifications. Registers
 * are given to warps in portions. */
typedef struct multiprocessor {
  const char *device;
  unsigned warps, blocks;
} multiprocessor;

enum { WARP = 32, REGISTERS = 65536, REGISTER_PORTION = 256 };

static const multiprocessor multiprocessors[] = {{"RTX 3080", 48, 16}, {"H200", 64, 32}};
enum { DEVICES = sizeof multiprocessors / sizeof multiprocessors[0] };

static const unsigned block_sizes[] = {16, 32, 64, 128, 256, 512, 1024};
enum { BLOCK_SIZES = sizeof block_sizes / sizeof block_sizes[0] };

static const unsigned registers_of_thread[] = {32, 64, 128, 160};
enum { REGISTER_COUNTS = sizeof registers_of_thread / sizeof registers_of_thread[0] };

static unsigned resident_blocks(const multiprocessor *of, unsigned block, unsigned registers) {
  const unsigned warps = (block + WARP - 1) / WARP;
  const unsigned portion = (registers * WARP + REGISTER_PORTION - 1) / REGISTER_PORTION * REGISTER_PORTION;
  const unsigned by_warps = of->warps / warps, by_registers = REGISTERS / (portion * warps);
  const unsigned least = by_warps < by_registers ? by_warps : by_registers;
  return least < of->blocks ? least : of->blocks;
}

static double occupancy_of(const multiprocessor *of, unsigned block, unsigned registers) {
  return 100.0 * resident_blocks(of, block, registers) * ((block + WARP - 1) / WARP) / of->warps;
}

static bool draw_occupancy(const study *at) {
  static const char *const names[REGISTER_COUNTS] = {"32 registers a thread", "64", "128", "160"};
  double values[DEVICES][REGISTER_COUNTS * BLOCK_SIZES], points[BLOCK_SIZES];
  line_panel panels[DEVICES];
  for (size_t i = 0; i < BLOCK_SIZES; i++) points[i] = block_sizes[i];
  for (size_t device = 0; device < DEVICES; device++) {
    panels[device] = (line_panel){multiprocessors[device].device, values[device]};
    for (size_t i = 0; i < REGISTER_COUNTS * BLOCK_SIZES; i++)
      values[device][i] =
          occupancy_of(&multiprocessors[device], block_sizes[i % BLOCK_SIZES], registers_of_thread[i / BLOCK_SIZES]);
  }
  const line_chart chart = {.title = "Resident warps as a share of the maximum of a multiprocessor",
                            .horizontal = "threads of a block",
                            .vertical = "percent",
                            .lines = names,
                            .line_count = REGISTER_COUNTS,
                            .points = points,
                            .point_count = BLOCK_SIZES,
                            .panels = panels,
                            .panel_count = DEVICES,
                            .even = true,
                            .linear = true};
  return study_draw_lines(at, &chart, "paper_tetra-blocks.svg");
}

bool figure_tetra_blocks(study *at) {
  static const paper_column columns[] = {
      {"device", -8}, {"registers of a thread", 21}, {"threads of a block", 18}, {"blocks", 6},
      {"warps", 5},   {"occupancy %", 11},           {"busy lanes %", 12}};
  paper_table table;
  if (!paper_table_open(at, "tetra-blocks", columns, sizeof columns / sizeof columns[0], &table)) return false;
  for (size_t i = 0; i < DEVICES * REGISTER_COUNTS * BLOCK_SIZES; i++) {
    const multiprocessor *const of = &multiprocessors[i / (REGISTER_COUNTS * BLOCK_SIZES)];
    const unsigned registers = registers_of_thread[i / BLOCK_SIZES % REGISTER_COUNTS];
    const unsigned block = block_sizes[i % BLOCK_SIZES], blocks = resident_blocks(of, block, registers);
    paper_table_words(&table, of->device);
    paper_table_number(&table, registers, 0);
    paper_table_number(&table, block, 0);
    paper_table_number(&table, blocks, 0);
    paper_table_number(&table, blocks * ((block + WARP - 1) / WARP), 0);
    paper_table_number(&table, occupancy_of(of, block, registers), 1);
    paper_table_number(&table, 100.0 * blocks * block / (of->warps * WARP), 1);
  }
  return paper_table_close(&table, true) && draw_occupancy(at);
}

/* ---------------------------------------------------------------------------------------------- table 6.2 */

/* How many entries a bucket has, of all of them. */
typedef struct fill_count {
  const study *at;
  kdet_tally tally;
  uint64_t tetrahedra, used; /* buckets that hold anything */
  uint32_t fullest, levels;
  bool counted;
} fill_count;

/* The diameter of the largest enclosing circle of its faces: at most that of the tetrahedron itself. */
static float diameter_of(const mesh *body, size_t tetrahedron, float box_out[6]) {
  static const int faces[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  float corners[4][3], diameter = 0.0f;
  for (int i = 0; i < 12; i++) {
    const size_t vertex = body->tetrahedra[4 * tetrahedron + (size_t)i / 3];
    const float value = corners[i / 3][i % 3] = (float)body->positions[3 * vertex + (size_t)i % 3];
    box_out[i % 3] = i < 3 ? value : fminf(box_out[i % 3], value);
    box_out[3 + i % 3] = i < 3 ? value : fmaxf(box_out[3 + i % 3], value);
  }
  for (int i = 0; i < 4; i++)
    diameter = fmaxf(diameter, kdet_diameter(corners[faces[i][0]], corners[faces[i][1]], corners[faces[i][2]]));
  return diameter;
}

static void measure_tetrahedron(fill_count *count, float diameter, const float box[6]) {
  if (diameter > 0.0f) kdet_lower(&count->tally.least, kdet_bits(diameter));
  kdet_raise(&count->tally.most, kdet_bits(diameter));
  for (int k = 0; k < 6; k++) kdet_raise(&count->tally.reach, kdet_bits(fabsf(box[k])));
}

static void store_tetrahedron(fill_count *count, const kdet_view *view, float diameter, const float box[6]) {
  const float least = kdet_least_side(&count->tally);
  const uint32_t level = kdet_level(diameter, least);
  const kdet_cells cells = kdet_cells_of(box, ldexpf(least, (int)level));
  if (level + 1 > count->levels) count->levels = level + 1;
  for (int32_t z = cells.low[2]; z <= cells.high[2]; z++)
    for (int32_t y = cells.low[1]; y <= cells.high[1]; y++)
      for (int32_t x = cells.low[0]; x <= cells.high[0]; x++, count->tally.stored++) {
        const uint32_t filled = ++view->fill[kdet_bucket_of(view, x, y, z, level)];
        count->used += filled == 1;
        if (filled > count->fullest) count->fullest = filled;
      }
}

static void visit_all(fill_count *count, const kdet_view *view, const mesh *meshes, size_t mesh_count, bool store) {
  for (size_t i = 0; i < mesh_count; i++)
    for (size_t j = 0; j < meshes[i].tetrahedron_count; j++) {
      float box[6];
      const float diameter = diameter_of(&meshes[i], j, box);
      if (store)
        store_tetrahedron(count, view, diameter, box);
      else
        measure_tetrahedron(count, diameter, box);
      count->tetrahedra += store;
    }
}

static void count_fill(void *context, const mesh *meshes, size_t mesh_count) {
  fill_count *const count = context;
  kdet_view view = {.hash = KDET_DJB2, .buckets = KDET_BUCKETS_THESIS, .tally = &count->tally};
  *count = (fill_count){.at = count->at, .tally = {.least = kdet_bits(3e38f)}};
  view.fill = calloc(view.buckets, sizeof *view.fill);
  if (view.fill == NULL) return;
  visit_all(count, &view, meshes, mesh_count, false);
  visit_all(count, &view, meshes, mesh_count, true);
  free(view.fill);
  count->counted = true;
}

static void write_fill(paper_table *table, const fill_scene *scene, const fill_count *count) {
  const double entries = (double)KDET_BUCKETS_THESIS * KDET_BUCKET;
  paper_table_words(table, scene->published);
  paper_table_number(table, (double)scene->tetrahedra, 0);
  paper_table_number(table, scene->percent, 2);
  paper_table_words(table, scene->script.scene);
  paper_table_number(table, (double)count->tetrahedra, 0);
  paper_table_number(table, 100.0 * (double)count->tetrahedra / entries, 3);
  paper_table_number(table, count->levels, 0);
  paper_table_number(table, (double)count->tally.stored, 0);
  paper_table_number(table, 100.0 * (double)count->tally.stored / entries, 3);
  paper_table_number(table, 100.0 * (double)count->used / KDET_BUCKETS_THESIS, 1);
  paper_table_number(table, count->fullest, 0);
}

bool figure_tetra_fill(study *at, const fill_scene *scenes, size_t scene_count) {
  static const paper_column columns[] = {
      {"published", -18}, {"tetrahedra", 10},       {"occupancy %", 11},   {"our scene", -13},
      {"ours", 8},        {"tetrahedra %", 12},     {"levels", 6},         {"stored", 9},
      {"stored %", 8},    {"buckets in use %", 16}, {"fullest bucket", 14}};
  paper_table table;
  if (!paper_table_open(at, "tetra-fill", columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool good = true;
  for (size_t i = 0; i < scene_count && good; i++) {
    fill_count count = {.at = at};
    film_script script = scenes[i].script;
    script.look = count_fill;
    script.look_context = &count;
    film played;
    good = film_play(at, &script, &played);
    if (good && !count.counted) good = study_fail(at, "out of memory");
    if (good) write_fill(&table, &scenes[i], &count);
    film_free(&played);
  }
  return paper_table_close(&table, good);
}
