/* Runs the paper on clusters on tiny scenes: the statements of its tables hold, drawings are written, and studies that
 * draw a figure run. Times are not checked. */
#include "paper_runner.h"

#include "test_scale.h"

TEST_WITH(hard_clusters_lose_a_pair, make_folder, remove_folder) {
  make_figures("clusters-fig5.3");
  check_table("clusters-fig5.3", 3);
  assert_non_null(strstr(file_text, "\nhard,one is missed,2,4,0,1,"));
  assert_non_null(strstr(file_text, "\nthesis,none is missed,2,4,0,1,"));
  assert_non_null(strstr(file_text, "\ncovering,-,2,6,1,0,"));
}

/* Columns 7 to 11 are shares; two bodies apart share no cluster of two, and no primitive has three of four. */
TEST_WITH(primitives_have_their_clusters, make_folder, remove_folder) {
  make_figures("clusters-fig5.4");
  check_table("clusters-fig5.4", 12);
  for (size_t line = 1; line <= 12; line++) {
    double sum = 0.0;
    for (size_t cell = 7; cell <= 11; cell++) sum += cell_of(line, cell);
    assert_true(fabs(sum - 100.0) < 0.05);
    assert_true(cell_of(line, 12) >= 1.0);
  }
  for (size_t line = 9; line <= 10; line++) assert_true(cell_of(line, 7) == 100.0);
  for (size_t line = 11; line <= 12; line++)
    assert_true(cell_of(line, 8) > 0.0 && cell_of(line, 9) == 0.0 && cell_of(line, 10) == 0.0);
  check_drawing("clusters-fig5.4", ">by what a box reaches<");
}

/* Six bodies, eight numbers of clusters each. The cloths have pairs, and hard clusters lose some. Sanitizers would take
 * a minute: they see the method in test_clusters, and one film of two below. */
TEST_WITH(time_goes_over_the_number_of_clusters, make_folder, remove_folder) {
  if (test_scale() < 1.0) skip();
  make_figures("clusters-fig5.6 --size 4000");
  check_table("clusters-fig5.6", 6 * 8);
  double lost = 0.0, lost_by_threshold = 0.0;
  for (size_t line = 1; line <= 48; line++) {
    const bool one = line % 8 == 1;
    assert_true(cell_of(line, 4) > 0.0 && cell_of(line, 7) > 0.0);
    if (one) assert_true(cell_of(line, 13) == 0.0 && cell_of(line, 14) == 0.0);
    lost_by_threshold += cell_of(line, 13);
    lost += cell_of(line, 14);
  }
  assert_true(lost > lost_by_threshold);
  assert_true(cell_of(16, 8) < 0.5 * cell_of(9, 8)); /* what is compared of the cloth, by sixteen and by one */
  check_drawing("clusters-fig5.6", ">cloth on ball<");
  check_drawing("clusters-fig5.6-members", ">funnel<");
  check_drawing("clusters-fig5.6-compared", ">members of the thesis<");
  check_drawing("clusters-fig5.6-more-compared", ">liver<");
  check_drawing("clusters-fig5.6-more", ">bunny<");
  check_drawing("clusters-fig5.6-more-members", ">pelvis<");
}

static void check_film(const char *name, size_t frame_lines) {
  char file[64];
  static const char *const endings[] = {"", "-methods", "-compared", "-count"};
  check_table(name, 1);
  for (size_t cell = 8; cell < 16; cell++) assert_true(cell_of(1, cell) > 0.0); /* times and comparisons */
  assert_true(cell_of(1, 16) >= 1.0); /* clusters, where their number adapts */
  snprintf(file, sizeof file, "%s-frames", name);
  check_table(file, frame_lines);
  for (size_t i = 0; i < 4; i++) {
    snprintf(file, sizeof file, "%s%s", name, endings[i]);
    check_drawing(file, ">frame<");
  }
}

TEST_WITH(films_have_their_tables, make_folder, remove_folder) {
  make_figures("clusters-table5.1 --size 600");
  assert_non_null(strstr(words, " 20.24     18.6  36.6  23.2  32.5 "));
  check_film("clusters-table5.1", 10);
  if (test_scale() < 1.0) return;
  make_figures("clusters-table5.2 --size 600");
  assert_non_null(strstr(words, "  6.53      4.4   6.7     -     - "));
  check_film("clusters-table5.2", 17);
}

TEST_WITH(suites_are_reached, make_folder, remove_folder) {
  static const char *const bodies[] = {"blob", "knot", "gear"};
  static const char *const kinds[] = {"distance_any", "distance_all", "volume_any", "volume_all"};
  make_figures("clusters-fig5.25 --size 300 --share 1");
  assert_non_null(strstr(words, "\nclusters-fig5.25, figure 5.25: "));
  read_and_remove("rigid.csv");
  for (size_t i = 0; i < 12; i++) {
    char file[64];
    snprintf(file, sizeof file, "rigid_%s_%s.svg", bodies[i / 4], kinds[i % 4]);
    read_and_remove(file);
    assert_non_null(strstr(file_text, "</svg>"));
  }
}

TEST_REQUIRES("GRAZE_LAB")
