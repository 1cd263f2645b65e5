/* Tests the force benchmark: its bodies are closed and have the correct size, its formulas agree with integration over
 * a grid, its measures are correct on known signals, and resolutions of equal time are found. */
#include "lab/quality_measures.h"
#include "lab/quality_outcome.h"
#include "testing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static void assert_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g within %g", value, wanted, tolerance);
}

/* ---------------------------------------------------------------------------------------------- bodies */

static double volume_of(const mesh *body) {
  double sum = 0.0;
  for (size_t i = 0; i < body->triangle_count; i++) {
    const double *const a = body->positions + 3 * body->triangles[3 * i],
                        *const b = body->positions + 3 * body->triangles[3 * i + 1],
                        *const c = body->positions + 3 * body->triangles[3 * i + 2];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6.0;
}

static size_t count_edge(const mesh *body, uint32_t from, uint32_t to) {
  size_t count = 0;
  for (size_t i = 0; i < body->triangle_count; i++)
    for (int k = 0; k < 3; k++)
      count += body->triangles[3 * i + k] == from && body->triangles[3 * i + (k + 1) % 3] == to;
  return count;
}

static void check_body(mesh *body, double volume) {
  for (size_t i = 0; i < body->triangle_count; i++)
    for (int k = 0; k < 3; k++) {
      const uint32_t from = body->triangles[3 * i + k], to = body->triangles[3 * i + (k + 1) % 3];
      assert_int_equal(count_edge(body, from, to), 1);
      assert_int_equal(count_edge(body, to, from), 1);
    }
  assert_near(volume_of(body), volume, 1e-12);
  mesh_free(body);
}

TEST(bodies_are_closed) {
  enum { AROUND = 24 };
  const double polygon = AROUND / 2.0 * sin(2 * PI / AROUND); /* by the squared radius */
  const double half[3] = {1.0, 2.0, 0.5};
  OWNED(mesh) body;
  assert_true(quality_box_make(half, &body));
  check_body(&body, 8.0);
  assert_true(quality_cone_make(0.5, 1.0, AROUND, &body));
  check_body(&body, polygon * 0.25 / 3);
  assert_true(quality_cylinder_make(0.5, 3.0, AROUND, &body));
  check_body(&body, polygon * 0.25 * 3);
  assert_true(quality_holes_make(1.0, 0.5, AROUND, &body));
  check_body(&body, 2.0 - 0.25 - polygon * 0.0625);
  assert_true(quality_pins_make(1.0, 0.5, AROUND, &body));
  check_body(&body, 0.25 + polygon * 0.0625);
  assert_true(quality_sphere_make(1.0, 96, &body));
  assert_near(volume_of(&body), 4 * PI / 3, 0.01);
}

/* ---------------------------------------------------------------------------------------------- formulas */

enum { GRID = 1500 };

/* The part of a body around the origin, a square or a circle of width c, that leaves its hole when it is turned and
 * moved, by its area. */
static double area_outside(bool round, double c, double angle, double x, double y) {
  size_t outside = 0;
  for (int i = 0; i < GRID; i++)
    for (int j = 0; j < GRID; j++) {
      const double u = c * ((i + 0.5) / GRID - 0.5), v = c * ((j + 0.5) / GRID - 0.5);
      if (round && u * u + v * v > c * c / 4) continue;
      const double p = x + u * cos(angle) - v * sin(angle), q = y + u * sin(angle) + v * cos(angle);
      outside += round ? p * p + q * q > c * c / 4 : fabs(p) > c / 2 || fabs(q) > c / 2;
    }
  return c * c * (double)outside / ((double)GRID * GRID);
}

TEST(formulas_are_integrals) {
  const double a = 1.5, c = 0.8;
  assert_near(quality_turned_volume(a, c, 0.0), 0.0, 0.0);
  for (int i = 1; i <= 6; i++) {
    const double angle = PI / 36 * i, step = 1e-5;
    assert_near(quality_turned_volume(a, c, angle), a * area_outside(false, c, angle, 0.0, 0.0), 1e-3);
    const double corner = c / sqrt(2.0) * cos(PI / 4 - angle) - c / 2;
    assert_near(quality_turned_depth(c, angle), corner, 1e-12);
    const double growth = quality_turned_volume(a, c, angle + step) - quality_turned_volume(a, c, angle - step);
    assert_near(quality_turned_gradient(a, c, angle), growth / (2 * step), 1e-6);
  }
  assert_near(quality_turned_gradient(a, c, 0.0), quality_turned_gradient(a, c, 1e-6), 1e-5);
  for (int i = 0; i < 8; i++) {
    const double x = 0.08 * cos(0.9 * i), y = 0.08 * sin(0.9 * i);
    assert_near(quality_square_volume(a, c, x, y), a * area_outside(false, c, 0.0, x, y), 2e-3);
    assert_near(quality_round_volume(a, c, 0.01 * i), a * area_outside(true, c, 0.0, 0.01 * i, 0.0), 2e-3);
    const double growth = quality_round_volume(a, c, 0.01 * i + 1e-5) - quality_round_volume(a, c, 0.01 * i - 1e-5);
    assert_near(quality_round_gradient(a, c, 0.01 * i), growth / 2e-5, 1e-6);
  }
}

/* The gradients of IV push as the volumes fall, and the work of III's torque is its volume. */
TEST(gradients_do_the_work) {
  const quality_scenario *const pins = &quality_scenarios[4], *const pin = &quality_scenarios[3];
  quality_wrench wrench, volume;
  pins->ideal(QUALITY_GRADIENT, 0.07, &wrench);
  const double x = 0.05 * cos(0.14 * PI), y = 0.05 * sin(0.14 * PI), step = 1e-6;
  const double square = quality_square_volume(1.0, 0.5, x + step, y) - quality_square_volume(1.0, 0.5, x - step, y);
  const double round =
      quality_round_volume(1.0, 0.5, hypot(x + step, y)) - quality_round_volume(1.0, 0.5, hypot(x - step, y));
  assert_near(wrench.force[0], -(square + round) / (2 * step), 1e-6);
  assert_true(wrench.force[1] < 0.0);
  double work = 0.0;
  enum { PIECES = 2000 };
  for (int i = 0; i < PIECES; i++) {
    pin->ideal(QUALITY_GRADIENT, (i + 0.5) / PIECES, &wrench);
    work -= wrench.torque[2] * PI / 6 / PIECES;
  }
  pin->ideal(QUALITY_VOLUME, 1.0, &volume);
  assert_near(work, -volume.torque[2], 1e-6);
}

/* ---------------------------------------------------------------------------------------------- measures */

TEST(known_signals_are_measured) {
  enum { COUNT = 100 };
  double one[COUNT], two[COUNT], energy[COUNT / 2 + 1];
  for (int i = 0; i < COUNT; i++) one[i] = 1.0;
  for (int i = 0; i < COUNT; i++) two[i] = i % 2 == 0 ? 0.9 : 1.1;
  assert_near(quality_sigma(two, one, COUNT), 0.1, 1e-12);
  assert_near(quality_sigma(one, one, COUNT), 0.0, 0.0);
  assert_near(quality_nu(one, one, COUNT), 1.0, 1e-12);
  assert_near(quality_nu(two, one, COUNT), 1.01, 1e-9); /* by Parseval: the mean square */
  for (int i = 0; i < COUNT; i++) two[i] = 2.0;
  assert_near(quality_nu(two, one, COUNT), 4.0, 1e-9);
  memset(one, 0, sizeof one);
  assert_near(quality_nu(two, one, COUNT), 0.0, 0.0); /* nothing to divide by */
  quality_normalize(one, COUNT);
  assert_near(one[7], 0.0, 0.0);
  quality_normalize(two, COUNT);
  assert_near(two[7], 1.0, 0.0);
  for (int i = 0; i < COUNT; i++) one[i] = cos(2 * PI * 5 * i / COUNT);
  quality_spectrum(one, COUNT, energy);
  for (int k = 0; k <= COUNT / 2; k++) assert_near(energy[k], k == 5 ? COUNT * COUNT / 2.0 : 0.0, 1e-9);
}

TEST(angles_are_means) {
  const double measured[4][3] = {{2, 0, 0}, {0, 3, 0}, {0, 0, 0}, {1, 1e-9, 0}};
  const double ideal[4][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {5, 0, 0}};
  assert_near(quality_gamma(measured, ideal, 2), 45.0, 1e-12);
  assert_near(quality_gamma(measured, ideal, 3), 45.0, 1e-12); /* the zero is left out */
  assert_near(quality_gamma(&measured[2], &ideal[2], 1), 0.0, 0.0);
  assert_near(quality_gamma(&measured[3], &ideal[3], 1), 1e-9 * 180 / PI, 1e-12); /* the arc cosine has 0 here */
}

/* A wave of 6 in a window, in the second half alone. */
TEST(noise_is_found_where_it_is) {
  enum { COUNT = 256, WINDOW = 32, COLUMNS = 9, ROWS = WINDOW / 2 + 1 };
  double signal[COUNT], amplitudes[COLUMNS * ROWS];
  for (int i = 0; i < COUNT; i++) signal[i] = i < COUNT / 2 ? 0.0 : cos(2 * PI * 6 * i / WINDOW);
  quality_spectrogram(signal, COUNT, WINDOW, COLUMNS, amplitudes);
  for (int k = 0; k < ROWS; k++) assert_near(amplitudes[2 * ROWS + k], 0.0, 1e-12);
  assert_near(amplitudes[6 * ROWS + 6], 0.5, 1e-9); /* half, as the window's mean is */
  assert_near(amplitudes[6 * ROWS + 5], 0.25, 1e-9);
  assert_near(amplitudes[6 * ROWS + 10], 0.0, 1e-9);
}

/* ---------------------------------------------------------------------------------------------- equal times */

static quality_trial trial_of(double (*ms)(double, double), double (*eta)(double, double)) {
  quality_trial trial = {.still = {100, 200, 400}, .moving = {10, 40, 160}};
  for (size_t i = 0; i < QUALITY_PAIRS; i++) {
    trial.ms[i] = ms(trial.still[i / QUALITY_STAGES], trial.moving[i % QUALITY_STAGES]);
    trial.eta[i] = eta(trial.still[i / QUALITY_STAGES], trial.moving[i % QUALITY_STAGES]);
  }
  return trial;
}

static double plane_ms(double still, double moving) {
  return 0.1 + 0.002 * still + 0.005 * moving;
}

static double eta_by_still(double still, double moving) {
  (void)moving;
  return 1.0 - 0.1 * log(still);
}

static double eta_by_moving(double still, double moving) {
  (void)still;
  return 1.0 - 0.1 * log(moving);
}

TEST(equal_times_are_cut) {
  quality_trial trial = trial_of(plane_ms, eta_by_still);
  quality_choice choice = quality_choose(&trial, 0.8);
  assert_true(choice.cut);
  assert_near(choice.moving, 10.0, 0.5);
  assert_near(choice.still, 325.0, 1.5);
  assert_near(plane_ms(choice.still, choice.moving), 0.8, 1e-9);
  assert_near(choice.eta, eta_by_still(choice.still, 0.0), 1e-9);
  trial = trial_of(plane_ms, eta_by_moving);
  choice = quality_choose(&trial, 0.8);
  assert_true(choice.cut);
  assert_near(choice.still, 100.0, 2.0);
  assert_near(choice.moving, 100.0, 1.0);
  choice = quality_choose(&trial, 100.0); /* all are faster: the best */
  assert_false(choice.cut);
  assert_near(choice.moving, 160.0, 0.0);
  choice = quality_choose(&trial, 0.01); /* none is: the fastest, wherever it stands */
  assert_false(choice.cut);
  assert_near(choice.still, 100.0, 0.0);
  assert_near(choice.moving, 10.0, 0.0);
  for (size_t i = 0; i < QUALITY_PAIRS; i++) trial.ms[i] = i == 4 ? 4.0 : 5.0;
  choice = quality_choose(&trial, 0.01);
  assert_false(choice.cut);
  assert_near(choice.still, 200.0, 0.0);
  assert_near(choice.moving, 40.0, 0.0);
}

TEST(points_on_a_line_have_no_plane) {
  const double x[4] = {1, 2, 3, 4}, y[4] = {2, 4, 6, 8}, across[4] = {1, -1, 1, -1}, z[4] = {3, 2, 5, 4};
  double plane[3];
  assert_false(quality_plane_fit(x, y, z, 4, plane));
  assert_true(quality_plane_fit(x, across, z, 4, plane));
  double sum = 0.0; /* what is left is across to the plane's directions */
  for (int i = 0; i < 4; i++) sum += (z[i] - plane[0] - plane[1] * x[i] - plane[2] * across[i]) * x[i];
  assert_near(sum, 0.0, 1e-12);
}

/* ---------------------------------------------------------------------------------------------- ideal runs */

/* A run that is its model has no deviation, in any scenario. */
TEST(ideal_runs_deviate_by_nothing) {
  enum { STEPS = 60 };
  quality_sample samples[STEPS];
  for (size_t s = 0; s < QUALITY_SCENARIOS; s++)
    for (int model = 0; model < QUALITY_MODELS; model++) {
      const quality_scenario *const scenario = &quality_scenarios[s];
      for (size_t i = 0; i < STEPS; i++) {
        samples[i] = (quality_sample){.penalty = 2.0, .time_ms = (double)i};
        scenario->ideal((quality_model)model, quality_part(scenario, i, STEPS), &samples[i].wrench);
        for (int k = 0; k < 3; k++) samples[i].wrench.force[k] *= 7.0;
      }
      quality_outcome outcome;
      assert_true(quality_outcome_make(scenario, (quality_model)model, samples, STEPS, &outcome));
      assert_int_equal(outcome.force.asked, !scenario->about_torque);
      assert_true(outcome.torque.asked || s != 3);
      assert_near(outcome.force.sigma + outcome.torque.sigma, 0.0, 1e-12);
      assert_near(outcome.force.gamma + outcome.torque.gamma, 0.0, 1e-12);
      assert_near(scenario->about_torque ? outcome.torque.nu : outcome.force.nu, 1.0, 1e-12);
      assert_near(quality_eta(scenario, &outcome), 0.0, 1e-12);
      assert_near(outcome.penalty, 2.0, 1e-12);
      assert_near(outcome.ms, STEPS / 2 - 1, 0.0);
      if (s < 4) assert_near(outcome.stray, 0.0, 0.0);
    }
}
