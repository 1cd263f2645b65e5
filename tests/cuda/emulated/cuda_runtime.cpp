/* Runs the threads of a block as fibers: see cuda_runtime.h. */
#include "cuda_runtime.h"

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ucontext.h>
#include <vector>

dim3 blockIdx, gridDim, blockDim;

namespace {

enum { STACK_BYTES = 256 * 1024, WARP_THREADS = 32, STEPS_KEPT = 4 };

/* A context is needed to begin on a stack of its own; from then on jumps do, which ask the system for nothing. */
struct fiber {
  ucontext_t context;
  jmp_buf place;
  std::vector<char> stack;
  bool begun, ended;
};

/* Threads that do something together, step by step. */
struct gathering {
  size_t size, here; /* those of it, and those that have come to the step */
  uint64_t steps;    /* that all have come to */
};

struct warp {
  gathering threads;
  unsigned long long given[STEPS_KEPT][WARP_THREADS];
};

jmp_buf scheduler;
std::vector<fiber> fibers;
std::vector<warp> warps;
gathering block;
uint64_t happened; /* steps that all came to, and threads that ended */
unsigned running;
const std::function<void()> *body;

void give_way() {
  if (_setjmp(fibers[running].place) == 0) _longjmp(scheduler, 1);
}

void run_fiber() {
  (*body)();
  fibers[running].ended = true;
  _longjmp(scheduler, 1);
}

void start_fiber(fiber *f) {
  f->stack.resize(STACK_BYTES);
  f->begun = f->ended = false;
  if (getcontext(&f->context) != 0) abort();
  f->context.uc_stack.ss_sp = f->stack.data();
  f->context.uc_stack.ss_size = f->stack.size();
  f->context.uc_link = nullptr;
  makecontext(&f->context, run_fiber, 0);
}

/* Until it gives way or ends. */
void resume(fiber *f) {
  if (_setjmp(scheduler) != 0) return;
  if (f->begun) _longjmp(f->place, 1);
  f->begun = true;
  setcontext(&f->context);
  abort();
}

void wait_for_all(gathering *threads) {
  const uint64_t step = threads->steps;
  if (++threads->here == threads->size) {
    threads->here = 0;
    threads->steps++;
    happened++;
  }
  while (threads->steps == step) give_way();
}

void run_block() {
  for (fiber &f : fibers) start_fiber(&f);
  for (warp &w : warps) w.threads = {WARP_THREADS, 0, 0};
  block = {fibers.size(), 0, 0};
  for (size_t left = fibers.size(); left != 0;) {
    const uint64_t before = happened;
    for (running = 0; running < fibers.size(); running++) {
      if (fibers[running].ended) continue;
      resume(&fibers[running]);
      if (!fibers[running].ended) continue;
      left--;
      happened++;
    }
    if (happened != before) continue;
    fprintf(stderr, "some threads of a block wait for others that never come\n");
    abort();
  }
}

} // namespace

dim3 emulated_thread() {
  return dim3(running);
}

const unsigned long long *emulated_step(unsigned long long given) {
  warp *own = &warps[running / WARP_THREADS];
  unsigned long long *kept = own->given[own->threads.steps % STEPS_KEPT];
  kept[running % WARP_THREADS] = given;
  wait_for_all(&own->threads);
  return kept;
}

void __syncthreads() {
  wait_for_all(&block);
}

void emulated_grid(unsigned blocks, unsigned threads, const std::function<void()> &kernel) {
  gridDim = dim3(blocks);
  blockDim = dim3(threads);
  fibers.resize(threads);
  warps.resize(threads / WARP_THREADS);
  body = &kernel;
  for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) run_block();
}
