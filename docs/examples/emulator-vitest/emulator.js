// Ten lines of set-up: one emulator for all test files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const command = process.env.SIGHTLINE_EMULATOR_COMMAND ?? 'node_modules/.bin/sightline-emulator';
export async function setup() {
  const emulator = spawn(`exec ${command} --no-auth --port 0 --seed seed.json --json`, {
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(emulator.stdout), 'line');
  Object.assign(process.env, JSON.parse(line).env);
  return () => emulator.kill();
}
