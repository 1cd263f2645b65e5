/* The outcome of a check in plain words: the verdict is the first line and needs no other.
 *
 * Workload: at most a few dozen lines, however many pairs there are; whoever wants them all has --csv and --json. */
#include "check_outcome.h"

#include <inttypes.h>

enum { ROWS_SHOWN = 20, PAIRS_SHOWN = 5 };

static void write_quantity(const check_outcome *outcome, FILE *stream) {
  const char *opening = outcome->pairs.limit_reached ? "more than " : "";
  fprintf(stream, "%s%s of triangles", opening, counted(outcome->pairs.count, "pair").text);
}

static void write_within(const check_outcome *outcome, FILE *stream) {
  const object_list *objects = outcome->objects;
  object_list_write_label(objects, 0, stream);
  if (outcome->pairs.count == 0) {
    fputs(": no triangle intersects another", stream);
    return;
  }
  fputs(" intersects itself: ", stream);
  write_quantity(outcome, stream);
}

static void write_between_two(const check_outcome *outcome, FILE *stream) {
  const object_list *objects = outcome->objects;
  object_list_write_label(objects, 0, stream);
  fputs(" and ", stream);
  object_list_write_label(objects, 1, stream);
  if (outcome->pairs.count == 0) {
    fputs(" do not intersect", stream);
    return;
  }
  fputs(" intersect: ", stream);
  write_quantity(outcome, stream);
}

static void write_between_many(const check_outcome *outcome, FILE *stream) {
  const uint64_t count = outcome->objects->count;
  if (count < 2) {
    fputs("There are no two objects that could intersect", stream);
    return;
  }
  if (outcome->pairs.count == 0) {
    fprintf(stream, "None of the %s intersects another", counted(count, "object").text);
    return;
  }
  const char *opening = outcome->pairs.limit_reached ? "At least " : "";
  fprintf(stream, "%s%s of the %s of objects %s: ", opening, grouped_number(outcome->table.count).text,
          counted(count * (count - 1) / 2, "pair").text, outcome->table.count == 1 ? "intersects" : "intersect");
  write_quantity(outcome, stream);
}

static void write_both(const check_outcome *outcome, FILE *stream) {
  if (outcome->pairs.count == 0) {
    fprintf(stream, "No triangle of the %s intersects another", counted(outcome->objects->count, "object").text);
    return;
  }
  fprintf(stream, "%s%s of triangles %s: %s within one object, %s between two",
          outcome->pairs.limit_reached ? "More than " : "", counted(outcome->pairs.count, "pair").text,
          outcome->pairs.count == 1 ? "intersects" : "intersect", grouped_number(outcome->table.within).text,
          grouped_number(outcome->table.between).text);
}

static void write_candidates(const check_outcome *outcome, FILE *stream) {
  if (outcome->pairs.count == 0) {
    fputs("No boxes of triangles meet", stream);
    return;
  }
  fputs("The boxes of ", stream);
  write_quantity(outcome, stream);
  fputs(" meet; the triangles themselves were not tested", stream);
}

static void write_verdict(const check_outcome *outcome, const console *screen) {
  FILE *stream = screen->stream;
  const graze_scope scope = outcome->options->query.scope;
  console_begin(screen, outcome->pairs.count == 0 ? TINT_GOOD : TINT_BAD);
  if (outcome->options->query.candidates_only) {
    write_candidates(outcome, stream);
  } else if (scope == GRAZE_WITHIN && outcome->objects->count == 1) {
    write_within(outcome, stream);
  } else if (scope == GRAZE_BETWEEN && outcome->objects->count == 2) {
    write_between_two(outcome, stream);
  } else if (scope == GRAZE_BETWEEN) {
    write_between_many(outcome, stream);
  } else {
    write_both(outcome, stream);
  }
  console_end(screen);
  fprintf(stream, " (%s, %s).\n", counted(object_list_triangle_count(outcome->objects), "triangle").text,
          spelled_duration(outcome->frame_ms).text);
}

static void write_heading(const console *screen, const char *words) {
  fputc('\n', screen->stream);
  console_begin(screen, TINT_HEADING);
  fputs(words, screen->stream);
  console_end(screen);
  fputc('\n', screen->stream);
}

static int digits_of(uint64_t number) {
  int count = 1;
  for (; number >= 10; number /= 10) ++count;
  return count;
}

static int wider(int a, int b) {
  return a > b ? a : b;
}

static void write_padded_label(const check_outcome *outcome, uint32_t object, int width, FILE *stream) {
  const int used = fprintf(stream, "%" PRIu32 " ", object) + object_list_label_width(outcome->objects, object);
  object_list_write_label(outcome->objects, object, stream);
  fprintf(stream, "%*s", wider(width - used, 0), "");
}

