/* Computes measures of signals of forces and torques. */
#include "lab/quality_measures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void quality_magnitudes(const double (*vectors)[3], size_t count, double *magnitudes_out) {
  for (size_t i = 0; i < count; i++) magnitudes_out[i] = sqrt(dot(vectors[i], vectors[i]));
}

void quality_normalize(double *magnitudes, size_t count) {
  double most = 0.0;
  for (size_t i = 0; i < count; i++) most = fmax(most, magnitudes[i]);
  for (size_t i = 0; i < count && most > 0.0; i++) magnitudes[i] /= most;
}

double quality_sigma(const double *measured, const double *ideal, size_t count) {
  double sum = 0.0;
  for (size_t i = 0; i < count; i++) sum += (measured[i] - ideal[i]) * (measured[i] - ideal[i]);
  return count > 0 ? sqrt(sum / (double)count) : 0.0;
}

/* Uses the arc tangent, which is accurate at small angles, unlike the arc cosine. */
static double angle_between(const double a[3], const double b[3]) {
  const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  return atan2(sqrt(dot(cross, cross)), dot(a, b));
}

double quality_gamma(const double (*measured)[3], const double (*ideal)[3], size_t count) {
  double sum = 0.0;
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (dot(measured[i], measured[i]) == 0.0 || dot(ideal[i], ideal[i]) == 0.0) continue;
    sum += angle_between(measured[i], ideal[i]);
    used++;
  }
  return used > 0 ? sum / (double)used * 180.0 / PI : 0.0;
}

void quality_spectrum(const double *signal, size_t count, double *energy_out) {
  for (size_t k = 0; k <= count / 2; k++) {
    double real = 0.0, imaginary = 0.0;
    for (size_t i = 0; i < count; i++) {
      const double angle = 2.0 * PI * (double)(k * i % count) / (double)count;
      real += signal[i] * cos(angle);
      imaginary -= signal[i] * sin(angle);
    }
    const bool alone = k == 0 || 2 * k == count;
    energy_out[k] = (alone ? 1.0 : 2.0) * (real * real + imaginary * imaginary);
  }
}

static double integral(const double *signal, size_t count, double *energy) {
  double sum = 0.0;
  quality_spectrum(signal, count, energy);
  for (size_t k = 0; k <= count / 2; k++) sum += energy[k];
  return sum;
}

double quality_nu(const double *measured, const double *ideal, size_t count) {
  double *const energy = malloc((count / 2 + 1) * sizeof *energy);
  if (energy == NULL) return 0.0;
  const double below = integral(ideal, count, energy);
  const double nu = below > 0.0 ? integral(measured, count, energy) / below : 0.0;
  free(energy);
  return nu;
}

static double sample_at(const double *signal, size_t count, double place) {
  const double last = (double)(count - 1);
  return signal[(size_t)fmin(fmax(place, 0.0), last)];
}

void quality_spectrogram(const double *signal, size_t count, size_t window, size_t columns, double *amplitude_out) {
  for (size_t column = 0; column < columns; column++) {
    const double middle = columns > 1 ? (double)column / (double)(columns - 1) * (double)(count - 1) : 0.0;
    for (size_t k = 0; k <= window / 2; k++) {
      double real = 0.0, imaginary = 0.0;
      for (size_t i = 0; i < window; i++) {
        const double angle = 2.0 * PI * (double)i / (double)window;
        const double weight = 0.5 - 0.5 * cos(angle);
        const double value = weight * sample_at(signal, count, floor(middle) + (double)i - (double)(window / 2));
        real += value * cos((double)k * angle);
        imaginary -= value * sin((double)k * angle);
      }
      amplitude_out[column * (window / 2 + 1) + k] = sqrt(real * real + imaginary * imaginary) * 2.0 / (double)window;
    }
  }
}

bool quality_plane_fit(const double *x, const double *y, const double *z, size_t count, double plane_out[3]) {
  double mean[3] = {0.0, 0.0, 0.0}, xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0;
  for (size_t i = 0; i < count; i++) {
    mean[0] += x[i] / (double)count;
    mean[1] += y[i] / (double)count;
    mean[2] += z[i] / (double)count;
  }
  for (size_t i = 0; i < count; i++) {
    const double dx = x[i] - mean[0], dy = y[i] - mean[1], dz = z[i] - mean[2];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
    xz += dx * dz;
    yz += dy * dz;
  }
  const double determinant = xx * yy - xy * xy;
  if (!(determinant > 1e-12 * xx * yy)) return false;
  plane_out[1] = (xz * yy - yz * xy) / determinant;
  plane_out[2] = (yz * xx - xz * xy) / determinant;
  plane_out[0] = mean[2] - plane_out[1] * mean[0] - plane_out[2] * mean[1];
  return true;
}
