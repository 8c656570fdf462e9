import { badRequest, NOT_UTF8, unreadable } from '../../src/management/core/conventions/invalid.ts';
import { parseJsonText } from '../../src/management/core/conventions/json-text.ts';
import { accepted, type Outcome, refused } from '../../src/management/core/conventions/outcome.ts';
import { utf8Text } from '../../src/management/core/conventions/names.ts';
import { isObject } from '../../src/lib/json.ts';
import type { RefusalData } from '../../src/lib/refusal.ts';
import { callerOf, denialOf } from './authorize-call.ts';
import {
  type Answered,
  answeredEmpty,
  answeredJson,
  answeredRefusal,
} from '../../src/management/core/conventions/response-data.ts';
import type { Asked, World } from './call-context.ts';
import { emulatorRowOf, type Ran } from '../../src/management/emulator/control-rows.ts';
import { claimOf, entriesOf, instanceOf, isEmulator, storeOf, tenantOf } from './bindings/tenants.ts';

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
  if (!isEmulator(world.settings)) return undefined;
  const found = emulatorRowOf(asked.method, asked.path);
  if (found === undefined) return undefined;
  world.seen?.({ id: '', path: found.row.path });
  try {
    return await run(found, asked, world);
  } catch (error) {
    const { refusal, challenge } = denialOf(error, { id: found.row.path }, world);
    return denied(refusal, challenge);
  }
}

async function run({ row, tenant: named, name }: Found, asked: Asked, world: World): Promise<Answered> {
  const { env, settings } = world;
  const caller = await callerOf(asked, { scopes: [EMULATOR_SCOPE] }, world);
  if (named !== undefined && named !== caller.tenant) return denied(noSandbox());
  const tenant = await tenantOf(caller.tenant, env, settings);
  if (tenant.mode !== 'sandbox') return denied(noSandbox());
  const body = row.method === 'POST' ? await jsonOf(asked) : accepted({});
  if (!body.ok) return denied(body.refusal);
  const [store, entries, claim] = [storeOf(env, tenant), entriesOf(env, tenant), claimOf(env)];
  const drop = (uid: string): Promise<void> => instanceOf(env, uid).drop();
  return answered(await row.run({ store, entries, tenant, name, claim, drop }, body.value));
}

async function jsonOf(asked: Asked): Promise<Outcome<unknown>> {
  const content = await asked.body(MAX_BODY_BYTES);
  if (!content.ok) return content;
  const text = utf8Text(content.value);
  if (text === undefined) return refused(NOT_UTF8);
  if (text.trim() === '') return accepted({});
  const parsed = parseJsonText(text);
  if (parsed.ok) return parsed;
  return refused(unreadable(`Invalid JSON payload received: ${parsed.reason}`));
}

function answered(ran: Ran): Answered {
  if (ran.ok) return isObject(ran.value) ? answeredJson(ran.value, LOOK) : answeredEmpty(204);
  if ('refusal' in ran) return denied(ran.refusal);
  const violations = ran.issues.map(({ path, message }) => ({ field: path.join('.'), description: message }));
  return denied(badRequest(violations.slice(0, MAX_VIOLATIONS)));
}

const MAX_VIOLATIONS = 20;

const denied = (refusal: RefusalData, challenge?: string): Answered =>
  answeredRefusal(refusal, 'status', LOOK, challenge);

/** The same for a live tenant, one of somebody else, and one that is not there. */
const noSandbox = (): RefusalData => ({
  status: 404,
  word: 'NOT_FOUND',
  reason: 'notFound',
  message: 'There is no such sandbox tenant.',
});
