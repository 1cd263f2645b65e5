/* A moving scene, measured frame by frame: positions from the host, update, all pairs, sorted, on the host. */
#ifndef GRAZE_PAPER_FILM_H
#define GRAZE_PAPER_FILM_H

#include "lab/paper_crowding.h"

typedef struct film_frame {
  size_t number; /* from 1 on, of all frames of the scene */
  /* From new positions to the sorted list; this and the next two the least of the rounds. Wall time; with one thread of
   * the processor the time of that, in which other work of the machine is hardly seen, and stages are parts of it. */
  double total_ms;
  double update_ms;                       /* by the library's clock: positions, boxes and the search structure */
  double find_ms;                         /* by the same clock: search, tests, order */
  double mean_ms, deviation_ms, worst_ms; /* of total_ms over the rounds */
  graze_timings stages;                   /* each the least of the rounds */
  graze_counters counters;                /* of the last round */
  size_t primitives, objects;
  uint64_t pairs, hash;
  uint64_t colliding; /* primitives that are in a pair */
  double depth; /* of two objects: how far their boxes overlap along x, over the width of the first, from 0 to 1 */
} film_frame;

typedef struct film {
  film_frame *frames;      /* owned */
  size_t count;            /* of frames that were measured: fewer than were asked for after a stop */
  paper_crowding crowding; /* of the last frame, where it was asked for */
} film;

/* Zero members select defaults. */
typedef struct film_script {
  const char *scene;            /* of moving_scene_find */
  size_t primitives;            /* about so many */
  size_t frames;                /* of the scene: it is played as long as that */
  size_t every;                 /* so many frames one is measured; 0: all are */
  const char *method;           /* NULL: the grid */
  graze_scope scope;            /* 0: both */
  const bench_variant *variant; /* of the method; NULL: none */
  uint32_t clusters;            /* of the method clusters, as the axis: graze_method_def */
  graze_axis axis;
  graze_test test;
  bool filled; /* its bodies are a bunny and a head, where the folder of real meshes is there: paper_filled.h */
  bool closer; /* the last object stands so much nearer to the first, a tenth of its width, that they run into each
                  other where the scene keeps them apart */
  void (*look)(void *context, const mesh *meshes, size_t count); /* at every frame that is measured; may be NULL */
  void *look_context;
  bool crowding;    /* k of the last frame is measured, too */
  const char *what; /* for the bar */
} film_script;

/* Plays a film on the backend and threads of the settings. Returns false with a message on failure, and false with the
 * frames so far if stopped; call film_free in every case. */
bool film_play(const study *at, const film_script *script, film *film_out);
void film_free(film *played);

double film_mean(const film *played, double (*value)(const film_frame *frame));
double film_total(const film_frame *frame);  /* total_ms */
double film_update(const film_frame *frame); /* update_ms */
double film_find(const film_frame *frame);   /* find_ms */
double film_candidates(const film_frame *frame);
double film_box_tests(const film_frame *frame);
double film_pairs(const film_frame *frame);
double film_median(const film *played); /* of total_ms; 0 without frames */
double film_most(const film *played);   /* likewise the largest */

/* For quick runs: a tenth of the frames of a scene; or the interval of measured frames, so that there are ten.
 * Simulated scenes need the second, because their contacts occur late. */
size_t film_length(const study *at, size_t frames);
size_t film_every(const study *at, size_t frames);

#endif
