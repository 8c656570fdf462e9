import * as z from 'zod';
import { parseJson } from '../../../src/lib/json.ts';
import { isTenantId } from '../../../src/management/core/tenants.ts';
import { refuse } from './gate.ts';
import type { EmulatorParts } from './parts.ts';

export const RESET_PATH = '/v1/reset';
const MAX_TENANTS = 1_000;

const resetBody = z.strictObject({ tenants: z.array(z.string().refine(isTenantId)).max(MAX_TENANTS).optional() });

/**
 * Puts tenants back into the state after the start (`POST /v1/reset`): all that were called, or those of the body. Received
 * calls are forgotten. The token of a service account resets its own tenant only.
 */
export async function answerReset(request: Request, { calls, states, identify }: EmulatorParts): Promise<Response> {
  if (request.method !== 'POST') return refuse(405, 'A reset is asked for by POST.');
  const caller = await identify(request.headers);
  if (caller === undefined) return refuse(401, 'A reset needs a token of this emulator.');
  const text = await request.text();
  const parsed = resetBody.safeParse(text.trim() === '' ? {} : parseJson(text));
  if (!parsed.success) return refuse(400, 'The body is {} or { "tenants": ["C00000001"] }.');
  const { tenants = caller.isOperator ? states.all() : [caller.tenant] } = parsed.data;
  if (!caller.isOperator && tenants.some((tenant) => tenant !== caller.tenant))
    return refuse(403, 'This token is for another tenant.');
  const outcomes = await Promise.all(tenants.map((tenant) => states.reset(tenant)));
  const failed = outcomes.find(({ ok }) => !ok);
  if (failed?.ok === false) return refuse(409, failed.detail);
  for (const tenant of tenants) calls.clear(tenant);
  if (parsed.data.tenants === undefined && caller.isOperator) calls.clear();
  return Response.json({ tenants });
}
