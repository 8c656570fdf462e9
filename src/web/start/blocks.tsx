import { Code, SourceLink, TableHead } from '../design/parts.tsx';
import type {
  CapabilityOffer,
  Inline,
  OfferColumns,
  TableColumn,
  TextBlock,
  TextSection,
  CallWay,
} from './document.ts';

/** The sections of a page under headings that can be linked to. Those of the third level lie below the one before them. */
export const Sections = ({ sections }: { sections: readonly TextSection[] }) => (
  <>
    {groupSections(sections).map(({ head, below }) => (
      <section class="band">
        <h2 id={head.id}>{head.heading}</h2>
        <Blocks blocks={head.blocks} />
        {below.length === 0 ? null : (
          <div class="answers">
            {below.map(({ id, heading, blocks }) => (
              <div>
                <h3 id={id}>{heading}</h3>
                <Blocks blocks={blocks} />
              </div>
            ))}
          </div>
        )}
      </section>
    ))}
  </>
);

type SectionGroup = { head: TextSection; below: TextSection[] };

function groupSections(sections: readonly TextSection[]): readonly SectionGroup[] {
  const groups: SectionGroup[] = [];
  for (const section of sections) {
    const last = groups.at(-1);
    if (section.level === 3 && last !== undefined) last.below.push(section);
    else groups.push({ head: section, below: [] });
  }
  return groups;
}

const Blocks = ({ blocks }: { blocks: readonly TextBlock[] }) => (
  <>
    {blocks.map((block) => (
      <BlockView block={block} />
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
      return <Code text={block.code} label={block.label} language={block.language} />;
    case 'table':
      return <Table table={block} />;
    case 'doors':
      return <Doors items={block.items} />;
    case 'figures':
      return <Figures items={block.items} />;
    case 'offers':
      return <Offers block={block} />;
    case 'ways':
      return <Ways label={block.label} items={block.items} />;
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

const Doors = ({ items }: { items: Extract<TextBlock, { kind: 'doors' }>['items'] }) => (
  <ul class="doors">
    {items.map(({ title, parts, link }) => (
      <li class="card">
        <p class="title">{title}</p>
        <p>
          <InlineLine parts={parts} />
        </p>
        <p class="next">
          <a class="button" href={link.href}>
            {link.text}
          </a>
        </p>
      </li>
    ))}
  </ul>
);

const Figures = ({ items }: { items: Extract<TextBlock, { kind: 'figures' }>['items'] }) => (
  <dl class="proofs">
    {items.map(({ figure, parts }) => (
      <div>
        <dt>{figure}</dt>
        <dd>
          <InlineLine parts={parts} />
        </dd>
      </div>
    ))}
  </dl>
);

/** The catalogue as one table, so that prices are below each other. */
const Offers = ({ block: { groups, words } }: { block: Extract<TextBlock, { kind: 'offers' }> }) => (
  <div class="scroll" tabindex={0} role="region" aria-label={words.caption}>
    <table class="stacking prices">
      <caption>{words.caption}</caption>
      <TableHead columns={[words.what, words.gives, { number: words.time }, { number: words.price }]} />
      {groups.map((group) => (
        <tbody>
          <tr class="group">
            <th scope="rowgroup" colspan={4} id={group.id}>
              {group.heading}
              <span class="small">{group.lead}</span>
            </th>
          </tr>
          {group.offers.map((offer) => (
            <OfferRow offer={offer} words={words} />
          ))}
        </tbody>
      ))}
    </table>
  </div>
);

const OfferRow = ({ offer, words }: { offer: CapabilityOffer; words: OfferColumns }) => (
  <tr id={offer.name}>
    <th scope="row">
      <a href={offer.href}>{offer.title}</a> <code>{offer.name}</code>
    </th>
    <td data-column={words.gives}>{offer.gives}</td>
    <td class="number" data-column={words.time}>
      {words.formatTime(offer.atMostS)}
    </td>
    <td class="number" data-column={words.price}>
      <strong>{words.formatPrice(offer.priceMicroUsdc)}</strong>
    </td>
  </tr>
);

/**
 * Tabs without scripts: radio buttons, of which a style sheet shows the panel. The first is chosen. On paper all are
 * open.
 */
const Ways = ({ label, items }: { label: string; items: readonly CallWay[] }) => (
  <div class="tabs">
    <fieldset>
      <legend class="visually-hidden">{label}</legend>
      {items.map(({ id, name }, index) => (
        <>
          <input type="radio" name="way" id={`way-${id}`} value={id} checked={index === 0} />
          <label for={`way-${id}`} id={id}>
            {name}
          </label>
        </>
      ))}
    </fieldset>
    {items.map(({ id, name, blocks }) => (
      <section class={`panel ${id}`} aria-label={name}>
        <Blocks blocks={blocks} />
      </section>
    ))}
  </div>
);
