import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEmulatorOptions } from '../../../local/emulator/options.ts';
import { WrongInput } from '../../../local/emulator/wrong-input.ts';

const DEFAULTS = { port: 9099, host: '127.0.0.1', noAuth: false, json: false, verbose: false, faults: [] };
const folder = mkdtempSync(join(tmpdir(), 'emulator-options-'));
function writeFaults(content: string): string {
  const file = join(folder, 'faults.json');
  writeFileSync(file, content);
  return file;
}

test.each([
  [[], DEFAULTS],
  [['--port', '0', '--no-auth'], { ...DEFAULTS, port: 0, noAuth: true }],
  [['--host', 'localhost'], DEFAULTS],
  [['--host', '::1'], { ...DEFAULTS, host: '::1' }],
  [['--grpc-port', '0'], { ...DEFAULTS, grpcPort: 0 }],
  [['--clock', 'running'], { ...DEFAULTS, clock: { mode: 'running' } }],
  [['--clock', '2026-01-15'], { ...DEFAULTS, clock: { mode: 'frozen', nowMs: Date.UTC(2026, 0, 15) } }],
  [
    ['--clock', '2026-01-15T10:00:00+01:00'],
    { ...DEFAULTS, clock: { mode: 'frozen', nowMs: Date.UTC(2026, 0, 15, 9) } },
  ],
  [['--random-seed', 'a', '--keys', 'k'], { ...DEFAULTS, randomSeed: 'a', keys: 'k' }],
  [
    ['--seed', 's', '--import', 'i', '--export-on-exit', 'e'],
    { ...DEFAULTS, seed: 's', importFrom: 'i', exportTo: 'e' },
  ],
])('%j is read', (args, expected) => {
  expect(readEmulatorOptions(args)).toEqual(expected);
});

test.each([
  [['--host', '0.0.0.0'], 'an address that others can reach'],
  [['--host', 'my-machine'], 'a name that others can reach'],
  [['--host', 'constructor'], 'a name that others can reach'],
  [['--port', '65536'], 'takes a port number'],
  [['--port', '-1'], 'ambiguous'],
  [['--grpc-port', 'x'], '--grpc-port takes a port number'],
  [['--clock', '15.1.2026'], '--clock takes'],
  [['--clock', '2026-13-45'], '--clock takes'],
  [['--random-seed', ''], '--random-seed takes'],
  [['--random-seed', 'x'.repeat(101)], '--random-seed takes'],
  [['--faults', '/nowhere.json'], 'it cannot be read'],
  [['start'], 'Unexpected argument'],
])('%j is refused', (args, said) => {
  expect(() => readEmulatorOptions(args)).toThrow(WrongInput);
  expect(() => readEmulatorOptions(args)).toThrow(said);
});

test('faults are judged before anything starts', () => {
  const fault = { method: '*', status: 503, every: 2 };
  expect(readEmulatorOptions(['--faults', writeFaults(JSON.stringify([fault]))])).toMatchObject({ faults: [fault] });
  for (const [content, said] of [
    ['{}', 'the file'],
    ['[{"method":"*"}]', 'A fault needs a status or a latency'],
    ['[{"method":"*","status":200}]', '0.status'],
    ['[', 'it is no JSON'],
  ] as const)
    expect(() => readEmulatorOptions(['--faults', writeFaults(content)])).toThrow(said);
});
