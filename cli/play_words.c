/* A run as text: a line per frame while it is played, then totals. */
#include "play_outcome.h"

#include "graze/names.h"
#include "mesh_io/mesh_name.h"

#include <inttypes.h>
#include <string.h>

enum { NAMES_SHOWN = 5, MEETINGS_SHOWN = 20 };

/* Contacts and regions are not requested. */
static bool is_shown(size_t stage) {
  const char *name = graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)stage);
  return strcmp(name, "contacts") != 0 && strcmp(name, "regions") != 0;
}

void play_write_heading(const play_run *run, FILE *stream) {
  const console screen = console_on(stream);
  const char *many = run->words.many;
  console_begin(&screen, TINT_HEADING);
  fprintf(stream, "%6s %12s %11s %11s", "frame", many, "pairs", "candidates");
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) {
    if (is_shown(i)) fprintf(stream, " %8s", graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i));
  }
  fprintf(stream, " %9s", "ms");
  console_end(&screen);
  fputc('\n', stream);
}

void play_write_line(const frame_record *record, FILE *stream) {
  fprintf(stream, "%6zu %12s %11s %11s", record->frame, grouped_number(record->primitive_count).text,
          grouped_number(record->pair_count).text, grouped_number(record->counters.candidates).text);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) {
    if (is_shown(i)) fprintf(stream, " %8.2f", graze_timings_value(&record->timings, i));
  }
  fprintf(stream, " %9.2f", record->query_ms);
  if (record->name != NULL) {
    const char *slash = strrchr(record->name, '/');
    fputs("  ", stream);
    write_harmless(stream, slash == NULL ? record->name : slash + 1);
  }
  fputc('\n', stream);
  fflush(stream);
}

static void write_range(uint64_t least, uint64_t most, const char *one, const char *many, FILE *stream) {
  if (least != most) fprintf(stream, "%s to ", grouped_number(least).text);
  fputs(counted_as(most, one, many).text, stream);
}

static void write_verdict(const play_run *run, const play_totals *totals, const console *screen) {
  const bool candidates = run->options->search.query.candidates_only;
  const plain_words frames = counted(run->count, "frame");
  console_begin(screen, totals->pairs == 0 ? TINT_GOOD : TINT_BAD);
  if (run->count == 0) {
    fputs("No frame was played", screen->stream);
  } else if (totals->pairs == 0) {
    fprintf(screen->stream, "%s: nothing %s", frames.text, candidates ? "has intersecting boxes" : "intersects");
  } else {
    fprintf(screen->stream, "%s: %s in %s of them", frames.text,
            counted(totals->pairs, candidates ? "candidate pair" : "pair").text,
            grouped_number(totals->frames_with_pairs).text);
    if (run->count > 1) {
      fputs(", ", screen->stream);
      write_range(totals->least_pairs, totals->most_pairs, "a frame", "a frame", screen->stream);
    }
  }
  console_end(screen);
  if (run->count > 0) {
    fputs(" (", screen->stream);
    write_range(totals->least_primitives, totals->most_primitives, run->words.one, run->words.many, screen->stream);
    fprintf(screen->stream, ", %s)", spelled_duration(totals->query_ms).text);
  }
  fputs(".\n", screen->stream);
}

static void write_costs(const play_run *run, const play_totals *totals, FILE *stream) {
  const frame_record *slowest = totals->slowest;
  fputs("\ntime   ", stream);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) {
    const double ms = graze_timings_value(&totals->timings, i);
    if (ms > 0)
      fprintf(stream, "%s %s, ", graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i), spelled_duration(ms).text);
  }
  fprintf(stream, "%s %s\n", run->source.spent_on, spelled_duration(totals->reading_ms).text);
  fprintf(stream, "mean   %s a frame\n", spelled_duration(totals->query_ms / (double)run->count).text);
  fprintf(stream, "slow   frame %zu", slowest->frame);
  if (slowest->name != NULL) {
    fputs(" (", stream);
    write_harmless(stream, slowest->name);
    fputc(')', stream);
  }
  fprintf(stream, ": %s, %s\n", spelled_duration(slowest->query_ms).text, counted(slowest->pair_count, "pair").text);
  fprintf(stream, "hash   %016" PRIx64 "\n", play_run_hash(run));
}

