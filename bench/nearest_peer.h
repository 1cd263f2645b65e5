/* Other libraries that measure the distance of two meshes for graze_nearest: FCL in builds with GRAZE_PEERS
 * (bench/peers), none in others. */
#ifndef GRAZE_NEAREST_PEER_H
#define GRAZE_NEAREST_PEER_H

#include "bench/bench_scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nearest_peer nearest_peer;

/* The number of peers. */
size_t nearest_peer_count(void);
const char *nearest_peer_name(size_t peer);

/* Two bodies of one shape, built once. */
nearest_peer *nearest_peer_open(size_t peer, const bench_shape *shape);

/* Returns the distance of the fixed body and the posed one; 0 or less if they intersect. */
double nearest_peer_ask(nearest_peer *opened, const bench_pose *pose);
void nearest_peer_close(nearest_peer *opened);

#ifdef __cplusplus
}
#endif

#endif
