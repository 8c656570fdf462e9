import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { ResourceContents } from './tool-host.ts';

export const CATALOGUE_URI = 'sightline://catalogue';
const REPORTS = 'sightline://reports/';
const REPORT_ID = /^[0-9a-f]{32}$/;

/** The catalogue of capabilities, the same for everybody. */
export const CATALOGUE: Resource = {
  uri: CATALOGUE_URI,
  name: 'catalogue',
  title: 'Catalogue',
  description: 'All capabilities with their prices and body schemas',
  mimeType: 'application/json',
};

/** Reports are read by their unguessable id, and listed to no one but the account that bought them (rule A6). */
export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: `${REPORTS}{report_id}`,
    name: 'report',
    title: 'Stored report',
    description: 'A result that was paid for, by its report_id. What is under `evidence` is not our text.',
    mimeType: 'application/json',
  },
];

export const reportUri = (reportId: string): string => `${REPORTS}${reportId}`;

/** The report id of a resource URI; undefined for every other URI. */
export function parseReportUri(uri: string): string | undefined {
  const id = uri.startsWith(REPORTS) ? uri.slice(REPORTS.length) : '';
  return REPORT_ID.test(id) ? id : undefined;
}

/** One line of a list of reports: names of our own only. `storedAt` is RFC 3339. */
export const reportResource = (reportId: string, capability: string, storedAt: string): Resource => ({
  uri: reportUri(reportId),
  name: `${capability} ${storedAt}`,
  description: `Result of ${capability}`,
  mimeType: 'application/json',
});

/** The catalogue document as a resource. */
export const buildCatalogueResource = (index: Record<string, unknown>): ResourceContents => ({
  contents: [{ uri: CATALOGUE_URI, mimeType: 'application/json', text: JSON.stringify(index) }],
  isShared: true,
});
