#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "ingest/source.h"

#define TWO_LINES "first line\nsecond line\n"

/* printf 'first line\nsecond line\n' through: gzip -9nc, bzip2 -9c, xz -9c, zstd -9c, lz4 -9c. */
static const unsigned char gz[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0xcb, 0x2c,
	0x2a, 0x2e, 0x51, 0xc8, 0xc9, 0xcc, 0x4b, 0xe5, 0x2a, 0x4e, 0x4d, 0xce, 0xcf,
	0x4b, 0x81, 0xb0, 0x01, 0x2c, 0x5a, 0x45, 0x5d, 0x17, 0x00, 0x00, 0x00,
};
static const unsigned char bz2[] = {
	0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0x8b, 0x13, 0xe1, 0x84, 0x00,
	0x00, 0x04, 0xd1, 0x80, 0x00, 0x10, 0x40, 0x00, 0x0f, 0x25, 0x9c, 0x00, 0x20, 0x00, 0x21,
	0xa1, 0x32, 0x31, 0x94, 0x20, 0x1a, 0x00, 0x91, 0x2a, 0x31, 0x95, 0x68, 0xcb, 0x04, 0x82,
	0xfd, 0x57, 0xf1, 0x77, 0x24, 0x53, 0x85, 0x09, 0x08, 0xb1, 0x3e, 0x18, 0x40,
};
static const unsigned char xz[] = {
	0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, 0x02, 0x00,
	0x21, 0x01, 0x1c, 0x00, 0x00, 0x00, 0x10, 0xcf, 0x58, 0xcc, 0x01, 0x00, 0x16, 0x66,
	0x69, 0x72, 0x73, 0x74, 0x20, 0x6c, 0x69, 0x6e, 0x65, 0x0a, 0x73, 0x65, 0x63, 0x6f,
	0x6e, 0x64, 0x20, 0x6c, 0x69, 0x6e, 0x65, 0x0a, 0x00, 0x00, 0x12, 0xe9, 0x31, 0xef,
	0xb2, 0xa2, 0xda, 0x64, 0x00, 0x01, 0x2f, 0x17, 0x81, 0x08, 0x49, 0xb1, 0x1f, 0xb6,
	0xf3, 0x7d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x59, 0x5a,
};
static const unsigned char zst[] = {
	0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x60, 0xb9, 0x00, 0x00, 0x66, 0x69, 0x72,
	0x73, 0x74, 0x20, 0x6c, 0x69, 0x6e, 0x65, 0x0a, 0x73, 0x65, 0x63, 0x6f,
	0x6e, 0x64, 0x20, 0x6c, 0x69, 0x6e, 0x65, 0x0a, 0x1f, 0x3b, 0xb8, 0xa0,
};
static const unsigned char lz4[] = {
	0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7, 0x17, 0x00, 0x00, 0x80, 0x66, 0x69, 0x72,
	0x73, 0x74, 0x20, 0x6c, 0x69, 0x6e, 0x65, 0x0a, 0x73, 0x65, 0x63, 0x6f, 0x6e, 0x64,
	0x20, 0x6c, 0x69, 0x6e, 0x65, 0x0a, 0x00, 0x00, 0x00, 0x00, 0xec, 0xf9, 0x1e, 0xae,
};

static const struct {
	const char *name;
	const void *bytes;
	size_t len;
} samples[] = {
	{ "plain", TWO_LINES, sizeof(TWO_LINES) - 1 },
	{ "gzip", gz, sizeof(gz) },
	{ "bzip2", bz2, sizeof(bz2) },
	{ "xz", xz, sizeof(xz) },
	{ "zstd", zst, sizeof(zst) },
	{ "lz4", lz4, sizeof(lz4) },
};
enum { SAMPLES = sizeof(samples) / sizeof(*samples) };

struct scratch {
	char folder[32], file[64];
};

static struct scratch scratch_new(const void *bytes, size_t len)
{
	struct scratch s = { "/tmp/test_source.XXXXXX", "" };
	FILE *file;

	cr_assert(mkdtemp(s.folder));
	snprintf(s.file, sizeof(s.file), "%s/log", s.folder);
	if (bytes) {
		file = fopen(s.file, "wb");
		cr_assert(file);
		cr_assert_eq(fwrite(bytes, 1, len, file), len);
		fclose(file);
	}
	return s;
}

static void scratch_remove(struct scratch *s)
{
	unlink(s->file);
	rmdir(s->folder);
}

