/* Detects builds with a sanitizer, which are slow and have another purpose: such a run does a twentieth of the work,
 * and skips tests of the stack and memory of a release. */
#ifndef TEST_EFFORT_H
#define TEST_EFFORT_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_IS_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_IS_SANITIZED 1
#endif

#endif
