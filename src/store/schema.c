/* The tables of a database: created, checked, and brought up to date. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "store/db.h"

/* What schema.sql sets; older ones are migrated, newer ones refused. */
enum { SCHEMA = 2, APPLICATION_ID = 0x6d656d6c };

struct script {
	const char *name, *sql;
};

static const struct script scripts[] = {
#include "schema.inc"
};

/* A step is named after the schemas it leads from and to, and never changes once it is released. */
static const struct script migrations[] = {
#include "migrations.inc"
};

struct schema {
	int id, version, tables;
	bool empty;
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static int run_script(struct store *store, const struct script *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].name, name))
			return store_execute(store, list[i].sql);
	return error_set("%s: this memlog has no step '%s'", store->path, name);
}

/* In one transaction: another process may be creating it. */
static int read_schema(struct store *store, struct schema *schema)
{
	if (store_execute(store, "SAVEPOINT look") < 0 ||
	    store_pragma(store, "PRAGMA application_id", &schema->id) < 0 ||
	    store_pragma(store, "PRAGMA user_version", &schema->version) < 0 ||
	    store_pragma(store, "SELECT count(*) FROM sqlite_schema", &schema->tables) < 0 ||
	    store_execute(store, "RELEASE look") < 0)
		return -1;
	schema->empty = !schema->id && !schema->version && !schema->tables;
	return 0;
}

static int run_scripts(struct store *store)
{
	for (size_t i = 0; i < COUNT(scripts); i++)
		if (store_execute(store, scripts[i].sql) < 0)
			return -1;
	return 0;
}

static int roll_back(struct store *store)
{
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

/* Looks again once nobody else can write: two imports may begin a database at once. */
static int create(struct store *store, struct schema *schema)
{
	if (store_execute(store, "BEGIN IMMEDIATE") < 0)
		return -1;
	if (read_schema(store, schema) < 0 || (schema->empty && run_scripts(store) < 0) ||
	    store_execute(store, "COMMIT") < 0)
		return roll_back(store);
	return read_schema(store, schema);
}

/* ---- older schemas ---- */

/* A new file "memlog.db.schema-1", ~2 where that is taken, that only those may read who may read
 * the database; NULL with an error. */
static char *new_copy(struct store *store, int version)
{
	struct stat st;
	char *path = NULL;
	int fd = -1;

	if (stat(store->path, &st)) {
		error_set("%s: %s", store->path, strerror(errno));
		return NULL;
	}
	for (int n = 1; fd < 0 && n < 1000; n++) {
		free(path);
		path = n == 1 ? xasprintf("%s.schema-%d", store->path, version)
			      : xasprintf("%s.schema-%d~%d", store->path, version, n);
		fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, st.st_mode & 0777);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0) {
		error_set("%s: the copy to keep of the older database cannot be made: %s", path,
			  strerror(errno));
		free(path);
		return NULL;
	}
	close(fd);
	return path;
}

/* Page by page, while our transaction keeps other writers out.  SQLite copies from no connection
 * that may write, so another one reads. */
static int copy_pages(const char *from, const char *to)
{
	sqlite3_backup *backup = NULL;
	sqlite3 *source = NULL, *copy = NULL;
	int rc = sqlite3_open_v2(from, &source, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);

	if (!rc)
		rc = sqlite3_open_v2(to, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (!rc) {
		backup = sqlite3_backup_init(copy, "main", source, "main");
		if (backup)
			sqlite3_backup_step(backup, -1);
		rc = backup ? sqlite3_backup_finish(backup) : sqlite3_errcode(copy);
	}
	sqlite3_close(source);
	sqlite3_close(copy);
	return rc ? error_set("%s: the copy to keep of the older database cannot be made: %s", to,
			      sqlite3_errstr(rc))
		  : 0;
}

static int run_steps(struct store *store, int version)
{
	char name[32];

	for (; version < SCHEMA; version++) {
		snprintf(name, sizeof(name), "%d-to-%d", version, version + 1);
		if (run_script(store, migrations, COUNT(migrations), name) < 0)
			return -1;
	}
	return run_script(store, scripts, COUNT(scripts), "views");
}

/* Before the first release the second schema, too, called itself 1. */
static int is_second_already(struct store *store, bool *out)
{
	int tables = 0;

	if (store_pragma(store,
			 "SELECT count(*) FROM sqlite_schema WHERE name IN ('subject', 'learned')",
			 &tables) < 0)
		return -1;
	*out = tables == 2;
	return 0;
}

/* Inside the transaction. */
static int migrate_all(struct store *store, struct schema *schema)
{
	bool second = false;

	/* Another process may have done it meanwhile. */
	if (read_schema(store, schema) < 0)
		return -1;
	if (schema->version >= SCHEMA)
		return 0;
	if (schema->version == 1 && is_second_already(store, &second) < 0)
		return -1;
	if (second)
		return store_execute(store, "PRAGMA user_version = 2");
	store->kept = new_copy(store, schema->version);
	if (!store->kept)
		return -1;
	return copy_pages(store->path, store->kept) < 0 ? -1 : run_steps(store, schema->version);
}

/* A copy of what nothing was done to is of no use. */
static int give_up(struct store *store, int version)
{
	roll_back(store);
	if (store->kept)
		unlink(store->kept);
	return error_set(
		"%s: was written by an older memlog (schema %d, this one has %d), and it "
		"could not be brought up to date; nothing was changed. Import the logs into a "
		"new database with --db (%s)",
		store->path, version, SCHEMA, error_text());
}

static int migrate(struct store *store, struct schema *schema, enum store_mode mode)
{
	if (mode == STORE_READ && store_connect(store, SQLITE_OPEN_READWRITE) < 0)
		return -1;
	if (sqlite3_db_readonly(store->db, "main") == 1)
		return error_set(
			"%s: was written by an older memlog (schema %d, this one has %d); "
			"bringing it up to date needs the right to write it and its folder",
			store->path, schema->version, SCHEMA);
	if (store_execute(store, "BEGIN IMMEDIATE") < 0)
		return -1;
	if (migrate_all(store, schema) < 0 || store_execute(store, "COMMIT") < 0)
		return give_up(store, schema->version);
	return mode == STORE_READ ? store_connect(store, SQLITE_OPEN_READONLY) : 0;
}

/* Ours, empty, or neither: decided before anything is written. */
int schema_check(struct store *store, enum store_mode mode)
{
	struct schema schema = { 0 };

	if (read_schema(store, &schema) < 0)
		return -1;
	if (schema.empty && mode == STORE_READ)
		return error_set("%s: the database is empty; run memlog import FILE first",
				 store->path);
	if (schema.empty && create(store, &schema) < 0)
		return -1;
	if (schema.id != APPLICATION_ID)
		return error_set(
			"%s: is a database of another program; name another file with --db",
			store->path);
	if (schema.version > SCHEMA)
		return error_set(
			"%s: was written by a newer memlog (schema %d, this one knows %d); install "
			"a newer memlog, or name another file with --db",
			store->path, schema.version, SCHEMA);
	return schema.version < SCHEMA ? migrate(store, &schema, mode) : 0;
}
