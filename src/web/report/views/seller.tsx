import type * as z from 'zod';
import type { sellerResult } from '../../../capabilities/sold-tools.ts';
import { AuditChecks } from '../../audit/checks.tsx';
import { summariseReport } from '../../audit/summary-data.ts';
import { AuditSummary } from '../../audit/summary.tsx';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../language/language.ts';
import { listShownChecks } from '../audit/shown-checks.ts';
import { FactsSection } from '../health/facts.tsx';

type Props = { result: z.infer<typeof sellerResult>; language?: PageLanguage | undefined };

/** What a buyer found at a paid endpoint: every row, and the terms that were read. */
export const SellerView = ({ result, language = DEFAULT_LANGUAGE }: Props) => (
  <>
    <AuditSummary {...summariseReport(result, language)} language={language} hasChecks />
    <AuditChecks language={language} checks={listShownChecks({ checks: result.checks })} names={[]} />
    <FactsSection language={language} facts={result.facts} />
  </>
);
