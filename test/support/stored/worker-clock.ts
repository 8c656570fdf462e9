import { DurableObject, env } from 'cloudflare:workers';
import { setBack } from './clock.ts';

const setBackMs = Number(Reflect.get(env, 'CLOCK_SET_BACK_MS') ?? 0);
setBack(setBackMs);

type Alarms = Pick<DurableObjectStorage, 'setAlarm' | 'getAlarm'>;
let patched = false;

/** Alarms ring by the runtime's own clock. */
function byOurClock(storage: Alarms): void {
  if (patched) return;
  patched = true;
  const alarms = Object.getPrototypeOf(storage) as Alarms; // Of all objects of this Worker.
  const { setAlarm, getAlarm } = alarms;
  alarms.setAlarm = function set(this: Alarms, at, options) {
    return setAlarm.call(this, new Date(at).getTime() + setBackMs, options);
  };
  alarms.getAlarm = async function get(this: Alarms, options) {
    const at = await getAlarm.call(this, options);
    return at === null ? null : at - setBackMs;
  };
}

/** Comes between `DurableObject` and the classes that extend it. */
class Dated extends DurableObject {
  constructor(state: DurableObjectState, bindings: Cloudflare.Env) {
    byOurClock(state.storage);
    super(state, bindings);
  }
}

/** Has the Durable Objects among what a Worker exports set their alarms by the clock that was set back. */
export function alarmsByOurClock(exported: object): void {
  for (const one of Object.values(exported)) {
    const base = directChild(one);
    if (base !== undefined) Object.setPrototypeOf(base, Dated);
  }
}

/** The class of a chain that extends `DurableObject` itself; undefined where there is none, or where it is done already. */
function directChild(start: unknown): object | undefined {
  for (let at = start; typeof at === 'function' && at !== Dated; at = Object.getPrototypeOf(at) as unknown)
    if (Object.getPrototypeOf(at) === DurableObject) return at;
  return undefined;
}
