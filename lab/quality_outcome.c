/* Evaluates a run. */
#include "lab/quality_outcome.h"

#include "bench/bench_record.h"
#include "lab/quality_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Signals of one run. */
typedef struct signals {
  double (*measured)[3], (*ideal)[3];
  double *strength, *ideal_strength;
} signals;

static bool signals_open(size_t steps, signals *at) {
  *at = (signals){.measured = malloc(steps * sizeof *at->measured),
                  .ideal = malloc(steps * sizeof *at->ideal),
                  .strength = malloc(steps * sizeof *at->strength),
                  .ideal_strength = malloc(steps * sizeof *at->ideal_strength)};
  return at->measured != NULL && at->ideal != NULL && at->strength != NULL && at->ideal_strength != NULL;
}

static void signals_close(signals *at) {
  free(at->measured);
  free(at->ideal);
  free(at->strength);
  free(at->ideal_strength);
}

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void quality_signal(const quality_sample *samples, size_t steps, bool torque, double *signal_out) {
  for (size_t i = 0; i < steps; i++)
    signal_out[i] = length_of(torque ? samples[i].wrench.torque : samples[i].wrench.force);
  quality_normalize(signal_out, steps);
}

void quality_ideal_signal(const quality_scenario *scenario, quality_model model, size_t steps, bool torque,
                          double *signal_out) {
  for (size_t i = 0; i < steps; i++) {
    quality_wrench wrench;
    scenario->ideal(model, quality_part(scenario, i, steps), &wrench);
    signal_out[i] = length_of(torque ? wrench.torque : wrench.force);
  }
  quality_normalize(signal_out, steps);
}

static bool is_zero(const double *signal, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (signal[i] != 0.0) return false;
  return true;
}

static quality_deviation deviation_of(const quality_scenario *scenario, quality_model model,
                                      const quality_sample *samples, size_t steps, bool torque, signals *at) {
  quality_signal(samples, steps, torque, at->strength);
  quality_ideal_signal(scenario, model, steps, torque, at->ideal_strength);
  if (is_zero(at->ideal_strength, steps)) return (quality_deviation){.asked = false};
  for (size_t i = 0; i < steps; i++) {
    quality_wrench wrench;
    scenario->ideal(model, quality_part(scenario, i, steps), &wrench);
    memcpy(at->ideal[i], torque ? wrench.torque : wrench.force, sizeof at->ideal[i]);
    memcpy(at->measured[i], torque ? samples[i].wrench.torque : samples[i].wrench.force, sizeof at->measured[i]);
  }
  return (quality_deviation){.asked = true,
                             .sigma = quality_sigma(at->strength, at->ideal_strength, steps),
                             .gamma =
                                 quality_gamma((const double(*)[3])at->measured, (const double(*)[3])at->ideal, steps),
                             .nu = quality_nu(at->strength, at->ideal_strength, steps)};
}

static double stray_of(const quality_scenario *scenario, const quality_sample *samples, size_t steps) {
  double sum = 0.0;
  size_t used = 0;
  for (size_t i = 0; i < steps; i++) {
    const double force = scenario->arm * length_of(samples[i].wrench.force),
                 torque = length_of(samples[i].wrench.torque);
    const double wanted = scenario->about_torque ? torque : force, stray = scenario->about_torque ? force : torque;
    if (wanted == 0.0) continue;
    sum += stray / wanted;
    used++;
  }
  return used > 0 ? sum / (double)used : 0.0;
}

bool quality_outcome_make(const quality_scenario *scenario, quality_model model, const quality_sample *samples,
                          size_t steps, quality_outcome *outcome_out) {
  signals at;
  const bool opened = signals_open(steps, &at);
  if (opened) {
    *outcome_out = (quality_outcome){.force = deviation_of(scenario, model, samples, steps, false, &at),
                                     .torque = deviation_of(scenario, model, samples, steps, true, &at),
                                     .stray = stray_of(scenario, samples, steps)};
    for (size_t i = 0; i < steps; i++) at.strength[i] = samples[i].time_ms;
    outcome_out->ms = bench_median(at.strength, steps);
    for (size_t i = 0; i < steps; i++) outcome_out->penalty += samples[i].penalty / (double)steps;
  }
  signals_close(&at);
  return opened;
}

