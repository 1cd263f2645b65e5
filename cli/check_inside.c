/* Objects inside others, for `graze check`: notes, or with --solid part of the result.
 *
 * Workload: usually few containments; at most each of 10^5 parts inside a housing, of which the first are shown. */
#include "check_outcome.h"
#include "record_columns.h"

#include <inttypes.h>
#include <stdlib.h>

enum { INSIDE_SHOWN = 20, NOTES_SHOWN = 5, OPEN_SHOWN = 20, EDGE_WORDS = 200 };

/* ---------------------------------------------------------------------------------------------- asking */

/* "2 open edges, 14 edges of triangles that face opposite ways". */
static void list_edges(const graze_open_edges *edges, const char *faces, char *words, size_t room) {
  const uint64_t others = edges->count - edges->open_count - edges->reversed_count;
  size_t used = 0;
  words[0] = '\0';
  if (edges->open_count > 0) used += (size_t)snprintf(words, room, "%s", counted(edges->open_count, "open edge").text);
  if (edges->reversed_count > 0)
    used += (size_t)snprintf(words + used, room - used, "%s%s of %s that face opposite ways", used > 0 ? ", " : "",
                             counted(edges->reversed_count, "edge").text, faces);
  if (others > 0)
    snprintf(words + used, room - used, "%s%s of an odd number of %s", used > 0 ? ", " : "",
             counted(others, "edge").text, faces);
}

static void complain_of_edges(const object_list *objects, size_t object, const graze_open_edges *edges) {
  const object_entry *entry = &objects->entries[object];
  char *label = object_list_label(objects, object), words[EDGE_WORDS];
  const double *from = edges->from, *to = edges->to;
  list_edges(edges, graze_kind_text(entry->kind, 2), words, sizeof words);
  complain("%s is %s: %s; the first is from (%.9g, %.9g, %.9g) to (%.9g, %.9g, %.9g) at %s %" PRIu32,
           label == NULL ? entry->file : label,
           edges->count == edges->reversed_count ? "not oriented consistently" : "not closed", words, from[0], from[1],
           from[2], to[0], to[1], to[2], graze_kind_text(entry->kind, 1), edges->primitive);
  free(label);
}

static void complain_of_shells(const object_list *objects, size_t object, uint32_t count, uint32_t primitive) {
  const object_entry *entry = &objects->entries[object];
  char *label = object_list_label(objects, object);
  const char *kind = graze_kind_text(entry->kind, 1);
  if (count == 1)
    complain("%s is inside out: it faces inward at %s %" PRIu32, label == NULL ? entry->file : label, kind, primitive);
  else
    complain("%s is inside out: %s of it face inward, the first at %s %" PRIu32, label == NULL ? entry->file : label,
             counted(count, "shell").text, kind, primitive);
  free(label);
}

/* Counts an object that is not a solid, after a complaint if few were. */
static graze_result check_surface(const graze_scene *scene, const object_list *objects, size_t object,
                                  size_t *open_count, size_t *inward_count) {
  const graze_object id = {(uint32_t)object, 1};
  graze_open_edges edges = {0};
  uint32_t count = 0, primitive = 0;
  graze_result result = graze_object_find_open_edges(scene, id, &edges);
  if (result == GRAZE_OK && edges.count == 0) result = graze_object_count_inward_shells(scene, id, &count, &primitive);
  if (result != GRAZE_OK) return result;
  const bool few = *open_count + *inward_count < OPEN_SHOWN;
  if (edges.count > 0 && few) complain_of_edges(objects, object, &edges);
  if (count > 0 && few) complain_of_shells(objects, object, count, primitive);
  *open_count += edges.count > 0;
  *inward_count += count > 0;
  return GRAZE_OK;
}

exit_code check_surfaces_closed(const graze_scene *scene, const object_list *objects) {
  size_t open_count = 0, inward_count = 0;
  for (size_t i = 0; i < objects->count; i++) {
    if (graze_kind_is_solid(objects->entries[i].kind)) continue;
    const graze_result result = check_surface(scene, objects, i, &open_count, &inward_count);
    if (result != GRAZE_OK) return complain("%s", library_message(result));
  }
  const size_t count = open_count + inward_count;
  if (count == 0) return EXIT_CODE_NOTHING;
  if (count > OPEN_SHOWN) complain("%s more are not closed, or inside out", grouped_number(count - OPEN_SHOWN).text);
  if (open_count > 0) complain("--solid requires closed surfaces: every edge used equally often in both directions");
  if (inward_count > 0) complain("--solid requires surfaces that face outward");
  return EXIT_CODE_TROUBLE;
}

/* The search is skipped if nobody sees the note, or if the list of pairs was cut, so that touching objects are
 * unknown. */
static bool wants_containments(const check_outcome *outcome) {
  const check_options *options = outcome->options;
  const graze_query *query = &options->search.query;
  if (outcome->objects->count < 2 || (query->scope & GRAZE_SCOPE_BETWEEN) == 0 || query->candidates_only) return false;
  return options->solid ||
         (!outcome->limit_reached && (!options->quiet || options->json != NULL || options->report != NULL));
}

