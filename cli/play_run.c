/* Plays frames.
 *
 * Workload: tens to thousands of frames of thousands to millions of primitives. In memory are the current frame, the
 * elements of the previous one, a scene for each method, and a record of some hundred bytes per frame. */
#include "play_run.h"

#include "interruption.h"
#include "pair_picture.h"
#include "row_growth.h"

#include "graze/names.h"
#include "models/seeded_random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* All pairs of boxes of more primitives would take minutes per frame. */
enum { BRUTE_MOST = 100000, CAPTION_BYTES = 160 };

uint64_t run_hash_append(uint64_t before, uint64_t frame_hash) {
  return random_mix(before + UINT64_C(0x9e3779b97f4a7c15)) + frame_hash;
}

static frame_record *append_record(frame_record **records, size_t *count, size_t *capacity) {
  if (!rows_reserve(records, capacity, *count, 1, sizeof **records)) return NULL;
  (*records)[*count] = (frame_record){0};
  return &(*records)[(*count)++];
}

static bool append_unplayed(play_run *run, size_t frame) {
  size_t *unplayed = realloc(run->unplayed, (run->unplayed_count + 1) * sizeof *unplayed);
  if (unplayed == NULL) return decline("out of memory");
  run->unplayed = unplayed;
  unplayed[run->unplayed_count++] = frame + 1;
  return true;
}

static bool is_too_large(const method_run *method, uint64_t primitive_count) {
  return strcmp(method->method.name, "brute") == 0 && primitive_count > BRUTE_MOST;
}

static graze_result search_frame(play_run *run, method_run *method, const object_list *now) {
  graze_query query = run->options->search.query;
  if (run->searcher != NULL && run->searcher->find != NULL)
    return run->searcher->find(run->searcher->context, &query, (const size_t(*)[2])run->exclusions.pairs,
                               run->exclusions.count, &method->pairs, &method->last_ms);
  query.should_stop = interruption_came;
  graze_result result = frame_scene_show(&method->shown, &run->objects, now);
  if (result == GRAZE_OK)
    result = frame_scene_exclude(&method->shown, (const size_t(*)[2])run->exclusions.pairs, run->exclusions.count);
  const double start = clock_milliseconds();
  if (result == GRAZE_OK) result = graze_scene_update(method->shown.scene);
  if (result == GRAZE_OK) result = graze_scene_find_pairs(method->shown.scene, &query, &method->pairs);
  method->last_ms = clock_milliseconds() - start;
  return result;
}

/* Marks of the primitives of all objects: bits of the three counts of frame_record. */
static bool count_colliding(const object_list *objects, const graze_pairs *pairs, frame_record *record) {
  enum { LATER = 1, EARLIER = 2, WITHIN = 4 };
  const size_t total = (size_t)object_list_primitive_count(objects);
  size_t *first = calloc(objects->count + 1, sizeof *first);
  uint8_t *marks = calloc(total + 1, 1);
  const bool reserved = first != NULL && marks != NULL;
  for (size_t i = 0; reserved && i < objects->count; i++) first[i + 1] = first[i] + objects->entries[i].primitive_count;
  for (size_t i = 0; reserved && i < pairs->count; i++) {
    const graze_pair *pair = &pairs->pairs[i];
    const bool between = pair->object_a != pair->object_b;
    marks[first[pair->object_a] + pair->primitive_a] |= between ? LATER : WITHIN;
    marks[first[pair->object_b] + pair->primitive_b] |= between ? EARLIER : WITHIN;
    *(between ? &record->between : &record->within) += 1;
  }
  for (size_t i = 0; reserved && i < total; i++) {
    record->meets_later += (marks[i] & LATER) != 0;
    record->meets_earlier += (marks[i] & EARLIER) != 0;
    record->colliding += marks[i] != 0;
  }
  free(first);
  free(marks);
  return reserved || decline("out of memory");
}

/* Records the result of a method in a frame; that of the first is the record of the run. */
static bool record_method(play_run *run, size_t frame, double reading_ms, size_t number) {
  const method_run *method = &run->methods[number];
  const graze_pairs *pairs = &method->pairs;
  frame_record *record = number == 0 ? append_record(&run->records, &run->count, &run->capacity)
                                     : append_record(&run->others, &run->other_count, &run->other_capacity);
  if (record == NULL) return decline("out of memory");
  record->frame = frame + 1;
  record->method = method->method.name;
  record->name = run->source.name == NULL ? NULL : run->source.name(run->source.context, frame);
  record->object_count = run->objects.count;
  record->primitive_count = object_list_primitive_count(&run->objects);
  record->skipped_count = object_list_skipped_count(&run->objects);
  for (size_t i = 0; i < run->objects.count; i++) record->vertex_count += run->objects.entries[i].vertex_count;
  record->pair_count = pairs->count;
  record->hash = pairs->hash;
  record->timings = *pairs->timings;
  record->counters = *pairs->counters;
  record->reading_ms = reading_ms;
  record->query_ms = method->last_ms;
  return count_colliding(&run->objects, pairs, record);
}

