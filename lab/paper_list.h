/* The suite of papers: reproduces published figures and tables on scenes of this project, with the published numbers
 * next to those of this machine. A paper is a list of figures in its own file; suite_papers.c runs the selected ones.
 */
#ifndef GRAZE_PAPER_LIST_H
#define GRAZE_PAPER_LIST_H

#include "bench/study_tools.h"

typedef struct paper_figure {
  const char *name;       /* as one asks for it: the paper in a word, then what of it. Files are paper_NAME.csv, .svg */
  const char *published;  /* what it is called there, as "table 1" */
  const char *words;      /* one line */
  bool (*run)(study *at); /* prints a table, and draws. Stopped, it shows what it has and returns false */
  bool processor_alone;   /* it is about what a device does not have, or measures nothing there */
} paper_figure;

typedef struct paper {
  const char *name;     /* chooses all of its figures */
  const char *document; /* author, year, title */
  const paper_figure *figures;
  size_t figure_count;
} paper;

extern const paper paper_kdet;
extern const paper paper_tetrahedra;
extern const paper paper_clusters;
extern const paper paper_spheres;
extern const paper paper_trees;

#endif
