import type { Page } from 'playwright-core';
import type { CapabilityName } from '../../../src/capabilities/capability-name.ts';
import { storedExamples } from '../management/stored-examples.ts';
import { pageOf } from './report-view.ts';

/** One state of a page that a person must be able to rely on: what is drawn, and what is done before one looks. */
export type KeyState = { name: string; html: () => Promise<string>; act?: (page: Page) => Promise<void> };

let stored: Promise<ReadonlyMap<CapabilityName, string>> | undefined;

const reportOf = (capability: CapabilityName) => async (): Promise<string> => {
  stored ??= storedExamples();
  const text = (await stored).get(capability);
  if (text === undefined) throw new Error(`no example of ${capability}`);
  return pageOf(text);
};

/** The states that have pictures, at two widths and in both schemes. */
export const keyStates: readonly KeyState[] = [
  { name: 'report-full-audit', html: reportOf('full_audit') },
  { name: 'report-fix-pack', html: reportOf('fix_pack') },
  { name: 'report-check-health', html: reportOf('check_health') },
  { name: 'report-skill', html: reportOf('generate_skill') },
  { name: 'report-compare', html: reportOf('compare') },
  { name: 'report-visibility', html: reportOf('visibility_check') },
  { name: 'report-versus', html: reportOf('visibility_vs_competitor') },
];
