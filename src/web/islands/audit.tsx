import { PendingResult, noProgress, type PreviewProgress, computeThousandths } from '../audit/progress.tsx';
import { render } from 'hono/jsx/dom';
import type { FetchStep, SitePreview, PREVIEW_LIMITS, Preview, PreviewCheck } from '../../audit/core/preview.ts';
import { escapeControlsIn } from '../../lib/safe-text.ts';
import { PreviewResult } from '../audit/result.tsx';
import { SCORE_ORDER, getScoreTitle } from '../audit/score-words.ts';
import { mountBuying } from './parts/buying.ts';
import { filterChecks } from './parts/check-filter.ts';
import { showCopyButtons } from './parts/copying.ts';
import { readServerEvents, type ServerEvent, parseEventData } from './parts/event-reader.ts';
import { CHECK_STATUS_WORDS } from '../design/parts.tsx';

/** Lines that the list holds: all requests and checks of an audit, and room for more of either. */
const MAX_LINES = 600;

type LiveSteps = {
  fetched: (step: FetchStep) => void;
  judged: (check: PreviewCheck) => void;
  clear: () => void;
};

/** The list of what was read and judged, newest last; it follows its end unless someone scrolled back. */
function createLiveSteps(list: HTMLElement): LiveSteps {
  const box = list.parentElement;
  const add = (kind: string, text: string, ms: string): void => {
    if (list.childElementCount >= MAX_LINES) return;
    const atEnd = box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    list.append(createStepLine([kind, text, ms]));
    if (box && atEnd) box.scrollTop = box.scrollHeight;
  };
  return {
    fetched: ({ role, url, status: code, failure, ms }) =>
      add(String(code ?? failure ?? 'no answer'), `${role}: ${url}`, `${ms} ms`),
    judged: (check) => add(check.open ? CHECK_STATUS_WORDS[check.status] : 'Judged', check.title, ''),
    clear: () => list.replaceChildren(),
  };
}

function createStepLine([kind, text, ms]: readonly [string, string, string]): HTMLElement {
  const item = document.createElement('li');
  const parts = [kind, text, ms].map((content) => {
    const part = document.createElement('span');
    part.textContent = content;
    return part;
  });
  parts[2]?.classList.add('ms');
  item.append(...parts);
  return item;
}

/** A part of the page, which `page.tsx` has made of this kind of element. */
function getPart<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no such #${id}`);
  return found;
}

const form = getPart('audit-form', HTMLFormElement);
const address = getPart('audit-url', HTMLInputElement);
const profile = getPart('audit-profile', HTMLSelectElement);
const runButton = getPart('audit-run', HTMLButtonElement);
const stopButton = getPart('audit-stop', HTMLButtonElement);
const problem = getPart('audit-problem', HTMLElement);
const live = getPart('audit-live', HTMLElement);
const bar = getPart('audit-progress', HTMLProgressElement);
const counts = getPart('audit-counts', HTMLElement);
const status = getPart('audit-status', HTMLElement);
const result = getPart('audit-result', HTMLElement);
const steps = createLiveSteps(getPart('audit-steps', HTMLElement));

let progress: PreviewProgress = noProgress;
let running: AbortController | undefined;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!running) void run();
});
stopButton.addEventListener('click', () => running?.abort());
showCopyButtons(document);
filterChecks(result);
const panel = document.querySelector<HTMLElement>('[data-buy="panel"]');
if (panel) mountBuying(panel, () => ({ capability: 'full_audit', body: readOrderBody() }));

/** What is asked for: the address as it was typed, and the kind of site where one was chosen. */
function readOrderBody(): { url: string; profile?: string } {
  return { url: address.value.trim(), ...(profile.value === '' ? {} : { profile: profile.value }) };
}

