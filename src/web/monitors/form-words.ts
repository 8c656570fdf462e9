import type { MonitorFormKind } from './form-kinds.ts';
import type { Translated } from '../language/language.ts';

export type MonitorFormWords = {
  newTitle: string;
  editTitle: (name: string) => string;
  lead: string;
  kinds: Readonly<Record<MonitorFormKind, string>>;
  kindsLabel: string;
  price: (amount: string) => string;
  balance: (amount: string) => string;
  what: string;
  name: string;
  nameHelp: string;
  competitors: string;
  competitorsHelp: string;
  when: string;
  every: string;
  everyChoices: Readonly<Record<'daily' | 'weekly' | 'monthly' | 'cron', string>>;
  weekday: string;
  weekdayHelp: string;
  day: string;
  dayHelp: string;
  at: string;
  atHelp: string;
  cron: string;
  cronHelp: string;
  timeZone: string;
  timeZoneHelp: string;
  receivers: string;
  receiversHelp: string;
  keep: (kind: string, where: string) => string;
  receiverKind: (number: number) => string;
  receiverTo: (number: number) => string;
  receiverToHelp: string;
  noReceiver: string;
  noMail: string;
  rules: string;
  minWeight: string;
  minWeightHelp: string;
  scorePoints: string;
  scorePointsHelp: string;
  improvements: string;
  ofCompetitors: string;
  quiet: string;
  quietHelp: string;
  quietFrom: string;
  quietTo: string;
  quietZone: string;
  create: string;
  save: string;
  cancel: string;
  stale: string;
  nothingSaved: string;
  faultOf: (message: string) => string;
  /** Messages of the interface, which are in English, in the words of this page. */
  byMessage: Readonly<Partial<Record<string, string>>>;
};

