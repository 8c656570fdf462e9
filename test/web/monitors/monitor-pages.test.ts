import { describe, expect, test } from 'vitest';
import { draftGivenUp, draftPaused } from '../../../src/monitors/book/ring.ts';
import type { AlertChange, MonitorAlert } from '../../../src/monitors/core/alert.ts';
import { formatRun } from '../../../src/monitors/core/run-wire.ts';
import { readMonitorHistory } from '../../../src/monitors/history/history.ts';
import { getProblemWords } from '../../../src/web/language/problem-words.ts';
import { LANGUAGES } from '../../../src/web/language/language.ts';
import { renderAlertPage } from '../../../src/web/monitors/alert.tsx';
import { HistoryChart, Sparkline } from '../../../src/web/monitors/chart.tsx';
import { renderComparePage } from '../../../src/web/monitors/compare.tsx';
import { describeInterval } from '../../../src/web/monitors/describe-interval.ts';
import { computeMonthMicroUsdc } from '../../../src/web/monitors/describe-monitor.ts';
import { renderRemovePage, renderShownOnce } from '../../../src/web/monitors/dialogs.tsx';
import { renderMonitorForm } from '../../../src/web/monitors/form.tsx';
import { renderMonitorList } from '../../../src/web/monitors/list.tsx';
import {
  formatAlertMarkdown,
  formatMonitorListMarkdown,
  formatMonitorMarkdown,
  formatRunMarkdown,
} from '../../../src/web/monitors/markdown.ts';
import { renderMonitorPage } from '../../../src/web/monitors/monitor.tsx';
import { fillMonitorForm, listFormFaults, readMonitorForm } from '../../../src/web/monitors/read-form.ts';
import { renderRunPage } from '../../../src/web/monitors/run.tsx';
import { listChartSeries } from '../../../src/web/monitors/series.ts';
import { email, makeMonitor, NOW_MS, SECRET, webhook } from '../../monitors/receivers/made.ts';
import { delivery, EVIL, evilAlert, evilMonitor, frame, makeRun, overview, summary } from './made-history.ts';

const failure = (id: string, title: string, text: string): AlertChange => ({
  id,
  title,
  before: null,
  after: { text },
  isWorse: true,
});
const flat = (page: unknown): string => String(page).replaceAll(/\s+/g, ' ');
const BASE = 'https://sightline.test';
const runs = [makeRun(3, { alerts: 1 }), makeRun(2, { summary: summary(60, '6.0.0') }), makeRun(1)];
const compared = {
  from: makeRun(1),
  to: makeRun(2),
  comparison: {
    ok: true as const,
    fromRunId: makeRun(1).id,
    toRunId: makeRun(2).id,
    changes: {
      kind: 'site' as const,
      rubric: { before: null, after: null, isSame: true },
      scores: [{ name: 'aeo' as const, before: 71, after: 60 }],
      worse: evilAlert().changes,
      better: [],
      inOneOnly: [],
    },
  },
};

