import type { FetchStep, PREVIEW_LIMITS, PreviewCheck } from '../../audit/core/preview.ts';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import type { DescribedFailure } from '../audit/failure-parts-words.ts';
import { type AuditState, RESULT_TITLE_ID, type ShownPreview } from '../audit/page-state.ts';
import { computeThousandths, noProgress, type PreviewProgress } from '../audit/progress.ts';
import { progressWords } from '../audit/progress-words.ts';
import { DEFAULT_LANGUAGE, parseLanguage } from '../language/language.ts';
import { hasKeptPurchase } from './buying/purchase-keys.ts';
import { mountBuying } from './parts/buying.ts';
import { filterChecks } from './parts/check-filter.ts';
import { showCopyButtons } from './parts/copying.ts';
import { parseEventData, readServerEvents, type ServerEvent } from './parts/event-reader.ts';
import { createFailureMessage, type ShownFailure } from './parts/failure-message.ts';
import { parseFragment } from './parts/fragment.ts';
import { createLiveSteps } from './parts/live-steps.ts';
import { followTargets } from './parts/open-target.ts';
import { endSilence } from './parts/silence.ts';

/** Without a byte for so long, in milliseconds, the connection counts as lost. */
const SILENCE_MS = 20_000;

const CAPABILITY = 'full_audit';

/** A part of the page, which `page.tsx` has made of this kind of element. */
function getPart<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no such #${id}`);
  return found;
}

const language = parseLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE;
const words = progressWords[language];
const page = getPart('audit-page', HTMLElement);
const form = getPart('audit-form', HTMLFormElement);
const address = getPart('audit-url', HTMLInputElement);
const profile = getPart('audit-profile', HTMLSelectElement);
const subject = getPart('audit-subject', HTMLElement);
const bar = getPart('audit-progress', HTMLProgressElement);
const counts = getPart('audit-counts', HTMLElement);
const status = getPart('audit-status', HTMLElement);
const failure = getPart('audit-failure', HTMLElement);
const result = getPart('audit-result', HTMLElement);
const details = getPart('audit-details', HTMLElement);
const steps = createLiveSteps(getPart('audit-steps', HTMLElement), language);

type Order = { url: string; profile?: string };

let progress: PreviewProgress = noProgress;
let running: AbortController | undefined;
/** What the shown result is of, which is what is sold beside it. */
let ordered: Order = readOrder();

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!running) void run();
});
getPart('audit-stop', HTMLButtonElement).addEventListener('click', () => running?.abort());
getPart('audit-another', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault();
  showState('form');
  address.focus();
  address.select();
});
showCopyButtons(document);
filterChecks(details);
followTargets();
addEventListener('beforeunload', () => {
  history.scrollRestoration = 'manual'; // Loaded again, the page is the form: where its result was scrolled to is nowhere.
});
if (!isFirstLook() && location.hash === '') scrollTo(0, 0);
mountPanel();
document.getElementById('audit-late')?.remove(); // For pages whose script does not come.
if (page.dataset['start'] !== undefined && isFirstLook()) void run();
else if (page.dataset['state'] === 'running') showState('form');

/** What is asked for: the address as it was typed, and the kind of site where one was chosen. */
function readOrder(): Order {
  return { url: address.value.trim(), ...(profile.value === '' ? {} : { profile: profile.value }) };
}

/** A page that comes out of the history starts nothing: no one has just asked for it. */
function isFirstLook(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return !(entry instanceof PerformanceNavigationTiming) || entry.type === 'navigate';
}

/** Offers are made beside a result only; a purchase that has begun is shown whatever else is. */
function mountPanel(): void {
  const panel = document.querySelector<HTMLElement>('[data-buy="panel"]');
  if (!panel) return;
  mountBuying(panel, () => ({ capability: CAPABILITY, body: ordered }));
  const outcome = panel.closest<HTMLElement>('[data-in]');
  if (!outcome || !hasKeptPurchase(window, CAPABILITY)) return;
  // Once the page is where it begins: there the foot, which the panel moves, is out of sight.
  requestAnimationFrame(() =>
    setTimeout(() => {
      if (page.dataset['state'] !== 'running') outcome.hidden = false;
    }),
  );
}

/** Shows the parts of a state and hides all others. */
function showState(state: AuditState): void {
  page.dataset['state'] = state;
  for (const part of page.querySelectorAll<HTMLElement>('[data-in]'))
    part.hidden = !(part.dataset['in'] ?? '').split(' ').includes(state);
}

