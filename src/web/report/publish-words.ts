import { type Publishing, PUBLISHING_WORDS } from '../../capabilities/published/publishing.ts';
import type { PageLanguage, Translated } from '../language/language.ts';

type PublishWords = {
  isPublic: string;
  publish: string;
  isIn: readonly [before: string, history: (host: string) => string, behind: string];
  isPrivate: string;
  /** What each button does, before it is pressed: neither is only about scores, and a copy that others have cannot be called back. */
  publishing: string;
  takingBack: string;
  takeBack: string;
  bought: string;
  token: string;
  tokenHelp: string;
  takeBackNow: string;
  publishNow: string;
  /** The button of the code of a badge. */
  copy: (what: string) => string;
  /** What the script of the form says: while it waits, and how it ended. */
  said: Readonly<Record<'wait' | 'published' | 'takenBack' | 'refused' | 'unreachable', string>>;
};

export const publishWords: Translated<PublishWords> = {
  en: {
    isPublic: 'This report is public',
    publish: 'Publish this report',
    isIn: [
      'Its scores are in the',
      (host) => `history of ${host}`,
      'and may be on its badge. The history links to the whole report, and search engines may find it.',
    ],
    isPrivate: 'Only people who know the address of this report can read it. Badge and history do not show it.',
    publishing:
      'Publishing makes the whole report public, fixes and files included: its address appears in the history of the site, and search engines may find it. Taking it back later removes it from badge and history only: anyone who has its address by then can still read it until it expires.',
    takingBack:
      'Taking it back removes this report from badge and history, and asks search engines to leave it out. Anyone who has its address can still read it until it expires.',
    takeBack: 'Take it back',
    bought: 'I bought this report',
    token: 'Publish token',
    tokenHelp: 'from the answer to the purchase. No one else has it.',
    takeBackNow: 'Take it back from badge and history',
    publishNow: 'Publish the whole report',
    copy: (what) => `Copy ${what}`,
    said: {
      wait: 'One moment …',
      published: 'Published. The whole report is public; badges show it within five minutes.',
      takenBack:
        'Taken back: the history no longer shows it, and badges forget it within five minutes. Who has its address can still read it until it expires.',
      refused: 'That was refused. Nothing was changed: check the token.',
      unreachable: 'The service could not be reached. Nothing was changed: try again.',
    },
  },
  de: {
    isPublic: 'Dieser Bericht ist öffentlich',
    publish: 'Diesen Bericht veröffentlichen',
    isIn: [
      'Seine Bewertungen stehen im',
      (host) => `Verlauf von ${host}`,
      'und können auf dessen Badge erscheinen. Der Verlauf führt zum ganzen Bericht, und Suchmaschinen können ihn finden.',
    ],
    isPrivate: 'Nur wer die Adresse dieses Berichts kennt, kann ihn lesen. Badge und Verlauf zeigen ihn nicht.',
    publishing:
      'Beim Veröffentlichen wird der ganze Bericht öffentlich, samt Korrekturen und Dateien: Seine Adresse erscheint im Verlauf der Website, und Suchmaschinen können ihn finden. Wenn Sie ihn später zurücknehmen, verschwindet er nur aus Badge und Verlauf: Wer seine Adresse dann hat, kann ihn bis zu seinem Ablauf lesen.',
    takingBack:
      'Zurücknehmen entfernt diesen Bericht aus Badge und Verlauf und bittet Suchmaschinen, ihn auszulassen. Wer seine Adresse hat, kann ihn bis zu seinem Ablauf lesen.',
    takeBack: 'Zurücknehmen',
    bought: 'Ich habe diesen Bericht gekauft',
    token: 'Veröffentlichungs-Token',
    tokenHelp: 'aus der Antwort auf den Kauf. Niemand sonst hat es.',
    takeBackNow: 'Aus Badge und Verlauf zurücknehmen',
    publishNow: 'Den ganzen Bericht veröffentlichen',
    copy: (what) => `${what} kopieren`,
    said: {
      wait: 'Einen Moment …',
      published: 'Veröffentlicht. Der ganze Bericht ist öffentlich; Badges zeigen ihn innerhalb von fünf Minuten.',
      takenBack:
        'Zurückgenommen: Der Verlauf zeigt ihn nicht mehr, und Badges vergessen ihn innerhalb von fünf Minuten. Wer seine Adresse hat, kann ihn bis zu seinem Ablauf lesen.',
      refused: 'Das wurde abgelehnt. Es hat sich nichts geändert: Prüfen Sie das Token.',
      unreachable: 'Der Dienst war nicht erreichbar. Es hat sich nichts geändert: Versuchen Sie es noch einmal.',
    },
  },
};

/** What speaks against publishing a report, on its page. */
const publishReasons: Translated<Readonly<Record<Publishing, string>>> = {
  en: PUBLISHING_WORDS,
  de: {
    possible: 'Er lässt sich veröffentlichen',
    not_four_scores:
      'Nur eine vollständige Prüfung, ein Korrekturpaket oder ein vollständiger Bericht lässt sich veröffentlichen: Nur sie haben alle vier Bewertungen',
    not_root:
      'Nur ein Bericht über die Startadresse einer Website lässt sich veröffentlichen, ohne weiteren Pfad und ohne Abfrage',
    not_its_port:
      'Nur eine Website lässt sich veröffentlichen, die über https auf einem anderen Port als 80 oder über http auf Port 80 gelesen wird',
    profile_given:
      'Nur ein Bericht, für den die Art der Website erkannt wurde, lässt sich veröffentlichen: Wählen Sie beim Kauf keine aus',
    pages_given:
      'Nur ein Bericht, der so viele Seiten wie üblich liest, lässt sich veröffentlichen: Lassen Sie die Zahl der Seiten leer',
    not_recorded:
      'Zu diesem Bericht ist nicht gespeichert, wie die Website gelesen wurde: Er lässt sich nicht veröffentlichen',
  },
};

/** The reason in the language of the page; undefined for one that this version does not give. @param reason in English */
export function findPublishReason(reason: string, language: PageLanguage): string | undefined {
  const names = Object.keys(PUBLISHING_WORDS) as Publishing[];
  const found = names.find((name) => PUBLISHING_WORDS[name] === reason);
  return found === undefined ? undefined : publishReasons[language][found];
}
