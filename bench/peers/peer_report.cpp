// Computes medians, verdicts and ratios of the comparison. Workload: a few hundred rows per run.
#include "peer_report.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstring>

namespace {

template <class value> double median_of(const std::vector<peer_answer> &rounds, const value &get) {
  std::vector<double> values;
  for (const peer_answer &round : rounds) values.push_back(get(round));
  return bench_median(values.data(), values.size());
}

const report_row *find_row(const std::vector<report_row> &rows, const report_row &like, const char *peer_name) {
  for (const report_row &row : rows) {
    const bool same = row.scene == like.scene && row.threads == like.threads;
    if (same && strcmp(row.peer->name, peer_name) == 0 && row.counts()) return &row;
  }
  return nullptr;
}

std::string ratio_text(const std::vector<report_row> &rows, const report_row &row) {
  const report_row *const base = find_row(rows, row, base_peer);
  if (base == nullptr || !row.counts()) return "";
  char text[32];
  snprintf(text, sizeof text, "%.2f", row.total_ms() / base->total_ms());
  return text;
}

// A single-threaded peer competes with its one row at every thread count.
bool competes(const report_row &row, const report_row &base) {
  if (row.scene != base.scene || row.peer->is_graze || !row.counts()) return false;
  return row.threads == base.threads || (!row.peer->threaded && row.threads == 1);
}

} // namespace

double report_row::build_ms() const {
  return median_of(rounds, [](const peer_answer &a) { return a.build_ms; });
}

double report_row::query_ms() const {
  return median_of(rounds, [](const peer_answer &a) { return a.query_ms; });
}

double report_row::total_ms() const {
  return median_of(rounds, [](const peer_answer &a) { return a.build_ms + a.query_ms; });
}

double report_row::cpu_ms() const {
  return median_of(rounds, [](const peer_answer &a) { return a.cpu_ms; });
}

std::string report_row::note() const {
  switch (first.state) {
  case peer_state::failed:
    return std::string("no answer: ") + first.message;
  case peer_state::crashed:
    return std::string("crashed: ") + first.message;
  case peer_state::over_time:
    return "over time";
  case peer_state::answered:
    break;
  }
  if (wrong) return "WRONG (" + std::to_string(first.count) + ")";
  if (slow) return "slow: one call only";
  return rounds.empty() ? "lost in a later round" : "";
}

std::string reference_rows(std::vector<report_row> &rows) {
  const report_row *truth = nullptr;
  for (const report_row &row : rows) {
    const bool answered = row.first.state == peer_state::answered;
    if (truth == nullptr && row.peer->exact && answered) truth = &row;
  }
  if (truth == nullptr) return "";
  const uint64_t count = truth->first.count, hash = truth->first.hash;
  for (report_row &row : rows) {
    const bool answered = row.first.state == peer_state::answered;
    row.wrong = answered && (row.first.count != count || row.first.hash != hash);
  }
  return truth->peer->name;
}

void mark_slow_rows(std::vector<report_row> &rows) {
  const auto right = [](const report_row &row) { return row.first.state == peer_state::answered && !row.wrong; };
  const auto time = [](const report_row &row) { return row.first.build_ms + row.first.query_ms; };
  double fastest = HUGE_VAL;
  for (const report_row &row : rows) {
    if (right(row)) fastest = std::min(fastest, time(row));
  }
  for (report_row &row : rows) row.slow = right(row) && time(row) > 20.0 * fastest;
}

void print_heading(FILE *file) {
  fprintf(file, "%-28s %9s %-13s %7s %10s %10s %10s %10s %9s %16s %7s  %s\n", "scene", "triangles", "peer", "threads",
          "build ms", "query ms", "total ms", "cpu ms", "pairs", "hash", "ratio", "note");
}

void print_rows(FILE *file, const std::vector<report_row> &rows) {
  for (const report_row &row : rows) {
    fprintf(file, "%-28s %9zu %-13s %7" PRIu32, row.scene.c_str(), row.triangles, row.peer->name, row.threads);
    if (row.first.state != peer_state::answered) {
      fprintf(file, " %10s %10s %10s %10s %9s %16s %7s", "-", "-", "-", "-", "-", "-", "");
    } else {
      // A wrong or slow row has no timed rounds: its single call is shown.
      const bool timed = row.counts();
      fprintf(file, " %10.2f %10.2f %10.2f %10.2f %9" PRIu64 " %016" PRIx64 " %7s",
              timed ? row.build_ms() : row.first.build_ms, timed ? row.query_ms() : row.first.query_ms,
              timed ? row.total_ms() : row.first.build_ms + row.first.query_ms, timed ? row.cpu_ms() : row.first.cpu_ms,
              row.first.count, row.first.hash, ratio_text(rows, row).c_str());
    }
    fprintf(file, "  %s\n", row.note().c_str());
  }
  fflush(file);
}

void print_summary(FILE *file, const std::vector<report_row> &rows) {
  fprintf(file, "\n%-28s %7s %12s %13s %-12s %12s %8s %8s\n", "scene", "threads", "graze ms", rival_peer, "best peer",
          "its ms", "ratio", "of cpu");
  for (const report_row &base : rows) {
    if (strcmp(base.peer->name, base_peer) != 0 || !base.counts()) continue;
    const report_row *best = nullptr;
    for (const report_row &row : rows) {
      if (competes(row, base) && (best == nullptr || row.total_ms() < best->total_ms())) best = &row;
    }
    if (best == nullptr) continue;
    fprintf(file, "%-28s %7" PRIu32 " %12.2f", base.scene.c_str(), base.threads, base.total_ms());
    const report_row *const rival = find_row(rows, base, rival_peer);
    if (rival != nullptr)
      fprintf(file, " %12.2fx", rival->total_ms() / base.total_ms());
    else
      fprintf(file, " %13s", "-");
    fprintf(file, " %-12s %12.2f %7.2fx %7.2fx", best->peer->name, best->total_ms(), best->total_ms() / base.total_ms(),
            best->cpu_ms() / base.cpu_ms());
    fputc('\n', file);
  }
}

void write_csv(FILE *file, const std::vector<report_row> &rows, const bench_record &record) {
  fprintf(file,
          "scene,triangles,kind,peer,threads,build_ms,query_ms,total_ms,cpu_ms,pairs,hash,ratio,rounds,note,commit,"
          "machine,date\n");
  for (const report_row &row : rows) {
    std::string note = row.note();
    std::replace(note.begin(), note.end(), ',', ';');
    fprintf(file, "%s,%zu,%s,%s,%" PRIu32 ",", row.scene.c_str(), row.triangles, bench_kind_name(row.kind),
            row.peer->name, row.threads);
    if (row.counts()) {
      fprintf(file, "%.4f,%.4f,%.4f,%.4f,", row.build_ms(), row.query_ms(), row.total_ms(), row.cpu_ms());
    } else {
      fprintf(file, ",,,,");
    }
    if (row.first.state == peer_state::answered) {
      fprintf(file, "%" PRIu64 ",%016" PRIx64 ",", row.first.count, row.first.hash);
    } else {
      fprintf(file, ",,");
    }
    fprintf(file, "%s,%zu,%s,%s,%s,%s\n", ratio_text(rows, row).c_str(), row.rounds.size(), note.c_str(), record.commit,
            record.machine, record.date);
  }
}
