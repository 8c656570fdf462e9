/** The tables of an instance as version 1 made them. */
export const FORMER_SCHEMA = [
  'CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  `CREATE TABLE item (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, key TEXT NOT NULL,
     filename TEXT NOT NULL, folder TEXT NOT NULL, status TEXT NOT NULL, checksum TEXT NOT NULL, size INTEGER NOT NULL,
     type TEXT NOT NULL, title TEXT NOT NULL, metadata TEXT NOT NULL, created_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL,
     modified_ms INTEGER NOT NULL, chunks INTEGER NOT NULL, vectors INTEGER NOT NULL, error TEXT, next_action TEXT,
     UNIQUE (source, key))`,
  'CREATE INDEX item_status ON item (status, seen_ms)',
  'CREATE INDEX item_waiting ON item (next_action) WHERE next_action IS NOT NULL',
  'CREATE INDEX item_unembedded ON item (n) WHERE vectors < chunks',
  'CREATE INDEX item_seen ON item (source, seen_ms)',
  'CREATE TABLE piece (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)',
  `CREATE TABLE chunk (id INTEGER PRIMARY KEY, start_byte INTEGER NOT NULL, end_byte INTEGER NOT NULL,
     heading TEXT NOT NULL, text TEXT NOT NULL)`,
  'CREATE TABLE vector (chunk INTEGER PRIMARY KEY, bytes BLOB NOT NULL)',
  `CREATE TABLE total (id INTEGER PRIMARY KEY CHECK (id = 1), items INTEGER NOT NULL, chunks INTEGER NOT NULL,
     vectors INTEGER NOT NULL, bytes INTEGER NOT NULL)`,
  'INSERT INTO total VALUES (1, 0, 0, 0, 0)',
  `CREATE TABLE job (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, description TEXT,
     created_ms INTEGER NOT NULL, started_ms INTEGER, ended_ms INTEGER, end_reason TEXT, seen_ms INTEGER,
     state TEXT NOT NULL)`,
  `CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, at_ms INTEGER NOT NULL,
     level TEXT NOT NULL, action TEXT NOT NULL, message TEXT NOT NULL, chunks INTEGER, took_ms INTEGER)`,
  'CREATE INDEX log_owner ON log (owner, id)',
] as const;

/** The table of words of each tokenizer, which deleted by number. */
export const FORMER_WORDS = {
  porter: `CREATE VIRTUAL TABLE words_porter USING fts5 (title, text, content='', contentless_delete=1,
    tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'")`,
  trigram: `CREATE VIRTUAL TABLE words_trigram USING fts5 (title, text, content='', contentless_delete=1,
    tokenize="trigram case_sensitive 0 remove_diacritics 1")`,
} as const;
