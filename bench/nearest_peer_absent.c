/* Replaces the peers of graze_nearest in builds without other libraries. */
#include "bench/nearest_peer.h"

size_t nearest_peer_count(void) {
  return 0;
}

const char *nearest_peer_name(size_t peer) {
  (void)peer;
  return "";
}

nearest_peer *nearest_peer_open(size_t peer, const bench_shape *shape) {
  (void)peer;
  (void)shape;
  return NULL;
}

double nearest_peer_ask(nearest_peer *opened, const bench_pose *pose) {
  (void)opened;
  (void)pose;
  return 0.0;
}

void nearest_peer_close(nearest_peer *opened) {
  (void)opened;
}