export const monitorFormWords: Translated<MonitorFormWords> = {
  en: {
    newTitle: 'New monitor',
    editTitle: (name) => `Change ${name}`,
    lead: 'A monitor repeats an audit or a measurement, and writes to you only when something changed.',
    kinds: {
      site: 'A site',
      visibility_check: 'A brand, one assistant',
      visibility_panel_2: 'A brand, two assistants',
      visibility_panel_4: 'A brand, four assistants',
    },
    kindsLabel: 'What to watch',
    price: (amount) => `Each run costs ${amount} of your credits; a run that fails costs nothing.`,
    balance: (amount) => `You have ${amount} of credits.`,
    what: 'What to watch',
    name: 'Name',
    nameHelp: 'Shown in your list and your alerts. The site or the brand if you leave it empty.',
    competitors: 'Sites to compare with',
    competitorsHelp: 'Up to 5, one address a line. Each is audited in every run at the price of an audit.',
    when: 'When',
    every: 'How often',
    everyChoices: { daily: 'Every day', weekly: 'Every week', monthly: 'Every month', cron: 'By cron fields' },
    weekday: 'Weekday',
    weekdayHelp: 'For weekly runs. Monday if you choose none.',
    day: 'Day of the month',
    dayHelp: 'For monthly runs. The first if you leave it empty; in a shorter month, its last day.',
    at: 'Time of day',
    atHelp: 'Such as 07:00. Between 5 and 6 a.m. if you leave it empty.',
    cron: 'Cron fields',
    cronHelp: 'Five fields, such as 30 6 * * 1-5. A site runs no more often than hourly, a brand no more than daily.',
    timeZone: 'Time zone',
    timeZoneHelp: 'Such as Europe/Berlin. UTC if you leave it empty.',
    receivers: 'Where alerts go',
    receiversHelp:
      'Up to 5. Addresses are secrets: after you save, we show them masked. Without a receiver, you find alerts on these pages only.',
    keep: (kind, where) => `Keep: ${kind}, ${where}`,
    receiverKind: (number) => `Receiver ${number}`,
    receiverTo: (number) => `Address of receiver ${number}`,
    receiverToHelp: 'An https address or an e-mail address. An Atom feed needs none.',
    noReceiver: 'No receiver',
    noMail: 'This deployment sends no mail.',
    rules: 'What raises an alert',
    minWeight: 'Minimum weight of a check',
    minWeightHelp: 'A changed verdict raises an alert from this weight on; 2 if you choose none.',
    scorePoints: 'Change of a score, in points',
    scorePointsHelp:
      'A score raises an alert when it moves by more than this because checks changed; 3 if you leave it empty.',
    improvements: 'Alert me to improvements too',
    ofCompetitors: 'Alert me to changes of the compared sites too',
    quiet: 'Quiet hours',
    quietHelp: 'Alerts that are not critical wait until the quiet hours end. Leave both empty for none.',
    quietFrom: 'From',
    quietTo: 'To',
    quietZone: 'Time zone of quiet hours',
    create: 'Create the monitor',
    save: 'Save',
    cancel: 'Cancel',
    stale:
      'This monitor was changed elsewhere after you opened the form, so nothing was saved. Your changes are below: save again to replace the other ones.',
    nothingSaved: 'Nothing was saved.',
    faultOf: (message) => message,
    byMessage: {
      'is no time zone of the IANA database, such as Europe/Berlin': 'This is no time zone, such as Europe/Berlin.',
      'must be a time of day such as 07:30': 'Enter a time of day, such as 07:30.',
      'must be an https address': 'Enter an address that begins with https://.',
      'must be one e-mail address': 'Enter one e-mail address.',
      'is listed twice': 'This is listed twice.',
      'is the watched site itself': 'This is the watched site itself.',
      'this deployment sends no mail': 'This deployment sends no mail.',
      'is another site or brand: create another monitor for it':
        'This is another site or brand. Create another monitor for it.',
    },
  },
  de: {
    newTitle: 'Neue Überwachung',
    editTitle: (name) => `${name} ändern`,
    lead: 'Eine Überwachung wiederholt eine Prüfung oder Messung und meldet sich nur, wenn sich etwas geändert hat.',
    kinds: {
      site: 'Eine Website',
      visibility_check: 'Eine Marke, ein Assistent',
      visibility_panel_2: 'Eine Marke, zwei Assistenten',
      visibility_panel_4: 'Eine Marke, vier Assistenten',
    },
    kindsLabel: 'Was überwacht wird',
    price: (amount) => `Jeder Lauf kostet ${amount} Ihres Guthabens, ein gescheiterter nichts.`,
    balance: (amount) => `Ihr Guthaben beträgt ${amount}.`,
    what: 'Was überwacht wird',
    name: 'Name',
    nameHelp: 'Für Ihre Liste und Ihre Meldungen. Ohne Angabe die Website oder die Marke.',
    competitors: 'Websites zum Vergleich',
    competitorsHelp: 'Bis zu 5, je Zeile eine Adresse. Jede wird bei jedem Lauf zum Preis einer Prüfung mitgeprüft.',
    when: 'Wann',
    every: 'Wie oft',
    everyChoices: { daily: 'Täglich', weekly: 'Wöchentlich', monthly: 'Monatlich', cron: 'Nach Cron-Feldern' },
    weekday: 'Wochentag',
    weekdayHelp: 'Für wöchentliche Läufe. Ohne Auswahl Montag.',
    day: 'Tag im Monat',
    dayHelp: 'Für monatliche Läufe. Ohne Angabe der erste; in kürzeren Monaten der letzte Tag.',
    at: 'Uhrzeit',
    atHelp: 'Etwa 07:00. Ohne Angabe zwischen 5 und 6 Uhr.',
    cron: 'Cron-Felder',
    cronHelp: 'Fünf Felder, etwa 30 6 * * 1-5. Eine Website läuft höchstens stündlich, eine Marke höchstens täglich.',
    timeZone: 'Zeitzone',
    timeZoneHelp: 'Etwa Europe/Berlin. Ohne Angabe UTC.',
    receivers: 'Wohin Meldungen gehen',
    receiversHelp:
      'Bis zu 5. Adressen sind geheim: Nach dem Speichern sind sie nur verkürzt zu sehen. Ohne Empfänger stehen Meldungen auf diesen Seiten.',
    keep: (kind, where) => `Behalten: ${kind}, ${where}`,
    receiverKind: (number) => `Empfänger ${number}`,
    receiverTo: (number) => `Adresse von Empfänger ${number}`,
    receiverToHelp: 'Eine https-Adresse oder eine E-Mail-Adresse. Ein Atom-Feed braucht keine.',
    noReceiver: 'Kein Empfänger',
    noMail: 'Diese Installation verschickt keine E-Mails.',
    rules: 'Was gemeldet wird',
    minWeight: 'Mindestgewicht einer Prüfung',
    minWeightHelp: 'Ab diesem Gewicht wird ein geändertes Ergebnis gemeldet; ohne Auswahl ab 2.',
    scorePoints: 'Änderung einer Bewertung in Punkten',
    scorePointsHelp:
      'Gemeldet wird eine Bewertung, die sich durch geänderte Prüfungen um mehr als so viele Punkte bewegt hat; ohne Angabe um mehr als 3.',
    improvements: 'Auch Verbesserungen melden',
    ofCompetitors: 'Auch Änderungen der Websites zum Vergleich melden',
    quiet: 'Ruhezeiten',
    quietHelp: 'Was nicht dringend ist, wartet bis zu ihrem Ende. Ohne Angabe gibt es keine.',
    quietFrom: 'Von',
    quietTo: 'Bis',
    quietZone: 'Zeitzone der Ruhezeiten',
    create: 'Überwachung anlegen',
    save: 'Speichern',
    cancel: 'Abbrechen',
    stale:
      'Diese Überwachung wurde an anderer Stelle geändert, nachdem Sie das Formular geöffnet haben. Es wurde nichts gespeichert. Ihre Angaben stehen unten: Speichern Sie erneut, dann ersetzen sie die anderen.',
    nothingSaved: 'Es wurde nichts gespeichert.',
    faultOf: (message) => `Diese Angabe wird nicht angenommen: ${message}`,
    byMessage: {
      'is no time zone of the IANA database, such as Europe/Berlin': 'Das ist keine Zeitzone, etwa Europe/Berlin.',
      'must be a time of day such as 07:30': 'Geben Sie eine Uhrzeit an, etwa 07:30.',
      'must be an https address': 'Geben Sie eine Adresse an, die mit https:// beginnt.',
      'must be one e-mail address': 'Geben Sie eine E-Mail-Adresse an.',
      'is listed twice': 'Das ist doppelt angegeben.',
      'is the watched site itself': 'Das ist die überwachte Website selbst.',
      'this deployment sends no mail': 'Diese Installation verschickt keine E-Mails.',
      'is another site or brand: create another monitor for it':
        'Das ist eine andere Website oder Marke. Legen Sie dafür eine weitere Überwachung an.',
      'Two runs are at least an hour apart.': 'Zwischen zwei Läufen liegt mindestens eine Stunde.',
      'Two runs are at least a day apart.': 'Zwischen zwei Läufen liegt mindestens ein Tag.',
      'No day has this date.': 'Diesen Tag gibt es nicht.',
      'Give five fields: minute, hour, day of the month, month, weekday.':
        'Geben Sie fünf Felder an: Minute, Stunde, Tag im Monat, Monat, Wochentag.',
      'A field has a value or a form that cron does not know.': 'Ein Feld hat einen Wert, den cron nicht kennt.',
    },
  },
};
