/* Runs the tool in a shell and a folder, as users do. Each test has a new folder, so it cannot depend on files of
 * another. Workload: a few hundred runs of a few milliseconds each. */
#define _XOPEN_SOURCE 700 /* mkdtemp(3), nftw(3) */
#include "tool_runner.h"
#include "testing.h"

#include <dirent.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 512, LINE_BYTES = 4096 };

typedef struct tool_folder {
  char path[PATH_BYTES];
} tool_folder;

static void folder_path(void **state, const char *name, char path[2 * PATH_BYTES]) {
  const tool_folder *folder = *state;
  snprintf(path, 2 * PATH_BYTES, "%s/%s", folder->path, name);
}

static void write_text(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

#define FIRST_TRIANGLE "v 0 0 0\nv 2 0 0\nv 0 2 0\n"
#define SECOND_TRIANGLE "v 0.5 0.5 -1\nv 0.5 0.5 1\nv 3 3 0\n"
#define FAR_TRIANGLE "v 9 9 9\nv 9 10 9\nv 10 9 9\n"

#define MEDIT_HEAD "MeshVersionFormatted 2\nDimension 3\n"

static void write_solids(void **state) {
  write_text(state, "corner.mesh",
             MEDIT_HEAD "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n");
  write_text(state, "inner.mesh",
             MEDIT_HEAD "Vertices 4\n0.2 0.2 0.2 0\n0.3 0.2 0.2 0\n0.2 0.3 0.2 0\n0.2 0.2 0.3 0\n"
                        "Tetrahedra 1\n1 2 3 4 0\nEnd\n");
  write_text(state, "cube.vtk",
             "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
             "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n");
}

static void write_meshes(void **state) {
  write_text(state, "one.obj", FIRST_TRIANGLE "f 1 2 3\n");
  write_text(state, "two.obj", SECOND_TRIANGLE "f 1 2 3\n");
  write_text(state, "far.obj", FAR_TRIANGLE "f 1 2 3\n");
  write_text(state, "crossing.obj", FIRST_TRIANGLE SECOND_TRIANGLE "f 1 2 3\nf 4 5 6\n");
  write_text(state, "apart.obj", FIRST_TRIANGLE FAR_TRIANGLE "f 1 2 3\nf 4 5 6\n");
  write_text(state, "groups.obj",
             FIRST_TRIANGLE SECOND_TRIANGLE FAR_TRIANGLE "g first\nf 1 2 3\ng second\nf 4 5 6\ng third\nf 7 8 9\n");
  write_text(state, "quad.obj", "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n" SECOND_TRIANGLE "f 1 2 3 4\nf 5 6 7\n");
  write_text(state, "fan.obj", "v 0 0 0\nv 4 0 0\nv 1 3 0\nv 2 3 0\nf 1 2 3\nf 1 2 4\n");
}

/* A sanitizer ends with 1 by default; that must not pass for "something intersects". */
static void end_loudly(const char *variable) {
  const char *given = getenv(variable);
  char options[PATH_BYTES];
  snprintf(options, sizeof options, "%s%sexitcode=99", given == NULL ? "" : given, given == NULL ? "" : ":");
  setenv(variable, options, 1);
}

int tool_folder_make(void **state) {
  tool_folder *folder = calloc(1, sizeof *folder);
  if (folder == NULL) return -1;
  char here[PATH_BYTES / 2];
  if (getcwd(here, sizeof here) == NULL) return -1;
  snprintf(folder->path, sizeof folder->path, "%s/cli_test_XXXXXX", here);
  if (mkdtemp(folder->path) == NULL) return -1;
  *state = folder;
  end_loudly("ASAN_OPTIONS");
  end_loudly("UBSAN_OPTIONS");
  end_loudly("TSAN_OPTIONS");
  write_meshes(state);
  write_solids(state);
  return 0;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about;
  (void)kind;
  (void)place;
  return remove(path);
}

int tool_folder_remove(void **state) {
  OWNED_MEMORY tool_folder *folder = *state;
  const int result = nftw(folder->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  return result;
}

size_t folder_file_count(void **state) {
  const tool_folder *folder = *state;
  DIR *listing = opendir(folder->path);
  assert_non_null(listing);
  size_t count = 0;
  for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  }
  closedir(listing);
  return count;
}

static char *read_all(const char *path, size_t *bytes_out) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return NULL;
  size_t used = 0, room = 4096;
  char *bytes = malloc(room);
  assert_non_null(bytes);
  for (size_t got; (got = fread(bytes + used, 1, room - used - 1, stream)) > 0;) {
    used += got;
    if (room - used > 1) continue;
    room *= 2;
    bytes = realloc(bytes, room);
    assert_non_null(bytes);
  }
  fclose(stream);
  bytes[used] = '\0';
  if (bytes_out != NULL) *bytes_out = used;
  return bytes;
}

