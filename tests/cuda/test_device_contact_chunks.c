/* Compares contacts on an emulated device that holds only a few at once with those of the processor: chunks from all
 * pairs to none, their number from frame to frame, memory that becomes available again, pairs that do not intersect. */
#include "base/number_sequence.h"
#include "contact_comparison.h"
#include "cuda/stage_contact.h"
#include "host_operations.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* Pairs of a scene with the contacts that the processor makes of them; the scene on a device is made anew for each run,
 * as it keeps what it has learnt about memory. */
typedef struct chunk_subject {
  mesh meshes[MIXED_OBJECTS];
  graze_scene *judging, *scene;
  pair_answer pairs;
  graze_contacts expected;
  size_t bytes; /* held on the device before contacts are asked for */
} chunk_subject;

/* Without the scene on a device. */
static chunk_subject make_chunk_subject(uint64_t primitives, size_t most_pairs) {
  chunk_subject s = {0};
  make_mixed(primitives, s.meshes);
  const running_variant reference = running_variant_reference();
  s.judging = runner_scene(&reference, s.meshes, MIXED_OBJECTS, NULL);
  const graze_query query = graze_query_default();
  s.pairs = runner_find(s.judging, &query); /* so that the device has no lists that could give way */
  thin_pairs(&s.pairs, most_pairs);
  s.expected = contacts_of(s.judging, s.pairs.pairs, s.pairs.count, GRAZE_TEST_SAT);
  return s;
}

static void free_chunk_subject(chunk_subject *s) {
  graze_scene_destroy(s->judging);
  free(s->pairs.pairs);
  graze_contacts_free(&s->expected);
  free_mixed(s->meshes);
}

static void begin_scene(chunk_subject *s) {
  const running_variant variant = device_variant(false);
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  s->scene = runner_scene(&variant, s->meshes, MIXED_OBJECTS, NULL);
  s->bytes = host_device_count().bytes;
}

static void end_scene(chunk_subject *s) {
  graze_scene_destroy(s->scene);
  assert_int_equal(host_device_count().bytes, 0);
}

static void limit_to(size_t most_bytes, index_order order) {
  const host_device_settings settings = {.order = order, .most_bytes = most_bytes};
  host_device_configure(&settings);
}

/* Contacts of the pairs, through the host or left on the device: those of the processor, or out of memory. */
static bool compare_limited(const chunk_subject *s, bool there, graze_contacts *contacts, graze_device_contacts *left) {
  const graze_result result =
      there ? graze_scene_make_contacts_on_device(s->scene, s->pairs.pairs, s->pairs.count, NULL, left)
            : graze_scene_make_contacts(s->scene, s->pairs.pairs, s->pairs.count, NULL, contacts);
  if (result != GRAZE_OK) {
    assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
    assert_non_null(strstr(graze_error_text(), "out of memory"));
    assert_true(there ? left->count == 0 : contacts->count == 0);
    return false;
  }
  const graze_contacts found = there ? contacts_left(left) : *contacts;
  compare_contacts(&s->expected, &found, "with little memory");
  return true;
}

/* From plenty of memory down to none beside the scene: never a contact less, and an error only where there is none. How
 * many operations it took. */
static size_t run_with_part(chunk_subject *s, size_t part, bool there) {
  const size_t each = sizeof(graze_contact) + sizeof(graze_pair) + (1 + 6 * MEASURE_POINTS) * sizeof(uint32_t);
  graze_contacts contacts = {0};
  graze_device_contacts left = {0};
  begin_scene(s);
  limit_to(s->bytes + s->pairs.count * each * part / 256, (index_order)(part % INDEX_ORDER_COUNT));
  assert_int_equal(compare_limited(s, there, &contacts, &left), part > 0);
  const size_t operations = host_device_count().operations;
  limit_to(0, INDICES_FORWARD);
  assert_true(compare_limited(s, there, &contacts, &left));
  graze_contacts_free(&contacts);
  graze_device_contacts_free(&left);
  end_scene(s);
  return operations;
}

TEST(test_little_memory) {
  OWNED_BY(free_chunk_subject) chunk_subject s = make_chunk_subject(test_scaled(120, 40), SIZE_MAX);
  for (int there = 0; there < 2; there++) {
    const size_t plenty = run_with_part(&s, 512, there != 0);
    for (size_t part = 256; part > 0; part /= 2) {
      const size_t operations = run_with_part(&s, part, there != 0);
      if (part <= 64) assert_true(operations > plenty * 64 / part);
    }
    run_with_part(&s, 0, there != 0);
  }
}

/* With memory for a quarter of the pairs, frame after frame: nothing is allocated once it is known how many fit. */
TEST(test_steady_chunks) {
  OWNED_BY(free_chunk_subject) chunk_subject s = make_chunk_subject(60, 1000);
  for (int there = 0; there < 2; there++) {
    begin_scene(&s);
    graze_contacts contacts = {0};
    graze_device_contacts left = {0};
    size_t allocations = 0;
    limit_to(s.bytes + s.pairs.count * sizeof(graze_contact) / 4, INDICES_SHUFFLED);
    for (int frame = 0; frame < 12; frame++) {
      assert_true(compare_limited(&s, there != 0, &contacts, &left));
      if (frame > 1) assert_int_equal(host_device_count().allocations, allocations);
      allocations = host_device_count().allocations;
    }
    graze_contacts_free(&contacts);
    graze_device_contacts_free(&left);
    end_scene(&s);
  }
}

/* Memory that comes free again is found, though not at once. */
TEST(test_chunks_grow_again) {
  enum { CALLS = 300 };
  OWNED_BY(free_chunk_subject) chunk_subject s = make_chunk_subject(24, 250);
  begin_scene(&s);
  graze_contacts contacts = {0};
  graze_device_contacts left = {0};
  limit_to(s.bytes + s.pairs.count * sizeof(graze_contact) / 4, INDICES_FORWARD);
  assert_true(compare_limited(&s, false, &contacts, &left));
  size_t first = 0, last = 0;
  for (int call = 0; call < CALLS; call++) {
    limit_to(0, INDICES_FORWARD);
    assert_true(compare_limited(&s, false, &contacts, &left));
    last = host_device_count().operations;
    if (call == 0) first = last;
  }
  assert_true(last < first / 2);
  graze_contacts_free(&contacts);
  end_scene(&s);
}

/* The lowest invalid pair has the same number in any chunk. */
TEST(test_refusals_in_chunks) {
  OWNED_BY(free_chunk_subject) chunk_subject s = make_chunk_subject(40, 1000);
  begin_scene(&s);
  OWNED_MEMORY graze_pair *pairs = malloc(s.pairs.count * sizeof *pairs);
  assert_non_null(pairs);
  uint64_t sequence = 12;
  for (int round = 0; round < 20; round++) {
    memcpy(pairs, s.pairs.pairs, s.pairs.count * sizeof *pairs);
    for (int i = 0; i < 2; i++)
      pairs[sequence_below(&sequence, s.pairs.count)] = (graze_pair){MIXED_OBJECTS, (uint32_t)i, 0, 0};
    limit_to(s.bytes + s.pairs.count * sizeof(graze_contact) / 8, INDICES_SHUFFLED);
    compare_refusal(s.judging, s.scene, pairs, s.pairs.count);
  }
  end_scene(&s);
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}
