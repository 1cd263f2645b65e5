// Rows of the side by side table: compared against the truth, printed, and summed up.
#ifndef GRAZE_PEER_REPORT_H
#define GRAZE_PEER_REPORT_H

#include "peer_child.h"

#include "bench/bench_record.h"

#include <cstdio>

struct report_row {
  std::string scene;
  bench_kind kind = BENCH_SELF;
  size_t triangles = 0;
  const peer_row *peer = nullptr;
  uint32_t threads = 1;
  std::vector<peer_answer> rounds; // timed ones; empty where the first call already decided the row
  peer_answer first = {};          // the untimed call that warms the process and shows the answer
  bool wrong = false;
  bool slow = false; // its first call took so long against the fastest that it was not timed further

  bool counts() const { return !wrong && !rounds.empty(); }
  double build_ms() const;
  double query_ms() const;
  double total_ms() const;
  double cpu_ms() const;
  std::string note() const;
};

// Marks every row whose answer is not that of the first exact peer that answered; says which one that was ("" for
// none).
std::string reference_rows(std::vector<report_row> &rows);

// Marks right rows whose first call took more than 20 times that of the fastest right one: no rounds are spent on them.
void mark_slow_rows(std::vector<report_row> &rows);

void print_heading(FILE *file);
// All rows of one scene and thread count; ratios are total time over that of the base peer.
void print_rows(FILE *file, const std::vector<report_row> &rows);
// For each scene and thread count how many times graze's time the rival takes, and the fastest peer that answers
// rightly.
void print_summary(FILE *file, const std::vector<report_row> &rows);
void write_csv(FILE *file, const std::vector<report_row> &rows, const bench_record &record);

#endif
