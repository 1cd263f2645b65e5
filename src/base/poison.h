/* poison: marks cached memory as unusable for the address sanitizer until it is allocated again, so that uses after
 * release are still detected. Does nothing in other builds. */
#ifndef GRAZE_BASE_POISON_H
#define GRAZE_BASE_POISON_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#endif
#if defined(POISONS)
/* From the sanitizer's run time, whose header not every compiler has. */
void __asan_poison_memory_region(const volatile void *from, size_t bytes);
void __asan_unpoison_memory_region(const volatile void *from, size_t bytes);
#define POISON(from, bytes) __asan_poison_memory_region(from, bytes)
#define UNPOISON(from, bytes) __asan_unpoison_memory_region(from, bytes)
#else
#define POISON(from, bytes) ((void)(from), (void)(bytes))
#define UNPOISON(from, bytes) ((void)(from), (void)(bytes))
#endif

#endif
