/* Runs `graze play` with given options, for graze-mpi, whose frames other processes also search. */
#ifndef GRAZE_PLAY_FRAMES_H
#define GRAZE_PLAY_FRAMES_H

#include "frame_searcher.h"
#include "play_options.h"

/* Plays the frames of the options and writes the requested outputs. `searcher` NULL: scenes of this process. */
exit_code play_frames_of(play_options *options, const frame_searcher *searcher);

/* Writes "Methods:" and "Moving scenes:" for help texts. */
void play_write_names(FILE *stream);

#endif
