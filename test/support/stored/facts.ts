import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Client } from 'oauth4webapi';
import type { RpcAnswers } from './rpc.ts';
import type { Place } from './stack.ts';

const FOLDER = new URL('../../data/stored/', import.meta.url);
/** What the stack left on disk, what the command line keeps, the longest answers, and the credentials. */
export const PACK = fileURLToPath(new URL('stored.br', FOLDER));
/** What can be read back, without credentials. */
export const FACTS = fileURLToPath(new URL('facts.json', FOLDER));

/** Names of folders and files in the pack. */
export const PACKED = {
  state: 'state',
  cli: 'cli',
  answers: 'answers',
  secrets: 'secrets.json',
  key: 'key.json',
} as const;

export type TokenName = 'control' | 'webhook' | 'other' | 'person';

/** A request that changes nothing, with its answer at the time of the recording. */
export type Read = {
  name: string;
  at: Place;
  call: string;
  body?: unknown;
  token?: TokenName;
  /** JSON; or, of long ones, the name of their file in the pack. */
  answer: unknown;
  file?: string;
};

export type Facts = {
  recordedAt: string;
  audit: { reportId: string; transaction: string; host: string };
  transfer: { reportId: string; hash: string };
  visibility: { reportId: string; runId: string };
  credits: { balance: string; reportId: string };
  person: { address: string; clientId: string };
  operator: { id: string; name: string };
  machineClientId: string;
  channel: { id: string; userId: string };
  reads: Read[];
};

/** A paid request as it was sent. */
type Paid = { body: Record<string, unknown>; credential: string };

/** What else the recording needs to go on: credentials, good for nothing else, and what its chain said. */
export type Secrets = {
  bindings: Record<string, string>;
  webhookBindings: Record<string, string>;
  rpcAnswers: RpcAnswers;
  tokens: Record<TokenName, string>;
  refreshToken: string;
  client: Client;
  /** Registered, and not used yet: all of them is in their ids. */
  waiting: { open: Client; confidential: Client };
  /** Cookies of the person's browser. */
  cookies: [name: string, value: string][];
  operatorSecret: string;
  machineClientSecret: string;
  sale: Paid;
  publishToken: string;
  measurement: Paid;
  transferBody: Record<string, unknown>;
  creditsCredential: string;
  creditCall: { url: string; key: string };
  /** An MCP session of the older revisions. */
  mcpSession: string;
};

export const readFacts = (): Facts => JSON.parse(readFileSync(FACTS, 'utf8')) as Facts; // The recorder wrote it.
