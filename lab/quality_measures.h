/* The deviation of a measured signal from an ideal one: magnitudes, directions, noise, and time; and the plane that
 * finds resolutions of equal time. Workload: signals of a few hundred samples, for which plain sums suffice. */
#ifndef GRAZE_QUALITY_MEASURES_H
#define GRAZE_QUALITY_MEASURES_H

#include <stdbool.h>
#include <stddef.h>

/* Signals of vectors are `count` times three numbers; those of magnitudes `count` numbers. */

void quality_magnitudes(const double (*vectors)[3], size_t count, double *magnitudes_out);

/* Divides by the largest; does not change signals of zeros. */
void quality_normalize(double *magnitudes, size_t count);

/* The root of the mean squared difference of two signals of magnitudes. Equation (5.6) has 1 / N outside of the root.
 */
double quality_sigma(const double *measured, const double *ideal, size_t count);

/* The mean angle in degrees, without samples in which either vector is zero; 0 without samples. */
double quality_gamma(const double (*measured)[3], const double (*ideal)[3], size_t count);

/* The energy of the frequencies 0 to count / 2 waves a signal, by the discrete Fourier transform: count / 2 + 1
 * numbers. Those of negative frequencies, which are equal, are added in. */
void quality_spectrum(const double *signal, size_t count, double *energy_out);

/* The integral of the measured spectrum by that of the ideal one; 0 where memory runs out or the ideal signal is zero.
 */
double quality_nu(const double *measured, const double *ideal, size_t count);

/* The short-time Fourier transform: for each of `columns` places, evenly spread, the amplitudes of the frequencies 0 to
 * window / 2 under a Hann window around it; what is beyond the ends counts as the last sample. Column by column. */
void quality_spectrogram(const double *signal, size_t count, size_t window, size_t columns, double *amplitude_out);

/* Fits the plane z = plane[0] + plane[1] x + plane[2] y by least squares. Returns false if the points are collinear. */
bool quality_plane_fit(const double *x, const double *y, const double *z, size_t count, double plane_out[3]);

#endif
