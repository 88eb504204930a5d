-- What `memlog query` shows: names that stay.  Made anew after each migration.

CREATE VIEW runs AS
	SELECT r.id, r.name, s.path AS source, r.dialect,
	       strftime('%Y-%m-%dT%H:%M:%SZ', r.started / 1000000, 'unixepoch') AS started,
	       r.last_point - r.first_point + 1 AS points,
	       (SELECT group_concat(tag, ',') FROM (SELECT tag FROM tag WHERE run = r.id ORDER BY tag))
	               AS tags
	FROM run r JOIN source s ON s.id = r.source;

CREATE VIEW allocator_memory AS
	SELECT r.id AS run, p.id - r.first_point + 1 AS point, p.line,
	       strftime('%Y-%m-%dT%H:%M:%fZ', p.time / 1000000.0, 'unixepoch') AS time,
	       o.file, o.code_line, o.function, o.label, p.visit AS iteration,
	       p.visible, p.allocated, p.reserved
	FROM run r JOIN point p ON p.id BETWEEN r.first_point AND r.last_point
	LEFT JOIN position o ON o.id = p.position
	WHERE p.visible IS NOT NULL OR p.allocated IS NOT NULL OR p.reserved IS NOT NULL;

CREATE VIEW device_memory AS
	SELECT r.id AS run, p.id - r.first_point + 1 AS point, p.line + s.below AS line,
	       strftime('%Y-%m-%dT%H:%M:%fZ', (p.time + coalesce(s.after, 0)) / 1000000.0, 'unixepoch') AS time,
	       d.number AS device, d.uuid, d.name, d.total,
	       CASE j.share WHEN 0 THEN s.used END AS used, s.free, s.reserved,
	       CASE j.share WHEN 1 THEN s.used / 100.0 END AS percent, d.bus, d.instance, o.label
	FROM run r JOIN sample s ON s.id BETWEEN r.first_sample AND r.last_sample
	JOIN point p ON p.id = s.point
	JOIN subject j ON j.id = s.subject
	LEFT JOIN position o ON o.id = p.position
	LEFT JOIN device d ON d.id = j.device
	WHERE j.process IS NULL;

CREATE VIEW process_memory AS
	SELECT r.id AS run, p.id - r.first_point + 1 AS point, p.line + s.below AS line,
	       strftime('%Y-%m-%dT%H:%M:%fZ', (p.time + coalesce(s.after, 0)) / 1000000.0, 'unixepoch') AS time,
	       d.number AS device, c.pid, c.name AS process, c.type, s.used,
	       d.uuid, d.bus, d.instance, o.label
	FROM run r JOIN sample s ON s.id BETWEEN r.first_sample AND r.last_sample
	JOIN point p ON p.id = s.point
	JOIN subject j ON j.id = s.subject
	JOIN process c ON c.id = j.process
	LEFT JOIN position o ON o.id = p.position
	LEFT JOIN device d ON d.id = j.device;

CREATE VIEW tensor_changes AS
	SELECT r.id AS run, c.point - r.first_point + 1 AS point, p.line - c.above AS line,
	       t.class, t.shape, t.dtype, c.count, c.count * t.numel * t.itemsize AS bytes
	FROM run r JOIN change c ON c.id BETWEEN r.first_change AND r.last_change
	JOIN point p ON p.id = c.point
	JOIN tensor t ON t.id = c.tensor;

CREATE VIEW notes AS
	SELECT run, line, code, text FROM note;
