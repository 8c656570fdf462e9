import { LEFT_OUT, MAX_INPUT_DEATHS, formatUrlName } from '../jobs/parts.ts';
import type { FrontierPage } from './frontier.ts';
import { addListed, isLeftOut, computeStartUrl, type CrawlStep, type StepEnd } from './crawl-step.ts';
import { type PageFetchResult, lookAt, MAX_LINKS, MAX_PAGE_BYTES, PAGES_PER_STEP } from './fetch-page.ts';
import type { NewChunk, NewItem } from '../index/item.ts';

/** Requests to a site at the same time. Where it asks for a delay, one. */
const LANES = 2;
const ACCEPT = 'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.9,text/plain;q=0.8,application/pdf;q=0.8';

/** What the lanes of one step share. */
type Run = {
  taken: Set<string>;
  asked: number;
  stop: 'budget' | 'full' | 'cancelled' | undefined;
};

/** Looks at waiting pages, in the order in which they were found. */
export async function readPages(step: CrawlStep): Promise<StepEnd> {
  const { frontier, rules, source } = step;
  const run: Run = { taken: new Set(), asked: 0, stop: undefined };
  // What was being read when the object died is read by itself: only one of two was at fault.
  const isSuspect = frontier.next(PAGES_PER_STEP).some(({ url }) => step.attempts.deaths(formatUrlName(url)) > 0);
  const lanes = rules.delayMs > 0 || isSuspect ? 1 : LANES;
  await Promise.all(Array.from({ length: lanes }, () => crawlInTurn(step, run)));
  if (run.stop === 'cancelled') return { kind: 'ended', reason: 'cancelled' };
  if (run.stop === 'full') return { kind: 'ended', reason: 'instance_full' };
  if (frontier.count('waiting') > 0 && frontier.asked() < source.maxPages) return { kind: 'more' };
  frontier.change({ phase: 'sweep', sweepPage: 1 });
  return { kind: 'more' };
}

async function crawlInTurn(step: CrawlStep, run: Run): Promise<void> {
  while (run.stop === undefined && run.asked < PAGES_PER_STEP) {
    const page = takeNext(step, run);
    if (!page) return;
    if (step.attempts.deaths(formatUrlName(page.url)) >= MAX_INPUT_DEATHS) {
      const look = { kind: 'failed', reason: LEFT_OUT } as const;
      step.transaction(() => commit(step, run, { page, look, prepared: undefined }));
    } else {
      if (!(await step.pace())) return;
      await readPage(step, run, page);
    }
    run.taken.delete(page.url);
  }
}

async function readPage(step: CrawlStep, run: Run, page: FrontierPage): Promise<void> {
  const { attempts, network, site } = step;
  await attempts.begin(formatUrlName(page.url));
  try {
    const answer = await step.fetch({ url: page.url, headers: { accept: ACCEPT }, maxBytes: MAX_PAGE_BYTES });
    const look = await lookAt(answer, { site, nowMs: network.now(), readPdf: step.readPdf });
    const url = look.kind === 'page' ? look.url.href : page.url;
    const isIndexed = look.kind === 'page' && step.mayRead(look.url);
    const prepared = isIndexed ? await step.sink.prepare(url, look.page) : undefined;
    step.transaction(() => commit(step, run, { page, look, prepared }));
  } finally {
    attempts.end(formatUrlName(page.url));
  }
}

function takeNext({ frontier, source }: CrawlStep, run: Run): FrontierPage | undefined {
  if (frontier.asked() + run.taken.size >= source.maxPages) return undefined;
  const page = frontier.next(run.taken.size + 1).find(({ url }) => !run.taken.has(url));
  if (page) {
    run.taken.add(page.url);
    run.asked += 1;
  }
  return page;
}

type VisitedPage = {
  page: FrontierPage;
  look: PageFetchResult;
  prepared: { item: NewItem; chunks: readonly NewChunk[] } | undefined;
};

