/* Pairs expanded in place, in parallel. A pair of numbers is half as long as a pair of the list, and the numbers are
 * stored in the list's upper half. The first half of the remaining pairs overwrites only numbers that were read before,
 * and unused memory. So all workers expand it at once, in any order, then the first half of the rest, until few are
 * left.
 *
 * Workload: from none to some millions of pairs; two lookups and five multiplications each. */
#include "backend_cpu/pair_listing.h"

#include "base/pair_hash.h"
#include "scene/object_numbers.h"

#include <string.h>

/* Pairs of a range, at most some 30 microseconds; fewer than FEWEST are expanded faster than tasks start. */
enum { SPREAD_GRAIN = 4096, FEWEST = 1024 };

_Static_assert(sizeof(graze_pair) == 2 * sizeof(index_pair), "numbers fill half of the list");

typedef struct spreading {
  const graze_scene *scene;
  graze_pair *list;
  const unsigned char *numbers; /* copied before use: pairs overwrite them */
  size_t first;                 /* of those being expanded */
  stop_check *stop;
  _Atomic(uint64_t) hash; /* a sum, independent of the order of its terms */
} spreading;

static void spread_range(void *context, size_t first, size_t end, uint32_t worker) {
  spreading *work = context;
  (void)worker;
  if (stop_is_requested(work->stop)) return;
  public_number last[2] = {{0}};
  uint64_t hash = 0;
  for (size_t i = work->first + first; i < work->first + end; i++) {
    index_pair numbers;
    memcpy(&numbers, work->numbers + i * sizeof numbers, sizeof numbers);
    work->list[i] = scene_public_pair(work->scene, numbers, last);
    hash += pair_hash(work->list[i]);
  }
  atomic_fetch_add_explicit(&work->hash, hash, memory_order_relaxed);
}

bool pair_listing_spread(const graze_scene *scene, graze_pair *list, size_t count, size_t keep,
                         stop_check *stop_or_null, uint64_t *hash_out) {
  spreading work = {.scene = scene,
                    .list = list,
                    .numbers = (const unsigned char *)pair_listing_numbers(list, count),
                    .stop = stop_or_null};
  while (work.first < keep && !stop_was_requested(stop_or_null)) {
    /* Pair i ends at 16 (i + 1) bytes, numbers j begin at 8 (count + j). */
    const size_t apart = (count + work.first) / 2 - work.first, left = keep - work.first;
    if (apart >= FEWEST) {
      const size_t now = apart < left ? apart : left;
      workers_for(scene->workers, now, SPREAD_GRAIN, spread_range, &work);
      work.first += now;
    } else {
      /* In sequence, no pair overwrites numbers not yet read. About twice FEWEST are left. */
      spread_range(&work, 0, left, 0);
      work.first = keep;
    }
  }
  *hash_out = atomic_load_explicit(&work.hash, memory_order_relaxed);
  return !stop_was_requested(stop_or_null);
}
