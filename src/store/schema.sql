-- The memlog database.  Tables are private; the views, in views.sql, are for everyone.
--
-- A change of a table that was released is a new version below, and a step from the old one in
-- migrations/: tests/fixtures/databases/ has a database of each version.
--
-- Sizes are bytes, times microseconds since 1970 UTC, unknown is NULL and never 0.
-- What belongs to a run lies in one stretch of ids (first_… to last_… in run), in the order of the
-- log: reading a run is a scan of that stretch, and needs no index.

CREATE TABLE import (            -- one run of the import command
	id       INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE source (            -- one log
	id        INTEGER PRIMARY KEY,
	import    INTEGER NOT NULL REFERENCES import(id),
	path      TEXT NOT NULL,     -- as it was named
	hash      TEXT NOT NULL UNIQUE, -- of its (decompressed) bytes
	bytes     INTEGER NOT NULL,
	lines     INTEGER NOT NULL,
	matched   INTEGER NOT NULL,  -- lines that a rule took
	blank     INTEGER NOT NULL,
	unmatched INTEGER NOT NULL
) STRICT;

CREATE TABLE run (               -- a stretch of a log that one tracker or monitor wrote
	id           INTEGER PRIMARY KEY,
	source       INTEGER NOT NULL REFERENCES source(id),
	name         TEXT NOT NULL UNIQUE,
	dialect      TEXT,           -- the one that took most lines
	line         INTEGER NOT NULL, -- where it begins in the log
	started      INTEGER,        -- the header's time
	exact_rows   INTEGER NOT NULL, -- 1: tensor rows were printed, visible is exact
	printed_unit INTEGER,        -- that the rows print, measured
	quantum      INTEGER NOT NULL, -- smallest step of allocated and reserved
	damage       TEXT,           -- why no verdict can rest on the rows
	truncated    TEXT,
	first_point  INTEGER NOT NULL,
	last_point   INTEGER NOT NULL, -- first - 1: none
	first_change INTEGER NOT NULL,
	last_change  INTEGER NOT NULL,
	first_sample INTEGER NOT NULL,
	last_sample  INTEGER NOT NULL
) STRICT;

CREATE TABLE visits (            -- places that a run came to often: how its reading is folded
	run      INTEGER NOT NULL REFERENCES run(id),
	position INTEGER REFERENCES position(id), -- NULL: points without a place
	visits   INTEGER NOT NULL   -- more than 512
) STRICT;

CREATE TABLE joined (            -- a run of another log, read into a run at its points
	part     INTEGER PRIMARY KEY REFERENCES run(id),
	run      INTEGER NOT NULL REFERENCES run(id)
) STRICT;

CREATE TABLE learned (           -- what a process takes of a card before any tensor
	card      TEXT NOT NULL,     -- the device's name
	run       TEXT NOT NULL,     -- that showed it; its name, for it may be removed
	started   INTEGER,           -- that run's
	context   INTEGER NOT NULL,  -- at most
	tolerance INTEGER NOT NULL,
	PRIMARY KEY (card, run)
) STRICT, WITHOUT ROWID;

CREATE TABLE tag (               -- what people call runs
	run      INTEGER NOT NULL REFERENCES run(id),
	tag      TEXT NOT NULL,
	PRIMARY KEY (run, tag)
) STRICT, WITHOUT ROWID;

CREATE TABLE position (          -- where the program stood, or a label
	id        INTEGER PRIMARY KEY,
	source    INTEGER NOT NULL REFERENCES source(id),
	file      TEXT,
	code_line INTEGER,
	function  TEXT,
	module    TEXT,
	label     TEXT
) STRICT;

CREATE TABLE tensor (            -- all tensors of a class, shape and dtype
	id        INTEGER PRIMARY KEY,
	source    INTEGER NOT NULL REFERENCES source(id),
	class     TEXT,
	shape     TEXT NOT NULL,
	dtype     TEXT,
	numel     INTEGER NOT NULL,
	itemsize  INTEGER NOT NULL  -- 4 where no dtype is printed; 0: not known
) STRICT;

CREATE TABLE device (
	id        INTEGER PRIMARY KEY,
	source    INTEGER NOT NULL REFERENCES source(id),
	number    INTEGER,
	uuid      TEXT,
	bus       TEXT,
	name      TEXT,
	instance  TEXT,              -- of a MIG device
	total     INTEGER,           -- its memory
	reserved  INTEGER            -- kept by the driver: as printed, or what used and free leave of total
) STRICT;

CREATE TABLE process (
	id        INTEGER PRIMARY KEY,
	source    INTEGER NOT NULL REFERENCES source(id),
	pid       INTEGER,
	name      TEXT,
	type      TEXT
) STRICT;

CREATE TABLE point (             -- a moment or place of observation
	id        INTEGER PRIMARY KEY,
	line      INTEGER NOT NULL,
	time      INTEGER,
	position  INTEGER REFERENCES position(id),
	visit     INTEGER,           -- how many times the run was at this position, from 1
	visible   INTEGER,           -- tensors that Python sees
	allocated INTEGER,           -- live bytes of the caching allocator
	reserved  INTEGER            -- held by the caching allocator
) STRICT;

CREATE TABLE change (            -- a tensor row whose count is another from this point on
	id        INTEGER PRIMARY KEY,
	point     INTEGER NOT NULL REFERENCES point(id),
	tensor    INTEGER NOT NULL REFERENCES tensor(id),
	count     INTEGER NOT NULL,  -- 0: gone.  Joint over the classes of a shape and dtype
	above     INTEGER NOT NULL   -- lines above the point's
) STRICT;

CREATE TABLE subject (           -- what samples look at, and how finely
	id        INTEGER PRIMARY KEY,
	source    INTEGER NOT NULL REFERENCES source(id),
	device    INTEGER REFERENCES device(id),
	process   INTEGER REFERENCES process(id), -- NULL: the device as a whole
	quantum   INTEGER NOT NULL,  -- smallest step of used
	share     INTEGER NOT NULL,  -- 1: used is in hundredths of a percent, the total is unknown
	samples   INTEGER NOT NULL   -- that have a value
) STRICT;

CREATE TABLE sample (            -- a look at a device, or at a process on it
	id        INTEGER PRIMARY KEY,
	point     INTEGER NOT NULL REFERENCES point(id),
	subject   INTEGER NOT NULL REFERENCES subject(id),
	below     INTEGER NOT NULL,  -- lines below the point's
	after     INTEGER,           -- microseconds after the point's time
	used      INTEGER,
	free      INTEGER,
	reserved  INTEGER            -- by the driver
) STRICT;

CREATE TABLE event (             -- out of memory, a monitor that failed
	id        INTEGER PRIMARY KEY,
	run       INTEGER REFERENCES run(id),
	point     INTEGER NOT NULL,  -- the last one before it; less than the run's first: none
	line      INTEGER NOT NULL,
	time      INTEGER,
	code      TEXT NOT NULL,
	text      TEXT NOT NULL,
	device    INTEGER,
	pid       INTEGER,
	requested INTEGER,
	capacity  INTEGER,
	"limit"   INTEGER,
	free      INTEGER,
	allocated INTEGER,
	reserved  INTEGER,
	process   INTEGER            -- used by this process
) STRICT;

CREATE TABLE note (              -- damage, decisions, oddities
	id        INTEGER PRIMARY KEY,
	run       INTEGER REFERENCES run(id),
	line      INTEGER NOT NULL,
	code      TEXT NOT NULL,
	text      TEXT NOT NULL
) STRICT;

PRAGMA application_id = 0x6d656d6c; -- "meml"
PRAGMA user_version = 2;
