import { badRequest, unreadable } from '../../src/management/conventions/invalid.ts';
import { parseJsonText } from '../../src/management/conventions/json-text.ts';
import { requestRefusals } from '../../src/management/conventions/errors.ts';
import { isObject } from '../../src/management/json.ts';
import type { RefusalData } from '../../src/management/refusal.ts';
import { type Answered, answeredEmpty, answeredJson, answeredRefusal } from './answered.ts';
import type { Asked, World } from './call.ts';
import { identify, scopeMissing } from './caller.ts';
import { emulatorRowOf, type Ran } from './emulator-rows.ts';
import { mayCall, RETRY_AFTER_S } from './limits.ts';
import { bodyTooLarge, bug, isPassing, unavailable } from './refusals.ts';
import { storeOf, tenantOf } from './tenants.ts';

const EMULATOR_SCOPE = 'emulator';
/** A seed of a thousand calls; everything else is small. */
const MAX_BODY_BYTES = 8 * 1_024 * 1_024;
const LOOK = { prettyPrint: true } as const;

type Found = NonNullable<ReturnType<typeof emulatorRowOf>>;

/**
 * Answers the controls of sandbox tenants (rule K2): for the token's own tenant, with the scope `emulator`. A live tenant
 * and one of somebody else are answered alike. Undefined: the request is none of these, or this deployment has none.
 */
export async function answerEmulator(asked: Asked, world: World): Promise<Answered | undefined> {
  if (world.settings.EMULATOR !== '1') return undefined;
  const found = emulatorRowOf(asked.method, asked.path);
  if (found === undefined) return undefined;
  try {
    return await run(found, asked, world);
  } catch (error) {
    if (isPassing(error)) return refused(unavailable());
    const name = error instanceof Error ? error.name : typeof error;
    world.log({ event: 'management_failed', request_id: world.requestId, method: found.row.path, error: name });
    return refused(bug());
  }
}

async function run({ row, tenant: named, name }: Found, asked: Asked, world: World): Promise<Answered> {
  const { env, settings } = world;
  const identified = await identify(asked.headers.get('authorization'), env, settings);
  if (!identified.ok) return refused(identified.refusal, identified.challenge);
  const { caller } = identified;
  const missing = scopeMissing(caller, [EMULATOR_SCOPE], settings);
  if (missing !== undefined) return refused(missing.refusal, missing.challenge);
  if (!(await mayCall(caller.tenant, env))) return refused(requestRefusals.rateLimited(RETRY_AFTER_S));
  if (named !== undefined && named !== caller.tenant) return refused(noSandbox());
  const tenant = await tenantOf(caller.tenant, env, settings);
  if (tenant.mode !== 'sandbox') return refused(noSandbox());
  const body = row.method === 'POST' ? await jsonOf(asked) : { ok: true as const, value: {} };
  if (!body.ok) return refused(body.refusal);
  return answered(await row.run({ store: storeOf(env, tenant), tenant, name }, body.value));
}

async function jsonOf(asked: Asked): Promise<{ ok: true; value: unknown } | { ok: false; refusal: RefusalData }> {
  const bytes = await asked.body(MAX_BODY_BYTES);
  if (bytes === undefined) return { ok: false, refusal: bodyTooLarge(MAX_BODY_BYTES) };
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') return { ok: true, value: {} };
  const parsed = parseJsonText(text);
  if (parsed.ok) return parsed;
  return { ok: false, refusal: unreadable(`Invalid JSON payload received: ${parsed.reason}`) };
}

function answered(ran: Ran): Answered {
  if (ran.ok) return isObject(ran.value) ? answeredJson(ran.value, LOOK) : answeredEmpty(204);
  if ('refusal' in ran) return refused(ran.refusal);
  const violations = ran.issues.map(({ path, message }) => ({ field: path.join('.'), description: message }));
  return refused(badRequest(violations.slice(0, MAX_VIOLATIONS)));
}

const MAX_VIOLATIONS = 20;

const refused = (refusal: RefusalData, challenge?: string): Answered =>
  answeredRefusal(refusal, 'status', LOOK, challenge);

/** The same for a live tenant, one of somebody else, and one that is not there. */
const noSandbox = (): RefusalData => ({
  status: 404,
  word: 'NOT_FOUND',
  reason: 'notFound',
  message: 'There is no such sandbox tenant.',
});
