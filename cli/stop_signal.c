/* One flag of the process, as signals are the process's. */
#include "stop_signal.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came = 0;

static void keep(int number) {
  (void)number;
  came = 1;
}

void stop_signal_watch(void) {
  struct sigaction action = {.sa_handler = keep, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

bool stop_signal_came(void *context) {
  (void)context;
  return came != 0;
}
