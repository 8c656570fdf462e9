import type { PublishingRefusal } from '../../capabilities/published/publishing.ts';
import type { ApiProblemCode } from '../../problems/codes.ts';
import type { Translated } from '../language/language.ts';

/** Problems that a person with a publish token can meet; any other is said as refused. */
type MetProblem = Extract<
  ApiProblemCode,
  | 'publish_refused'
  | 'not_publishable'
  | 'report_not_found'
  | 'report_expired'
  | 'ledger_unavailable'
  | 'not_configured'
  | 'rate_limited'
>;

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
  /** Why a report cannot be published. */
  reasons: Readonly<Record<PublishingRefusal, string>>;
  /** The button of the code of a badge. */
  copy: (what: string) => string;
  /** What the script of the form says: while it waits, and how it ended. */
  said: Readonly<Record<'wait' | 'published' | 'takenBack' | 'refused' | 'unreachable', string>> & {
    problems: Readonly<Record<MetProblem, string>>;
  };
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
    reasons: {
      not_four_scores: 'Only a full audit, a fix pack or a full report can be published: they have all four scores.',
      not_root:
        'Only a report about the start page of a site can be published, and this one is about another page. Audit the start page to get one that can.',
      not_its_port: 'Only a site that is read by https on any port but 80, or by http on port 80, can be published.',
      profile_given:
        'The buyer chose the kind of site. Only a report whose kind of site was detected can be published: leave that choice out of the next audit.',
      pages_given:
        'The buyer chose how many pages were read. Only a report that read as many as usual can be published: leave that choice out of the next audit.',
      not_recorded:
        'When this report was stored, the service did not record how the site was read. A new audit can be published.',
      taken_down:
        'The operator of this service took this report down, so it cannot be published. Anyone who has its address can read it until it expires.',
    },
    copy: (what) => `Copy ${what}`,
    said: {
      wait: 'One moment …',
      published: 'Published. The whole report is public; badges show it within five minutes.',
      takenBack:
        'Taken back: the history no longer shows it, and badges forget it within five minutes. Who has its address can still read it until it expires.',
      refused: 'That was refused, and nothing was changed. Load the page again, and try once more.',
      problems: {
        publish_refused:
          'This is not the publish token of this report. Nothing was changed: copy publish_token from the answer to its purchase.',
        not_publishable: 'This report cannot be published. Load the page again to see why.',
        report_not_found: 'This report is no longer there. Nothing was changed.',
        report_expired: 'This report has expired. Nothing was changed.',
        ledger_unavailable: 'The service cannot look up the purchase now. Nothing was changed: try again in a minute.',
        not_configured: 'This service publishes no reports: its operator has not set it up for that.',
        rate_limited: 'Too many requests came from your address. Nothing was changed: try again in a minute.',
      },
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
    reasons: {
      not_four_scores:
        'Veröffentlichen lassen sich nur vollständige Prüfungen, Korrekturpakete und vollständige Berichte: Nur sie haben alle vier Bewertungen.',
      not_root:
        'Veröffentlichen lassen sich nur Berichte über die Startseite einer Website, und dieser gilt einer anderen Seite. Prüfen Sie die Startseite, um einen solchen zu erhalten.',
      not_its_port:
        'Veröffentlichen lassen sich nur Websites, die über https auf einem anderen Port als 80 oder über http auf Port 80 gelesen werden.',
      profile_given:
        'Beim Kauf wurde die Art der Website gewählt. Veröffentlichen lassen sich nur Berichte, bei denen sie erkannt wurde: Lassen Sie diese Wahl bei der nächsten Prüfung weg.',
      pages_given:
        'Beim Kauf wurde die Zahl der Seiten gewählt. Veröffentlichen lassen sich nur Berichte, für die so viele Seiten wie üblich gelesen wurden: Lassen Sie diese Wahl bei der nächsten Prüfung weg.',
      not_recorded:
        'Als dieser Bericht gespeichert wurde, hielt der Dienst nicht fest, wie die Website gelesen wurde. Eine neue Prüfung lässt sich veröffentlichen.',
      taken_down:
        'Der Betreiber dieses Dienstes hat diesen Bericht zurückgezogen, deshalb lässt er sich nicht veröffentlichen. Wer seine Adresse hat, kann ihn bis zu seinem Ablauf lesen.',
    },
    copy: (what) => `${what} kopieren`,
    said: {
      wait: 'Einen Moment …',
      published: 'Veröffentlicht. Der ganze Bericht ist öffentlich; Badges zeigen ihn innerhalb von fünf Minuten.',
      takenBack:
        'Zurückgenommen: Der Verlauf zeigt ihn nicht mehr, und Badges vergessen ihn innerhalb von fünf Minuten. Wer seine Adresse hat, kann ihn bis zu seinem Ablauf lesen.',
      refused:
        'Das wurde abgelehnt, und es hat sich nichts geändert. Laden Sie die Seite neu, und versuchen Sie es noch einmal.',
      problems: {
        publish_refused:
          'Dieses Token gehört nicht zu diesem Bericht. Es hat sich nichts geändert: Kopieren Sie publish_token aus der Antwort auf den Kauf.',
        not_publishable:
          'Dieser Bericht kann nicht veröffentlicht werden. Laden Sie die Seite neu, um zu sehen, warum.',
        report_not_found: 'Diesen Bericht gibt es nicht mehr. Es hat sich nichts geändert.',
        report_expired: 'Dieser Bericht ist abgelaufen. Es hat sich nichts geändert.',
        ledger_unavailable:
          'Der Dienst kann den Kauf gerade nicht nachschlagen. Es hat sich nichts geändert: Versuchen Sie es in einer Minute noch einmal.',
        not_configured: 'Dieser Dienst veröffentlicht keine Berichte: Sein Betreiber hat das nicht eingerichtet.',
        rate_limited:
          'Von Ihrer Adresse kamen zu viele Anfragen. Es hat sich nichts geändert: Versuchen Sie es in einer Minute noch einmal.',
      },
      unreachable: 'Der Dienst war nicht erreichbar. Es hat sich nichts geändert: Versuchen Sie es noch einmal.',
    },
  },
};
