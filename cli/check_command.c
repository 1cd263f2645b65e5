/* `graze check`: reads the files, runs one query, and writes the requested outputs.
 *
 * Workload: one frame per run. Reading often takes longest. Meshes are released as soon as the scene has copied them,
 * unless they are drawn or written later. */
#include "bcf_names.h"
#include "check_bcf.h"
#include "check_each.h"
#include "check_nearness.h"
#include "check_slabs.h"
#include "page_file.h"
#include "pair_picture.h"
#include "pose_targets.h"
#include "scene_file.h"

#include "mesh_io/format_list.h"

#include <stdlib.h>
#include <string.h>

static exit_code run_check(const command *self, int argument_count, char **arguments);

const command check_command = {
    .name = "check",
    .summary = "find all intersecting primitives of one or more meshes",
    .synopsis = "FILE|FOLDER [FILE|FOLDER ...]|SCENE.json [options]",
    .description = "Finds all pairs of triangles, polygons, tetrahedra, polyhedra or spheres that have a\n"
                   "point in common, exactly: touching counts. One file is tested against itself; several\n"
                   "files, which may hold different kinds, are tested against each other.\n"
                   "Files end in" MESH_ENDINGS ",\n"
                   "each also with .gz.\n"
                   "A folder stands for its mesh files and those of its subfolders, part2 before part10.\n"
                   "A scene file places meshes as objects with poses: docs/guide/scene_file.md.\n"
                   "Surfaces are not filled: a surface inside another does not intersect it. A note reports\n"
                   "it if the outer surface is closed; with --solid it counts.\n"
                   "Solids are filled: whatever lies inside a tetrahedron, polyhedron or sphere intersects it.\n"
                   "Objects and primitives are numbered from 0, in file order.\n"
                   "\n"
                   "Exit status: 0 if nothing intersects; 1 if something does, lies inside (--solid) or is\n"
                   "within the clearance (--clearance); 2 on an error, with --each also if a file could not\n"
                   "be read.\n",
    .options = check_option_table,
    .write_more = write_methods,
    .examples = "  graze make torus --triangles 2000 --output torus.obj\n"
                "  graze check torus.obj\n"
                "  graze check torus.obj --neighbors skip --quiet\n"
                "  graze check . --each --csv summary.csv\n"
                "  graze check torus.obj torus.obj --move 1=0.5,0,0 --csv pairs.csv --picture torus.png\n"
                "  graze check torus.obj torus.obj --move 1=0.5,0,0 --picture clash.png --camera iso --zoom-to region\n"
                "  graze check torus.obj torus.obj --move 1=0.5,0,0 --json -\n"
                "  graze check torus.obj torus.obj --rotate 1=90,0,0 --move 1=0.5,0,0\n"
                "  graze check torus.obj torus.obj torus.obj --move 1=0.5,0,0 --move 2=9,0,0 --touching\n"
                "  graze check torus.obj torus.obj --move 1=0.5,0,0 --exclude 0,1\n"
                "  graze check torus.obj torus.obj --move 1=3,0,0 --clearance 0.5 --units mm\n"
                "  graze check torus.obj torus.obj --move 1=0.5,0,0 --regions clashes.csv --curves curves.obj\n"
                "  graze check torus.obj torus.obj --move 1=0.5,0,0 --bcf clashes.bcf --up z\n"
                "  graze check torus.obj torus.obj --move 1=0.5,0,0 --faces faces.ply --csv places.csv --details\n"
                "  graze make tet-pair --primitives 2000 --separate --output pair.msh\n"
                "  graze check pair_0.msh pair_1.msh --contacts contacts.csv\n"
                "  graze make spheres --primitives 2000 --output balls.csv\n"
                "  graze check balls.csv torus.obj --picture balls.png\n",
    .run = run_check,
};

static exit_code refused_by_library(graze_result result) {
  return complain("%s", library_message(result));
}

