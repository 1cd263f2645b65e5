/* The picture of a check: its caption, and the drawing of all listed pairs. */
#include "check_outcome.h"
#include "pair_picture.h"

enum { CAPTION_BYTES = 128 };

static void write_caption(const check_outcome *outcome, char caption[CAPTION_BYTES]) {
  snprintf(
      caption, CAPTION_BYTES, "%s%s, %s", outcome->pairs.limit_reached ? "more than " : "",
      counted(outcome->pairs.count, outcome->options->search.query.candidates_only ? "candidate pair" : "pair").text,
      object_list_amount(outcome->objects).text);
}

bool check_outcome_draw(const check_outcome *outcome, const graze_scene *scene, const output_file *file) {
  char caption[CAPTION_BYTES];
  write_caption(outcome, caption);
  const check_options *options = outcome->options;
  return pair_picture_draw(outcome->objects, scene, &options->search.query, &outcome->pairs, &options->drawing, caption,
                           file);
}
