import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { formatExportLines, listClientVariables } from '../../../local/emulator/client-variables.ts';

const facts = { control: 'http://127.0.0.1:9099', token: 'tok', project: 'local' };

test('variables name the emulator for each family, gRPC and key file only where there is one', () => {
  const variables = listClientVariables(facts);
  expect(variables).toMatchObject({
    CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9099/client/v4',
    CLOUDFLARE_API_TOKEN: 'tok',
  });
  expect(Object.keys(variables)).not.toContain('GOOGLE_APPLICATION_CREDENTIALS');
  const more = listClientVariables({ ...facts, grpcPort: 9100, keyFile: '/k.json' });
  expect(more).toMatchObject({ SIGHTLINE_EMULATOR_GRPC: '127.0.0.1:9100', GOOGLE_APPLICATION_CREDENTIALS: '/k.json' });
});

test('a shell takes each value as it is', () => {
  const value = `it's $HOME "and" \`id\` \\ more`;
  const lines = formatExportLines({ VALUE: value });
  expect(execFileSync('/bin/sh', ['-c', `${lines}printf %s "$VALUE"`], { encoding: 'utf8' })).toBe(value);
});
