import type { FetchFunction } from '../../../src/net/guarded-fetch.ts';

/** What tests of the webhook Worker see and set: one for the Worker, its objects and the tests, which share an isolate. */
type Script = {
  /** How objects reach the directory and receivers; undefined: by the global `fetch`, which a test may spy on. */
  fetch: FetchFunction | undefined;
  /** Names of the Durable Objects that requests from outside asked for, in order. */
  asked: string[];
};

declare global {
  // eslint-disable-next-line no-var -- only `var` declares a member of the global object.
  var webhookScript: Script | undefined;
}

export const script: Script = (globalThis.webhookScript ??= { fetch: undefined, asked: [] });

/** Back to the beginning, between tests. */
export function resetScript(): void {
  script.fetch = undefined;
  script.asked.length = 0;
}
