/* host_arithmetic: floating-point modes that a host may set before it calls the library: flushing of subnormals,
 * rounding, traps. */
#ifndef GRAZE_TESTS_HOST_ARITHMETIC_H
#define GRAZE_TESTS_HOST_ARITHMETIC_H

#include <stddef.h>
#include <stdint.h>

/* The bits are those of the processor's register, in which they replace the bits of the mask. */
typedef struct host_arithmetic {
  const char *name;
  uint32_t mask, bits;
} host_arithmetic;

#if defined(__x86_64__)

#define HOST_ARITHMETIC_FLAGS UINT32_C(0x003f)
#define HOST_ARITHMETIC_NORMAL UINT32_C(0x1f80)

static inline uint32_t host_arithmetic_get(void) {
  uint32_t value;
  __asm__ volatile("stmxcsr %0" : "=m"(value) : : "memory");
  return value;
}
static inline void host_arithmetic_set(uint32_t value) {
  __asm__ volatile("ldmxcsr %0" : : "m"(value) : "memory");
}

static const host_arithmetic host_arithmetics[] = {
    {"only results are flushed", 0x8000, 0x8000},
    {"subnormals are zero", 0x0040, 0x0040},
    {"both", 0x8040, 0x8040},
    {"rounding down", 0x6000, 0x2000},
    {"rounding up", 0x6000, 0x4000},
    {"rounding to zero", 0x6000, 0x6000},
    {"rounding to nearest", 0x6000, 0x0000},
    {"invalid is trapped", 0x0080, 0x0000},
    {"inexact is trapped", 0x1000, 0x0000},
    {"all is trapped", 0x1f80, 0x0000},
    {"everything", 0xffc0, 0xe040},
};

#elif defined(__aarch64__)

#define HOST_ARITHMETIC_FLAGS UINT32_C(0)
#define HOST_ARITHMETIC_NORMAL UINT32_C(0)

static inline uint32_t host_arithmetic_get(void) {
  uint64_t value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value) : : "memory");
  return (uint32_t)value;
}
static inline void host_arithmetic_set(uint32_t value) {
  __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)value) : "memory");
}

/* Traps are there where the processor has them; else the bits stay 0. */
static const host_arithmetic host_arithmetics[] = {
    {"flush to zero", 0x01000000, 0x01000000},       {"rounding up", 0x00c00000, 0x00400000},
    {"rounding down", 0x00c00000, 0x00800000},       {"rounding to zero", 0x00c00000, 0x00c00000},
    {"rounding to nearest", 0x00c00000, 0x00000000}, {"invalid is trapped", 0x00000100, 0x00000100},
    {"inexact is trapped", 0x00001000, 0x00001000},  {"all is trapped", 0x00009f00, 0x00009f00},
    {"everything", 0x01c09f00, 0x01c09f00},
};

#else

#include <fenv.h>

#define HOST_ARITHMETIC_FLAGS UINT32_C(0)
#define HOST_ARITHMETIC_NORMAL ((uint32_t)FE_TONEAREST)

static inline uint32_t host_arithmetic_get(void) {
  return (uint32_t)fegetround();
}
static inline void host_arithmetic_set(uint32_t value) {
  fesetround((int)value);
}

static const host_arithmetic host_arithmetics[] = {{"rounding up", ~UINT32_C(0), FE_UPWARD},
                                                   {"rounding down", ~UINT32_C(0), FE_DOWNWARD},
                                                   {"rounding to zero", ~UINT32_C(0), FE_TOWARDZERO},
                                                   {"rounding to nearest", ~UINT32_C(0), FE_TONEAREST}};

#endif

enum { HOST_ARITHMETIC_COUNT = sizeof host_arithmetics / sizeof host_arithmetics[0] };

/* Sets it on this thread; returns what the register then holds but for the flags: on some processors not all of it. */
static inline uint32_t host_arithmetic_choose(const host_arithmetic *chosen) {
  host_arithmetic_set((HOST_ARITHMETIC_NORMAL & ~chosen->mask) | chosen->bits);
  return host_arithmetic_get() & ~HOST_ARITHMETIC_FLAGS;
}

static inline uint32_t host_arithmetic_now(void) {
  return host_arithmetic_get() & ~HOST_ARITHMETIC_FLAGS;
}

#endif
