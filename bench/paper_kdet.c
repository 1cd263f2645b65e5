/* Weller, Debowski, Zachmann: "kDet: Parallel Constant Time Collision Detection for Polygonal Objects", 2017. Published
 * times are those of a GTX 1080, of kDet and of gProximity (Lauterbach, Mo, Manocha: "gProximity: Hierarchical
 * GPU-based operations for collision and distance queries", 2010), milliseconds. Scenes are those of this project that
 * are made after the published ones, which are not to be had; all pairs within and between objects. */
#include "bench/paper_film.h"
#include "bench/paper_kdet_figures.h"
#include "bench/paper_list.h"
#include "bench/paper_table.h"

/* ---------------------------------------------------------------------------------------------- table 1 */

/* A line of table 1, and the scene that stands for it. */
typedef struct published_scene {
  const char *words, *scene;
  size_t polygons;
  double k, height, kdet_find, kdet_update, kdet_total, gproximity_total;
} published_scene;

static const published_scene table_1[] = {
    {"Dragon", "exploding-solid", 252000, 8.4, 7.8, 8.3, 1.0, 9.3, 33.3},
    {"Whirling cloth", "whirling-cloth", 92000, 6.6, 3.4, 5.2, 0.2, 6.1, 24.0},
    {"N-body", "n-body", 146000, 9.7, 4.4, 4.1, 0.3, 4.4, 19.3},
    {"Funnel", "funnel", 18000, 9.5, 6.7, 1.6, 0.1, 1.7, 13.3},
    {"Chair", "cloth-chair", 40000, 19.0, 10.7, 4.6, 0.1, 4.7, 12.8},
    {"Chair", "cloth-chair", 90000, 20.6, 12.3, 10.0, 0.2, 10.2, 24.5},
    {"Chair", "cloth-chair", 130000, 21.3, 11.8, 14.3, 0.3, 14.6, 34.2},
    {"Breaking Buddha", "breaking-solid", 38000, 16.8, 8.3, 4.9, 0.2, 5.1, 19.7},
    {"Breaking Buddha", "breaking-solid", 68000, 16.8, 8.3, 6.2, 0.2, 6.3, 28.5},
    {"Breaking Buddha", "breaking-solid", 100000, 13.3, 8.3, 7.6, 0.3, 7.9, 40.1},
    {"Breaking Buddha", "breaking-solid", 120000, 13.3, 8.3, 11.8, 0.4, 12.2, 61.7},
    {"Cloth on Buddha", "cloth-statue", 20000, 11.6, 8.3, 1.8, 0.1, 1.9, 8.6},
    {"Cloth on Buddha", "cloth-statue", 40000, 11.1, 8.0, 2.5, 0.1, 2.6, 12.2},
    {"Cloth on Buddha", "cloth-statue", 90000, 10.0, 7.9, 4.4, 0.2, 4.6, 18.7},
    {"Cloth on Buddha", "cloth-statue", 200000, 8.3, 7.6, 7.7, 0.5, 8.2, 33.4},
    {"Cloth on Buddha", "cloth-statue", 250000, 8.2, 7.5, 9.2, 0.5, 9.7, 41.6},
};
enum { TABLE_1_LINES = sizeof table_1 / sizeof table_1[0], FRAMES = 50 };

static void write_line(paper_table *table, const published_scene *line, const film *played) {
  paper_table_words(table, line->words);
  paper_table_number(table, (double)line->polygons, 0);
  paper_table_number(table, line->kdet_update, 1);
  paper_table_number(table, line->kdet_find, 1);
  paper_table_number(table, line->kdet_total, 1);
  paper_table_number(table, line->gproximity_total, 1);
  paper_table_words(table, line->scene);
  paper_table_number(table, (double)played->frames[played->count - 1].primitives, 0);
  paper_table_number(table, (double)played->count, 0);
  paper_table_number(table, film_mean(played, film_update), 3);
  paper_table_number(table, film_mean(played, film_find), 3);
  paper_table_number(table, film_mean(played, film_total), 3);
}

static bool table_line(const study *at, const published_scene *line, paper_table *table) {
  const film_script script = {.scene = line->scene,
                              .primitives = paper_size(at, line->polygons),
                              .frames = film_length(at, FRAMES),
                              .what = line->scene};
  film played;
  const bool good = film_play(at, &script, &played);
  if (played.count > 0) write_line(table, line, &played);
  film_free(&played);
  return good;
}

static bool run_table_1(study *at) {
  static const paper_column columns[] = {
      {"published scene", -16}, {"polygons", 8},       {"kDet update ms", 14},
      {"kDet find ms", 12},     {"kDet total ms", 13}, {"gProximity ms", 13},
      {"our scene", -15},       {"triangles", 9},      {"frames", 6},
      {"our update ms", 13},    {"our find ms", 11},   {"our total ms", 12},
  };
  paper_table table;
  if (!paper_table_open(at, "kdet-table1", columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool good = true;
  for (size_t i = 0; i < TABLE_1_LINES && good; i++) good = table_line(at, &table_1[i], &table);
  return paper_table_close(&table, good);
}

/* ---------------------------------------------------------------------------------------------- the list */

static const paper_figure figures[] = {
    {"kdet-table1", "table 1", "times of all scenes, means over frames", run_table_1},
    {"kdet-grid", "sections 4 and 5", "the grid as it was published, run here beside graze", figure_kdet_grid},
};

const paper paper_kdet = {
    .name = "kdet",
    .document = "Weller, Debowski, Zachmann 2017, kDet",
    .figures = figures,
    .figure_count = sizeof figures / sizeof figures[0],
};
