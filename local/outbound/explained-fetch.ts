import * as z from 'zod';
import { FetchStopped } from '../../src/net/fetched.ts';
import { EXPLAIN_HEADER, REFUSED_HEADER } from './outbound-refusal-data.ts';

const refusal = z.object({ reason: z.enum(['invalid_url', 'port_refused', 'private_target']), detail: z.string() });

/**
 * Called once by each entry of the local stack: from then on the Worker's global fetch rejects with the reason why the
 * outbound service (`outbound.ts`) refused an address, as the command line's dialer does. The service decides by the
 * destination alone; the header only asks for words.
 */
export function explainRefusals(): void {
  const platformFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
    headers.set(EXPLAIN_HEADER, '1');
    const response = await platformFetch(input, { ...init, headers });
    if (!response.headers.has(REFUSED_HEADER)) return response;
    const { reason, detail } = refusal.parse(await response.json());
    throw new FetchStopped(reason, detail);
  };
}
