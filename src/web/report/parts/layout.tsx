import type { Child } from 'hono/jsx';

/** Depth of a heading: a view starts at 2, what is shown per side of a comparison at 3. */
export type Level = 2 | 3;

type SectionProps = { title: Child; id?: string | undefined; level?: Level | undefined; children?: Child };

/** A part of a report under its heading. */
export const ReportSection = ({ title, id, level = 2, children }: SectionProps) => (
  <section class="report-part">
    {level === 2 ? <h2 id={id}>{title}</h2> : <h3 id={id}>{title}</h3>}
    {children}
  </section>
);

/** A table that is wider than a small screen: it scrolls by itself, with the keyboard too. */
export const Scroll = ({ label, children }: { label: string; children?: Child }) => (
  <div class="scroll" tabindex={0} role="region" aria-label={label}>
    {children}
  </div>
);

/** Someone else's words. */
export const Quote = ({ text, children }: { text: string; children?: Child }) => (
  <figure class="quote">
    <blockquote dir="auto">
      <p>{text}</p>
    </blockquote>
    {children === undefined ? null : <figcaption>{children}</figcaption>}
  </figure>
);

/** Sentences of ours, one below the other; nothing where there are none. */
export const Notes = ({ notes }: { notes: readonly string[] }) =>
  notes.length === 0 ? null : (
    <ul class="report-notes">
      {notes.map((text) => (
        <li>{text}</li>
      ))}
    </ul>
  );
