/* `graze make`: writes a built-in model, or a filled surface, to files.
 *
 * A model may have several objects. They are groups of one file, which has exactly the requested name; --separate gives
 * each object its own file, numbered before the ending. */
#include "backend_options.h"
#include "close_match.h"
#include "command_line.h"
#include "make_scene.h"
#include "option_values.h"
#include "output_file.h"
#include "progress.h"
#include "scene_source.h"

#include "mesh_io/mesh.h"
#include "mesh_io/mesh_file.h"
#include "mesh_io/mesh_format.h"
#include "models/lattice_fill.h"
#include "models/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096, NUMBER_BYTES = 24 };
/* The only name that is not a model: it needs a surface. */
static const char filled_name[] = "filled";

typedef struct make_options {
  const char *name;
  const model *chosen;       /* NULL for a filling or a scene */
  const moving_scene *scene; /* NULL unless the model is a moving scene */
  uint64_t frames;           /* 0: not requested */
  bool has_primitives;
  const char *surface;
  model_parameters parameters;
  const char *output;
  bool allow_large, separate, list, quiet;
} make_options;

static const command_option make_option_table[] = {
    {"primitives", 0, "N", OPTION_USUAL, OPTION_U64(make_options, parameters.primitives, 1, MODEL_PRIMITIVE_LIMIT),
     "approximate number of polygons, tetrahedra, cells or spheres"},
    {"triangles", 0, "N", OPTION_USUAL, OPTION_U64(make_options, parameters.primitives, 1, MODEL_PRIMITIVE_LIMIT),
     "the same as --primitives"},
    {"seed", 0, "N", OPTION_USUAL, OPTION_U64(make_options, parameters.seed, 0, UINT64_MAX),
     "random seed of the model"},
    {"frames", 0, "N", OPTION_USUAL, OPTION_U64(make_options, frames, 1, SCENE_FRAME_LIMIT),
     "number of frames, for moving scenes"},
    {"surface", 0, "FILE", OPTION_USUAL, OPTION_TEXT(make_options, surface),
     "the closed surface to fill, for the model filled"},
    {"output", 'o', "PATH", OPTION_OUTPUT, OPTION_TEXT(make_options, output),
     "the output file: .obj, .ply, .stl or .off for surfaces, .msh or .vtk for\n"
     "surfaces and solids, .csv or .ply for spheres, also with .gz; or a\n"
     "folder (default: NAME with .obj, .msh, .vtk or .csv); for moving scenes\n"
     "a name with %04d for the frame number"},
    ALLOW_LARGE_ROW(make_options),
    {"separate", 0, NULL, OPTION_USUAL, OPTION_FLAG(make_options, separate),
     "one file per object: NAME_0.obj, NAME_1.obj, ..."},
    {"list", 0, NULL, OPTION_USUAL, OPTION_FLAG(make_options, list), "list the models and scenes"},
    {"quiet", 'q', NULL, OPTION_USUAL, OPTION_FLAG(make_options, quiet), "print only errors"},
    HELP_OPTION_ROW,
    {0},
};

static void write_models(FILE *stream) {
  fputs("Models:\n", stream);
  for (size_t i = 0; i < model_count(); i++) {
    fprintf(stream, "  %-16s %s\n", model_at(i)->name, model_at(i)->description);
  }
  fprintf(stream, "  %-16s %s\n", filled_name,
          "The inside of a closed surface (--surface FILE), filled with tetrahedra.");
  fputc('\n', stream);
  write_scenes(stream);
}

static void write_more_on_models(FILE *stream) {
  const model_parameters usual = model_parameters_default();
  fprintf(stream, "Without options: %" PRIu64 " primitives, seed %" PRIu64 ".\n\n", usual.primitives, usual.seed);
  write_models(stream);
}

static exit_code run_make(const command *self, int argument_count, char **arguments);

