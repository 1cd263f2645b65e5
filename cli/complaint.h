/* What the tool says on stderr when something is wrong, and the ways in which it ends. */
#ifndef GRAZE_COMPLAINT_H
#define GRAZE_COMPLAINT_H

#if defined(__GNUC__)
#define COMPLAINT_FORMAT __attribute__((format(printf, 1, 2)))
#else
#define COMPLAINT_FORMAT
#endif

/* As cmp(1) ends: scripts can tell "they meet" from "I could not find out". The last is what shells say of a program
 * that Ctrl-C has ended, for commands that write what they have by then. */
typedef enum exit_code {
  EXIT_CODE_NOTHING = 0,
  EXIT_CODE_SOMETHING = 1,
  EXIT_CODE_TROUBLE = 2,
  EXIT_CODE_STOPPED = 130
} exit_code;

/* Writes "graze: SENTENCE" to stderr. Returns EXIT_CODE_TROUBLE, so that a caller can return what it returns. */
COMPLAINT_FORMAT exit_code complain(const char *format, ...);

/* Writes "graze: note: SENTENCE" to stderr: something the user should know, that is no error. */
COMPLAINT_FORMAT void remark(const char *format, ...);

/* Flushes stdout. What a full disk or a closed pipe swallowed shows only here. */
exit_code finish_standard_output(void);

#endif
