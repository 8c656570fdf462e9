import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../../local/stack.ts';
import type { Attack, Scene } from './support/attack.ts';
import { authorizeAttacks } from './support/attacks-authorize.ts';
import { bearerAttacks } from './support/attacks-bearer.ts';
import { consentAttacks } from './support/attacks-consent.ts';
import { ATTACK_IDS, PROVEN_ELSEWHERE } from './support/attacks-elsewhere-data.ts';
import { endpointAttacks } from './support/attacks-endpoint.ts';
import { paymentAttacks } from './support/attacks-payments.ts';
import { registrationAttacks } from './support/attacks-registration.ts';
import { tokenAttacks } from './support/attacks-token.ts';
import { type Recorder, startRecordingProxy } from './support/recorder.ts';
import { discover, grant, register, SIBLING, signedInBrowser } from './support/oauth.ts';

/** What no log line may hold, and the row that looks for it after all others. */
const logged: Attack = {
  id: 'T8',
  what: 'a token, code or secret in the log',
  attack: async ({ logs, grant: { tokens }, browser }) => {
    const secrets = [tokens.access_token, tokens.refresh_token ?? '-', ...browser.cookies.values()];
    return { lines: logs.length > 0, found: logs.filter((line) => secrets.some((secret) => line.includes(secret))) };
  },
  refused: { lines: true, found: [] },
};

const attacks = [
  ...authorizeAttacks,
  ...consentAttacks,
  ...tokenAttacks,
  ...bearerAttacks,
  ...registrationAttacks,
  ...endpointAttacks,
  ...paymentAttacks,
  logged,
];

let stack: Stack;
let upstream: Recorder;
let scene: Scene;
beforeAll(async () => {
  const logs: string[] = [];
  stack = await startStack({
    bindings: { CONTROL_URL: SIBLING },
    facilitatorFor: async (url) => (upstream = await startRecordingProxy(url)).url,
    log: (level, message) => logs.push(`${level} ${message}`),
  });
  const world = await discover(stack.api.url);
  const browser = await signedInBrowser(world.base);
  scene = {
    stack,
    world,
    browser,
    grant: await grant(world, browser),
    client: await register(world),
    stranger: (await grant(world, await signedInBrowser(world.base))).client,
    upstream,
    logs,
  };
});
afterAll(async () => {
  await stack?.stop();
  await upstream?.stop();
});

describe('the attack list', () => {
  test.each(attacks.map((row) => [row.id, row.what, row] as const))(
    '%s: %s',
    async (_id, _what, { attack, refused }) => {
      expect(await attack(scene)).toEqual(refused);
    },
  );
});

test('every id of the list is a row here or names the test that proves it, once', () => {
  const covered = [...attacks.map(({ id }) => id), ...Object.keys(PROVEN_ELSEWHERE)];
  expect(ATTACK_IDS).toHaveLength(99);
  expect(covered.toSorted()).toEqual(ATTACK_IDS.toSorted());
});

test.each(Object.entries(PROVEN_ELSEWHERE))('%s is proven by a test that is there', (_id, [file, title]) => {
  const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
  expect(text.split(`'${title}'`)).toHaveLength(2);
});
