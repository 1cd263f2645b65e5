/* Compares methods; see method_change.h. Workload: hundreds of rows, each compared with all. */
#include "method_change.h"

#include "robust_center.h"

#include <math.h>
#include <stdlib.h>

/* The least number of scenes of a judged method, of other methods in each scene, and of standard errors of a reported
 * median. */
enum { LEAST_SCENES = 6, LEAST_OTHERS = 2, ERRORS_ALLOWED = 4 };

/* The change of a row relative to the others of its scene; false if there are too few of them. */
static bool beside_others(const method_row *rows, size_t count, size_t i, double *room, double *change_out) {
  size_t others = 0;
  for (size_t j = 0; j < count; j++)
    if (rows[j].scene == rows[i].scene && rows[j].method != rows[i].method) room[others++] = rows[j].change;
  *change_out = rows[i].change - median_of(room, others);
  return others >= LEAST_OTHERS;
}

/* The scenes and the change of a method, and the spread over its scenes. */
static method_result center_method(const method_row *rows, size_t count, size_t method, double *away, double *room) {
  method_result result = {0};
  for (size_t i = 0; i < count; i++)
    if (rows[i].method == method && beside_others(rows, count, i, room, &away[result.scenes])) result.scenes++;
  result.change = median_of(away, result.scenes);
  for (size_t i = 0; i < result.scenes; i++) away[i] = fabs(away[i] - result.change);
  return result;
}

/* The spread of all methods together, because that of a dozen scenes is sometimes small by chance. */
static void judge_method(method_result *result, double spread) {
  result->limit = fmax(change_least, ERRORS_ALLOWED * MEDIAN_ERROR * spread / sqrt((double)result->scenes));
  result->verdict = result->change > result->limit    ? CHANGE_SLOWER
                    : result->change < -result->limit ? CHANGE_FASTER
                                                      : CHANGE_NONE;
}

bool method_change_judge(const method_row *rows, size_t count, size_t method_count, method_result *results_out) {
  double *away = calloc(count + 1, sizeof *away), *room = calloc(count + 1, sizeof *room);
  const bool made = away != NULL && room != NULL;
  size_t used = 0;
  for (size_t i = 0; i < method_count && made; i++) {
    results_out[i] = center_method(rows, count, i, away + used, room);
    used += results_out[i].scenes;
  }
  const double spread = made ? DEVIATION_OF_MEDIAN * median_of(away, used) : 0.0;
  for (size_t i = 0; i < method_count && made; i++)
    if (results_out[i].scenes >= LEAST_SCENES) judge_method(&results_out[i], spread);
  free(away);
  free(room);
  return made;
}
