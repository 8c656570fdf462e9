import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { LogFormat } from '../../../src/traffic/formats/formats-data.ts';

const READER = new URL('../../../src/traffic/formats/log-reader.ts', import.meta.url).href;
const LINES = 3_000;
const OLD_SPACE_MB = 64;

/** Lines of 60 kB that are all different, with `{}` for the long and different text. */
const longLines: Readonly<Partial<Record<LogFormat, string>>> = {
  cloudfront:
    '2026-10-10\\t13:55:36\\tFRA56-P4\\t5\\t203.0.113.9\\tGET\\td.example\\t/\\t200\\t{}\\tx\\t-\\t-\\tHit\\tid\\t-',
  vercel: '{"deploymentId":"d","requestId":"{}","proxy":{"method":"GET","path":"/","statusCode":200}}',
};

test.each(Object.entries(longLines))('%s: texts of any length do not fill the memory', (format, line) => {
  const code = `
    const { createLogReader } = await import(${JSON.stringify(READER)});
    const reader = createLogReader(() => {}, '${format}');
    for (let at = 0; at < ${LINES}; at += 1) reader.push('${line}\\n'.replace('{}', at + 'x'.repeat(60_000)));
    reader.end();
    console.log(reader.counts.requests);
  `;
  const args = [`--max-old-space-size=${OLD_SPACE_MB}`, '--input-type=module', '-e', code];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, `${LINES}\n`]);
});