/* Reads all into a text of its own. */
static char *slurp(struct source *source)
{
	struct strbuf all = STRBUF_INIT;
	const char *data;
	size_t len;
	int got;

	while ((got = source_read(source, &data, &len)) > 0)
		strbuf_add(&all, data, len);
	cr_assert_eq(got, 0, "%s", error_text());
	cr_assert_eq(source_bytes(source), (int64_t)all.len);
	return strbuf_detach(&all);
}

static void expect_hash(const struct source *source, const char *text)
{
	struct hash_stream *hash = hash_new();
	char want[33], got[33];

	hash_add(hash, text, strlen(text));
	hash_text(hash, want);
	source_hash(source, got);
	cr_expect_str_eq(got, want);
	hash_free(hash);
}

Test(source, reads_what_each_compressor_wrote)
{
	for (int i = 0; i < SAMPLES; i++) {
		struct scratch s = scratch_new(samples[i].bytes, samples[i].len);
		struct source *source;
		char *text;

		cr_assert_eq(source_open(&source, s.file, NULL), 0, "%s", error_text());
		text = slurp(source);
		cr_expect_str_eq(text, TWO_LINES, "%s", samples[i].name);
		cr_expect_null(source_damage(source), "%s", samples[i].name);
		expect_hash(source, TWO_LINES);
		free(text);
		source_close(source);
		scratch_remove(&s);
	}
}

Test(source, reads_from_memory_in_blocks_of_any_size)
{
	for (int i = 0; i < SAMPLES; i++) {
		for (size_t block = 1; block < 4; block++) {
			struct source *source;
			char *text;

			source_open_memory(&source, samples[i].bytes, samples[i].len);
			source_set_block(source, block);
			text = slurp(source);
			cr_expect_str_eq(text, TWO_LINES, "%s", samples[i].name);
			expect_hash(source, TWO_LINES);
			free(text);
			source_close(source);
		}
	}
}

Test(source, reads_members_put_together)
{
	unsigned char both[2 * sizeof(gz)];
	struct source *source;
	char *text;

	memcpy(both, gz, sizeof(gz));
	memcpy(both + sizeof(gz), gz, sizeof(gz));
	source_open_memory(&source, both, sizeof(both));
	text = slurp(source);
	cr_expect_str_eq(text, TWO_LINES TWO_LINES);
	free(text);
	source_close(source);
}

Test(source, empty_input_is_no_error)
{
	struct scratch s = scratch_new("", 0);
	struct source *source;
	char hash[33];
	char *text;

	cr_assert_eq(source_open(&source, s.file, NULL), 0);
	text = slurp(source);
	cr_expect_str_eq(text, "");
	cr_expect_null(source_damage(source));
	/* XXH3_128bits of no bytes, from the sanity checks of xxHash. */
	source_hash(source, hash);
	cr_expect_str_eq(hash, "99aa06d3014798d86001c324468d497f");
	free(text);
	source_close(source);
	scratch_remove(&s);

	cr_assert_eq(source_open_memory(&source, NULL, 0), 0);
	free(slurp(source));
	source_close(source);
	source_close(NULL);
}

/* Bytes that only begin like a compressed file are the log's own. */
Test(source, text_that_resembles_a_compressed_file_stays)
{
	static const char *const texts[] = { "BZh is no bzip2\n", "\x1f\x8bxx", "BZ",
					     "\x28\xb5\x2f" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct source *source;
		char *text;

		source_open_memory(&source, texts[i], strlen(texts[i]));
		text = slurp(source);
		cr_expect_str_eq(text, texts[i]);
		free(text);
		source_close(source);
	}
}

Test(source, what_was_cut_off_is_damage_not_an_error)
{
	/* lz4 is left out: libarchive takes its end mark for optional. */
	for (int i = 1; i < SAMPLES - 1; i++) {
		struct source *source;
		char *text;

		source_open_memory(&source, samples[i].bytes, samples[i].len * 2 / 3);
		text = slurp(source);
		cr_expect(!strncmp(text, TWO_LINES, strlen(text)), "%s", samples[i].name);
		cr_assert_not_null(source_damage(source), "%s", samples[i].name);
		cr_expect(strstr(source_damage(source), "cut off"));
		free(text);
		source_close(source);
	}
}

