import { refuseViolations, NOT_UTF8, refuseUnreadableRequest } from '../../src/management/core/conventions/invalid.ts';
import { parseJsonText } from '../../src/management/core/conventions/json-text.ts';
import { acceptValue, type JudgementOutcome, rejectWith } from '../../src/management/core/conventions/outcome.ts';
import { isObject } from '../../src/lib/json.ts';
import type { RefusalData } from '../../src/lib/refusal.ts';
import { decodeUtf8Text } from '../../src/lib/utf8.ts';
import { authorizeCaller, toCallDenial } from './authorize-call.ts';
import {
  type Answered,
  answeredEmpty,
  answeredJson,
  answeredRefusal,
} from '../../src/management/core/conventions/response-data.ts';
import type { IncomingCall, CallContext } from './call-context.ts';
import { findEmulatorRow, type Ran } from '../../src/management/emulator/control-rows.ts';
import {
  createContainerClaim,
  getEntryStore,
  getSearchInstance,
  isEmulator,
  getResourceStore,
  ensureTenant,
} from './bindings/tenants.ts';

const EMULATOR_SCOPE = 'emulator';
/** A seed of a thousand calls; everything else is small. */
const MAX_BODY_BYTES = 8 * 1_024 * 1_024;
const LOOK = { prettyPrint: true } as const;

type EmulatorMatch = NonNullable<ReturnType<typeof findEmulatorRow>>;

/**
 * Answers the controls of sandbox tenants (rule K2): for the token's own tenant, with the scope `emulator`. A live
 * tenant and another caller's tenant get the same answer. Undefined: the request is not for these controls, or this
 * deployment has none.
 */
export async function answerEmulator(asked: IncomingCall, world: CallContext): Promise<Answered | undefined> {
  if (!isEmulator(world.settings)) return undefined;
  const found = findEmulatorRow(asked.method, asked.path);
  if (found === undefined) return undefined;
  world.seen?.({ id: '', path: found.row.path });
  try {
    return await run(found, asked, world);
  } catch (error) {
    const { refusal, challenge } = toCallDenial(error, { id: found.row.path }, world);
    return answerDenial(refusal, challenge);
  }
}

async function run(
  { row, tenant: named, name }: EmulatorMatch,
  asked: IncomingCall,
  world: CallContext,
): Promise<Answered> {
  const { env, settings } = world;
  const caller = await authorizeCaller(asked, { scopes: [EMULATOR_SCOPE] }, world);
  if (named !== undefined && named !== caller.tenant) return answerDenial(refuseNoSandbox());
  const tenant = await ensureTenant(caller.tenant, env, settings);
  if (tenant.mode !== 'sandbox') return answerDenial(refuseNoSandbox());
  const body = row.method === 'POST' ? await readJsonBody(asked) : acceptValue({});
  if (!body.ok) return answerDenial(body.refusal);
  const [store, entries, claim] = [
    getResourceStore(env, tenant),
    getEntryStore(env, tenant),
    createContainerClaim(env),
  ];
  const drop = (uid: string): Promise<void> => getSearchInstance(env, uid).drop();
  return toEmulatorAnswer(await row.run({ store, entries, tenant, name, claim, drop }, body.value));
}

async function readJsonBody(asked: IncomingCall): Promise<JudgementOutcome<unknown>> {
  const content = await asked.body(MAX_BODY_BYTES);
  if (!content.ok) return content;
  const text = decodeUtf8Text(content.value);
  if (text === undefined) return rejectWith(NOT_UTF8);
  if (text.trim() === '') return acceptValue({});
  const parsed = parseJsonText(text);
  if (parsed.ok) return parsed;
  return rejectWith(refuseUnreadableRequest(`Invalid JSON payload received: ${parsed.reason}`));
}

function toEmulatorAnswer(ran: Ran): Answered {
  if (ran.ok) return isObject(ran.value) ? answeredJson(ran.value, LOOK) : answeredEmpty(204);
  if ('refusal' in ran) return answerDenial(ran.refusal);
  const violations = ran.issues.map(({ path, message }) => ({ field: path.join('.'), description: message }));
  return answerDenial(refuseViolations(violations.slice(0, MAX_VIOLATIONS)));
}

const MAX_VIOLATIONS = 20;

const answerDenial = (refusal: RefusalData, challenge?: string): Answered =>
  answeredRefusal(refusal, 'status', LOOK, challenge);

/** The same for a live tenant, another caller's tenant, and one that does not exist. */
const refuseNoSandbox = (): RefusalData => ({
  status: 404,
  word: 'NOT_FOUND',
  reason: 'notFound',
  message: 'There is no such sandbox tenant.',
});
