import { Code, SourceLink, TableHead } from '../design/parts.tsx';
import type { CapabilityOffer, Inline, TableColumn, TextBlock, TextSection } from './document.ts';

/** The sections of a page under headings that can be linked to. */
export const Sections = ({ sections }: { sections: readonly TextSection[] }) => (
  <>
    {sections.map((section) => (
      <>
        {section.level === 2 ? <h2 id={section.id}>{section.heading}</h2> : <h3 id={section.id}>{section.heading}</h3>}
        {section.blocks.map((block) => (
          <BlockView block={block} />
        ))}
      </>
    ))}
  </>
);

export const InlineLine = ({ parts }: { parts: readonly Inline[] }) => (
  <>
    {parts.map((part) => (
      <Piece part={part} />
    ))}
  </>
);

const Piece = ({ part }: { part: Inline }) => {
  if (typeof part === 'string') return <>{part}</>;
  if ('code' in part) return <code>{part.code}</code>;
  if (part.href.startsWith('/') || part.href.startsWith('mailto:')) return <a href={part.href}>{part.text}</a>;
  return <SourceLink href={part.href}>{part.text}</SourceLink>;
};

const BlockView = ({ block }: { block: TextBlock }) => {
  switch (block.kind) {
    case 'text':
      return (
        <p class="prose">
          <InlineLine parts={block.parts} />
        </p>
      );
    case 'list':
      return (
        <ul class="prose">
          <Items items={block.items} />
        </ul>
      );
    case 'steps':
      return (
        <ol class="prose">
          <Items items={block.items} />
        </ol>
      );
    case 'terms':
      return (
        <dl class="terms">
          {block.items.map(({ term, parts }) => (
            <div>
              <dt>{term}</dt>
              <dd>
                <InlineLine parts={parts} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'code':
      return <Code text={block.code} label={`Copy ${block.label}`} language={block.language} />;
    case 'table':
      return <Table table={block} />;
    case 'offers':
      return <Offers rows={block.rows} />;
    default:
      return block satisfies never;
  }
};

const Items = ({ items }: { items: readonly (readonly Inline[])[] }) => (
  <>
    {items.map((item) => (
      <li>
        <InlineLine parts={item} />
      </li>
    ))}
  </>
);

const Table = ({ table: { caption, columns, rows } }: { table: Extract<TextBlock, { kind: 'table' }> }) => (
  <div class="scroll" tabindex={0} role="region" aria-label={caption}>
    <table class="stacking">
      <caption>{caption}</caption>
      <TableHead columns={columns} />
      <tbody>
        {rows.map(({ id, cells: [head = [], ...cells] }) => (
          <tr id={id}>
            <th scope="row">
              <InlineLine parts={head} />
            </th>
            {cells.map((parts, index) => (
              <Cell column={columns[index + 1] ?? ''} parts={parts} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Where rows are stacked, each cell says its column. */
const Cell = ({ column, parts }: { column: TableColumn; parts: readonly Inline[] }) => (
  <td
    class={typeof column === 'string' ? undefined : 'number'}
    data-column={typeof column === 'string' ? column : column.number}
  >
    <InlineLine parts={parts} />
  </td>
);

const Offers = ({ rows }: { rows: readonly CapabilityOffer[] }) => (
  <ul class="grid offers">
    {rows.map(({ name, summary, price, fields, curl }) => (
      <li class="card" id={name}>
        <div class="offer">
          <code>{name}</code>
          <strong class="number">{price} USDC</strong>
        </div>
        <div>{summary}</div>
        <div class="small">
          Body:{' '}
          {fields.map((field, index) => (
            <>
              {index === 0 ? '' : ', '}
              <code>{field.name}</code>
              {field.required ? '' : ' (optional)'}
            </>
          ))}
        </div>
        <details>
          <summary>Call {name}</summary>
          <Code text={curl} label="Copy the call" language="sh" />
        </details>
      </li>
    ))}
  </ul>
);
