import { countUtf8Bytes } from '../../../lib/utf8.ts';
import { Code } from '../../design/parts.tsx';
import { formatWholeNumber } from '../../language/amounts.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { ReportSection } from '../parts/layout.tsx';
import type { ReportFile } from '../parts/words.ts';
import { filesWords } from './files-words.ts';
import { Facts } from './fixes.tsx';
import type { FilePlace } from './places.ts';

type Props = {
  files: readonly ReportFile[];
  place?: FilePlace | undefined;
  /** Where all of them are one ZIP file; absent in a report that is a file itself. */
  zip?: string | undefined;
  language?: PageLanguage | undefined;
};
type ListProps = Pick<Props, 'files' | 'zip'> & { language: PageLanguage };

/** Files that were made for the site, with where to put them. */
export const FilesView = ({ files, place = 'site', zip, language = DEFAULT_LANGUAGE }: Props) => {
  const words = filesWords[language];
  return (
    <ReportSection title={words.title} id="files">
      {files.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <>
          {place === 'agent' ? (
            <ForAgent files={files} zip={zip} language={language} />
          ) : (
            <ForSite files={files} zip={zip} language={language} />
          )}
          <p class="prose small">{words.hash}</p>
          {files.map((file) => (
            <OneFile file={file} language={language} />
          ))}
        </>
      )}
    </ReportSection>
  );
};

/** The button for it is above, in what stays in sight. */
const Download = ({ files, zip, language }: ListProps) => {
  const words = filesWords[language];
  if (zip === undefined) return <>{words.count(files.length)}.</>;
  return (
    <>
      <a href={zip}>{words.download}</a> ({words.count(files.length)}).
    </>
  );
};

const ForSite = ({ files, zip, language }: ListProps) => {
  const words = filesWords[language];
  const [put, root] = words.put;
  const [wait, publish] = words.drafts(zip !== undefined);
  return (
    <p class="prose">
      <Download files={files} zip={zip} language={language} />{' '}
      {zip === undefined ? (
        words.serve
      ) : (
        <>
          {put} <code>site/</code> {root}
        </>
      )}
      {files.some(({ draft }) => draft === true) ? (
        <>
          {' '}
          {wait} <code>[FACT NEEDED: ...]</code> {publish}
        </>
      ) : null}
    </p>
  );
};

/** The name of the skill is that of its folder, as the format asks. */
const ForAgent = ({ files, zip, language }: ListProps) => {
  const skill = files.find(({ path }) => path.endsWith('/SKILL.md'))?.path ?? 'SKILL.md';
  const words = filesWords[language];
  const [claude, others] = words.places;
  const [finds, ask] = words.finds;
  return (
    <div class="prose">
      <p>
        <Download files={files} zip={zip} language={language} /> {words.forAgent}
      </p>
      <p>
        {words.unpack(zip !== undefined)} <code>.claude/skills/</code> {claude} <code>.agents/skills/</code> {others}{' '}
        {finds} <code>.claude/skills/{skill}</code>
        {ask}
      </p>
    </div>
  );
};

const OneFile = ({ file, language }: { file: ReportFile; language: PageLanguage }) => {
  const { path, media_type: type, content, sha256, draft, facts_needed: facts = [] } = file;
  const words = filesWords[language];
  return (
    <article class="file-card card">
      <h3>
        <code>{path}</code>
      </h3>
      <p class="small">
        {type}, {words.bytes(formatWholeNumber(countUtf8Bytes(content), language))}, SHA-256 <code>{sha256}</code>
      </p>
      {draft === true ? <Facts facts={facts} language={language} /> : null}
      <Code text={content} label={words.copyFile} />
    </article>
  );
};
