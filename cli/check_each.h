/* `graze check --each`. */
#ifndef GRAZE_CHECK_EACH_H
#define GRAZE_CHECK_EACH_H

#include "check_options.h"

/* Checks every file of the options by itself and reports a row for each, in the requested formats. */
exit_code check_each_file(const check_options *options);

#endif
