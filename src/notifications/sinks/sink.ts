import type { Alert } from '../core/alerts.ts';
import type { DirectoryUser } from '../vendor/vendor.ts';

/** What was seen of a user when it was read again. `gone`: the directory answers 404. */
export type UserState = { state: 'active' | 'suspended'; user: DirectoryUser } | { state: 'gone' };

/**
 * What a sink receives: a user as it is now. `id` is the same whenever the same reading is delivered again, so that
 * receivers can tell: made of customer, user and stamp (rule W8).
 */
export type UserEffect = {
  type: 'user';
  id: string;
  customer: string;
  userId: string;
  /** Of the reading: grows with each reading of a user that found something to tell. */
  stamp: number;
  seen: UserState;
  /** The events that led to it, each once; `resync` where none did. */
  causes: readonly string[];
  readAtMs: number;
};

export type AlertEffect = { type: 'alert'; id: string; customer: string; alert: Alert };

export type Effect = UserEffect | AlertEffect;

/** What came of telling. `again`: try later. `refused`: it will never be taken, so it is dead at once. */
export type DeliveryResult =
  | { ok: true; note?: string }
  | { ok: false; outcome: 'again' | 'refused'; detail: string; retryAfterMs?: number };

/** Where changes of users go. */
export type Sink = {
  /** Stable: rows are kept under it. */
  name: string;
  /** Whether it wants this effect. */
  wants: (effect: Effect) => boolean;
  tell: (effect: Effect) => Promise<DeliveryResult>;
};