double quality_eta(const quality_scenario *scenario, const quality_outcome *outcome) {
  const quality_deviation *const wanted = scenario->about_torque ? &outcome->torque : &outcome->force;
  return wanted->sigma + wanted->gamma / 90.0;
}

/* ---------------------------------------------------------------------------------------------- equal times */

static double between(const double stages[QUALITY_STAGES], double value, size_t *stage_out) {
  *stage_out = value < stages[1] ? 0 : 1;
  const double low = log(stages[*stage_out]), high = log(stages[*stage_out + 1]);
  return high > low ? fmin(fmax((log(value) - low) / (high - low), 0.0), 1.0) : 0.0;
}

static double eta_at(const quality_trial *trial, double still, double moving) {
  size_t i, j;
  const double x = between(trial->still, still, &i), y = between(trial->moving, moving, &j);
  const double *const eta = &trial->eta[QUALITY_STAGES * i + j];
  return (1.0 - x) * ((1.0 - y) * eta[0] + y * eta[1]) +
         x * ((1.0 - y) * eta[QUALITY_STAGES] + y * eta[QUALITY_STAGES + 1]);
}

static quality_choice choose_pair(const quality_trial *trial, double ms) {
  size_t best = 0, fastest = 0;
  bool found = false;
  for (size_t i = 0; i < QUALITY_PAIRS; i++) {
    if (trial->ms[i] < trial->ms[fastest]) fastest = i;
    if (trial->ms[i] > ms || (found && trial->eta[i] >= trial->eta[best])) continue;
    best = i;
    found = true;
  }
  if (!found) best = fastest;
  return (quality_choice){trial->still[best / QUALITY_STAGES], trial->moving[best % QUALITY_STAGES], trial->eta[best],
                          false};
}

/* Goes along the line by the resolution of one body; that of the other follows. */
static void try_line(const quality_trial *trial, const double plane[3], double ms, bool by_still,
                     quality_choice *best) {
  enum { PLACES = 200 };
  const double *const stages = by_still ? trial->still : trial->moving;
  const double *const others = by_still ? trial->moving : trial->still;
  const double slope = by_still ? plane[1] : plane[2], other_slope = by_still ? plane[2] : plane[1];
  for (int i = 0; i <= PLACES; i++) {
    const double one = stages[0] * pow(stages[QUALITY_STAGES - 1] / stages[0], (double)i / PLACES);
    const double other = (ms - plane[0] - slope * one) / other_slope;
    if (!(other >= others[0] && other <= others[QUALITY_STAGES - 1])) continue;
    const double still = by_still ? one : other, moving = by_still ? other : one;
    const double eta = eta_at(trial, still, moving);
    if (!best->cut || eta < best->eta) *best = (quality_choice){still, moving, eta, true};
  }
}

quality_choice quality_choose(const quality_trial *trial, double ms) {
  double still[QUALITY_PAIRS], moving[QUALITY_PAIRS], plane[3];
  quality_choice best = choose_pair(trial, ms);
  for (size_t i = 0; i < QUALITY_PAIRS; i++) {
    still[i] = trial->still[i / QUALITY_STAGES];
    moving[i] = trial->moving[i % QUALITY_STAGES];
  }
  if (!quality_plane_fit(still, moving, trial->ms, QUALITY_PAIRS, plane)) return best;
  if (plane[2] != 0.0) try_line(trial, plane, ms, true, &best);
  if (plane[1] != 0.0) try_line(trial, plane, ms, false, &best);
  return best;
}
