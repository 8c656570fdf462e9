import type { Assistant, AssistantAccess, AssistantState } from '../../audit/crawlers/checks/assistants.ts';
import { Status, type CheckStatus } from '../design/parts.tsx';
import type { PageLanguage } from '../language/language.ts';
import { type AssistantsWords, assistantsWords } from './assistants-words.ts';

type AccessProps = { access: AssistantAccess; language: PageLanguage };

/** Names in a sentence, before the rest is a number. */
const MAX_NAMED = 4;

const STATES = ['allowed', 'partly', 'refused', 'unknown'] as const satisfies readonly AssistantState[];
const MARKS: Readonly<Record<AssistantState, CheckStatus>> = {
  allowed: 'pass',
  partly: 'partial',
  refused: 'fail',
  unknown: 'unknown',
};

/** Whether assistants can read the site, as a sentence, and each of them by its product. */
export const AccessAnswer = ({ access, language }: AccessProps) => {
  const words = assistantsWords[language];
  return (
    <section class="access" aria-label={words.label}>
      <p class="access-said">{describeAccess(access, language).join(' ')}</p>
      <ul class="access-list">
        {STATES.map((state) => {
          const found = access.assistants.filter((one) => one.state === state);
          return found.length === 0 ? null : (
            <li>
              <Status
                status={access.isBlank && state === 'allowed' ? 'partial' : MARKS[state]}
                language={language}
                label={access.isBlank && state === 'allowed' ? words.openOnly : words.states[state]}
              />{' '}
              {found.map(({ name }) => name).join(', ')}
              {state === 'unknown' ? ` (${findWhy(found[0]?.cause, words)})` : ''}
            </li>
          );
        })}
      </ul>
    </section>
  );
};

/** One sentence for each thing that holds, those who can read first. */
export function describeAccess({ assistants, isBlank }: AssistantAccess, language: PageLanguage): readonly string[] {
  const words = assistantsWords[language];
  const known = new Set(assistants.slice(0, MAX_NAMED));
  const isAnswered = assistants.some(({ state }) => state !== 'unknown');
  return STATES.flatMap((state) => {
    const found = assistants.filter((one) => one.state === state);
    // What is not known of the others is in the list.
    if (state === 'unknown' && isAnswered && !found.some((one) => known.has(one))) return [];
    const causes = [...new Set(found.map(({ cause }) => cause))];
    return causes.map((cause) => {
      const names = found.filter((one) => one.cause === cause);
      return describeGroup({ state, cause, said: joinNames(names, words), count: names.length, isBlank }, words);
    });
  });
}

type Group = Pick<Assistant, 'state'> & {
  cause: Assistant['cause'] | undefined;
  said: string;
  count: number;
  isBlank: boolean;
};

function describeGroup({ state, cause, said, count, isBlank }: Group, words: AssistantsWords): string {
  if (state === 'allowed') return isBlank ? words.blank(said, count) : words.allowed(said, count);
  const byOwner = cause === 'server' ? 'server' : 'robots';
  if (state === 'refused' || state === 'partly') return words[state][byOwner](said, count);
  return words.unknown(said, findWhy(cause, words));
}

const findWhy = (cause: Assistant['cause'], { why }: AssistantsWords): string =>
  cause === undefined || cause === 'robots' || cause === 'server' ? why.unanswered : why[cause];

function joinNames(found: readonly Assistant[], { locale, others }: AssistantsWords): string {
  const names = found.map(({ name }) => name);
  const rest = names.length - MAX_NAMED;
  const shown = rest > 0 ? [...names.slice(0, MAX_NAMED), others(rest)] : names;
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(shown);
}
