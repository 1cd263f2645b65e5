/* `graze check --memory`; see check_slabs.h.
 *
 * Files are read range by range, several times. In memory are one range, the part of the scene that is searched,
 * and, for --csv, all pairs. */
#include "check_slabs.h"

#include "check_outcome.h"
#include "complaint.h"
#include "output_file.h"
#include "pair_sort.h"
#include "plain_words.h"
#include "progress.h"
#include "row_growth.h"

#include "distributed/slab_stream.h"
#include "mesh_ranges/mesh_range.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes per triangle of a slab: positions, corners, numbers, the grid, some pairs, and its share of the piece that is
 * read. The search alone takes 120 bytes for a closed surface in single precision and 235 for a soup in double
 * precision. A piece takes at most an eighth of the memory. */
enum { SLAB_BYTES = 384, PIECE_PART = 8, PIECE_MOST = 1 << 20 };

/* Triangles of a slab: with three vertices each, a scene can number twice as many. */
enum { SLAB_MOST = 1 << 29 };

/* The table of the slabs that each piece reaches, of a byte each, may take an eighth of the memory, or this much. */
enum { REACHES_LEAST = 1 << 26 };

/* Files, each an object, in ranges of about equal numbers of faces. */
typedef struct file_pieces {
  char *const *files;
  size_t file_count;
  size_t *ranges;         /* of each file */
  mesh_version *versions; /* of each file: all its ranges are of one */
  size_t piece_count;
  uint64_t face_count;
  progress steps;
} file_pieces;

static graze_result load_piece(void *context, size_t piece, graze_scene *scene, rank_failure *failure) {
  const file_pieces *pieces = context;
  size_t file = 0;
  while (piece >= pieces->ranges[file]) piece -= pieces->ranges[file++];
  mesh_range range;
  if (!mesh_range_reopen(pieces->files[file], &pieces->versions[file], &range))
    return rank_failure_say(failure, GRAZE_FILE_FAILED, "%s: the file has changed, or can no longer be opened",
                            pieces->files[file]);
  graze_result result = mesh_range_add(&range, piece, pieces->ranges[file], (uint32_t)file, scene);
  if (result != GRAZE_OK)
    result = rank_failure_say(failure, result, "%s: %s", pieces->files[file], mesh_range_trouble(&range, result));
  mesh_range_close(&range);
  return result;
}

/* Each piece is loaded once for the box of everything, once to find the slabs that it reaches, and once for each of
 * these. */
static void show_advance(void *context, uint64_t loaded, uint64_t total) {
  static const char *const steps[] = {"dividing space", "assigning triangles", "searching slabs"};
  file_pieces *pieces = context;
  const uint64_t round = loaded / pieces->piece_count;
  progress_measuring(&pieces->steps, "slabs", steps[round < 2 ? round : 2], (double)loaded / (double)total);
}

static bool open_pieces(file_pieces *pieces, const check_options *options, size_t piece_faces) {
  *pieces = (file_pieces){.files = options->files, .file_count = options->file_count};
  pieces->ranges = calloc(options->file_count, sizeof *pieces->ranges);
  pieces->versions = calloc(options->file_count, sizeof *pieces->versions);
  const bool has_room = pieces->ranges != NULL && pieces->versions != NULL;
  if (!has_room) complain("out of memory");
  for (size_t i = 0; has_room && i < options->file_count; i++) {
    mesh_range range;
    if (!mesh_range_open(options->files[i], &range)) {
      if (access(options->files[i], R_OK) != 0)
        return decline("%s: cannot be opened: %s", options->files[i], strerror(errno));
      return decline(
          "--memory requires complete, uncompressed files: binary STL, or little-endian binary PLY of triangles; "
          "%s is not one",
          options->files[i]);
    }
    pieces->versions[i] = range.version;
    pieces->ranges[i] = (size_t)range.version.face_count / piece_faces + 1;
    pieces->piece_count += pieces->ranges[i];
    pieces->face_count += range.version.face_count;
    mesh_range_close(&range);
  }
  return has_room;
}

/* The pairs of all slabs so far. */
typedef struct pair_list {
  graze_pair *pairs;
  size_t count, capacity;
} pair_list;

/* Appends the pairs of a slab; false when out of memory. */
static bool keep_pairs(void *context, const graze_pair *pairs, size_t count) {
  pair_list *all = context;
  if (count == 0) return true;
  if (!rows_reserve(&all->pairs, &all->capacity, all->count, count, sizeof *pairs)) return false;
  memcpy(all->pairs + all->count, pairs, count * sizeof *pairs);
  all->count += count;
  return true;
}

static bool open_csv(const check_options *options, output_file *csv) {
  return options->csv == NULL || is_standard_output(options->csv) || output_file_open(csv, options->csv);
}

/* Called before the search, which may take hours, so that a path that cannot be written is an error at once. The file
 * is closed again, because an interrupted search would leave it behind. */
static bool csv_can_be_written(const check_options *options) {
  output_file csv = {0};
  if (!open_csv(options, &csv)) return false;
  output_file_discard(&csv);
  return true;
}