graze_result check_find_containments(const graze_scene *scene, check_outcome *outcome) {
  if (!wants_containments(outcome)) return GRAZE_OK;
  const double start = clock_milliseconds();
  const pair_table *table = &outcome->table;
  graze_containment_options how = graze_containment_options_default();
  const bool near = outcome->options->search.query.clearance > 0.0; /* its pairs need not touch */
  graze_object_pair *touching = outcome->limit_reached || near ? NULL : calloc(table->count + 1, sizeof *touching);
  for (size_t i = 0; touching != NULL && i < table->count; i++)
    touching[i] = (graze_object_pair){table->rows[i].object_a, table->rows[i].object_b};
  how.touching = touching; /* out of memory or cut: the library finds them again */
  how.touching_count = table->count;
  const graze_result result = graze_scene_find_containments(scene, &how, &outcome->containments);
  free(touching);
  outcome->has_containments = result == GRAZE_OK;
  outcome->inside_ms = clock_milliseconds() - start;
  return result;
}

bool check_outcome_found_something(const check_outcome *outcome) {
  return outcome->count > 0 || (outcome->options->solid && outcome->containments.count > 0);
}

/* ---------------------------------------------------------------------------------------------- words */

static bool is_entire(const graze_containment *containment) {
  return containment->inside_count == containment->primitive_count;
}

static void write_containment(const check_outcome *outcome, const graze_containment *containment, FILE *stream) {
  object_list_write_label(outcome->objects, containment->inner, stream);
  fputs(is_entire(containment) ? " lies entirely inside " : " lies partly inside ", stream);
  object_list_write_label(outcome->objects, containment->outer, stream);
}

/* Counts each object once, however many others contain it: the list is sorted. */
static uint64_t inner_count(const graze_containments *found) {
  uint64_t count = 0;
  for (size_t i = 0; i < found->count; i++)
    count += i == 0 || found->containments[i].inner != found->containments[i - 1].inner;
  return count;
}

void check_outcome_write_inside_verdict(const check_outcome *outcome, FILE *stream) {
  const graze_containments *found = &outcome->containments;
  if (!outcome->options->solid || found->count == 0) return;
  fputs("; ", stream);
  if (found->count == 1) {
    write_containment(outcome, &found->containments[0], stream);
    return;
  }
  const uint64_t count = inner_count(found);
  fprintf(stream, "%s %s inside another", counted(count, "object").text, count == 1 ? "lies" : "lie");
}

void check_outcome_write_inside(const check_outcome *outcome, const console *screen) {
  const graze_containments *found = &outcome->containments;
  const bool solid = outcome->options->solid;
  const size_t most = solid ? INSIDE_SHOWN : NOTES_SHOWN;
  const size_t shown = found->count < most ? found->count : most;
  if (shown == 0 || (solid && found->count == 1)) return;
  if (solid) {
    fputc('\n', screen->stream);
    console_begin(screen, TINT_HEADING);
    fputs("Objects inside others", screen->stream);
    console_end(screen);
    fputc('\n', screen->stream);
  }
  for (size_t i = 0; i < shown; i++) {
    fputs(solid ? "  " : "note  ", screen->stream);
    write_containment(outcome, &found->containments[i], screen->stream);
    fputs(solid ? "\n" : "; their surfaces do not touch (--solid counts this)\n", screen->stream);
  }
  if (shown < found->count)
    fprintf(screen->stream, "%sand %s more%s\n", solid ? "  " : "note  ", grouped_number(found->count - shown).text,
            outcome->options->json != NULL ? "" : "; --json FILE lists them");
}

/* ---------------------------------------------------------------------------------------------- records */

COLUMN_FINDER(find_entirely, bool, graze_containment, is_entire(row))

static const record_column inside_columns[] = {COLUMN("inner", graze_containment, inner),
                                               COLUMN("outer", graze_containment, outer),
                                               COLUMN("inside_primitives", graze_containment, inside_count),
                                               COLUMN("primitives", graze_containment, primitive_count),
                                               COLUMN_FOUND("entirely", COLUMN_BOOL, find_entirely),
                                               {0}};

void check_outcome_write_inside_json(const check_outcome *outcome, json_writer *json) {
  json_key(json, "solid");
  json_boolean(json, outcome->options->solid);
  json_key_array(json, "containments");
  for (size_t i = 0; i < outcome->containments.count; i++)
    columns_write_object(inside_columns, 0, &outcome->containments.containments[i], json);
  json_end_array(json);
}

void check_outcome_write_inside_csv(const check_outcome *outcome, FILE *stream) {
  const bool touching = outcome->options->touching;
  for (size_t i = 0; i < outcome->containments.count; i++) {
    const graze_containment *containment = &outcome->containments.containments[i];
    fprintf(stream, "%" PRIu32 ",%s%" PRIu32 ",%s%s\n", containment->inner, touching ? "" : ",", containment->outer,
            touching ? "" : ",", is_entire(containment) ? "inside" : "partly_inside");
  }
}
