// A peer in its own process, so that a crash, an abort or an endless loop costs a row and not the table.
//
// The process runs for all rounds of one scene and answers one call at a time on request: calls of different peers can
// be interleaved, and each process stays warm. The scene is inherited by fork, never copied; the parent must not have
// other threads at that time.
#ifndef GRAZE_PEER_CHILD_H
#define GRAZE_PEER_CHILD_H

#include "peer_table.h"

#include "bench/bench_scene.h"

#include <string>
#include <sys/types.h>

// The scene as peers see it.
struct peer_scene {
  bench_kind kind;
  std::vector<float> floats[2];
  peer_mesh meshes[2];
  std::vector<peer_pose> poses;
  size_t triangle_count;

  explicit peer_scene(const bench_scene &scene); // borrows the scene's arrays
  peer_scene(const peer_scene &) = delete;
};

enum class peer_state : uint32_t { answered, failed, crashed, over_time };

// Plain data, sent through a pipe.
struct peer_answer {
  peer_state state;
  double build_ms, query_ms;
  double cpu_ms;  // of all threads over the whole call, including the release of memory: less noisy on a busy machine
  uint64_t count; // pairs, or intersecting poses
  uint64_t hash;  // graze_pairs_hash of the sorted pairs, or of the intersecting poses
  char message[160];
};

class peer_child {
public:
  peer_child(const peer_row &row, uint32_t threads, const peer_scene &scene);
  peer_child(const peer_child &) = delete;
  ~peer_child();

  // Makes one call. After any state except `answered`, the process has ended.
  peer_answer ask(double limit_seconds);
  void stop();

private:
  peer_answer lost(peer_state state);

  pid_t process_ = -1;
  int command_ = -1;
  int result_ = -1;
};

#endif
