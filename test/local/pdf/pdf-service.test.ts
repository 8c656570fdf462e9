import { afterEach, expect, test } from 'vitest';
import { createLocalPdfs, type LocalPdfs } from '../../../local/pdf/pdf-service.ts';
import { pdfOfEndlessFont } from '../../search/pdf/endless-font.ts';
import { onePage, shown } from '../../search/pdf/file.ts';

let pdfs: LocalPdfs;
afterEach(() => pdfs.stop());

const moduleOf = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
const endless = moduleOf('for (;;) {}');
const honest = onePage('/Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R', { content: shown('Honest') });

test('B1: a PDF is read in a thread', async () => {
  pdfs = createLocalPdfs();
  expect(await pdfs.read(honest, 'a')).toEqual({ ok: true, read: { text: 'Honest', title: '' } });
});

test.each([
  ['computes without end', endless],
  ['fails', moduleOf('throw new Error("broken")')],
  ['ends without a word', moduleOf('0')],
  ['takes all memory', moduleOf('const all = []; for (;;) all.push(new Array(1e6).fill(1.5));')],
])('B1: a thread that %s is ended, and said to be', async (_what, thread) => {
  pdfs = createLocalPdfs({ readMs: 3_000, thread });
  expect(await pdfs.read(honest, 'a')).toEqual({ ok: false, reason: 'ended' });
});

test('B1: one instance has one PDF read at a time, and what it has without end keeps others from nothing', async () => {
  pdfs = createLocalPdfs();
  const hostile = Array.from({ length: 3 }, () => pdfs.read(pdfOfEndlessFont(), 'hostile'));
  expect(await pdfs.read(honest, 'a')).toEqual({ ok: true, read: { text: 'Honest', title: '' } });
  expect(await pdfs.read(honest, 'b')).toEqual({ ok: true, read: { text: 'Honest', title: '' } });
  await pdfs.stop();
  expect(await Promise.all(hostile)).toEqual(hostile.map(() => ({ ok: false, reason: 'ended' })));
});

test('B1: sixteen of one instance wait, and stopping ends them all', async () => {
  pdfs = createLocalPdfs({ thread: endless });
  const reads = Array.from({ length: 19 }, () => pdfs.read(honest, 'a'));
  expect(await Promise.all(reads.slice(17))).toEqual([
    { ok: false, reason: 'busy' },
    { ok: false, reason: 'busy' },
  ]);
  await pdfs.stop();
  expect(await Promise.all(reads.slice(0, 17))).toEqual(reads.slice(0, 17).map(() => ({ ok: false, reason: 'ended' })));
});
