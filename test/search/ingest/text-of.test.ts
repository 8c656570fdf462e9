import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_FILE_BYTES } from '../../../src/search/ingest/kinds-data.ts';
import { extractPdfText } from '../../../src/search/pdf/text.ts';
import { readFileText } from '../../../src/search/ingest/text-of.ts';
import { encryptedPdf, pdf } from '../../support/audit/pdf.ts';
import { base85, deflated, hex, image } from '../pdf/data.ts';
import { pdfOf } from '../pdf/of.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (key: string, type: string, content: string | Uint8Array) =>
  readFileText({ key, type, bytes: typeof content === 'string' ? bytes(content) : content }, extractPdfText);

describe('the text of a file', () => {
  test.each([
    ['notes.txt', 'text/plain', 'One\r\ntwo', { text: 'One\ntwo', title: '', type: 'text/plain' }],
    ['a.md', 'text/markdown; charset=utf-8', '# T #\n\nx', { text: '# T #\n\nx', title: 'T', type: 'text/markdown' }],
    ['a.md', 'application/octet-stream', '# T', { text: '# T', title: 'T', type: 'text/markdown' }],
    ['a.md', 'text/plain', '# T', { text: '# T', title: 'T', type: 'text/markdown' }],
    ['a.py', '', '# no heading', { text: '```py\n# no heading\n```\n', title: '', type: 'text/x-python' }],
    ['data', 'application/json', '{"a":1}', { text: '```\n{"a":1}\n```\n', title: '', type: 'application/json' }],
    ['a.yml', 'application/yaml', 'a: ```', { text: '````yml\na: ```\n````\n', title: '', type: 'application/yaml' }],
    ['feed', 'application/atom+xml', '<a/>', { text: '```\n<a/>\n```\n', title: '', type: 'application/atom+xml' }],
  ])('%s of type %s is read', async (key, type, content, expected) => {
    expect(await read(key, type, content)).toEqual({ ok: true, ...expected });
  });

  test.each([
    ['a picture', 'a.png', 'image/png', 'x', 'unsupported_type'],
    ['a program', 'a.exe', 'application/octet-stream', 'x', 'unsupported_type'],
    ['a name like a property of objects', 'a.constructor', '', 'x', 'unsupported_type'],
    ['a type like a property of objects', 'a', 'toString', 'x', 'unsupported_type'],
    ['bytes that are not UTF-8', 'a.txt', 'text/plain', new Uint8Array([0x61, 0xff, 0x62]), 'not_utf8'],
    ['NUL bytes', 'a.txt', 'text/plain', new Uint8Array([0x61, 0, 0x62]), 'not_utf8'],
    ['white space', 'a.txt', 'text/plain', ' \n ', 'empty'],
    ['no bytes', 'a.json', 'application/json', '', 'empty'],
    ['a page without text', 'a.html', 'text/html', '<p><img src=x></p><script>a</script>', 'empty'],
    ['a broken PDF', 'a.pdf', 'application/pdf', '%PDF-1.7\nnothing', 'unreadable'],
    ['an encrypted PDF', 'a.pdf', 'application/pdf', encryptedPdf, 'unreadable'],
    ['a PDF without text', 'a.pdf', 'application/pdf', pdf([[]]), 'empty'],
    ['one byte too many', 'a.txt', 'text/plain', 'x'.repeat(MAX_FILE_BYTES + 1), 'too_large'],
  ])('%s is refused', async (_, key, type, content, reason) => {
    const answer = await read(key, type, content);
    expect(answer).toMatchObject({ ok: false, reason });
  });

  test('4 MiB are read', async () => {
    expect(await read('a.txt', 'text/plain', 'x'.repeat(MAX_FILE_BYTES))).toMatchObject({ ok: true });
  });

  test('a message repeats nothing of a media type but its plain characters', async () => {
    expect(await read('a', 'a/<script>alert("x")</script>', 'x')).toMatchObject({
      message: 'Files of the type a/scriptalertx/script are not indexed',
    });
  });

  test.each([
    ['UTF-16, little end first', [0xff, 0xfe, 0x41, 0, 0xe9, 0], 'Aé'],
    ['UTF-16, big end first', [0xfe, 0xff, 0, 0x41, 0, 0xe9], 'Aé'],
    ['UTF-8 with its mark', [0xef, 0xbb, 0xbf, 0x41], 'A'],
  ])('a byte order mark of %s is understood', async (_, content, text) => {
    expect(await read('a.txt', 'text/plain', new Uint8Array(content))).toMatchObject({ ok: true, text });
  });

  test.each([
    ['text/html; charset=iso-8859-1', '<p>caf\xe9'],
    ['text/html', '<meta charset=windows-1252><p>caf\xe9'],
  ])('a page of %s says its charset', async (type, content) => {
    const latin = Uint8Array.from(content, (char) => char.charCodeAt(0));
    expect(await read('a.html', type, latin)).toMatchObject({ ok: true, text: 'café\n', type });
  });

  test.each([
    ['text/plain; Charset="ISO-8859-1"; format=flowed', 'text/plain; charset=iso-8859-1'],
    ['text/plain; charset=UTF-8', 'text/plain'],
  ])('%s is kept as %s: the bytes can be read again by it', async (sent, type) => {
    const latin = sent.includes('8859') ? Uint8Array.of(0xe9) : bytes('é');
    expect(await read('a.txt', sent, latin)).toMatchObject({ ok: true, text: 'é', type });
    expect(await read('a.txt', type, latin)).toMatchObject({ ok: true, text: 'é', type });
  });
});