const render = (language: 'en' | 'de') => {
  const own = { ...frame, language };
  const monitor = evilMonitor();
  const list = { frame: own, older: undefined, balanceMicroUsdc: 5_000_000, nowMs: NOW_MS };
  const page = { faults: [], engines: [], hasMail: true, balanceMicroUsdc: 1, isFree: false };
  const edit = { id: monitor.id, name: monitor.name, revision: 3, receivers: monitor.receivers };
  return {
    list: renderMonitorList({ ...list, monitors: [overview(monitor)] }),
    empty: renderMonitorList({ ...list, monitors: [] }),
    unread: renderMonitorList({ ...list, monitors: undefined }),
    monitor: renderMonitorPage({
      frame: own,
      overview: overview({ ...monitor, state: 'paused', pausedBecause: 'insufficient_credits' }),
      history: readMonitorHistory(runs, [evilAlert()]),
      runs,
      older: '/account/monitors/x?after=1#runs',
      olderAlerts: '/account/monitors/x?alerts=1#alerts',
      alerts: [evilAlert()],
      deliveries: [delivery],
      nowMs: NOW_MS,
    }),
    run: renderRunPage({
      frame: own,
      monitor,
      run: makeRun(2, { state: 'failed', reason: 'timeout' }),
      before: makeRun(1),
    }),
    alert: renderAlertPage({ frame: own, monitor: makeMonitor({ name: EVIL }), alert: evilAlert(), baseUrl: BASE }),
    compare: renderComparePage({ frame: own, id: monitor.id, compared }),
    new: renderMonitorForm({
      ...page,
      frame: own,
      kind: 'site',
      form: { read: (name) => (name === 'url' ? EVIL : undefined), all: () => [] },
      faults: [{ name: 'url', text: 'No.' }],
      isNew: true,
      idempotencyKey: 'k',
    }),
    edit: renderMonitorForm({
      ...page,
      ...edit,
      frame: own,
      kind: 'visibility_check',
      form: fillMonitorForm(monitor),
      isNew: false,
      isStale: true,
    }),
    remove: renderRemovePage({ frame: own, monitor }),
    shown: renderShownOnce({ frame: own, monitor, baseUrl: BASE, shown: { receivers: [webhook()], token: 'smt_x' } }),
  };
};

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(Object.entries(render(language)))(
    '%s is a page of one heading, whose forms have the token, and what others wrote is text',
    (name, page) => {
      const text = flat(page);
      expect(text).toContain(`<html lang="${language}">`);
      expect(text.match(/<h1/g)).toHaveLength(1);
      expect(text).not.toMatch(/undefined|\[object|NaN/);
      expect(text).not.toMatch(/<script>|<img src=x|private-part/);
      expect(text).not.toMatch(/ style="|<script(?! type="module" src="\/web\/)|\son[a-z]+="/);
      for (const [form] of text.matchAll(/<form[^>]*method="post"(?![^>]*action="\/language").*?<\/form>/g))
        expect(form).toContain('name="csrf" value="token"');
      if (name !== 'shown') expect(text).not.toContain(SECRET);
    },
  );
});

describe('an alert', () => {
  const page = flat(renderAlertPage({ frame, monitor: makeMonitor(), alert: evilAlert(), baseUrl: BASE }));

  test('shows both sides, since when, both reports and how to judge it again', () => {
    for (const text of [
      'aeo.robots_allows_search',
      'line 4',
      `/reports/${'c'.repeat(32)}`,
      `/reports/${'b'.repeat(32)}`,
      `${BASE}/reports/${'c'.repeat(32)}/snapshot`,
      '2026-11-24 10:00 UTC',
      'And 2 more changes.',
      'Disallow: /&quot;&gt;&lt;script&gt;',
    ])
      expect(page).toContain(text);
    expect(page).not.toContain('\u0007');
  });

  test('as Markdown has nothing of the site outside a code span', () => {
    const text = formatAlertMarkdown(makeMonitor({ name: EVIL }), evilAlert(), BASE);
    expect(text).toContain('aeo.robots_allows_search');
    const outside = text.replaceAll(/(`+)[^\n]*?\1/g, '');
    expect(outside).not.toMatch(/<|script|onerror/);
    const list = formatMonitorListMarkdown([overview(evilMonitor())], BASE);
    const one = formatMonitorMarkdown({ overview: overview(evilMonitor()), runs, alerts: [evilAlert()] }, BASE);
    for (const made of [list, one]) {
      expect(made.replaceAll(/(`+)[^\n]*?\1/g, '')).not.toMatch(/<script|onerror/);
      expect(made).not.toContain('private-part');
    }
  });
});

