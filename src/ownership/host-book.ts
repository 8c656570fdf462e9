import * as z from 'zod';
import { createTables, type Sql } from '../lib/sqlite.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { type HostProof, openProof, type ProofLook, recordLook } from './proof.ts';
import { type HostClaimResult, type LookTurn, MAX_CLAIMS_OF_HOST, MAX_HOSTS_OF_ACCOUNT } from './protocol.ts';

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS proofs (
    account TEXT PRIMARY KEY, proof TEXT NOT NULL, asked_at_ms INTEGER NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS hosts (host TEXT PRIMARY KEY, added INTEGER NOT NULL)`,
];

/** Between two looks for one proof, in milliseconds. */
const LOOK_EVERY_MS = MINUTE_MS;
const MS_PER_S = 1000;

const proofSchema = z.object({
  host: z.string(),
  account: z.string(),
  value: z.string(),
  createdAtMs: z.number(),
  foundAtMs: z.number().nullable(),
  foundIn: z.enum(['dns', 'file']).nullable(),
  lookedAtMs: z.number().nullable(),
  missingSinceMs: z.number().nullable(),
});
const rowSchema = z.object({ proof: z.string(), asked_at_ms: z.number() });
const countSchema = z.object({ n: z.number() });

export type HostBook = ReturnType<typeof openHostBook>;

/** The rows of a host: who claims it, and what was seen of each claim. Each call is one transaction. */
export function openHostBook(sql: Sql, now: () => number) {
  const run = createTables(sql, SCHEMA);
  const count = (table: 'proofs' | 'hosts'): number =>
    countSchema.parse(run(`SELECT count(*) AS n FROM ${table}`)[0]).n;
  const find = (account: string): { proof: HostProof; askedAtMs: number } | undefined => {
    const [row] = run('SELECT proof, asked_at_ms FROM proofs WHERE account = ?', account);
    if (row === undefined) return undefined;
    const { proof, asked_at_ms: askedAtMs } = rowSchema.parse(row);
    return { proof: proofSchema.parse(JSON.parse(proof)), askedAtMs };
  };
  const put = (proof: HostProof, askedAtMs: number): void =>
    void run('INSERT OR REPLACE INTO proofs VALUES (?, ?, ?)', proof.account, JSON.stringify(proof), askedAtMs);
  return {
    claim(account: string, host: string): HostClaimResult {
      const known = find(account);
      if (known) return { ok: true, proof: known.proof };
      if (count('proofs') >= MAX_CLAIMS_OF_HOST) return { ok: false, reason: 'too_many_claims' };
      const proof = openProof(account, host, now());
      put(proof, 0);
      return { ok: true, proof };
    },
    proof: (account: string): HostProof | undefined => find(account)?.proof,
    takeLook(account: string): LookTurn {
      const known = find(account);
      if (!known) return { ok: false, reason: 'not_claimed', retryAfterS: 0 };
      const waitMs = known.askedAtMs + LOOK_EVERY_MS - now();
      // A clock that was set back must not keep its owner waiting.
      if (waitMs > 0 && waitMs <= LOOK_EVERY_MS)
        return { ok: false, reason: 'too_soon', retryAfterS: Math.ceil(waitMs / MS_PER_S) };
      put(known.proof, now());
      return { ok: true, proof: known.proof };
    },
    recordLook(account: string, value: string, look: ProofLook): HostProof | undefined {
      const known = find(account);
      if (known?.proof.value !== value) return undefined;
      const proof = recordLook(known.proof, look, now());
      put(proof, known.askedAtMs);
      return proof;
    },
    drop: (account: string): void => void run('DELETE FROM proofs WHERE account = ?', account),
    hosts: (): readonly string[] =>
      run('SELECT host FROM hosts ORDER BY added, host').map((row) => z.object({ host: z.string() }).parse(row).host),
    addHost(host: string): boolean {
      if (run('SELECT 1 FROM hosts WHERE host = ?', host).length > 0) return true;
      if (count('hosts') >= MAX_HOSTS_OF_ACCOUNT) return false;
      run('INSERT INTO hosts VALUES (?, ?)', host, now());
      return true;
    },
    removeHost: (host: string): void => void run('DELETE FROM hosts WHERE host = ?', host),
  };
}