static bool faces_exist(const check_options *options, const object_list *objects) {
  for (size_t i = 0; options->faces != NULL && i < objects->count; i++) {
    if (objects->entries[i].kind != GRAZE_KIND_SPHERE) continue;
    return decline("--faces writes faces, but %s has spheres", objects->entries[i].file);
  }
  return true;
}

/* A pose of --poses replaces the one in the scene file. */
static bool read_scene(const check_options *options, scene_file *scene, object_list *objects, progress *steps) {
  if (!scene_file_read(options->files[0], scene)) return false;
  if (options->poses != NULL && !scene_file_take_poses(scene, options->poses)) return false;
  if (scene->frame_count > 0 && !options->quiet)
    remark("%s has %s, which 'graze play' checks; this check uses the poses of the objects", options->files[0],
           counted(scene->frame_count, "frame").text);
  return scene_file_load(scene, options->allow_large, steps) && scene_file_append(scene, NULL, objects);
}

static bool read_files(const check_options *options, object_list *objects, progress *steps) {
  objects->separate = options->separate;
  objects->components = options->components;
  objects->weld = options->weld;
  objects->allow_large = options->allow_large;
  for (size_t i = 0; i < options->file_count; i++) {
    if (!object_list_read(objects, options->files[i], steps)) return false;
  }
  return options->poses == NULL || pose_targets_place(options->poses, objects);
}

static bool read_objects(const check_options *options, scene_file *scene, object_list *objects, progress *steps) {
  if (options->is_scene ? !read_scene(options, scene, objects, steps) : !read_files(options, objects, steps))
    return false;
  return object_list_move(objects, &options->moves) && faces_exist(options, objects);
}

static graze_result fill_scene(graze_scene *scene, const check_options *options, const object_list *objects) {
  graze_result result = graze_scene_set_method(scene, &options->search.method);
  for (size_t i = 0; result == GRAZE_OK && i < objects->count; i++) {
    graze_object object;
    result = object_list_add_to(objects, i, scene, &object);
  }
  return result;
}

/* ---------------------------------------------------------------------------------------------- outputs */

/* The page has one frame. */
static bool write_page(const check_outcome *outcome, FILE *stream) {
  const check_options *options = outcome->options;
  const page_heading heading = {
      .command = "check",
      .title = options->files[0],
      .more_files = options->file_count - 1,
      .method = outcome->method,
      .query = &options->search.query,
      .solid = options->solid,
      .excludes = outcome->excluded_count > 0,
      .units = options->units,
      .up = up_axis_name(options->drawing.camera.up),
  };
  const page_frame frame = {
      .objects = outcome->objects,
      .pairs = &outcome->pairs,
      .regions = outcome->has_regions ? &outcome->regions : NULL,
      .distances = outcome->distances.count > 0 ? &outcome->distances : NULL,
      .wrenches = &outcome->wrenches,
      .containments = outcome->has_containments ? &outcome->containments : NULL,
      .timings = &outcome->timings,
      .counters = &outcome->counters,
      .frame_ms = outcome->frame_ms,
  };
  return page_file_write_frame(&heading, &frame, stream);
}

enum { CAPTION_BYTES = 128 };

/* Of all listed pairs. */
static void write_caption(const check_outcome *outcome, char caption[CAPTION_BYTES]) {
  snprintf(
      caption, CAPTION_BYTES, "%s%s, %s", outcome->pairs.limit_reached ? "more than " : "",
      counted(outcome->pairs.count, outcome->options->search.query.candidates_only ? "candidate pair" : "pair").text,
      object_list_amount(outcome->objects).text);
}

static bool draw_pairs(const check_outcome *outcome, const graze_scene *scene, const output_file *file) {
  char caption[CAPTION_BYTES];
  write_caption(outcome, caption);
  const check_options *options = outcome->options;
  return pair_picture_draw(outcome->objects, scene, &options->search.query, &outcome->pairs, &options->drawing, caption,
                           file);
}

