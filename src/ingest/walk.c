#include "ingest/walk.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/vec.h"

struct found {
	char *path;
	struct {
		dev_t device;
		ino_t inode;
	} id;
	bool link;
};

struct tree {
	VEC(struct found) files;
	struct intern seen; /* ids */
};

/* Those of other version control systems are hidden anyway. */
static const char *const not_logs[] = { "CVS", "RCS", "SCCS", "_darcs" };

static bool left_out(const FTSENT *entry)
{
	if (entry->fts_level == FTS_ROOTLEVEL)
		return false;
	if (entry->fts_name[0] == '.')
		return true;
	for (size_t i = 0; entry->fts_info == FTS_D && i < sizeof(not_logs) / sizeof(*not_logs);
	     i++)
		if (!strcmp(entry->fts_name, not_logs[i]))
			return true;
	return false;
}

static void add(struct tree *tree, const FTSENT *entry, const struct stat *st, bool link)
{
	struct found *file = vec_push(&tree->files);

	/* The id is hashed as bytes: none of them may be left undefined. */
	memset(file, 0, sizeof(*file));
	file->path = xstrdup(entry->fts_path);
	file->id.device = st->st_dev;
	file->id.inode = st->st_ino;
	file->link = link;
}

static int visit(struct tree *tree, FTS *fts, FTSENT *entry)
{
	struct stat st;

	if (left_out(entry)) {
		fts_set(fts, entry, FTS_SKIP);
		return 0;
	}
	switch (entry->fts_info) {
	case FTS_F:
		add(tree, entry, entry->fts_statp, false);
		return 0;
	case FTS_SL:
		if (!stat(entry->fts_accpath, &st) && S_ISREG(st.st_mode))
			add(tree, entry, &st, true);
		return 0;
	case FTS_DNR:
	case FTS_NS:
	case FTS_ERR:
		return error_input("%s: cannot be read (%s)", entry->fts_path,
				   strerror(entry->fts_errno));
	default:
		return 0;
	}
}

static int collect(struct tree *tree, const char *path)
{
	char *root = xstrdup(path), *const roots[] = { root, NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int result = 0;

	if (!fts)
		result = error_input("%s: cannot be read (%s)", path, strerror(errno));
	while (fts && !result && (entry = fts_read(fts)))
		result = visit(tree, fts, entry);
	if (fts)
		fts_close(fts);
	free(root);
	return result;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct found *)a)->path, ((const struct found *)b)->path);
}

static bool first_time(struct tree *tree, const struct found *file)
{
	bool added;

	intern(&tree->seen, (struct span){ (const char *)&file->id, sizeof(file->id) }, &added);
	return added;
}

static int walk_folder(const char *path, walk_fn *fn, void *ctx)
{
	struct tree tree = { VEC_INIT, INTERN_INIT };
	int result = collect(&tree, path);

	if (tree.files.len)
		qsort(tree.files.at, tree.files.len, sizeof(*tree.files.at), by_path);
	for (size_t i = 0; i < tree.files.len; i++)
		if (!tree.files.at[i].link)
			first_time(&tree, &tree.files.at[i]);
	for (size_t i = 0; !result && i < tree.files.len; i++)
		if (!tree.files.at[i].link || first_time(&tree, &tree.files.at[i]))
			result = fn(tree.files.at[i].path, ctx);
	for (size_t i = 0; i < tree.files.len; i++)
		free(tree.files.at[i].path);
	vec_release(&tree.files);
	intern_release(&tree.seen);
	return result;
}

int walk(const char *path, walk_fn *fn, void *ctx)
{
	struct stat st;

	if (!strcmp(path, "-"))
		return fn(path, ctx);
	if (stat(path, &st) < 0)
		return error_input("%s: %s", path,
				   errno == ENOENT ? "no such file or folder; check the path"
						   : strerror(errno));
	return S_ISDIR(st.st_mode) ? walk_folder(path, fn, ctx) : fn(path, ctx);
}
