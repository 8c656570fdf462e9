import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planBatch, type BatchPart } from '../../../../src/management/core/conventions/batch.ts';
import { findBoundary, splitMultipartBody } from '../../../../src/management/core/conventions/multipart.ts';
import { HOSTILE, told } from './table.ts';

const TYPE = 'multipart/mixed; boundary="===============7330845974216740156=="';
const BOUNDARY = '===============7330845974216740156==';

const callText = (line: string, head = '', body = ''): string =>
  `Content-Type: application/http\nContent-ID: <a + 1>\n\n${line}\n${head}\n${body}`;
const batchText = (parts: readonly string[]): string =>
  `${parts.map((part) => `--${BOUNDARY}\n${part}\n`).join('')}--${BOUNDARY}--\n`;

const outer = { headers: {}, query: '' };
const plan = (content: string | Uint8Array, given = outer, type = TYPE): readonly BatchPart[] | string =>
  told(planBatch(given, content, type));
const only = (part: string, given = outer): BatchPart | string => {
  const planned = plan(batchText([part]), given);
  return typeof planned === 'string' ? planned : (planned[0] ?? 'no part');
};
const call = (part: string, given = outer): unknown => {
  const planned = only(part, given);
  if (typeof planned === 'string') return planned;
  return planned.ok ? planned.call : `part ${String(told(planned))}`;
};

/** As google-api-python-client 1.7.12 writes it: bare LF, MIME headers, an id with a plus, a Host within. */
const python = [
  `--${BOUNDARY}`,
  'Content-Type: application/http',
  'MIME-Version: 1.0',
  'Content-Transfer-Encoding: binary',
  'Content-ID: <b29c5de2-0db4-490b-b421-6a51b598bd22 + 1>',
  '',
  'GET /admin/directory/v1/users/a%40example.com?alt=json HTTP/1.1',
  'Content-Type: application/json',
  'MIME-Version: 1.0',
  'Host: 127.0.0.1:8787',
  'accept: application/json',
  'accept-encoding: gzip, deflate',
  'user-agent: (gzip)',
  '',
  '',
  `--${BOUNDARY}`,
  'Content-Type: application/http',
  'MIME-Version: 1.0',
  'Content-Transfer-Encoding: binary',
  'Content-ID: <b29c5de2-0db4-490b-b421-6a51b598bd22 + p%2F2>',
  '',
  'POST /admin/directory/v1/groups?alt=json HTTP/1.1',
  'Content-Type: application/json',
  'content-length: 29',
  '',
  '{"email": "g@example.com"}',
  `--${BOUNDARY}--`,
  '',
].join('\n');

