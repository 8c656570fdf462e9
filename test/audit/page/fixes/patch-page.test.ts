import { expect, test } from 'vitest';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import { patchPage } from '../../../../src/audit/page/fixes/patch-page.ts';
import { newRewriter } from '../../../support/stack/local-tools.ts';

const html = '<html><head></head><body><p>Text</p></body></html>';
const source = { html, page: parsePage(html, { url: 'https://acme.example/', bodyBytes: html.length }) };

test('an edit that fails is told from a page that cannot be followed', async () => {
  const edit = (): never => {
    throw new TypeError('a fault of ours');
  };
  expect(await patchPage(source, { elements: [{ selector: 'p', edit }] }, newRewriter)).toEqual({
    ok: false,
    why: 'one of the changes was refused',
  });
});

test('a rewriter that stops at the page is an answer', async () => {
  const stopping = () => {
    const rewriter = newRewriter();
    return {
      on: rewriter.on.bind(rewriter),
      transform: () => new Response(new ReadableStream({ start: (c) => c.error(new Error('memory')) })),
    };
  };
  const edits = { elements: [{ selector: 'p', edit: () => undefined }] };
  expect(await patchPage(source, edits, stopping as unknown as typeof newRewriter)).toEqual({
    ok: false,
    why: 'an HTML rewriter stops at it',
  });
});
