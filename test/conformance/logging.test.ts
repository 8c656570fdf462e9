import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { methods } from '../../src/management/core/table/method-row.ts';
import { bucketCases } from './logging/bucket-cases.ts';
import { entryCases } from './logging/entry-cases.ts';
import { type On, onParent, type ParentName, PARENTS } from './logging/on.ts';
import { queryCases } from './logging/query-cases.ts';
import { sinkCases } from './logging/sink-cases.ts';
import { joinControlStack } from './support/control-stack.ts';

/** Its client buffers what the vendor streams: it has a test of its own below. */
const STREAMED = 'logging.entries.tail';
const cases = { ...bucketCases, ...queryCases, ...sinkCases, ...entryCases };

const rows = methods
  .filter((row) => row.interface === 'logging' && row.id !== STREAMED)
  .map(({ id, inSeed }) => {
    const [, second = '', ...rest] = id.split('.');
    const isParent = second in PARENTS && second !== 'generic';
    const parent = (isParent ? second : 'generic') as ParentName; // A key of PARENTS, by the line above.
    return { id, inSeed, parent, suffix: isParent ? rest.join('.') : [second, ...rest].join('.') };
  });

let stack: Awaited<ReturnType<typeof joinControlStack>>;
const parents = new Map<ParentName, On>();

beforeAll(async () => {
  stack = await joinControlStack();
  for (const parent of Object.keys(PARENTS) as ParentName[])
    parents.set(parent, onParent(stack.world.url, stack.world.token, parent));
});
afterAll(async () => stack?.stop());

const at = (parent: ParentName): On => {
  const on = parents.get(parent);
  if (on === undefined) throw new Error(`No client at ${parent}`);
  return on;
};

test('every row of the seed, 197 of them, and 57 beyond it have their case here', () => {
  expect(rows.filter(({ inSeed }) => inSeed)).toHaveLength(196); // And entries.tail.
  expect(rows.filter(({ inSeed }) => !inSeed)).toHaveLength(57);
  const suffixes = [...new Set(rows.map(({ suffix }) => suffix))];
  expect(Object.keys(cases).toSorted()).toEqual(suffixes.toSorted());
});

describe.each(rows)('$id', ({ parent, suffix }) => {
  const operation = Object.hasOwn(cases, suffix) ? cases[suffix] : undefined;

  test('does what it says, as another method shows', async () => {
    expect.hasAssertions();
    await operation?.right(at(parent));
  });

  test('refuses what the vendor refuses, with its status', async () => {
    expect.hasAssertions();
    await operation?.wrong(at(parent));
  });
});

test('logging.entries.tail: the official client reads what is written while it reads', async () => {
  const { google } = await import('googleapis');
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: stack.world.token });
  const client = google.logging({ version: 'v2', rootUrl: `${stack.world.url}/`, auth });
  const logName = 'projects/conformance/logs/tailed';
  const requestBody = { resourceNames: ['projects/conformance'], filter: `logName="${logName}"`, bufferWindow: '0s' };
  const { data } = await client.entries.tail({ requestBody }, { responseType: 'stream' });
  const entries = [{ textPayload: 'heard', resource: { type: 'global' }, logName }];
  await client.entries.write({ requestBody: { entries } });
  let text = '';
  for await (const chunk of data as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('heard')) break; // The stream is closed, and the array with it.
  }
  expect(JSON.parse(`${text.trim()}]`)).toMatchObject([{ entries: [{ logName, textPayload: 'heard' }] }]);
});
