import type { PromisedGains } from '../../../fixes/core/promised-gains.ts';
import type { Host } from '../../../fixes/files/fix.ts';
import { Code, Status } from '../../design/parts.tsx';
import { DEFAULT_LANGUAGE, markEnglish, type PageLanguage } from '../../language/language.ts';
import { getFixAnchor } from '../audit/words.ts';
import { EvidenceList, ReportSection } from '../parts/layout.tsx';
import { type ReportFix, formatGains, SCORES, SERVERS } from '../parts/words.ts';
import { fixesWords } from './fixes-words.ts';

/** Fixes that are open: what is worth most. */
const OPEN_FIXES = 3;

type InLanguage = { language?: PageLanguage | undefined };
type ServerFilesProps = InLanguage & { files: readonly { path: string; content: string }[] | undefined };

/** The settings of all fixes together: two of the fixes above may name one address. */
export const ServerFilesView = ({ files = [], language = DEFAULT_LANGUAGE }: ServerFilesProps) => {
  const words = fixesWords[language];
  return files.length === 0 ? null : (
    <ReportSection title={words.server} id="server-files">
      <p class="prose">{words.serverLead}</p>
      {files.map(({ path, content }) => (
        <details class="inner">
          <summary>
            <code>{path}</code>
          </summary>
          <Code text={content} label={words.copyConfiguration} />
        </details>
      ))}
    </ReportSection>
  );
};

type FixesProps = InLanguage & { fixes: readonly ReportFix[]; promised: PromisedGains | undefined };

/** What to do, in the order in which it is worth most: each fix can be pasted, and says how to see that it works. */
export const FixesView = ({ fixes, promised, language = DEFAULT_LANGUAGE }: FixesProps) => (
  <ReportSection title={fixesWords[language].title} id="fixes">
    {fixes.length === 0 ? (
      <p>{fixesWords[language].none}</p>
    ) : (
      <>
        <p class="lead">{formatFixesOverview(fixes, language)}</p>
        {promised === undefined ? null : <p>{fixesWords[language].promise(promised)}</p>}
        <div class="fix-cards">
          {fixes.map((fix, index) => (
            <OneFix fix={fix} index={index} language={language} />
          ))}
        </div>
      </>
    )}
  </ReportSection>
);

function formatFixesOverview(fixes: readonly ReportFix[], language: PageLanguage): string {
  const efforts = (['minutes', 'hours', 'days'] as const).map(
    (effort) => [effort, fixes.filter((fix) => fix.effort === effort).length] as const,
  );
  return fixesWords[language].overview(
    fixes.length,
    efforts.filter(([, count]) => count > 0),
  );
}

type FixProps = { fix: ReportFix; language: PageLanguage };

/** The anchor is inside, so that a browser opens the fix for anyone who follows a link to it. */
const OneFix = ({ fix, index, language }: FixProps & { index: number }) => {
  const words = fixesWords[language];
  const [check, about] = words.about(fix.weight, fix.scores.map((name) => SCORES[name]).join(', '));
  return (
    <details class="fix-card" open={index < OPEN_FIXES}>
      <summary>
        <h3 class="row-title">
          {index + 1}. {fix.title}
        </h3>
        <span class="row-marks">
          <Worth fix={fix} language={language} />
          <span class="mark">{words.efforts[fix.effort]}</span>
          <Status status={fix.status} language={language} />
        </span>
      </summary>
      <div class="fix-body" id={getFixAnchor(fix.id)}>
        <p class="fix-action">
          {words.actions[fix.action]} <code>{fix.file}</code>
        </p>
        <p class="prose" lang={markEnglish(language)}>
          {fix.instructions}
        </p>
        <Facts facts={fix.facts_needed} language={language} />
        <div class="before-after">
          <section class="before">
            <h4>{words.before}</h4>
            <EvidenceList evidence={fix.evidence} language={language} />
          </section>
          <After fix={fix} language={language} />
        </div>
        <h4>{words.verify}</h4>
        <Code text={fix.verify.command} label={words.copyCommand} />
        <p lang={markEnglish(language)}>{fix.verify.expect}</p>
        <p class="small">
          {check} <code>{fix.id}</code>, {about}
        </p>
      </div>
    </details>
  );
};

/** What a fix gains in each score: nothing by itself where it only lifts a cap that another one still holds down. */
const Worth = ({ fix, language }: FixProps) => {
  const text = formatGains(fix.gains);
  const condition = fixesWords[language].condition(fix);
  if (text === '') return <span class="mark">{fixesWords[language].noPoints}</span>;
  return <span class="gain">{condition === '' ? text : `${text} ${condition}`}</span>;
};

/** What is there once the fix is in place: the file, the patch, the setting of each server. */
const After = ({ fix, language }: FixProps) => {
  const { content, media_type: type, diff, configure } = fix;
  const words = fixesWords[language];
  const servers = Object.entries(configure ?? {}) as [Host, string][];
  return (
    <section class="after">
      <h4>{words.after}</h4>
      {content === undefined && diff === undefined && servers.length === 0 ? <p>{words.noContent}</p> : null}
      {content === undefined ? null : (
        <>
          <p class="small">
            {words.asText}
            {type === undefined ? '' : ` (${type})`}
          </p>
          <Code text={content} label={words.copyContent} />
        </>
      )}
      {diff === undefined ? null : (
        <details class="inner" open={content === undefined}>
          <summary>{words.patch}</summary>
          <Code text={diff} label={words.copyPatch} />
        </details>
      )}
      {servers.map(([server, text]) => (
        <details class="inner">
          <summary>{words.forServer(SERVERS[server])}</summary>
          <Code text={text} label={words.copyFor(SERVERS[server])} />
        </details>
      ))}
    </section>
  );
};

/** Slots that only the owner can fill: nothing is made up for them. */
export const Facts = ({ facts, language = DEFAULT_LANGUAGE }: InLanguage & { facts: readonly string[] }) =>
  facts.length === 0 ? null : (
    <div class="note">
      <p>
        <strong>{fixesWords[language].factsFirst}</strong> {fixesWords[language].facts} <code>[FACT NEEDED: …]</code>:
      </p>
      <ul lang={markEnglish(language)}>
        {facts.map((fact) => (
          <li>{fact}</li>
        ))}
      </ul>
    </div>
  );
