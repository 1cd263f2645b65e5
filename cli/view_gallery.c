/* The gallery: `graze play` plays each scene, and `graze check` checks each model; both write the page and the picture.
 *
 * Workload: fourteen scenes and models of thousands of primitives, a few seconds in total. */
#include "view_gallery.h"

#include "command_line.h"
#include "output_file.h"

#include "models/model.h"
#include "simulation/moving_scene.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 4096 };

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

static bool write_path(char path[PATH_BYTES], const char *folder, const char *name, const char *ending) {
  const int length = snprintf(path, PATH_BYTES, "%s/%s%s", folder, name, ending);
  if (length > 0 && length < PATH_BYTES) return true;
  complain("%s: the name of the folder is too long", folder);
  return false;
}

/* `words` begin with the name of the command and end with NULL. */
static bool run(const command *self, const char *const words[]) {
  char *arguments[WORDS_MOST];
  size_t count = 0;
  for (; words[count] != NULL; ++count) arguments[count] = (char *)(uintptr_t)words[count];
  arguments[count] = NULL;
  const exit_code code = self->run(self, (int)count, arguments);
  return code == EXIT_CODE_NOTHING || code == EXIT_CODE_SOMETHING;
}

static bool play(const char *folder, size_t scene) {
  char page[PATH_BYTES], picture[PATH_BYTES];
  const char *name = scenes[scene].scene;
  if (!write_path(page, folder, name, ".html") || !write_path(picture, folder, name, ".png")) return false;
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
  return run(&play_command, words);
}

static bool check(const char *folder, size_t number) {
  char file[PATH_BYTES], page[PATH_BYTES], picture[PATH_BYTES];
  const char *name = models[number].name;
  if (!write_path(file, folder, name, models[number].ending) || !write_path(page, folder, name, ".html") ||
      !write_path(picture, folder, name, ".png"))
    return false;
  const char *const making[] = {"make",     name, "--primitives", models[number].primitives,
                                "--output", file, "--quiet",      NULL};
  const char *const checking[] = {
      "check", file, "--report", page, "--picture", picture, "--quiet", models[number].separate_or_null, NULL};
  const bool checked = run(&make_command, making) && run(&check_command, checking);
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
  for (size_t i = 0; i < SCENE_COUNT; ++i)
    write_card(scenes[i].scene, moving_scene_find(scenes[i].scene)->description, stream);
  for (size_t i = 0; i < MODEL_COUNT; ++i) write_card(models[i].name, model_find(models[i].name)->description, stream);
  fputs("</ul></body></html>\n", stream);
}

exit_code view_gallery_write(const char *folder) {
  char path[PATH_BYTES];
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) return complain("%s: %s", folder, strerror(errno));
  for (size_t i = 0; i < SCENE_COUNT; ++i)
    if (!play(folder, i)) return EXIT_CODE_TROUBLE;
  for (size_t i = 0; i < MODEL_COUNT; ++i)
    if (!check(folder, i)) return EXIT_CODE_TROUBLE;
  output_file index = {0};
  bool written = write_path(path, folder, "index", ".html") && output_file_open(&index, path);
  if (written) write_index(index.stream);
  written = written && output_file_close(&index) && output_file_publish(&index);
  output_file_discard(&index);
  return written ? EXIT_CODE_NOTHING : EXIT_CODE_TROUBLE;
}
