/* What the tool does with files that are odd: the verdict must be that of their meshes, and what was passed over is
 * said. */
#include "tool_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Read without its first line, all vertices would shift and the triangles would not meet any more. */
static void a_byte_order_mark_does_not_change_the_verdict(void **state) {
  tool_run plain = run_line(state, "cp crossing.obj named.obj; graze check named.obj --csv - -q");
  assert_int_equal(plain.status, 1);
  expect_run(state,
             "printf '\\357\\273\\277' >marked.obj; cat crossing.obj >>marked.obj; graze check marked.obj --csv - -q",
             1, plain.output, "");
  expect_run(state, "gzip -c marked.obj >marked.gz; graze check marked.gz --csv - -q", 1, plain.output, "");
  tool_run_release(&plain);
  expect_run(state, "printf '\\377\\376v\\0' >wide.obj; graze check wide.obj", 2, "",
             "graze: wide.obj: the byte-order mark says UTF-16, little endian; text is read as ASCII or UTF-8\n");
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tool_folder_make, tool_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(a_byte_order_mark_does_not_change_the_verdict),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
