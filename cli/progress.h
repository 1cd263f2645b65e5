/* The progress of a long run, on stderr, if that is a terminal. */
#ifndef GRAZE_PROGRESS_H
#define GRAZE_PROGRESS_H

#include "plain_words.h"

typedef struct progress {
  console screen;
  bool quiet;       /* --quiet was given */
  bool silent;      /* quiet, or not a terminal */
  bool open;        /* a line has begun and not ended */
  double drawn_ms;  /* time when the bar was last drawn */
  const char *task; /* the measured item, */
  double begun_ms;  /* and its start */
} progress;

progress progress_start(bool quiet);

/* Prints "reading FILE ..." if the file is large enough. */
void progress_reading(progress *steps, const char *file);

/* Prints "VERB 1,000,000 triangles ..." if there are enough; `amount` is the count as text. */
void progress_working(progress *steps, const char *verb, uint64_t count, const char *amount);

/* Ends a line that has begun: "... 1,000,000 triangles". */
void progress_done(progress *steps, const char *outcome);

/* Redraws "[#####     ] 12 of 340 files"; not for a single file. The second removes it. */
void progress_bar(progress *steps, size_t done, size_t total);

/* Redraws "[#####     ] 1234 of 10000 spheres, 71 % full, 12 s left"; progress_bar_done removes it. The time left
 * follows from `part`, the finished fraction of the work. */
void progress_filling(progress *steps, size_t done, size_t total, double fill_rate, double part);

/* Redraws "[#####     ] between-knots, 3 min left": `part` is the finished fraction of the task, which is now at
 * `place`; the time left follows from the time so far. */
void progress_measuring(progress *steps, const char *task, const char *place, double part);

/* Redraws "[#####     ] 12 of 340 frames, 4.2 s left"; likewise. */
void progress_frames(progress *steps, size_t done, size_t total, double left_ms);
void progress_bar_done(progress *steps);

#endif
