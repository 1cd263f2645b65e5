/* Whether a test is built with a sanitizer, which slows everything down and looks for other things: such a run tries a
 * twentieth, and leaves out what depends on stacks and memory being those of a release. */
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