describe('the text of a page', () => {
  const markdown = async (html: string) => {
    const answer = await read('a.html', 'text/html', html);
    return answer.ok ? answer.text : answer.reason;
  };

  test('its main content is Markdown: headings, lists, tables, code and quotations; links keep their text only', async () => {
    const html =
      '<!doctype html><title> My\n page</title><nav>Menu</nav><header>Top</header><main><h1>Hello</h1>' +
      '<p>One <a href="/x">two</a><br>three<p># none<ul><li>a<ul><li>b</ul><li>c <p>d</p></ul><ol start=3><li>x<li>y</ol>' +
      '<pre><code>a\n b\n</code></pre><table><tr><th>A<th>B<tr><td>1<td>2|3</table><blockquote><p>q</blockquote>' +
      '</main><aside>Ads</aside><footer>End</footer>';
    expect(await read('a.html', 'text/html', html)).toEqual({
      ok: true,
      title: 'My page',
      type: 'text/html',
      text:
        '# Hello\n\nOne two three\n\n\\# none\n\n- a\n  - b\n- c\n\n  d\n\n3. x\n4. y\n\n```\na\n b\n```\n\n' +
        '| A | B |\n| 1 | 2\\|3 |\n\n> q\n',
    });
  });

  test.each([
    ['hidden elements', '<p>a<p hidden>b<div style="display: none"><p>c</div><p aria-hidden=true>d', 'a\n\nd\n'],
    ['scripts, styles and templates', '<p>a<script>b</script><style>c</style><template><p>d</template>', 'a\n'],
    ['controls of forms', '<form><label>Name</label><select><option>b</select><button>c</button></form>', 'Name\n'],
    [
      'navigation and frames of the page',
      '<nav>b</nav><header>c</header><p>a<footer>d</footer><div role=banner>e</div>',
      'a\n',
    ],
    ['what stands beside main content', '<p>b<main><p>a</main><p>c', 'a\n'],
    [
      'nothing of an article: its header is its own',
      '<article><header><h2>a</h2></header><p>b</article>',
      '## a\n\nb\n',
    ],
    ['nothing where main is empty', '<main></main><p>a', 'a\n'],
    ['no cell of a table that arranges the page', '<table><tr><td>a<td><h2>b</h2><p>c</table>', 'a\n\n## b\n\nc\n'],
    ['nothing of a table in another', '<table><tr><td>a<table><tr><td>b<td>c</table></table>', 'a\n\n| b | c |\n'],
  ])('leaves out %s', async (_, html, text) => {
    expect(await markdown(html)).toBe(text);
  });

  test('a page without a title is called by its heading', async () => {
    expect(await read('a', 'text/html', '<h1>Big <em>one</em></h1>')).toMatchObject({ title: 'Big one' });
  });

  test.each(['<div>', '<ul><li>', '<table><tr><td>', '<blockquote>', '<pre>', '<h1>', '<svg><title>'])(
    '%s a hundred thousand times, never closed, is read',
    async (tag) => {
      expect(['unreadable', 'empty']).not.toContain(await markdown(`<p>a</p>${tag.repeat(100_000)}x`));
    },
  );

  test('any bytes are read or refused', async () => {
    const types = fc.constantFrom('text/html', 'text/plain', 'text/markdown', 'application/json', 'text/csv');
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), types, async (content, type) => {
        expect(typeof (await read('a', type, content)).ok).toBe('boolean');
      }),
    );
  });
});

