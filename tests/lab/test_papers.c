/* Runs the suite of papers on tiny scenes: figures are selected by name, published numbers are shown next to measured
 * ones, and a table and a drawing of each are written. Times are not checked. */
#include "paper_runner.h"

#include "test_scale.h"

/* A number in the first line of the file that begins so, behind that. */
static double number_behind(const char *begin) {
  const char *const line = strstr(file_text, begin);
  if (line == NULL) fail_msg("no line begins with %s", begin);
  return strtod(line + strlen(begin), NULL);
}

TEST_WITH(kdet_has_its_scenes, make_folder, remove_folder) {
  make_figures(test_scale() < 1.0 ? "kdet-table1 --size 100" : "kdet-table1 --size 200");
  assert_non_null(strstr(words, "\nkdet-table1, table 1: "));
  assert_non_null(strstr(words, "\nWhirling cloth      92000 "));
  assert_non_null(strstr(words, "\n1 of 1 figures, tables and drawings in "));
  check_table("kdet-table1", 16);
  assert_non_null(strstr(file_text, "\nCloth on Buddha,250000,8.2,7.5,0.5,9.2,9.7,41.6,cloth-statue,"));
}

TEST_WITH(kdet_has_its_figures, make_folder, remove_folder) {
  make_figures("kdet-hash,kdet-chair,kdet-size,kdet-frames,kdet-k --size 600");
  assert_non_null(strstr(words, "\n5 of 5 figures, "));
  check_table("kdet-hash", 4);
  check_drawing("kdet-hash", ">primes<");
  check_table("kdet-chair", 10);
  check_drawing("kdet-chair", ">Cloth on a chair: graze, ");
  check_table("kdet-size", 5);
  assert_non_null(strstr(file_text, "\n250000,9.7,41.6,"));
  check_drawing("kdet-size", ">gProximity, GTX 1080<");
  check_table("kdet-frames", 10);
  assert_non_null(strstr(file_text, "\n1,1,"));
  check_drawing("kdet-frames", ">A solid breaks: graze, ");
  check_table("kdet-k", 10);
  assert_non_null(strstr(file_text, "\nsphere,"));
  assert_non_null(strstr(words, "10 models, k: mean "));
}

/* The program fails where ways that must agree have other pairs. */
TEST_WITH(tetrahedra_have_their_figures, make_folder, remove_folder) {
  make_figures("tetrahedra --size 200");
  assert_non_null(strstr(words, "\n11 of 11 figures, "));
  check_table("tetra-models", 16);
  assert_non_null(strstr(file_text, "\nHappy Buddha,4,87158,26450,tet-torus,"));
  check_table("tetra-pass", 10);
  assert_non_null(strstr(file_text, "\n1,0.000,0,0,0,"));
  check_drawing("tetra-pass", ">boxes and grid<");
  check_drawing("tetra-depth", ">cube of the depth<");
  check_table("tetra-brute", 7);
  check_drawing("tetra-brute", ">brute force<");
  check_table("tetra-scenes", 3 * 4 * 2);
  assert_non_null(strstr(file_text, "\nArmadillos,4,with self,23 to 26,33 to 36,30.0,soft-pair,"));
  check_drawing("tetra-scenes", ">and within them<");
  check_table("tetra-noise", 3);
  check_table("tetra-blocks", 2 * 4 * 7);
  /* Blocks of 16 are half a warp each, 16 of them at the most; with 160 registers a block of 512 has no room. */
  assert_non_null(strstr(file_text, "\nRTX 3080,32,16,16,16,33.3,16.7,"));
  assert_non_null(strstr(file_text, "\nRTX 3080,32,128,12,48,100.0,100.0,"));
  assert_non_null(strstr(file_text, "\nRTX 3080,160,512,0,0,0.0,0.0,"));
  check_drawing("tetra-blocks", ">H200<");
  check_table("tetra-fill", 3);
  for (size_t i = 1; i <= 3; i++) {
    assert_true(cell_of(i, 7) >= cell_of(i, 4)); /* every one is stored */
    assert_true(cell_of(i, 7) <= 27.0 * cell_of(i, 4));
    assert_true(cell_of(i, 10) >= 1.0);
  }
  check_table("tetra-hash", 4 * 4);
  check_table("tetra-tests", 4 * 3);
  assert_true(number_behind("\npass-through,192,sat,") > 100); /* candidates */
  assert_true(number_behind("\npass-through,192,gjk,") == number_behind("\npass-through,192,sat,"));
  check_table("tetra-memory", 4);
  assert_non_null(strstr(file_text, "\n4,7.0,7.5,soft-pair,"));
  check_table("tetra-map", 4 * 3);
}

/* The program fails where the published grid and graze find different pairs. */
TEST_WITH(the_published_grid_runs_beside_graze, make_folder, remove_folder) {
  make_figures("kdet-grid --size 800");
  assert_non_null(strstr(words, "\nn-body 146k             146000 published: GTX 1080 "));
  check_table("kdet-grid", 3 * (1 + 1 + 5 + 2));
  assert_non_null(strstr(file_text, ",brute force; no loop,"));
  check_drawing("kdet-grid", ">Morton<");
}

TEST_WITH(unknown_names_are_refused, make_folder, remove_folder) {
  assert_int_equal(run_papers("", "kdet-table1,kdet-tabel2"), 2);
  assert_non_null(strstr(words, "graze: --figure takes kdet"));
  assert_non_null(strstr(words, ", not \"kdet-tabel2\"; did you mean kdet-table1?\n"));
  assert_int_equal(run_papers("", "trees --backend cuda"), 2);
  assert_non_null(strstr(words, "graze: --figure trees runs only on the processor, not with --backend cuda\n"));
  assert_int_equal(run_papers("", "tetra-hash --backend cuda"), 2);
  assert_int_equal(run_papers("", "kdet-table1 more"), 2);
  assert_non_null(strstr(words, "unexpected operand \"more\""));
}

/* Lines that were measured stay. */
TEST_WITH(a_run_can_be_stopped, make_folder, remove_folder) {
  assert_int_equal(run_papers("timeout --preserve-status -s INT 1", "kdet-table1"), 130);
  assert_non_null(strstr(words, "\n0 of 1 figures, "));
  assert_non_null(strstr(words, "graze: stopped\n"));
  read_and_remove("paper_kdet-table1.csv");
  assert_int_equal(strncmp(file_text, "published scene,polygons,", 25), 0);
}

TEST_REQUIRES("GRAZE_LAB")
