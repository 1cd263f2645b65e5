/* Ctrl-C as a question: long commands ask whether it came, and write what they have. */
#ifndef GRAZE_STOP_SIGNAL_H
#define GRAZE_STOP_SIGNAL_H

#include <stdbool.h>

/* From now on the first SIGINT or SIGTERM is only kept; the next one ends the process as ever. */
void stop_signal_watch(void);

/* Whether it came. The context is not used: this is a question as the library's callbacks ask it. */
bool stop_signal_came(void *context);

#endif
