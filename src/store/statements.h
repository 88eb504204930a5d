/*
 * Every statement of the store: X(name, sql).  Included several times, hence no guard.
 * All are prepared when the database is opened, so that a typo fails the first test.
 */
X(BEGIN, "BEGIN IMMEDIATE")
X(COMMIT, "COMMIT")
X(ROLLBACK, "ROLLBACK")
X(SAVEPOINT, "SAVEPOINT source")
X(RELEASE, "RELEASE source")
X(ROLLBACK_TO, "ROLLBACK TO source")
X(IMPORT_ADD, "INSERT INTO import DEFAULT VALUES")
X(IMPORT_LATEST, "SELECT max(import) FROM source")
X(SOURCE_ADD, "INSERT INTO source (import, path, hash, bytes, lines, matched, blank, unmatched)"
	      " VALUES (?, ?, ?, 0, 0, 0, 0, 0)")
X(SOURCE_END, "UPDATE source SET hash = ?, bytes = ?, lines = ?, matched = ?, blank = ?,"
	      " unmatched = ? WHERE id = ?")
X(SOURCE_BY_HASH, "SELECT id FROM source WHERE hash = ?")
X(RUN_NAME_TAKEN, "SELECT 1 FROM run WHERE name = ?")
X(RUN_ADD, "INSERT INTO run (source, name, line, exact_rows, quantum, first_point, last_point,"
	   " first_change, last_change, first_sample, last_sample)"
	   " VALUES (?, ?, ?, 0, 1, ?, 0, ?, 0, ?, 0)")
X(RUN_END,
  "UPDATE run SET dialect = ?, started = ?, exact_rows = ?, printed_unit = ?, quantum = ?,"
  " damage = ?, truncated = ?, last_point = ?, last_change = ?, last_sample = ? WHERE id = ?")
X(RUN_RENAME, "UPDATE run SET name = ? WHERE id = ?")
X(JOINED_ADD, "INSERT INTO joined (run, part) VALUES (?, ?)")
X(JOINED_PARTS, "SELECT part FROM joined WHERE run = ? ORDER BY part")
/* nvidia-smi prints it, or leaves it out of both used and free. */
X(DRIVER_RESERVED,
  "SELECT d.number, d.uuid, max(coalesce(s.reserved, d.total - s.used - s.free))"
  " FROM run r JOIN sample s ON s.id BETWEEN r.first_sample AND r.last_sample"
  " JOIN device d ON d.id = s.device WHERE r.id = ? AND s.process IS NULL AND s.used IS NOT NULL"
  " GROUP BY d.id ORDER BY d.id")
X(LEARNED_ADD, "INSERT OR REPLACE INTO learned (card, run, started, context, tolerance)"
	       " VALUES (?, ?, ?, ?, ?)")
X(LEARNED, "SELECT run, started, context, tolerance FROM learned WHERE card = ?1 AND run <> ?2"
	   " ORDER BY context, started DESC, run LIMIT 1")
X(TAG_ADD, "INSERT OR IGNORE INTO tag (run, tag) VALUES (?, ?)")
X(TAG_REMOVE, "DELETE FROM tag WHERE run = ? AND tag = ?")
X(POSITION_ADD, "INSERT INTO position (id, source, file, code_line, function, module, label)"
		" VALUES (?, ?, ?, ?, ?, ?, ?)")
X(TENSOR_ADD, "INSERT INTO tensor (id, source, class, shape, dtype, numel, itemsize)"
	      " VALUES (?, ?, ?, ?, ?, ?, ?)")
