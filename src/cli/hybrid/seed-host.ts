import { isIP } from 'node:net';
import { withSeedHost } from '../../hybrid/core/seed-host.ts';
import { flag, parsed, text } from './args.ts';
import { readInput } from './input.ts';
import type { Io } from './io.ts';
import { done, fileFault, type Outcome, refused, wrongUsage } from './outcome.ts';
import { problemLines, safePath, shellWord } from './print.ts';
import { outRefusal, writeOut } from './out.ts';
import { notUtf8 } from './utf8.ts';
import { safeLine } from '../core/safe-text.ts';

/** `sightline hybrid seed-host <file> --set <address> -o <file>`: the copy for the step in which two rings become one. */
export async function seedHostCommand(args: readonly string[], io: Io): Promise<Outcome> {
  const given = parsed(args, { set: text, out: { ...text, short: 'o' }, force: flag });
  if (typeof given === 'string') return wrongUsage(given);
  const { file, values } = given;
  const { set: host, out, force } = values;
  if (host === undefined || !isAddress(host))
    return wrongUsage(
      `--set takes the IPv4 or IPv6 address of a node of the old ring${host === undefined ? '' : `, not ${safeLine(host)}`}.`,
    );
  const wrong = outRefusal(out);
  if (out === undefined || wrong !== undefined) return wrongUsage(wrong ?? '-o <file> is missing.');
  const read = await readInput(file, io);
  if (!read.ok) return fileFault(read.detail);
  const made = read.input.text === undefined ? notUtf8(read.input.bytes) : withSeedHost(read.input.text, host);
  if (!made.ok) {
    io.err(problemLines(file, made.problems));
    return refused;
  }
  const draft = { path: out, content: made.text, like: read.input.stats };
  const wrote = writeOut([draft], { stats: read.input.stats, force, hint: 'Name another file with -o.' });
  if (!wrote.ok) return fileFault(wrote.detail);
  io.err(
    `${wrote.paths.length === 0 ? `${safePath(out)} has this content already.` : `Wrote ${safePath(out)}.`}\n` +
      `It is for the time of the join only. After it, apply the file without the seed host again: apigeectl apply -f ${shellWord(file)} --datastore\n`,
  );
  return done;
}

/** Of a node that others can reach: no zone, which means something on one machine only, and not this machine itself. */
const isAddress = (host: string): boolean =>
  isIP(host) !== 0 && !host.includes('%') && !/^(?:0\.|127\.)/.test(host) && !SELF.has(host);

const SELF: ReadonlySet<string> = new Set(['::', '::1']);
