/* Runs the tool in a separate folder and stores its output. */
#ifndef GRAZE_TOOL_RUNNER_H
#define GRAZE_TOOL_RUNNER_H

#include "testing.h"

#include <stdbool.h>
#include <stddef.h>

/* The last line of a check of several files, unless it also tests within each file. */
#define BETWEEN_NOTE                                                                                                   \
  "note  files were only tested against each other; --self adds the pairs within each, --each checks each by itself\n"

typedef struct tool_run {
  int status;   /* the exit status */
  char *output; /* stdout, with an ending zero */
  size_t output_bytes;
  char *errors; /* stderr, likewise */
} tool_run;

/* For cmocka: makes an empty folder with a few small meshes, and removes it with all that lies in it.
 *   crossing.obj  two triangles that cross;   apart.obj  two that do not
 *   one.obj, two.obj  the triangles of crossing.obj;   far.obj  one that is far away
 *   groups.obj    the three of them as groups; quad.obj  a square of four corners crossed by a triangle
 *   fan.obj       two coplanar triangles that overlap and share an edge
 *   corner.mesh   the tetrahedron of the origin and the ends of the axes; inner.mesh  a tenth of it, well inside
 *   cube.vtk      the unit cube, a cell of six faces */
int tool_folder_make(void **state);
int tool_folder_remove(void **state);

/* A test in that folder. */
#define TOOL_TEST(name) TEST_WITH(name, tool_folder_make, tool_folder_remove)

/* Runs a command line in a shell, in the folder, with the tool first in PATH as "graze". */
tool_run run_line(void **state, const char *line);
void tool_run_release(tool_run *run);

/* Released at the end of its block. */
#define OWNED_RUN OWNED_BY(tool_run_release) tool_run

/* Checks the exit status; what the tool said is in the message of a failure. */
void expect_status(const tool_run *run, int status);

/* Runs a line and checks status, stdout and stderr; NULL is not checked. Times in the output are written as #. */
void expect_run(void **state, const char *line, int status, const char *output, const char *errors);

/* Replaces "12.3 ms" and "1.2 s" by "# ms", and the line of stages by "time #". */
void hide_times(char *text);

/* Whether the folder has a file of this name, and its content (ending zero added; release it by free). */
bool folder_has(void **state, const char *name);
char *folder_read(void **state, const char *name, size_t *bytes_out);
void folder_write(void **state, const char *name, const void *content, size_t bytes);

/* Names in the folder, without "." and "..". */
size_t folder_file_count(void **state);

#endif
