import type { ResultName } from '../../capabilities/capability-name.ts';
import type { EarlierReport } from '../../capabilities/published/publishing.ts';
import { formatHistoryPath } from '../badge/badge.tsx';
import { Time } from '../design/parts.tsx';
import type { PageLanguage } from '../language/language.ts';
import { isComparable } from './since/read-compared.ts';
import { reportWords } from './page-words.ts';

type Props = {
  language: PageLanguage;
  id: string;
  capability: ResultName;
  published: boolean;
  /** The site's key, and what is published of it from before. */
  host?: string | undefined;
  earlier?: EarlierReport | undefined;
  /** The form of a monitor that repeats the report; absent for what is not watched. */
  watch?: string | undefined;
};

/** The way to what changed: against the published report before this one, or against any other whose address one has. */
export const SinceForm = ({ language, id, capability, published, host, earlier, watch }: Props) => {
  const words = reportWords[language].since;
  if (!isComparable(capability)) return null;
  return (
    <section id="since" class="since" aria-labelledby="since-title">
      <h2 id="since-title">{words.title}</h2>
      {earlier === undefined || host === undefined ? null : (
        <p>
          {published ? (
            <a href={`${formatHistoryPath(host)}?from=${earlier.reportId}&to=${id}#changes`}>{words.history}</a>
          ) : earlier.isReadable ? (
            <a href={formatSincePath(id, earlier.reportId)}>
              {words.earlier} <Time ms={earlier.atMs} />
            </a>
          ) : (
            <a href={formatHistoryPath(host)}>{words.history}</a>
          )}
        </p>
      )}
      {watch === undefined ? null : (
        <p>
          {words.watchLead} <a href={watch}>{words.watch}</a>
        </p>
      )}
      <form method="get" action={`/reports/${id}/since`} class="since-form">
        <p class="prose" id="since-lead">
          {words.lead}
        </p>
        <label for="since-other">{words.label}</label>
        <input
          id="since-other"
          name="other"
          required
          maxlength={300}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="since-help"
        />
        <p id="since-help" class="small">
          {words.help}
        </p>
        <button type="submit" class="quiet">
          {words.button}
        </button>
      </form>
    </section>
  );
};

/** The page of what changed between two reports. */
export const formatSincePath = (id: string, other: string): string => `/reports/${id}/since/${other}`;
