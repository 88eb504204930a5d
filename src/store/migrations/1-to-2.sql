-- Looks at a device or process share a subject; places that a run came to often are counted; runs
-- join; contexts are learned.

DROP VIEW runs;
DROP VIEW allocator_memory;
DROP VIEW device_memory;
DROP VIEW process_memory;
DROP VIEW tensor_changes;
DROP VIEW notes;

CREATE TABLE visits (
	run      INTEGER NOT NULL REFERENCES run(id),
	position INTEGER REFERENCES position(id),
	visits   INTEGER NOT NULL
) STRICT;

INSERT INTO visits (run, position, visits)
	SELECT r.id, p.position, count(*)
	FROM run r JOIN point p ON p.id BETWEEN r.first_point AND r.last_point
	GROUP BY r.id, p.position HAVING count(*) > 512 ORDER BY r.id, p.position;

CREATE TABLE joined (
	part     INTEGER PRIMARY KEY REFERENCES run(id),
	run      INTEGER NOT NULL REFERENCES run(id)
) STRICT;

CREATE TABLE learned (
	card      TEXT NOT NULL,
	run       TEXT NOT NULL,
	started   INTEGER,
	context   INTEGER NOT NULL,
	tolerance INTEGER NOT NULL,
	PRIMARY KEY (card, run)
) STRICT, WITHOUT ROWID;

-- What the driver keeps: as printed, or what used and free leave of the total; the most of it.
ALTER TABLE device ADD COLUMN reserved INTEGER;

UPDATE device SET reserved = (
	SELECT max(coalesce(s.reserved, device.total - s.used - s.free))
	FROM sample s WHERE s.device = device.id AND s.process IS NULL);

CREATE TABLE subject (
	id        INTEGER PRIMARY KEY,
	source    INTEGER NOT NULL REFERENCES source(id),
	device    INTEGER REFERENCES device(id),
	process   INTEGER REFERENCES process(id),
	quantum   INTEGER NOT NULL,
	share     INTEGER NOT NULL,
	samples   INTEGER NOT NULL
) STRICT;

INSERT INTO subject (source, device, process, quantum, share, samples)
	SELECT r.source, s.device, s.process, s.quantum, s.share IS NOT NULL,
	       count(coalesce(s.share, s.used))
	FROM run r JOIN sample s ON s.id BETWEEN r.first_sample AND r.last_sample
	GROUP BY 1, 2, 3, 4, 5 ORDER BY min(s.id);

ALTER TABLE sample RENAME TO look;

CREATE TABLE sample (
	id        INTEGER PRIMARY KEY,
	point     INTEGER NOT NULL REFERENCES point(id),
	subject   INTEGER NOT NULL REFERENCES subject(id),
	below     INTEGER NOT NULL,
	after     INTEGER,
	used      INTEGER,
	free      INTEGER,
	reserved  INTEGER
) STRICT;

INSERT INTO sample (id, point, subject, below, after, used, free, reserved)
	SELECT s.id, s.point, j.id, s.below, s.after, coalesce(s.share, s.used), s.free, s.reserved
	FROM run r CROSS JOIN look s ON s.id BETWEEN r.first_sample AND r.last_sample
	JOIN subject j ON j.source = r.source AND j.device IS s.device AND j.process IS s.process
		AND j.quantum = s.quantum AND j.share = (s.share IS NOT NULL);

DROP TABLE look;

-- A share becomes bytes where the log told the total anywhere.
UPDATE sample SET used = (used * d.total + 5000) / 10000
	FROM subject j JOIN device d ON d.id = j.device
	WHERE j.id = sample.subject AND j.share = 1 AND d.total IS NOT NULL;

UPDATE subject SET share = 0, quantum = (quantum * d.total + 5000) / 10000
	FROM device d WHERE d.id = subject.device AND subject.share = 1 AND d.total IS NOT NULL;

PRAGMA user_version = 2;
