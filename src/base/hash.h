#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* XXH3 (libxxhash): fast, not for secrets. */
uint64_t hash64(const void *data, size_t len);

/* 128 bits over a stream: what tells whether the same bytes were imported before. */
struct hash_stream;
struct hash_stream *hash_new(void);
void hash_add(struct hash_stream *hash, const void *data, size_t len);
/* Writes 32 hex digits and a NUL; more data may follow. */
void hash_text(const struct hash_stream *hash, char out[33]);
void hash_free(struct hash_stream *hash);

#endif
