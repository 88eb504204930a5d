#ifndef INGEST_SOURCE_H
#define INGEST_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/*
 * A file, stdin or a piece of memory as a stream of bytes, the first stage of an import.
 * .gz .bz2 .xz .zst and .lz4 are recognised by content and decompressed; everything else is given
 * as it is.
 *
 *	if (source_open(&source, path, NULL) < 0)
 *		return -1;
 *	while ((got = source_read(source, &data, &len)) > 0)
 *		use(data, len);
 *	if (source_damage(source))
 *		note(source_damage(source));
 *	source_close(source);
 */
struct source;

/* What a source may hold by default, decompressed: 64 GiB. */
#define SOURCE_MAX_BYTES (INT64_C(64) << 30)

/* The bytes that one source_read() of a plain file asks for. */
enum { SOURCE_BLOCK = 64 * 1024 };

struct source_limits {
	int64_t max_bytes; /* decompressed; 0: SOURCE_MAX_BYTES */
};

/*
 * Opens `path`, "-" for stdin; `limits` may be NULL.  -1 and an input error for what is missing, is
 * a folder, a pipe or a device, or may not be read.
 */
int source_open(struct source **out, const char *path, const struct source_limits *limits);

/* The same over memory, which must outlive the source: for tests and fuzzing. */
int source_open_memory(struct source **out, const void *data, size_t len);

/*
 * The next bytes, valid until the next call: 1, 0 at the end, -1 for a read error or more than
 * max_bytes.  Damaged compressed data is no error: the stream ends where libarchive gives up, which
 * is at most its buffer (64 KiB, zstd 128 KiB) before the damage, and source_damage() tells.
 */
int source_read(struct source *source, const char **data, size_t *len);

/* A sentence about damage met so far, without the path; NULL if there is none. */
const char *source_damage(const struct source *source);

/* The bytes given so far, and their hash: the same for run.txt and run.txt.gz. */
int64_t source_bytes(const struct source *source);
void source_hash(const struct source *source, char out[33]);

/* From now on source_read() gives at most `bytes` at once: for tests of what crosses its blocks. */
void source_set_block(struct source *source, size_t bytes);

/* NULL is fine. */
void source_close(struct source *source);

#endif
