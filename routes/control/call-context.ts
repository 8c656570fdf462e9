import type { JudgementOutcome } from '../../src/management/core/conventions/outcome.ts';
import type { MethodRow } from '../../src/management/core/table/method-row.ts';
import type { ChatEngine } from '../../src/models/port.ts';
import type { Engines } from '../../src/models/registry.ts';
import type { CallCredential, TokenJudgement } from '../../src/rate-limits/token-gate.ts';
import type { ControlEnv } from './bindings/env.ts';
import type { ControlSettings } from '../../src/settings/control-settings.ts';
import type { RateHeaders } from './limits.ts';

export type MethodRoute = Pick<MethodRow, 'id' | 'path'>;

export type ControlAppEnv = {
  Bindings: ControlEnv;
  Variables: { requestId: string; rate: RateHeaders; row?: MethodRoute };
};

/** A request for a method: from outside, or a part of a batch. */
export type IncomingCall = {
  method: string;
  /** As sent, without query. */
  path: string;
  /** Without `?`. */
  query: string;
  headers: Headers;
  /** Without its content coding; a refusal when it has more bytes. */
  body: (maxBytes: number) => Promise<JudgementOutcome<Uint8Array>>;
};

/** What a request works with, and what is written to the log of a bug. */
export type CallContext = {
  env: ControlEnv;
  settings: ControlSettings;
  requestId: string;
  /** Who calls, for limits: an address. */
  from: string;
  /** Judges the value of Authorization where an entry has a way of its own; the authorization server does otherwise. */
  judge?: ((authorization: string | null, env: ControlEnv) => Promise<CallCredential>) | undefined;
  /** What was said of tokens already: for the parts of a batch. */
  known?: Map<string, Promise<TokenJudgement>>;
  /** Of the request: its client has left. */
  signal: AbortSignal;
  log: (line: Record<string, unknown>) => void;
  /** The engines that may answer chats of AI Search. */
  chats: Engines<ChatEngine>;
  /** Hears which row of a table a request is for. */
  seen?: (row: Pick<MethodRow, 'id' | 'path'>) => void;
  /** What the answer says of our limit; the last call of a batch that was counted. */
  rate: RateHeaders;
  /** Of an answer's body as the tenant's object gives it; none: what an object answers at most. */
  maxAnswerChars?: number;
};
