import { isIndexingForbidden } from '../../crawlers/facts/robots-directives.ts';
import type { RewriterElement } from '../../../fixes/files/html-rewriter.ts';
import type { ElementEdit, PageEdit } from '../../../fixes/core/page-edits.ts';

/** Robots metas that the indexes behind AI answers obey. */
const INDEXERS = ['robots', 'googlebot', 'bingbot', 'oai-searchbot'];

/** Keeps the directives that `keep` lets pass, changed by it; a meta that is left with none goes. */
const filterDirectives =
  (keep: (directive: string) => string | undefined) =>
  (element: RewriterElement): void => {
    const written = (element.getAttribute('content') ?? '').split(',').map((part) => part.trim());
    const kept = written.flatMap((part) => (part === '' ? [] : (keep(part) ?? [])));
    if (kept.join() === written.join()) return;
    if (kept.length === 0) element.remove();
    else element.setAttribute('content', kept.join(', '));
  };

const onRobotsMetas = (edit: ElementEdit['edit'], names = INDEXERS): readonly ElementEdit[] =>
  names.map((name) => ({ selector: `meta[name="${name}" i]`, edit }));

const splitDirective = (directive: string): { name: string; value: string } => {
  const [name = '', ...value] = directive.toLowerCase().split(':');
  return { name: name.trim(), value: value.join(':').trim() };
};

/** Takes away what keeps the page out of an index. */
export const buildIndexableEdit: PageEdit = ({ page, audited }) =>
  page && {
    elements: onRobotsMetas(
      filterDirectives((directive) => {
        const { name, value } = splitDirective(directive);
        const closes = isIndexingForbidden({ agent: 'robots', name, value, from: 'meta' }, audited.site.clockMs);
        return closes ? undefined : directive;
      }),
    ),
  };

/** Lets the page be quoted, at any length. */
export const buildSnippetEdit: PageEdit = ({ page }) =>
  page && {
    elements: [
      ...onRobotsMetas(
        filterDirectives((directive) => {
          const { name, value } = splitDirective(directive);
          if (name === 'nosnippet') return undefined;
          return name === 'max-snippet' && Number(value) >= 0 ? 'max-snippet:-1' : directive;
        }),
      ),
      ...['body', 'main', 'article', 'section', 'div'].map((name) => ({
        selector: `${name}[data-nosnippet]`,
        edit: (element: RewriterElement) => void element.removeAttribute('data-nosnippet'),
      })),
    ],
  };

/** Words that no vendor of AI search documents. */
export const buildNoAiEdit: PageEdit = ({ page }) =>
  page && {
    elements: onRobotsMetas(
      filterDirectives((directive) => (/^no(?:image)?ai$/i.test(directive) ? undefined : directive)),
      [...new Set(page.robots.map(({ agent }) => agent))].filter((agent) => /^[a-z-]{1,40}$/.test(agent)).slice(0, 20),
    ),
  };
