import { expect, test } from 'vitest';
import { failure } from '../../../support/audit/site-fetch.ts';
import {
  question,
  faqPage,
  FREE_QUESTION,
  noData,
  pageWith,
  context,
  article,
} from '../../../support/audit/schema-pages.ts';
import { judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';
import { jsonLd, pageOf } from '../../../support/audit/pages.ts';

const COLD_QUESTION = question('Is it cold?', 'No, it is warm.');

const FREE_SHOWN = '<h3>Is it free?</h3><p>Yes, every lamp is free.</p>';

const COLD_SHOWN = '<details><summary>Is it cold?</summary>No, it is warm.</details>';

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
  'geo.schema.faq-parity': [
    [
      'both questions visible, one in closed details, one with markup in the answer',
      pageOf(FREE_SHOWN + COLD_SHOWN, jsonLd(faqPage(FREE_QUESTION, COLD_QUESTION))),
      'pass',
    ],
    ['one of two', pageOf(FREE_SHOWN, jsonLd(faqPage(FREE_QUESTION, COLD_QUESTION))), 'fail', /1 of 2/],
    ['another answer', pageOf('<h3>Is it free?</h3><p>No.</p>', jsonLd(faqPage(FREE_QUESTION))), 'fail'],
    [
      'text that is hidden',
      pageOf(`<div style="display:none">${FREE_SHOWN}</div>`, jsonLd(faqPage(FREE_QUESTION))),
      'fail',
    ],
    ['no FAQPage', noData, 'not_applicable'],
    ['a FAQPage without questions', pageWith(faqPage()), 'not_applicable'],
  ],
  'geo.schema.faq': [
    ['a Question with name and answer', pageWith(faqPage(FREE_QUESTION)), 'pass'],
    [
      'mainEntity that is one Question',
      pageWith({ ...context, '@type': 'FAQPage', mainEntity: FREE_QUESTION }),
      'pass',
    ],
    [
      'one without an answer',
      pageWith(faqPage(FREE_QUESTION, { '@type': 'Question', name: 'Why?' })),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['no mainEntity', pageWith({ ...context, '@type': 'FAQPage' }), 'fail'],
    ['no FAQPage', pageWith(article), 'not_applicable'],
  ],
};

testChecks(rows, { seen: 200 });

test.each(Object.keys(rows))('%s is unknown, not a no, when the page cannot be read', async (id) => {
  expect((await judgeCheck(id, { '/': failure('timeout') }, { only: ['page', 'faq'] })).status).toBe('unknown');
});
