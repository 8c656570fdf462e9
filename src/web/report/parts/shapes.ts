import type * as z from 'zod';
import type { checkResult, compareResult, filesResult, fixResult, scoreResult } from '../../../capabilities/results.ts';
import type { versusResult, visibilityFixResult, visibilityResult } from '../../../capabilities/visibility-results.ts';

/** Results as the pages get them: parsed by the schemas that the catalogue publishes. */
export type Compared = z.infer<typeof compareResult>;
export type Score = z.infer<typeof scoreResult>;
export type Check = z.infer<typeof checkResult>;
export type Evidence = Check['evidence'][number];
export type Fix = z.infer<typeof fixResult>;
export type GeneratedFile = z.infer<typeof filesResult>['files'][number];

export type Visibility = z.infer<typeof visibilityResult>;
export type Versus = z.infer<typeof versusResult>;
export type VisibilityFixes = z.infer<typeof visibilityFixResult>;
/** What is said about one brand: the whole of a check, or one of the two sides of a comparison. */
export type BrandReport = Omit<Versus['brands']['brand'], 'name'>;
/** How the answers were got, the same for every brand that is measured on them. */
export type Measurement = Pick<
  Visibility,
  'niche' | 'run_id' | 'degraded' | 'engine' | 'prompts' | 'transcripts_sha256'
>;
export type Rate = BrandReport['recommendation_rate'];
