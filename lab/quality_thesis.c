/* Prints the four values of section 5.7.4 of Mainzer's thesis (2015) that exist for both of its methods. Its nu of III
 * is that of the force along x, ours that of |T|: docs/lab/force_quality.md explains why. */
#include "lab/quality_thesis.h"

typedef enum measure { SIGMA, GAMMA, NU } measure;

static const struct {
  const char *name, *column;
  size_t scenario;
  bool torque;
  measure what;
  double spheres, voxmap; /* the thesis's */
} values[] = {{"sigma_F(I)", "sigma_F_I", 0, false, SIGMA, 0.176, 0.043},
              {"gamma_F(II), degrees", "gamma_F_II", 2, false, GAMMA, 7.64, 2.40},
              {"sigma_T(III)", "sigma_T_III", 3, true, SIGMA, 0.112, 0.169},
              {"nu(III)", "nu_III", 3, true, NU, 1.12, 0.62}};
enum { VALUES = sizeof values / sizeof values[0] };

static double ours(const quality_board *board, size_t value, size_t way) {
  const quality_outcome *const outcome = &board->outcomes[values[value].scenario][way];
  const quality_deviation *const deviation = values[value].torque ? &outcome->torque : &outcome->force;
  return values[value].what == SIGMA   ? deviation->sigma
         : values[value].what == GAMMA ? deviation->gamma
                                       : deviation->nu;
}

void quality_thesis_print(const quality_board *board) {
  printf("%-22s %15s %17s %18s %14s %11s\n", "beside the thesis", "spheres, thesis", "spheres, volume",
         "spheres, gradient", "voxmap, thesis", "our voxmap");
  for (size_t i = 0; i < VALUES; i++)
    if (board->measured[values[i].scenario])
      printf("%-22s %15.3f %17.3f %18.3f %14.3f %11.3f\n", values[i].name, values[i].spheres, ours(board, i, 0),
             ours(board, i, 1), values[i].voxmap, ours(board, i, 2));
}

void quality_thesis_write(const quality_board *board, FILE *stream) {
  fprintf(stream, "value,thesis_spheres,volume,gradient,thesis_voxmap,voxmap\n");
  for (size_t i = 0; i < VALUES; i++)
    if (board->measured[values[i].scenario])
      fprintf(stream, "%s,%g,%.6f,%.6f,%g,%.6f\n", values[i].column, values[i].spheres, ours(board, i, 0),
              ours(board, i, 1), values[i].voxmap, ours(board, i, 2));
}
