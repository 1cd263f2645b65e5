/* Figures of the thesis on tetrahedra that have their own file, for the list in paper_tetrahedra.c. */
#ifndef GRAZE_PAPER_TETRAHEDRA_FIGURES_H
#define GRAZE_PAPER_TETRAHEDRA_FIGURES_H

#include "lab/paper_film.h"

bool figure_tetra_pass(study *at);
bool figure_tetra_brute(study *at);
bool figure_tetra_blocks(study *at);

/* A line of table 6.2: what was published, and the film whose first frame stands for it. */
typedef struct fill_scene {
  const char *published;
  size_t tetrahedra;
  double percent;
  film_script script;
} fill_scene;

bool figure_tetra_fill(study *at, const fill_scene *scenes, size_t scene_count);

#endif
