import { brand } from './brand.ts';
import type { Translated } from './language/language.ts';

type MailLinkWords = { title: string; text: string; button: string; doneTitle: string; done: string };

/** The words of the pages that links in mails about monitors lead to. */
export const monitorMailWords: Translated<Readonly<Record<'confirm' | 'unsubscribe', MailLinkWords>>> = {
  en: {
    confirm: {
      title: 'Confirm your address',
      text: `Press the button if ${brand.name} may send alerts of this monitor to your address. Each mail has a link to end them.`,
      button: 'Yes, send me alerts',
      doneTitle: 'Your address is confirmed',
      done: 'From now on, alerts of this monitor come to your address.',
    },
    unsubscribe: {
      title: 'Unsubscribe',
      text: 'Press the button to get no more alerts of this monitor.',
      button: 'Unsubscribe',
      doneTitle: 'You are unsubscribed',
      done: 'This monitor sends no more alerts to your address.',
    },
  },
  de: {
    confirm: {
      title: 'Adresse bestätigen',
      text: `Drücken Sie den Knopf, wenn ${brand.name} Meldungen dieser Überwachung an Ihre Adresse senden darf. Jede E-Mail hat einen Link zum Abbestellen.`,
      button: 'Ja, Meldungen senden',
      doneTitle: 'Ihre Adresse ist bestätigt',
      done: 'Meldungen dieser Überwachung kommen ab jetzt an Ihre Adresse.',
    },
    unsubscribe: {
      title: 'Abbestellen',
      text: 'Drücken Sie den Knopf, wenn keine Meldungen dieser Überwachung mehr an Ihre Adresse kommen sollen.',
      button: 'Nichts mehr senden',
      doneTitle: 'Sie haben abbestellt',
      done: 'Es kommen keine Meldungen dieser Überwachung mehr an Ihre Adresse.',
    },
  },
};
