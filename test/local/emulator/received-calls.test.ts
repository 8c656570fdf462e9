import { expect, test } from 'vitest';
import {
  createReceivedCalls,
  scrubBody,
  selectHeaders,
  selectQuery,
} from '../../../local/emulator/worker/received-calls.ts';

const call = {
  time: '',
  httpMethod: 'GET',
  path: '/a',
  method: null,
  tenant: 'C1',
  status: 200,
  query: {},
  headers: {},
  body: null,
};

test('only the newest calls are kept, and numbers go on', () => {
  const calls = createReceivedCalls(3);
  for (let n = 0; n < 5; n += 1) calls.keep(call);
  expect(calls.find({}).map(({ number }) => number)).toEqual([3, 4, 5]);
  expect(calls.clear('C2')).toBe(0);
  expect(calls.clear('C1')).toBe(3);
  expect(calls.keep(call)).toBe(6);
  expect(calls.last()).toBe(6);
});

test.each([
  ['password', true],
  ['newPassword', true],
  ['hashFunction', true],
  ['client_secret', true],
  ['clientSecret', true],
  ['privateKey', true],
  ['private_key', true],
  ['apiKey', true],
  ['accessToken', true],
  ['refresh_token', true],
  ['token', true],
  ['key', true],
  ['code', true],
  ['verificationCode', true],
  ['assertion', true],
  ['Authorization', true],
  ['pwd', true],
  ['passwd', true],
  ['bearer', true],
  ['jwt', true],
  ['id_token', true],
  ['http.request.header.authorization', true],
  ['pageToken', false],
  ['nextPageToken', false],
  ['page_token', false],
  ['syncToken', false],
  ['primaryEmail', false],
  ['codeId', false],
  ['keywords', false],
  ['resourceKey', false],
])(
  'X9: a member %s is left out: %s, as is a parameter, one inside an address, and the value of such a name',
  (name, isLeftOut) => {
    const body = JSON.parse(`{"deep":[{"${name}":"value"}]}`);
    expect(JSON.stringify(scrubBody(body)).includes('value')).toBe(!isLeftOut);
    expect(selectQuery(new URLSearchParams({ [name]: 'value' }))[name] === 'value').toBe(!isLeftOut);
    const address = `https://example.com/hook?a=b&${name}=worth#end`;
    expect(scrubBody({ address })).toEqual({ address: isLeftOut ? address.replace('worth', '[left out]') : address });
    for (const kind of name === 'key' ? [] : ['key', 'name'])
      expect(scrubBody([{ [kind]: name, value: { stringValue: 'worth' } }])).toEqual([
        { [kind]: name, value: isLeftOut ? '[left out]' : { stringValue: 'worth' } },
      ]);
  },
);

test('what names an attribute or a label is kept', () => {
  const attributes = [{ key: 'service.name', value: { stringValue: 'svc' } }];
  const labels = [{ key: 'status', valueType: 'STRING' }];
  expect(scrubBody({ attributes, labels })).toEqual({ attributes, labels });
});

test.each([
  ['Authorization: Bearer worth and more', 'Authorization: [left out]'],
  ['authorization=Basic d29ydGg=', 'authorization=[left out]'],
  ['Set-Cookie: sid=worth; Path=/', 'Set-Cookie: [left out]'],
  ['sent with bearer worth.worth-worth_worth~+/==, and refused', 'sent with bearer [left out] and refused'],
  ['https://user:pa@ss@worth@example.com/a@b', 'https://example.com/a@b'],
  ['see https://h/?x=1&access%5Ftoken=worth;worth,worth "here"', 'see https://h/?x=1&access%5Ftoken=[left out] "here"'],
  ['https://h/#id_token=worth', 'https://h/#id_token=[left out]'],
  ['a page?pageToken=next&maxResults=5', 'a page?pageToken=next&maxResults=5'],
  ['The bearer', 'The bearer'],
])('X9: %s', (said, kept) => expect(scrubBody({ text: said })).toEqual({ text: kept }));

test('X9: names and passwords in addresses are cut out, and no header but those of the list is kept', () => {
  expect(scrubBody({ address: 'https://user:pass@example.com/a@b' })).toEqual({ address: 'https://example.com/a@b' });
  expect(selectQuery(new URLSearchParams('key=k&access_token=a&q=https://u:p@h/&fields=a&fields=b'))).toEqual({
    key: '[left out]',
    access_token: '[left out]',
    q: 'https://h/',
    fields: 'a,b',
  });
  const sent = {
    authorization: 'a',
    cookie: 'b',
    'proxy-authorization': 'c',
    'x-api-key': 'd',
    'payment-signature': 'e',
    'if-match': '"1"',
  };
  expect(selectHeaders(new Headers(sent))).toEqual({ 'if-match': '"1"' });
});

test('long values of a query and of headers are cut off', () => {
  const long = 'x'.repeat(10_000);
  expect(selectQuery(new URLSearchParams({ q: long }))['q']).toHaveLength(2_000);
  expect(selectHeaders(new Headers({ 'user-agent': long }))['user-agent']).toHaveLength(2_000);
});

test('a body without end is no recursion without end', () => {
  let deep: any = 'value';
  for (let level = 0; level < 1_000; level += 1) deep = [deep];
  expect(JSON.stringify(scrubBody(deep))).toContain('[left out]');
});
