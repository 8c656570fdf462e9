import { readFileSync } from 'node:fs';
import { type LimitRow, limitSections } from './limits-data.ts';
import { formatTable } from './markdown.ts';

const ROOT = new URL('../../', import.meta.url);
/** Names of units that constants are multiples of. */
const UNITS: Readonly<Record<string, number>> = { MIB: 1024 * 1024, MINUTE_MS: 60_000, HOUR_MS: 3_600_000 };
/** What `{name}` in the value of a row becomes. */
const SPELLINGS: Readonly<Record<string, (value: number) => string>> = {
  number: (value) => value.toLocaleString('en-US'),
  KiB: (value) => `${value / 1024} KiB`,
  MiB: (value) => `${value / 1024 / 1024} MiB`,
  s: (value) => `${value / 1000} s`,
  minutes: (value) => `${value / 60_000} minutes`,
  hours: (value) => `${value / 3_600_000} hours`,
};

const INTRODUCTION = [
  'Each limit, whom it counts, and what to do when you meet it. Every refusal is `application/problem+json` with a stable [`code`](problems.md); `Retry-After` is in seconds.',
  'Five rules hold for all limits:',
  [
    '- A limit never takes money. You are refused before a payment is claimed, or the claim is released and the same payment works later.',
    '- What costs nothing to refuse is refused every time and counts against no one: an unreadable payment is 400, a token that we cannot have issued is 401.',
    '- A good signature or a known good token passes every limit that counts an address, so sharing an address with an attacker does not lock you out.',
    '- Callers who neither pay nor sign in cannot fill a limit that counts everyone together. Where one can, its row says so and says what it then closes.',
    '- "Caller" is your IPv4 address or your IPv6 /64; "network" is your IPv6 /48. Most limits of callers live in the memory of one isolate: they slow one source down, they do not guard money.',
  ].join('\n'),
];

const CLOSING = [
  '## What headers say of limits',
  'Every answer has `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11): the name of the limit, its events (`q`) and its seconds (`w`). `RateLimit` is beside it where we know what is left: `"free";r=12;t=40` is 12 events, and 40 s until all are back. Both may list several limits, such as `"free"` and `"preview"`.',
  [
    '- Counted by one object for all callers of a limit, so that `RateLimit` is on good answers and on 429: management calls, previews, and every limit that an operator set by a quota preference.',
    "- Counted by the platform's limiter, which does not say how much is left: free answers and operators' calls without a preference. Good answers have `RateLimit-Policy` alone; 429 has `RateLimit` with `r=0`.",
    '- Counted in the memory of one isolate, or over an hour: calls without a token, failed payments and tokens, new clients, audits of one site. Good answers show no count, because it would be one of several; 429 has `Retry-After`.',
  ].join('\n'),
  'Callers that share an egress address share its free limits. On Cloudflare this holds for Workers of other customers, which all arrive as `2a06:98c0:3600::103`; it does not affect paid calls.',
  '## What a stranger can still cost',
  [
    '- Each payer proof by a new key for an unknown hash, and each signed payload of a new key, costs one or two reads of the chain. No limit by address bounds that, because it would lock out newcomers who share the address.',
    '- A contract wallet that never paid from an address waits up to a minute while a stranger at the same address forges payments.',
    '- A PDF that passes all checks of its size and work and is slow all the same uses the time of its reader, 10 s, and is left out after two tries.',
  ].join('\n'),
  'Written by `npm run docs` from `scripts/docs/limits-data.ts` and the constants that it names.',
];

/** `docs/reference/limits.md`: the numbers are read from the code. @throws Error for a constant that is not there */
export const limitsPage = (): string =>
  `${['# Limits', ...INTRODUCTION, ...limitSections.flatMap(renderSection), ...CLOSING].join('\n\n')}\n`;

const renderSection = ({ title, rows }: (typeof limitSections)[number]): readonly string[] => [
  `## ${title}`,
  formatTable(['Limit', 'Value', 'Counts', 'When you meet it', 'Defined as'], rows.map(renderLimit)),
];

const renderLimit = (row: LimitRow): readonly string[] => [
  row.limit,
  formatValue(row),
  row.counts,
  row.meet,
  `\`${row.name}\` \`${row.file}\``,
];

function formatValue({ value, name, file }: LimitRow): string {
  const [, unit] = /\{(\w+)\}/.exec(value) ?? [];
  const source = readFileSync(new URL(file, ROOT), 'utf8');
  if (!source.includes(name)) throw new Error(`${file} has no ${name}`);
  if (unit === undefined) return value;
  const spell = SPELLINGS[unit];
  const number = readConstant(source, name);
  if (spell === undefined || number === undefined) throw new Error(`${file}: ${name} is not written as {${unit}}`);
  return value.replace(`{${unit}}`, spell(number));
}

/** The number that a module gives a constant or a member; undefined where that is an object, or made of others. */
export function readConstant(source: string, name: string): number | undefined {
  const [, written = ''] = new RegExp(`^(?:export )?(?:const )?${name} = ([\\w *+]+);?$`, 'm').exec(source) ?? [];
  const digits = written.replaceAll(/[A-Z][A-Z_]+/g, (unit) => String(UNITS[unit]));
  if (!/^[\d_ *+]+$/.test(digits)) return undefined;
  return digits
    .replaceAll('_', '')
    .split('+')
    .map((term) => term.split('*').reduce((product, factor) => product * Number(factor), 1))
    .reduce((sum, part) => sum + part, 0);
}
