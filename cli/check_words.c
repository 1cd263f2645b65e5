/* The outcome of a check as text: the first line is the complete verdict.
 *
 * Workload: at most a few dozen lines, however many pairs there are; --csv and --json write all. */
#include "check_nearness.h"

#include "graze/names.h"

#include <inttypes.h>

enum { ROWS_SHOWN = 20, PAIRS_SHOWN = 5 };

static void write_quantity(const check_outcome *outcome, FILE *stream) {
  const char *opening = outcome->limit_reached ? "more than " : "";
  if (check_outcome_has_clashes(outcome))
    fprintf(stream, "%s in ", counted_as(outcome->regions.count, "clash", "clashes").text);
  fprintf(stream, "%s%s of %s", opening, counted(outcome->count, "pair").text,
          object_list_words(outcome->objects).many);
}

/* The number of pairs of primitives, unless only objects were requested. */
static void write_amount(const check_outcome *outcome, FILE *stream) {
  if (outcome->options->touching) return;
  fputs(": ", stream);
  write_quantity(outcome, stream);
}

/* The volume shared by spheres is known only between spheres. */
static bool have_known_volume(const object_list *objects, uint32_t a, uint32_t b) {
  return (objects->entries[a].kind == GRAZE_KIND_SPHERE) == (objects->entries[b].kind == GRAZE_KIND_SPHERE);
}

/* The shared volume of two objects of solids; NULL if they do not intersect, are not solids, or were not measured. For
 * a list that was cut, the sum would be meaningless. */
static const graze_wrench *wrench_between(const check_outcome *outcome, uint32_t a, uint32_t b) {
  if (outcome->limit_reached || !have_known_volume(outcome->objects, a, b)) return NULL;
  for (size_t i = 0; i < outcome->wrenches.count; i++) {
    const graze_wrench *wrench = &outcome->wrenches.wrenches[i];
    if (wrench->object_a == a && wrench->object_b == b) return wrench;
  }
  return NULL;
}

static void write_shared_volume(const check_outcome *outcome, FILE *stream) {
  const graze_wrench *wrench = wrench_between(outcome, 0, 1);
  if (wrench == NULL) return;
  if (wrench->volume > 0) {
    fprintf(stream, "; they share a volume of %.6g", wrench->volume);
  } else {
    fputs("; they share no volume", stream);
  }
}

static void write_within(const check_outcome *outcome, FILE *stream) {
  const object_list *objects = outcome->objects;
  object_list_write_label(objects, 0, stream);
  if (outcome->count == 0) {
    fprintf(stream, ": no %s intersects another", object_list_words(objects).one);
    return;
  }
  fputs(" intersects itself", stream);
  write_amount(outcome, stream);
}

static void write_between_two(const check_outcome *outcome, FILE *stream) {
  const object_list *objects = outcome->objects;
  object_list_write_label(objects, 0, stream);
  fputs(" and ", stream);
  object_list_write_label(objects, 1, stream);
  if (outcome->count == 0) {
    fputs(outcome->excluded_count > 0 ? " were not tested: they are excluded" : " do not intersect", stream);
    return;
  }
  fputs(" intersect", stream);
  write_amount(outcome, stream);
  write_shared_volume(outcome, stream);
}

static void write_between_many(const check_outcome *outcome, FILE *stream) {
  const uint64_t count = outcome->objects->count;
  if (count < 2) {
    fputs("There are no two objects to test", stream);
    return;
  }
  if (outcome->count == 0) {
    fprintf(stream, "None of the %s intersects another", counted(count, "object").text);
    return;
  }
  const char *opening = outcome->limit_reached ? "At least " : "";
  fprintf(stream, "%s%s of the %s of objects %s", opening, grouped_number(outcome->table.count).text,
          counted(count * (count - 1) / 2, "pair").text, outcome->table.count == 1 ? "intersects" : "intersect");
  write_amount(outcome, stream);
}

