import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { VerifiedLine, ReportVerification } from '../../statements/verify-report.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseCommand, refuseUsage } from '../core/failure.ts';
import { writeResult } from '../core/output.ts';
import { formatSafeJson, formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import type { Replay } from './replay-result.ts';

type VerifyValues = GivenWords<CommandTable['verify']['options']>['values'];

/** Largest report and key set that are read, in bytes; a snapshot may be as large as its reader takes. */
const MAX_REPORT_BYTES = 52_428_800;
const MAX_KEY_SET_BYTES = 262_144;

/** `sightline verify <report> --jwks <file> --issuer <origin>`: what a service signed, by keys that the reader has. No network. */
export async function runVerifyCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('verify', args);
  if (isFailure(given)) return given;
  const { values, words } = given;
  const { jwks, issuer } = values;
  if (jwks === undefined || issuer === undefined)
    return refuseUsage(
      'Name the keys and the service: --jwks <file> and --issuer <origin>.',
      'Save https://<service>/.well-known/jwks.json from the service itself, never from who gave you the report.',
    );
  const origin = readOrigin(issuer);
  if (origin === undefined)
    return refuseUsage(`--issuer ${formatSafeLine(issuer)} is no origin, such as https://sightline.example.`);
  const texts = readTexts(words[0] ?? '', values, jwks);
  if (isFailure(texts)) return texts;
  const { verifyReport } = await import('../../statements/verify-report.ts');
  const report = parseJson(texts.report);
  const found = await verifyReport({
    report,
    keySet: texts.keySet,
    issuer: origin,
    ...(texts.snapshot === undefined ? {} : { snapshotSha256: texts.snapshot.sha256 }),
  });
  if (found.kind === 'unverifiable')
    return refuseCommand(
      found.reason,
      found.detail,
      found.reason === 'unsigned' ? EXIT.below : EXIT.usage,
      found.reason === 'unsigned' ? 'Its snapshot can still be replayed: sightline replay <file>.' : undefined,
    );
  const replay = await replayIfMatching(found, texts.snapshot?.text, report);
  const printed = writeResult(
    values.json === true || values.format === 'json'
      ? `${formatSafeJson(describeFound(found, replay))}\n`
      : formatFound(found, replay, jwks),
    values,
  );
  if (printed !== EXIT.done) return printed;
  return isProven(found, replay) ? EXIT.done : EXIT.below;
}

type Judged = ReportVerification & { kind: 'judged' };

const isProven = ({ ok }: Judged, replay: Replay | undefined): boolean => ok && replay?.kind !== 'other';

/** A snapshot that is not the signed one proves nothing about the report. */
async function replayIfMatching(
  { lines }: Judged,
  snapshot: string | undefined,
  report: unknown,
): Promise<Replay | undefined> {
  if (snapshot === undefined || lines.every(({ part, ok }) => part !== 'snapshot' || ok !== true)) return undefined;
  const { replayResult } = await import('./replay-result.ts');
  return replayResult(snapshot, report as Readonly<Record<string, unknown>>); // It has a statement, so it is an object.
}

const describeFound = ({ ok, subject, type, issuer, kid, claims, lines }: Judged, replay: Replay | undefined) => ({
  verified: isProven({ ok } as Judged, replay),
  subject,
  type,
  issuer,
  key: kid ?? null,
  claims,
  checks: lines,
  ...(replay === undefined ? {} : { replay }),
});

function formatFound(found: Judged, replay: Replay | undefined, file: string): string {
  const { subject, issuer, kid, claims, lines } = found;
  const shown = formatSafeLine;
  const named = Object.entries(claims).filter(([name, value]) => name !== 'issuer' && typeof value === 'string');
  const proven = isProven(found, replay);
  return [
    proven ? formatPassed(lines) : 'Not verified.',
    SUBJECTS[subject],
    `Issuer ${shown(issuer)}`,
    `Key ${shown(kid ?? 'none')}, looked up in ${shown(file)}`,
    ...lines.map(formatLine),
    ...(replay === undefined ? [] : [formatReplay(replay)]),
    '',
    ...named.map(([name, value]) => `${shown(name)}: ${shown(String(value))}`),
    '',
    proven
      ? `What passed is as certain as it is that ${shown(file)} came from the issuer.`
      : 'Do not rely on this file. Ask who gave it to you, or read the report at its service.',
    '',
  ].join('\n');
}

const SUBJECTS: Readonly<Record<Judged['subject'], string>> = {
  report: 'Read as a report',
  delivery_figures: 'Read as delivery figures, which say nothing about any report',
};

/** What was not checked is a line of its own: the verdict is only about the rest. */
const formatPassed = (lines: readonly VerifiedLine[]): string =>
  lines.some(({ ok }) => ok === null) ? 'Every check that could be made passed.' : 'Every check passed.';

const formatLine = ({ part, ok, detail }: VerifiedLine): string => {
  const passed = ok === true ? 'pass' : 'FAIL';
  return `  ${ok === null ? '----' : passed}  ${part}: ${formatSafeLine(detail)}`;
};

function formatReplay(replay: Replay): string {
  if (replay.kind === 'same') return '  pass  replay: the snapshot gives the same result on this machine.';
  const detail = formatSafeLine(replay.detail);
  return replay.kind === 'other' ? `  FAIL  replay: ${detail}` : `  ----  replay: not made. ${detail}`;
}

type Texts = { report: string; keySet: string; snapshot?: { text: string; sha256: string } };

function readTexts(reportFile: string, { snapshot }: VerifyValues, keyFile: string): Texts | CommandFailure {
  const report = readBytes(reportFile, MAX_REPORT_BYTES);
  if (isFailure(report)) return report;
  const keySet = readBytes(keyFile, MAX_KEY_SET_BYTES);
  if (isFailure(keySet)) return keySet;
  const texts = { report: report.toString('utf8'), keySet: keySet.toString('utf8') };
  if (snapshot === undefined) return texts;
  const bytes = readBytes(snapshot, Number.POSITIVE_INFINITY);
  if (isFailure(bytes)) return bytes;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...texts, snapshot: { text: bytes.toString('utf8'), sha256 } };
}

function readBytes(file: string, maxBytes: number): Buffer | CommandFailure {
  const refuse = (why: string): CommandFailure => refuseCommand('file_unusable', `${file}: ${why}`, EXIT.usage);
  try {
    if (statSync(file).size > maxBytes) return refuse(`larger than ${maxBytes} bytes`);
    return readFileSync(file);
  } catch (error) {
    return refuse(
      error instanceof Error && 'code' in error ? `cannot be read (${String(error.code)})` : 'cannot be read',
    );
  }
}

/** The origin in an address; undefined for what is none. */
const readOrigin = (text: string): string | undefined => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' ? url.origin : undefined;
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Which is no report.
  }
}
