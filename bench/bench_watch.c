/* Reports progress to the watch. */
#include "bench/bench_watch.h"

#include <stddef.h>

void bench_watch_tell(const bench_watch *watch, const char *what, double part) {
  if (watch != NULL && watch->report != NULL)
    watch->report(watch->context, watch->table, what, watch->before + watch->share * part);
}

void bench_watch_clear(const bench_watch *watch) {
  if (watch != NULL && watch->report != NULL) watch->report(watch->context, watch->table, NULL, watch->before);
}

void bench_watch_begin(bench_watch *watch, const char *table) {
  if (watch == NULL) return;
  watch->table = table;
  bench_watch_share(watch, 0.0, 1.0);
}

void bench_watch_share(bench_watch *watch, double before, double share) {
  if (watch == NULL) return;
  watch->before = before;
  watch->share = share;
}
