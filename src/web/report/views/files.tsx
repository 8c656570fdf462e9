import { countUtf8Bytes } from '../../../lib/utf8.ts';
import { Code } from '../../design/parts.tsx';
import { ReportSection } from '../parts/layout.tsx';
import { Facts } from './fixes.tsx';
import { formatQuantity, type ReportFile } from '../parts/words.ts';

/** Where the files belong: at the root of the site, or in the folder of the agent that works on it. */
export type FilePlace = 'site' | 'agent';

/** Instructions for an agent are never served: anyone could read what is wrong with the site. */
const PLACES: Readonly<Record<FilePlace, string>> = {
  site: 'Serve each from the root of the site, under the path shown above it.',
  agent:
    'These files are for a coding agent that works on the site, not for the site. Put them into the skills folder of the agent, such as .claude/skills/, and do not publish them.',
};

/** Files that were made for the site, with where to put them. */
export const FilesView = ({ files, place = 'site' }: { files: readonly ReportFile[]; place?: FilePlace }) => (
  <ReportSection title="Files" id="files">
    {files.length === 0 ? (
      <p>There was nothing to make a file from.</p>
    ) : (
      <>
        <p class="prose">
          {formatQuantity(files.length, 'file')}. {PLACES[place]} The hash shows whether a copy is the same.
        </p>
        {files.map((file) => (
          <OneFile {...file} />
        ))}
      </>
    )}
  </ReportSection>
);

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
