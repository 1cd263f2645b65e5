/* Tests the rule of `graze bench --compare` on generated times: how often it reports a false change, and whether it
 * finds a real one. Seeds are fixed, so the results are reproducible. */
#include "bench_change.h"
#include "method_change.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ROWS = 20, PASSES = 5, AGAIN = 3 };

/* Comparisons by chance. */
static uint32_t seeds(void) {
  return (uint32_t)test_sanitized(200, 1000);
}

/* ---------------------------------------------------------------------------------------------- chance */

static double uniform(uint64_t *state) {
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state) {
  const double radius = sqrt(-2.0 * log(uniform(state)));
  return radius * cos(6.283185307179586 * uniform(state));
}

/* A machine: how unsteady it is, how often something else runs for a while and by how much that is felt, and what all
 * of the second record is slower by. */
typedef struct machine {
  double spread, bursts, burst, drift;
} machine;

static const machine at_rest = {0.01, 0.1, 0.3, 0.0}, drifting = {0.01, 0.1, 0.3, 0.08},
                     shared = {0.06, 0.2, 0.5, -0.05};

static change_pass visit(const machine *on, double ms, double drift, uint64_t *state) {
  const double burst = uniform(state) < on->bursts ? -on->burst * log(uniform(state)) : 0.0;
  const double processor = ms * exp(drift + on->spread * normal(state) + burst);
  return (change_pass){processor * exp(fabs(0.5 * on->spread * normal(state)) + burst), processor,
                       3.0 * exp(drift + on->spread * normal(state))};
}

static void visit_side(const machine *on, double ms, double drift, size_t count, uint64_t *state, change_side *side) {
  side->count = count;
  for (size_t i = 0; i < count; ++i) side->passes[i] = visit(on, ms, drift, state);
}

/* ---------------------------------------------------------------------------------------------- a comparison */

typedef struct outcome {
  size_t slower, faster, found; /* the last: of those that were planted */
  change_verdict together;
} outcome;

/* Like the tool: doubted rows are visited three more times, and evaluated again. */
static outcome compare(const machine *on, const double *planted, size_t count, uint64_t seed) {
  change_row rows[ROWS] = {0};
  double ms[ROWS];
  change_result results[ROWS];
  change_whole whole;
  uint64_t state = seed * UINT64_C(0x2545f4914f6cdd1d) + 1;
  for (size_t i = 0; i < count; ++i) {
    ms[i] = exp(1.0 + 4.0 * uniform(&state));
    rows[i] = (change_row){.first_again = PASSES};
    visit_side(on, ms[i], 0.0, PASSES, &state, &rows[i].old);
    visit_side(on, ms[i] * (1.0 + planted[i]), on->drift, PASSES, &state, &rows[i].fresh);
  }
  assert_true(change_judge(rows, count, results, &whole));
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < AGAIN && results[i].doubted; ++j)
      rows[i].fresh.passes[rows[i].fresh.count++] = visit(on, ms[i] * (1.0 + planted[i]), on->drift, &state);
  assert_true(change_judge(rows, count, results, &whole));
  outcome result = {.together = whole.verdict};
  for (size_t i = 0; i < count; ++i) {
    result.slower += results[i].verdict == CHANGE_SLOWER;
    result.faster += results[i].verdict == CHANGE_FASTER;
    result.found += planted[i] > 0.0 && results[i].verdict == CHANGE_SLOWER;
  }
  return result;
}

/* The number of comparisons of 20 rows that report a change. */
static double false_alarms(const machine *on) {
  const double nothing[ROWS] = {0.0};
  size_t alarms = 0;
  for (uint64_t seed = 0; seed < seeds(); ++seed) {
    const outcome result = compare(on, nothing, ROWS, seed);
    alarms += result.slower + result.faster > 0 || result.together == CHANGE_SLOWER || result.together == CHANGE_FASTER;
  }
  return (double)alarms / seeds();
}

TEST(noise_is_seldom_reported) {
  const double rest = false_alarms(&at_rest), drift = false_alarms(&drifting), busy = false_alarms(&shared);
  print_message("comparisons of equal builds that tell of a change: at rest %.4f, drifting %.4f, shared %.4f\n", rest,
                drift, busy);
  assert_true(rest < 0.01);
  assert_true(drift < 0.01);
  assert_true(busy < 0.01);
}

