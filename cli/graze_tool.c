/* The command-line tool: selects the command, and prints the overview and the capabilities of the build.
 *
 * Every command is a row of the table below. The tool has no state of its own. */
#include "close_match.h"
#include "command_line.h"
#include "completion.h"

#include "graze/cuda.h"
#include "graze/names.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const command *const commands[] = {&check_command,   &view_command, &distance_command, &play_command,
                                          &analyze_command, &make_command, &pack_command,     &bench_command};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static exit_code write_overview(FILE *stream) {
  fputs("graze finds all intersecting primitives of meshes: exact, complete, deterministic.\n"
        "\n"
        "usage: graze COMMAND [options]\n"
        "\n"
        "Commands:\n",
        stream);
  for (size_t i = 0; i < COMMAND_COUNT; i++) fprintf(stream, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  fputs("  help       show the help of a command: graze help check\n"
        "\n"
        "Options:\n"
        "  -h, --help     show this help; after a command, its common options (-h) or all (--help)\n"
        "  -V, --version  show the version, and what this build and machine support\n"
        "\n"
        "Examples:\n"
        "  graze make folded-cloth --triangles 20000 --output cloth.obj\n"
        "  graze check cloth.obj --picture cloth.png\n"
        "  graze make sphere --output ball.obj\n"
        "  graze check cloth.obj ball.obj\n",
        stream);
  return finish_standard_output();
}

static void write_backends(void) {
  char words[256];
  fputs("backends:", stdout);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_BACKEND); i++) {
    graze_backend_def backend = graze_backend_def_default();
    backend.name = graze_enumeration_name(GRAZE_ENUMERATION_BACKEND, (int)i);
    graze_scene_def def = graze_scene_def_default();
    def.backend = &backend;
    def.worker_count = 1;
    graze_scene *scene = NULL;
    if (graze_scene_create(&def, &scene) != GRAZE_UNSUPPORTED)
      printf(" %s", graze_enumeration_name(GRAZE_ENUMERATION_BACKEND, (int)i));
    graze_scene_destroy(scene);
  }
  fputs("\n", stdout);
  const graze_result first = graze_cuda_describe(0, words, sizeof words);
  if (first == GRAZE_UNSUPPORTED) return;
  if (first != GRAZE_OK) printf("devices: none (%s)\n", words);
  for (int i = 0; graze_cuda_describe(i, words, sizeof words) == GRAZE_OK; i++) printf("device %d: %s\n", i, words);
}

/* Capabilities are found by trying them. */
static void write_offers(void) {
  static const struct {
    const char *name;
    graze_simd simd;
  } widths[] = {{"scalar", GRAZE_SIMD_SCALAR}, {"128", GRAZE_SIMD_128}, {"256", GRAZE_SIMD_256}};
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  graze_scene *scene = NULL;
  write_backends();
  fputs("SIMD:", stdout);
  const bool cpu = graze_scene_create(&def, &scene) == GRAZE_OK;
  for (size_t i = 0; cpu && i < sizeof widths / sizeof widths[0]; i++) {
    graze_method_def method = graze_method_def_default();
    method.simd = widths[i].simd;
    if (graze_scene_set_method(scene, &method) == GRAZE_OK) printf(" %s", widths[i].name);
  }
  graze_scene_destroy(scene);
}

static exit_code write_version(void) {
  printf("graze %s\n", graze_version());
  write_offers();
  fputs("\nmethods:", stdout);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); i++)
    printf(" %s", graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i));
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  printf("\nthreads: %ld\n", processors > 0 ? processors : 1);
  return finish_standard_output();
}

static const command *find_command(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  }
  return NULL;
}

static exit_code refuse_command(const char *name) {
  const char *kind = name[0] == '-' ? "option" : "command";
  close_match match = {.wanted = name};
  for (size_t i = 0; i < COMMAND_COUNT; i++) close_match_offer(&match, commands[i]->name);
  static const char *const others[] = {"help", "--help", "--version"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) close_match_offer(&match, others[i]);
  if (match.best != NULL) {
    complain("there is no %s \"%s\"; did you mean %s?", kind, name, match.best);
  } else if (name[0] != '-' && access(name, R_OK) == 0) {
    complain("there is no command \"%s\"; to check the file: graze check %s", name, name);
  } else {
    complain("there is no %s \"%s\"", kind, name);
  }
  fputs("Try 'graze --help'.\n", stderr);
  return EXIT_CODE_TROUBLE;
}

static exit_code explain_command(const char *name) {
  const command *explained = find_command(name);
  if (explained == NULL) return refuse_command(name);
  command_write_help(explained, stdout);
  return finish_standard_output();
}

int main(int argument_count, char **arguments) {
  if (argument_count < 2) {
    write_overview(stderr);
    return EXIT_CODE_TROUBLE;
  }
  const char *name = arguments[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return write_overview(stdout);
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) return write_version();
  if (strcmp(name, "help") == 0) return argument_count > 2 ? explain_command(arguments[2]) : write_overview(stdout);
  if (strcmp(name, "complete") == 0)
    return write_completions(commands, COMMAND_COUNT, arguments + 2, (size_t)argument_count - 2);
  const command *chosen = find_command(name);
  if (chosen == NULL) return refuse_command(name);
  return chosen->run(chosen, argument_count - 1, arguments + 1);
}