static void write_both(const check_outcome *outcome, FILE *stream) {
  const primitive_words words = object_list_words(outcome->objects);
  if (outcome->count == 0) {
    fprintf(stream, "No %s of the %s intersects another", words.one, counted(outcome->objects->count, "object").text);
    return;
  }
  if (outcome->options->touching) {
    fprintf(stream, "%s%s of two objects %s, and %s %s", outcome->limit_reached ? "At least " : "",
            counted(outcome->table.between, "pair").text, outcome->table.between == 1 ? "intersects" : "intersect",
            counted(outcome->table.within, "object").text,
            outcome->table.within == 1 ? "intersects itself" : "intersect themselves");
    return;
  }
  if (check_outcome_has_clashes(outcome)) {
    write_quantity(outcome, stream);
    fprintf(stream, ": %s within one object, %s between two", counted(outcome->table.within, "pair").text,
            grouped_number(outcome->table.between).text);
    return;
  }
  fprintf(stream, "%s%s of %s %s: %s within one object, %s between two", outcome->limit_reached ? "More than " : "",
          counted(outcome->count, "pair").text, words.many, outcome->count == 1 ? "intersects" : "intersect",
          grouped_number(outcome->table.within).text, grouped_number(outcome->table.between).text);
}

static void write_candidates(const check_outcome *outcome, FILE *stream) {
  const char *many = object_list_words(outcome->objects).many;
  if (outcome->count == 0) {
    fprintf(stream, "No boxes of %s intersect", many);
    return;
  }
  fputs("The boxes of ", stream);
  if (outcome->options->touching)
    fprintf(stream, "%s in %s%s of objects", many, outcome->limit_reached ? "more than " : "",
            counted(outcome->count, "pair").text);
  else
    write_quantity(outcome, stream);
  fprintf(stream, " intersect; the %s themselves were not tested", many);
}

static void write_verdict(const check_outcome *outcome, const console *screen) {
  FILE *stream = screen->stream;
  const graze_scope scope = outcome->options->search.query.scope;
  console_begin(screen, check_outcome_found_something(outcome) ? TINT_BAD : TINT_GOOD);
  if (check_outcome_is_near(outcome)) {
    check_nearness_write_verdict(outcome, stream);
  } else if (outcome->options->search.query.candidates_only) {
    write_candidates(outcome, stream);
  } else if (scope == GRAZE_SCOPE_WITHIN && outcome->objects->count == 1) {
    write_within(outcome, stream);
  } else if (scope == GRAZE_SCOPE_BETWEEN && outcome->objects->count == 2) {
    write_between_two(outcome, stream);
  } else if (scope == GRAZE_SCOPE_BETWEEN) {
    write_between_many(outcome, stream);
  } else {
    write_both(outcome, stream);
  }
  check_outcome_write_inside_verdict(outcome, stream);
  console_end(screen);
  fprintf(stream, " (%s, %s).\n", object_list_amount(outcome->objects).text, spelled_duration(outcome->frame_ms).text);
}

static void write_heading(const console *screen, const char *opening, const char *noun, const char *ending) {
  fputc('\n', screen->stream);
  console_begin(screen, TINT_HEADING);
  fprintf(screen->stream, "%s%s%s", opening, noun, ending);
  console_end(screen);
  fputc('\n', screen->stream);
}

static int digits_of(uint64_t number) {
  int count = 1;
  for (; number >= 10; number /= 10) count++;
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
  for (size_t i = 0; i < shown; i++) {
    const uint32_t a = table->rows[i].object_a, b = table->rows[i].object_b;
    width_a = wider(width_a, digits_of(a) + 1 + object_list_label_width(outcome->objects, a));
    if (a != b) width_b = wider(width_b, digits_of(b) + 1 + object_list_label_width(outcome->objects, b));
  }
  if (outcome->options->touching) width_b = 0; /* no number follows */
  if (many && !outcome->options->touching) {
    write_heading(screen, "Pairs of objects, most pairs of ", object_list_words(outcome->objects).many, " first");
  } else {
    write_heading(screen, many ? "First pairs of " : "Pairs of ", "objects", "");
  }
  for (size_t i = 0; i < shown; i++) {
    const pair_row *row = &table->rows[i];
    fputs("  ", screen->stream);
    write_padded_label(outcome, row->object_a, width_a, screen->stream);
    fputs("  ", screen->stream);
    if (row->object_a == row->object_b) {
      fprintf(screen->stream, "%-*s", width_b, "itself");
    } else {
      write_padded_label(outcome, row->object_b, width_b, screen->stream);
    }
    if (!outcome->options->touching) fprintf(screen->stream, "  %15s", grouped_number(row->count).text);
    const graze_wrench *wrench = wrench_between(outcome, row->object_a, row->object_b);
    if (wrench != NULL) fprintf(screen->stream, "  sharing a volume of %.6g", wrench->volume);
    check_nearness_write_nearest(outcome, row->object_a, row->object_b, screen->stream);
    fputc('\n', screen->stream);
  }
  if (many) fprintf(screen->stream, "  and %s more\n", grouped_number(table->count - shown).text);
}

