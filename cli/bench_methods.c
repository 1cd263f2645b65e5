/* Numbers scenes and methods of rows by their first row. Workload: hundreds of rows, each compared with the previous
 * ones. */
#include "bench_methods.h"

#include "complaint.h"

#include <stdlib.h>
#include <string.h>

/* Whether two rows belong to one scene: equal in everything that does not depend on the method. */
static bool same_scene(const bench_history *history, const past_row *a, const past_row *b) {
  static const char *const texts[] = {"table", "scene", "kind", "test", "question", "frame", "backend"};
  static const char *const numbers[] = {"primitives", "step", "threads"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (strcmp(past_row_text(history, a, texts[i]), past_row_text(history, b, texts[i])) != 0) return false;
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (past_row_number(history, a, numbers[i]) != past_row_number(history, b, numbers[i])) return false;
  return true;
}

static bool same_method(const bench_history *history, const past_row *a, const past_row *b) {
  return strcmp(past_row_text(history, a, "method"), past_row_text(history, b, "method")) == 0 &&
         a->on_device == b->on_device;
}

/* The first row in both records that equals this one. */
static size_t first_like(const bench_comparison *of, size_t i,
                         bool (*is_like)(const bench_history *, const past_row *, const past_row *)) {
  const past_row *rows = of->fresh->rows;
  for (size_t j = 0; j < i; j++)
    if (of->matches.old_of[j] != NULL && is_like(of->fresh, &rows[j], &rows[i])) return j;
  return i;
}

/* Scenes and methods are numbered by their first row. */
static size_t list_method_rows(const bench_comparison *of, method_row *rows_out) {
  size_t count = 0;
  for (size_t i = 0; i < of->fresh->count; i++) {
    if (of->matches.old_of[i] == NULL) continue;
    const double change = of->fresh->rows[i].on_device ? of->results[i].wall : of->results[i].processor;
    rows_out[count++] = (method_row){
        .scene = first_like(of, i, same_scene), .method = first_like(of, i, same_method), .change = change};
  }
  return count;
}

method_result *bench_methods_judge(const bench_comparison *of) {
  method_row *rows = calloc(of->fresh->count + 1, sizeof *rows);
  method_result *results = calloc(of->fresh->count + 1, sizeof *results);
  const bool made = rows != NULL && results != NULL &&
                    method_change_judge(rows, list_method_rows(of, rows), of->fresh->count, results);
  free(rows);
  if (made) return results;
  free(results);
  complain("out of memory");
  return NULL;
}
