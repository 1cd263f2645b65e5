/* Configurations of a body and its copy: poses of the copy with a given distance or a given shared volume. They are
 * stored in files, so that every method and every other library gets the same ones.
 *
 * The sphere method of Trenkel, Weller, Zachmann, "A benchmarking suite for static collision detection algorithms"
 * (2007), as in section 5.7.2 of Mainzer's thesis: the copy approaches the body's center straight from a direction,
 * with a rotation. Directions are 15 degrees apart, 24 x 11 and the two poles, 266 in total; rotations are three
 * angles, 15 degrees apart for distances and 30 for volumes. In the grid method of the same paper, the copy's center
 * begins at the center of a cell of a grid around the body. docs/lab/rigid_suite.md describes the file format. */
#ifndef GRAZE_CONFIGURATIONS_H
#define GRAZE_CONFIGURATIONS_H

#include "bench/bench_scene.h"

enum {
  CONFIGURATION_DIRECTIONS = 266,
  CONFIGURATION_CELLS = 12,     /* of the grid, along each axis */
  CONFIGURATION_DISTANCES = 31, /* 0 to 30 percent of the diagonal of the body's box */
  CONFIGURATION_VOLUMES = 11    /* 0 to 10 percent of the volume of the body's packing */
};

typedef enum configuration_kind { CONFIGURATION_DISTANCE = 0, CONFIGURATION_VOLUME = 1 } configuration_kind;
typedef enum configuration_method { CONFIGURATION_SPHERE = 0, CONFIGURATION_GRID = 1 } configuration_method;

const char *configuration_kind_name(configuration_kind kind);
size_t configuration_targets(configuration_kind kind); /* number of percentages */

typedef struct configuration {
  configuration_kind kind;
  uint32_t percent;
  uint64_t number; /* of the way, below configuration_ways */
  bench_pose pose;
} configuration;

/* Zero-initialize it. */
typedef struct configuration_list {
  configuration *items; /* owned */
  size_t count, capacity;
} configuration_list;

bool configuration_list_add(configuration_list *list, const configuration *item); /* false: out of memory */
void configuration_list_free(configuration_list *list);

/* Returns the number of ways: directions or cells, times rotations. 1,991,808 and 268,128 in the sphere method. */
uint64_t configuration_ways(configuration_method method, configuration_kind kind);

/* A way: the unit vector away from the body, the initial distance, and the rotation. */
typedef struct configuration_way {
  double direction[3], begin;
  double rotation[9];
} configuration_way;

/* `diagonal` is that of the body's box: the grid extends 1.5 times as far to each side, and the sphere has that radius.
 * Returns false for the cell at the center of the body. */
bool configuration_way_at(configuration_method method, configuration_kind kind, uint64_t number, double diagonal,
                          configuration_way *way_out);

/* The body and the method of the configurations in a file. */
typedef struct configuration_heading {
  char body[64];
  size_t triangles;
  double diagonal;
} configuration_heading;

/* On failure, these functions write one message and leave the list empty. A file with another heading is rejected. */
bool configurations_write(const char *path, const configuration_heading *heading, const configuration_list *list,
                          char *error, size_t error_bytes);
bool configurations_read(const char *path, const configuration_heading *heading, configuration_list *list_out,
                         char *error, size_t error_bytes);

#endif