async function run(): Promise<void> {
  const stopping = new AbortController();
  running = stopping;
  begin();
  try {
    const answer = await fetch('/audit/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(readOrderBody()),
      signal: stopping.signal,
    });
    if (!answer.ok || !answer.body) throw new Refused(await readProblemText(answer));
    for await (const event of readServerEvents(answer.body)) take(event);
    if (!progress.isDone) throw new Refused('The connection ended before the result came. Run the preview again.');
  } catch (error) {
    fail(stopping.signal.aborted ? 'Stopped. Nothing more is asked of the site.' : getErrorText(error));
  } finally {
    running = undefined;
    stopButton.hidden = true;
    runButton.disabled = false;
    runButton.textContent = 'Run again';
  }
}

/** What the server or the network says, in words for the page. */
class Refused extends Error {
  override readonly name = 'Refused';
}

const getErrorText = (error: unknown): string =>
  error instanceof Refused
    ? error.message
    : 'The service could not be reached. Check your connection and run the preview again.';

/** Everything that takes room appears at once, while the press of the button is what moves the page. */
function begin(): void {
  history.replaceState(null, '', `/audit?url=${encodeURIComponent(address.value.trim())}`);
  progress = noProgress;
  steps.clear();
  problem.hidden = true;
  live.hidden = false;
  stopButton.hidden = false;
  runButton.disabled = true;
  result.classList.add('pending');
  render(<PendingResult />, result);
  status.textContent = 'Reading the site.';
  show();
}

function take(event: ServerEvent): void {
  const data = parseEventData(event);
  switch (event.event) {
    case 'start':
      return showStart(data as Started);
    case 'fetch':
      return showFetch(data as FetchStep);
    case 'check':
      return showCheck(data as PreviewCheck);
    case 'result':
      return showResult(data as SitePreview);
    case 'problem':
      throw new Refused(describeProblem(data as Problem));
    default: // `scores` come again with the result.
  }
}

type Started = { limits: typeof PREVIEW_LIMITS; reused: boolean };

function showStart({ limits }: Started): void {
  progress = { ...progress, atMost: limits.requests, checks: limits.checks };
  show();
}

function showFetch(step: FetchStep): void {
  steps.fetched(step);
  progress = { ...progress, done: step.done, atMost: step.at_most };
  show();
}

function showCheck(check: PreviewCheck): void {
  if (progress.judged === 0) status.textContent = `Judging ${progress.checks} checks.`;
  steps.judged(check);
  progress = { ...progress, judged: progress.judged + 1 };
  show();
}

function showResult(made: SitePreview): void {
  progress = { ...progress, isDone: true };
  show();
  render(<PreviewResult {...made} />, result);
  status.textContent = `Done. ${describeForSpeech(made.preview)}`;
  showCopyButtons(result);
  filterChecks(result);
}

const describeForSpeech = ({ scores }: Preview): string =>
  SCORE_ORDER.filter((name) => scores[name].coverage > 0)
    .map((name) => `${getScoreTitle(name)} ${scores[name].score} of 100`)
    .join(', ');

function show(): void {
  const { done, atMost, judged: checked, checks, isDone } = progress;
  bar.value = computeThousandths(progress);
  const requests = `${done} of at most ${atMost} requests`;
  counts.textContent = isDone
    ? `Done: ${done} requests, ${checked} checks`
    : checked > 0
      ? `${requests}, ${checked} of ${checks} checks`
      : requests;
}

function fail(text: string): void {
  problem.textContent = text;
  problem.hidden = false;
  live.hidden = true;
  result.classList.remove('pending');
  result.replaceChildren();
}

type Problem = { title?: string; detail?: string; retry_after_s?: number };

async function readProblemText(answer: Response): Promise<string> {
  try {
    return describeProblem(escapeControlsIn((await answer.json()) as Problem));
  } catch {
    return `The service answered ${answer.status}. Try again in a minute.`; // Not a problem of ours.
  }
}

function describeProblem({ title = 'The preview could not be made', detail, retry_after_s: waitS }: Problem): string {
  const wait = waitS === undefined ? '' : ` Try again in ${waitWords(waitS)}.`;
  return `${detail === undefined ? title : `${title}: ${detail}`}.${wait}`;
}

const waitWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
