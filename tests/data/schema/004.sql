-- What it would be forgotten by in time, deletions and receipts, is dated in the year 2100.
-- 004.sql: the database of 003.sql, brought up to schema 4 and used.
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
INSERT INTO answer VALUES(1,-5,2,'optimal',X'000000000101010102020202030303030404040405050505',X'0107',1795264009904);
CREATE TABLE history (
	session INTEGER NOT NULL,
	first   INTEGER NOT NULL,       -- revision of the first entry
	entries BLOB NOT NULL,
	PRIMARY KEY (session, first)
) STRICT, WITHOUT ROWID;
INSERT INTO history VALUES(3,1,X'912205f34b00910b05f34b00910b05f34b00910c05f34b00910a05f34b00910c05f34b00911005f34b00910d05f34b00911105f34b00910c05f34b00910e05f34b00910c05f34b00910c05f34b00910e05f34b00910a05f34b00910a05f34b00911205f34b00910f05f34b00910c05f34b00910b05f34b00910d05f34b00911105f34b00911605f34b00911405f34b00911305f34b00771315160204060d11050c090b101415010e0a0f0312000807131791a205023700');
INSERT INTO history VALUES(6,1,X'b9910204770301b9910304770301b9910204770301b9910304770301b9910204770301b9910204770301b9910304770301b9910204770301b9910204770301b9910204770301b9910204770301b9910504770301b9910204770301b9910204770301b9910204770301b9910204770301b9910104770301b9910104770301b9910204770301b9910104770301b9910204770301b9910104770301b9910104770301b9910204770301b9910104770301b9910204770301b9910104770301b9910204770301b9910104770301b9910104770301b9910104770301b9910104770301b9910204770301b9910104770301b9910104770301b9910104770301b9910104770301b9910204770301b9910104770301b9910204770301');
CREATE TABLE log (
	seq      INTEGER PRIMARY KEY,
	session  INTEGER NOT NULL,
	revision INTEGER NOT NULL,
	entry    BLOB NOT NULL          -- one packed entry, its time absolute
) STRICT;
INSERT INTO log VALUES(83,5,3,X'b90799b58185a034');
INSERT INTO log VALUES(84,7,1,X'b9019ab58185a034');
CREATE TABLE meta (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('epoch','0011223344556677');
CREATE TABLE pattern (
	session    INTEGER NOT NULL,
	token      INTEGER NOT NULL,
	name       TEXT NOT NULL,
	pattern    TEXT NOT NULL,       -- JSON
	updated_ms INTEGER NOT NULL,
	PRIMARY KEY (session, token, name)
) STRICT, WITHOUT ROWID;
INSERT INTO pattern VALUES(2,0,'mine','{"size": 4}',1795264009003);
INSERT INTO pattern VALUES(2,2,'of Anna','{}',1795264009004);
CREATE TABLE receipt (
	seq        INTEGER PRIMARY KEY, -- in the order of creation
	key        BLOB NOT NULL,       -- BLAKE2b of who asked, method, path and the key
	body       BLOB NOT NULL,       -- BLAKE2b of the request's body
	created_ms INTEGER NOT NULL,
	answer     BLOB NOT NULL        -- the service's, sealed where it holds a secret
) STRICT;
INSERT INTO receipt VALUES(1,X'30e612d85865aaf22de5c95a43c5cbc1907323d74edcc3f2e122c385044dac2b',X'0685402c4ca2830fbb4b11af99a1ad0cc164f662cdaa5f2c130a6902e041010b',4102444809007,X'0102616e73776572');
INSERT INTO receipt VALUES(2,X'c517481349d2c990625e12c078957b723ea15da43ec8504db4a12ec5de6a0743',X'3f6f135ddb57bb60247048fc04b0edcd6f163ea0f8af3185b3446a1eee537eab',4102444809008,X'ff7365616c6564');
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
INSERT INTO solve VALUES(1,1,X'00112233445566778899',1795264009900,0,3,12345,NULL,1,1,3,NULL,NULL,'R U R'' U''','U@0 R@90 U''@170 R''@12345',NULL,NULL,NULL);
INSERT INTO solve VALUES(2,2,X'10112233445566778899',1795264009901,1,4,61000,2000,2,1,NULL,2,NULL,'Rw','Rw2@0',replace('+2 ü\n"','\n',char(10)),NULL,NULL);
INSERT INTO solve VALUES(3,2,X'20112233445566778899',1795264009902,1,NULL,NULL,-1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO solve VALUES(4,2,X'30112233445566778899',1700000000000,2,3,9870,NULL,NULL,NULL,NULL,NULL,NULL,'R',NULL,NULL,'session1','[[0,9870],"R","",1700000000]');
INSERT INTO solve VALUES(5,3,X'40112233445566778899',1795264009903,0,2,NULL,NULL,NULL,NULL,4,NULL,X'000102030405060708090a0b0c0d0e0f1011121314151617',NULL,'',NULL,NULL,NULL);
CREATE TABLE solve_frame (
	session INTEGER PRIMARY KEY,
	frame   TEXT NOT NULL
) STRICT;
INSERT INTO solve_frame VALUES(2,'{"session1":[],"properties":{}}');
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
INSERT INTO token VALUES(2,1,0,X'feaea4fa17acf30b8b7a1aeab3a7cc174b3aa64f29c7aa4309ee830ec52d4f99',1795264009000,NULL,NULL);
INSERT INTO token VALUES(2,2,1,X'8eba30db1f4cb2c5ff5f12b4efde3fcffad6e9ae773964a3b52e369f108beb86',1795264009005,NULL,'Anna');
INSERT INTO token VALUES(2,3,2,X'6696bfd259dfc228ddacfd2e1283b14d43cc9a5146c9e0ed232e463aa83a5775',1795264009006,1795264009009,'Zuschauer ü');
INSERT INTO token VALUES(4,1,0,X'664a578d76b8aac7f50d566523d70ef02bc8dd995b9217777aaa0d8ed6748535',1795264009000,NULL,NULL);
INSERT INTO token VALUES(5,1,0,X'09a2ac9da95425b97af7a98229a47a7b5600f9850076f9f6e2dd92cf971a77dd',1795306837973,NULL,NULL);
INSERT INTO token VALUES(6,1,0,X'f9df15ca58e6f6ac3cf274193ced8b5f908c422a75b73070dc36ee44419db6fd',1795306838000,NULL,NULL);
INSERT INTO token VALUES(7,1,0,X'b8ba1a416c70c2014c1b450c2ce43aa1d79c0480404bf9fc6b16292090304adb',1795306838071,NULL,NULL);
INSERT INTO token VALUES(8,1,0,X'd840f0284c2aecd31d2ed7832cbf42421a108e0849de67c42ca7ce3bd28b2acf',1795306838073,NULL,NULL);
CREATE TABLE session (
	key        INTEGER PRIMARY KEY, -- dense; what all other tables refer to
	id         BLOB NOT NULL,       -- 10 random bytes: the name that the world knows
	created_ms INTEGER NOT NULL,    -- since 1970, UTC, as all times
	alike      INTEGER,             -- hash of the present cube, the same for all ways to hold it: the
	                                -- upper 24 bits; NULL: not known
	opening    BLOB                 -- the entries, packed as in `history`, while they are all and take at
	                                -- most 128 bytes; before the first is folded 15 bytes 0xff, which
	                                -- keep the room; NULL: they are in `history`
) STRICT;
INSERT INTO session VALUES(1,X'9e2979556b237005c203',1795264009250,5317951,X'911504e733006915023e5b690e02270a100b73100303120a257b120302270a830d07080a255d4001060308');
INSERT INTO session VALUES(2,X'068697de16822e0f4a79',1795264009381,-7005818,X'69af0804246a0203b900f403ba04f403ba1ef403');
INSERT INTO session VALUES(3,X'455a8555548d86ab2809',1795264009406,-4559432,NULL);
INSERT INTO session VALUES(4,X'57c91093f2a7e8e10280',1795264009424,NULL,X'69ff02036f0103');
INSERT INTO session VALUES(5,X'00c77cc58e9986674e74',1795306837973,-2120645,X'b9911404e73300b90b04');
INSERT INTO session VALUES(6,X'ea7453eea55f69815e57',1795306838000,-4994690,NULL);
INSERT INTO session VALUES(7,X'e23234c021a2fbe15816',1795306838071,5317951,X'ffffffffffffffffffffffffffffff');
INSERT INTO session VALUES(8,X'90d23a7090d1fd9dd7cc',1795306838073,-3878366,X'b9690204246f0202');
CREATE TABLE session_more (
	session    INTEGER PRIMARY KEY,
	size       INTEGER,             -- NULL: 3
	access     INTEGER,             -- 0 edit, 2 none; NULL: 1, view
	updated_ms INTEGER,             -- last change of name, access or policy; NULL: never
	deleted_ms INTEGER,             -- NULL: not deleted
	policy     INTEGER,             -- of turns: 1 alternate, 2 round-robin; NULL: free
	name       TEXT,                -- NULL: none
	scramble   BLOB,                -- packed turns that made `base` of a solved cube; NULL: none
	base       BLOB                 -- packed cube of revision 0; NULL: solved
) STRICT;
INSERT INTO session_more VALUES(1,NULL,0,NULL,NULL,NULL,'three',NULL,NULL);
INSERT INTO session_more VALUES(2,4,NULL,NULL,NULL,1,'scrambled',X'0602740203',X'2f0e0d0c4d4945184e4a46142302010040272b431d060a111e0509121f0408130f5152532425263728292a3b2c2d2e3f3031325c1b1a1941171615423c3d3e501c38341044393547483a364b4c54584f202122330b55565707595a5b035d5e5f');
INSERT INTO session_more VALUES(3,2,2,NULL,NULL,2,NULL,NULL,NULL);
INSERT INTO session_more VALUES(4,5,0,NULL,4102444809823,NULL,'gone',NULL,NULL);
INSERT INTO session_more VALUES(6,NULL,NULL,NULL,4102444838688,NULL,'longer',NULL,NULL);
INSERT INTO session_more VALUES(8,4,2,1795306838687,NULL,1,'four',NULL,NULL);
CREATE INDEX receipt_key ON receipt (substr(key, 1, 8));
CREATE INDEX solve_session ON solve (session);
CREATE INDEX solve_id ON solve (substr(id, 1, 4));
CREATE INDEX answer_canonical ON answer (canonical);
CREATE INDEX session_id ON session (substr(id, 1, 3));
CREATE INDEX session_alike ON session (alike) WHERE alike IS NOT NULL;
CREATE INDEX session_deleted ON session_more (deleted_ms) WHERE deleted_ms IS NOT NULL;
COMMIT;
PRAGMA application_id=1668637285;
PRAGMA user_version=4;