describe('a batch', () => {
  const calls = [
    {
      ok: true,
      call: {
        contentId: '<b29c5de2-0db4-490b-b421-6a51b598bd22 + 1>',
        method: 'GET',
        path: '/admin/directory/v1/users/a%40example.com',
        query: 'alt=json',
        headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': '(gzip)' },
        body: '',
      },
    },
    {
      ok: true,
      call: {
        contentId: '<b29c5de2-0db4-490b-b421-6a51b598bd22 + p%2F2>',
        method: 'POST',
        path: '/admin/directory/v1/groups',
        query: 'alt=json',
        headers: { 'content-type': 'application/json' },
        body: '{"email": "g@example.com"}',
      },
    },
  ];

  test('as Python writes it, with LF, CRLF, as bytes, between a preamble and an epilogue', () => {
    expect(plan(python)).toEqual(calls);
    expect(plan(python.replaceAll('\n', '\r\n'))).toEqual(calls);
    expect(plan(new TextEncoder().encode(python))).toEqual(calls);
    expect(plan(`This is a batch.\r\n${python}That was it.\n--${BOUNDARY}\n`)).toEqual(calls);
    expect(plan(python.replaceAll(`${BOUNDARY}\n`, `${BOUNDARY}  \t\n`))).toEqual(calls);
  });

  test.each([
    ['multipart/mixed; boundary=batch_x', 'batch_x'],
    ['Multipart/Mixed ; Boundary="a b=c;d"', 'a b=c;d'],
    ['multipart/mixed; charset=utf-8; boundary=a=b==', 'a=b=='],
    ['multipart/mixed; type="boundary=no"; boundary=yes', 'yes'],
    ['multipart/mixed;boundary=b ; type=x', 'b'],
    ['multipart/mixed', undefined],
    ['multipart/mixed; boundary=', undefined],
    ['multipart/mixed; boundary=""', undefined],
    ['multipart/mixed; boundary="a ', undefined],
    ['multipart/mixed; boundary="ends in a space "', undefined],
    ['multipart/mixed; boundary="a\r\nb"', undefined],
    ['multipart/mixed; boundary=é', undefined],
    ['multipart/mixed; xboundary=a', undefined],
    [`multipart/mixed; boundary=${'x'.repeat(201)}`, undefined],
    [`multipart/mixed; ${'a=b;'.repeat(10_000)}boundary=x`, undefined],
    ['multipart/form-data; boundary=a', undefined],
    ['application/json', undefined],
    ['', undefined],
  ])('%j has the boundary %j', (type, boundary) => expect(findBoundary(type)).toBe(boundary));

  test('a boundary within a line, or that begins another one, parts nothing', () => {
    const body = `{"a":"--${BOUNDARY}"}\n--${BOUNDARY}more\n ---${BOUNDARY}`;
    expect(call(callText('POST /x', '', body))).toMatchObject({ body });
  });

  test.each([
    ['', 'The boundary of the batch is not in its body.'],
    ['garbage', 'The boundary of the batch is not in its body.'],
    ['--other\n\nGET /x\n--other--', 'The boundary of the batch is not in its body.'],
    [`--${BOUNDARY}\n${callText('GET /x')}\n`, 'The batch has no closing boundary.'],
    [`--${BOUNDARY}\n${callText('GET /x')}\n--${BOUNDARY}`, 'The batch has no closing boundary.'],
    [`--${BOUNDARY}\n${callText('GET /x')}\n --${BOUNDARY}--`, 'The batch has no closing boundary.'],
    [`--${BOUNDARY}--`, 'The batch has no part.'],
    [`preamble\n--${BOUNDARY}--\n--${BOUNDARY}\n`, 'The batch has no part.'],
  ])('%j is broken', (content, why) =>
    expect(plan(content)).toBe(`400 INVALID_ARGUMENT badRequest: Failed to parse batch request: ${why}`),
  );

  test.each(['application/json', 'multipart/form-data; boundary=a', 'multipart/mixed', ''])('%j is no batch', (type) =>
    expect(plan(python, outer, type)).toContain('400 INVALID_ARGUMENT badRequest: Failed to parse batch request'),
  );

  test('has at most 100 parts', () => {
    const part = callText('GET /x');
    expect(plan(batchText(Array(100).fill(part)))).toHaveLength(100);
    expect(plan(batchText(Array(101).fill(part)))).toBe(
      '400 INVALID_ARGUMENT badRequest: The batch request has too many parts: at most 100 calls are allowed.',
    );
  });

  test('K4: has at most 8 MiB, a part 1 MiB', () => {
    expect(plan('x'.repeat(8_388_609))).toBe(
      '413 INVALID_ARGUMENT uploadTooLarge: Request payload size exceeds the limit: 8388608 bytes.',
    );
    expect(plan(new Uint8Array(8_388_609))).toContain('413 ');
    const tooLarge = 'part 413 INVALID_ARGUMENT uploadTooLarge: Request payload size exceeds the limit: 1048576 bytes.';
    expect(call(callText('POST /x', '', 'x'.repeat(1_048_576)))).toBe(tooLarge);
    expect(call(callText('POST /x', '', 'é'.repeat(524_288)))).toBe(tooLarge);
    expect(call(callText('POST /x', '', 'x'.repeat(1_048_400)))).toHaveProperty('body');
  });
});

