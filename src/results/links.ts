/** Where a report is read. Undefined members: it was made on the caller's own machine and is stored nowhere. */
export type ReportPlace = { baseUrl: string; reportId: string };

export const formatReportUrl = ({ baseUrl, reportId }: ReportPlace): string => `${baseUrl}/reports/${reportId}`;

export const formatSectionUrl = (place: ReportPlace, name: string): string =>
  `${formatReportUrl(place)}/sections/${name}`;

/** The page of a report, as a Link header (RFC 8288). */
export const formatReportLink = (place: ReportPlace): string =>
  `<${formatReportUrl(place)}>; rel="alternate"; type="text/html"`;
