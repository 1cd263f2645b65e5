/* `graze view`: a page of the results of `graze check` or `graze play`, opened in a browser; without operands, pages of
 * moving scenes and models with an index.
 *
 * The two commands do the work: their options, messages and records are the same. */
#include "command_line.h"
#include "option_values.h"
#include "output_file.h"
#include "page_file.h"
#include "scene_file.h"
#include "view_gallery.h"

#include "simulation/moving_scene.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, PASSED_MOST = 16, NAME_BYTES = 16 };

typedef struct view_options {
  const char *passed[PASSED_MOST]; /* passed to the other command: "--seed", "3", ... */
  size_t passed_count;
  char **operands;
  size_t operand_count;
  const char *output; /* NULL: a temporary folder, and the page is opened */
  char names[PASSED_MOST][NAME_BYTES];
} view_options;

/* Passes the option and its value to the other command. */
static bool pass_option(const command_option *option, char *value, void *member) {
  view_options *options = member;
  char *name = options->names[options->passed_count % PASSED_MOST];
  snprintf(name, NAME_BYTES, "--%s", option->name);
  if (options->passed_count + 2 > PASSED_MOST) return decline("%s is repeated too often", name);
  options->passed[options->passed_count++] = name;
  if (value != NULL) options->passed[options->passed_count++] = value;
  return true;
}

static const command_option view_option_table[] = {
    {"self", 0, NULL, OPTION_USUAL, OPTION_READ_ALL(pass_option),
     "with several files: also find the pairs within each"},
    {"separate", 0, NULL, OPTION_USUAL, OPTION_READ_ALL(pass_option),
     "make each part of a file an object, tested against the others"},
    {"clearance", 0, "D", OPTION_USUAL, OPTION_READ_ALL(pass_option),
     "find all pairs whose distance is at most D; not for moving scenes"},
    {"primitives", 0, "N", OPTION_USUAL, OPTION_READ_ALL(pass_option),
     "built-in scenes: approximate number of triangles, tetrahedra or spheres"},
    {"frames", 0, "N", OPTION_USUAL, OPTION_READ_ALL(pass_option), "built-in scenes: number of frames"},
    {"seed", 0, "N", OPTION_USUAL, OPTION_READ_ALL(pass_option), "built-in scenes: random seed"},
    {"up", 0, "AXIS", OPTION_PICTURE, OPTION_READ_ALL(pass_option),
     "the axis that points up: x y z -x -y -z (default y)"},
    {"output", 'o', "FILE.html", OPTION_OUTPUT, OPTION_TEXT(view_options, output),
     "write the page to this file without opening it; for the gallery, a folder"},
    HELP_OPTION_ROW,
    {0},
};

static exit_code run_view(const command *self, int argument_count, char **arguments);

const command view_command = {
    .name = "view",
    .summary = "show meshes, scenes and their clashes in a browser",
    .synopsis = "[FILE ...|SCENE|SCENE.json|FOLDER|PATTERN] [options]",
    .description = "Writes a page with the results of 'graze check' for files, or of 'graze play' for a moving scene,\n"
                   "a folder or a pattern of frames, and opens it in a browser. The page is one file that needs no\n"
                   "server and no network. Without a display its path is printed. Without operands, writes a\n"
                   "gallery of moving scenes and models. --report of both commands writes the same page, with most\n"
                   "of their options.\n"
                   "\n"
                   "Exit status: 0 if the page was written, 2 on an error or in a build without the viewer.\n",
    .options = view_option_table,
    .examples = "  graze make torus --triangles 2000 --output torus.obj\n"
                "  graze make sphere --triangles 2000 --output ball.obj\n"
                "  graze view torus.obj ball.obj --output clash.html\n"
                "  graze view cloth-ball --primitives 1000 --frames 10 --output cloth.html\n",
    .run = run_view,
};

/* Moving operands are played: a built-in scene, a scene file with frames, a folder, a pattern. False after a
 * complaint. */
