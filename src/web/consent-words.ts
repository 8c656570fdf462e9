import type { Translated } from './language/language.ts';

export type ConsentWords = {
  title: string;
  nameless: string;
  asks: string;
  unvouched: string;
  publishedBy: string;
  goesTo: string;
  signedInAs: string;
  loopback: string;
  could: string;
  cap: string;
  withheld: string;
  allow: string;
  deny: string;
  later: string;
  accountPage: string;
};

export const consentWords: Translated<ConsentWords> = {
  en: {
    title: 'Give access?',
    nameless: 'An app without a name',
    asks: 'asks for access to your account.',
    unvouched:
      'The app gave this name itself, and no one has checked it. Allow it only if you have just started this from the app.',
    publishedBy: 'Published by',
    goesTo: 'Your answer goes to',
    signedInAs: 'You are signed in as',
    loopback:
      'The answer goes to a program on this computer. Any program that runs here could receive it, whatever name it claims. Deny unless you started this yourself just now.',
    could: 'It could then',
    cap: 'Credits it may spend in 24 hours, in US dollars',
    withheld: 'It also asked for what it cannot get here:',
    allow: 'Allow',
    deny: 'Deny',
    later: 'You can take access back at any time on',
    accountPage: 'your account page',
  },
  de: {
    title: 'Zugriff erlauben?',
    nameless: 'Eine App ohne Namen',
    asks: 'bittet um Zugriff auf Ihr Konto.',
    unvouched:
      'Den Namen hat sich die App selbst gegeben, und niemand hat ihn geprüft. Erlauben Sie den Zugriff nur, wenn Sie dies gerade in der App angestoßen haben.',
    publishedBy: 'Veröffentlicht von',
    goesTo: 'Ihre Antwort geht an',
    signedInAs: 'Sie sind angemeldet als',
    loopback:
      'Die Antwort geht an ein Programm auf diesem Computer. Jedes Programm, das hier läuft, könnte sie erhalten, welchen Namen es auch nennt. Lehnen Sie ab, wenn Sie dies nicht gerade selbst angestoßen haben.',
    could: 'Sie könnte dann',
    cap: 'Guthaben, das sie in 24 Stunden ausgeben darf, in US-Dollar',
    withheld: 'Sie bat auch um etwas, das sie hier nicht bekommen kann:',
    allow: 'Erlauben',
    deny: 'Ablehnen',
    later: 'Sie können den Zugriff jederzeit entziehen, auf',
    accountPage: 'der Seite Ihres Kontos',
  },
};
