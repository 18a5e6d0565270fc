-- 008-events.sql: recorded solves have the event, the list and the splits that timers know.

-- The event: an id of the WCA or 'other'; NULL: the usual one for the size.
ALTER TABLE solve ADD COLUMN event TEXT;

-- The name of the list, as its user knows it; NULL: that of `list`, if there is one.
ALTER TABLE solve ADD COLUMN list_name TEXT;

-- The ends of the phases, as the API has them: [{"name":"cross","time_ms":2340}, ...]; NULL: none, or those in `source`.
ALTER TABLE solve ADD COLUMN splits TEXT;
