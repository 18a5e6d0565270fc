-- 009-guests.sql: tokens made with another token.

ALTER TABLE token ADD COLUMN parent INTEGER; -- number of that token, a smaller one; NULL: made by an owner
