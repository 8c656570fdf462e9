import { html, markdown, SITE } from '../../../support/audit/site-fetch.ts';
import { jsonLd, navigation, pageHtml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const fa = `# چای ایرانی: از باغ‌های لاهیجان تا فنجان شما

چای ایرانی نوشیدنی‌ای است که از برگ‌های بوته‌های شمال ایران به‌دست می‌آید. در این راهنما می‌خوانید که برگ‌ها چگونه چیده می‌شوند و چای را چگونه دم می‌کنند.

## چای ایرانی چیست؟

چای ایرانی چای سیاهی است که برگ‌هایش در دامنه‌های لاهیجان می‌رویند. برگ‌ها را دو بار در سال می‌چینند و در همان روز به کارخانه می‌برند.

باغ‌داران می‌گویند که چین بهاره خوش‌عطرتر است، زیرا بوته‌ها در زمستان استراحت کرده‌اند. برگ‌های تابستانی پررنگ‌ترند و برای کسانی خوب‌اند که چای پررنگ دوست دارند. هیچ رنگ و عطری به این چای افزوده نمی‌شود.

## چای را چگونه دم می‌کنند؟

چای را در قوری گرم‌شده می‌ریزند و ده دقیقه روی کتری می‌گذارند. آب نباید بجوشد، و گرنه عطر چای می‌پرد و طعمش تلخ می‌شود.

قوری‌های چینی گرما را بهتر نگه می‌دارند. بعضی‌ها هل یا دارچین هم می‌افزایند، ولی بهتر است بار نخست چای را بی هیچ چیز بنوشید. چای مانده را دوباره گرم نکنید.`;

const headerFa = navigation('خانه چای', {
  '/tea': 'چای‌ها',
  '/brew': 'دم‌کردن',
  '/gardens': 'باغ‌ها',
  '/about': 'درباره ما',
  '/contact': 'تماس با ما',
});

/** A tea merchant in Persian, whose words need zero-width joiners between their parts. */
export const persian: TruthSite = {
  name: 'Persian',
  map: {
    ...httpsUpgrade,
    '/': html(
      pageHtml({
        path: '/',
        lang: 'fa',
        dir: 'rtl',
        title: 'چای ایرانی: از باغ‌های لاهیجان تا فنجان شما | خانه چای',
        description:
          'راهنمای کوتاه چای ایرانی: برگ‌ها کجا می‌رویند، چگونه چیده می‌شوند، و چای را در خانه چگونه دم می‌کنند.',
        header: headerFa,
        head: jsonLd({
          '@context': 'https://schema.org',
          '@type': 'Organization',
          name: 'خانه چای',
          url: `${SITE}/`,
          logo: `${SITE}/logo.png`,
          sameAs: ['https://www.wikidata.org/wiki/Q4115189', 'https://www.instagram.com/khanechay'],
          telephone: '+98 13 5555 0123',
          address: { '@type': 'PostalAddress', addressLocality: 'لاهیجان', addressCountry: 'IR' },
        }),
        content: fa,
      }),
    ),
    '/about': html(
      pageHtml({
        path: '/about',
        lang: 'fa',
        dir: 'rtl',
        title: 'درباره ما | خانه چای',
        header: headerFa,
        content: '# درباره ما\n\nخانه چای در سال 1365 در لاهیجان بنیاد شد.',
      }),
    ),
    '/contact': html(
      pageHtml({
        path: '/contact',
        lang: 'fa',
        dir: 'rtl',
        title: 'تماس با ما | خانه چای',
        header: headerFa,
        content: '# تماس با ما\n\nبه ما نامه بنویسید.',
      }),
    ),
    '/llms.txt': markdown(
      `# خانه چای\n\n> چای ایرانی، از باغ تا فنجان.\n\n## راهنما\n\n- [درباره ما](${SITE}/about): تاریخچه\n- [تماس](${SITE}/contact): نشانی\n`,
    ),
  },
  truth: planted({
    pass: {
      'aeo.meta.lang': 'html lang is fa, and the text is in Arabic script.',
      'aeo.answer.question-headings': 'Two of two h2 headings end with a question mark.',
      'aeo.answer.capsule': 'Each question heading is followed by two short sentences.',
      'geo.entity.organization': 'The Organization has name, url, logo, sameAs and address.',
      'geo.entity.sameas': 'sameAs names Wikidata and Instagram.',
      'geo.safety.unicode-covert': 'Zero-width non-joiners stand inside Persian words, one at a time, as they should.',
      'geo.safety.no-invisible-instructions': 'Nothing hidden speaks to a model.',
      'agent.llms.exists': 'llms.txt answers 200 as text/markdown.',
    },
    fail: {
      'geo.evidence.cited-sources': 'No external source is linked.',
      'agent.llms.coverage': 'llms.txt lists two of five pages of the navigation.',
    },
    not_applicable: {
      'geo.text.easy': 'Flesch is made for English.',
    },
  }),
};
