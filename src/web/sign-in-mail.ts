import { PRODUCT } from '../lib/product.ts';
import type { PageLanguage, Translated } from './language/language.ts';

/** What a link is for: a sign-in, or one more way of an account. */
export type LinkUse = 'sign_in' | 'add';

type MailWords = {
  subject: Readonly<Record<LinkUse, string>>;
  asked: Readonly<Record<LinkUse, (site: string) => string>>;
  open: string;
  limits: string;
  ignore: string;
};

const mailWords: Translated<MailWords> = {
  en: {
    subject: { sign_in: `Sign in to ${PRODUCT}`, add: `Confirm this address for ${PRODUCT}` },
    asked: {
      sign_in: (site) => `Someone, probably you, asked to sign in to ${PRODUCT} at ${site}.`,
      add: (site) =>
        `Someone, probably you, asked to sign in to an account of ${PRODUCT} at ${site} with this address.`,
    },
    open: 'Open this link in the browser in which you asked for it, then press the button there:',
    limits: 'It works once, for ten minutes, and in that browser only.',
    ignore: 'If it was not you, do nothing: in another browser the link is of no use.',
  },
  de: {
    subject: { sign_in: `Anmeldung bei ${PRODUCT}`, add: `Bestätigen Sie diese Adresse für ${PRODUCT}` },
    asked: {
      sign_in: (site) => `Jemand, vermutlich Sie, möchte sich bei ${PRODUCT} auf ${site} anmelden.`,
      add: (site) =>
        `Jemand, vermutlich Sie, möchte sich künftig mit dieser Adresse bei einem Konto von ${PRODUCT} auf ${site} anmelden.`,
    },
    open: 'Öffnen Sie diesen Link in dem Browser, in dem Sie ihn angefordert haben, und drücken Sie dort die Schaltfläche:',
    limits: 'Er funktioniert einmal, zehn Minuten lang, und nur in diesem Browser.',
    ignore: 'Wenn Sie es nicht waren, tun Sie nichts: In einem anderen Browser ist der Link wertlos.',
  },
};

/** The mail with a link: plain text of ours, in which nothing comes from anyone else and nothing is loaded. */
export function buildLinkMail(
  to: string,
  { url, use, language }: { url: string; use: LinkUse; language: PageLanguage },
) {
  const { subject, asked, open, limits, ignore } = mailWords[language];
  const text = [asked[use](new URL(url).origin), '', open, '', url, '', limits, ignore, ''].join('\n');
  return {
    to,
    subject: subject[use],
    text,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
  };
}
