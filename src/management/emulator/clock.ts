import { isObject } from '../../lib/json.ts';
import type { TenantClock } from '../core/tenant-object.ts';
import { type ClockBody, MAX_TENANT_CLOCK_MS } from './bodies.ts';
import type { Settings } from './settings.ts';

/**
 * The tenant's clock: real time until a sandbox sets it. It dates that tenant's data and nothing else: never tokens,
 * payments, retention (rule K2).
 */
export type Clock = {
  now: () => number;
  shown: () => TenantClock;
  set: (body: ClockBody) => TenantClock;
  /** Back to real time. */
  clear: () => void;
};

const NAME = 'clock';

/** @param realNow Unix milliseconds */
export function createTenantClock(settings: Settings, realNow: () => number): Clock {
  const shown = (): TenantClock => {
    const kept = settings.get(NAME);
    if (!isObject(kept)) return { mode: 'running', nowMs: realNow() };
    if (kept['mode'] === 'frozen')
      return { mode: 'frozen', nowMs: Math.min(Number(kept['nowMs']), MAX_TENANT_CLOCK_MS) };
    return { mode: 'running', nowMs: Math.min(realNow() + Number(kept['aheadMs']), MAX_TENANT_CLOCK_MS) };
  };
  return {
    now: () => shown().nowMs,
    shown,
    set: ({ mode, nowMs = shown().nowMs }) => {
      settings.set(NAME, mode === 'frozen' ? { mode, nowMs } : { mode, aheadMs: nowMs - realNow() });
      return { mode, nowMs };
    },
    clear: () => settings.drop(NAME),
  };
}
