import type { Versus } from '../parts/words.ts';

type Part = { tone: 'first' | 'both' | 'second' | 'neither'; text: string; count: number };

const SCALE = 1000;
const TONES = { first: 'first', both: 'both', second: 'second', neither: 'neither' } as const;

/** How the answers part between two brands: drawn as one bar, and as a table that says the same. */
export const Split = ({ counts, names }: { counts: Versus['discordant']; names: readonly [string, string] }) => {
  const parts: readonly Part[] = [
    { tone: 'first', text: `Only ${names[0]}`, count: counts.brand_only },
    { tone: 'both', text: 'Both', count: counts.both },
    { tone: 'second', text: `Only ${names[1]}`, count: counts.competitor_only },
    { tone: 'neither', text: 'Neither', count: counts.neither },
  ];
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return (
    <div class="split">
      <Drawing parts={parts} total={total} />
      <table class="slim">
        <caption>
          Which of the two the {total} answers name. Only answers that name one of them tell them apart.
        </caption>
        <thead>
          <tr>
            <th scope="col">The answer names</th>
            <th scope="col" class="number">
              Answers
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ tone, text, count }) => (
            <tr>
              <th scope="row">
                <svg class="split-mark" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                  <rect class={TONES[tone]} width="12" height="12" />
                </svg>{' '}
                <bdi>{text}</bdi>
              </th>
              <td class="number">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Drawing = ({ parts, total }: { parts: readonly Part[]; total: number }) => {
  const before = (index: number): number => parts.slice(0, index).reduce((sum, { count }) => sum + count, 0);
  const at = (count: number): number => (total === 0 ? 0 : Math.round((count / total) * SCALE));
  return (
    <svg class="split-bar" viewBox={`0 0 ${SCALE} 24`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ tone, count }, index) => (
        <rect class={TONES[tone]} x={at(before(index))} y="0" width={at(count)} height="24" />
      ))}
    </svg>
  );
};