async function run(): Promise<void> {
  const stopping = new AbortController();
  running = stopping;
  begin();
  try {
    const answer = await ask(stopping.signal);
    if (!answer.ok || !answer.body) throw new Failed(await readProblem(answer));
    for await (const event of readServerEvents(endSilence(answer.body, SILENCE_MS))) take(event);
    if (!progress.isDone) throw new Failed('connection_lost');
  } catch (error) {
    if (stopping.signal.aborted) fail('stopped_here');
    else fail(error instanceof Failed ? error.said : 'connection_lost');
  } finally {
    if (running === stopping) running = undefined;
  }
}

async function ask(signal: AbortSignal): Promise<Response> {
  try {
    return await fetch('/audit/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(ordered),
      signal,
    });
  } catch {
    throw new Failed('service_unreachable'); // Said to the person.
  }
}

/** Why there is no result, as the page says it. */
class Failed extends Error {
  override readonly name = 'Failed';
  readonly said: ShownFailure;
  constructor(said: ShownFailure) {
    super('no result');
    this.said = said;
  }
}

/** The address bar names the audit: the page that it leads to later is the form with the address. */
function begin(): void {
  ordered = readOrder();
  history.scrollRestoration = 'auto'; // One goes back from a check of the result to where one was.
  history.replaceState(null, '', `/audit?url=${encodeURIComponent(ordered.url)}`);
  progress = noProgress;
  steps.clear();
  for (const part of [failure, result, details]) part.replaceChildren();
  const shown = subject.querySelector('.url');
  if (shown) shown.textContent = ordered.url;
  showState('running');
  status.textContent = words.starting;
  show();
}

function take(event: ServerEvent): void {
  const data = parseEventData(event);
  switch (event.event) {
    case 'start':
      return showStart(data as { limits: typeof PREVIEW_LIMITS });
    case 'fetch':
      return showFetch(data as FetchStep);
    case 'check':
      return showCheck(data as PreviewCheck);
    case 'result':
      return showResult(data as ShownPreview);
    case 'problem':
      throw new Failed(describeProblem(data as Problem));
    default: // `scores` come again with the result.
  }
}

function showStart({ limits }: { limits: typeof PREVIEW_LIMITS }): void {
  progress = { ...progress, atMost: limits.requests, checks: limits.checks };
  show();
}

function showFetch(step: FetchStep): void {
  steps.fetched(step);
  progress = { ...progress, done: step.done, atMost: step.at_most };
  show();
}

function showCheck(check: PreviewCheck): void {
  steps.judged(check);
  progress = { ...progress, judged: progress.judged + 1 };
  show();
}

/** The summary first, and the focus with it; the long rest follows once it is seen. */
function showResult({ summary, details: rest, spoken }: ShownPreview): void {
  performance.mark('audit-result-data');
  progress = { ...progress, isDone: true };
  show();
  result.replaceChildren(parseFragment(summary));
  showState('result');
  document.dispatchEvent(new Event('change')); // What is sold beside it is what was audited.
  status.textContent = spoken;
  focusResult();
  requestAnimationFrame(() =>
    setTimeout(() => {
      performance.measure('audit-result-shown', 'audit-result-data');
      details.replaceChildren(parseFragment(rest));
      showCopyButtons(details);
      filterChecks(details);
    }),
  );
}

function focusResult(): void {
  const title = document.getElementById(RESULT_TITLE_ID);
  title?.focus({ preventScroll: true });
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  title?.scrollIntoView({ behavior: isStill ? 'auto' : 'smooth', block: 'start' });
}

function show(): void {
  const { done, atMost, judged, checks } = progress;
  bar.value = computeThousandths(progress);
  counts.textContent = judged > 0 ? words.judging(judged, checks) : words.reading(done, atMost);
}

function fail(said: ShownFailure): void {
  status.textContent = '';
  failure.replaceChildren(createFailureMessage(said));
  showState('failed');
  failure.focus();
}

/** A problem of the service; `said` describes it for this page, and one without has the words for any program. */
type Problem = { said?: DescribedFailure; title?: string; detail?: string; next?: string };

async function readProblem(answer: Response): Promise<ShownFailure> {
  try {
    return describeProblem(escapeControlsIn((await answer.json()) as Problem));
  } catch {
    return 'service_unreachable'; // No problem of ours: an error of what is in between.
  }
}

function describeProblem({ said, title, detail = '', next = '' }: Problem): ShownFailure {
  if (said !== undefined) return said;
  return title === undefined ? 'service_unreachable' : { happened: title, means: detail, next, ways: { retry: true } };
}