/* A single object is named by the verdict. */
static void write_meetings(const play_run *run, const console *screen) {
  FILE *stream = screen->stream;
  const play_meetings *meetings = &run->meetings;
  if (meetings->count == 0 || run->objects.count < 2) return;
  fputc('\n', stream);
  console_begin(screen, TINT_HEADING);
  fputs(run->options->search.query.candidates_only ? "Objects whose boxes intersect" : "Objects that intersect",
        stream);
  console_end(screen);
  fputc('\n', stream);
  for (size_t i = 0; i < meetings->count && i < MEETINGS_SHOWN; i++) {
    const play_meeting *row = &meetings->rows[i];
    fprintf(stream, "  %" PRIu32 " ", row->object_a);
    write_harmless(stream, row->name_a);
    if (row->object_a == row->object_b) {
      fputs(" itself", stream);
    } else {
      fprintf(stream, " and %" PRIu32 " ", row->object_b);
      write_harmless(stream, row->name_b);
    }
    fprintf(stream, ": %s in %s, first in frame %zu\n", counted(row->pair_count, "pair").text,
            counted(row->frame_count, "frame").text, row->first_frame);
  }
  if (meetings->count > MEETINGS_SHOWN)
    fprintf(stream, "  and %s more%s\n", grouped_number(meetings->count - MEETINGS_SHOWN).text,
            run->options->json != NULL ? "" : "; --json FILE lists them");
}

static void write_comparison(const play_run *run, FILE *stream) {
  fprintf(stream, "\n%-10s %8s %12s %12s  %s\n", "method", "frames", "ms", "slowest ms", "hash");
  for (size_t i = 0; i < run->method_count; i++) {
    const method_run *method = &run->methods[i];
    fprintf(stream, "%-10s %8zu %12.2f %12.2f  %016" PRIx64, method->method.name, method->frame_count, method->total_ms,
            method->slowest_ms, method->hash);
    if (method->left_out > 0)
      fprintf(stream, "  skipped %s: too large for this method", counted(method->left_out, "frame").text);
    fputc('\n', stream);
  }
  if (run->refused_methods > 0) {
    fprintf(stream, "%s not available on this backend\n", counted(run->refused_methods, "method").text);
  }
  if (run->disagreements == 0) {
    fprintf(stream, "All %zu methods agree: the same pairs in every frame.\n", run->method_count);
  } else {
    fprintf(stream, "THE METHODS DISAGREE: %s.\n", counted(run->disagreements, "difference").text);
  }
}

static void write_gaps(const play_run *run, FILE *stream) {
  for (size_t i = 0; i < run->gap_count && i < NAMES_SHOWN; i++) {
    const frame_gap *gap = &run->gaps[i];
    fprintf(stream, "note   %s missing between ", counted(gap->count, "frame").text);
    write_harmless(stream, mesh_shown_name(gap->before).text);
    fputs(" and ", stream);
    write_harmless(stream, mesh_shown_name(gap->after).text);
    fputc('\n', stream);
  }
  if (run->gap_count > NAMES_SHOWN)
    fprintf(stream, "note   and %s more\n", counted(run->gap_count - NAMES_SHOWN, "gap").text);
}

static void write_unplayed(const play_run *run, FILE *stream) {
  if (run->unplayed_count == 0) return;
  fprintf(stream, "note   %s could not be played:", counted(run->unplayed_count, "frame").text);
  for (size_t i = 0; i < run->unplayed_count && i < NAMES_SHOWN; i++) {
    const size_t frame = run->unplayed[i];
    const char *name = run->source.name == NULL ? NULL : run->source.name(run->source.context, frame - 1);
    fprintf(stream, "%s %zu", i == 0 ? "" : ",", frame);
    if (name == NULL) continue;
    fputs(" (", stream);
    write_harmless(stream, mesh_shown_name(name).text);
    fputc(')', stream);
  }
  fputs(run->unplayed_count > NAMES_SHOWN ? ", ...\n" : "\n", stream);
}

void play_write_totals(const play_run *run, FILE *stream) {
  const console screen = console_on(stream);
  const play_totals totals = play_run_totals(run);
  if (run->count > 0) fputc('\n', stream);
  write_verdict(run, &totals, &screen);
  if (run->count > 0) write_meetings(run, &screen);
  if (run->count > 0) write_costs(run, &totals, stream);
  if (run->count > 0 && run->options->compare_methods) write_comparison(run, stream);
  if (totals.skipped > 0)
    fprintf(stream, "note   skipped %s in %s: points, lines, or cells of other types\n",
            counted(totals.skipped, "element").text, counted(totals.frames_with_skipped, "frame").text);
  write_gaps(run, stream);
  write_unplayed(run, stream);
  if (run->interrupted) {
    fprintf(stream, "note   interrupted: %zu of %zu frames were played\n", run->count, run->source.count);
  }
}