static void write_pairs(const check_outcome *outcome, const console *screen) {
  const graze_pairs *found = &outcome->pairs;
  const size_t shown = found->count < PAIRS_SHOWN ? found->count : PAIRS_SHOWN;
  FILE *stream = screen->stream;
  if (shown == 0) return;
  write_heading(screen, found->count > shown ? "First pairs of " : "Pairs of ",
                object_list_words(outcome->objects).many, "");
  for (size_t i = 0; i < shown; i++) {
    const graze_pair *pair = &found->pairs[i];
    if (outcome->objects->count == 1) {
      fprintf(stream, "  %" PRIu32 " and %" PRIu32, pair->primitive_a, pair->primitive_b);
    } else {
      fprintf(stream, "  %" PRIu32 " of object %" PRIu32 " and %" PRIu32 " of object %" PRIu32, pair->primitive_a,
              pair->object_a, pair->primitive_b, pair->object_b);
    }
    check_nearness_write_apart(outcome, i, stream);
    fputc('\n', stream);
  }
  if (found->count == shown) return;
  const bool listed = outcome->options->csv != NULL || outcome->options->json != NULL;
  fprintf(stream, "  and %s more%s\n", grouped_number(found->count - shown).text,
          listed ? "" : "; --csv FILE or --json FILE lists them");
}

static void write_cost(const check_outcome *outcome, const console *screen) {
  FILE *stream = screen->stream;
  fprintf(stream, "\nhash  %016" PRIx64 "\ntime ", outcome->hash);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) {
    const double milliseconds = graze_timings_value(&outcome->timings, i);
    if (milliseconds > 0)
      fprintf(stream, " %s %s,", graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i),
              spelled_duration(milliseconds).text);
  }
  if (outcome->volumes_ms > 0) fprintf(stream, " volumes %s,", spelled_duration(outcome->volumes_ms).text);
  if (outcome->inside_ms >= 1) fprintf(stream, " inside %s,", spelled_duration(outcome->inside_ms).text);
  fprintf(stream, " reading files %s\n", spelled_duration(outcome->reading_ms).text);
}

static void write_skipped(const check_outcome *outcome, FILE *stream) {
  fprintf(stream, "note  %s that share a vertex were not tested", object_list_words(outcome->objects).many);
  const bool can_be_tested = object_list_solid_count(outcome->objects) == 0;
  fputs(can_be_tested ? "; --neighbors beyond tests them\n" : "\n", stream);
}

static void write_repetitions(const check_outcome *outcome, bool left_out, FILE *stream) {
  const primitive_words words = object_list_words(outcome->objects);
  const uint64_t count = outcome->counters.repeated_index;
  const plain_words amount = counted_as(count, words.one, words.many);
  if (left_out) {
    fprintf(stream, "note  %s with a repeated vertex: not tested within %s object\n", amount.text,
            count == 1 ? "its" : "their");
  } else {
    fprintf(stream, "note  %s %s a vertex\n", amount.text, count == 1 ? "repeats" : "repeat");
  }
}

/* Tetrahedra are the hull of their corners in any order: inverted ones are reported, not refused. */
static void write_odd_tetrahedra(const graze_counters *counters, FILE *stream) {
  if (counters->inverted > 0) {
    fprintf(stream, "note  %s %s inverted; the corners span the same solid\n",
            counted_as(counters->inverted, "tetrahedron", "tetrahedra").text, counters->inverted == 1 ? "is" : "are");
  }
  if (counters->flat > 0) {
    fprintf(stream, "note  %s %s flat\n", counted_as(counters->flat, "tetrahedron", "tetrahedra").text,
            counters->flat == 1 ? "is" : "are");
  }
}

/* A user who checks a folder of parts may also want to check each of them. */
static void write_scope(const check_outcome *outcome, FILE *stream) {
  if (outcome->options->file_count < 2 || (outcome->options->search.query.scope & GRAZE_SCOPE_WITHIN) != 0) return;
  fputs("note  files were only tested against each other; --self adds the pairs within each, --each checks each by "
        "itself\n",
        stream);
}

