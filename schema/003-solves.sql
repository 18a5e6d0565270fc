-- 003-solves.sql: recorded solves, and what solvers have answered.

-- A solve is in the book of a session and goes with it. Columns that are mostly not known are NULL then.
CREATE TABLE solve (
	seq        INTEGER PRIMARY KEY, -- in the order of recording
	session    INTEGER NOT NULL,    -- the book
	id         BLOB NOT NULL,       -- 10 random bytes: the name that the world knows
	created_ms INTEGER NOT NULL,    -- when it was done
	origin     INTEGER NOT NULL,    -- 0 the session itself, 1 posted, 2 imported
	size       INTEGER,             -- of the cube; NULL: another puzzle, or unknown
	time_ms    INTEGER,             -- without penalty; NULL: nobody timed it
	penalty_ms INTEGER,             -- NULL: none; -1: DNF
	clock      INTEGER,             -- whose times the moves have: 1 the server's, 2 the client's; NULL: they have none
	verified   INTEGER,             -- 1: scramble and moves were turned and judged; NULL: not
	revision   INTEGER,             -- of the session, with the last move; NULL: not done there
	actor      INTEGER,             -- number of a token of the session; NULL: nobody known
	base       BLOB,                -- packed cube that it began with, where `scramble` does not make it of a solved one
	scramble   TEXT,
	solution   TEXT,                -- moves, with times as in "R@0 U@120"
	comment    TEXT,
	list       TEXT,                -- of the imported file: the list that it was in
	source     TEXT                 -- and its own text there
) STRICT;

CREATE INDEX solve_session ON solve (session);
CREATE INDEX solve_id ON solve (substr(id, 1, 4));

-- What was around the lists of an imported file: kept, so that an export gives it back.
CREATE TABLE solve_frame (
	session INTEGER PRIMARY KEY,
	frame   TEXT NOT NULL
) STRICT;

-- Answers of solvers that took long, found by the canonical hash of the cube; the oldest are forgotten.
CREATE TABLE answer (
	seq        INTEGER PRIMARY KEY, -- in the order of creation
	canonical  INTEGER NOT NULL,    -- as session.canonical
	size       INTEGER NOT NULL,
	method     TEXT NOT NULL,       -- with what was asked of it
	colors     BLOB NOT NULL,       -- of the cube as it was held, a byte a facelet
	moves      BLOB NOT NULL,       -- packed turns
	created_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX answer_canonical ON answer (canonical);