const command make_command = {
    .name = "make",
    .summary = "write a built-in model, a filled surface or a moving scene to files",
    .synopsis = "NAME [options]",
    .description = "Writes a built-in model. The same name, number of primitives and seed give the same file on\n"
                   "every machine. A model of several objects becomes one file with a group for each object;\n"
                   "'graze check FILE --separate' separates them again. PLY, OFF, binary STL, Gmsh, VTK\n"
                   "and CSV files have no groups: their objects are merged unless --separate writes a file for each.\n"
                   "\n"
                   "The model filled is the inside of a closed surface from a file, filled with tetrahedra of\n"
                   "about the same size.\n"
                   "\n"
                   "A moving scene becomes one file per frame, numbered from 1.\n"
                   "\n"
                   "Exit status: 0 if the files are written, 2 on an error, 130 after Ctrl-C.\n",
    .options = make_option_table,
    .write_more = write_more_on_models,
    .examples = "  graze make --list\n"
                "  graze make sphere\n"
                "  graze make folded-cloth --triangles 20000 --seed 7 --output cloth.ply\n"
                "  graze make chazelle --triangles 400 --separate --output pair.obj\n"
                "  graze check pair_0.obj pair_1.obj\n"
                "  graze make spheres --primitives 20000 --output balls.csv\n"
                "  graze make cloth-ball --primitives 500 --frames 5 --output frame%03d.ply\n"
                "  graze make filled --surface sphere.obj --primitives 5000 --output ball.msh\n",
    .run = run_make,
};

static void refuse_model(const char *name) {
  close_match match = {.wanted = name};
  for (size_t i = 0; i < model_count(); i++) close_match_offer(&match, model_at(i)->name);
  for (size_t i = 0; i < moving_scene_count(); i++) close_match_offer(&match, moving_scene_at(i)->name);
  close_match_offer(&match, filled_name);
  if (match.best != NULL) {
    complain("there is no model \"%s\"; did you mean %s? 'graze make --list' lists all", name, match.best);
  } else {
    complain("there is no model \"%s\"; 'graze make --list' lists all", name);
  }
}

static make_scene_options scene_options(const make_options *options) {
  const scene_parameters parameters = {.primitives = options->has_primitives ? options->parameters.primitives : 0,
                                       .frames = options->frames,
                                       .seed = options->parameters.seed};
  return (make_scene_options){options->scene, parameters, options->output, options->separate, options->quiet};
}

static bool scene_makes_sense(const make_options *options) {
  if (options->surface != NULL)
    return decline("--surface requires the model %s, not the scene %s", filled_name, options->name);
  if (options->has_primitives && options->parameters.primitives > SCENE_PRIMITIVE_LIMIT) {
    return decline("moving scenes have at most %" PRIu64 " primitives", SCENE_PRIMITIVE_LIMIT);
  }
  return true;
}

static bool choose_model(make_options *options) {
  const bool is_filled = strcmp(options->name, filled_name) == 0;
  options->scene = moving_scene_find(options->name);
  if (options->scene == NULL && options->frames != 0)
    return decline("--frames requires a moving scene, see 'graze play --list'; %s is not one", options->name);
  if (options->scene != NULL) return scene_makes_sense(options);
  options->chosen = is_filled ? NULL : model_find(options->name);
  if (!is_filled && options->chosen == NULL) {
    refuse_model(options->name);
    return false;
  }
  if (is_filled && options->surface == NULL)
    return decline("%s needs --surface FILE, the closed surface to fill", filled_name);
  if (!is_filled && options->surface != NULL) {
    return decline("--surface requires the model %s, not %s", filled_name, options->name);
  }
  return true;
}

static mesh_kind kind_of(const make_options *options) {
  return options->chosen == NULL ? MESH_TETRAHEDRA : options->chosen->kind;
}

/* Checked before the model is made, which may take minutes. */
static bool output_can_hold_the_model(const make_options *options) {
  if (options->output == NULL || path_is_folder(options->output)) return true;
  bool compressed;
  const mesh_format *format = mesh_format_of_name(options->output, &compressed);
  if (mesh_format_is_written(format, kind_of(options))) return true;
  if (format != NULL && format->write != NULL) {
    static const char *const natures[] = {"is a surface", "is a solid", "is a solid", "has spheres"};
    complain("%s: %s %s, which %s files can store, but this format cannot", options->output, options->name,
             natures[kind_of(options)], mesh_endings_storing(1u << kind_of(options)).text);
  } else {
    complain("%s: unknown extension; supported: %s, each also with .gz", options->output,
             mesh_endings_storing(STORES_ANY).text);
  }
  return false;
}

/* Checks the combination of operands and options. */
static bool combination_makes_sense(const command *self, int argument_count, char **arguments, make_options *options) {
  if (optind == argument_count) return decline("make needs the name of a model; 'graze make --list' lists all");
  if (optind + 1 < argument_count) {
    complain("make makes one model at a time; unexpected operand \"%s\"", arguments[optind + 1]);
    command_hint(self);
    return false;
  }
  options->name = arguments[optind];
  if (!choose_model(options)) return false;
  if (options->output != NULL && (options->output[0] == '\0' || strcmp(options->output, "-") == 0))
    return decline("--output takes the name of a file or folder, not \"%s\"", options->output);
  const make_scene_options scene = scene_options(options);
  return options->scene != NULL ? make_scene_output_fits(&scene) : output_can_hold_the_model(options);
}