describe('what happened is said in the language of the page', () => {
  const paused: MonitorAlert = { ...evilAlert(), ...draftPaused('insufficient_credits', NOW_MS), runId: null };
  const gate = evilAlert({
    kind: 'gate_fired',
    changes: [
      {
        id: 'aeo.robots.ai-search-bots',
        title: 'AI search crawlers may fetch the start page',
        before: { text: 'partial (50 %)', status: 'partial', value: 0.5 },
        after: { text: 'fail, holds aeo at 40, agent at 20', status: 'fail', value: 0 },
      },
    ],
    more: 0,
  });
  const moved = evilAlert({
    kind: 'score_moved',
    changes: [
      {
        id: 'agent',
        title: 'AGENT',
        isWorse: true,
        before: { text: '73 points', value: 73 },
        after: { text: '1 point', value: 1 },
      },
    ],
    more: 0,
  });

  test.each([
    [paused, 'en', 'The monitor is paused. Your credits do not cover the next run. Add credits, then resume it.'],
    [paused, 'de', 'Die Überwachung ist angehalten. Das Guthaben reicht nicht für den nächsten Lauf. Laden Sie es auf'],
    [
      { ...paused, ...draftGivenUp('run_1', 3) },
      'de',
      'nach mehreren Versuchen aufgegeben. Ob er berechnet wurde, war',
    ],
    [{ ...paused, ...draftGivenUp('run_1', 3) }, 'en', 'Whether it was charged could not be asked'],
    [gate, 'de', 'eine Punktzahl (Sichtbarkeit in der KI-Suche (AEO) auf 40, Eignung für Agenten auf 20)'],
    [moved, 'de', 'Eignung für Agenten fiel von 73 auf 1.'],
    [moved, 'en', 'Agent readiness fell from 73 to 1.'],
    [
      evilAlert({ kind: 'run_failed', changes: [failure('target_unreachable', 'Run', 'The site did not answer')] }),
      'de',
      `Ein Lauf ist gescheitert. ${getProblemWords('target_unreachable', 'de')?.title}`,
    ],
    [
      evilAlert({ kind: 'site_unreadable', changes: [failure('site', 'Site', 'status 503')] }),
      'de',
      'Die Website war zweimal nacheinander nicht lesbar: Status 503.',
    ],
  ] as const)('%#', (alert, language, sentence) => {
    const page = flat(renderAlertPage({ frame: { ...frame, language }, monitor: makeMonitor(), alert, baseUrl: BASE }));
    expect(page).toContain(sentence);
    expect(page).not.toMatch(/: (?:nothing|nichts)[.<]/);
  });

  test('and a verdict of a card is said once', () => {
    const page = flat(renderAlertPage({ frame, monitor: makeMonitor(), alert: gate, baseUrl: BASE }));
    expect(page).toContain('<bdi>holds AI search visibility (AEO) at 40, Agent readiness at 20</bdi>');
    expect(page).toContain('<bdi>50 %</bdi>');
    expect(page).not.toContain('>fail');
  });
});

test('what is shown once, and the command that judges again, can be copied', () => {
  for (const language of LANGUAGES) {
    const { shown, alert } = render(language);
    for (const page of [shown, alert].map(flat)) {
      expect(page).toContain('src="/web/copy.js"');
      expect(page).toContain(language === 'de' ? '>Kopieren</button>' : '>Copy</button>');
    }
  }
});

describe('charts', () => {
  test('draw each line, its band and what else changed, and say it aloud', () => {
    const series = listChartSeries(readMonitorHistory(runs, []));
    expect(series.lines.map(({ name, points }) => [name, points.length])).toEqual([
      ['aeo', 3],
      ['geo', 3],
    ]);
    expect(series.marks.map(({ kind }) => kind)).toEqual(['rubric', 'rubric']);
    const drawn = flat(HistoryChart({ series, kind: 'site', language: 'en' }));
    expect(drawn.match(/class="band"/g)).toHaveLength(1);
    expect(drawn).toContain('AI search visibility (AEO), 71 at first and 73 now');
  });

  test('a run that could not read the site says so, and shows no scores of an error page', () => {
    const run = makeRun(2, { summary: { ...summary(12), unread: 'status 503' } });
    const shown = { frame, monitor: makeMonitor(), run, before: undefined };
    expect(flat(renderRunPage(shown))).toContain('The site could not be read (status 503)');
    for (const page of [renderRunPage(shown), formatRunMarkdown(makeMonitor(), run, BASE)])
      expect(flat(page)).not.toMatch(/\(AEO\) 12|\(GEO\) 64/);
    expect(flat(renderRunPage({ ...shown, run: makeRun(2, { summary: summary(12) }) }))).toContain('(AEO) 12');
    expect(formatRun(run, BASE)).toMatchObject({ summary: { unread: 'status 503' } });
  });

  test('a single run is a dot, and no reading is said', () => {
    const one = listChartSeries(readMonitorHistory([makeRun(1)], []));
    expect(flat(HistoryChart({ series: one, kind: 'site', language: 'en' }))).not.toContain('NaN');
    const spark = (values: readonly (number | null)[]) =>
      flat(Sparkline({ points: values.map((value, at) => ({ atMs: at, value })), kind: 'brand', language: 'en' }));
    expect(spark([])).toContain('No reading yet');
    expect(spark([null])).toContain('No reading yet');
    expect(spark([0.4, null, 0.2])).toContain('3 runs, 40 % at first and 20 % now');
  });
});

