/* Configurations of a body and its copy: poses of the copy in which it is a given distance away, or shares a given
 * volume. They are kept in files, so that every method, and every other library, is asked about the same ones.
 *
 * The sphere method of Trenkel, Weller, Zachmann, "A benchmarking suite for static collision detection algorithms"
 * (2007), as section 5.7.2 of Mainzer's thesis has it: the copy comes from a direction, in a rotation, straight towards
 * the body's center. Directions are 15 degrees apart, 24 x 11 and the two poles, 266 in all; rotations are three
 * angles, 15 degrees apart for distances and 30 for volumes. The grid method of the same: the copy's middle begins at
 * the center of a cell of a grid around the body. docs/lab/rigid_suite.md has the file's format. */
#ifndef GRAZE_CONFIGURATIONS_H
#define GRAZE_CONFIGURATIONS_H

#include "bench/bench_scene.h"

enum {
  CONFIGURATION_DIRECTIONS = 266,
  CONFIGURATION_CELLS = 12,     /* of the grid, along each axis */
  CONFIGURATION_DISTANCES = 31, /* 0 to 30 percent of the diagonal of the body's box */
  CONFIGURATION_VOLUMES = 11    /* 0 to 10 percent of the body's volume, which is that of its packing */
};

typedef enum configuration_kind { CONFIGURATION_DISTANCE = 0, CONFIGURATION_VOLUME = 1 } configuration_kind;
typedef enum configuration_method { CONFIGURATION_SPHERE = 0, CONFIGURATION_GRID = 1 } configuration_method;

const char *configuration_kind_name(configuration_kind kind);
size_t configuration_targets(configuration_kind kind); /* how many percents there are */

typedef struct configuration {
  configuration_kind kind;
  uint32_t percent;
  uint64_t number; /* of the way, below configuration_ways */
  bench_pose pose;
} configuration;

/* Begin with a zeroed one. */
typedef struct configuration_list {
  configuration *items; /* owned */
  size_t count, capacity;
} configuration_list;

bool configuration_list_add(configuration_list *list, const configuration *item); /* false: out of memory */
void configuration_list_free(configuration_list *list);

/* How many ways there are to come: directions, or cells, times rotations. 1,991,808 and 268,128 by the sphere method.
 */
uint64_t configuration_ways(configuration_method method, configuration_kind kind);

/* A way: from where, a unit vector that points away from the body, how far away it begins, and the rotation. */
typedef struct configuration_way {
  double direction[3], begin;
  double rotation[9];
} configuration_way;

/* `diagonal` is that of the body's box: the grid reaches 1.5 of it to each side, the sphere is as large. False for a
 * cell whose center is the body's. */
bool configuration_way_at(configuration_method method, configuration_kind kind, uint64_t number, double diagonal,
                          configuration_way *way_out);

/* What the configurations of a file are about. */
typedef struct configuration_heading {
  char body[64];
  size_t triangles;
  double diagonal;
} configuration_heading;

/* On failure these write one message; the list is left empty then. A file whose heading differs is refused. */
bool configurations_write(const char *path, const configuration_heading *heading, const configuration_list *list,
                          char *error, size_t error_bytes);
bool configurations_read(const char *path, const configuration_heading *heading, configuration_list *list_out,
                         char *error, size_t error_bytes);

#endif