describe('a part', () => {
  test.each([
    ['GET /x', { method: 'GET', path: '/x', query: '' }],
    ['get /x?a=b%20c HTTP/1.1', { method: 'GET', path: '/x', query: 'a=b%20c' }],
    ['DELETE /a%2Fb/%252F?q=? HTTP/2', { method: 'DELETE', path: '/a%2Fb/%252F', query: 'q=?' }],
    ['PATCH /v1/things:act', { method: 'PATCH', path: '/v1/things:act', query: '' }],
  ])('%s', (line, read) => expect(call(callText(line))).toMatchObject(read));

  test.each([
    ['GET https://evil.example/x HTTP/1.1', 'the URL of a call is a path'],
    ['GET //evil.example/x HTTP/1.1', 'the URL of a call is a path'],
    ['GET /\\evil.example/x HTTP/1.1', 'the URL of a call is a path'],
    ['GET /\t/evil.example/x HTTP/1.1', 'the URL of a call is a path'],
    ['GET x HTTP/1.1', 'the URL of a call is a path'],
    ['GET /x#fragment HTTP/1.1', 'the URL of a call is a path'],
    ['GET', 'the URL of a call is a path'],
    ['', 'a call begins with a line'],
    ['{"a":1}', 'a call begins with a line'],
    ['HEAD /x HTTP/1.1', 'a call begins with a line'],
    ['OPTIONS * HTTP/1.1', 'a call begins with a line'],
    ['CONNECT evil.example:443', 'a call begins with a line'],
    ['GET /a b HTTP/1.1', 'a call begins with a line'],
    ['GET /a HTTP/1.1 more', 'a call begins with a line'],
    ['GET  /a HTTP/1.1', 'a call begins with a line'],
    ['__proto__ /a', 'a call begins with a line'],
  ])('%j is its own 400', (line, why) => {
    const answer = String(call(callText(line)));
    expect(answer).toContain(`part 400 INVALID_ARGUMENT badRequest: Failed to parse batch request: ${why}`);
    expect(only(callText(line))).toMatchObject({ ok: false, contentId: '<a + 1>' });
  });

  test('has a URL of at most 8,000 characters', () => {
    expect(call(callText(`GET /${'x'.repeat(7_999)} HTTP/1.1`))).toMatchObject({ method: 'GET' });
    expect(call(callText(`GET /${'x'.repeat(8_000)} HTTP/1.1`))).toContain('part 400 INVALID_ARGUMENT badRequest');
  });

  describe('with a full URL', () => {
    const own = { ...outer, ownOrigins: ['http://localhost:8788', 'http://127.0.0.1:8788'] };

    test('of our own origin is its path, where that is allowed', () => {
      expect(call(callText('GET http://127.0.0.1:8788/a/b?c=d HTTP/1.1'), own)).toMatchObject({
        path: '/a/b',
        query: 'c=d',
      });
      expect(call(callText('GET http://localhost:8788/a HTTP/1.1'), own)).toMatchObject({ path: '/a' });
      expect(call(callText('GET http://127.0.0.1:8788/a HTTP/1.1'))).toContain('part 400');
      expect(call(callText('GET /a HTTP/1.1'), own)).toMatchObject({ path: '/a' });
    });

    test.each([
      'https://127.0.0.1:8788/a',
      'http://127.0.0.1/a',
      'http://127.0.0.1:87880/a',
      'http://127.0.0.1:8788',
      'http://127.0.0.1:8788?a',
      'http://127.0.0.1:8788@evil.example/a',
      'http://user@127.0.0.1:8788/a',
      'HTTP://127.0.0.1:8788/a',
      'http://127.0.0.1:8788//evil.example/a',
      'http://127.0.0.1:8788/http://127.0.0.1:8788/a#b',
      'http://127.0.0.1:8788/\\evil.example/a',
      'http://evil.example/http://127.0.0.1:8788/a',
      '//127.0.0.1:8788/a',
    ])('%s is no other', (url) => {
      expect(call(callText(`GET ${url} HTTP/1.1`), own)).toContain('part 400 INVALID_ARGUMENT badRequest');
    });

    test('has at most 8,000 characters, origin and all', () => {
      const url = `http://127.0.0.1:8788/${'x'.repeat(7_978)}`;
      expect(call(callText(`GET ${url}`), own)).toMatchObject({ method: 'GET' });
      expect(call(callText(`GET ${url}x`), own)).toContain('part 400');
    });
  });

  test('that is wrong leaves the others as they are', () => {
    const planned = plan(batchText([callText('GET http://x/'), callText('GET /ok')]));
    expect(planned).toMatchObject([{ ok: false }, { ok: true, call: { path: '/ok' } }]);
  });

  test.each([
    ['', 'the Content-Type of a part'],
    ['Content-Type: application/json\n', 'the Content-Type of a part'],
    ['Content-Type: application/httpx\n', 'the Content-Type of a part'],
    ['Content-Type: multipart/mixed; boundary=x\n', 'the Content-Type of a part'],
    ['no header\n', 'the headers of the part'],
    ['Content-Type : application/http\n', 'the headers of the part'],
    ['Content-Type: application/http\n folded: yes\n', 'the Content-Type of a part'],
    [' folded: yes\nContent-Type: application/http\n', 'the headers of the part'],
    ['Content-Type: application/http\nContent-Type: text/plain\n', 'the headers of the part'],
    ['Content-Type: application/http\nX: a\rInjected: b\n', 'the headers of the part'],
    [`Content-Type: application/http\nContent-ID: ${'x'.repeat(1_025)}\n`, 'the headers of the part'],
    [`Content-Type: application/http\nContent-ID: a\u0000b\n`, 'the headers of the part'],
    [`Content-Type: application/http\n${'X: y\n'.repeat(10_000)}`, 'the headers of the part'],
    ['Content-Type: application/http\n__proto__: y\n', 'the headers of the part'],
  ])('with the headers %j is refused', (head, why) =>
    expect(call(`${head}\nGET /x HTTP/1.1\n\n`)).toContain(
      `part 400 INVALID_ARGUMENT badRequest: Failed to parse batch request: ${why}`,
    ),
  );

  test.each(['\n', '\r\n'])('may fold its lines, as the library for Python does when an id is long', (end) => {
    const head = `Content-Type: application/http${end}Content-ID: <b29c5de2-0db4-490b-b421-6a51b598bd22 +${end} a-long-id>${end}`;
    expect(call(`${head}${end}GET /x HTTP/1.1${end}`)).toMatchObject({
      contentId: '<b29c5de2-0db4-490b-b421-6a51b598bd22 + a-long-id>',
    });
  });

  test('may not fold the lines of its call: HTTP has none', () => {
    expect(call('Content-Type: application/http\n\nGET /x HTTP/1.1\nX-Goog-A: a\n b\n\n')).toContain(
      'the headers of the call cannot be read',
    );
  });

  test('needs no id, and its type may have parameters', () => {
    expect(call('Content-Type: application/http; msgtype=request\n\nGET /x\n\n')).not.toHaveProperty('contentId');
    expect(call('content-type:application/http\ncontent-id:abc\n\n\r\nGET /x')).toMatchObject({ contentId: 'abc' });
  });

  test('K4: says by headers only what the list allows', () => {
    const head = [
      'Authorization: Bearer part',
      'Host: evil.example',
      'Cookie: session=1',
      'CF-Connecting-IP: 1.2.3.4',
      'CF-Worker: x',
      'X-Forwarded-For: 1.2.3.4',
      'X-Real-IP: 1.2.3.4',
      'Content-Length: 3',
      'Transfer-Encoding: chunked',
      'Accept-Encoding: gzip',
      'X-Goog-Api-Client: gl-python',
      'If-Match: "a"',
      'X-HTTP-Method-Override: PATCH',
      '',
    ].join('\n');
    expect(call(callText('POST /x', head, '{}'))).toMatchObject({
      headers: {
        authorization: 'Bearer part',
        'x-goog-api-client': 'gl-python',
        'if-match': '"a"',
        'x-http-method-override': 'PATCH',
      },
      body: '{}',
    });
    expect(Object.keys((call(callText('POST /x', head)) as { headers: object }).headers)).toHaveLength(4);
  });

  test.each(['bad header', 'A: b\nA: c', 'A : b', ': b', 'A: b\u0001'])(
    'with the inner headers %j is refused',
    (head) => expect(call(callText('GET /x', `${head}\n`))).toContain('the headers of the call cannot be read'),
  );
});

