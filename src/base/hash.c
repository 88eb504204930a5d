#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "base/alloc.h"

uint64_t hash64(const void *data, size_t len)
{
	return XXH3_64bits(len ? data : "", len);
}

/* The library's own allocator gives its state the alignment it wants. */
struct hash_stream *hash_new(void)
{
	XXH3_state_t *state = XXH3_createState();

	if (!state)
		xrealloc(NULL, SIZE_MAX, 2);
	XXH3_128bits_reset(state);
	return (struct hash_stream *)state;
}

void hash_add(struct hash_stream *hash, const void *data, size_t len)
{
	XXH3_128bits_update((XXH3_state_t *)hash, data, len);
}

void hash_text(const struct hash_stream *hash, char out[33])
{
	XXH128_hash_t h = XXH3_128bits_digest((const XXH3_state_t *)hash);

	snprintf(out, 33, "%016" PRIx64 "%016" PRIx64, h.high64, h.low64);
}

void hash_free(struct hash_stream *hash)
{
	if (hash)
		XXH3_freeState((XXH3_state_t *)hash);
}
