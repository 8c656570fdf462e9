import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADDRESS_WORDS, formatReverseName, joinAddressWords, readAddressWords } from '../../src/net/address-words.ts';
import { budgetFor } from '../support/runner/budget.ts';

const words = new Uint32Array(ADDRESS_WORDS);
const read = (text: string): string => {
  const family = readAddressWords(text, words);
  return family === 0 ? 'none' : `${family} ${joinAddressWords(words).toString(16)}`;
};

/** The same by the URL parser, which is slow and knows more spellings of IPv4 than we take. */
function readByUrl(text: string): string {
  if (/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) {
    const parts = text.split('.').map(Number);
    return parts.every((part) => part < 256)
      ? `4 ${parts.reduce((value, part) => value * 256n + BigInt(part), 0n).toString(16)}`
      : 'none';
  }
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return 'none';
  const [head = '', tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return `6 ${groups.reduce((value, group) => value * 0x1_0000n + BigInt(`0x${group}`), 0n).toString(16)}`;
}

test('addresses have the value that they are written for', () => {
  expect(read('66.249.66.1')).toBe('4 42f94201');
  expect(read('255.255.255.255')).toBe('4 ffffffff');
  expect(read('::')).toBe('6 0');
  expect(read('2001:4860:4801:10::A')).toBe('6 2001486048010010000000000000000a');
  expect(read('::ffff:66.249.66.1')).toBe('6 ffff42f94201');
});

test.each([
  '',
  '-',
  'unknown',
  '203.0.113.xxx',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.01',
  '1.2.3.4.5',
  '1.2.3.4 ',
  '[::1]',
  'fe80::1%eth0',
  '1::2::3',
  '1:2:3:4::5:6:7:8',
  '1:2:3:4:5:6:7:8:9',
  ':1',
  '1:',
  '12345::',
  '::1.2.3',
  '::1.2.3.4:5',
  '1:2:3:4:5:6:7:1.2.3.4',
])('%j is no address', (text) => {
  expect(read(text)).toBe('none');
});

test('reads what the URL parser reads, and refuses what it refuses', () => {
  const piece = fc.constantFrom('0', '1', 'ff', 'FFFF', '0db8', '12345', ':', '::', '.', '255', '256', '01', 'g', '/');
  const text = fc.oneof(
    fc.array(piece, { maxLength: 18 }).map((pieces) => pieces.join('')),
    fc.ipV6(),
    fc.ipV4(),
  );
  fc.assert(
    fc.property(text, (address) => {
      expect(read(address)).toBe(address.length > 45 ? 'none' : readByUrl(address));
    }),
    { numRuns: budgetFor(3_000, 100_000) },
  );
});

test('the name of the reverse lookup', () => {
  expect(formatReverseName('66.249.66.1')).toBe('1.66.249.66.in-addr.arpa');
  expect(formatReverseName('2001:db8::567:89ab')).toBe(
    'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  );
  expect(formatReverseName('crawl.example')).toBeUndefined();
});
