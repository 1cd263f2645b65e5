/* The scene "pass through armadillos" of Mirzayousef Jadid, "Tetrahedral kDet", 2023: one body of 20,052 tetrahedra
 * passes through another along x. Shows frame times over frames and over the penetration depth, their stages, and the
 * same with brute force. Published for an RTX 3080: 1 to 2 ms at the beginning and 13 to 14 at the deepest position, of
 * which boxes and populating take 1, tests 1 to 1.5, finding and sorting 10 to 12; brute force takes 12 ms from the
 * first overlap of the boxes. */
#include "lab/paper_film.h"
#include "lab/paper_lines.h"
#include "lab/paper_table.h"
#include "lab/paper_tetrahedra_figures.h"

#include <stdlib.h>

enum { TETRAHEDRA = 40104, FRAMES = 93, COLUMNS_MAX = 32, LABEL_BYTES = 24, LAYERS = 4, BRUTE_FRAMES = 21 };

static film_script script_of(const study *at, size_t frames, const char *method) {
  return (film_script){.scene = "pass-through",
                       .primitives = paper_size(at, TETRAHEDRA),
                       .frames = frames,
                       .every = film_every(at, frames),
                       .method = method,
                       .scope = GRAZE_SCOPE_BETWEEN,
                       .what = method != NULL ? method : "grid"};
}

/* ---------------------------------------------------------------------------------------------- stages over frames */

static const char *const layer_names[LAYERS] = {"boxes and grid", "find", "test", "order"};

static void layers_of(const film_frame *frame, double layers[LAYERS]) {
  layers[0] = frame->update_ms;
  layers[1] = frame->stages.search_ms;
  layers[2] = frame->stages.test_ms;
  layers[3] = frame->stages.order_ms;
}

/* At most so many columns as can be told apart. */
static bool draw_stages(const study *at, const film *played) {
  static char labels[COLUMNS_MAX][LABEL_BYTES];
  const char *label_list[COLUMNS_MAX];
  double values[COLUMNS_MAX * LAYERS];
  const size_t step = (played->count + COLUMNS_MAX - 1) / COLUMNS_MAX;
  size_t columns = 0;
  for (size_t i = 0; step > 0 && i < played->count; i += step, columns++) {
    labels[columns][0] = '\0';
    if (columns % 5 == 0) snprintf(labels[columns], LABEL_BYTES, "%zu", played->frames[i].number);
    label_list[columns] = labels[columns];
    layers_of(&played->frames[i], values + columns * LAYERS);
  }
  const stack_panel panel = {"", columns, label_list, values};
  const stack_chart chart = {.title = "A body of tetrahedra passes through another: stages of a frame",
                             .horizontal = "frame",
                             .vertical = "milliseconds",
                             .layers = layer_names,
                             .layer_count = LAYERS,
                             .panels = &panel,
                             .panel_count = 1};
  return columns == 0 || study_draw_stacks(at, &chart, "paper_tetra-pass.svg");
}

static size_t deepest_of(const film *played) {
  size_t deepest = 0;
  for (size_t i = 1; i < played->count; i++)
    if (played->frames[i].depth > played->frames[deepest].depth) deepest = i;
  return deepest;
}

/* Time and candidates over depth, while it grows; each over its value at the deepest, beside the cube of the depth. */
static bool draw_depth(const study *at, const film *played) {
  static const char *const names[3] = {"time", "candidates", "cube of the depth"};
  const size_t deepest = deepest_of(played), count = deepest + 1;
  const film_frame *const last = &played->frames[deepest];
  paper_lines lines;
  if (!paper_lines_make(at, 3, count, &lines)) return false;
  for (size_t i = 0; i < count; i++) {
    const film_frame *const frame = &played->frames[i];
    const double depth = last->depth > 0.0 ? frame->depth / last->depth : 0.0;
    lines.points[i] = frame->depth;
    lines.values[i] = frame->total_ms / last->total_ms;
    lines.values[count + i] = (double)frame->counters.candidates / ((double)last->counters.candidates + 1.0);
    lines.values[2 * count + i] = depth * depth * depth;
  }
  const line_chart words = {.title = "A body of tetrahedra passes through another",
                            .horizontal = "depth: overlap of the boxes along x, over the width",
                            .vertical = "fraction of the value at the deepest frame",
                            .lines = names,
                            .linear = true};
  return paper_lines_draw(at, &lines, &words, "paper_tetra-depth.svg");
}