/* An outcome and its scene, for the outputs. */
typedef struct written_check {
  const check_outcome *outcome;
  const graze_scene *scene;
} written_check;

static bool write_output(const void *context, size_t output, const output_file *file) {
  const written_check *written = context;
  static void (*const writers[CHECK_OUTPUTS])(const check_outcome *outcome,
                                              FILE *stream) = {[CHECK_JSON] = check_outcome_write_json,
                                                               [CHECK_CSV] = check_outcome_write_csv,
                                                               [CHECK_CONTACTS] = check_outcome_write_contacts,
                                                               [CHECK_REGIONS] = check_outcome_write_regions,
                                                               [CHECK_CURVES] = check_outcome_write_curves};
  if (output == CHECK_FACES) return check_outcome_write_faces(written->outcome, file->stream);
  if (output == CHECK_BCF) return check_outcome_write_bcf(written->outcome, written->scene, file->stream);
  if (output == CHECK_PICTURE) return draw_pairs(written->outcome, written->scene, file);
  if (output == CHECK_REPORT) return write_page(written->outcome, file->stream);
  writers[output](written->outcome, file->stream);
  return true;
}

static exit_code report_outcome(check_outcome *outcome, const graze_scene *scene) {
  const written_check written = {outcome, scene};
  named_output outputs[CHECK_OUTPUTS];
  check_options_list_outputs(outcome->options, outputs);
  if (!outputs_write(outputs, CHECK_OUTPUTS, write_output, &written)) return EXIT_CODE_TROUBLE;
  const bool taken = outputs_take_standard_output(outputs, CHECK_OUTPUTS);
  if (!outcome->options->quiet) check_outcome_write_words(outcome, taken ? stderr : stdout);
  if (finish_standard_output() != EXIT_CODE_NOTHING) return EXIT_CODE_TROUBLE;
  return check_outcome_found_something(outcome) ? EXIT_CODE_SOMETHING : EXIT_CODE_NOTHING;
}

/* Whether clashes are counted by default: not for a single pair, not if each pair would be a clash, and not for so many
 * pairs that it would take more than a moment. */
static bool counts_clashes(const check_outcome *outcome) {
  const size_t count = outcome->pairs.count;
  bool only_spheres = true;
  for (size_t i = 0; i < outcome->objects->count; i++)
    only_spheres = only_spheres && outcome->objects->entries[i].kind == GRAZE_KIND_SPHERE;
  return !outcome->options->quiet && count > 1 && count <= CLASH_PAIRS && !only_spheres;
}

/* Clashes need all pairs. Depths and curves are computed only for files, because depths cost more than finding the
 * pairs. */
static graze_result make_regions(const graze_scene *scene, check_outcome *outcome, progress *steps) {
  const check_options *options = outcome->options;
  const graze_query *query = &options->search.query;
  const bool asked = options->regions != NULL || options->curves != NULL || options->faces != NULL ||
                     options->bcf != NULL || options->json != NULL || options->report != NULL;
  if (options->touching || query->candidates_only || query->pair_limit != 0 || query->clearance > 0.0) return GRAZE_OK;
  if (!asked && !counts_clashes(outcome)) return GRAZE_OK;
  graze_region_options how = graze_region_options_default();
  how.test = query->test;
  how.depths = how.object_depths =
      options->regions != NULL || options->bcf != NULL || options->json != NULL || options->report != NULL;
  how.curves = options->curves != NULL || options->report != NULL;
  char **names = bcf_object_labels_make(outcome->objects);
  if (names == NULL) return GRAZE_OUT_OF_MEMORY;
  how.object_names = (const char *const *)names;
  how.object_name_count = outcome->objects->count;
  if (asked) progress_working(steps, "grouping", object_list_primitive_count(outcome->objects), "pairs into clashes");
  const graze_result result =
      graze_scene_make_regions(scene, outcome->pairs.pairs, outcome->pairs.count, &how, &outcome->regions);
  bcf_object_labels_free(names, outcome->objects->count);
  progress_done(steps, result == GRAZE_OK ? counted_as(outcome->regions.count, "clash", "clashes").text : "failed");
  outcome->has_regions = result == GRAZE_OK;
  if (outcome->has_regions) outcome->timings.regions_ms = outcome->regions.timings->regions_ms;
  return result;
}