describe('what the outer request gives to each part', () => {
  const given = {
    headers: {
      authorization: 'Bearer outer',
      'content-type': TYPE,
      'content-language': 'en',
      cookie: 'session=1',
      'x-http-method-override': 'DELETE',
      'x-goog-user-project': 'p',
      'user-agent': 'agent (gzip)',
    },
    query: 'prettyPrint=false&fields=a%2Cb&alt=json',
  };

  test('headers but those of its content, and query parameters', () =>
    expect(call(callText('GET /x?key=k'), given)).toMatchObject({
      headers: { authorization: 'Bearer outer', 'x-goog-user-project': 'p', 'user-agent': 'agent (gzip)' },
      query: 'key=k&prettyPrint=false&fields=a%2Cb&alt=json',
    }));

  test('no cookie, no type, no method override', () =>
    expect(Object.keys((call(callText('GET /x'), given) as { headers: object }).headers)).toEqual([
      'authorization',
      'x-goog-user-project',
      'user-agent',
    ]));

  test("what the part says itself wins, and the outer request's own stays away", () =>
    expect(call(callText('GET /x?fields=id&fields=name', 'authorization: Bearer part\n'), given)).toMatchObject({
      headers: { authorization: 'Bearer part', 'x-goog-user-project': 'p' },
      query: 'fields=id&fields=name&prettyPrint=false&alt=json',
    }));

  test('a part without a query has the outer one', () =>
    expect(call(callText('GET /x'), given)).toMatchObject({ query: 'prettyPrint=false&fields=a%2Cb&alt=json' }));
});