describe('the text of a PDF', () => {
  test('pages follow each other, and its title is kept', async () => {
    expect(
      await read('a.pdf', 'application/pdf', pdf([['First page', 'second line'], ['Second page']], 'My paper')),
    ).toEqual({
      ok: true,
      text: 'First page\nsecond line\n\nSecond page',
      title: 'My paper',
      type: 'application/pdf',
    });
  });

  test('at most 200 pages are read', async () => {
    const answer = await read(
      'a.pdf',
      'application/pdf',
      pdf(Array.from({ length: 205 }, (_, index) => [`Page ${index + 1}`])),
    );
    expect(answer).toMatchObject({ ok: true });
    expect(answer.ok && answer.text.endsWith('Page 200')).toBe(true);
  });

  const shown = 'BT /F1 12 Tf 50 700 Td (Compressed text) Tj ET';
  const many = 'q Q '.repeat(5_000_000); // 20 MB
  const others = 'q Q '.repeat(1_000_000);

  test.each([
    ['DEFLATE', deflated(shown)],
    ['DEFLATE and base 85', base85(deflated(shown))],
    ['DEFLATE and hexadecimal digits', hex(deflated(shown))],
    ['DEFLATE twice', deflated(deflated(shown))],
    ['DEFLATE, 4 MB', deflated(others + shown)],
  ])('in streams of %s is read', async (_, content) => {
    expect(await read('a.pdf', 'application/pdf', pdfOf(content))).toMatchObject({ ok: true, text: 'Compressed text' });
  });

  test('beside pictures, however large they would be, is read', async () => {
    const picture = image(deflated(many));
    expect(await read('a.pdf', 'application/pdf', pdfOf(deflated(shown), picture, picture))).toMatchObject({
      text: 'Compressed text',
    });
  });

  test.each([
    ['one stream', [deflated(many)]],
    ['several streams', Array.from({ length: 5 }, () => deflated(others))],
    ['a stream of streams', [deflated(deflated(many))]],
    ['base 85', [base85(deflated(many))]],
    ['hexadecimal digits', [hex(deflated(many))]],
    ['a stream with its end named within', [deflated(`endstream${many}`, 'endstream')]],
    ['a stream behind a comment', [deflated(many, '', 'stream %\r')]],
    ['a stream of no filter that is known', [{ ...deflated(many), filters: [] }]],
    ['a stream of DEFLATE in DEFLATE five times', [[1, 2, 3, 4].reduce((inner) => deflated(inner), deflated('x'))]],
    ['streams without number', Array.from({ length: 17_000 }, () => ({ filters: [], bytes: new Uint8Array(1) }))],
  ])('K9: of more than 16 MiB in %s is refused before it is read', async (_, streams) => {
    const [first = deflated(shown), ...more] = streams;
    expect(await read('a.pdf', 'application/pdf', pdfOf(first, ...more))).toEqual({
      ok: false,
      reason: 'too_large',
      message: 'The file inflates to more than 16777216 bytes, or takes too long to read',
    });
  });

  test('one with any bytes changed or cut off is read or refused', async () => {
    const whole = pdf([['Some text here']]);
    const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), fc.nat(whole.length), async (changes, length) => {
        const broken = whole.slice(0, Math.max(length, 10));
        for (const { at, to } of changes) if (at < broken.length) broken[at] = to;
        expect(typeof (await read('a.pdf', 'application/pdf', broken)).ok).toBe('boolean');
      }),
      { numRuns: budgetFor(30, 150) },
    );
  });
});
