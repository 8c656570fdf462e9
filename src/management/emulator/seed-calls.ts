import type { JsonObject } from '../../lib/json.ts';
import { Refusal, type RefusalData, vendorRefusals } from '../../lib/refusal.ts';
import { readCallBody } from '../core/conventions/body.ts';
import { acceptValue } from '../core/conventions/outcome.ts';
import { readPathParameters, readCallQuery } from '../core/conventions/parameters.ts';
import { createOperationContext, type Engine, execute, MAX_STATEMENTS, requireQuota } from '../core/engine/execute.ts';
import type { CallAnswer, Call, Context } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import { requireMethod, type MethodRow, methods } from '../core/table/method-row.ts';
import { getSchemas } from '../core/table/schemas.ts';
import type { EntryOrder } from '../log-store/order.ts';
import type { SeedCall } from './bodies.ts';
import { seedAsp, seedChromeDevice, seedEnrolment, seedMobileDevice, seedToken } from './enrolments.ts';
import { buildEmulatorCaller } from './made-up.ts';

type Enrolment = {
  /** A method of the vendor's that reads what is made; its schema judges the body. */
  like: string;
  schema: string;
  make: (context: Context, sent: SeedCall, device: JsonObject) => JsonObject;
};

/**
 * Devices enrol themselves: the vendor has no method for it. A seed names one of these instead, with the device as body;
 * all of it may be left out. The answer has its id. So with what users have to sign in with.
 */
const ENROLMENTS: Readonly<Record<string, Enrolment>> = {
  'emulator.chromeosdevices.enroll': {
    like: 'directory.chromeosdevices.get',
    schema: 'ChromeOsDevice',
    make: (context, { params }, device) => {
      const given = params['kiosk'] === true ? { ...device, kiosk: true } : device;
      return { deviceId: seedChromeDevice(context, given) };
    },
  },
  'emulator.mobiledevices.enroll': {
    like: 'directory.mobiledevices.get',
    schema: 'MobileDevice',
    make: (context, _sent, device) => ({ resourceId: seedMobileDevice(context, device) }),
  },
  // What people make at the vendor's account pages; `params.userKey` says whose it is.
  'emulator.asps.issue': {
    like: 'directory.asps.get',
    schema: 'Asp',
    make: (context, { params }, asp) => ({ codeId: seedAsp(context, getUserKey(params), asp) }),
  },
  'emulator.tokens.grant': {
    like: 'directory.tokens.get',
    schema: 'Token',
    make: (context, { params }, token) => ({ clientId: seedToken(context, getUserKey(params), token) }),
  },
  'emulator.twoStepVerification.turnOn': {
    like: 'directory.users.get',
    schema: 'User',
    make: (context, { params }) => ({ id: seedEnrolment(context, getUserKey(params)) }),
  },
};

const getUserKey = ({ userKey = '' }: SeedCall['params']): string => String(userKey);

/** What a seed call comes to that makes what no method makes; undefined for any other. */
function applyEnrollmentCall(sent: SeedCall, engine: Engine): CallAnswer | undefined {
  const enrolment = Object.hasOwn(ENROLMENTS, sent.method) ? ENROLMENTS[sent.method] : undefined;
  if (enrolment === undefined) return undefined;
  const { like, schema, make } = enrolment;
  const row = { ...requireMethod(like), request: schema };
  const judged = readCallBody({ content: JSON.stringify(sent.body) }, row, getSchemas(row.interface, row.version));
  if (!judged.ok) return { ok: false, refusal: judged.refusal };
  const call: Call = {
    method: like,
    path: {},
    query: {},
    body: judged.value,
    caller: buildEmulatorCaller(engine.tenant),
  };
  const work = () => make(createOperationContext(call, engine, []), sent, judged.value);
  try {
    requireQuota(engine);
    const bounds = { statements: MAX_STATEMENTS, writes: true };
    const body = engine.transaction(() => engine.store.bounded(bounds, work));
    return { ok: true, status: 200, body };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error.data };
    throw error;
  }
}

/** Makes each call in turn, every one by itself: what one comes to does not stop the next. */
export function makeCalls(calls: readonly SeedCall[], engine: Engine): readonly CallAnswer[] {
  return calls.map((sent) => {
    const made = applyEnrollmentCall(sent, engine);
    if (made !== undefined) return made;
    const judged = readSeedCall(sent, engine.tenant);
    if ('refusal' in judged) return { ok: false, refusal: judged.refusal };
    return execute(judged.call, { ...engine, hand: (order) => requireUnneeded(order, sent.method) });
  });
}

/**
 * A seed is made by the tenant's resources alone. That buckets are there, the store of entries hears with the first entry.
 * @throws Refusal for what needs the store of log entries and spans
 */
function requireUnneeded(order: EntryOrder, method: string): void {
  if (order.do === 'buckets' && order.buckets.every(({ isGone }) => isGone !== true)) return;
  throw vendorRefusals.failedPrecondition(
    `${method} works on log entries or spans, which a seed has none of: call it by itself`,
  );
}

type SeedCallRefusal = { refusal: RefusalData };

/** The call that a row of a seed asks for, judged by the same rules as one that comes by HTTP; whose names it has is not. */
export function readSeedCall(
  { method, params, body }: SeedCall,
  tenant: Tenant,
): { row: MethodRow; call: Call } | SeedCallRefusal {
  const row = methods.find(({ id }) => id === method);
  if (row === undefined) return { refusal: vendorRefusals.invalidInput('method').data };
  const { inPath, pairs } = split(params, row);
  const missing = findMissingParameter(inPath, row);
  if (missing !== undefined) return { refusal: vendorRefusals.required(missing).data };
  const path = readPathParameters(inPath, row);
  if (!path.ok) return path;
  const query = readCallQuery(pairs, row);
  if (!query.ok) return query;
  // AI Search has no schemas in the table: its handlers judge what was sent.
  const judged =
    row.interface === 'aisearch'
      ? acceptValue(body)
      : readCallBody({ content: JSON.stringify(body) }, row, getSchemas(row.interface, row.version));
  if (!judged.ok) return judged;
  const caller = buildEmulatorCaller(tenant);
  return { row, call: { method, path: path.value, query: query.value, body: judged.value, caller } };
}

/** Parameters of the path, and the others as the pairs that a query would have. */
function split(params: SeedCall['params'], row: MethodRow) {
  const entries = Object.entries(params).map(([name, value]) => [name, [value].flat().map(String)] as const);
  const isInPath = (name: string): boolean =>
    Object.hasOwn(row.parameters, name) && row.parameters[name]?.in === 'path';
  return {
    inPath: Object.fromEntries(
      entries.filter(([name]) => isInPath(name)).map(([name, values]) => [name, values.join(',')]),
    ),
    pairs: entries
      .filter(([name]) => !isInPath(name))
      .flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  };
}

const findMissingParameter = (path: Record<string, string>, row: MethodRow): string | undefined =>
  Object.entries(row.parameters).find(([name, { in: where }]) => where === 'path' && !Object.hasOwn(path, name))?.[0];
