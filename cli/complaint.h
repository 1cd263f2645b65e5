/* Error messages of the tool on stderr, and its exit codes. */
#ifndef GRAZE_COMPLAINT_H
#define GRAZE_COMPLAINT_H

#include <stdbool.h>

#if defined(__GNUC__)
#define COMPLAINT_FORMAT __attribute__((format(printf, 1, 2)))
#else
#define COMPLAINT_FORMAT
#endif

/* As cmp(1): scripts can distinguish a result from an error. The last code is that of shells for a program ended by
 * Ctrl-C, for commands that then write their results so far. */
typedef enum exit_code {
  EXIT_CODE_NOTHING = 0,
  EXIT_CODE_SOMETHING = 1,
  EXIT_CODE_TROUBLE = 2,
  EXIT_CODE_STOPPED = 130
} exit_code;

/* Sets the program name that begins messages; the default is "graze". Borrowed. */
void complain_as(const char *name);

/* Writes "graze: MESSAGE" to stderr. Returns EXIT_CODE_TROUBLE, for the caller to return. */
COMPLAINT_FORMAT exit_code complain(const char *format, ...);

/* Writes the same and returns false. */
COMPLAINT_FORMAT bool decline(const char *format, ...);

/* Writes "graze: note: MESSAGE" to stderr: information that is not an error. */
COMPLAINT_FORMAT void remark(const char *format, ...);

/* Flushes stdout. Errors of a full disk or a closed pipe appear only here. */
exit_code finish_standard_output(void);

#endif
