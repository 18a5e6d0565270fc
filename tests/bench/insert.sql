\set session random(1, 1000000)
\set revision random(1, 1000000000)
INSERT INTO plain VALUES (:session, :revision, 1767225600000, '\x01020304') ON CONFLICT DO NOTHING;
