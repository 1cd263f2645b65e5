/* Another library for the configurations of graze_robot: FCL in builds with GRAZE_PEERS (bench/peers), none in
 * others. */
#ifndef GRAZE_ROBOT_PEER_H
#define GRAZE_ROBOT_PEER_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct robot_mesh {
  const double *positions;
  const uint32_t *triangles;
  size_t vertex_count, triangle_count;
} robot_mesh;

typedef struct robot_peer robot_peer;

/* Consecutive links are never tested. Returns NULL in builds without such a library. */
robot_peer *robot_peer_open(const robot_mesh *room, const robot_mesh *link, size_t link_count);
const char *robot_peer_name(void);

/* Tests whether a configuration collides, with one pose for each link, on the calling thread. */
bool robot_peer_test(robot_peer *peer, const graze_pose *poses);
void robot_peer_close(robot_peer *peer);

#ifdef __cplusplus
}
#endif

#endif
