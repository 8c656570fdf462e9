import { afterEach } from 'vitest';
import type { VendorApi } from '../../src/models/core/vendor-engine.ts';
import type { AnswerEngine, AnswerPrompt } from '../../src/models/port.ts';
import { type EngineReply, type EngineServer, readSample, startEngineServer } from '../support/stack/engine-server.ts';

export const PROMPT: AnswerPrompt = { index: 0, id: 'discovery-1', intent: 'discovery', text: 'Best help desk? 家電' };
/** It must never come out of an engine. */
export const KEY = 'sk-of-the-operator';

/** An engine of a vendor, and where its interface begins on a server. */
export type Vendor = { create: (api: VendorApi) => AnswerEngine; base: string };

const servers: EngineServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** A recorded answer of a vendor as a reply. */
export const replay = (file: string, status = 200, headers: Readonly<Record<string, string>> = {}): EngineReply => ({
  status,
  headers,
  body: readSample(file),
});

/** Asks an engine of the vendor one prompt, at a server on loopback that answers so. */
export async function askVendor(
  { create, base }: Vendor,
  reply: EngineReply,
  changes: Partial<VendorApi> = {},
  signal: AbortSignal = AbortSignal.timeout(15_000),
) {
  const server = await startEngineServer(reply);
  servers.push(server);
  const engine = create({
    url: `${server.url}${base}`,
    model: 'asked-model',
    key: KEY,
    fetch,
    maxOutputTokens: 1500,
    webSearch: true,
    country: undefined,
    ...changes,
  });
  return { outcome: await engine.answer(PROMPT, signal), requests: server.requests, server };
}

/** What an answer says at the stretches of a source. */
export function quoteSpans(outcome: Awaited<ReturnType<AnswerEngine['answer']>>, url: string): readonly string[] {
  if (!outcome.ok) throw new Error(outcome.detail);
  const source = outcome.sources?.find((one) => one.url === url);
  return (source?.spans ?? []).map(([from, to]) => outcome.text.slice(from, to));
}
