import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinControlStack, startControlStack } from './support/control-stack.ts';

/** Where Debian's `libgoogle-api-client-java` puts its jars, those that it needs beside them. */
const JARS = '/usr/share/java';
const NEEDED =
  /^(?:google-|gson|jackson-core|opencensus|httpc|guava|commons-(?:logging|codec)|grpc-context|failureaccess)/;
const PROGRAM = fileURLToPath(new URL('java/BatchCalls.java', import.meta.url));
const HANG_MS = 120_000;
const hasClient = existsSync(`${JARS}/google-api-client.jar`);

let stack: Awaited<ReturnType<typeof joinControlStack>>;

beforeAll(async () => {
  stack = await joinControlStack();
});
afterAll(async () => stack?.stop());

/** What the program prints, line by line. */
async function runJava(origin: string, token: string, groups: readonly string[]): Promise<string[]> {
  const jars = readdirSync(JARS).filter((name) => NEEDED.test(name) && name.endsWith('.jar'));
  const path = jars.map((name) => `${JARS}/${name}`).join(':');
  const args = ['-cp', path, PROGRAM, origin, token, ...groups];
  const { stdout } = await promisify(execFile)('java', args, { timeout: HANG_MS });
  return stdout.trim().split('\n');
}

test.skipIf(!hasClient)(
  "Java's official client makes a batch with a token in its calls alone",
  { timeout: HANG_MS },
  async () => {
    const groups = ['one', 'two', 'nobody'].map((name) => `java-${name}@${stack.world.domain}`);
    expect(await runJava(stack.world.url, stack.world.token, groups)).toEqual([
      `made ${groups[0]}`,
      `made ${groups[1]}`,
      'refused 404',
      `alone ${groups[0]}`,
    ]);
    const { data } = await stack.world.admin.groups.get({ groupKey: groups[1] ?? '' });
    expect(data.email).toBe(groups[1]);
  },
);

test.skipIf(!hasClient)(
  'where the setting is off each of its calls is 400, and none is made',
  { timeout: HANG_MS },
  async () => {
    const strict = await startControlStack({ controlBindings: { BATCH_FULL_URLS: '' } });
    try {
      const groups = ['one', 'two', 'nobody'].map((name) => `java-${name}@${strict.world.domain}`);
      const failed = runJava(strict.world.url, strict.world.token, groups);
      // Its last line asks for a group that the batch should have made.
      await expect(failed).rejects.toMatchObject({ stdout: 'refused 400\nrefused 400\nrefused 400\n' });
    } finally {
      await strict.stop();
    }
  },
);
