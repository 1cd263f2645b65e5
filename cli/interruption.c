/* Records signals. Interrupted system calls are restarted (SA_RESTART), so files are complete.
 *
 * timeout(1) and other programs send the same signal twice, to the process and to its group: a signal within a moment
 * of the first counts as the first. */
#include "interruption.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t came;
static volatile sig_atomic_t first_second;

static sig_atomic_t seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (sig_atomic_t)(now.tv_sec & 0x7fffffff);
}

static void take_note(int number) {
  const sig_atomic_t now = seconds_now();
  if (!came) {
    came = 1;
    first_second = now;
  } else if (now - first_second > 1) {
    signal(number, SIG_DFL);
    raise(number);
  }
}

void interruption_watch(void) {
  struct sigaction action = {.sa_handler = take_note, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  (void)sigaction(SIGINT, &action, NULL);
  (void)sigaction(SIGTERM, &action, NULL);
}

bool interruption_came(void *context) {
  (void)context;
  return came != 0;
}
