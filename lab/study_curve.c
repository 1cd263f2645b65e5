/* The study of sweeping along a principal curve: the number of overlapping intervals along a curve of one to ten
 * segments, compared with the straight axis, and the time to learn it.
 *
 * The first row is the straight axis: the curve before learning. Intervals are those of the triangles, not of their
 * boxes. Learning uses 1024 points, like the method clusters, or all of them. */
#include "bench/bench_bodies.h"
#include "bench/bench_record.h"
#include "lab/lab_list.h"
#include "lab/principal_curve.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRIMITIVES = 92000, SAMPLE = 1024 };

/* Three cloths, and a body that is a curve but for its thickness. */
static const char *const models[] = {"draped-cloth", "cloth", "folded-cloth", "knot"};

/* All triangles of a scene, and what is made of them. */
typedef struct triangle_list {
  double (*corners)[3]; /* three each */
  double *middles;      /* three coordinates each */
  size_t count;
  double *starts, *ends; /* of intervals; room for as many as there can be */
  unsigned char *parts;
} triangle_list;

static void free_triangles(triangle_list *list) {
  free(list->corners);
  free(list->middles);
  free(list->starts);
  free(list->ends);
  free(list->parts);
}

static void copy_triangle(const mesh *from, size_t triangle, triangle_list *list) {
  double(*const corners)[3] = list->corners + 3 * list->count;
  double *const middle = list->middles + 3 * list->count++;
  memset(middle, 0, 3 * sizeof *middle);
  for (size_t i = 0; i < 3; i++) {
    memcpy(corners[i], from->positions + 3 * (size_t)from->triangles[3 * triangle + i], sizeof corners[i]);
    for (int k = 0; k < 3; k++) middle[k] += corners[i][k] / 3.0;
  }
}

static bool make_triangles(const bench_scene *scene, triangle_list *list) {
  size_t count = 0;
  for (size_t i = 0; i < scene->body_count; i++) count += scene->bodies[i].triangle_count;
  *list = (triangle_list){.corners = calloc(3 * count + 1, sizeof *list->corners),
                          .middles = calloc(3 * count + 1, sizeof *list->middles),
                          .starts = calloc(CURVE_SEGMENTS_MOST * count + 1, sizeof *list->starts),
                          .ends = calloc(CURVE_SEGMENTS_MOST * count + 1, sizeof *list->ends),
                          .parts = calloc(count + 1, 1)};
  if (list->corners == NULL || list->middles == NULL || list->starts == NULL || list->ends == NULL ||
      list->parts == NULL)
    return false;
  for (size_t i = 0; i < scene->body_count; i++)
    for (size_t t = 0; t < scene->bodies[i].triangle_count; t++) copy_triangle(&scene->bodies[i], t, list);
  return count > 0;
}

/* Evenly spread over the numbers, into the first places; all where there are no more than asked for. */
static size_t spread_points(triangle_list *list, size_t wanted, double *points_out) {
  const size_t count = list->count < wanted ? list->count : wanted;
  for (size_t i = 0; i < count; i++)
    memcpy(points_out + 3 * i, list->middles + 3 * (i * list->count / count), 3 * sizeof *points_out);
  return count;
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Pairs of intervals that share a point: all pairs less those of which one ends before the other starts. */
static uint64_t count_overlaps(triangle_list *list, size_t count) {
  qsort(list->starts, count, sizeof *list->starts, compare_numbers);
  qsort(list->ends, count, sizeof *list->ends, compare_numbers);
  uint64_t apart = 0;
  for (size_t i = 0, ended = 0; i < count; i++) {
    while (ended < count && list->ends[ended] < list->starts[i]) ended++;
    apart += ended;
  }
  return (uint64_t)count * (count - 1) / 2 - apart;
}

static void add_interval(triangle_list *list, size_t number, double start, double end) {
  list->starts[number] = start;
  list->ends[number] = end;
}

/* One interval each, or as many as there are; returns how many. */
static size_t put_on_curve(const principal_curve *curve, triangle_list *list, bool several) {
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    curve_interval intervals[CURVE_SEGMENTS_MOST];
    const size_t pieces = principal_curve_intervals(curve, list->corners + 3 * i, 3, intervals);
    if (!several) add_interval(list, count++, intervals[0].start, intervals[pieces - 1].end);
    for (size_t k = 0; k < pieces && several; k++) add_interval(list, count++, intervals[k].start, intervals[k].end);
  }
  return count;
}

