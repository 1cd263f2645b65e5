/* Plays frames from arbitrary files: names, folders and patterns, and formats, kinds and sizes that change from frame
 * to frame. A run must finish with every frame played or named in a message, with the same pairs for all methods, and
 * with readable records.
 *
 * An input is a byte of options, a byte that selects the operands, and files: each is a byte that selects its name, and
 * its content up to the next record separator. Files are written below /dev/shm, or the folder for temporary files. */
#include "json_validator.h"
#include "play_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerInitialize(int *argument_count, char ***arguments);

enum { MOST_FILES = 12, SEPARATOR = 0x1E };

static char root[64];
static int home; /* the folder of the caller, whose paths may be relative */

/* Ends the process, which is how a fuzz target reports. */
static void require(bool holds, const char *what) {
  if (holds) return;
  dprintf(2, "broken promise: %s\n", what);
  abort();
}

static const char *const names[] = {"a/f1.ply",
                                    "a/f2.ply",
                                    "a/f3.obj",
                                    "a/f10.ply",
                                    "a/f4.msh",
                                    "a/f5.csv",
                                    "a/f6.stl",
                                    "a/f7.off",
                                    "a/f8.mesh",
                                    "a/f9.vtk",
                                    "a/f12.sph",
                                    "b/g1.obj",
                                    "b/g2.obj",
                                    "b/g3.ply",
                                    "b/g04.csv",
                                    "b/g5.t",
                                    "b/g6.node",
                                    "b/g6.ele",
                                    "x1y2.ply",
                                    "still.obj",
                                    "f%d.ply",
                                    "f*.obj",
                                    "f18446744073709551616.ply",
                                    "b/g7.ply.gz"};

static char *const operands[][3] = {{"a"},
                                    {"a", "b"},
                                    {"a/f%d.ply"},
                                    {"a/*"},
                                    {"b/g*", "a"},
                                    {"a", "still.obj"},
                                    {"b/g%d.obj", "a/f%02d.ply"},
                                    {"f%d.ply", "f*.obj"},
                                    {"a/f1.ply", "a/f2.ply", "a/f3.obj"},
                                    {"f18446744073709551616.ply", "x1y2.ply"}};

static void empty_folder(const char *path) {
  DIR *folder = opendir(path);
  require(folder != NULL, "the folder is there");
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char name[512];
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] != '.' && unlink(name) != 0) require(strcmp(path, ".") == 0, "files can be removed");
  }
  closedir(folder);
}

static void remove_files(void) {
  if (chdir(root) != 0) return;
  empty_folder("a");
  empty_folder("b");
  empty_folder(".");
  rmdir("a");
  rmdir("b");
  rmdir(root);
}

static void write_files(const uint8_t *bytes, size_t size) {
  for (size_t file = 0; size > 0 && file < MOST_FILES; ++file) {
    const uint8_t *end = memchr(bytes + 1, SEPARATOR, size - 1);
    const size_t length = end == NULL ? size : (size_t)(end - bytes);
    FILE *stream = fopen(names[bytes[0] % (sizeof names / sizeof names[0])], "wb");
    require(stream != NULL && fwrite(bytes + 1, 1, length - 1, stream) == length - 1, "files can be written");
    fclose(stream);
    if (end == NULL) return;
    size -= length + 1;
    bytes += length + 1;
  }
}