static double share_found(const machine *on, double change) {
  double planted[ROWS] = {0.0};
  size_t found = 0;
  for (uint64_t seed = 0; seed < seeds(); ++seed) {
    planted[seed % ROWS] = change;
    found += compare(on, planted, ROWS, seed).found;
    planted[seed % ROWS] = 0.0;
  }
  return (double)found / seeds();
}

TEST(ten_percent_are_found) {
  const double rest = share_found(&at_rest, 0.1), drift = share_found(&drifting, 0.1);
  print_message("a row that is 10 %% slower is found: at rest %.4f, drifting %.4f\n", rest, drift);
  assert_true(rest > 0.95);
  assert_true(drift > 0.95);
}

/* A third of the rows, as where one method of three became slower. */
TEST(a_third_of_the_rows_is_found) {
  double planted[ROWS] = {0.0};
  size_t found = 0, others = 0;
  for (size_t i = 0; i < ROWS; i += 3) planted[i] = 0.1;
  for (uint64_t seed = 0; seed < seeds(); ++seed) {
    const outcome result = compare(&at_rest, planted, ROWS, seed);
    found += result.found;
    others += result.slower - result.found + result.faster;
  }
  print_message("of seven rows of twenty: %.4f found, %.4f others a comparison\n", (double)found / (7.0 * seeds()),
                (double)others / seeds());
  assert_true((double)found / (7.0 * seeds()) > 0.9);
  assert_true((double)others / seeds() < 0.01);
}

/* All rows slower and the yardstick not: reported as one, and no row is called faster or slower for it. */
TEST(all_rows_together_are_reported) {
  double planted[ROWS];
  size_t found = 0, rows = 0;
  for (size_t i = 0; i < ROWS; ++i) planted[i] = 0.1;
  for (uint64_t seed = 0; seed < seeds(); ++seed) {
    const outcome result = compare(&at_rest, planted, ROWS, seed);
    found += result.together == CHANGE_SLOWER;
    rows += result.slower + result.faster;
  }
  assert_true((double)found / seeds() > 0.95);
  assert_true((double)rows / seeds() < 0.01);
  /* Most of them: the others have stayed, and are not faster. */
  for (size_t i = 0; i < 6; ++i) planted[i] = 0.0;
  for (uint64_t seed = found = rows = 0; seed < seeds(); ++seed) {
    const outcome result = compare(&at_rest, planted, ROWS, seed);
    found += result.together == CHANGE_SLOWER;
    rows += result.faster;
  }
  assert_true((double)found / seeds() > 0.95);
  assert_true((double)rows / seeds() < 0.01);
}

/* A single row has no common change with others, and is reported on its own. */
TEST(few_rows_are_told_too) {
  const double slower = 0.12, same = 0.0;
  size_t found = 0, alarms = 0;
  for (uint64_t seed = 0; seed < seeds(); ++seed) {
    found += compare(&at_rest, &slower, 1, seed).found;
    const outcome result = compare(&at_rest, &same, 1, seed);
    alarms += result.slower + result.faster;
  }
  print_message("one row: found %.4f, reported for nothing %.4f\n", (double)found / seeds(), (double)alarms / seeds());
  assert_true((double)alarms / seeds() < 0.01);
  assert_true((double)found / seeds() > 0.8);
}

/* Visits that are slow together, as the rounds of one visit are, must not be taken for many. A row of one pass has
 * nothing but its quartiles. */
TEST(a_record_of_one_pass_is_doubted) {
  change_row rows[ROWS];
  change_result results[ROWS];
  change_whole whole;
  for (size_t i = 0; i < ROWS; ++i)
    rows[i] = (change_row){.old = {.passes = {{10.0, 10.0, 3.0}}, .count = 1, .spread = 0.03},
                           .fresh = {.passes = {{10.0, 10.0, 3.0}}, .count = 1, .spread = 0.03},
                           .first_again = 1};
  rows[3].fresh.passes[0] = (change_pass){11.0, 11.0, 3.0};
  rows[4].fresh.passes[0] = (change_pass){14.0, 14.0, 3.0};
  assert_true(change_judge(rows, ROWS, results, &whole));
  assert_int_equal(results[3].verdict, CHANGE_NONE);
  assert_int_equal(results[4].verdict, CHANGE_SLOWER);
  assert_true(results[4].doubted);
  /* A change that does not recur is not a change. */
  for (size_t j = 0; j < AGAIN; ++j) rows[4].fresh.passes[rows[4].fresh.count++] = (change_pass){10.1, 10.1, 3.0};
  assert_true(change_judge(rows, ROWS, results, &whole));
  assert_int_equal(results[4].verdict, CHANGE_NONE);
}

