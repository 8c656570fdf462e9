import * as z from 'zod';
import { type AgentClass, aiAgents } from '../../../audit/crawlers/facts/ai-agents-data.ts';
import { TableHead } from '../../design/parts.tsx';
import { ReportSection, Scroll } from '../parts/layout.tsx';

/** What robots.txt lets each crawler do, as the facts of `check_health` have it; their names are ours. */
const crawlerFacts = z.object({
  ai_crawlers: z.record(
    z.string(),
    z.object({
      access: z.enum(['allowed', 'blocked', 'unknown']),
      named: z.boolean().optional(),
      line: z.number().optional(),
    }),
  ),
});

type Access = z.infer<typeof crawlerFacts>['ai_crawlers'][string];

const ACCESS_WORDS: Readonly<Record<Access['access'], string>> = {
  allowed: 'May read the page',
  blocked: 'Blocked by robots.txt',
  unknown: 'Could not check',
};

/** What a crawler collects pages for; of a name that the roster of today lacks nothing is said. */
const getPurpose = (name: string) => aiAgents.find(({ token }) => token === name)?.class;

const PURPOSE_WORDS: Readonly<Record<AgentClass, string>> = {
  search: 'AI search',
  user: 'Fetching for a person',
  training: 'Training of models',
  'multi-purpose': 'Search and other products',
};

/** Crawler by crawler, whether robots.txt lets it read the page; nothing for facts without crawlers. */
export const CrawlerAccess = ({ facts }: { facts: object }) => {
  const read = crawlerFacts.safeParse(facts);
  if (!read.success) return null;
  const rows = Object.entries(read.data.ai_crawlers);
  const blocked = rows.filter(([, { access }]) => access === 'blocked').map(([name]) => name);
  const forTraining = blocked.filter((name) => getPurpose(name) === 'training');
  const others = blocked.filter((name) => !forTraining.includes(name));
  return (
    <ReportSection title="AI crawlers">
      {blocked.length === 0 ? <p>robots.txt blocks none of these crawlers.</p> : null}
      {others.length === 0 ? null : (
        <p>
          robots.txt blocks {others.join(', ')}. If you want to be found by AI search, allow{' '}
          {others.length === 1 ? 'it' : 'them'} there: a check below asks for it.
        </p>
      )}
      {forTraining.length === 0 ? null : (
        <p>
          robots.txt blocks {forTraining.join(', ')}, which {forTraining.length === 1 ? 'collects' : 'collect'} pages
          for training. That is your choice: no check asks for a fix, since AI search uses other crawlers.
        </p>
      )}
      <Scroll label="AI crawlers and what robots.txt lets them read">
        <table>
          <caption>
            What robots.txt says to each crawler about this page. The first three are those that this check is asked for
            most; the others part search from training.
          </caption>
          <TableHead columns={['Crawler', 'Used for', 'Access', 'Rule']} />
          <tbody>
            {rows.map(([name, row]) => (
              <CrawlerRow name={name} row={row} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

const CrawlerRow = ({ name, row }: { name: string; row: Access }) => {
  const purpose = getPurpose(name);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{purpose === undefined ? '–' : PURPOSE_WORDS[purpose]}</td>
      <td>{row.access === 'blocked' ? <strong>{ACCESS_WORDS.blocked}</strong> : ACCESS_WORDS[row.access]}</td>
      <td>{describeRule(row)}</td>
    </tr>
  );
};

function describeRule({ access, named = false, line }: Access): string {
  if (access === 'unknown') return 'robots.txt could not be read';
  const whose = named ? 'its own group' : 'the rules for all crawlers';
  return line === undefined ? `no rule for this page in ${whose}` : `line ${line}, in ${whose}`;
}