describe('whatever is sent', () => {
  test.each(HOSTILE)('%j as a body, a part, an id, a path and a type', (text) => {
    expect(plan(text)).toContain('400 INVALID_ARGUMENT');
    expect(plan(batchText([text]))).toMatchObject([{ ok: false }]);
    expect(plan(python, outer, text)).toContain('400 INVALID_ARGUMENT');
    expect(typeof only(callText(`GET /${text} HTTP/1.1`))).toBe('object');
    expect(typeof only(`Content-Type: application/http\nContent-ID: ${text}\n\nGET /x`)).toBe('object');
  });

  test('parts come out as they went in', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '-', '=', ' ', '\n', '\r', 'é', '--') });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.constantFrom('\n', '\r\n'), (parts, end) => {
        fc.pre(parts.every((text) => !text.endsWith('\r')));
        const content = `${parts.map((text) => `--b${end}${text}${end}`).join('')}--b--`;
        expect(told(splitMultipartBody(content, 'multipart/mixed; boundary=b'))).toEqual(parts);
      }),
    );
  });

  test('it is planned or refused, never a bug', () => {
    const unit = fc.constantFrom(
      `--${BOUNDARY}`,
      '--',
      '\n',
      '\r\n',
      'Content-Type: application/http',
      'GET /x',
      ':',
      'a',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
        const planned = plan(units.join(''));
        expect(typeof planned === 'string' ? planned.startsWith('400 ') : planned.length > 0).toBe(true);
      }),
    );
  });
});
