import type { PasskeyWay } from '../../../src/authorization/people/ways.ts';

/** A passkey as it is stored; its public key opens nothing. */
export const makePasskey = (id: string): PasskeyWay => ({
  kind: 'passkey',
  id,
  publicKey: 'AA',
  counter: 0,
  transports: [],
  isSynced: false,
  label: '',
  addedAtMs: 0,
});
