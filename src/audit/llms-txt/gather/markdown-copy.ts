import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import { AGENT_ROLES } from '../../agent-files/facts/agent-places.ts';
import type { Gatherer, Plan, Wanted } from '../../core/artifact.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { fetchStartPage } from '../../page/gather/page.ts';
import {
  copyAddresses,
  copyLink,
  findMarkdownVariant,
  hasMarkdownNegotiation,
  isMarkdownType,
  MARKDOWN_LAST_ACCEPT,
} from '../facts/markdown-copies.ts';

/** Reads the start page as a coding agent asks for it; the answer for people is role `page`. */
export const gatherMarkdown: Gatherer = async (gather) => {
  await Promise.all([
    fetchStartPage(gather),
    gather.read(AGENT_ROLES.markdown, {
      url: gather.start.href,
      headers: { accept: 'text/markdown, text/html;q=0.5' },
    }),
  ]);
};

/** A start page that negotiates, asked for HTML rather than Markdown. */
export const planMarkdownLast: Plan = ({ find, start }) => {
  const variant = findMarkdownVariant(find, start.href);
  if (variant.state === 'failed' || !hasMarkdownNegotiation(variant.value)) return [];
  return [{ role: 'markdown-last', target: { url: start.href, headers: { accept: MARKDOWN_LAST_ACCEPT } } }];
};

/** Decoded bytes of a Markdown copy that are read. */
const MAX_COPY_BYTES = 1024 * 1024;
const ACCEPT = 'text/markdown, text/plain;q=0.9, */*;q=0.1';

/**
 * Reads the Markdown copy of the start page: by content negotiation (role `markdown`, shared with the agent checks), at
 * the address that its `rel=alternate` link names (`markdown-alternate`), else at its own path with `.md`
 * (`markdown-suffix`). At most two requests of its own.
 */
export const gatherMarkdownCopy: Gatherer = async (gather) => {
  const [{ answer }] = await Promise.all([fetchStartPage(gather), gatherMarkdown(gather)]);
  const named = answer.ok ? findNamedCopy(answer) : undefined;
  const copy =
    named === undefined
      ? prepareCopy('markdown-suffix', copyAddresses(gather.start)[0])
      : prepareCopy('markdown-alternate', named);
  await gather.read(copy.role, copy.target);
};

/**
 * One more address that follows from that of the page, unless negotiation or a copy at such an address has already
 * answered the question: the usual one where the page names its copy elsewhere, the other one where the usual has none.
 */
export const planMarkdownForm: Plan = (gather) => {
  const page = gather.find('page')?.answer;
  const asked = gather.find(AGENT_ROLES.markdown)?.answer;
  const suffix = gather.find('markdown-suffix')?.answer;
  const [usual, other] = copyAddresses(gather.start);
  const link = page?.ok ? copyLink(page) : undefined;
  if (link === undefined) {
    const isMissing = suffix?.ok === true && !isFound(suffix) && !(asked?.ok && isFound(asked));
    return isMissing ? [prepareCopy('markdown-form', other)] : [];
  }
  const isElsewhere = gather.find('markdown-alternate') !== undefined && ![usual, other].includes(link.href);
  return isElsewhere ? [prepareCopy('markdown-form', usual)] : [];
};

const isFound = (answer: SnapshotAnswer): boolean => answer.status === 200 && isMarkdownType(answer);

const prepareCopy = (role: string, url: string): Wanted => ({
  role,
  target: { url, headers: { accept: ACCEPT }, maxBytes: MAX_COPY_BYTES },
});

/** The copy that the page itself names, on a host of the same owner. */
function findNamedCopy(answer: SnapshotAnswer): string | undefined {
  const link = copyLink(answer);
  const owner = getRegistrableDomain(new URL(answer.url).hostname);
  return link && getRegistrableDomain(new URL(link.href).hostname) === owner ? link.href : undefined;
}
