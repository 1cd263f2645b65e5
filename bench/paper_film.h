/* A scene that moves, measured frame by frame: positions from the host, update, all pairs, sorted, on the host. */
#ifndef GRAZE_PAPER_FILM_H
#define GRAZE_PAPER_FILM_H

#include "bench/study_tools.h"

typedef struct film_frame {
  double total_ms;  /* wall time from new positions to the sorted list; this and the next two the least of the rounds */
  double update_ms; /* by the library's clock: positions, boxes and the search structure */
  double find_ms;   /* by the same clock: search, tests, order */
  graze_timings stages;    /* of the round with the least total */
  graze_counters counters; /* likewise */
  size_t primitives, objects;
  uint64_t pairs, hash;
  uint64_t colliding; /* primitives that are in a pair */
} film_frame;

typedef struct film {
  film_frame *frames; /* owned */
  size_t count;       /* of frames that were played: fewer than were asked for after a stop */
} film;

typedef struct film_script {
  const char *scene; /* of moving_scene_find */
  size_t primitives; /* about so many */
  size_t frames;
  graze_scope scope; /* 0: both */
  graze_dedup dedup; /* of the grid; the processor's */
  const char *what;  /* for the bar */
} film_script;

/* On the backend and the threads of the settings, by the grid. False after a failure, with a message, and after a stop,
 * with what was played; film_free in every case. */
bool film_play(const study *at, const film_script *script, film *film_out);
void film_free(film *played);

double film_mean(const film *played, double (*value)(const film_frame *frame));
double film_total(const film_frame *frame);  /* total_ms */
double film_update(const film_frame *frame); /* update_ms */
double film_find(const film_frame *frame);   /* find_ms */

/* Frames of a scene that has so many by itself: a tenth where it is to be quick. */
size_t film_length(const study *at, size_t frames);

#endif
