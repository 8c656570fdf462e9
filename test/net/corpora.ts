import { readFileSync } from 'node:fs';
import * as z from 'zod';

const read = (name: string): string => readFileSync(new URL(`../data/net/${name}`, import.meta.url), 'utf8');

export const lines = (name: string): readonly string[] =>
  read(name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The "Address Block" column of an IANA registry: rows of one or more prefixes, some with a footnote mark. */
export function ianaPrefixes(name: string): readonly string[] {
  const fields = /(?:^|\r?\n)("[^"]*"|[0-9a-f.:/]+(?: \[\d+\])?),(?:"(?:[^"]|"")*"|[^,]*),/g;
  const blocks = [...read(name).matchAll(fields)].map((match) => match[1] ?? '');
  return blocks
    .flatMap((block) => block.replaceAll('"', '').split(', '))
    .map((block) => block.replace(/ \[\d+\]$/, ''));
}

/** The rows of a web-platform-tests file; strings between them are comments. */
function rows<T>(name: string, row: z.ZodType<T>): readonly T[] {
  const all = z.array(z.unknown()).parse(JSON.parse(read(name)));
  return all.filter((item) => typeof item !== 'string').map((item) => row.parse(item));
}

export const wptUrls = rows(
  'wpt-urltestdata.json',
  z.object({ input: z.string(), base: z.string().nullable(), failure: z.boolean().default(false) }),
);

export const wptHosts = rows('wpt-toascii.json', z.object({ input: z.string(), output: z.string().nullable() }));

/** Pages, hosts and spellings of the public web that a careless guard refuses. */
export const benignUrls: readonly string[] = [
  ...lines('ssrf-req-filter-allowed.txt'),
  ...'com org net de fr co.uk com.au co.jp com.br io dev app ai shop info gov.uk'
    .split(' ')
    .map((suffix) => `https://example.${suffix}/`),
  ...'local localhost internal lan home corp onion metadata test intranet private arpa alt svc nip xip'
    .split(' ')
    .flatMap((word) => [
      `https://${word}.example.com/`,
      `https://${word}.com/`,
      `https://my${word}.org/`,
      `https://www.${word}-shop.de/x`,
    ]),
  'https://nip.io.example.com/',
  'https://notnip.io/',
  'https://10.example.com/',
  'https://127.0.0.1.example.com/',
  'https://192-168-0-1.example.net/',
  'http://1.1.1.1/',
  'http://8.8.8.8:80/',
  'https://9.9.9.9/dns-query?dns=AAAB',
  'http://11.0.0.0/',
  'http://9.255.255.255/',
  'http://100.63.255.255/',
  'http://100.128.0.0/',
  'http://126.255.255.255/',
  'http://128.0.0.0/',
  'http://169.253.255.255/',
  'http://169.255.0.0/',
  'http://172.15.255.255/',
  'http://172.32.0.0/',
  'http://192.0.1.0/',
  'http://192.0.3.0/',
  'http://192.167.255.255/',
  'http://192.169.0.0/',
  'http://198.17.255.255/',
  'http://198.20.0.0/',
  'http://198.51.99.255/',
  'http://203.0.114.0/',
  'http://223.255.255.255/',
  'http://134744072/',
  'http://0x08080808/',
  'http://[2606:4700:4700::1111]/',
  'https://[2001:4860:4860::8888]:443/',
  'http://[2001:200::1]/',
  'http://[2003::1]/',
  'http://[2a00:1450:4001:81b::200e]/',
  'https://xn--mnchen-3ya.de/',
  'https://münchen.de/',
  'https://例え.jp/',
  'https://пример.рф/',
  'https://xn--e1afmkfd.xn--p1ai/',
  'https://EXAMPLE.COM/Path?Q=1#top',
  'https://example.com./',
  'https://a.b.c.d.e.f.g.example.co.uk/',
  'https://under_score.example.com/',
  'https://trailing-.example.com/',
  'https://3m.com/',
  'https://123.example/',
  'https://shop.example/cart?next=http://127.0.0.1/',
  'https://example.com/?u=http%3A%2F%2F169.254.169.254%2F',
  'https://example.com/@localhost/',
  'https://example.com/a%00b',
  'https://example.com/..%2f..%2fetc/passwd',
  'http://example.com:443/',
  'https://example.com:80/',
  'https://museum.travel/',
  'https://a.co/',
];
