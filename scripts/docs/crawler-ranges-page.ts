import { aiAgents } from '../../src/audit/crawlers/facts/ai-agents-data.ts';
import { publishedLists } from '../../src/traffic/ranges/agent-ranges-data.ts';
import { agentSources } from '../../src/traffic/ranges/agent-sources-data.ts';
import { MIN_PREFIX_BITS } from '../../src/traffic/ranges/prefixes.ts';
import { MAX_RANGES_FILE_BYTES } from '../../src/traffic/ranges/read-ranges-file.ts';
import { MAX_LIST_PREFIXES } from '../../src/traffic/ranges/read-published-list.ts';
import { escapeProse, formatCellCode, formatFence, formatGeneratedPage, formatTable } from './markdown.ts';

const MIB = 1024 * 1024;
const EXAMPLE = `{
  "GPTBot": { "creationTime": "2025-10-30T11:00:00", "prefixes": [{ "ipv4Prefix": "132.196.86.0/24" }] }
}`;

/** `docs/reference/crawler-ranges.md`: which agents can be verified, how, and by lists of which day. */
export const crawlerRangesPage = (): string =>
  formatGeneratedPage(
    'Addresses of crawlers',
    '`src/traffic/ranges/agent-sources-data.ts` and `agent-ranges-data.ts`',
    [
      'A User-Agent is what a visitor says of itself. These agents can be verified, because their owners publish the addresses that they come from, or document the names of these addresses.',
      '## What a verdict means',
      formatTable(
        ['Verdict', 'When'],
        [
          ['verified', 'The address is in the list that the owner publishes for this agent, or its names agree.'],
          [
            'pretended',
            'The owner publishes a list or names for this agent, and the address is outside of all its lists.',
          ],
          [
            'claims to be',
            'It cannot be said: the owner publishes nothing, the address is hidden, private or of a proxy, a lookup failed, or the address is in another list of the same owner, which is no stranger.',
          ],
        ],
      ),
      'By names: the address has a name under the suffix, and that name has the address again. A name alone proves nothing, since whoever has an address may give it any name.',
      '## Agents that can be verified',
      formatTable(
        ['Agent', 'Owner', 'List', 'Blocks', 'List of', 'Read on', 'Names under'],
        agentSources.map(formatSource),
      ),
      '## Agents that cannot',
      `Their owners publish neither a list that we could read nor names: ${listUnverifiable()}. Tokens that send no requests are left out.`,
      '## Newer lists',
      'Lists change within weeks. `npm run ranges` asks the addresses above and writes the data again; an owner that answers with an error, a page, half a list or an empty one keeps its list of before, and the run says so and fails. `npm run radar` names lists that were read more than 90 days ago.',
      'Without a new release: `--ranges FILE` of the command that reads logs. The file has the lists of owners as they publish them, each under the token of its agent, or is that of `npm run ranges -- --json FILE`.',
      formatFence('json', EXAMPLE),
      `A file has at most ${MAX_RANGES_FILE_BYTES / MIB} MiB, a list at most ${MAX_LIST_PREFIXES.toLocaleString('en-US')} prefixes, and none wider than /${MIN_PREFIX_BITS[4]} (IPv4) or /${MIN_PREFIX_BITS[6]} (IPv6). A file with one bad list is refused whole.`,
      '## Where the lists of this release were read',
      formatTable(
        ['List', 'Copy'],
        publishedLists.map(({ source, copy }) => [`<${source}>`, copy === '' ? 'the owner itself' : formatCopy(copy)]),
      ),
    ],
  );

function formatSource({ owner, tokens, list, dns }: (typeof agentSources)[number]): string[] {
  const published = publishedLists.find(({ source }) => source === list);
  const names = dns?.suffixes.map(formatCellCode).join(', ') ?? '';
  return [
    tokens.map(formatCellCode).join(', '),
    escapeProse(owner),
    `<${list}>`,
    published === undefined ? '' : String(published.prefixes.trim().split(/\s+/).length),
    published?.date ?? '',
    published?.read ?? '',
    dns?.family === undefined ? names : `${names} (IPv${dns.family})`,
  ];
}

/** `owner/name path commit` as the address of the file, or of the folder. */
function formatCopy(copy: string): string {
  const [repository = '', path = '', commit = ''] = copy.split(' ');
  return `[${escapeProse(`${repository}, ${path}`)}](https://github.com/${repository}/tree/${commit}/${path})`;
}

function listUnverifiable(): string {
  const verifiable = new Set(agentSources.flatMap(({ tokens }) => tokens));
  return aiAgents
    .filter(({ token }) => !verifiable.has(token) && !token.endsWith('-Extended'))
    .map(({ token, owner }) => `${formatCellCode(token)} (${escapeProse(owner)})`)
    .join(', ');
}
