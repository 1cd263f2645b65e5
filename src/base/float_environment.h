/* float_environment: sets the floating-point mode that exactness needs, and restores the host's mode.
 *
 * Error bounds and expansions assume rounding to nearest, subnormal numbers, and no traps for inexact operations. A
 * host may flush subnormals to zero, use other rounding or trap exceptions, on its own threads and on threads that
 * inherit from them. So the mode is read around every task and every call that computes, changed only where it differs,
 * and restored afterwards. The common case is one read and one comparison, about ten cycles.
 *
 * If no mode was changed, exception flags raised by the work stay raised, as after any arithmetic. If a mode was
 * changed, the host's flags are restored as well. No flag of the host is ever lost, and restoring flags does not trap.
 *
 * A compiler may move arithmetic on values in registers across the mode change, but not loads and stores. A guarded
 * function must therefore take its numbers from memory and return none in a register. A function that does return one
 * is guarded by a caller into which it is not inlined. */
#ifndef GRAZE_BASE_FLOAT_ENVIRONMENT_H
#define GRAZE_BASE_FLOAT_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)

/* The register of the vector units, which do all arithmetic of float and double. Compilers also move doubles through
 * the x87 unit, which traps there if the host has unmasked an exception whose flag is raised. A host that unmasks
 * exceptions does so in both units (feenableexcept), so the x87 unit is handled only if the other one differs. */
enum {
  FLOAT_FLAGS = 0x003f,    /* raised exceptions */
  FLOAT_CONTROLS = 0xffc0, /* subnormals as zero (6), trap masks (7 to 12), rounding (13, 14), flush to zero (15) */
  FLOAT_NEEDED = 0x1f80    /* all masked, to nearest, no flushing */
};

typedef struct float_environment {
  uint32_t controls; /* including the flags */
  bool changed;
  uint8_t x87[28]; /* if it was changed */
} float_environment;

/* The unit holds no value during this. */
#define FLOAT_X87_REGISTERS "memory", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"

static inline float_environment float_environment_enter(void) {
  float_environment host;
  host.changed = false;
  __asm__ volatile("stmxcsr %0" : "=m"(host.controls) : : "memory");
  if ((host.controls & FLOAT_CONTROLS) != FLOAT_NEEDED) {
    const uint32_t needed = (host.controls & FLOAT_FLAGS) | FLOAT_NEEDED;
    __asm__ volatile("ldmxcsr %0" : : "m"(needed) : "memory");
    __asm__ volatile("fnstenv %0" : "=m"(host.x87) : : FLOAT_X87_REGISTERS); /* masks all exceptions, too */
    host.changed = true;
  }
  return host;
}

static inline void float_environment_leave(const float_environment *host) {
  if (!host->changed) return;
  __asm__ volatile("ldmxcsr %0" : : "m"(host->controls) : "memory");
  __asm__ volatile("fldenv %0" : : "m"(host->x87) : FLOAT_X87_REGISTERS);
}

#elif defined(__aarch64__)

enum {
  /* Flushing of inputs (0), alternative handling (1), NEP (2), traps (8 to 12, 15), flushing of halves (19), rounding
   * (22, 23), flushing (24). */
  FLOAT_CONTROLS = 0x01c89f07
};

typedef struct float_environment {
  uint64_t controls, flags;
  bool changed;
} float_environment;

static inline float_environment float_environment_enter(void) {
  float_environment host = {0, 0, false};
  __asm__ volatile("mrs %0, fpcr" : "=r"(host.controls) : : "memory");
  if ((host.controls & FLOAT_CONTROLS) != 0) {
    __asm__ volatile("mrs %0, fpsr" : "=r"(host.flags) : : "memory");
    __asm__ volatile("msr fpcr, %0" : : "r"(host.controls & ~(uint64_t)FLOAT_CONTROLS) : "memory");
    host.changed = true;
  }
  return host;
}

static inline void float_environment_leave(const float_environment *host) {
  if (!host->changed) return;
  __asm__ volatile("msr fpsr, %0" : : "r"(host->flags) : "memory");
  __asm__ volatile("msr fpcr, %0" : : "r"(host->controls) : "memory");
}

#elif defined(__wasm__)

/* WebAssembly rounds to nearest, keeps subnormal numbers and traps nothing: there is no mode. */
typedef struct float_environment {
  bool changed;
} float_environment;

static inline float_environment float_environment_enter(void) {
  const float_environment host = {false};
  return host;
}

static inline void float_environment_leave(const float_environment *host) {
  (void)host;
}

#else

#include <fenv.h>

/* There is no portable way to detect a difference, so the whole environment is exchanged each time. */
typedef struct float_environment {
  fenv_t host;
} float_environment;

static inline float_environment float_environment_enter(void) {
  float_environment environment;
  fegetenv(&environment.host);
  fesetenv(FE_DFL_ENV);
  return environment;
}

static inline void float_environment_leave(const float_environment *environment) {
  fesetenv(&environment->host);
}

#endif

/* A declaration at the top of a function that guards it to its end, for every return. The expression of a return is
 * evaluated inside the guard. */
#define GUARD_FLOAT_ENVIRONMENT()                                                                                      \
  __attribute__((cleanup(float_environment_leave), unused)) const float_environment float_environment_of_host =        \
      float_environment_enter()

#endif
