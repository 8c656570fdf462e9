import type { Alert } from '../../../src/notifications/core/alerts.ts';
import type { AlertEffect, UserState, UserEffect } from '../../../src/notifications/sinks/sink.ts';
import type { DirectoryUser } from '../../../src/notifications/vendor/vendor.ts';

/** 2026-11-22T09:30:00Z. */
export const READ_AT_MS = 1_795_339_800_000;

export const ada: DirectoryUser = {
  id: '111222333444555666777',
  primaryEmail: 'ada@example.com',
  suspended: false,
  archived: false,
  isAdmin: false,
  orgUnitPath: '/Staff',
  etag: '"e1"',
  fingerprint: 'f'.repeat(64),
};

/** A user as it was seen. */
export const seenAs = (state: 'active' | 'suspended', changes: Partial<DirectoryUser> = {}): UserState => ({
  state,
  user: { ...ada, suspended: state === 'suspended', ...changes },
});

export const userEffect = (seen: UserState, changes: Partial<UserEffect> = {}): UserEffect => ({
  type: 'user',
  id: 'C01live/111222333444555666777/7',
  customer: 'C01live',
  userId: ada.id,
  stamp: 7,
  seen,
  causes: ['update'],
  readAtMs: READ_AT_MS,
  ...changes,
});

export const alertEffect = (changes: Partial<Alert> = {}): AlertEffect => ({
  type: 'alert',
  id: 'C01live/alert/dead_letter/12/1795339800000',
  customer: 'C01live',
  alert: { kind: 'dead_letter', subject: '12', raisedAtMs: READ_AT_MS, detail: 'given up after 5 tries', ...changes },
});
