// Rows of the comparison: checked against the reference answer, printed, and summarized.
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
  std::vector<peer_answer> rounds; // timed ones; empty if the first call decided the row
  peer_answer first = {};          // the untimed call that warms up the process and returns the answer
  bool wrong = false;
  bool slow = false; // not timed, because its first call was much slower than the fastest

  bool counts() const { return !wrong && !rounds.empty(); }
  double build_ms() const;
  double query_ms() const;
  double total_ms() const;
  double cpu_ms() const;
  std::string note() const;
};

// Marks every row whose answer differs from that of the first exact peer that answered; returns this peer's name, ""
// for none.
std::string reference_rows(std::vector<report_row> &rows);

// Marks correct rows whose first call took more than 20 times as long as the fastest correct one; they get no rounds.
void mark_slow_rows(std::vector<report_row> &rows);

void print_heading(FILE *file);
// Prints all rows of one scene and thread count; ratios are total times over that of the base peer.
void print_rows(FILE *file, const std::vector<report_row> &rows);
// Prints for each scene and thread count the rival's time over graze's, and the fastest peer with the correct answer.
void print_summary(FILE *file, const std::vector<report_row> &rows);
void write_csv(FILE *file, const std::vector<report_row> &rows, const bench_record &record);

#endif
