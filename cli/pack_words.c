/* The outcome of a packing as text and as JSON. */
#include "pack_outcome.h"
#include "plain_words.h"
#include "record_columns.h"

#include <inttypes.h>

static void write_verdict(const console *screen) {
  console_begin(screen, TINT_GOOD);
  fputs("  certified  exactly: no two spheres overlap, none leaves the mesh", screen->stream);
  console_end(screen);
  fputc('\n', screen->stream);
}

/* Open meshes were refused before. Other irregularities of a mesh are reported, with their treatment. */
static void write_shells(const graze_packing *packing, FILE *stream) {
  fprintf(stream, "  %s; points with nonzero winding number are filled", counted(packing->shell_count, "shell").text);
  if (packing->cavity_count > 0)
    fprintf(stream, "; %s inward: %s free", counted_as(packing->cavity_count, "of them faces", "of them face").text,
            packing->cavity_count == 1 ? "a cavity, which stays" : "cavities, which stay");
  fputc('\n', stream);
}

static void write_self_crossings(const graze_packing *packing, FILE *stream) {
  fprintf(stream,
          "  the mesh intersects itself: %s%s of its triangles, the first %" PRIu32 " and %" PRIu32 ".\n"
          "  Regions with winding number 2 are filled once and count twice in its volume;\n"
          "  no sphere crosses a triangle, not even one inside\n",
          packing->self_crossing_more ? "more than " : "", counted(packing->self_crossing_count, "pair").text,
          packing->self_crossing_first[0], packing->self_crossing_first[1]);
}

static void write_oddities(const graze_packing *packing, FILE *stream) {
  if (packing->inverted) fputs("  the mesh is inside out; it was treated as if reversed\n", stream);
  if (packing->shell_count > 1) write_shells(packing, stream);
  if (packing->self_crossing_count > 0) write_self_crossings(packing, stream);
}

static void write_sizes(const graze_packing *packing, FILE *stream) {
  double smallest = packing->spheres[0].radius, largest = smallest;
  for (size_t i = 1; i < packing->count; i++) {
    const double radius = packing->spheres[i].radius;
    if (radius < smallest) smallest = radius;
    if (radius > largest) largest = radius;
  }
  fprintf(stream, "  radii from %.6g to %.6g\n", smallest, largest);
}

static void write_frames(const pack_outcome *outcome, const console *screen) {
  for (size_t i = 0; i < outcome->carried_count; i++) {
    const carried_frame *frame = &outcome->frames[i];
    fputs("  frame ", screen->stream);
    write_harmless(screen->stream, frame->file);
    fprintf(screen->stream, ": %.2f %% of the spheres' volume",
            outcome->packing.count > 0 ? 100.0 * frame->volume / outcome->packing.sphere_volume : 0.0);
    if (frame->gone > 0) fprintf(screen->stream, ", %s gone", counted(frame->gone, "sphere").text);
    fputs(", ", screen->stream);
    console_begin(screen, TINT_GOOD);
    fputs("certified", screen->stream);
    console_end(screen);
    fputc('\n', screen->stream);
  }
}

void pack_outcome_write_words(const pack_outcome *outcome, FILE *stream) {
  const graze_packing *packing = &outcome->packing;
  const console screen = console_on(stream);
  console_begin(&screen, TINT_HEADING);
  write_harmless(stream, outcome->options->file);
  fprintf(stream, ": %s, %.2f %% full", counted(packing->count, "sphere").text, 100.0 * packing->fill_rate);
  console_end(&screen);
  fprintf(stream, " (%s, %s; certificate %s; reading %s).\n", counted(outcome->body->triangle_count, "triangle").text,
          spelled_duration(packing->packing_ms).text, spelled_duration(packing->certifying_ms).text,
          spelled_duration(outcome->reading_ms).text);
  if (packing->count == 0)
    fputs("  no sphere of the smallest radius fits: the body is too thin everywhere\n", stream);
  else
    write_sizes(packing, stream);
  fprintf(stream,
          "  gaps  the largest sphere that still fits has radius %.6g; none above %.6g does;\n"
          "        95 %% of free points are within %.6g of a sphere or the mesh\n",
          packing->largest_gap, packing->largest_gap_bound, packing->p95_gap);
  const graze_packing_options *limits = &outcome->options->limits;
  if (limits->fill_rate < 1.0 && packing->fill_rate < limits->fill_rate && packing->count >= limits->count)
    fprintf(stream, "  note  ended at %s, before %g %%; --count allows more\n", counted(packing->count, "sphere").text,
            100.0 * limits->fill_rate);
  write_oddities(packing, stream);
  write_verdict(&screen);
  write_frames(outcome, &screen);
}

