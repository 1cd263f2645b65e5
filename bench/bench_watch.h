/* Progress reports of a long run, which the watch may stop between two calls. */
#ifndef GRAZE_BENCH_WATCH_H
#define GRAZE_BENCH_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_watch {
  bool (*should_stop)(void *context); /* NULL: never; once true, always true */
  /* `part` of the table is complete, from 0 to 1. NULL for `what`: text output follows; remove the progress bar. */
  void (*report)(void *context, const char *table, const char *what, double part);
  void *context;
  /* The current measurement is this share of the table and follows that part of it. */
  const char *table;
  double before, share;
} bench_watch;

/* `watch` may be NULL. */
static inline bool bench_watch_stops(const bench_watch *watch) {
  return watch != NULL && watch->should_stop != NULL && watch->should_stop(watch->context);
}
void bench_watch_tell(const bench_watch *watch, const char *what, double part); /* of the current measurement */
void bench_watch_clear(const bench_watch *watch);

/* Begins a table. The current measurement is the whole table until bench_watch_share sets a share. */
void bench_watch_begin(bench_watch *watch, const char *table);
void bench_watch_share(bench_watch *watch, double before, double share);

#endif
