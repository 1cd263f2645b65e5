/* The gallery: `graze play` plays each scene, and `graze check` checks each model; both write the page and the picture.
 *
 * Workload: fourteen scenes and models of thousands of primitives, a few seconds in total. */
#include "view_gallery.h"

#include "command_line.h"
#include "output_file.h"
#include "plain_words.h"

#include "models/model.h"
#include "simulation/moving_scene.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The frame of the picture shows an intersection. */
static const struct {
  const char *scene, *primitives, *frames, *picture_frame;
} scenes[] = {
    {"cloth-ball", "3000", "60", "40"},     {"pass-through", "2000", "40", "12"},
    {"exploding-solid", "1500", "40", "8"}, {"soft-pair", "2000", "40", "30"},
    {"whirling-cloth", "3000", "60", "50"}, {"packings", "600", "40", "10"},
    {"breaking-solid", "1200", "40", "30"}, {"soft-net", "2000", "40", "36"},
};
static const struct {
  const char *name, *primitives, *ending;
  const char *separate_or_null;
} models[] = {
    {"blobs", "4000", ".obj", "--separate"},   {"draped-cloth", "4000", ".obj", "--separate"},
    {"folded-cloth", "2000", ".obj", NULL},    {"tet-rod", "2000", ".vtk", NULL},
    {"chazelle", "200", ".obj", "--separate"}, {"cell-pair", "300", ".vtk", NULL},
};
enum {
  SCENE_COUNT = sizeof scenes / sizeof scenes[0],
  MODEL_COUNT = sizeof models / sizeof models[0],
  WORDS_MOST = 16
};

static const char style[] =
    "<style>:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif;--paper:#f4f6f9;--card:#fff;--ink:#1a1f27;"
    "--quiet:#566070;--line:#dde2e9}@media(prefers-color-scheme:dark){:root{--paper:#13171c;--card:#1b2028;--ink:#"
    "e8ecf2;"
    "--quiet:#a3adbb;--line:#323b47}}body{margin:0 auto;max-width:1100px;padding:40px 24px;background:var(--paper);"
    "color:var(--ink)}h1{margin:0 0 4px;font-size:28px}h2{margin:12px 16px 2px;font-size:17px}p{margin:0 0 28px;"
    "color:var(--quiet)}ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(240px,1fr));gap:20px;margin:0;"
    "padding:0;"
    "list-style:none}a{display:block;height:100%;overflow:hidden;border:1px solid var(--line);border-radius:14px;"
    "background:var(--card);color:inherit;text-decoration:none}a:hover{border-color:#5b8fc7}a:focus-visible{outline:"
    "3px solid "
    "#5b8fc7;outline-offset:2px}a p{margin:0 16px 16px}img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;"
    "background:#fff}</style>";

enum { NAME_BYTES = 64 };

static void make_name(char made[NAME_BYTES], const char *name, const char *ending) {
  snprintf(made, NAME_BYTES, "%s%s", name, ending);
}

/* `words` begin with the name of the command and end with NULL. */
static bool run_command(const command *self, const char *const words[]) {
  char *arguments[WORDS_MOST];
  size_t count = 0;
  for (; words[count] != NULL; count++) arguments[count] = (char *)(uintptr_t)words[count];
  arguments[count] = NULL;
  const exit_code code = self->run(self, (int)count, arguments);
  return code == EXIT_CODE_NOTHING || code == EXIT_CODE_SOMETHING;
}

static bool play_scene(size_t scene) {
  char page[NAME_BYTES], picture[NAME_BYTES];
  const char *name = scenes[scene].scene;
  make_name(page, name, ".html");
  make_name(picture, name, ".png");
  const char *const words[] = {"play",
                               name,
                               "--primitives",
                               scenes[scene].primitives,
                               "--frames",
                               scenes[scene].frames,
                               "--report",
                               page,
                               "--picture",
                               picture,
                               "--picture-frame",
                               scenes[scene].picture_frame,
                               "--quiet",
                               NULL};
  return run_command(&play_command, words);
}

static bool make_check_page(size_t number) {
  char file[NAME_BYTES], page[NAME_BYTES], picture[NAME_BYTES];
  const char *name = models[number].name;
  make_name(file, name, models[number].ending);
  make_name(page, name, ".html");
  make_name(picture, name, ".png");
  const char *const making[] = {"make",     name, "--primitives", models[number].primitives,
                                "--output", file, "--quiet",      NULL};
  const char *const checking[] = {
      "check", file, "--report", page, "--picture", picture, "--quiet", models[number].separate_or_null, NULL};
  const bool checked = run_command(&make_command, making) && run_command(&check_command, checking);
  remove(file);
  return checked;
}

/* Names and descriptions contain no markup. */
static void write_card(const char *name, const char *description, FILE *stream) {
  fprintf(stream, "<li><a href=\"%s.html\"><img src=\"%s.png\" alt=\"\"><h2>%s</h2><p>%s</p></a></li>\n", name, name,
          name, description);
}

static void write_index(FILE *stream) {
  fprintf(stream,
          "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\"><title>graze: gallery</title>%s</head>\n"
          "<body><h1>graze</h1><p>Moving scenes and models with all their intersecting primitives.</p><ul>\n",
          style);
  for (size_t i = 0; i < SCENE_COUNT; i++)
    write_card(scenes[i].scene, moving_scene_find(scenes[i].scene)->description, stream);
  for (size_t i = 0; i < MODEL_COUNT; i++) write_card(models[i].name, model_find(models[i].name)->description, stream);
  fputs("</ul></body></html>\n", stream);
}

/* It takes half a minute. */
static void show_advance(size_t number, const char *name) {
  if (console_on(stderr).terminal)
    fprintf(stderr, "\r\033[Kgallery: page %zu of %d, %s", number + 1, SCENE_COUNT + MODEL_COUNT, name);
}

/* Writes all files to the current folder. */
static bool write_all(void) {
  bool written = true;
  for (size_t i = 0; written && i < SCENE_COUNT; i++) {
    show_advance(i, scenes[i].scene);
    written = play_scene(i);
  }
  for (size_t i = 0; written && i < MODEL_COUNT; i++) {
    show_advance(SCENE_COUNT + i, models[i].name);
    written = make_check_page(i);
  }
  if (console_on(stderr).terminal) fputs("\r\033[K", stderr);
  output_file index = {0};
  written = written && output_file_open(&index, "index.html");
  if (written) write_index(index.stream);
  written = written && output_file_close(&index) && output_file_publish(&index);
  output_file_discard(&index);
  return written;
}

/* The commands run in the folder, so that pages have names of files without it. */
exit_code view_gallery_write(const char *folder) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return complain("%s: %s", folder, strerror(errno));
  const int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (before < 0 || chdir(folder) != 0) {
    complain("%s: %s", folder, strerror(errno));
    if (before >= 0) close(before);
    return EXIT_CODE_TROUBLE;
  }
  bool written = write_all();
  if (fchdir(before) != 0) {
    complain("the folder before the gallery: %s", strerror(errno));
    written = false;
  }
  close(before);
  return written ? EXIT_CODE_NOTHING : EXIT_CODE_TROUBLE;
}
