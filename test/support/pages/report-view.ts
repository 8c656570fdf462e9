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

function viewOf(text: string, published: boolean, whole: boolean): ReportView {
  const frame = {
    id: REPORT_ID,
    baseUrl: 'https://sightline.test',
    whole,
    storedAtMs: STORED_AT_MS,
    expiresAtMs: STORED_AT_MS + KEPT_MS,
    publishing: published
      ? { published, publishable: true, reason: 'It can be published', host: 'acme.example' }
      : { published, publishable: false, reason: 'It was stored before this was recorded' },
  };
  const view = reportView(frame, readStored(text));
  if (view === undefined) throw new Error('not a result of its capability');
  return view;
}

/** The page of a stored result. */
export const pageOf = async (text: string, published = false, whole = false): Promise<string> =>
  String(await reportPage(viewOf(text, published, whole)));
