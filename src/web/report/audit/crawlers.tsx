import * as z from 'zod';
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

/** Crawler by crawler, whether robots.txt lets it read the page; nothing for facts without crawlers. */
export const CrawlerAccess = ({ facts }: { facts: object }) => {
  const read = crawlerFacts.safeParse(facts);
  if (!read.success) return null;
  const rows = Object.entries(read.data.ai_crawlers);
  const blocked = rows.filter(([, { access }]) => access === 'blocked').map(([name]) => name);
  return (
    <ReportSection title="AI crawlers">
      <p>
        {blocked.length === 0
          ? 'robots.txt blocks none of these crawlers.'
          : `robots.txt blocks ${blocked.join(', ')}. If you want to be found by them, allow them there.`}
      </p>
      <Scroll label="AI crawlers and what robots.txt lets them read">
        <table>
          <caption>What robots.txt says to each crawler about this page</caption>
          <TableHead columns={['Crawler', 'Access', 'Rule']} />
          <tbody>
            {rows.map(([name, row]) => (
              <tr>
                <th scope="row">{name}</th>
                <td>{row.access === 'blocked' ? <strong>{ACCESS_WORDS.blocked}</strong> : ACCESS_WORDS[row.access]}</td>
                <td>{describeRule(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </ReportSection>
  );
};

function describeRule({ access, named = false, line }: Access): string {
  if (access === 'unknown') return 'robots.txt could not be read';
  const whose = named ? 'its own group' : 'the rules for all crawlers';
  return line === undefined ? `no rule for this page in ${whose}` : `line ${line}, in ${whose}`;
}
