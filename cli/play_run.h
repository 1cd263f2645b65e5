/* A run of `graze play`: frames one after the other, and a record of each. */
#ifndef GRAZE_PLAY_RUN_H
#define GRAZE_PLAY_RUN_H

#include "play_outcome.h"
#include "progress.h"

/* Plays all frames, with a complaint, a line and a record for each. False after an error that ends the run; earlier
 * records stay. `lines` NULL: prints nothing. `csv` NULL: writes none. */
bool play_run_all(play_run *run, FILE *lines, FILE *csv, progress *steps);

/* Returns the hash of the frames so far and one more: random_mix(before + 0x9e3779b97f4a7c15) + hash of its pairs,
 * modulo 2^64. The hash of no frames is 0. */
uint64_t run_hash_append(uint64_t before, uint64_t frame_hash);

/* Draws the frame played last; false after a complaint. */
bool play_run_draw(play_run *run);

void play_run_release(play_run *run);

#endif
