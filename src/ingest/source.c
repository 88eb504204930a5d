#include "ingest/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/units.h"

/*
 * Everything goes through libarchive, plain files too: its filters look at the first bytes, and
 * without one it hands on our buffer, which was measured to be as fast as read() alone.
 */
struct source {
	char *name; /* for messages */
	int fd;     /* -1: memory */
	const void *memory;
	size_t memory_len;
	char *buffer;
	int failed; /* errno of a read that failed */

	struct archive *archive;
	bool ended;
	char *damage;

	const char *chunk; /* what source_read() still has to give */
	size_t chunk_len, block;
	int64_t max_bytes, bytes;
	struct hash_stream *hash;
};

static const struct {
	const char *name;
	int (*support)(struct archive *);
} filters[] = {
	{ "gzip", archive_read_support_filter_gzip },
	{ "bzip2", archive_read_support_filter_bzip2 },
	{ "xz", archive_read_support_filter_xz },
	{ "zstd", archive_read_support_filter_zstd },
	{ "lz4", archive_read_support_filter_lz4 },
};

/* A pipe may stay silent for long: being told to stop must not wait for it. */
static bool told_to_stop(int fd)
{
	enum { MILLISECONDS = 200 };
	struct pollfd input = { .fd = fd, .events = POLLIN };

	while (!interrupt_pending())
		if (poll(&input, 1, MILLISECONDS))
			return false;
	return true;
}

static ssize_t read_some(struct source *source)
{
	ssize_t n;

	do {
		if (told_to_stop(source->fd)) {
			errno = EINTR;
			return -1;
		}
		n = read(source->fd, source->buffer, SOURCE_BLOCK);
	} while (n < 0 && errno == EINTR);
	return n;
}

static la_ssize_t feed(struct archive *archive, void *ctx, const void **data)
{
	struct source *source = ctx;
	ssize_t n;

	if (source->fd < 0) {
		n = (ssize_t)source->memory_len;
		*data = source->memory;
		source->memory_len = 0;
		return n;
	}
	n = read_some(source);
	*data = source->buffer;
	if (n >= 0)
		return n;
	source->failed = errno;
	archive_set_error(archive, errno, "read error");
	return ARCHIVE_FATAL;
}

/* What libarchive answered; true if it gave what was asked for. */
static bool went_well(struct source *source, int result)
{
	const char *why;

	if (result == ARCHIVE_OK || result == ARCHIVE_WARN)
		return true;
	source->ended = true;
	if (result == ARCHIVE_EOF || source->failed)
		return false;
	/* Not the log's fault: the rest of it must not be lost to it. */
	if (archive_errno(source->archive) == ENOMEM)
		out_of_memory();
	why = archive_error_string(source->archive);
	source->damage = xasprintf("the compressed data is damaged or cut off (%s); %" PRId64
				   " bytes of text were read, decompressing it by hand may save a "
				   "little more",
				   why ? why : "no details", source->bytes);
	return false;
}

static int start(struct source **out, const char *name, int fd, const struct source *from)
{
	struct source *source = xmalloc(sizeof(*source));
	struct archive_entry *entry;
	const char *missing = NULL;

	*source = *from;
	source->name = xstrdup(name);
	source->fd = fd;
	source->buffer = fd < 0 ? NULL : xmalloc(SOURCE_BLOCK);
	source->block = SIZE_MAX;
	source->hash = hash_new();
	source->archive = archive_read_new();
	if (!source->archive)
		out_of_memory();
	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
		if (filters[i].support(source->archive) != ARCHIVE_OK)
			missing = filters[i].name;
	if (missing) {
		source_close(source);
		return error_set("libarchive cannot read %s files here", missing);
	}
	archive_read_support_format_raw(source->archive);
	archive_read_support_format_empty(source->archive);
	if (went_well(source, archive_read_open(source->archive, source, NULL, feed, NULL)))
		went_well(source, archive_read_next_header(source->archive, &entry));
	*out = source;
	return 0;
}

static int cannot_read(const char *path, int why)
{
	if (why == ENOENT)
		return error_input("%s: no such file; check the path", path);
	if (why == EACCES)
		return error_input("%s: may not be read; check the permissions of the file and its "
				   "folders",
				   path);
	return error_input("%s: cannot be read (%s)", path, strerror(why));
}

/* Looked at before opening: opening a pipe waits, and opening a device may act on it. */
static int check_kind(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return cannot_read(path, errno);
	if (S_ISDIR(st.st_mode))
		return error_input("%s: is a folder; name a file in it", path);
	if (!S_ISREG(st.st_mode))
		return error_input("%s: is a pipe or a device, not a file; feed it through stdin "
				   "and give - as the path",
				   path);
	return 0;
}

int source_open(struct source **out, const char *path, const struct source_limits *limits)
{
	struct source from = { .max_bytes = SOURCE_MAX_BYTES };
	int fd;

	*out = NULL;
	if (limits && limits->max_bytes)
		from.max_bytes = limits->max_bytes;
	if (!strcmp(path, "-"))
		return start(out, "stdin", STDIN_FILENO, &from);
	if (check_kind(path) < 0)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return cannot_read(path, errno);
	return start(out, path, fd, &from);
}

int source_open_memory(struct source **out, const void *data, size_t len)
{
	struct source from = {
		.max_bytes = SOURCE_MAX_BYTES,
		.memory = data,
		.memory_len = len,
	};

	*out = NULL;
	return start(out, "memory", -1, &from);
}

int source_read(struct source *source, const char **data, size_t *len)
{
	char limit[SIZE_TEXT];
	const void *chunk;
	la_int64_t offset;
	size_t n;

	while (!source->chunk_len && !source->ended) {
		if (!went_well(source,
			       archive_read_data_block(source->archive, &chunk, &n, &offset)))
			break;
		source->chunk = chunk;
		source->chunk_len = n;
	}
	if (source->failed)
		return error_input("%s: reading failed after %" PRId64 " bytes (%s)", source->name,
				   source->bytes, strerror(source->failed));
	if (!source->chunk_len)
		return 0;
	n = source->chunk_len < source->block ? source->chunk_len : source->block;
	if ((int64_t)n > source->max_bytes - source->bytes)
		return error_input("%s: holds more than %s%s; if that is meant, allow more with "
				   "--max-bytes",
				   source->name, size_format(limit, source->max_bytes, SIZE_IEC),
				   archive_filter_count(source->archive) > 1 ? " when decompressed"
									     : "");
	*data = source->chunk;
	*len = n;
	source->chunk += n;
	source->chunk_len -= n;
	source->bytes += (int64_t)n;
	hash_add(source->hash, *data, n);
	return 1;
}

const char *source_damage(const struct source *source)
{
	return source->damage;
}

int64_t source_bytes(const struct source *source)
{
	return source->bytes;
}

void source_hash(const struct source *source, char out[33])
{
	hash_text(source->hash, out);
}

void source_set_block(struct source *source, size_t bytes)
{
	source->block = bytes ? bytes : 1;
}

void source_close(struct source *source)
{
	if (!source)
		return;
	archive_read_free(source->archive);
	if (source->fd > STDIN_FILENO)
		close(source->fd);
	hash_free(source->hash);
	free(source->damage);
	free(source->buffer);
	free(source->name);
	free(source);
}
