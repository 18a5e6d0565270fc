-- 001-initial.sql: sessions, the log of new entries, and their histories in chunks.
--
-- Columns that mostly have one value are NULL for it: a million sessions are common.

CREATE TABLE session (
	key        INTEGER PRIMARY KEY, -- dense; what all other tables refer to
	size       INTEGER NOT NULL,
	access     INTEGER NOT NULL,    -- 0 edit, 1 view, 2 none
	id         BLOB NOT NULL,       -- 10 random bytes: the name that the world knows
	created_ms INTEGER NOT NULL,    -- since 1970, UTC, as all times
	updated_ms INTEGER,             -- last change of name or access; NULL: never
	deleted_ms INTEGER,             -- NULL: not deleted
	name       TEXT,                -- NULL: none
	base       BLOB,                -- packed cube of revision 0; NULL: solved
	scramble   BLOB                 -- packed turns that made `base` of a solved cube; NULL: none
) STRICT;

-- Four of the random bytes find a session; the writer sees to it that no id is there twice.
CREATE INDEX session_id ON session (substr(id, 1, 4));
CREATE INDEX session_deleted ON session (deleted_ms) WHERE deleted_ms IS NOT NULL;

-- What was accepted and is not in `history` yet. Append-only, without an index: the one write that an
-- answer waits for.
CREATE TABLE log (
	seq      INTEGER PRIMARY KEY,
	session  INTEGER NOT NULL,
	revision INTEGER NOT NULL,
	entry    BLOB NOT NULL          -- one packed entry, its time absolute
) STRICT;

-- Consecutive entries of a session. Times are differences; the first entry's is one to
-- the time in the snapshot before it, or to session.created_ms.
CREATE TABLE history (
	session INTEGER NOT NULL,
	first   INTEGER NOT NULL,       -- revision of the first entry
	entries BLOB NOT NULL,
	PRIMARY KEY (session, first)
) STRICT, WITHOUT ROWID;

-- The state (cube, undo chain, time) before the first entry of each chunk but those that begin with entry 1.
CREATE TABLE snapshot (
	session INTEGER NOT NULL,
	first   INTEGER NOT NULL,
	state   BLOB NOT NULL,
	PRIMARY KEY (session, first)
) STRICT, WITHOUT ROWID;