describe('words of a monitor', () => {
  test('say when it runs, and what that costs a month', () => {
    expect(describeInterval({ every: 'monthly', day: 31, at: '07:30' }, 'en')).toBe(
      'Every month on day 31 at 07:30 (UTC)',
    );
    expect(describeInterval({ every: 'weekly', weekday: 0 }, 'de')).toBe(
      'Wöchentlich am Sonntag zwischen 5 und 6 Uhr (UTC)',
    );
    const cost = (cron: string) => computeMonthMicroUsdc(makeMonitor({ interval: { cron } }), NOW_MS) / 350_000;
    expect(cost('0 * * * *')).toBeCloseTo(730.5, -1);
    expect(cost('0 6 1 * *')).toBeCloseTo(1, 1);
  });
});

describe('a form', () => {
  const reading = { language: 'en', free: false, isNew: true } as const;
  const formOf = (fields: Record<string, string>) => ({
    read: (name: string) => fields[name],
    all: (name: string) => (fields[name] === undefined ? [] : [fields[name]]),
  });

  test('says what goes with its choices only', async () => {
    const given = {
      url: 'shop.example',
      every: 'monthly',
      weekday: '3',
      day: '31',
      cron: 'x',
      compare_sites: ' a.example \n\n',
    };
    const { body, faults } = await readMonitorForm(formOf(given), { ...reading, kind: 'site' });
    expect(faults).toEqual([]);
    expect(body).toEqual({
      subject: { kind: 'site', url: 'shop.example', competitors: ['a.example'] },
      interval: { every: 'monthly', day: 31 },
      rules: { improvements: false, competitors: false },
      receivers: [],
      quiet_hours: null,
    });
  });

  test('of a brand has the fields of its row', async () => {
    const given = { brand: 'Acme', niche: 'CRM', every: 'cron', cron: '0 6 * * *', quiet_from: '22:00' };
    const { body } = await readMonitorForm(formOf(given), { ...reading, kind: 'visibility_check', free: true });
    expect(body).toMatchObject({
      subject: { kind: 'brand', capability: 'visibility_check', body: { brand: 'Acme', niche: 'CRM' } },
      interval: { cron: '0 6 * * *' },
      quiet_hours: { from: '22:00', to: '' },
      payment: 'operator',
    });
    const empty = await readMonitorForm(formOf({ brand: 'Acme' }), { ...reading, kind: 'visibility_check' });
    expect(empty.faults).toEqual([{ name: 'niche', text: expect.stringContaining('Fill in') }]);
  });

  test('says what a run costs with its competitors', () => {
    const shown = { faults: [], engines: [], hasMail: true, balanceMicroUsdc: 1, isFree: false };
    const priceOf = (competitors: string) =>
      flat(
        renderMonitorForm({
          ...shown,
          frame,
          kind: 'site',
          form: formOf({ compare_sites: competitors }),
          isNew: true,
          idempotencyKey: 'k',
        }),
      );
    expect(priceOf('')).toContain('Each run costs $0.35 ');
    expect(priceOf('a.example\n\nb.example')).toContain('Each run costs $1.05 ');
  });

  test('finds the field of each fault', () => {
    const errors = [
      '/interval/cron',
      '/subject/competitors/1',
      '/subject/body/prompts/0',
      '/receivers/1/url',
      '/quiet_hours/to',
      '/name',
      '',
    ].map((pointer) => ({ pointer, message: 'must be an https address' }));
    const named = listFormFaults(errors, { fields: ['keep', 'receiver_to.2'] }, 'de').map(({ name }) => name);
    expect(named).toEqual(['cron', 'compare_sites', 'prompts', 'receiver_to.2', 'quiet_to', 'monitor_name', undefined]);
  });

  test('that is filled from a monitor and sent as it is changes nothing', async () => {
    const monitor = makeMonitor({
      interval: { every: 'weekly', weekday: 2, at: '07:00', time_zone: 'Europe/Berlin' },
      subject: { kind: 'site', url: 'https://shop.example/', max_pages: 5, competitors: ['https://b.example/'] },
      rules: { min_weight: 3, score_points: 5, improvements: false, competitors: true },
      quietHours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' },
      receivers: [webhook(), email()],
    });
    const { body } = await readMonitorForm(fillMonitorForm(monitor), { ...reading, kind: 'site', isNew: false });
    expect(body).toEqual({
      name: monitor.name,
      subject: monitor.subject,
      interval: monitor.interval,
      rules: monitor.rules,
      receivers: monitor.receivers.map(({ id }) => ({ id })),
      quiet_hours: monitor.quietHours,
    });
  });
});
