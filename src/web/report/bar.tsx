import type { PageLanguage } from '../language/language.ts';
import type { Again } from './again.ts';
import type { MainFigure } from './figures.ts';
import { reportWords } from './page-words.ts';

type Props = {
  language: PageLanguage;
  /** Whom the report is about; a report of no one has its title here. */
  subject: string;
  figures: readonly MainFigure[];
  again: Again;
  /** Where all files of the report are one ZIP file. */
  zip: string | undefined;
};

/** What stays in sight while one reads: whom it is about, the main figures, and on a wide screen what can be done with it. */
export const ReportBar = ({ language, subject, figures, again, zip }: Props) => {
  const words = reportWords[language];
  return (
    <div class="report-bar">
      <nav class="report-actions" aria-label={words.actions}>
        {zip === undefined ? null : (
          <a href={zip} class="button small">
            {words.download}
          </a>
        )}
        <a href={again.href} class="button quiet small">
          {words.again[again.kind]}
        </a>
        <button
          type="button"
          class="quiet small"
          data-share-copy
          data-copied={words.copied}
          data-refused={words.notCopied}
          hidden
        >
          {words.copyLink}
        </button>
        <button type="button" class="quiet small" data-print hidden>
          {words.print}
        </button>
        <button type="button" class="quiet small" data-share hidden>
          {words.share}
        </button>
      </nav>
      <div class="report-summary" role="group" aria-label={words.summary}>
        <span class="report-subject">
          <bdi>{subject}</bdi>
        </span>
        <ul>
          {figures.map(({ name, value }) => (
            <li>
              {name} <strong>{value}</strong>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
};

/** Where the script says how the copying of the address ended. */
export const ShareStatus = () => <p class="share-said small" role="status" data-share-said></p>;