char *folder_read(void **state, const char *name, size_t *bytes_out) {
  char path[2 * PATH_BYTES];
  folder_path(state, name, path);
  return read_all(path, bytes_out);
}

bool folder_has(void **state, const char *name) {
  char path[2 * PATH_BYTES];
  folder_path(state, name, path);
  return access(path, F_OK) == 0;
}

void folder_write(void **state, const char *name, const void *content, size_t bytes) {
  char path[2 * PATH_BYTES];
  folder_path(state, name, path);
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(content, 1, bytes, stream), bytes);
  assert_int_equal(fclose(stream), 0);
}

tool_run run_line(void **state, const char *line) {
  const tool_folder *folder = *state;
  char command[LINE_BYTES], output[2 * PATH_BYTES], errors[2 * PATH_BYTES];
  snprintf(output, sizeof output, "%s.out", folder->path);
  snprintf(errors, sizeof errors, "%s.err", folder->path);
  const int length = snprintf(command, sizeof command, "cd '%s' && PATH='%s':$PATH && { %s ; } >'%s' 2>'%s' </dev/null",
                              folder->path, GRAZE_TOOL_FOLDER, line, output, errors);
  assert_true(length > 0 && (size_t)length < sizeof command);
  const int status = system(command);
  tool_run run = {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  run.output = read_all(output, &run.output_bytes);
  run.errors = read_all(errors, NULL);
  unlink(output);
  unlink(errors);
  assert_non_null(run.output);
  assert_non_null(run.errors);
  return run;
}

void tool_run_release(tool_run *run) {
  free(run->output);
  free(run->errors);
}

static bool is_number_part(char letter) {
  return (letter >= '0' && letter <= '9') || letter == '.';
}

void hide_times(char *text) {
  char *write = text;
  for (const char *read = text; *read != '\0';) {
    if (strncmp(read, "\ntime ", 6) == 0) {
      memcpy(write, "\ntime #", 7);
      write += 7;
      read += 1 + strcspn(read + 1, "\n");
      continue;
    }
    const size_t digits = strspn(read, "0123456789.");
    const bool timed = strncmp(read + digits, " ms", 3) == 0 || strncmp(read + digits, " s)", 3) == 0;
    if (digits > 0 && timed && (read == text || !is_number_part(read[-1]))) {
      *write++ = '#';
      read += digits;
    } else {
      *write++ = *read++;
    }
  }
  *write = '\0';
}

void expect_status(const tool_run *run, int status) {
  if (run->status != status)
    fail_msg("the tool ended with %d, not %d\n%s%s", run->status, status, run->output, run->errors);
}

void expect_run(void **state, const char *line, int status, const char *output, const char *errors) {
  OWNED_RUN run = run_line(state, line);
  hide_times(run.output);
  if (run.status != status) print_error("%s\n", line);
  expect_status(&run, status);
  if (output != NULL) assert_string_equal(run.output, output);
  if (errors != NULL) assert_string_equal(run.errors, errors);
}