/* Complaints are to be made, and read by nobody; the sanitizers write to the descriptor itself. */
int LLVMFuzzerInitialize(int *argument_count, char ***arguments) {
  (void)argument_count;
  (void)arguments;
  FILE *nowhere = fopen("/dev/null", "w");
  require(nowhere != NULL, "somewhere to complain to");
  stderr = nowhere;
  snprintf(root, sizeof root, "%s/graze_fuzz_play_XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  home = open(".", O_RDONLY | O_DIRECTORY);
  require(home >= 0 && mkdtemp(root) != NULL && chdir(root) == 0, "a folder for the files");
  require(mkdir("a", 0700) == 0 && mkdir("b", 0700) == 0 && fchdir(home) == 0, "folders for the frames");
  atexit(remove_files);
  return 0;
}

static size_t count_commas(const char *line, size_t length) {
  size_t count = 0;
  bool quoted = false;
  for (size_t i = 0; i < length; ++i) {
    quoted = line[i] == '"' ? !quoted : quoted;
    count += line[i] == ',' && !quoted;
  }
  return count;
}

/* The heading and a line a frame and method, all with as many columns. Names that are played hold no line ends. */
static void check_csv(const char *text, size_t records) {
  size_t lines = 0, columns = 0;
  for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1, ++lines) {
    const size_t here = count_commas(text, (size_t)(end - text));
    if (lines == 0) columns = here;
    require(here == columns, "lines of CSV have as many columns as the heading");
  }
  require(*text == '\0' && lines == records + 1, "CSV has a line a frame and method");
}

static void check_records(const play_run *run, const char *csv, const char *words) {
  uint64_t hash = 0;
  for (size_t i = 0; i < run->count; ++i) {
    const frame_record *record = &run->records[i];
    require(i == 0 || record->frame > run->records[i - 1].frame, "frames are in order");
    require(record->within + record->between == record->pair_count, "a pair is within an object or between two");
    hash = run_hash_append(hash, record->hash);
  }
  require(run->method_count == 0 || hash == play_run_hash(run), "the hash is that of the frames");
  require(run->disagreements == 0, "all methods agree");
  check_csv(csv, run->count + run->other_count);
  require(words != NULL, "there are words");
  char *json = NULL;
  size_t json_bytes = 0;
  FILE *stream = open_memstream(&json, &json_bytes);
  require(stream != NULL, "memory for the JSON");
  play_write_json(run, stream);
  fclose(stream);
  require(json_is_valid(json, json_bytes, &(size_t){0}), "JSON is valid");
  free(json);
}

static void play(play_options *options, frame_list *frames) {
  play_run run = {.options = options,
                  .source = frame_source_of_files(frames),
                  .gaps = frames->gaps,
                  .gap_count = frames->gap_count};
  options->search.query.scope = run.source.parts_alone && !options->self ? GRAZE_SCOPE_BETWEEN : GRAZE_SCOPE_BOTH;
  char *texts[2] = {NULL, NULL};
  size_t sizes[2];
  FILE *csv = open_memstream(&texts[0], &sizes[0]), *words = open_memstream(&texts[1], &sizes[1]);
  require(csv != NULL && words != NULL, "memory for the records");
  progress steps = progress_start(true);
  play_write_csv_heading(options, csv);
  const bool whole = play_run_all(&run, words, csv, &steps);
  if (run.method_count > 0) play_write_totals(&run, words);
  fclose(csv);
  fclose(words);
  require(whole || run.unplayed_count > 0, "a run that ended early has a frame that could not be played");
  require(!whole || run.count + run.unplayed_count == run.source.count, "every frame is played or named");
  check_records(&run, texts[0], texts[1]);
  play_run_release(&run);
  free(texts[0]);
  free(texts[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 3 || size > 1 << 16) return 0;
  require(chdir(root) == 0, "the folder is there");
  empty_folder(".");
  empty_folder("a");
  empty_folder("b");
  write_files(bytes + 2, size - 2);
  play_options options = {.search = search_options_start(), .quiet = true};
  options.search.scene.thread_count = 1;
  require(backend_options_finish(&options.search.scene), "there is the processor");
  options.separate = bytes[0] & 1;
  options.self = bytes[0] >> 1 & 1;
  options.keep_going = (bytes[0] >> 2 & 1) == 0;
  options.compare_methods = true;
  if (bytes[0] >> 3 & 1) options.search.query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  char *const *chosen = operands[bytes[1] % (sizeof operands / sizeof operands[0])];
  size_t count = 0;
  while (count < 3 && chosen[count] != NULL) ++count;
  frame_list frames = {0};
  if (frame_list_make(&frames, chosen, count)) play(&options, &frames);
  frame_list_release(&frames);
  require(fchdir(home) == 0, "the way back");
  return 0;
}
