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
  for (size_t j = 0; j < count; ++j)
    if (rows[j].scene == rows[i].scene && rows[j].method != rows[i].method) room[others++] = rows[j].change;
  *change_out = rows[i].change - median_of(room, others);
  return others >= LEAST_OTHERS;
}

/* The scenes and the change of a method, and the spread over its scenes. */
static method_told center_method(const method_row *rows, size_t count, size_t method, double *away, double *room) {
  method_told told = {0};
  for (size_t i = 0; i < count; ++i)
    if (rows[i].method == method && beside_others(rows, count, i, room, &away[told.scenes])) ++told.scenes;
  told.change = median_of(away, told.scenes);
  for (size_t i = 0; i < told.scenes; ++i) away[i] = fabs(away[i] - told.change);
  return told;
}

/* The spread of all methods together, because that of a dozen scenes is sometimes small by chance. */
static void judge(method_told *told, double spread) {
  told->limit = fmax(change_least, ERRORS_ALLOWED * MEDIAN_ERROR * spread / sqrt((double)told->scenes));
  told->verdict = told->change > told->limit    ? CHANGE_SLOWER
                  : told->change < -told->limit ? CHANGE_FASTER
                                                : CHANGE_NONE;
}

bool method_change_judge(const method_row *rows, size_t count, size_t method_count, method_told *told_out) {
  double *away = calloc(count + 1, sizeof *away), *room = calloc(count + 1, sizeof *room);
  const bool made = away != NULL && room != NULL;
  size_t used = 0;
  for (size_t i = 0; i < method_count && made; ++i) {
    told_out[i] = center_method(rows, count, i, away + used, room);
    used += told_out[i].scenes;
  }
  const double spread = made ? DEVIATION_OF_MEDIAN * median_of(away, used) : 0.0;
  for (size_t i = 0; i < method_count && made; ++i)
    if (told_out[i].scenes >= LEAST_SCENES) judge(&told_out[i], spread);
  free(away);
  free(room);
  return made;
}
