/* Ctrl-C and requests to end (SIGINT, SIGTERM), for commands that then write their results so far. */
#ifndef GRAZE_INTERRUPTION_H
#define GRAZE_INTERRUPTION_H

#include <stdbool.h>

/* From now on the first signal is recorded; one that comes some seconds later ends the process. */
void interruption_watch(void);

/* Whether a signal came. Has the type of should_stop of graze_query; the argument is ignored. */
bool interruption_came(void *context);

#endif
