import type { JsonObject } from '../../../../lib/json.ts';
import type { Handler, Handlers } from '../../../core/engine/operation.ts';
import { parsePublisher } from '../rows.ts';
import { buildReportRows, mediationReport, networkReport } from './rows.ts';
import { type ReportKind, readReportSpec } from './schemas.ts';

/** Reports of the released version. An answer is a list of parts: a header, the rows, a footer. */
export const handlers: Handlers = {
  'admob.v1.accounts.networkReport.generate': createReportHandler(networkReport),
  'admob.v1.accounts.mediationReport.generate': createReportHandler(mediationReport),
};

function createReportHandler(kind: ReportKind): Handler {
  return ({ path, body }, context): JsonObject => {
    const publisher = parsePublisher(path['parent'] ?? '');
    const spec = readReportSpec(body, kind);
    const { rows, count } = buildReportRows(spec, publisher, context);
    const { dateRange, currencyCode, languageCode } = spec;
    const header = { dateRange, localizationSettings: { currencyCode, languageCode } };
    const parts = [
      { header: { ...header, reportingTimeZone: 'America/Los_Angeles' } },
      ...rows,
      { footer: { matchingRowCount: String(count) } },
    ];
    return { parts };
  };
}