static const record_column packing_columns[] = {
    COLUMN("count", pack_outcome, packing.count),
    COLUMN("fill_rate", pack_outcome, packing.fill_rate),
    COLUMN("interrupted", pack_outcome, interrupted),
    COLUMN_FLAG("certified", pack_outcome, packing.certified),
    COLUMN("largest_gap", pack_outcome, packing.largest_gap),
    COLUMN("largest_gap_bound", pack_outcome, packing.largest_gap_bound),
    COLUMN("p95_gap", pack_outcome, packing.p95_gap),
    COLUMN("mesh_volume", pack_outcome, packing.mesh_volume),
    COLUMN("sphere_volume", pack_outcome, packing.sphere_volume),
    COLUMN("overlaps", pack_outcome, packing.overlap_count),
    COLUMN("crossings", pack_outcome, packing.crossing_count),
    COLUMN("outside", pack_outcome, packing.outside_count),
    COLUMN("shells", pack_outcome, packing.shell_count),
    COLUMN("cavities", pack_outcome, packing.cavity_count),
    COLUMN_FLAG("inverted", pack_outcome, packing.inverted),
    COLUMN("self_crossings", pack_outcome, packing.self_crossing_count),
    COLUMN_FLAG("self_crossings_more", pack_outcome, packing.self_crossing_more),
    {0}};

static bool find_true(const void *row, void *value_out) {
  (void)row;
  return *(bool *)value_out = true;
}

static const record_column frame_columns[] = {COLUMN("file", carried_frame, file),
                                              COLUMN("sphere_volume", carried_frame, volume),
                                              COLUMN("gone", carried_frame, gone),
                                              COLUMN_FOUND("certified", COLUMN_BOOL, find_true),
                                              {0}};

static const record_column time_columns[] = {COLUMN("reading", pack_outcome, reading_ms),
                                             COLUMN("packing", pack_outcome, packing.packing_ms),
                                             COLUMN("certifying", pack_outcome, packing.certifying_ms),
                                             {0}};

void pack_outcome_write_json(const pack_outcome *outcome, FILE *stream) {
  const graze_packing *packing = &outcome->packing;
  json_writer json = record_begin("pack", stream);
  json_key(&json, "file");
  json_string(&json, outcome->options->file);
  json_key(&json, "skipped");
  json_unsigned(&json, outcome->body->skipped);
  columns_write_members(packing_columns, 0, outcome, &json);
  json_key(&json, "triangles");
  json_unsigned(&json, outcome->body->triangle_count);
  if (packing->self_crossing_count > 0) {
    json_key_array(&json, "first_self_crossing");
    for (int i = 0; i < 2; i++) json_unsigned(&json, packing->self_crossing_first[i]);
    json_end_array(&json);
  }
  if (outcome->options->frame_count > 0) {
    json_key_array(&json, "frames");
    for (size_t i = 0; i < outcome->carried_count; i++) {
      json_begin_object(&json);
      columns_write_members(frame_columns, 0, &outcome->frames[i], &json);
      json_end_object(&json);
    }
    json_end_array(&json);
  }
  json_key_object(&json, "timings_ms");
  columns_write_members(time_columns, 0, outcome, &json);
  json_end_object(&json);
  record_end(&json);
}
