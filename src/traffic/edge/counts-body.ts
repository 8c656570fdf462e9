import * as z from 'zod';
import { aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';
import { removeHiddenCharacters } from '../../lib/safe-text.ts';
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';
import { referringAssistants } from '../agents/referrals.ts';
import { classifyPath, cleanPath, cutPath, type PathKind } from '../tally/page-path.ts';

/** Rows of one batch. */
export const MAX_COUNT_ROWS = 1_000;
/** Bytes of one batch. */
export const MAX_COUNTS_BYTES = 256 * 1_024;
/** A batch is of a minute of the last day. */
export const MAX_COUNTS_AGE_MS = DAY_MS;
/** How far the clock of a sender may be ahead. */
const MAX_AHEAD_MS = 2 * MINUTE_MS;
const MAX_AGENT_CHARS = 60;
const MAX_SENT_PATH_CHARS = 1_024;
/** Requests, and bytes of answers, of one row. */
const MAX_ROW_REQUESTS = 10_000_000;
const MAX_ROW_BYTES = 1e15;
const MAX_REFERRAL_CHARS = 40;
const [MIN_STATUS, MAX_STATUS] = [100, 599];

/** What an edge may know of an agent's address. `verified`: Cloudflare's list of verified bots has it. */
export const edgeVerifications = ['verified', 'claimed', 'pretended'] as const;
export type EdgeVerification = (typeof edgeVerifications)[number];

/** Strict: a body that names an address or a User-Agent is refused, so that none is ever sent by mistake. */
const rowSchema = z.strictObject({
  agent: z
    .string()
    .max(MAX_AGENT_CHARS)
    .regex(/^[A-Za-z][\w.-]*$/),
  verification: z.enum(edgeVerifications).default('claimed'),
  method: z.enum(['read', 'write']).default('read'),
  status: z.int().min(MIN_STATUS).max(MAX_STATUS),
  path: z.string().min(1).max(MAX_SENT_PATH_CHARS),
  n: z.int().min(1).max(MAX_ROW_REQUESTS),
  bytes: z.int().min(0).max(MAX_ROW_BYTES).default(0),
  referral: z
    .string()
    .max(MAX_REFERRAL_CHARS)
    .regex(/^[A-Za-z][\w .-]*$/)
    .optional(),
});

/** What a sender posts: the requests of one minute. A repeat under the same `batch_id` counts once. */
export const countsBody = z.strictObject({
  batch_id: z.string().regex(/^[\w-]{8,64}$/),
  minute: z.iso.datetime(),
  dropped: z.int().min(0).max(MAX_ROW_REQUESTS).default(0),
  rows: z.array(rowSchema).max(MAX_COUNT_ROWS),
});

/** A path of it is clean: without query, ids and e-mail addresses. */
export type CountedRow = {
  /** A token of the roster, `automation` or `person`. */
  agent: string;
  verification: EdgeVerification;
  isRead: boolean;
  status: number;
  path: string;
  kind: PathKind;
  n: number;
  bytes: number;
  referral?: string;
};

export type CountsBatch = {
  batchId: string;
  /** The beginning of the minute, in Unix milliseconds. */
  minuteMs: number;
  /** Requests that the sender could not count one by one. */
  dropped: number;
  rows: readonly CountedRow[];
};

export type ParsedCounts =
  | { ok: true; batch: CountsBatch }
  | { ok: false; issues: readonly { path: readonly PropertyKey[]; message: string }[] };

/** Names of `agent` that are no agents of the roster. */
export const PERSON = 'person';
export const AUTOMATION = 'automation';
/** Assistants that are not in our list. */
export const OTHER_ASSISTANT = 'other';
const assistantNames: ReadonlySet<string> = new Set(referringAssistants.map(({ name }) => name));
const known = new Map(aiAgents.map(({ token }) => [token.toLowerCase(), token]));

/** A batch as it is counted. Paths are cleaned whatever the sender did: its code may be old, or another's. */
export function parseCounts(value: unknown, nowMs: number): ParsedCounts {
  const parsed = countsBody.safeParse(value);
  if (!parsed.success) return { ok: false, issues: parsed.error.issues.slice(0, MAX_ISSUES) };
  const { batch_id: batchId, minute, dropped, rows } = parsed.data;
  const minuteMs = Math.floor(Date.parse(minute) / MINUTE_MS) * MINUTE_MS;
  if (minuteMs < nowMs - MAX_COUNTS_AGE_MS) return refuseMinute('is more than a day ago');
  if (minuteMs > nowMs + MAX_AHEAD_MS) return refuseMinute('is in the future: set the clock of the sender');
  return { ok: true, batch: { batchId, minuteMs, dropped, rows: rows.map(readRow) } };
}

/** Of a body with many faults the first are said. */
const MAX_ISSUES = 20;

const refuseMinute = (message: string): ParsedCounts => ({ ok: false, issues: [{ path: ['minute'], message }] });

function readRow({ agent, verification, method, path, referral, ...counted }: z.infer<typeof rowSchema>): CountedRow {
  const name = getAgentName(agent);
  const clean = removeHiddenCharacters(cleanPath(cutPath(path)));
  return {
    ...counted,
    agent: name,
    verification: name === PERSON || name === AUTOMATION ? 'claimed' : verification,
    isRead: method === 'read',
    path: clean.startsWith('/') ? clean : '/',
    kind: classifyPath(clean),
    ...(referral === undefined || name !== PERSON
      ? {}
      : { referral: assistantNames.has(referral) ? referral : OTHER_ASSISTANT }),
  };
}

/** A sender's roster may be newer than ours: an agent that we do not know is a program like others. */
const getAgentName = (agent: string): string =>
  agent === PERSON ? PERSON : (known.get(agent.toLowerCase()) ?? AUTOMATION);