/* 200,000 bytes come out as blocks before the damage: all but the last must have been given. */
Test(source, gives_what_stands_before_the_damage)
{
	/* A gzip header (RFC 1952) and no end. */
	unsigned char head[] = { 0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03 };
	unsigned char stored[5] = { 0x00, 0x50, 0xc3, 0xaf, 0x3c };
	enum { BLOCK = 50000, BLOCKS = 4 };
	struct strbuf file = STRBUF_INIT;
	struct source *source;
	char *text, *fill = malloc(BLOCK);

	/* Stored deflate blocks (RFC 1951, 3.2.4): 50,000 = 0xc350, its complement 0x3caf. */
	memset(fill, 'a', BLOCK);
	strbuf_add(&file, (const char *)head, sizeof(head));
	for (int i = 0; i < BLOCKS; i++) {
		strbuf_add(&file, (const char *)stored, sizeof(stored));
		strbuf_add(&file, fill, BLOCK);
	}
	source_open_memory(&source, file.buf, file.len);
	text = slurp(source);
	/* libarchive's buffer is 64 KiB: 200,000 = 3 * 65,536 + 3,392. */
	cr_expect_eq(strlen(text), 3 * 65536);
	cr_expect_eq(strspn(text, "a"), strlen(text));
	cr_expect_not_null(source_damage(source));
	free(text);
	free(fill);
	strbuf_release(&file);
	source_close(source);
}

static void refused(const char *path, const char *because)
{
	struct source *source;

	cr_expect_eq(source_open(&source, path, NULL), -1, "%s", path);
	cr_expect_null(source);
	cr_expect_eq(error_kind(), ERROR_INPUT);
	cr_expect(strstr(error_text(), path), "%s", error_text());
	cr_expect(strstr(error_text(), because), "%s", error_text());
}

Test(source, refuses_what_is_no_file)
{
	struct scratch s = scratch_new(NULL, 0);

	refused(s.file, "no such file");
	refused(s.folder, "folder");
	refused("/dev/null", "device");
	cr_assert_eq(mkfifo(s.file, 0600), 0);
	refused(s.file, "pipe");
	scratch_remove(&s);
}

Test(source, refuses_what_may_not_be_read)
{
	struct scratch s = scratch_new("x", 1);

	chmod(s.file, 0);
	if (access(s.file, R_OK)) /* root may read everything */
		refused(s.file, "permissions");
	scratch_remove(&s);
}

Test(source, stops_at_the_limit)
{
	static const struct {
		int64_t limit;
		int reads;
	} cases[] = { { 23, 1 }, { 22, -1 }, { 1, -1 }, { 0, 1 } };

	/* The two lines are 11 + 12 bytes long. */
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		for (int i = 0; i < SAMPLES; i++) {
			struct scratch s = scratch_new(samples[i].bytes, samples[i].len);
			struct source_limits limits = { cases[c].limit };
			struct source *source;
			const char *data;
			size_t len;

			cr_assert_eq(source_open(&source, s.file, &limits), 0);
			cr_expect_eq(source_read(source, &data, &len), cases[c].reads);
			if (cases[c].reads < 0) {
				cr_expect_eq(error_kind(), ERROR_INPUT);
				cr_expect(strstr(error_text(), "--max-bytes"));
				cr_expect(strstr(error_text(), s.file));
			}
			source_close(source);
			scratch_remove(&s);
		}
	}
}

Test(source, reads_stdin)
{
	struct source *source;
	char *text;
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(write(ends[1], gz, sizeof(gz)), (ssize_t)sizeof(gz));
	close(ends[1]);
	cr_assert_geq(dup2(ends[0], STDIN_FILENO), 0);
	close(ends[0]);
	cr_assert_eq(source_open(&source, "-", NULL), 0);
	text = slurp(source);
	cr_expect_str_eq(text, TWO_LINES);
	free(text);
	source_close(source);
}

Test(source, a_read_that_fails_is_an_error)
{
	struct source *source;
	const char *data;
	size_t len;
	int folder = open("/tmp", O_RDONLY);

	/* read() of a folder fails with EISDIR. */
	cr_assert_geq(dup2(folder, STDIN_FILENO), 0);
	close(folder);
	cr_assert_eq(source_open(&source, "-", NULL), 0);
	cr_expect_eq(source_read(source, &data, &len), -1);
	cr_expect_eq(error_kind(), ERROR_INPUT);
	cr_expect(strstr(error_text(), "stdin"));
	cr_expect_null(source_damage(source));
	source_close(source);
}