static bool record_frame(play_run *run, size_t frame, double reading_ms) {
  if (!play_meetings_take(&run->meetings, &run->objects, &run->methods[0].pairs, frame + 1))
    return decline("out of memory");
  for (size_t i = 0; i < run->method_count; i++)
    if (run->methods[i].searched && !record_method(run, frame, reading_ms, i)) return false;
  return true;
}

static void compare_with_first(play_run *run, const method_run *method, size_t frame) {
  const method_run *first = &run->methods[0];
  if (method->pairs.hash == first->pairs.hash && method->pairs.count == first->pairs.count) return;
  complain("frame %zu: the methods %s and %s disagree: %zu pairs with hash %016" PRIx64
           ", %zu pairs with hash %016" PRIx64,
           frame + 1, first->method.name, method->method.name, first->pairs.count, first->pairs.hash,
           method->pairs.count, method->pairs.hash);
  run->disagreements++;
}

static void take_in_answer(method_run *method) {
  method->hash = run_hash_append(method->hash, method->pairs.hash);
  method->total_ms += method->last_ms;
  if (method->last_ms > method->slowest_ms) method->slowest_ms = method->last_ms;
  method->frame_count++;
}

/* Every scene shows the same frame or none: after a failure all are empty. */
static void clear_scenes(play_run *run) {
  for (size_t i = 0; i < run->method_count; i++) frame_scene_clear(&run->methods[i].shown);
  run->shows_last = false;
}

static const char *word_for(const play_run *run, size_t frame) {
  const char *name = run->source.name == NULL ? NULL : run->source.name(run->source.context, frame);
  return name == NULL ? "frame" : name;
}

/* A scene that skips the frame is emptied, because the next frame must not be treated as a change of an earlier one. */
static graze_result search_by_all(play_run *run, const object_list *now) {
  const uint64_t primitive_count = object_list_primitive_count(now);
  graze_result result = GRAZE_OK;
  for (size_t i = 0; result == GRAZE_OK && i < run->method_count; i++) {
    method_run *method = &run->methods[i];
    method->searched = i == 0 || !is_too_large(method, primitive_count);
    if (method->searched) {
      result = search_frame(run, method, now);
    } else {
      frame_scene_clear(&method->shown);
    }
  }
  return result;
}

/* Called after all methods have searched: an interrupted or refused frame counts for none. */
static void take_in_answers(play_run *run, size_t frame) {
  for (size_t i = 0; i < run->method_count; i++) {
    method_run *method = &run->methods[i];
    if (method->searched) {
      take_in_answer(method);
      compare_with_first(run, method, frame);
    } else {
      method->left_out++;
    }
  }
}

typedef enum frame_outcome { FRAME_PLAYED, FRAME_PASSED_OVER, FRAME_ENDS_RUN } frame_outcome;

static frame_outcome pass_over(play_run *run, size_t frame, object_list *now) {
  object_list_release(now);
  if (!append_unplayed(run, frame)) return FRAME_ENDS_RUN;
  return run->options->keep_going ? FRAME_PASSED_OVER : FRAME_ENDS_RUN;
}

/* Names are those of the first frame; files of later frames have other names. */
static bool know_exclusions(play_run *run, const object_list *objects) {
  if (run->knows_exclusions) return true;
  run->knows_exclusions = true;
  return exclusion_list_read(&run->options->exclusions, objects, &run->exclusions) &&
         exclusion_list_append(&run->exclusions, run->source.exclusions, run->source.exclusion_count);
}

static frame_outcome play_frame(play_run *run, size_t frame, bool notes) {
  object_list now = {.separate = run->options->separate, .allow_large = run->options->allow_large};
  const double start = clock_milliseconds();
  if (!run->source.load(run->source.context, frame, &now, notes)) {
    if (!interruption_came(NULL)) return pass_over(run, frame, &now);
    object_list_release(&now);
    run->interrupted = true;
    return FRAME_ENDS_RUN;
  }
  const double reading_ms = clock_milliseconds() - start;
  if (!know_exclusions(run, &now)) {
    object_list_release(&now);
    return FRAME_ENDS_RUN;
  }
  const graze_result result = search_by_all(run, &now);
  if (result == GRAZE_STOPPED) {
    object_list_release(&now);
    run->shows_last = false;
    run->interrupted = true;
    return FRAME_ENDS_RUN;
  }
  if (result != GRAZE_OK) {
    complain("%s: %s", word_for(run, frame),
             run->searcher != NULL && run->searcher->message != NULL
                 ? run->searcher->message(run->searcher->context, result)
                 : library_message(result));
    clear_scenes(run);
    return pass_over(run, frame, &now);
  }
  take_in_answers(run, frame);
  if (run->searcher != NULL && run->searcher->note != NULL)
    run->searcher->note(run->searcher->context, &run->methods[0].pairs, run->methods[0].last_ms);
  object_list_release(&run->objects);
  run->objects = now;
  run->shows_last = true;
  if (!record_frame(run, frame, reading_ms)) return FRAME_ENDS_RUN;
  if (run->options->report != NULL && !play_page_add(run, frame)) return FRAME_ENDS_RUN;
  return FRAME_PLAYED;
}

