import { afterEach, expect, test } from 'vitest';
import { localPdfs, type LocalPdfs } from '../../local/pdf-service.ts';
import { onePage, shown } from '../search/ingest/pdf-file.ts';

let pdfs: LocalPdfs;
afterEach(() => pdfs.stop());

const moduleOf = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
const endless = moduleOf('for (;;) {}');
const honest = onePage('/Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R', { content: shown('Honest') });

test('B1: a PDF is read in a thread', async () => {
  pdfs = localPdfs();
  expect(await pdfs.read(honest)).toEqual({ ok: true, read: { text: 'Honest', title: '' } });
});

test.each([
  ['computes without end', endless],
  ['fails', moduleOf('throw new Error("broken")')],
  ['ends without a word', moduleOf('0')],
  ['takes all memory', moduleOf('const all = []; for (;;) all.push(new Array(1e6).fill(1.5));')],
])('B1: a thread that %s is ended, and said to be', async (_what, thread) => {
  pdfs = localPdfs({ readMs: 3_000, thread });
  expect(await pdfs.read(honest)).toEqual({ ok: false, reason: 'ended' });
});

test('B1: two are read at once, sixteen wait, and stopping ends them all', async () => {
  pdfs = localPdfs({ thread: endless });
  const reads = Array.from({ length: 20 }, () => pdfs.read(honest));
  expect(await Promise.all(reads.slice(18))).toEqual([
    { ok: false, reason: 'busy' },
    { ok: false, reason: 'busy' },
  ]);
  await pdfs.stop();
  const ended = await Promise.all(reads.slice(0, 18));
  expect(ended.every(({ ok }) => !ok)).toBe(true);
});