static bool write_csv(const check_options *options, output_file *csv, const pair_list *all) {
  if (options->csv == NULL) return true;
  if (!open_csv(options, csv)) return false;
  const check_outcome outcome = {.options = options, .pairs = {.pairs = all->pairs, .count = all->count}};
  sort_pairs(all->pairs, all->count);
  check_outcome_write_csv(&outcome, csv->stream != NULL ? csv->stream : stdout);
  return csv->stream == NULL || (output_file_close(csv) && output_file_publish(csv));
}

static void report_pairs(FILE *stream, const check_options *options, const slab_stream_totals *totals,
                         uint32_t part_count, double milliseconds) {
  const bool near = options->search.query.clearance > 0;
  for (size_t i = 0; i < options->file_count; i++)
    fprintf(stream, "%s%s", i == 0 ? "" : i + 1 < options->file_count ? ", " : " and ", options->files[i]);
  if (totals->pair_count == 0)
    fprintf(stream, ": no triangle %s another", near ? "is within the clearance of" : "intersects");
  else
    fprintf(stream, ": %s of triangles %s", counted(totals->pair_count, "pair").text,
            near                      ? "within the clearance"
            : totals->pair_count == 1 ? "intersects"
                                      : "intersect");
  fprintf(stream, " (%s, ", counted(totals->primitive_count, "triangle").text);
  fprintf(stream, "%s, %s).\n\nhash  %016llx\n", counted(part_count, "slab").text, spelled_duration(milliseconds).text,
          (unsigned long long)totals->hash);
  fprintf(stream, "note  the largest slab had %s; searching it took at most %s MiB\n",
          counted(totals->greatest_held_count, "triangle").text, grouped_number(totals->peak_bytes >> 20).text);
}

static exit_code find_pairs(const check_options *options, file_pieces *pieces, uint32_t part_count) {
  const backend_options *where = &options->search.scene;
  const graze_backend_def backend = backend_options_def(where);
  graze_scene_def scene = graze_scene_def_default();
  scene.backend = &backend;
  scene.worker_count = where->thread_count;
  graze_query query = options->search.query;
  query.scope = options->file_count == 1 ? GRAZE_SCOPE_WITHIN : options->self ? GRAZE_SCOPE_BOTH : GRAZE_SCOPE_BETWEEN;
  search_options search = options->search;
  search.query = query;
  query.neighbors = search_neighbors(&search, false);
  const slab_source source = {pieces, pieces->piece_count, load_piece};
  pair_list all = {0};
  const slab_stream_def def = {.scene = &scene,
                               .method = &options->search.method,
                               .part_count = part_count,
                               .take = options->csv != NULL ? keep_pairs : NULL,
                               .take_context = &all,
                               .advance = show_advance,
                               .advance_context = pieces};
  slab_stream_totals totals;
  rank_failure failure;
  exit_code code = EXIT_CODE_TROUBLE;
  output_file csv = {0};
  if (!csv_can_be_written(options)) return EXIT_CODE_TROUBLE;
  const double start = clock_milliseconds();
  pieces->steps = progress_start(options->quiet);
  const graze_result result = slab_stream_find(&source, &def, &query, &totals, &failure);
  progress_bar_done(&pieces->steps);
  if (result == GRAZE_STOPPED)
    complain("out of memory: --csv keeps all pairs, more than %s", counted(all.count, "pair").text);
  else if (result != GRAZE_OK)
    complain("%s", failure.text);
  else if (write_csv(options, &csv, &all))
    code = totals.pair_count > 0 ? EXIT_CODE_SOMETHING : EXIT_CODE_NOTHING;
  if (code != EXIT_CODE_TROUBLE && !options->quiet)
    report_pairs(is_standard_output(options->csv) ? stderr : stdout, options, &totals, part_count,
                 clock_milliseconds() - start);
  output_file_discard(&csv);
  free(all.pairs);
  return code;
}

/* The number of slabs; 0 after a complaint if a limit is too low for the scene. */
static uint32_t count_slabs(const check_options *options, const file_pieces *pieces, uint64_t slab_faces) {
  const uint64_t part_count = pieces->face_count / slab_faces + 1;
  const uint64_t eighth = options->memory_bytes / 8, most = eighth > REACHES_LEAST ? eighth : REACHES_LEAST;
  if (part_count <= UINT16_MAX && pieces->piece_count * part_count <= most) return (uint32_t)part_count;
  complain("--memory is too low: it would need %s slabs for %s", grouped_number(part_count).text,
           counted(pieces->face_count, "triangle").text);
  return 0;
}

exit_code check_by_slabs(const check_options *options) {
  const uint64_t wanted_faces = options->memory_bytes / SLAB_BYTES + 1;
  const uint64_t slab_faces = wanted_faces < SLAB_MOST ? wanted_faces : SLAB_MOST;
  const uint64_t piece_faces = slab_faces / PIECE_PART + 1;
  file_pieces pieces;
  exit_code code = EXIT_CODE_TROUBLE;
  if (open_pieces(&pieces, options, piece_faces < PIECE_MOST ? (size_t)piece_faces : PIECE_MOST)) {
    const uint32_t part_count = count_slabs(options, &pieces, slab_faces);
    if (part_count > 0) code = find_pairs(options, &pieces, part_count);
  }
  free(pieces.ranges);
  free(pieces.versions);
  if (code == EXIT_CODE_TROUBLE) return code;
  return finish_standard_output() == EXIT_CODE_TROUBLE ? EXIT_CODE_TROUBLE : code;
}