static bool make_method(play_run *run, const graze_method_def *def) {
  method_run *method = &run->methods[run->method_count];
  method->method = *def;
  if (!backend_make_scene(&run->options->search.scene, &method->shown.scene)) return false;
  const graze_result result = graze_scene_set_method(method->shown.scene, def);
  if (result == GRAZE_UNSUPPORTED && run->method_count > 0) {
    frame_scene_release(&method->shown);
    run->refused_methods++;
    return true;
  }
  run->method_count++;
  if (result != GRAZE_OK) complain("%s", library_message(result));
  return result == GRAZE_OK;
}

/* The requested method, and for a comparison all others with their defaults. */
static bool make_methods(play_run *run) {
  const graze_method_def *chosen = &run->options->search.method;
  run->methods = calloc(graze_enumeration_count(GRAZE_ENUMERATION_METHOD) + 1, sizeof *run->methods);
  if (run->methods == NULL) return decline("out of memory");
  if (!make_method(run, chosen)) return false;
  for (size_t i = 0; run->options->compare_methods && i < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); i++) {
    graze_method_def other = graze_method_def_default();
    other.name = graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i);
    other.simd = chosen->simd;
    if (strcmp(other.name, chosen->name) != 0 && !make_method(run, &other)) return false;
  }
  return true;
}

static void report_frame(play_run *run, size_t frame, FILE *lines, FILE *csv, progress *steps, double start) {
  const frame_record *record = &run->records[run->count - 1];
  progress_bar_done(steps);
  if (run->count == 1) {
    run->words = object_list_words(&run->objects);
    if (lines != NULL) play_write_heading(run, lines);
  }
  if (lines != NULL) play_write_line(record, lines);
  if (csv != NULL) play_write_csv_line(run->options, record, csv);
  size_t first = run->other_count;
  while (first > 0 && run->others[first - 1].frame == record->frame) first--;
  for (; csv != NULL && first < run->other_count; first++) play_write_csv_line(run->options, &run->others[first], csv);
  const double spent = clock_milliseconds() - start;
  progress_frames(steps, frame + 1, run->source.count,
                  spent / (double)(frame + 1) * (double)(run->source.count - frame - 1));
}

bool play_run_all(play_run *run, FILE *lines, FILE *csv, progress *steps) {
  if (!make_methods(run)) return false;
  const double start = clock_milliseconds();
  bool going = true;
  for (size_t frame = 0; going && frame < run->source.count; frame++) {
    if (interruption_came(NULL)) {
      run->interrupted = true;
      break;
    }
    const frame_outcome outcome = play_frame(run, frame, run->count == 0 && lines != NULL);
    if (outcome == FRAME_PLAYED) report_frame(run, frame, lines, csv, steps, start);
    going = outcome != FRAME_ENDS_RUN;
    if (outcome == FRAME_PLAYED && run->options->picture_frame == frame + 1) going = play_run_draw(run);
  }
  progress_bar_done(steps);
  return going;
}

bool play_run_draw(play_run *run) {
  char caption[CAPTION_BYTES];
  const frame_record *record = &run->records[run->count - 1];
  snprintf(caption, sizeof caption, "frame %zu: %s, %s", record->frame,
           counted(record->pair_count, run->options->search.query.candidates_only ? "candidate pair" : "pair").text,
           object_list_amount(&run->objects).text);
  const method_run *first = &run->methods[0];
  return run->drawn = pair_picture_draw(&run->objects, first->shown.scene, &run->options->search.query, &first->pairs,
                                        &run->options->drawing, caption, &run->picture);
}

void play_run_release(play_run *run) {
  for (size_t i = 0; i < run->method_count; i++) {
    graze_pairs_free(&run->methods[i].pairs);
    frame_scene_release(&run->methods[i].shown);
  }
  free(run->methods);
  free(run->records);
  free(run->others);
  free(run->unplayed);
  exclusion_list_release(&run->exclusions);
  play_meetings_release(&run->meetings);
  object_list_release(&run->objects);
  page_record_release(&run->page);
  *run = (play_run){0};
}
