-- 005-batches.sql: a row of the log for the entries of a commit, not for each.

ALTER TABLE log RENAME TO log_old;

-- What was accepted and is not in `history` yet. Append-only, without an index: the one write that an
-- answer waits for.
CREATE TABLE log (
	seq     INTEGER PRIMARY KEY,
	entries BLOB NOT NULL           -- of each: session, revision and length as varints, and the packed
	                                -- entry, its time absolute
) STRICT;

-- log_row() makes a row of one entry.
INSERT INTO log (seq, entries) SELECT seq, log_row(session, revision, entry) FROM log_old ORDER BY seq;

DROP TABLE log_old;
