-- 007-listed.sql: which sessions stand in lists and searches. Sessions that are there already are not listed.

ALTER TABLE session_more ADD COLUMN listed INTEGER; -- 1: listed; NULL: not

CREATE INDEX session_listed ON session_more (listed) WHERE listed IS NOT NULL AND deleted_ms IS NULL;
