/* Evaluates a run along a path: its signals compared with those of a model, and the resolutions that take the same
 * time. */
#ifndef GRAZE_QUALITY_OUTCOME_H
#define GRAZE_QUALITY_OUTCOME_H

#include "lab/quality_spheres.h"

/* The deviation of forces, or of torques. If the model has none, `asked` is false and the rest is 0. */
typedef struct quality_deviation {
  bool asked;
  double sigma, gamma, nu;
} quality_deviation;

typedef struct quality_outcome {
  quality_deviation force, torque;
  double stray;   /* mean of |T| / (arm |F|), in scenarios that ask for a torque its inverse; steps without either left
                     out: what should not be there by what should, but for IV, which has both */
  double penalty; /* mean */
  double ms;      /* the middle of the times of the steps: a few that were disturbed do not move it */
} quality_outcome;

/* Returns false if out of memory. */
bool quality_outcome_make(const quality_scenario *scenario, quality_model model, const quality_sample *samples,
                          size_t steps, quality_outcome *outcome_out);

/* sigma + gamma / 90 degrees of what the scenario asks for. */
double quality_eta(const quality_scenario *scenario, const quality_outcome *outcome);

/* |F| or |T| of each step, divided by the largest; and what a model has for it. */
void quality_signal(const quality_sample *samples, size_t steps, bool torque, double *signal_out);
void quality_ideal_signal(const quality_scenario *scenario, quality_model model, size_t steps, bool torque,
                          double *signal_out);

enum { QUALITY_STAGES = 3, QUALITY_PAIRS = QUALITY_STAGES * QUALITY_STAGES };

/* Nine runs: three resolutions of the still body times three of the moving one, ascending, pair i j at 3 i + j. */
typedef struct quality_trial {
  double still[QUALITY_STAGES], moving[QUALITY_STAGES];
  double ms[QUALITY_PAIRS], eta[QUALITY_PAIRS];
} quality_trial;

typedef struct quality_choice {
  double still, moving;
  double eta; /* as the trial lets expect */
  bool cut; /* on the line where the plane of times has the time; else the trial has no such line, and this is its pair
               of least eta of those not slower, or the fastest */
} quality_choice;

/* The resolutions of least eta of those that take so long: times by a plane of least squares over the resolutions, eta
 * between the pairs linear in their logarithms. */
quality_choice quality_choose(const quality_trial *trial, double ms);

#endif
