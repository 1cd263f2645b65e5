/* Lists the papers, and runs the figures that are selected by name. */
#include "lab/lab_list.h"
#include "lab/paper_list.h"

#include <stdlib.h>

static const paper *const papers[] = {&paper_kdet, &paper_tetrahedra, &paper_clusters, &paper_trees, &paper_spheres};
enum { PAPERS = sizeof papers / sizeof papers[0], ROWS_MAX = 256 };

/* Names are those of papers, then those of figures, paper by paper. */
size_t papers_name_count(void) {
  size_t count = PAPERS;
  for (size_t i = 0; i < PAPERS; i++) count += papers[i]->figure_count;
  return count;
}

static const paper_figure *figure_at(size_t number) {
  for (size_t i = 0; i < PAPERS; number -= papers[i++]->figure_count)
    if (number < papers[i]->figure_count) return &papers[i]->figures[number];
  return NULL;
}

const char *papers_name(size_t number) {
  return number < PAPERS ? papers[number]->name : figure_at(number - PAPERS)->name;
}

bool papers_of_devices(size_t number) {
  if (number >= PAPERS) return !figure_at(number - PAPERS)->processor_alone;
  for (size_t i = 0; i < papers[number]->figure_count; i++)
    if (!papers[number]->figures[i].processor_alone) return true;
  return false;
}

void papers_write_names(FILE *stream) {
  for (size_t i = 0; i < PAPERS; i++) {
    fprintf(stream, "  %-18s %s\n", papers[i]->name, papers[i]->document);
    for (size_t j = 0; j < papers[i]->figure_count; j++)
      fprintf(stream, "    %-16s %s: %s\n", papers[i]->figures[j].name, papers[i]->figures[j].published,
              papers[i]->figures[j].words);
  }
}

static bool is_chosen(const study *at, const paper *of, const paper_figure *figure) {
  return bench_words_have(&at->settings->scenes, of->name) || bench_words_have(&at->settings->scenes, figure->name);
}

static size_t chosen_count(const study *at) {
  size_t count = 0;
  for (size_t i = 0; i < PAPERS; i++)
    for (size_t j = 0; j < papers[i]->figure_count; j++) count += is_chosen(at, papers[i], &papers[i]->figures[j]);
  return count;
}

static bool run_paper(study *at, const paper *of, size_t *done, size_t all) {
  bool begun = false;
  for (size_t i = 0; i < of->figure_count; i++) {
    const paper_figure *const figure = &of->figures[i];
    if (!is_chosen(at, of, figure)) continue;
    study_speaks(at);
    if (!begun) printf("\n%s\n", of->document);
    begun = true;
    printf("\n%s, %s: %s\n", figure->name, figure->published, figure->words);
    fflush(stdout);
    bench_watch_share(at->settings->watch, (double)*done / (double)all, 1.0 / (double)all);
    at->row_count = 0;
    if (figure->processor_alone && bench_backend_has_devices(&at->settings->backend))
      printf("skipped: it runs only on the processor\n");
    else if (!figure->run(at))
      return false;
    ++*done;
  }
  return true;
}

bool suite_papers(study *at) {
  const size_t all = chosen_count(at);
  if (all == 0) return study_fail(at, "no paper or figure has that name");
  at->capacity = ROWS_MAX;
  at->rows = calloc(at->capacity, sizeof *at->rows);
  if (at->rows == NULL) return study_fail(at, "out of memory");
  size_t done = 0;
  bool good = true;
  for (size_t i = 0; i < PAPERS && good; i++) good = run_paper(at, papers[i], &done, all);
  free(at->rows);
  at->rows = NULL;
  study_speaks(at);
  printf("\n%zu of %zu figures%s%s\n", done, all, at->settings->figures != NULL ? ", tables and drawings in " : "",
         at->settings->figures != NULL ? at->settings->figures : "");
  return good;
}
