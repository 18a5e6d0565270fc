-- 010-checksums.sql: a byte of a history that is not what was written is found when it is read.
--
-- Each is a CRC-32 of the bytes, with the session and the revision that they begin with; NULL: written
-- by an older program, or not yet written.

ALTER TABLE session ADD COLUMN checksum INTEGER;  -- of `opening`
ALTER TABLE history ADD COLUMN checksum INTEGER;  -- of `entries`
ALTER TABLE snapshot ADD COLUMN checksum INTEGER; -- of `state`
