/* Who watches a long run: is told how far it is, and may stop it between two calls. */
#ifndef GRAZE_BENCH_WATCH_H
#define GRAZE_BENCH_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_watch {
  bool (*should_stop)(void *context); /* NULL: nothing does; once true, always true */
  /* `part` of the table is done, from 0 to 1. NULL for `what`: words follow on the screen, and a bar must go. */
  void (*tell)(void *context, const char *table, const char *what, double part);
  void *context;
  /* What is measured now is this share of the table, and comes after that part of it. */
  const char *table;
  double before, share;
} bench_watch;

/* NULL for the watch: nobody. */
static inline bool bench_watch_stops(const bench_watch *watch) {
  return watch != NULL && watch->should_stop != NULL && watch->should_stop(watch->context);
}
void bench_watch_tell(const bench_watch *watch, const char *what, double part); /* of what is measured now */
void bench_watch_clear(const bench_watch *watch);

/* Begins a table, all of which is measured at once until bench_watch_share says otherwise. */
void bench_watch_begin(bench_watch *watch, const char *table);
void bench_watch_share(bench_watch *watch, double before, double share);

#endif
