import { type ImportSource, importFormats, importSources } from '../../visibility/imports/formats-data.ts';
import { escapeControls } from '../../lib/safe-text.ts';
import { type Html, renderHiddenFields } from '../design/shell.tsx';
import type { FirstPartyReport } from '../first-party/first-party-report.ts';
import { FirstPartyView } from '../first-party/first-party-view.tsx';
import { sourceWords } from '../first-party/source-words.ts';
import { formatLongDay } from '../language/amounts.ts';
import { markEnglish, type PageLanguage } from '../language/language.ts';
import { formatCapabilityTitle } from './capability-name.ts';
import { type AccountFrame, OneButton, renderAccountFrame, When } from './frame.tsx';
import { importFaultWords } from './import-fault-words.ts';
import { type ImportFault, importsWords } from './imports-words.ts';

/** An import of the account, before it is read. */
export type ListedImport = { id: string; storedAtMs: number; sources: readonly string[] };
/** A measurement that an import can be set beside. */
type ImportChoice = { reportId: string; capability: string; atMs: number };

export type ImportsPage = {
  frame: AccountFrame;
  /** Newest first. */
  kept: readonly ListedImport[];
  choices: readonly ImportChoice[];
  fault?: ImportFault | undefined;
};

/** The form for exports of vendors, and what was imported before. */
export const renderImportsPage = ({ frame, kept, choices, fault }: ImportsPage): Html => {
  const { language, csrf } = frame;
  const words = importsWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        <p>{words.lead}</p>
        {fault === undefined ? null : <Fault fault={fault} language={language} />}
        <form method="post" action="/account/imports" enctype="multipart/form-data">
          {renderHiddenFields({ csrf })}
          <label for="files">{words.filesLabel}</label>
          <input
            id="files"
            name="files"
            type="file"
            multiple
            required
            accept=".csv,.tsv,.txt,text/csv"
            aria-describedby="files-hint"
          />
          <p class="small" id="files-hint">
            {words.filesHint}
          </p>
          <label for="report">{words.reportLabel}</label>
          <select id="report" name="report_id">
            <option value="">{words.noReport}</option>
            {choices.map(({ reportId, capability, atMs }) => (
              <option
                value={reportId}
              >{`${formatCapabilityTitle(capability, language)}, ${formatLongDay(atMs, language)}`}</option>
            ))}
          </select>
          <label for="site">{words.siteLabel}</label>
          <input
            id="site"
            name="site"
            maxlength={253}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="site-hint"
          />
          <p class="small" id="site-hint">
            {words.siteHint}
          </p>
          <button>{words.button}</button>
        </form>
        <details>
          <summary>{words.how}</summary>
          <ul>
            {importSources.map((source) => (
              <li>
                <strong>{getSourceTitle(source)}:</strong> {sourceWords[language][source].exportIt}
              </li>
            ))}
          </ul>
        </details>
        <h2>{words.keptTitle}</h2>
        <ImportList kept={kept} language={language} csrf={csrf} />
        <p class="small">{words.kept}</p>
      </>
    ),
  });
};

/**
 * Text of a file, in words of a reader's message, is escaped and ends no page. The message is in English: another language
 * says the reason first, and has the message as a detail.
 */
const Fault = ({ fault, language }: { fault: ImportFault; language: PageLanguage }) => {
  const words = importsWords[language];
  return (
    <div class="warning" role="alert" id="error">
      {'message' in fault ? (
        <FileFault fault={fault} language={language} />
      ) : (
        <p>
          {words.faults[fault.reason]} {words.refused}
        </p>
      )}
    </div>
  );
};

type FileFaultProps = { fault: Extract<ImportFault, { message: string }>; language: PageLanguage };

const FileFault = ({ fault: { reason, file, message, detail }, language }: FileFaultProps) => {
  const words = importsWords[language];
  const lines = language === 'en' ? detail : [message, ...detail];
  return (
    <>
      <p>
        {words.fileFault(escapeControls(file))}{' '}
        {language === 'en' ? escapeControls(message) : importFaultWords[language][reason]} {words.refused}
      </p>
      {lines.length === 0 ? null : (
        <ul lang={markEnglish(language)}>
          {lines.map((line) => (
            <li>{escapeControls(line)}</li>
          ))}
        </ul>
      )}
    </>
  );
};

const isSource = (text: string): text is ImportSource => importSources.some((source) => source === text);

const getSourceTitle = (source: string): string =>
  (isSource(source) ? importFormats.find((row) => row.source === source)?.title : undefined) ?? source;

/** What was imported; on the page of the form with a button that deletes each. */
export const ImportList = ({
  kept,
  language,
  csrf,
}: {
  kept: readonly ListedImport[];
  language: PageLanguage;
  csrf?: string;
}) => {
  const words = importsWords[language];
  if (kept.length === 0) return <p>{words.none}</p>;
  return (
    <ul class="plain">
      {kept.map(({ id, storedAtMs, sources }) => {
        const title = sources.map(getSourceTitle).join('; ');
        return (
          <li>
            <a href={`/account/imports?id=${id}`}>{title}</a>
            <span class="small">
              {' '}
              <When ms={storedAtMs} />
            </span>
            {csrf === undefined ? null : (
              <OneButton
                action="/account/imports/delete"
                fields={{ csrf, id }}
                label={words.deleteIt}
                name={words.deleteOf(title)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
};

/** One import, beside the measurement that it was set beside. */
export const renderImportPage = ({
  frame,
  id,
  report,
}: {
  frame: AccountFrame;
  id: string;
  report: FirstPartyReport;
}): Html => {
  const { language, csrf } = frame;
  const words = importsWords[language];
  return renderAccountFrame({
    ...frame,
    title: words.title,
    children: (
      <>
        <p class="buttons">
          <a class="button quiet" href="/account/imports">
            {words.back}
          </a>
          <a class="button quiet" href={`/account/imports.csv?id=${id}`}>
            {words.save}
          </a>
        </p>
        <FirstPartyView report={report} language={language} />
        <OneButton action="/account/imports/delete" fields={{ csrf, id }} label={words.deleteIt} />
      </>
    ),
  });
};