static bool find_worker(const view_options *options, const command **worker_out) {
  const char *first = options->operands[0];
  const bool exists = access(first, F_OK) == 0;
  *worker_out = &check_command;
  if (options->operand_count == 1 && !exists && (moving_scene_find(first) != NULL || strpbrk(first, "%*?[./") == NULL))
    *worker_out = &play_command;
  if ((exists && path_is_folder(first)) || (!exists && strpbrk(first, "%*?[") != NULL)) *worker_out = &play_command;
  if (!exists || !scene_file_is_named(first)) return true;
  scene_file scene = {0};
  const bool read = scene_file_read(first, &scene);
  if (read && scene.frame_count > 0) *worker_out = &play_command;
  scene_file_release(&scene);
  return read;
}

static exit_code write_page(const view_options *options, const char *path) {
  const command *worker;
  if (!find_worker(options, &worker)) return EXIT_CODE_TROUBLE;
  char **arguments = calloc(options->passed_count + options->operand_count + 5, sizeof *arguments);
  if (arguments == NULL) return complain("out of memory");
  size_t count = 0;
  arguments[count++] = (char *)(uintptr_t)worker->name;
  arguments[count++] = (char *)(uintptr_t) "--report";
  arguments[count++] = (char *)(uintptr_t)path;
  for (size_t i = 0; i < options->passed_count; i++) arguments[count++] = (char *)(uintptr_t)options->passed[i];
  arguments[count++] = (char *)(uintptr_t) "--";
  for (size_t i = 0; i < options->operand_count; i++) arguments[count++] = options->operands[i];
  const exit_code code = worker->run(worker, (int)count, arguments);
  free(arguments);
  return code == EXIT_CODE_SOMETHING ? EXIT_CODE_NOTHING : code;
}

/* Makes a temporary folder; false after a complaint. */
static bool make_folder(char *path, size_t path_bytes) {
  const char *parent = getenv("TMPDIR");
  if (parent == NULL || parent[0] == '\0') parent = "/tmp";
  const int length = snprintf(path, path_bytes, "%s/graze-XXXXXX", parent);
  if (length > 0 && (size_t)length < path_bytes && mkdtemp(path) != NULL) return true;
  return decline("cannot create a folder for the page in %s; --output FILE.html writes it elsewhere", parent);
}

extern char **environ;

static void open_page(const char *path) {
  const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  const bool has_display = (x11 != NULL && x11[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
  char *const arguments[] = {(char *)(uintptr_t) "xdg-open", (char *)(uintptr_t)path, NULL};
  pid_t process;
  if (!has_display || posix_spawnp(&process, arguments[0], NULL, NULL, arguments, environ) != 0)
    printf("open this page in a browser: %s\n", path);
  else
    printf("page  %s\n", path);
}

static exit_code show_operands(view_options *options) {
  char folder[PATH_BYTES - 16] = "", path[PATH_BYTES] = "";
  const bool is_gallery = options->operand_count == 0;
  if (!page_exists("view")) return EXIT_CODE_TROUBLE;
  if (options->output == NULL && !make_folder(folder, sizeof folder)) return EXIT_CODE_TROUBLE;
  if (options->output == NULL) snprintf(path, sizeof path, "%s/%s", folder, is_gallery ? "index.html" : "view.html");
  const exit_code code = is_gallery ? view_gallery_write(options->output == NULL ? folder : options->output)
                                    : write_page(options, options->output == NULL ? path : options->output);
  if (code != EXIT_CODE_NOTHING) {
    if (options->output == NULL) rmdir(folder);
    return code;
  }
  if (options->output == NULL)
    open_page(path);
  else if (is_gallery)
    printf("open this page in a browser: %s/index.html\n", options->output);
  return finish_standard_output();
}

static exit_code run_view(const command *self, int argument_count, char **arguments) {
  view_options options = {0};
  option_set given;
  const options_state state = command_read_options(self, argument_count, arguments, &options, &given);
  if (state != OPTIONS_READY) return command_end(state);
  options.operands = arguments + optind;
  options.operand_count = (size_t)(argument_count - optind);
  if (options.operand_count == 0 && options.passed_count > 0) {
    complain("view without operands writes the gallery; %s needs an operand", options.passed[0]);
    return command_hint(self);
  }
  return show_operands(&options);
}