/* The place of the object number: before ".obj" or ".obj.gz", or at the end if there is no ending. */
static size_t ending_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const size_t name = slash == NULL ? 0 : (size_t)(slash + 1 - path);
  size_t end = strlen(path);
  if (end > 3 && strcmp(path + end - 3, ".gz") == 0) end -= 3;
  for (size_t i = end; i > name + 1; i--) {
    if (path[i - 1] == '.') return i - 1;
  }
  return end;
}

/* Returns the file name of an object; owned by the caller. `number` is NULL if all objects share one file. */
static char *make_path(const make_options *options, const size_t *number) {
  static const char *const endings[] = {"obj", "msh", "vtk", "csv"};
  const char *name = options->name, *ending_name = endings[kind_of(options)];
  const char *output = options->output == NULL ? "" : options->output;
  const size_t room = strlen(output) + strlen(name) + NUMBER_BYTES + sizeof "/.obj";
  char *path = malloc(room);
  char *whole = malloc(room);
  if (path == NULL || whole == NULL) {
    free(path);
    free(whole);
    return NULL;
  }
  if (options->output == NULL) {
    snprintf(whole, room, "%s.%s", name, ending_name);
  } else if (path_is_folder(output)) {
    snprintf(whole, room, "%s%s%s.%s", output, output[strlen(output) - 1] == '/' ? "" : "/", name, ending_name);
  } else {
    snprintf(whole, room, "%s", output);
  }
  const size_t ending = ending_of(whole);
  if (number == NULL) {
    snprintf(path, room, "%s", whole);
  } else {
    snprintf(path, room, "%.*s_%zu%s", (int)ending, whole, *number, whole + ending);
  }
  free(whole);
  return path;
}

/* A file to write: its objects and names. */
typedef struct model_file {
  const mesh *meshes;
  size_t mesh_count;
  char *path;
  output_file output;
} model_file;

static bool write_partial(model_file *file, const make_options *options, const size_t *number) {
  file->path = make_path(options, number);
  if (file->path == NULL) return decline("out of memory");
  if (!output_file_plan(&file->output, file->path)) return false;
  char message[MESSAGE_BYTES] = "";
  const bool written =
      mesh_file_write(file->output.partial_path, file->meshes, file->mesh_count, NULL, message, sizeof message);
  if (!written) output_file_complain(&file->output, message);
  return written;
}

static const char *noun_of(mesh_kind kind, bool has_polygons) {
  if (kind == MESH_POLYHEDRA) return "cell";
  if (kind == MESH_SPHERES) return "sphere";
  return has_polygons ? "polygon" : "triangle";
}

/* "1,234 tetrahedra": not every plural adds an s. */
static void report_primitives(const model_file *file, mesh_kind kind) {
  uint64_t primitives = 0;
  bool has_polygons = false;
  for (size_t i = 0; i < file->mesh_count; i++) {
    primitives += mesh_element_count(&file->meshes[i]);
    has_polygons = has_polygons || file->meshes[i].corners != NULL;
  }
  printf("%s, ", kind == MESH_TETRAHEDRA ? counted_as(primitives, "tetrahedron", "tetrahedra").text
                                         : counted(primitives, noun_of(kind, has_polygons)).text);
}

static void report_model(const model_file *file, const make_options *options) {
  uint64_t vertices = 0;
  for (size_t i = 0; i < file->mesh_count; i++) vertices += file->meshes[i].vertex_count;
  write_harmless(stdout, file->path);
  printf(": ");
  report_primitives(file, kind_of(options));
  if (kind_of(options) != MESH_SPHERES) {
    printf("%s %s, ", grouped_number(vertices).text, vertices == 1 ? "vertex" : "vertices");
  }
  if (options->chosen == NULL) {
    printf("%s filled (", counted(file->mesh_count, "object").text);
    write_harmless(stdout, options->surface);
    printf(")\n");
  } else {
    printf("%s (%s, seed %" PRIu64 ")\n", counted(file->mesh_count, "object").text, options->name,
           options->parameters.seed);
  }
}

