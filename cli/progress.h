/* What a long run is doing, on stderr, for someone who sits before a terminal. */
#ifndef GRAZE_PROGRESS_H
#define GRAZE_PROGRESS_H

#include "plain_words.h"

typedef struct progress {
  console screen;
  bool quiet;       /* was asked to say nothing */
  bool silent;      /* quiet, or nobody is looking */
  bool open;        /* a line is begun and not ended */
  double drawn_ms;  /* when the bar was drawn last */
  const char *task; /* what is measured, */
  double begun_ms;  /* and since when */
} progress;

progress progress_start(bool quiet);

/* "reading FILE ...", when the file is large enough to be waited for. */
void progress_reading(progress *steps, const char *file);

/* "VERB 1,000,000 triangles ...", when there are enough to be waited for; `amount` is the count in words. */
void progress_working(progress *steps, const char *verb, uint64_t count, const char *amount);

/* Ends the line that is begun, if one is: "... 1,000,000 triangles". */
void progress_done(progress *steps, const char *outcome);

/* "[#####     ] 12 of 340 files", over itself; not for a single file. The second takes it away. */
void progress_bar(progress *steps, size_t done, size_t total);

/* "[#####     ] 1234 of 10000 spheres, 71 % full, 12 s left", over itself; progress_bar_done takes it away. `part` of
 * the work, from 0 to 1, is what the time left goes by. */
void progress_filling(progress *steps, size_t done, size_t total, double fill_rate, double part);

/* "[#####     ] between-knots, 3 min left": `part` of the task, from 0 to 1, where it is at `place` now; the time goes
 * by how long the part that is done took. */
void progress_measuring(progress *steps, const char *task, const char *place, double part);

/* "[#####     ] 12 of 340 frames, 4.2 s left", over itself; likewise. */
void progress_frames(progress *steps, size_t done, size_t total, double left_ms);
void progress_bar_done(progress *steps);

#endif