TEST(waiting_is_told_apart) {
  change_row rows[ROWS];
  change_result results[ROWS];
  change_whole whole;
  uint64_t random = 7;
  for (size_t i = 0; i < ROWS; ++i) {
    rows[i] = (change_row){.first_again = PASSES};
    visit_side(&at_rest, 10.0, 0.0, PASSES, &random, &rows[i].old);
    rows[i].fresh = rows[i].old;
  }
  for (size_t j = 0; j < PASSES; ++j) rows[5].fresh.passes[j].wall_ms *= 1.5;
  assert_true(change_judge(rows, ROWS, results, &whole));
  assert_int_equal(results[5].verdict, CHANGE_WAITED);
  rows[5].on_device = true;
  assert_true(change_judge(rows, ROWS, results, &whole));
  assert_int_equal(results[5].verdict, CHANGE_SLOWER);
  assert_true(change_judge(rows, 0, results, &whole));
  assert_int_equal(whole.verdict, CHANGE_NONE);
}

/* ---------------------------------------------------------------------------------------------- methods */

enum { SCENES = 11, METHODS = 4 };

/* Rows as noisy as those of a virtual machine, whose rows of one scene are slow together; one method slower by so much.
 */
static void make_methods(double planted, double noise, uint64_t seed, method_row rows_out[SCENES * METHODS]) {
  uint64_t state = seed * UINT64_C(0x2545f4914f6cdd1d) + 7;
  for (size_t scene = 0; scene < SCENES; ++scene) {
    const double together = 0.08 * normal(&state);
    for (size_t method = 0; method < METHODS; ++method)
      rows_out[scene * METHODS + method] =
          (method_row){scene, method, together + noise * normal(&state) + (method == 1 ? log(1.0 + planted) : 0.0)};
  }
}

TEST(a_method_is_told_by_all_its_scenes) {
  size_t alarms = 0, found = 0, others = 0;
  for (uint64_t seed = 0; seed < seeds(); ++seed) {
    method_row rows[SCENES * METHODS];
    method_result results[METHODS];
    make_methods(0.0, seed % 2 == 0 ? 0.03 : 0.12, seed, rows);
    assert_true(method_change_judge(rows, SCENES * METHODS, METHODS, results));
    for (size_t i = 0; i < METHODS; ++i) alarms += results[i].verdict != CHANGE_NONE;
    make_methods(0.1, 0.03, seed, rows);
    assert_true(method_change_judge(rows, SCENES * METHODS, METHODS, results));
    found += results[1].verdict == CHANGE_SLOWER;
    for (size_t i = 0; i < METHODS; ++i) others += i != 1 && results[i].verdict != CHANGE_NONE;
  }
  print_message("a method that is 10 %% slower: found %.4f, others %.4f, reported for nothing %.4f\n",
                (double)found / seeds(), (double)others / seeds(), (double)alarms / seeds());
  assert_true((double)found / seeds() > 0.95);
  assert_true((double)others / seeds() < 0.03); /* of three; the slow one is among what they are compared with */
  assert_true((double)alarms / seeds() < 0.01);
}

/* Two methods cannot say which of them it was, and five scenes are too few. */
TEST(too_few_methods_or_scenes_tell_nothing) {
  method_row rows[SCENES * METHODS];
  method_result results[METHODS];
  make_methods(0.5, 0.03, 3, rows);
  assert_true(method_change_judge(rows, 5 * METHODS, METHODS, results));
  assert_int_equal(results[1].verdict, CHANGE_NONE);
  size_t count = 0;
  for (size_t i = 0; i < SCENES * METHODS; ++i)
    if (rows[i].method < 2) rows[count++] = rows[i];
  assert_true(method_change_judge(rows, count, METHODS, results));
  assert_int_equal(results[1].scenes, 0);
  assert_int_equal(results[0].verdict, CHANGE_NONE);
  assert_int_equal(results[1].verdict, CHANGE_NONE);
}
