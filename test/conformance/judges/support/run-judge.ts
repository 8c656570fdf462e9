import { spawn } from 'node:child_process';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { JudgeLanguage } from '../judges-data.ts';
import { buildGoJudge } from './go-build.ts';
import { folderOf } from './cases.ts';

/** For hangs only: a run takes 5 to 20 seconds. */
const RUN_TIMEOUT_MS = 240_000;
const MAX_ERROR_CHARS = 4_000;
const MAX_LINES = 1_000;

const JARS = '/usr/share/java';
const JAVA_PATH = `google-api-client google-http-client google-http-client-gson google-oauth-client gson guava
  opencensus-api opencensus-contrib-http-util grpc-context`
  .split(/\s+/)
  .map((name) => join(JARS, `${name}.jar`))
  .join(':');

const lineSchema = z.object({ name: z.string(), ok: z.boolean(), detail: z.string() });
/** How a case went, as the program says. */
export type CaseResult = z.output<typeof lineSchema>;

/** What a program is told: whom to judge, as whom. */
export type JudgeWorld = { url: string; token: string; customer: string; domain: string; keyFile: string };

/** The command of each language. Java runs its one file from source; its code is too short to be worth optimising. */
const commands: Readonly<Record<JudgeLanguage, () => Promise<readonly [string, ...string[]]>>> = {
  python: async () => ['/usr/bin/python3', join(folderOf('python'), 'main.py')],
  go: async () => [await buildGoJudge()],
  ruby: async () => ['/usr/bin/ruby', join(folderOf('ruby'), 'main.rb')],
  java: async () => [
    '/usr/bin/java',
    '-Xmx256m',
    '-XX:TieredStopAtLevel=1',
    '-cp',
    JAVA_PATH,
    join(folderOf('java'), 'Judge.java'),
  ],
};

/** Runs the program of a language. @returns each case by its name */
export async function runJudge(language: JudgeLanguage, world: JudgeWorld): Promise<ReadonlyMap<string, CaseResult>> {
  const [program, ...args] = await commands[language]();
  const child = spawn(program, args, {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT_MS,
    killSignal: 'SIGKILL',
    env: {
      PATH: '/usr/bin:/bin',
      HOME: homedir(),
      LANG: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
      JUDGE_URL: world.url,
      JUDGE_TOKEN: world.token,
      JUDGE_CUSTOMER: world.customer,
      JUDGE_DOMAIN: world.domain,
      JUDGE_KEY_FILE: world.keyFile,
    },
  });
  let [said, complained] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    if (complained.length < MAX_ERROR_CHARS) complained += piece;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new Error(`The ${language} program ended with ${code}: ${complained}`);
  const lines = said.trim().split('\n', MAX_LINES);
  return new Map(lines.map((line) => lineSchema.parse(JSON.parse(line))).map((one) => [one.name, one]));
}
