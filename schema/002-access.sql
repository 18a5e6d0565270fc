-- 002-access.sql: who may do what, requests that were answered, patterns of one's own, an index of cubes.

ALTER TABLE session ADD COLUMN policy INTEGER;    -- of turns: 1 alternate, 2 round-robin; NULL: free
ALTER TABLE session ADD COLUMN canonical INTEGER; -- hash of the present cube, the same for all ways to hold it;
                                                  -- NULL: not known

CREATE INDEX session_canonical ON session (canonical) WHERE canonical IS NOT NULL;

-- What is true of the database as a whole. `epoch`: made at random where there is none; a backup has none, so that
-- what is restored from it is told apart from what it was made of.
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Tokens, numbered 1, 2, 3 in their session; entries name their actor by that number, so that none is ever removed.
CREATE TABLE token (
	session    INTEGER NOT NULL,
	number     INTEGER NOT NULL,
	role       INTEGER NOT NULL,    -- 0 owner, 1 editor, 2 viewer
	hash       BLOB NOT NULL,       -- BLAKE2b of the token's 32 random bytes, which are kept nowhere
	created_ms INTEGER NOT NULL,
	revoked_ms INTEGER,             -- NULL: it is good
	label      TEXT,                -- NULL: none
	PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

-- Answers to requests that had an Idempotency-Key, written with what the request changed; kept for a day.
CREATE TABLE receipt (
	seq        INTEGER PRIMARY KEY, -- in the order of creation
	key        BLOB NOT NULL,       -- BLAKE2b of who asked, method, path and the key
	body       BLOB NOT NULL,       -- BLAKE2b of the request's body
	created_ms INTEGER NOT NULL,
	answer     BLOB NOT NULL        -- the service's, sealed where it holds a secret
) STRICT;

CREATE INDEX receipt_key ON receipt (substr(key, 1, 8));

-- Named patterns, of a session (token 0) or of one of its tokens.
CREATE TABLE pattern (
	session    INTEGER NOT NULL,
	token      INTEGER NOT NULL,
	name       TEXT NOT NULL,
	pattern    TEXT NOT NULL,       -- JSON
	updated_ms INTEGER NOT NULL,
	PRIMARY KEY (session, token, name)
) STRICT, WITHOUT ROWID;
