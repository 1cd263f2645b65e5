/* Work similar to that of a query: a stream of additions, and dependent reads over 16 MB, which is more than most
 * caches of one processor. */
#include "bench/bench_yardstick.h"

#include "bench/bench_record.h"

#include <stdlib.h>

enum { NUMBERS = 1 << 22, JUMPS = 20000 };

struct bench_yardstick {
  uint32_t numbers[NUMBERS];
  uint32_t sum; /* keeps the compiler from removing the work */
};

bench_yardstick *bench_yardstick_make(void) {
  bench_yardstick *const yardstick = malloc(sizeof *yardstick);
  if (yardstick == NULL) return NULL;
  uint32_t number = 1;
  for (size_t i = 0; i < NUMBERS; i++) {
    number = 1664525u * number + 1013904223u;
    yardstick->numbers[i] = number;
  }
  yardstick->sum = 0;
  return yardstick;
}

void bench_yardstick_free(bench_yardstick *yardstick) {
  free(yardstick);
}

double bench_yardstick_measure(bench_yardstick *yardstick) {
  const double begin = bench_processor_milliseconds();
  uint32_t sum = yardstick->sum;
  for (size_t i = 0; i < NUMBERS; i++) sum = sum * 3 + (yardstick->numbers[i] >> 7);
  uint32_t place = sum;
  for (size_t i = 0; i < JUMPS; i++) {
    place = yardstick->numbers[(place + i) % NUMBERS];
    sum += place;
  }
  yardstick->sum = sum;
  return bench_processor_milliseconds() - begin;
}
