/* Macros that determine whether a file is compiled for a GPU.
 *
 * Everything in this folder is a stateless function that allocates nothing, so the same source serves the processor and
 * the device, and both give the same bits: plain IEEE-754 double arithmetic, rounded to nearest, no fused
 * multiply-add. The error bounds of orientation.h and the transforms of expansion.h do not hold if a compiler fuses;
 * hence -ffp-contract=off, and --fmad=false for nvcc. */
#ifndef GRAZE_GEOMETRY_DEVICE_H
#define GRAZE_GEOMETRY_DEVICE_H

#if defined(__CUDACC__)
#define GEOMETRY_FUNCTION static __host__ __device__ inline
#else
#define GEOMETRY_FUNCTION static inline
#endif

/* Marks a branch that few pairs take, so that the common path has no jump. */
#if defined(__GNUC__) || defined(__clang__)
#define GEOMETRY_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#else
#define GEOMETRY_UNLIKELY(condition) (condition)
#endif

/* Exact tiers are large; out of line they do not displace the filter's loop from the instruction cache. */
#if defined(__CUDACC__)
#define GEOMETRY_SLOW_FUNCTION static __host__ __device__ __noinline__
#elif defined(__GNUC__) || defined(__clang__)
#define GEOMETRY_SLOW_FUNCTION __attribute__((noinline, unused)) static
#else
#define GEOMETRY_SLOW_FUNCTION static
#endif

/* An exact test that many kernels contain: called on a device, where inlining it everywhere makes the compiler of the
 * device take minutes and gigabytes; inlined on the processor. */
#if defined(__CUDA_ARCH__)
#define GEOMETRY_LARGE_FUNCTION GEOMETRY_SLOW_FUNCTION
#else
#define GEOMETRY_LARGE_FUNCTION GEOMETRY_FUNCTION
#endif

/* Before the first member of 16 bytes that a GPU should load and store at once: it does so only if the alignment is
 * known, and otherwise copies four bytes at a time. */
#if defined(__cplusplus)
#define DEVICE_ALIGNED alignas(16)
#else
#define DEVICE_ALIGNED _Alignas(16)
#endif

/* Before a loop that a GPU must not unroll, as it would then not fit the instruction cache. */
#if defined(__CUDA_ARCH__)
#define GEOMETRY_ROLLED _Pragma("unroll 1")
#else
#define GEOMETRY_ROLLED
#endif

#if defined(__FAST_MATH__)
#error "exact predicates need IEEE-754 arithmetic: compile without -ffast-math"
#endif

#endif