X(DEVICE_ADD, "INSERT INTO device (id, source, number, uuid, bus, name, instance, total)"
	      " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
X(PROCESS_ADD, "INSERT INTO process (id, source, pid, name, type) VALUES (?, ?, ?, ?, ?)")
X(EVENT_ADD,
  "INSERT INTO event (run, point, line, time, code, text, device, pid, requested, capacity,"
  " \"limit\", free, allocated, reserved, process)"
  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
X(NOTE_ADD, "INSERT INTO note (run, line, code, text) VALUES (?, ?, ?, ?)")
X(NEXT_IDS, "SELECT (SELECT coalesce(max(id), 0) + 1 FROM position),"
	    " (SELECT coalesce(max(id), 0) + 1 FROM tensor),"
	    " (SELECT coalesce(max(id), 0) + 1 FROM device),"
	    " (SELECT coalesce(max(id), 0) + 1 FROM process),"
	    " (SELECT coalesce(max(id), 0) + 1 FROM point),"
	    " (SELECT coalesce(max(id), 0) + 1 FROM change),"
	    " (SELECT coalesce(max(id), 0) + 1 FROM sample)")
X(RUNS, "SELECT r.id, r.name, s.path, r.dialect, r.started, r.last_point - r.first_point + 1,"
	" (SELECT count(*) FROM note n WHERE n.run = r.id),"
	" (SELECT group_concat(tag, ',') FROM (SELECT tag FROM tag WHERE run = r.id ORDER BY tag)),"
	" r.damage FROM run r JOIN source s ON s.id = r.source"
	" WHERE (?1 IS NULL OR s.import = ?1) AND (?2 IS NULL OR s.id = ?2)"
	/* What is read into another run of the import is told with that one. */
	" AND (?1 IS NULL OR r.id NOT IN (SELECT part FROM joined)) ORDER BY r.id")
X(RUNS_NAMED, "SELECT r.id FROM run r WHERE r.name = ?1 OR CAST(r.id AS TEXT) = ?1"
	      " OR (r.name GLOB ?1 AND r.id NOT IN (SELECT part FROM joined)) ORDER BY r.id")
X(RUN_READ, "SELECT r.name, s.path, r.dialect, r.exact_rows, r.quantum, r.damage, r.first_point,"
	    " r.last_point, r.first_change, r.last_change, r.first_sample, r.last_sample, r.source,"
	    " r.started FROM run r JOIN source s ON s.id = r.source WHERE r.id = ?")
X(POSITIONS, "SELECT id, file, code_line, function, module, label FROM position WHERE source = ?"
	     " ORDER BY id")
X(TENSORS,
  "SELECT id, class, shape, dtype, numel, itemsize FROM tensor WHERE source = ? ORDER BY id")
X(POINTS, "SELECT line, time, position, visible, allocated, reserved FROM point"
	  " WHERE id BETWEEN ? AND ? ORDER BY id")
X(CHANGES, "SELECT c.point, c.tensor, c.count, p.line - c.above FROM change c"
	   " JOIN point p ON p.id = c.point WHERE c.id BETWEEN ? AND ? ORDER BY c.id")
X(SUBJECTS,
  "SELECT s.device, s.process, d.number, d.uuid, d.name, d.total, c.pid, c.name,"
  " min(s.quantum), max(s.share IS NOT NULL) FROM sample s LEFT JOIN device d ON d.id = s.device"
  " LEFT JOIN process c ON c.id = s.process WHERE s.id BETWEEN ? AND ?"
  " GROUP BY s.device, s.process ORDER BY min(s.id)")
X(SAMPLES, "SELECT point, device, process, used, share FROM sample WHERE id BETWEEN ? AND ?"
	   " ORDER BY id")
X(EVENTS, "SELECT point, line, code, text, requested, capacity, \"limit\", allocated, reserved"
	  " FROM event WHERE run = ? ORDER BY line, id")
X(NOTES, "SELECT line, code, text FROM note WHERE run = ? ORDER BY line, id")
X(REMOVE_POINTS, "DELETE FROM point WHERE id BETWEEN (SELECT first_point FROM run WHERE id = ?1)"
		 " AND (SELECT last_point FROM run WHERE id = ?1)")
X(REMOVE_CHANGES, "DELETE FROM change WHERE id BETWEEN (SELECT first_change FROM run WHERE id = ?1)"
		  " AND (SELECT last_change FROM run WHERE id = ?1)")
X(REMOVE_SAMPLES, "DELETE FROM sample WHERE id BETWEEN (SELECT first_sample FROM run WHERE id = ?1)"
		  " AND (SELECT last_sample FROM run WHERE id = ?1)")
X(REMOVE_NOTES, "DELETE FROM note WHERE run = ?1")
X(REMOVE_EVENTS, "DELETE FROM event WHERE run = ?1")
X(REMOVE_TAGS, "DELETE FROM tag WHERE run = ?1")
X(REMOVE_JOINED, "DELETE FROM joined WHERE run = ?1 OR part = ?1")
X(REMOVE_RUN, "DELETE FROM run WHERE id = ?1")
X(REMOVE_POSITIONS, "DELETE FROM position WHERE source NOT IN (SELECT source FROM run)")
X(REMOVE_TENSORS, "DELETE FROM tensor WHERE source NOT IN (SELECT source FROM run)")
X(REMOVE_DEVICES, "DELETE FROM device WHERE source NOT IN (SELECT source FROM run)")
X(REMOVE_PROCESSES, "DELETE FROM process WHERE source NOT IN (SELECT source FROM run)")
X(REMOVE_SOURCES, "DELETE FROM source WHERE id NOT IN (SELECT source FROM run)")
