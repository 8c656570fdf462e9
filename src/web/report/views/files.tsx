import { countUtf8Bytes } from '../../../lib/utf8.ts';
import { Code } from '../../design/parts.tsx';
import { ReportSection } from '../parts/layout.tsx';
import { Facts } from './fixes.tsx';
import { formatQuantity, type ReportFile } from '../parts/words.ts';

/** Files that were made for the site, to be put where their paths say. */
export const FilesView = ({ files }: { files: readonly ReportFile[] }) => (
  <ReportSection title="Files" id="files">
    {files.length === 0 ? (
      <p>There was nothing to make a file from.</p>
    ) : (
      <>
        <p class="prose">
          {formatQuantity(files.length, 'file')}, to be served from the root of the site under the path that stands
          above each. Its hash tells whether a copy is the same.
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
