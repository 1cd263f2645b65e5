/* Methods beside each other: see method_change.h. Workload: some hundred rows, each compared with all. */
#include "method_change.h"

#include "robust_center.h"

#include <math.h>
#include <stdlib.h>

/* Scenes from which a method is judged, other methods that it is compared with in each, and errors of the median beyond
 * which it is told. */
enum { LEAST_SCENES = 6, LEAST_OTHERS = 2, ERRORS_ALLOWED = 4 };

/* What a row changed by beside the others of its scene; false where there are too few of them. */
static bool beside_others(const method_row *rows, size_t count, size_t i, double *room, double *change_out) {
  size_t others = 0;
  for (size_t j = 0; j < count; ++j)
    if (rows[j].scene == rows[i].scene && rows[j].method != rows[i].method) room[others++] = rows[j].change;
  *change_out = rows[i].change - median_of(room, others);
  return others >= LEAST_OTHERS;
}

/* Scenes and change of a method, and how far its scenes are from that. */
static method_told center_method(const method_row *rows, size_t count, size_t method, double *away, double *room) {
  method_told told = {0};
  for (size_t i = 0; i < count; ++i)
    if (rows[i].method == method && beside_others(rows, count, i, room, &away[told.scenes])) ++told.scenes;
  told.change = median_of(away, told.scenes);
  for (size_t i = 0; i < told.scenes; ++i) away[i] = fabs(away[i] - told.change);
  return told;
}

/* The spread of all methods together: that of a dozen scenes is small by chance once in a while. */
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