typedef struct curve_row {
  double learning_ms, again_ms, intervals_ms; /* from nothing; once more, as in the next frame; of all triangles */
  double error;                               /* root of the mean squared distance, over the radius */
  uint64_t overlaps;                          /* of one interval each */
  uint64_t of_pieces;                         /* of as many as there are */
  double pieces;                              /* a triangle, on average */
} curve_row;

static void print_row(const char *name, size_t points, size_t segments, const curve_row *row, uint64_t straight) {
  printf("%-14s %9zu %8zu %11.2f %9.2f %12.2f %8.4f %13" PRIu64 " %8.3f %7.3f %8.3f\n", name, points, segments,
         row->learning_ms, row->again_ms, row->intervals_ms, row->error, row->overlaps,
         (double)row->overlaps / (double)straight, row->pieces, (double)row->of_pieces / (double)straight);
  fflush(stdout);
}

static void measure_curve(const principal_curve *curve, triangle_list *list, const curve_points *points,
                          curve_row *row) {
  const double begin = bench_milliseconds();
  const size_t intervals = put_on_curve(curve, list, false);
  row->intervals_ms = bench_milliseconds() - begin;
  row->error = sqrt(principal_curve_error(curve, points)) / (points->radius > 0.0 ? points->radius : 1.0);
  row->overlaps = count_overlaps(list, intervals);
  const size_t pieces = put_on_curve(curve, list, true);
  row->pieces = (double)pieces / (double)list->count;
  row->of_pieces = count_overlaps(list, pieces);
}

/* The axis, then the curve as it grows. */
static void learn_and_print(const char *name, triangle_list *list, curve_points *points) {
  principal_curve curve;
  curve_row row = {0};
  double begin = bench_milliseconds();
  principal_curve_start(&curve, points);
  row.learning_ms = bench_milliseconds() - begin;
  measure_curve(&curve, list, points, &row);
  const uint64_t straight = row.overlaps > 0 ? row.overlaps : 1;
  print_row(name, points->count, 0, &row, straight);
  for (size_t segments = 1; segments <= CURVE_SEGMENTS_MOST; segments++) {
    begin = bench_milliseconds();
    if (segments > 1) principal_curve_grow(&curve, points);
    principal_curve_fit(&curve, points);
    row.learning_ms += bench_milliseconds() - begin;
    principal_curve again = curve;
    begin = bench_milliseconds();
    principal_curve_fit(&again, points);
    row.again_ms = bench_milliseconds() - begin;
    measure_curve(&curve, list, points, &row);
    print_row(name, points->count, segments, &row, straight);
  }
}

static bool run_model(study *at, const char *name) {
  bench_scene scene;
  triangle_list list;
  if (!bench_bodies_make(name, study_scaled(at, PRIMITIVES), &scene, at->error, at->error_bytes)) return false;
  bool made = make_triangles(&scene, &list);
  double *const positions = made ? malloc(3 * list.count * sizeof *positions) : NULL;
  made = made && positions != NULL;
  for (size_t wanted = SAMPLE; made; wanted = list.count) {
    curve_points points = {
        .positions = positions, .count = spread_points(&list, wanted, positions), .parts = list.parts};
    learn_and_print(name, &list, &points);
    if (wanted >= list.count) break;
  }
  free(positions);
  free_triangles(&list);
  bench_scene_free(&scene);
  return made || study_fail(at, "out of memory");
}

bool study_curve(study *at) {
  printf("%-14s %9s %8s %11s %9s %12s %8s %13s %8s %7s %8s\n", "scene", "points", "segments", "learning ms", "again ms",
         "intervals ms", "error", "overlaps", "of axis", "pieces", "of axis");
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    if (!study_goes_on(at, models[i], (double)i / (double)(sizeof models / sizeof models[0]))) return false;
    study_speaks(at);
    if (!run_model(at, models[i])) return false;
  }
  return true;
}
