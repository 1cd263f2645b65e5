/* k and the height of the hierarchy of meshes: section 6.1 of kDet, where 8000 meshes of a database have a mean k of
 * 30.79 and a mean height of 8.17. This figure uses the meshes of GRAZE_DATA, if any, and built-in models with the mean
 * number of triangles of the published meshes. `graze analyze --plot` draws box plots like those of figure 6. */
#include "bench/bench_record.h"
#include "lab/paper_crowding.h"
#include "lab/paper_kdet_figures.h"
#include "lab/paper_table.h"

#include "mesh_io/mesh_file.h"
#include "models/model.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL_TRIANGLES = 20657, QUICK_MOST = 100000, MEDIAN_MOST = 4096 };

/* Sums over meshes, and of squares, of k, of its part that shares a vertex, and of the height. */
typedef struct k_sums {
  size_t count;
  double sum[3], squares[3];
  double k[MEDIAN_MOST]; /* of the first so many, for the median */
} k_sums;

static void add_to_sums(k_sums *sums, const paper_crowding *crowding) {
  const double values[3] = {crowding->k, crowding->k_neighbors, crowding->height};
  if (sums->count < MEDIAN_MOST) sums->k[sums->count] = crowding->k;
  sums->count++;
  for (int i = 0; i < 3; i++) {
    sums->sum[i] += values[i];
    sums->squares[i] += values[i] * values[i];
  }
}

static bool add_meshes(const study *at, const char *name, const mesh *meshes, size_t count, k_sums *sums,
                       paper_table *table) {
  paper_crowding crowding;
  if (!paper_crowding_measure(at, meshes, count, &crowding)) return false;
  if (crowding.k == 0) return true; /* no triangles */
  add_to_sums(sums, &crowding);
  paper_table_words(table, name);
  paper_table_number(table, (double)crowding.primitives, 0);
  paper_table_number(table, crowding.k, 0);
  paper_table_number(table, crowding.k_neighbors, 0);
  paper_table_number(table, crowding.mean, 1);
  paper_table_number(table, crowding.height, 1);
  return true;
}

/* ---------------------------------------------------------------------------------------------- meshes of files */

static size_t triangles_of(const mesh *meshes, size_t count) {
  size_t triangles = 0;
  for (size_t i = 0; i < count; i++) triangles += meshes[i].triangle_count;
  return triangles;
}

/* A file that is no mesh is passed over. */
static bool add_file(const study *at, const char *folder, const char *name, k_sums *sums, paper_table *table) {
  char path[4096], unused[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  mesh *meshes = NULL;
  size_t count = 0;
  if (!mesh_file_read(path, NULL, &meshes, &count, unused, sizeof unused)) return true;
  const size_t most = at->settings->suite->triangles != 0 ? at->settings->suite->triangles
                      : at->settings->quick               ? QUICK_MOST
                                                          : SIZE_MAX;
  const bool good = triangles_of(meshes, count) > most || add_meshes(at, name, meshes, count, sums, table);
  mesh_list_free(meshes, count);
  return good;
}

static bool add_files(const study *at, k_sums *sums, paper_table *table) {
  char folder[2048];
  struct dirent **names = NULL;
  if (at->settings->data == NULL) return true;
  snprintf(folder, sizeof folder, "%s/meshes", at->settings->data);
  const int count = scandir(folder, &names, NULL, alphasort);
  bool good = true;
  for (int i = 0; i < count; i++) {
    good = good && study_goes_on(at, "meshes", 0.8 * i / count);
    if (good && names[i]->d_name[0] != '.') good = add_file(at, folder, names[i]->d_name, sums, table);
    free(names[i]);
  }
  free(names);
  return good;
}

/* ---------------------------------------------------------------------------------------------- models */

static bool add_models(const study *at, k_sums *sums, paper_table *table) {
  static const char *const names[] = {"sphere", "torus",        "knot",         "blob", "gear",
                                      "cloth",  "folded-cloth", "draped-cloth", "rods", "mix"};
  const size_t count = sizeof names / sizeof names[0];
  for (size_t i = 0; i < count; i++) {
    if (!study_goes_on(at, names[i], 0.8 + 0.2 * (double)i / (double)count)) return false;
    model_parameters parameters = model_parameters_default();
    parameters.primitives = paper_size(at, MODEL_TRIANGLES);
    mesh *meshes = NULL;
    size_t mesh_count = 0;
    if (!model_make(model_find(names[i]), &parameters, &meshes, &mesh_count, at->error, at->error_bytes)) return false;
    const bool good = add_meshes(at, names[i], meshes, mesh_count, sums, table);
    mesh_list_free(meshes, mesh_count);
    if (!good) return false;
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- the figure */

static void print_sums(const char *words, k_sums *sums) {
  static const char *const names[3] = {"k", "of it neighbors", "height"};
  static const double published[3][2] = {{30.79, 32.82}, {6.44, 6.14}, {8.17, 4.03}};
  if (sums->count == 0) return;
  for (int i = 0; i < 3; i++) {
    const double mean = sums->sum[i] / (double)sums->count;
    const double deviation = sqrt(fmax(0.0, sums->squares[i] / (double)sums->count - mean * mean));
    printf("%zu %s, %s: mean %.2f, deviation %.2f; published, of 8000 meshes: %.2f, %.2f\n", sums->count, words,
           names[i], mean, deviation, published[i][0], published[i][1]);
  }
  printf("%zu %s: median of k %.0f\n", sums->count, words,
         bench_median(sums->k, sums->count < MEDIAN_MOST ? sums->count : MEDIAN_MOST));
}

bool figure_kdet_k(study *at) {
  static const paper_column columns[] = {{"mesh", -28},           {"triangles", 9}, {"k", 6},
                                         {"of it neighbors", 16}, {"mean k", 7},    {"height", 6}};
  paper_table table;
  if (!paper_table_open(at, "kdet-k", columns, sizeof columns / sizeof columns[0], &table)) return false;
  static k_sums files, models; /* too large for a stack */
  files = (k_sums){0};
  models = (k_sums){0};
  const bool good = add_files(at, &files, &table) && add_models(at, &models, &table);
  study_speaks(at);
  print_sums("meshes of files", &files);
  print_sums("models", &models);
  return paper_table_close(&table, good);
}