/** Writes down what came of a page, unless its crawl is over. */
function commit(step: CrawlStep, run: Run, { page, look, prepared }: VisitedPage): void {
  const { frontier, sink } = step;
  if (frontier.state()?.job !== step.job) {
    run.stop = 'cancelled';
  } else if (look.kind === 'failed' && look.reason === 'budget_exhausted') {
    run.stop = 'budget'; // Ours, not the page's: the next step looks at it.
  } else if (look.kind === 'failed') {
    recordPageFailure(step, page, look.reason);
  } else if (look.kind === 'gone') {
    frontier.setLead(page.url, undefined);
    frontier.mark(page.url, 'gone');
    sink.log('info', `A page is not there: ${page.url} (status ${look.status})`);
  } else if (look.kind === 'skipped') {
    frontier.setLead(page.url, undefined);
    refuse(step, page, look.reason);
    follow(step, page, look.links);
  } else if (prepared) {
    commitPage(step, run, { page, look, prepared });
  } else {
    leaveOut(step, page, look);
  }
}

function recordPageFailure(step: CrawlStep, page: FrontierPage, reason: string): void {
  const { frontier, source, sink } = step;
  frontier.mark(page.url, 'failed');
  if (source.discover) frontier.change({ isPartial: true });
  else followLead(step, page);
  if (!step.skip(new URL(page.url))) sink.fail(page.url, reason);
  sink.log('warning', `A page could not be read: ${page.url} (${reason})`);
}

/** Where only sitemaps list pages, one that fails lists none; but the one that it led to last time is still listed by it. */
function followLead({ frontier, sink, mayRead }: CrawlStep, page: FrontierPage): void {
  const lead = frontier.lead(page.url);
  if (lead !== undefined && mayRead(new URL(lead))) frontier.add(lead, page.depth, sink.knows(lead));
}

/** The start page, or one behind a redirect, that is not to be indexed. The start page is read for its links alone. */
function leaveOut(step: CrawlStep, page: FrontierPage, { url, links }: PageSeen['look']): void {
  step.frontier.setLead(page.url, undefined);
  if (page.url === computeStartUrl(step.site)) follow(step, page, links);
  if (isLeftOut(step, url)) step.frontier.mark(page.url, 'refused');
  else refuse(step, page, 'robots_disallowed');
}

function refuse({ frontier, sink }: CrawlStep, page: FrontierPage, reason: string): void {
  frontier.mark(page.url, 'refused');
  sink.log('info', `A page is not indexed: ${page.url} (${reason})`);
}

type PageSeen = {
  page: FrontierPage;
  look: Extract<PageFetchResult, { kind: 'page' }>;
  prepared: NonNullable<VisitedPage['prepared']>;
};

function commitPage(step: CrawlStep, run: Run, { page, look, prepared }: PageSeen): void {
  const { frontier, sink } = step;
  const at = look.url.href;
  frontier.setLead(page.url, at === page.url ? undefined : at);
  if (at !== page.url && frontier.page(at)?.state === 'kept') {
    refuse(step, page, 'duplicate');
    return;
  }
  follow(step, page, look.links);
  if (isElsewhere(step, page, look)) {
    frontier.setLead(page.url, look.canonical?.href);
    refuse(step, page, 'duplicate');
    return;
  }
  const outcome = sink.put(prepared.item, prepared.chunks);
  if (at !== page.url) frontier.mark(page.url, 'moved');
  frontier.add(at, page.depth, true);
  frontier.mark(at, outcome.ok ? 'kept' : 'failed');
  if (outcome.ok) return;
  frontier.change({ isPartial: true });
  sink.log('error', `A page could not be stored: ${at} (${outcome.reason})`);
  if (outcome.reason === 'full') run.stop = 'full';
}

/** Whether the page has another address by its own word, which is or will be looked at. */
function isElsewhere(step: CrawlStep, page: FrontierPage, { url, canonical }: PageSeen['look']): boolean {
  const { frontier } = step;
  if (!canonical || canonical.href === url.href || page.isOwn || !step.mayRead(canonical)) return false;
  frontier.add(canonical.href, page.depth, step.sink.knows(canonical.href));
  const known = frontier.page(canonical.href)?.state;
  if (known === 'waiting') frontier.own(canonical.href);
  return known === 'waiting' || known === 'kept';
}

/** Links are followed where the instance asks for it, as deep as it says. */
function follow(step: CrawlStep, page: FrontierPage, links: readonly URL[]): void {
  const { frontier, source, sink } = step;
  if (!source.discover || page.depth >= source.depth) return;
  if (links.length >= MAX_LINKS) {
    frontier.change({ isPartial: true });
    sink.log('warning', `Of a page only the first ${MAX_LINKS} links are followed: ${page.url}`);
  }
  addListed(step, links, page.depth + 1);
}
