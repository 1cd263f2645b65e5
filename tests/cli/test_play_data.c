/* Runs `graze play` on published frames with known numbers of pairs. Requires the folder GRAZE_DATA; skipped without
 * it. */
#include "test_scale.h"
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *folder, *pairs;
} scenes[] = {
    {"cloth-ball", "63602 99872"},    {"armadillo-rollers", "0 0"},
    {"cloth-funnel", "309 382"},      {"kick", "493 495 493 495 495 495 541 617 660 639"},
    {"horse-poses", "59 55 128 0 0"}, {"dress", "925 496 0"},
    {"two-cubes", "0 0 96"},
};

TOOL_TEST(pairs_of_every_frame_are_those_known) {
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
    for (size_t way = 0; way < 2; ++way) {
      if (test_is_sanitized() && i % 2 != way) continue;
      char line[512];
      snprintf(line, sizeof line, "graze play $GRAZE_DATA/scenes/%s --neighbors beyond --quiet --csv all.csv%s",
               scenes[i].folder, way == 0 ? "" : " --method tree");
      tool_run run = run_line(state, line);
      assert_true(run.status == 0 || run.status == 1);
      assert_string_equal(run.errors, "");
      tool_run_release(&run);
      expect_run(state, "awk -F, 'NR>1{printf \"%s%s\",(NR>2?\" \":\"\"),$8}' all.csv", 0, scenes[i].pairs, "");
    }
  }
}

TEST_REQUIRES("GRAZE_DATA")
