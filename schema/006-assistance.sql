-- 006-assistance.sql: solves of which a solution or a lesson was given before they were finished.

-- Of a session: the newest revision of which a solution was given to who may turn it; NULL: none was.
ALTER TABLE session_more ADD COLUMN assisted INTEGER;

-- Of a recorded solve: 1: a solution of its scramble was given, or it is told so; it is in no average. NULL: not.
ALTER TABLE solve ADD COLUMN assisted INTEGER;