/* JSON and details have a point of each pair. */
static bool needs_contacts(const check_options *options) {
  if (options->touching || options->search.query.candidates_only || options->search.query.clearance > 0.0) return false;
  return options->contacts != NULL || options->json != NULL || options->details;
}

/* Volumes are computed only if solids can intersect and the result is printed or written: they cost more than finding
 * the pairs. */
static graze_result measure_pairs(graze_scene *scene, const object_list *objects, check_outcome *outcome) {
  const check_options *options = outcome->options;
  const bool can_push =
      !options->touching && !options->search.query.candidates_only && !(options->search.query.clearance > 0.0) &&
      (options->search.query.scope & GRAZE_SCOPE_BETWEEN) != 0 && object_list_solid_count(objects) > 1;
  graze_result result = GRAZE_OK;
  if (can_push && (!options->quiet || options->json != NULL || options->report != NULL)) {
    const double start = clock_milliseconds();
    graze_contact_options how = graze_contact_options_default();
    how.test = options->search.query.test;
    result = graze_scene_make_wrenches(scene, outcome->pairs.pairs, outcome->pairs.count, &how, &outcome->wrenches);
    outcome->volumes_ms = clock_milliseconds() - start;
  }
  if (result == GRAZE_OK && needs_contacts(options)) {
    graze_contact_options how = graze_contact_options_default();
    how.test = options->search.query.test;
    result = graze_scene_make_contacts(scene, outcome->pairs.pairs, outcome->pairs.count, &how, &outcome->contacts);
  }
  return result;
}

/* Finds pairs of primitives, or objects that touch. *refused_out becomes true after a complaint. */
static graze_result find_pairs(const graze_scene *scene, check_outcome *outcome, progress *steps, bool *refused_out) {
  const graze_query *query = &outcome->options->search.query;
  if (outcome->options->touching) {
    graze_object_pairs *touching = &outcome->touching;
    const graze_result result = graze_scene_find_object_pairs(scene, query, touching);
    if (result != GRAZE_OK) return result;
    outcome->count = touching->count;
    outcome->hash = touching->hash;
    outcome->limit_reached = touching->limit_reached != 0;
    outcome->timings = *touching->timings;
    outcome->counters = *touching->counters;
    return GRAZE_OK;
  }
  graze_pairs *pairs = &outcome->pairs;
  const graze_result result = check_outcome_is_near(outcome) ? check_nearness_find(scene, outcome, steps, refused_out)
                                                             : graze_scene_find_pairs(scene, query, pairs);
  if (result != GRAZE_OK) return result;
  outcome->count = pairs->count;
  outcome->hash = pairs->hash;
  outcome->limit_reached = pairs->limit_reached != 0;
  outcome->timings = *pairs->timings;
  outcome->counters = *pairs->counters;
  return GRAZE_OK;
}

static bool make_table(check_outcome *outcome) {
  if (outcome->options->touching)
    return pair_table_take(outcome->touching.pairs, outcome->touching.count, &outcome->table);
  return pair_table_count(outcome->pairs.pairs, outcome->pairs.count, outcome->objects->count, &outcome->table);
}

/* Whether the meshes are needed for output after the query. */
static bool keeps_meshes(const check_options *options) {
  return options->picture != NULL || options->faces != NULL || options->bcf != NULL || options->report != NULL ||
         options->details;
}

