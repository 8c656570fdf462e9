import { type ReportView, reportPage, reportView } from '../../../src/web/report/page.tsx';
import { readStored } from '../../../src/web/report/stored.ts';
import type { CapabilityName } from '../../../src/capabilities/capability-name.ts';

/** 2026-11-21 12:00 UTC. */
const STORED_AT_MS = Date.UTC(2026, 10, 21, 12);
const KEPT_MS = 30 * 86_400_000;

export const REPORT_ID = '0123456789abcdef'.repeat(2);

/** A stored result around what a capability made, as the service writes it. */
export const storedText = (capability: CapabilityName, result: object, url?: string): string =>
  JSON.stringify({
    capability,
    ...(url === undefined ? {} : { url }),
    report_id: REPORT_ID,
    ...result,
    warnings: ['One warning of the audit.'],
  });

type Frame = Parameters<typeof reportView>[0];

function viewOf(text: string, { published, ...more }: PageChanges): ReportView {
  const frame: Frame = {
    id: REPORT_ID,
    baseUrl: 'https://sightline.test',
    storedAtMs: STORED_AT_MS,
    expiresAtMs: STORED_AT_MS + KEPT_MS,
    publishing:
      published === true
        ? { published, publishable: true, host: 'acme.example' }
        : { published: false, publishable: false, reason: 'not_recorded' },
    ...more,
  };
  const view = reportView(frame, readStored(text));
  if (view === undefined) throw new Error('not a result of its capability');
  return view;
}

type PageChanges = { published?: boolean } & Pick<Frame, 'language' | 'shownAnswers'>;

/** The page of a stored result. */
export const pageOf = async (text: string, changes: PageChanges = {}): Promise<string> =>
  String(await reportPage(viewOf(text, changes)));
