/* Another library that answers the configurations of graze_robot: FCL in a build with GRAZE_PEERS (bench/peers),
 * nothing in others. */
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

/* Links that follow one another are never tested. NULL without such a library. */
robot_peer *robot_peer_open(const robot_mesh *room, const robot_mesh *link, size_t link_count);
const char *robot_peer_name(void);

/* Whether a configuration collides, one pose for each link; by the calling thread. */
bool robot_peer_test(robot_peer *peer, const graze_pose *poses);
void robot_peer_close(robot_peer *peer);

#ifdef __cplusplus
}
#endif

#endif
