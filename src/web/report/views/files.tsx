import { countUtf8Bytes } from '../../../lib/utf8.ts';
import { Code } from '../../design/parts.tsx';
import { ReportSection } from '../parts/layout.tsx';
import { Facts } from './fixes.tsx';
import { formatQuantity, type ReportFile } from '../parts/words.ts';
import type { FilePlace } from './places.ts';

type Props = {
  files: readonly ReportFile[];
  place?: FilePlace | undefined;
  /** Where all of them are one ZIP file; absent in a report that is a file itself. */
  zip?: string | undefined;
};

/** Files that were made for the site, with where to put them. */
export const FilesView = ({ files, place = 'site', zip }: Props) => (
  <ReportSection title="Files" id="files">
    {files.length === 0 ? (
      <p>There was nothing to make a file from.</p>
    ) : (
      <>
        {place === 'agent' ? <ForAgent files={files} zip={zip} /> : <ForSite files={files} zip={zip} />}
        <p class="prose small">The hash of a file shows whether a copy is the same.</p>
        {files.map((file) => (
          <OneFile {...file} />
        ))}
      </>
    )}
  </ReportSection>
);

const Download = ({ files, zip }: Omit<Props, 'place'>) =>
  zip === undefined ? (
    <>{formatQuantity(files.length, 'file')}.</>
  ) : (
    <>
      <a href={zip}>Download all as a ZIP</a> ({formatQuantity(files.length, 'file')}).
    </>
  );

const ForSite = ({ files, zip }: Omit<Props, 'place'>) => (
  <p class="prose">
    <Download files={files} zip={zip} />{' '}
    {zip === undefined ? (
      'Serve each from the root of the site, under the path shown above it.'
    ) : (
      <>
        Put what is in its folder <code>site/</code> at the root of the site.
      </>
    )}
    {files.some(({ draft }) => draft === true) ? (
      <>
        {' '}
        Drafts{zip === undefined ? '' : ', in the folder drafts/,'} wait for facts: fill in each{' '}
        <code>[FACT NEEDED: ...]</code> before you publish them.
      </>
    ) : null}
  </p>
);

/** The name of the skill is that of its folder, as the format asks. */
const ForAgent = ({ files, zip }: Omit<Props, 'place'>) => {
  const skill = files.find(({ path }) => path.endsWith('/SKILL.md'))?.path ?? 'SKILL.md';
  return (
    <div class="prose">
      <p>
        <Download files={files} zip={zip} /> They are for a coding agent that works on the site, not for the site. Do
        not publish them: they say what is wrong with it.
      </p>
      <p>
        In the project that holds the sources of the site, {zip === undefined ? 'put them into' : 'unpack the ZIP into'}{' '}
        the skills folder of your agent: <code>.claude/skills/</code> for Claude Code, <code>.agents/skills/</code> for
        most others. The agent then finds <code>.claude/skills/{skill}</code>; ask it to improve the AI visibility of
        the website.
      </p>
    </div>
  );
};

const OneFile = ({ path, media_type: type, content, sha256, draft, facts_needed: facts = [] }: ReportFile) => (
  <article class="file-card card">
    <h3>
      <code>{path}</code>
    </h3>
    <p class="small">
      {type}, {formatQuantity(countUtf8Bytes(content), 'byte')}, SHA-256 <code>{sha256}</code>
    </p>
    {draft === true ? <Facts facts={facts} /> : null}
    <Code text={content} label="Copy the file" />
  </article>
);