/* All files are written before the first is renamed. */
static exit_code write_files(const make_options *options, const mesh *meshes, size_t mesh_count) {
  const size_t file_count = options->separate ? mesh_count : 1;
  model_file *files = calloc(file_count, sizeof *files);
  if (files == NULL) return complain("out of memory");
  bool complete = true;
  for (size_t i = 0; complete && i < file_count; i++) {
    files[i].meshes = options->separate ? &meshes[i] : meshes;
    files[i].mesh_count = options->separate ? 1 : mesh_count;
    complete = write_partial(&files[i], options, options->separate ? &i : NULL);
  }
  for (size_t i = 0; complete && i < file_count; i++) {
    complete = output_file_publish(&files[i].output);
    if (complete && !options->quiet) report_model(&files[i], options);
  }
  for (size_t i = 0; i < file_count; i++) {
    output_file_discard(&files[i].output);
    free(files[i].path);
  }
  free(files);
  return complete ? finish_standard_output() : EXIT_CODE_TROUBLE;
}

static options_state read_options(const command *self, int argument_count, char **arguments, make_options *options) {
  *options = (make_options){.parameters = model_parameters_default()};
  option_set given;
  const options_state state = command_read_options(self, argument_count, arguments, options, &given);
  if (state != OPTIONS_READY) return state;
  options->has_primitives = first_option_given(self, given, "primitives triangles") != NULL;
  if (options->list) {
    write_models(stdout);
    return OPTIONS_ANSWERED;
  }
  return combination_makes_sense(self, argument_count, arguments, options) ? OPTIONS_READY : OPTIONS_REFUSED;
}

/* Reads a file as one mesh, ignoring groups, so that a surface of several parts is closed as a whole. */

enum { FILL_MESSAGE_BYTES = 512 };

/* Reads a surface and fills it with about `target` tetrahedra, as one mesh of all polygons of the file. With
 * `allow_large`, a compressed file may expand without limit. On success the caller owns *meshes_out (release with
 * mesh_list_free); on failure the outputs are NULL and 0, and `error` contains a message that names the file. */
static bool make_filling(const char *path, bool allow_large, uint64_t target, mesh **meshes_out, size_t *mesh_count_out,
                         char *error, size_t error_bytes) {
  *meshes_out = NULL;
  *mesh_count_out = 0;
  const mesh_read_options how = {.allow_large = allow_large};
  mesh *surfaces;
  size_t surface_count;
  if (!mesh_file_read(path, &how, &surfaces, &surface_count, error, error_bytes)) return false;
  char message[FILL_MESSAGE_BYTES] = "there is no surface to fill: the file is empty";
  mesh *filled = calloc(1, sizeof *filled);
  const bool is_filled =
      filled != NULL && surface_count == 1 && lattice_fill(&surfaces[0], target, filled, message, sizeof message);
  mesh_list_free(surfaces, surface_count);
  if (!is_filled) {
    snprintf(error, error_bytes, "%s: %s", path, filled == NULL ? "out of memory" : message);
    free(filled);
    return false;
  }
  *meshes_out = filled;
  *mesh_count_out = 1;
  return true;
}

static bool make_meshes(const make_options *options, mesh **meshes_out, size_t *mesh_count_out, char *message,
                        size_t message_bytes) {
  if (options->chosen == NULL) {
    return make_filling(options->surface, options->allow_large, options->parameters.primitives, meshes_out,
                        mesh_count_out, message, message_bytes);
  }
  return model_make(options->chosen, &options->parameters, meshes_out, mesh_count_out, message, message_bytes);
}

static exit_code make_files(const make_options *options) {
  mesh *meshes = NULL;
  size_t mesh_count = 0;
  char message[MESSAGE_BYTES] = "";
  progress steps = progress_start(options->quiet);
  progress_working(&steps, "making", options->parameters.primitives,
                   counted(options->parameters.primitives, "primitive").text);
  const bool made = make_meshes(options, &meshes, &mesh_count, message, sizeof message);
  progress_done(&steps, made ? "done" : "failed");
  if (!made) return complain("%s", message);
  const exit_code code = write_files(options, meshes, mesh_count);
  mesh_list_free(meshes, mesh_count);
  return code;
}

static exit_code run_make(const command *self, int argument_count, char **arguments) {
  make_options options;
  const options_state state = read_options(self, argument_count, arguments, &options);
  if (state != OPTIONS_READY) return command_end(state);
  if (options.scene == NULL) return make_files(&options);
  make_scene_options scene = scene_options(&options);
  return make_scene_frames(&scene);
}