/* Faces with separate vertices at one position touch there; they were probably meant as neighbors. */
static void write_welding(const check_outcome *outcome, FILE *stream) {
  bool touches = false, crosses = outcome->options->weld || !outcome->has_regions;
  for (size_t i = 0; i < outcome->regions.count && !crosses; i++) {
    const graze_region *region = &outcome->regions.regions[i];
    if (region->object_a != region->object_b) continue;
    touches = true;
    crosses = region->clash != GRAZE_CLASH_TOUCHING;
  }
  if (touches && !crosses)
    fprintf(stream, "note  all pairs within an object only touch; --weld merges vertices with equal coordinates\n");
}

/* A clean verdict must not hide what was excluded. */
static void write_caveats(const check_outcome *outcome, const console *screen) {
  const graze_query *query = &outcome->options->search.query;
  const graze_counters *counters = &outcome->counters;
  const bool within = (query->scope & GRAZE_SCOPE_WITHIN) != 0, skips = query->neighbors == GRAZE_NEIGHBORS_SKIP;
  console_begin(screen, TINT_FAINT);
  write_scope(outcome, screen->stream);
  if (skips && within && counters->neighbors > 0) write_skipped(outcome, screen->stream);
  if (!skips && within) /* primitives of two objects share no vertex: the rule applies within objects */
    fprintf(screen->stream,
            "note  %s that share a vertex were tested for intersection beyond the shared vertex (--neighbors beyond)\n",
            object_list_words(outcome->objects).many);
  write_welding(outcome, screen->stream);
  if (outcome->excluded_count > 0)
    fprintf(screen->stream, "note  %s of objects %s excluded\n", counted(outcome->excluded_count, "pair").text,
            outcome->excluded_count == 1 ? "was" : "were");
  if (!outcome->has_regions && !outcome->options->touching && !check_outcome_is_near(outcome) &&
      outcome->count > CLASH_PAIRS)
    fputs("note  clashes were not counted; --regions FILE counts and lists them\n", screen->stream);
  if (counters->repeated_index > 0) write_repetitions(outcome, !skips && within, screen->stream);
  write_odd_tetrahedra(counters, screen->stream);
  if (!outcome->options->solid) check_outcome_write_inside(outcome, screen);
  console_end(screen);
}

/* The cost in the model of hierarchical collision detection: tests of bounding volumes, tests of primitives and
 * updates, each a count times a unit cost. Counts and times are measured; unit costs follow.
 *
 * Paper: Gottschalk, Lin, Manocha, "OBBTree: a hierarchical structure for rapid interference detection", 1996. */
static void write_part(const char *name, uint64_t number, const char *words, double milliseconds, FILE *stream) {
  fprintf(stream, "  %s  %15s %-40s", name, grouped_number(number).text, words);
  if (number > 0)
    fprintf(stream, " %9.1f ns each", 1e6 * milliseconds / (double)number);
  else
    fprintf(stream, " %17s", "");
  fprintf(stream, "  %s\n", spelled_duration(milliseconds).text);
}

static void write_explanation(const check_outcome *outcome, FILE *stream) {
  const graze_timings *timings = &outcome->timings;
  const graze_counters *counters = &outcome->counters;
  const double tests_ms = timings->search_ms;
  const double updates_ms = timings->update_ms + timings->bounds_ms + timings->build_ms;
  fprintf(stream, "\nmethod  %s: %s\ncost    N_v C_v + N_p C_p + N_u C_u = %s, and ordering %s\n", outcome->method,
          outcome->reason, spelled_duration(tests_ms + timings->test_ms + updates_ms).text,
          spelled_duration(timings->order_ms).text);
  write_part("N_v", counters->box_tests, "tests of bounding boxes", tests_ms, stream);
  write_part("N_p", counters->candidates, "tests of primitives", timings->test_ms, stream);
  write_part("N_u", counters->primitives, "primitives updated, bounded and inserted", updates_ms, stream);
}

void check_outcome_write_words(check_outcome *outcome, FILE *stream) {
  const console screen = console_on(stream);
  write_verdict(outcome, &screen);
  check_outcome_write_clashes(outcome, &screen);
  write_table(outcome, &screen);
  write_pairs(outcome, &screen);
  if (outcome->options->solid) check_outcome_write_inside(outcome, &screen);
  write_cost(outcome, &screen);
  write_caveats(outcome, &screen);
  if (outcome->options->explain) write_explanation(outcome, stream);
}
