import { authorize, extractMentionedNames } from '../../src/management/core/authorize.ts';
import { requestRefusals } from '../../src/management/core/conventions/errors.ts';
import { type JudgementOutcome, captureOutcome } from '../../src/management/core/conventions/outcome.ts';
import type { Caller } from '../../src/management/core/engine/tenant.ts';
import { Refusal, type RefusalData } from '../../src/lib/refusal.ts';
import type { MethodRow } from '../../src/management/core/table/method-row.ts';
import { BodyBrokenOff } from '../../src/net/request-body.ts';
import type { IncomingCall, CallContext } from './call-context.ts';
import { buildControlChallenge, identify, refuseMissingScope } from './caller.ts';
import { countTenantCall } from './limits.ts';
import { refuseBrokenBody, refuseInternalError, refuseUnavailable } from '../../src/management/core/call-refusals.ts';
import { createContainerClaim } from './bindings/tenants.ts';
import { isPlatformFault } from '../../src/lib/errors.ts';

/** Ends the work on a call; becomes its answer. */
export class Denial extends Error {
  readonly refusal: RefusalData;
  readonly challenge: string | undefined;

  constructor(refusal: RefusalData, challenge?: string) {
    super(refusal.message);
    this.refusal = refusal;
    this.challenge = challenge;
  }
}

/** What ended a call, and the value of WWW-Authenticate where it is for want of a token. */
export type CallDenial = { refusal: RefusalData; challenge?: string };

/** Whose call this is: with a token that has a scope of the row, and counted. @throws Denial for any other */
export async function authorizeCaller(
  { headers }: Pick<IncomingCall, 'headers'>,
  row: Pick<MethodRow, 'scopes'> & Partial<Pick<MethodRow, 'id' | 'httpMethod'>>,
  world: CallContext,
): Promise<Caller> {
  return admitCaller(await identifyCaller(headers, world, canRecallFor(row)), row, world);
}

/** What is called too often to ask each time, and administers nothing, though it is a POST. */
const BULK_METHODS: ReadonlySet<string> = new Set([
  'logging.entries.list',
  'logging.entries.write',
  'cloudtrace.projects.patchTraces',
  'cloudtrace.projects.traces.batchWrite',
]);

/** Whether an ended token may still be good for a method for ten seconds: for what reads, entries and spans. */
const canRecallFor = ({ id = '', httpMethod }: Partial<Pick<MethodRow, 'id' | 'httpMethod'>>): boolean =>
  httpMethod === 'GET' || BULK_METHODS.has(id);

/** Whose call this is: with a token that is good here, for whatever row. @throws Denial for any other */
export async function identifyCaller(headers: Headers, world: CallContext, mayRecall: boolean): Promise<Caller> {
  const found = await identify(headers.get('authorization'), world, mayRecall);
  if (!found.ok) throw new Denial(found.refusal, found.challenge);
  return found.caller;
}

/** Lets a caller with a scope of the row pass, and counts its call. @throws Denial for any other */
export async function admitCaller(caller: Caller, row: Pick<MethodRow, 'scopes'>, world: CallContext): Promise<Caller> {
  const missing = refuseMissingScope(caller, row.scopes, world.settings);
  if (missing !== undefined) throw new Denial(missing.refusal, missing.challenge);
  const waitS = await countTenantCall(caller.tenant, world);
  if (waitS > 0) throw new Denial(requestRefusals.rateLimited(waitS));
  return caller;
}

/** Lets a call pass whose names are all its caller's own (rule K1). The tenant must be known to the registry. @throws Denial */
export async function requireNames(
  row: MethodRow,
  mentions: Parameters<typeof extractMentionedNames>[1],
  caller: Caller,
  { env }: CallContext,
): Promise<void> {
  const names = requireValue(captureOutcome(() => extractMentionedNames(row, mentions)));
  const claim = createContainerClaim(env);
  const refusals = await Promise.all(names.map((name) => authorize(caller, name, claim)));
  const first = refusals.find((refusal) => refusal !== undefined);
  if (first !== undefined) throw new Denial(first);
}

/** What an outcome holds. @throws Denial where it is a refusal */
export function requireValue<T>(outcome: JudgementOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Denial(outcome.refusal);
}

/** The denial for any error that ended a call. A bug is logged by name, without anything that was sent. */
export function toCallDenial(error: unknown, row: Pick<MethodRow, 'id'> | undefined, world: CallContext): CallDenial {
  if (error instanceof Refusal) return { refusal: error.data };
  if (error instanceof BodyBrokenOff) return { refusal: refuseBrokenBody() };
  if (!(error instanceof Denial)) {
    if (isPlatformFault(error)) return { refusal: refuseUnavailable() };
    const name = error instanceof Error ? error.name : typeof error;
    world.log({ event: 'management_failed', request_id: world.requestId, method: row?.id ?? '', error: name });
    return { refusal: refuseInternalError() };
  }
  const { refusal, challenge = refusal.status === 401 ? buildControlChallenge(world.settings) : undefined } = error;
  return { refusal, ...(challenge === undefined ? {} : { challenge }) };
}
