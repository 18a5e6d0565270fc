-- 004-compact.sql: a session in few bytes: what most do not have lies beside it, a short history in it.

DROP INDEX session_id;
DROP INDEX session_deleted;
DROP INDEX session_canonical;
ALTER TABLE session RENAME TO session_old;

-- What every session has.
CREATE TABLE session (
	key        INTEGER PRIMARY KEY, -- dense; what all other tables refer to
	id         BLOB NOT NULL,       -- 10 random bytes: the name that the world knows
	created_ms INTEGER NOT NULL,    -- since 1970, UTC, as all times
	alike      INTEGER,             -- hash of the present cube, the same for all ways to hold it: the
	                                -- upper 24 bits; NULL: not known
	opening    BLOB                 -- the entries, packed as in `history`, while they are all and take at
	                                -- most 128 bytes; before the first is folded 15 bytes 0xff, which
	                                -- keep the room; NULL: they are in `history`
) STRICT;

-- What few have: a row only where one of these is not NULL.
CREATE TABLE session_more (
	session    INTEGER PRIMARY KEY,
	size       INTEGER,             -- NULL: 3
	access     INTEGER,             -- 0 edit, 2 none; NULL: 1, view
	updated_ms INTEGER,             -- last change of name, access or policy; NULL: never
	deleted_ms INTEGER,             -- NULL: not deleted
	policy     INTEGER,             -- of turns: 1 alternate, 2 round-robin; NULL: free
	name       TEXT,                -- NULL: none
	scramble   BLOB,                -- packed turns that made `base` of a solved cube; NULL: none
	base       BLOB                 -- packed cube of revision 0; NULL: solved
) STRICT;

INSERT INTO session (key, id, created_ms, alike, opening)
SELECT key, id, created_ms, canonical >> 40,
       (SELECT entries FROM history WHERE session = key AND first = 1 AND length(entries) <= 128)
FROM session_old ORDER BY key;

DELETE FROM history WHERE first = 1 AND length(entries) <= 128;

INSERT INTO session_more (session, size, access, updated_ms, deleted_ms, policy, name, scramble, base)
SELECT key, nullif(size, 3), nullif(access, 1), updated_ms, deleted_ms, policy, name, scramble, base
FROM session_old WHERE coalesce(nullif(size, 3), nullif(access, 1), updated_ms, deleted_ms, policy, name,
                                scramble, base) IS NOT NULL
ORDER BY key;

DROP TABLE session_old;

-- Three of the random bytes find a session; the writer sees to it that no id is there twice.
CREATE INDEX session_id ON session (substr(id, 1, 3));
CREATE INDEX session_alike ON session (alike) WHERE alike IS NOT NULL;
CREATE INDEX session_deleted ON session_more (deleted_ms) WHERE deleted_ms IS NOT NULL;