static void write_table(check_outcome *outcome, const console *screen) {
  pair_table *table = &outcome->table;
  if (table->count == 0 || outcome->objects->count < 2) return;
  const bool many = table->count > ROWS_SHOWN;
  const size_t shown = many ? ROWS_SHOWN : table->count;
  if (many) pair_table_sort_by_count(table);
  int width_a = 0, width_b = (int)sizeof "itself" - 1;
  for (size_t i = 0; i < shown; ++i) {
    const uint32_t a = table->rows[i].object_a, b = table->rows[i].object_b;
    width_a = wider(width_a, digits_of(a) + 1 + object_list_label_width(outcome->objects, a));
    if (a != b) width_b = wider(width_b, digits_of(b) + 1 + object_list_label_width(outcome->objects, b));
  }
  write_heading(screen, many ? "Pairs of objects, those with most pairs of triangles first" : "Pairs of objects");
  for (size_t i = 0; i < shown; ++i) {
    const pair_row *row = &table->rows[i];
    fputs("  ", screen->stream);
    write_padded_label(outcome, row->object_a, width_a, screen->stream);
    fputs("  ", screen->stream);
    if (row->object_a == row->object_b) {
      fprintf(screen->stream, "%-*s", width_b, "itself");
    } else {
      write_padded_label(outcome, row->object_b, width_b, screen->stream);
    }
    fprintf(screen->stream, "  %15s\n", grouped_number(row->count).text);
  }
  if (many) fprintf(screen->stream, "  and %s more\n", grouped_number(table->count - shown).text);
}

static void write_pairs(const check_outcome *outcome, const console *screen) {
  const graze_pairs *found = &outcome->pairs;
  const size_t shown = found->count < PAIRS_SHOWN ? found->count : PAIRS_SHOWN;
  FILE *stream = screen->stream;
  if (shown == 0) return;
  write_heading(screen, found->count > shown ? "First pairs of triangles" : "Pairs of triangles");
  for (size_t i = 0; i < shown; ++i) {
    const graze_pair *pair = &found->pairs[i];
    if (outcome->objects->count == 1) {
      fprintf(stream, "  %" PRIu32 " and %" PRIu32 "\n", pair->primitive_a, pair->primitive_b);
      continue;
    }
    fprintf(stream, "  %" PRIu32 " of object %" PRIu32 " and %" PRIu32 " of object %" PRIu32 "\n", pair->primitive_a,
            pair->object_a, pair->primitive_b, pair->object_b);
  }
  if (found->count == shown) return;
  const bool listed = outcome->options->csv != NULL || outcome->options->json != NULL;
  fprintf(stream, "  and %s more%s\n", grouped_number(found->count - shown).text,
          listed ? "" : "; --csv FILE or --json FILE lists them");
}

static void write_cost(const check_outcome *outcome, const console *screen) {
  FILE *stream = screen->stream;
  fprintf(stream, "\nhash  %016" PRIx64 "\ntime ", outcome->pairs.hash);
#define WRITE_STAGE(name, words)                                                                                       \
  if (outcome->timings.name##_ms > 0)                                                                                  \
    fprintf(stream, " " #name " %s,", spelled_duration(outcome->timings.name##_ms).text);
  GRAZE_STAGE_LIST(WRITE_STAGE)
#undef WRITE_STAGE
  fprintf(stream, " reading files %s\n", spelled_duration(outcome->reading_ms).text);
}

/* A clean verdict must not hide what was left out of the question. */
static void write_caveats(const check_outcome *outcome, const console *screen) {
  const graze_query *query = &outcome->options->query;
  const graze_counters *counters = &outcome->counters;
  console_begin(screen, TINT_FAINT);
  if (query->neighbours == GRAZE_NEIGHBOURS_SKIP && (query->scope & GRAZE_WITHIN) != 0 && counters->neighbours > 0) {
    fputs("note  triangles that share a vertex were passed over; --neighbours beyond tests them\n", screen->stream);
  }
  if (query->neighbours == GRAZE_NEIGHBOURS_BEYOND && counters->repeated_index > 0) {
    fprintf(screen->stream, "note  %s with a repeated vertex took no part within their object\n",
            counted(counters->repeated_index, "triangle").text);
  }
  console_end(screen);
}

void check_outcome_write_words(check_outcome *outcome, FILE *stream) {
  const console screen = console_on(stream);
  write_verdict(outcome, &screen);
  write_table(outcome, &screen);
  write_pairs(outcome, &screen);
  write_cost(outcome, &screen);
  write_caveats(outcome, &screen);
}
