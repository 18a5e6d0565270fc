-- 001-tuning.sql: how the tables are stored.

ALTER TABLE session ALTER tail SET STORAGE PLAIN, ALTER spill SET STORAGE EXTERNAL;
ALTER TABLE history ALTER entries SET STORAGE EXTERNAL;
ALTER TABLE change ALTER body SET STORAGE EXTERNAL;
ALTER TABLE change SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
