import type { Translated } from './language/language.ts';

type EmailLinkWords = {
  sentTitle: string;
  sent: (email: string) => string;
  sentNext: string;
  sentLimits: string;
  local: string;
  localLink: string;
  again: string;
  title: string;
  titleAdd: string;
  text: (email: string) => string;
  textAdd: (email: string) => string;
  button: string;
  buttonAdd: string;
  elsewhereTitle: string;
  elsewhere: string;
  elsewhereNext: string;
  goneTitle: string;
  gone: string;
};

/** What a link of a mail shows, and the page after it was asked for. */
export const emailLinkWords: Translated<EmailLinkWords> = {
  en: {
    sentTitle: 'Look into your mail',
    sent: (email) => `A mail with a link goes to ${email}.`,
    sentNext: 'Open the link in this browser. It works for ten minutes, and once.',
    sentLimits:
      'Nothing there after a minute? Look into the folder for spam, and check the address. An address gets at most three links an hour.',
    local: 'This local stack sends nothing.',
    localLink: 'Read its mails',
    again: 'Back',
    title: 'Sign in',
    titleAdd: 'Add this address',
    text: (email) => `You sign in as ${email}.`,
    textAdd: (email) => `From now on, you can sign in to your account with ${email}.`,
    button: 'Sign in',
    buttonAdd: 'Add the address',
    elsewhereTitle: 'Open the link in the other browser',
    elsewhere:
      'This link works only in the browser in which it was asked for, so that no one else can use it. Nothing was used up.',
    elsewhereNext: 'Open it there, or ask for another link in this browser.',
    goneTitle: 'This link is over',
    gone: 'It was used, or its ten minutes are over. Ask for another one.',
  },
  de: {
    sentTitle: 'Sehen Sie in Ihre E-Mails',
    sent: (email) => `Eine E-Mail mit einem Link geht an ${email}.`,
    sentNext: 'Öffnen Sie den Link in diesem Browser. Er funktioniert zehn Minuten lang, und einmal.',
    sentLimits:
      'Ist nach einer Minute nichts da? Sehen Sie im Spam-Ordner nach, und prüfen Sie die Adresse. Eine Adresse bekommt höchstens drei Links in der Stunde.',
    local: 'Dieser lokale Stack verschickt nichts.',
    localLink: 'Seine E-Mails lesen',
    again: 'Zurück',
    title: 'Anmelden',
    titleAdd: 'Diese Adresse hinzufügen',
    text: (email) => `Sie melden sich als ${email} an.`,
    textAdd: (email) => `Ab jetzt können Sie sich bei Ihrem Konto mit ${email} anmelden.`,
    button: 'Anmelden',
    buttonAdd: 'Adresse hinzufügen',
    elsewhereTitle: 'Öffnen Sie den Link im anderen Browser',
    elsewhere:
      'Dieser Link funktioniert nur in dem Browser, in dem er angefordert wurde, damit ihn niemand sonst benutzen kann. Er ist nicht verbraucht.',
    elsewhereNext: 'Öffnen Sie ihn dort, oder fordern Sie in diesem Browser einen anderen an.',
    goneTitle: 'Dieser Link ist abgelaufen',
    gone: 'Er wurde benutzt, oder seine zehn Minuten sind vorbei. Fordern Sie einen anderen an.',
  },
};