static void write_frame(paper_table *table, const film_frame *frame) {
  double layers[LAYERS];
  layers_of(frame, layers);
  paper_table_number(table, (double)frame->number, 0);
  paper_table_number(table, frame->depth, 3);
  paper_table_number(table, (double)frame->counters.candidates, 0);
  paper_table_number(table, (double)frame->pairs, 0);
  paper_table_number(table, (double)frame->colliding, 0);
  for (size_t i = 0; i < LAYERS; i++) paper_table_number(table, layers[i], 3);
  paper_table_number(table, frame->update_ms + frame->find_ms, 3);
  paper_table_number(table, frame->total_ms, 3);
}

static bool show(const study *at, const film *played) {
  static const paper_column columns[] = {
      {"frame", 5},   {"depth", 6},   {"candidates", 10}, {"pairs", 8},     {"in pairs", 8}, {"boxes and grid ms", 17},
      {"find ms", 8}, {"test ms", 8}, {"order ms", 8},    {"stages ms", 9}, {"host ms", 8}};
  paper_table table;
  if (!paper_table_open(at, "tetra-pass", columns, sizeof columns / sizeof columns[0], &table)) return false;
  for (size_t i = 0; i < played->count; i++) write_frame(&table, &played->frames[i]);
  const size_t deepest = deepest_of(played);
  printf(
      "%zu tetrahedra, deepest in frame %zu: %.3f ms; published for %d: 13 to 14 ms there, 1 to 2 ms at the beginning, "
      "boxes and populating 1, tests 1 to 1.5, finding and sorting 10 to 12\n",
      played->frames[0].primitives, played->frames[deepest].number, played->frames[deepest].total_ms, TETRAHEDRA);
  return paper_table_close(&table, true) && draw_stages(at, played) && draw_depth(at, played);
}

bool figure_tetra_pass(study *at) {
  const film_script script = script_of(at, FRAMES, NULL);
  film played;
  const bool good = film_play(at, &script, &played);
  const bool shown = played.count == 0 || show(at, &played);
  film_free(&played);
  return good && shown;
}

/* ---------------------------------------------------------------------------------------------- brute force */

static bool draw_brute(const study *at, const film films[2], size_t count) {
  static const char *const names[2] = {"grid", "brute force"};
  paper_lines lines;
  if (!paper_lines_make(at, 2, count, &lines)) return false;
  for (size_t i = 0; i < 2 * count; i++) {
    lines.points[i % count] = (double)films[0].frames[i % count].number;
    lines.values[i] = films[i / count].frames[i % count].total_ms;
  }
  const line_chart words = {.title = "A body of tetrahedra passes through another: grid and brute force",
                            .horizontal = "frame",
                            .vertical = "milliseconds",
                            .lines = names};
  return paper_lines_draw(at, &lines, &words, "paper_tetra-brute.svg");
}

static bool show_brute(const study *at, const film films[2]) {
  static const paper_column columns[] = {
      {"frame", 5}, {"depth", 6}, {"pairs", 8}, {"grid ms", 9}, {"brute force ms", 14}};
  const size_t count = films[0].count < films[1].count ? films[0].count : films[1].count;
  paper_table table;
  if (!paper_table_open(at, "tetra-brute", columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool same = true;
  for (size_t i = 0; i < count; i++) {
    const film_frame *const grid = &films[0].frames[i], *const brute = &films[1].frames[i];
    same = same && grid->hash == brute->hash;
    paper_table_number(&table, (double)grid->number, 0);
    paper_table_number(&table, grid->depth, 3);
    paper_table_number(&table, (double)grid->pairs, 0);
    paper_table_number(&table, grid->total_ms, 3);
    paper_table_number(&table, brute->total_ms, 3);
  }
  printf("published, RTX 3080: brute force takes 12 ms as soon as the boxes of the bodies overlap, 10 to 15 more than "
         "kDet\n");
  if (!same) study_fail(at, "grid and brute force find different pairs");
  return paper_table_close(&table, same) && draw_brute(at, films, count);
}

bool figure_tetra_brute(study *at) {
  const film_script grid = script_of(at, BRUTE_FRAMES, NULL), brute = script_of(at, BRUTE_FRAMES, "brute");
  film films[2] = {{0}};
  const bool good = film_play(at, &grid, &films[0]) && film_play(at, &brute, &films[1]);
  const bool shown = films[1].count == 0 || show_brute(at, films);
  for (size_t i = 0; i < 2; i++) film_free(&films[i]);
  return good && shown;
}
