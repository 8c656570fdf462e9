import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** A number of the code, and the limits of a deployment's file. */
const told = (file: string, name: string): string | undefined =>
  new RegExp(`${name} = ([\\d_]+);`).exec(read(file))?.[1]?.replaceAll('_', '');
const deployed = (file: string, binding: string): (string | undefined)[] => {
  const row = new RegExp(
    `name = "${binding}"\\nnamespace_id = "\\d+"\\nsimple = \\{ limit = (\\d+), period = 60 \\}`,
    'g',
  );
  return [...read(file).matchAll(row)].map(([, limit]) => limit);
};

test.each([
  ['routes/control/limits.ts', 'CALLS_A_MINUTE', 'wrangler.control.toml', 'MANAGEMENT_LIMIT', '60000'],
  ['routes/api/context.ts', 'FREE_REQUESTS', 'wrangler.toml', 'FREE_LIMIT', '300'],
  ['routes/webhook/refusals.ts', 'OPERATOR_CALLS', 'wrangler.webhook.toml', 'OPERATOR_LIMIT', '600'],
])('the limit that callers are told, %s %s, is the one that is deployed', (code, name, file, binding, limit) => {
  expect(told(code, name)).toBe(limit);
  expect(deployed(file, binding)).toEqual([limit, limit, limit]); // Of the three environments.
});
