import { refuseLogField } from '../texts.ts';

const KEY_NAME =
  /^projects\/[^/]{1,64}\/locations\/[a-z0-9-]{1,32}\/keyRings\/[A-Za-z0-9_-]{1,63}\/cryptoKeys\/[A-Za-z0-9_-]{1,63}$/;

/** @throws Refusal for what is no name of a key: its form is judged, not whether there is one */
export function requireKeyName(name: string, field: string): void {
  if (KEY_NAME.test(name)) return;
  const form = 'projects/[PROJECT_ID]/locations/[LOCATION]/keyRings/[KEYRING]/cryptoKeys/[KEY]';
  throw refuseLogField(field, `${field} must have the form ${form}.`);
}
