import { bodyOf } from '../core/conventions/body.ts';
import { seedAsp, seedEnrolment, seedToken } from '../interfaces/directory/users/credentials.ts';
import { seedChromeDevice, seedMobileDevice } from '../interfaces/directory/devices/device-seeds.ts';
import { contextOf, type Engine, MAX_STATEMENTS, requireQuota } from '../core/engine/execute.ts';
import type { Answer, Call, Context } from '../core/engine/operation.ts';
import type { JsonObject } from '../../lib/json.ts';
import { Refusal } from '../../lib/refusal.ts';
import { methodOf } from '../core/table/methods.ts';
import { schemasOf } from '../core/table/schemas.ts';
import type { SeedCall } from './bodies.ts';
import { emulatorCaller } from './made-up.ts';

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
    make: (context, { params }, asp) => ({ codeId: seedAsp(context, userKeyOf(params), asp) }),
  },
  'emulator.tokens.grant': {
    like: 'directory.tokens.get',
    schema: 'Token',
    make: (context, { params }, token) => ({ clientId: seedToken(context, userKeyOf(params), token) }),
  },
  'emulator.twoStepVerification.turnOn': {
    like: 'directory.users.get',
    schema: 'User',
    make: (context, { params }) => ({ id: seedEnrolment(context, userKeyOf(params)) }),
  },
};

const userKeyOf = ({ userKey = '' }: SeedCall['params']): string => String(userKey);

/** What a seed call comes to that makes what no method makes; undefined for any other. */
export function enrolled(sent: SeedCall, engine: Engine): Answer | undefined {
  const enrolment = Object.hasOwn(ENROLMENTS, sent.method) ? ENROLMENTS[sent.method] : undefined;
  if (enrolment === undefined) return undefined;
  const { like, schema, make } = enrolment;
  const row = { ...methodOf(like), request: schema };
  const judged = bodyOf({ content: JSON.stringify(sent.body) }, row, schemasOf(row.interface, row.version));
  if (!judged.ok) return { ok: false, refusal: judged.refusal };
  const call: Call = { method: like, path: {}, query: {}, body: judged.value, caller: emulatorCaller(engine.tenant) };
  const work = () => make(contextOf(call, engine, []), sent, judged.value);
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