static exit_code run_queries(graze_scene *scene, check_options *options, object_list *objects, scene_file *file,
                             check_outcome *outcome, progress *steps) {
  graze_result result = fill_scene(scene, options, objects);
  if (result != GRAZE_OK) return refused_by_library(result);
  if (!exclude_objects(&options->exclusions, objects, (const size_t(*)[2])file->exclusions, file->exclusion_count,
                       scene))
    return EXIT_CODE_TROUBLE;
  outcome->excluded_count = graze_scene_exclusion_count(scene);
  if (!keeps_meshes(options)) {
    object_list_release_meshes(objects);
    scene_file_release_meshes(file);
  }
  double start = clock_milliseconds();
  result = graze_scene_update(scene);
  outcome->frame_ms = clock_milliseconds() - start;
  if (result != GRAZE_OK) return refused_by_library(result);
  if (options->solid && check_surfaces_closed(scene, objects) != EXIT_CODE_NOTHING) return EXIT_CODE_TROUBLE;
  if (!check_outcome_is_near(outcome) || options->touching)
    progress_working(steps, "searching", object_list_primitive_count(objects), object_list_amount(objects).text);
  start = clock_milliseconds();
  bool refused = false;
  result = find_pairs(scene, outcome, steps, &refused);
  if (refused) return EXIT_CODE_TROUBLE;
  outcome->frame_ms += clock_milliseconds() - start;
  progress_done(steps, result == GRAZE_OK ? counted(outcome->count, "pair").text : "failed");
  if (result == GRAZE_OK) result = make_regions(scene, outcome, steps);
  if (result == GRAZE_OK) result = measure_pairs(scene, objects, outcome);
  if (result == GRAZE_OK) result = check_nearness_measure(scene, outcome, steps);
  if (result != GRAZE_OK) return refused_by_library(result);
  outcome->method = graze_scene_method(scene, &outcome->reason);
  if (outcome->distances.timings != NULL) outcome->timings.contacts_ms = outcome->distances.timings->contacts_ms;
  if (outcome->contacts.timings != NULL) outcome->timings.contacts_ms = outcome->contacts.timings->contacts_ms;
  if (!make_table(outcome)) return complain("out of memory");
  result = check_find_containments(scene, outcome);
  const exit_code code = result == GRAZE_OK ? report_outcome(outcome, scene) : refused_by_library(result);
  pair_table_release(&outcome->table);
  return code;
}

static exit_code check_objects(check_options *options, object_list *objects) {
  graze_scene *scene = NULL;
  /* The scene is made before the files are read, so that a missing backend is reported at once. */
  if (!backend_make_scene(&options->search.scene, &scene)) return EXIT_CODE_TROUBLE;
  check_outcome outcome = {.options = options, .objects = objects};
  progress steps = progress_start(options->quiet);
  const double start = clock_milliseconds();
  exit_code code = EXIT_CODE_TROUBLE;
  scene_file file = {0};
  if (read_objects(options, &file, objects, &steps)) {
    outcome.reading_ms = clock_milliseconds() - start;
    options->search.query.scope = check_scope(options, objects);
    options->search.query.neighbors = search_neighbors(&options->search, object_list_solid_count(objects) > 0);
    code = run_queries(scene, options, objects, &file, &outcome, &steps);
  }
  graze_containments_free(&outcome.containments);
  graze_regions_free(&outcome.regions);
  graze_contacts_free(&outcome.contacts);
  graze_distances_free(&outcome.distances);
  graze_wrenches_free(&outcome.wrenches);
  graze_object_pairs_free(&outcome.touching);
  graze_pairs_free(&outcome.pairs);
  graze_scene_destroy(scene);
  object_list_release(objects);
  scene_file_release(&file);
  return code;
}

static exit_code run_check(const command *self, int argument_count, char **arguments) {
  check_options options;
  object_list objects = {0};
  const options_state state = check_options_read(self, argument_count, arguments, &options);
  const exit_code code = state != OPTIONS_READY     ? command_end(state)
                         : options.each             ? check_each_file(&options)
                         : options.memory_bytes > 0 ? check_by_slabs(&options)
                                                    : check_objects(&options, &objects);
  object_list_release(&objects);
  check_options_release(&options);
  return code;
}
