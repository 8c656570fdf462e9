/**
 * Child of the pages part: renders the stored report of 200 checks again and again, from its JSON text to the HTML, and
 * prints sizes and times.
 */
import { gzipSync } from 'node:zlib';
import { readStored } from '../../src/web/report/stored.ts';
import { reportPage, reportView } from '../../src/web/report/page.tsx';
import { storedReport } from './stored-report.ts';

export type ReportTimes = {
  checks: number;
  jsonBytes: number;
  htmlBytes: number;
  gzipBytes: number;
  /** CPU of the first rendering of the process, and of each after the warm-up, in milliseconds. */
  coldMs: number;
  cpuMs: readonly number[];
};

const CHECKS = 200;
const WARM_UP = 30;
const RUNS = 50;

const text = await storedReport(CHECKS);

async function rendered(): Promise<string> {
  const frame = {
    id: '0123456789abcdef'.repeat(2),
    baseUrl: 'https://sightline.example',
    storedAtMs: Date.UTC(2026, 10, 21),
    expiresAtMs: Date.UTC(2026, 11, 21),
    publishing: { published: false, publishable: true, host: 'bench.example.com' },
  };
  const view = reportView(frame, readStored(text));
  if (view === undefined) throw new Error('the stored report is none');
  return String(await reportPage(view));
}

async function cpuOfOne(): Promise<number> {
  const before = process.cpuUsage();
  await rendered();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const coldMs = await cpuOfOne();
for (let run = 0; run < WARM_UP; run += 1) await rendered();
const cpuMs: number[] = [];
for (let run = 0; run < RUNS; run += 1) cpuMs.push(await cpuOfOne());

const html = await rendered();
const delivered: ReportTimes = {
  checks: CHECKS,
  jsonBytes: Buffer.byteLength(text),
  htmlBytes: Buffer.byteLength(html),
  gzipBytes: gzipSync(html).byteLength,
  coldMs,
  cpuMs,
};
console.log(JSON.stringify(delivered));
