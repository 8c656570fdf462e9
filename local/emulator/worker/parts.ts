import type { AccessMode } from './credentials.ts';
import type { EmulatorEnv } from './environment.ts';
import type { ReceivedCalls } from './received-calls.ts';
import type { AppCall } from './app-call.ts';
import type { TenantStates } from './tenant-states.ts';

/** What the emulator's own routes work with. */
export type EmulatorParts = {
  env: EmulatorEnv;
  mode: AccessMode;
  calls: ReceivedCalls;
  states: TenantStates;
  /** Calls the app; no such call is recorded. */
  ask: AppCall;
  /** The tenant that the headers of a call are for, and whether they are the operator's; undefined without a good token. */
  identify: (headers: Headers) => Promise<{ tenant: string; isOperator: boolean } | undefined>;
};
