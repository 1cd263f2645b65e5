/* Runs the papers on spheres and trees on tiny bodies: the statements of their tables hold, and drawings are written.
 * Times are not checked. */
#include "paper_runner.h"

#include "test_scale.h"

TEST_WITH(packings_turn, make_folder, remove_folder) {
  make_figures("spheres-fig5 --size 300");
  check_table("spheres-fig5", 3 * 5);
  assert_non_null(strstr(file_text, "\nblob,"));
  for (size_t line = 1; line <= 15; line++) {
    assert_true(cell_of(line, 1) >= 100.0);                                              /* spheres */
    assert_true(cell_of(line, 2) > 40.0 && cell_of(line, 2) < 100.0);                    /* percent filled */
    assert_true(cell_of(line, 4) > 0.0 && cell_of(line, 5) >= cell_of(line, 4) - 0.001); /* mean and worst */
    assert_true(cell_of(line, 7) > 0.0);                                                 /* pairs */
  }
  check_drawing("spheres-fig5", ">worst building (figure 6)<");
  check_drawing("spheres-fig5-frames", " spheres<");
}

/* Bounds of the published grid: 8 cells of a sphere, 8 asked a level, and no more steps where processors are fewer. */
TEST_WITH(steps_are_counted, make_folder, remove_folder) {
  make_figures(test_scale() < 1.0 ? "spheres-constant --size 200" : "spheres-constant --size 500");
  check_table("spheres-constant", 3 * 5);
  for (size_t line = 1; line <= 15; line++) {
    const double levels = cell_of(line, 3);
    assert_true(levels >= 2.0 && cell_of(line, 4) <= 8.0 && cell_of(line, 6) <= 8.0 * levels);
    assert_true(cell_of(line, 2) <= pow(2.0, levels - 1.0) * 1.001);
    assert_true(cell_of(line, 9) >= cell_of(line, 8)); /* the busiest and the mean */
    assert_true(cell_of(line, 10) >= cell_of(line, 9) && cell_of(line, 11) >= cell_of(line, 10));
    assert_true(cell_of(line, 12) > 0.0);
  }
  check_drawing("spheres-constant", ">a processor for each sphere<");
}

/* Both trees do all steps, so that their tests can be compared: beginning lower never makes many more. */
TEST_WITH(bodies_turn_beside_their_copies, make_folder, remove_folder) {
  make_figures(test_scale() < 1.0 ? "trees --size 100" : "trees --size 300");
  check_table("trees-fig4", 3 * 5);
  size_t fewer = 0;
  for (size_t line = 1; line <= 15; line++) {
    const double plain = cell_of(line, 13), coherent = cell_of(line, 14);
    assert_true(cell_of(line, 4) >= cell_of(line, 3)); /* the worst step and the mean */
    assert_true(cell_of(line, 11) > 0.0);              /* brute force is asked, too */
    if (isnan(plain)) continue;
    assert_true(coherent <= 1.01 * plain);
    fewer += coherent < plain;
  }
  assert_true(fewer > 0);
  check_drawing("trees-fig4_gear", ">tree-coherent<");
  check_drawing("trees-fig4_panels", ">worst step<");
  check_drawing("trees-fig4_blob", ">clusters<");
}

TEST_REQUIRES("GRAZE_LAB")
