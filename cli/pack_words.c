/* The outcome of a packing as text and as JSON. */
#include "json_record.h"
#include "pack_outcome.h"
#include "plain_words.h"

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
  for (size_t i = 1; i < packing->count; ++i) {
    const double radius = packing->spheres[i].radius;
    if (radius < smallest) smallest = radius;
    if (radius > largest) largest = radius;
  }
  fprintf(stream, "  radii from %.6g to %.6g\n", smallest, largest);
}

static void write_frames(const pack_outcome *outcome, const console *screen) {
  for (size_t i = 0; i < outcome->carried_count; ++i) {
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

/* The numbers of the outcome: name, kind of number, value. */
#define PACKING_LIST(X)                                                                                                \
  X(count, unsigned, packing->count)                                                                                   \
  X(fill_rate, double, packing->fill_rate)                                                                             \
  X(interrupted, boolean, outcome->interrupted)                                                                        \
  X(certified, boolean, packing->certified != 0)                                                                       \
  X(largest_gap, double, packing->largest_gap)                                                                         \
  X(largest_gap_bound, double, packing->largest_gap_bound)                                                             \
  X(p95_gap, double, packing->p95_gap)                                                                                 \
  X(mesh_volume, double, packing->mesh_volume)                                                                         \
  X(sphere_volume, double, packing->sphere_volume)                                                                     \
  X(overlaps, unsigned, packing->overlap_count)                                                                        \
  X(crossings, unsigned, packing->crossing_count)                                                                      \
  X(outside, unsigned, packing->outside_count)                                                                         \
  X(shells, unsigned, packing->shell_count)                                                                            \
  X(cavities, unsigned, packing->cavity_count)                                                                         \
  X(inverted, boolean, packing->inverted != 0)                                                                         \
  X(self_crossings, unsigned, packing->self_crossing_count)                                                            \
  X(self_crossings_more, boolean, packing->self_crossing_more != 0)                                                    \
  X(triangles, unsigned, outcome->body->triangle_count)

static void write_first_crossing(const graze_packing *packing, json_writer *json) {
  if (packing->self_crossing_count == 0) return;
  json_key(json, "first_self_crossing");
  json_begin_array(json);
  for (int i = 0; i < 2; ++i) json_unsigned(json, packing->self_crossing_first[i]);
  json_end_array(json);
}

static void write_json_frames(const pack_outcome *outcome, json_writer *json) {
  if (outcome->options->frame_count == 0) return;
  json_key(json, "frames");
  json_begin_array(json);
  for (size_t i = 0; i < outcome->carried_count; ++i) {
    const carried_frame *frame = &outcome->frames[i];
    json_begin_object(json);
    json_key(json, "file");
    json_string(json, frame->file);
    json_key(json, "sphere_volume");
    json_double(json, frame->volume);
    json_key(json, "gone");
    json_unsigned(json, frame->gone);
    json_key(json, "certified");
    json_boolean(json, true);
    json_end_object(json);
  }
  json_end_array(json);
}

static void write_timings(const pack_outcome *outcome, json_writer *json) {
  json_key(json, "timings_ms");
  json_begin_object(json);
  json_key(json, "reading");
  json_double(json, outcome->reading_ms);
  json_key(json, "packing");
  json_double(json, outcome->packing.packing_ms);
  json_key(json, "certifying");
  json_double(json, outcome->packing.certifying_ms);
  json_end_object(json);
}

void pack_outcome_write_json(const pack_outcome *outcome, FILE *stream) {
  const graze_packing *packing = &outcome->packing;
  json_writer json = {.stream = stream};
  json_begin_record(&json, "pack");
  json_key(&json, "file");
  json_string(&json, outcome->options->file);
  json_key(&json, "skipped");
  json_unsigned(&json, outcome->body->skipped);
#define WRITE_JSON(name, kind, value)                                                                                  \
  json_key(&json, #name);                                                                                              \
  json_##kind(&json, value);
  PACKING_LIST(WRITE_JSON)
#undef WRITE_JSON
  write_first_crossing(packing, &json);
  write_json_frames(outcome, &json);
  write_timings(outcome, &json);
  json_end_object(&json);
  fputc('\n', stream);
}
