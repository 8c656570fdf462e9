import type { Child } from 'hono/jsx';

type EmptyAction = { href: string; text: string };

type EmptyStateProps = {
  /** What is empty, as a sentence. */
  title: string;
  /** The one thing to do about it. */
  action?: EmptyAction | undefined;
  /** Of a list inside a section; a section of its own has 2. */
  level?: 2 | 3 | undefined;
  /** Why it is empty, and what fills it. */
  children?: Child;
};

/** In the place of a list or a table without rows: what is empty, why, and one way on. */
export const EmptyState = ({ title, action, level = 3, children }: EmptyStateProps) => (
  <div class="empty">
    <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <path d="M12 6h17l9 9v27H12zM29 6v9h9" />
      <path class="faint" d="M18 24h14M18 30h14M18 36h8" />
    </svg>
    <div>
      {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
      {children === undefined ? null : <p>{children}</p>}
      {action === undefined ? null : (
        <p class="buttons">
          <a class="button" href={action.href}>
            {action.text}
          </a>
        </p>
      )}
    </div>
  </div>
);
