-- What it would be forgotten by in time, deletions and receipts, is dated in the year 2100.
-- 003.sql: the database of 002.sql, brought up to schema 3 and used.
BEGIN TRANSACTION;
CREATE TABLE answer (
	seq        INTEGER PRIMARY KEY, -- in the order of creation
	canonical  INTEGER NOT NULL,    -- as session.canonical
	size       INTEGER NOT NULL,
	method     TEXT NOT NULL,       -- with what was asked of it
	colors     BLOB NOT NULL,       -- of the cube as it was held, a byte a facelet
	moves      BLOB NOT NULL,       -- packed turns
	created_ms INTEGER NOT NULL
) STRICT;
INSERT INTO "answer" VALUES(1,-5,2,'optimal',X'000000000101010102020202030303030404040405050505',X'0107',1795264009904);
CREATE TABLE history (
	session INTEGER NOT NULL,
	first   INTEGER NOT NULL,       -- revision of the first entry
	entries BLOB NOT NULL,
	PRIMARY KEY (session, first)
) STRICT, WITHOUT ROWID;
INSERT INTO "history" VALUES(1,1,X'911504E733006915023E5B690E02270A100B73100303120A257B120302270A830D07080A255D4001060308');
INSERT INTO "history" VALUES(3,1,X'912205F34B00910B05F34B00910B05F34B00910C05F34B00910A05F34B00910C05F34B00911005F34B00910D05F34B00911105F34B00910C05F34B00910E05F34B00910C05F34B00910C05F34B00910E05F34B00910A05F34B00910A05F34B00911205F34B00910F05F34B00910C05F34B00910B05F34B00910D05F34B00911105F34B00911605F34B00911405F34B00911305F34B00771315160204060D11050C090B101415010E0A0F03120008071317');
INSERT INTO "history" VALUES(4,1,X'69FF02036F0103');
CREATE TABLE log (
	seq      INTEGER PRIMARY KEY,
	session  INTEGER NOT NULL,
	revision INTEGER NOT NULL,
	entry    BLOB NOT NULL          -- one packed entry, its time absolute
) STRICT;
INSERT INTO "log" VALUES(35,2,1,X'69D4B1CBF09F3404246A0203');
INSERT INTO "log" VALUES(36,3,27,X'91E2B1CBF09F34023700');
INSERT INTO "log" VALUES(37,2,2,X'B900C8B5CBF09F34');
INSERT INTO "log" VALUES(38,2,3,X'BA04BCB9CBF09F34');
INSERT INTO "log" VALUES(39,2,4,X'BA1EB0BDCBF09F34');
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "meta" VALUES('epoch','0011223344556677');
CREATE TABLE pattern (
	session    INTEGER NOT NULL,
	token      INTEGER NOT NULL,
	name       TEXT NOT NULL,
	pattern    TEXT NOT NULL,       -- JSON
	updated_ms INTEGER NOT NULL,
	PRIMARY KEY (session, token, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "pattern" VALUES(2,0,'mine','{"size": 4}',1795264009003);
INSERT INTO "pattern" VALUES(2,2,'of Anna','{}',1795264009004);
CREATE TABLE receipt (
	seq        INTEGER PRIMARY KEY, -- in the order of creation
	key        BLOB NOT NULL,       -- BLAKE2b of who asked, method, path and the key
	body       BLOB NOT NULL,       -- BLAKE2b of the request's body
	created_ms INTEGER NOT NULL,
	answer     BLOB NOT NULL        -- the service's, sealed where it holds a secret
) STRICT;
INSERT INTO "receipt" VALUES(1,X'30E612D85865AAF22DE5C95A43C5CBC1907323D74EDCC3F2E122C385044DAC2B',X'0685402C4CA2830FBB4B11AF99A1AD0CC164F662CDAA5F2C130A6902E041010B',4102444809007,X'0102616E73776572');
INSERT INTO "receipt" VALUES(2,X'C517481349D2C990625E12C078957B723EA15DA43EC8504DB4A12EC5DE6A0743',X'3F6F135DDB57BB60247048FC04B0EDCD6F163EA0F8AF3185B3446A1EEE537EAB',4102444809008,X'FF7365616C6564');
CREATE TABLE session (
	key        INTEGER PRIMARY KEY, -- dense; what all other tables refer to
	size       INTEGER NOT NULL,
	access     INTEGER NOT NULL,    -- 0 edit, 1 view, 2 none
	id         BLOB NOT NULL,       -- 10 random bytes: the name that the world knows
	created_ms INTEGER NOT NULL,    -- since 1970, UTC, as all times
	updated_ms INTEGER,             -- last change of name or access; NULL: never
	deleted_ms INTEGER,             -- NULL: not deleted
	name       TEXT,                -- NULL: none
	base       BLOB,                -- packed cube of revision 0; NULL: solved
	scramble   BLOB                 -- packed turns that made `base` of a solved cube; NULL: none
, policy INTEGER, canonical INTEGER) STRICT;
INSERT INTO "session" VALUES(1,3,0,X'9E2979556B237005C203',1795264009250,NULL,NULL,'three',NULL,NULL,NULL,NULL);
INSERT INTO "session" VALUES(2,4,1,X'068697DE16822E0F4A79',1795264009381,NULL,NULL,'scrambled',X'2F0E0D0C4D4945184E4A46142302010040272B431D060A111E0509121F0408130F5152532425263728292A3B2C2D2E3F3031325C1B1A1941171615423C3D3E501C38341044393547483A364B4C54584F202122330B55565707595A5B035D5E5F',X'0602740203',1,NULL);
INSERT INTO "session" VALUES(3,2,2,X'455A8555548D86AB2809',1795264009406,NULL,NULL,NULL,NULL,NULL,2,-123456789);
INSERT INTO "session" VALUES(4,5,0,X'57C91093F2A7E8E10280',1795264009424,NULL,4102444809823,'gone',NULL,NULL,NULL,NULL);
CREATE TABLE snapshot (
	session INTEGER NOT NULL,
	first   INTEGER NOT NULL,
	state   BLOB NOT NULL,
	PRIMARY KEY (session, first)
) STRICT, WITHOUT ROWID;
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
INSERT INTO "solve" VALUES(1,1,X'00112233445566778899',1795264009900,0,3,12345,NULL,1,1,3,NULL,NULL,'R U R'' U''','U@0 R@90 U''@170 R''@12345',NULL,NULL,NULL);
INSERT INTO "solve" VALUES(2,2,X'10112233445566778899',1795264009901,1,4,61000,2000,2,1,NULL,2,NULL,'Rw','Rw2@0','+2 ü
"',NULL,NULL);
INSERT INTO "solve" VALUES(3,2,X'20112233445566778899',1795264009902,1,NULL,NULL,-1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "solve" VALUES(4,2,X'30112233445566778899',1700000000000,2,3,9870,NULL,NULL,NULL,NULL,NULL,NULL,'R',NULL,NULL,'session1','[[0,9870],"R","",1700000000]');
INSERT INTO "solve" VALUES(5,3,X'40112233445566778899',1795264009903,0,2,NULL,NULL,NULL,NULL,4,NULL,X'000102030405060708090A0B0C0D0E0F1011121314151617',NULL,'',NULL,NULL,NULL);
CREATE TABLE solve_frame (
	session INTEGER PRIMARY KEY,
	frame   TEXT NOT NULL
) STRICT;
INSERT INTO "solve_frame" VALUES(2,'{"session1":[],"properties":{}}');
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
INSERT INTO "token" VALUES(2,1,0,X'FEAEA4FA17ACF30B8B7A1AEAB3A7CC174B3AA64F29C7AA4309EE830EC52D4F99',1795264009000,NULL,NULL);
INSERT INTO "token" VALUES(2,2,1,X'8EBA30DB1F4CB2C5FF5F12B4EFDE3FCFFAD6E9AE773964A3B52E369F108BEB86',1795264009005,NULL,'Anna');
INSERT INTO "token" VALUES(2,3,2,X'6696BFD259DFC228DDACFD2E1283B14D43CC9A5146C9E0ED232E463AA83A5775',1795264009006,1795264009009,'Zuschauer ü');
INSERT INTO "token" VALUES(4,1,0,X'664A578D76B8AAC7F50D566523D70EF02BC8DD995B9217777AAA0D8ED6748535',1795264009000,NULL,NULL);
CREATE INDEX session_id ON session (substr(id, 1, 4));
CREATE INDEX session_deleted ON session (deleted_ms) WHERE deleted_ms IS NOT NULL;
CREATE INDEX session_canonical ON session (canonical) WHERE canonical IS NOT NULL;
CREATE INDEX receipt_key ON receipt (substr(key, 1, 8));
CREATE INDEX solve_session ON solve (session);
CREATE INDEX solve_id ON solve (substr(id, 1, 4));
CREATE INDEX answer_canonical ON answer (canonical);
COMMIT;
PRAGMA application_id=1668637285;
PRAGMA user_version=3;
