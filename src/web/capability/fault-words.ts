import { finishSentence } from '../../lib/text.ts';
import type { Translated } from '../language/language.ts';

type Bounds = { isWhole: boolean; min?: number | undefined; max?: number | undefined };

/** What is wrong with a field, by its label. */
export type FaultWords = {
  empty: (label: string) => string;
  tooLong: (label: string, max: number) => string;
  noAddress: (label: string) => string;
  noNumber: (label: string, bounds: Bounds) => string;
  noChoice: (label: string) => string;
  /** A rule without words here, as the schema says it in English. */
  other: (label: string, message: string) => string;
  ofForm: (message: string) => string;
  wrongEngines: (count: number) => string;
  /** Of one line of a field; `line` is its number, `text` what it says. */
  ofLine: (line: number, text: string, message: string) => string;
  /** Rules of a list and of its lines, by code or message; others are said as the schema has them. */
  ofList: Readonly<Partial<Record<string, string>>>;
  ofLines: Readonly<Partial<Record<string, string>>>;
  /** Rules of a body as a whole, by their code. */
  byCode: Readonly<Partial<Record<string, (label: string) => string>>>;
  /** Rules of single fields, by the message of their schema. */
  byMessage: Readonly<Partial<Record<string, (label: string) => string>>>;
};

const ONE_LINE = 'must be one line without control or invisible characters';
const HAS_WORD = 'must contain a letter or a digit';
const NO_CREDENTIALS = 'must not contain a user name or password';
const NAMES_BRAND = 'names a brand that is measured: ask as someone who does not know it yet';
const OTHER_BRAND = 'must be another brand than `brand`';

export const faultWords: Translated<FaultWords> = {
  en: {
    empty: (label) => `Fill in “${label}”.`,
    tooLong: (label, max) => `“${label}” takes at most ${max} characters.`,
    noAddress: (label) => `“${label}” must be a website address, such as example.com.`,
    noNumber: (label, { isWhole, min, max }) => {
      const bounds = [min === undefined ? '' : ` from ${min}`, max === undefined ? '' : ` up to ${max}`].join('');
      return `“${label}” takes a ${isWhole ? 'whole ' : ''}number${bounds}.`;
    },
    noChoice: (label) => `Choose one of the list for “${label}”.`,
    other: (label, message) => finishSentence(`“${label}” ${message}`),
    ofForm: (message) => finishSentence(`The form ${message}`),
    wrongEngines: (count) =>
      count === 1 ? 'Choose one assistant, or none.' : `Choose exactly ${count} assistants, or none.`,
    ofLine: (line, text, message) => finishSentence(`Line ${line} (“${text}”) ${message}`),
    ofList: { too_small: 'has too few lines', too_big: 'has too many lines' },
    ofLines: { too_small: 'is too short', too_big: 'is too long', invalid_format: 'is no such name' },
    byCode: {
      niche_names_brand: (label) =>
        `“${label}” names a measured brand, so every question would name it. Describe the market without a brand, such as help desk software.`,
      not_publishable: () =>
        'This report could not be published: enter the root of a public site, such as example.com, and leave kind of site and number of pages empty.',
    },
    byMessage: {
      [OTHER_BRAND]: (label) => `“${label}” is the same brand as yours. Enter another one.`,
    },
  },
  de: {
    empty: (label) => `Füllen Sie „${label}“ aus.`,
    tooLong: (label, max) => `„${label}“ darf höchstens ${max} Zeichen haben.`,
    noAddress: (label) => `„${label}“ muss eine Website-Adresse sein, etwa example.com.`,
    noNumber: (label, { isWhole, min, max }) => {
      const bounds = [min === undefined ? '' : ` ab ${min}`, max === undefined ? '' : ` bis ${max}`].join('');
      return `„${label}“ braucht eine ${isWhole ? 'ganze ' : ''}Zahl${bounds}.`;
    },
    noChoice: (label) => `Wählen Sie für „${label}“ einen Eintrag der Liste.`,
    other: (label, message) => finishSentence(`„${label}“: ${message}`),
    ofForm: (message) => finishSentence(`Formular: ${message}`),
    wrongEngines: (count) =>
      count === 1 ? 'Wählen Sie einen Assistenten oder keinen.' : `Wählen Sie genau ${count} Assistenten oder keinen.`,
    ofLine: (line, text, message) => finishSentence(`Zeile ${line} („${text}“): ${message}`),
    ofList: { too_small: 'zu wenige Zeilen', too_big: 'zu viele Zeilen' },
    ofLines: {
      too_small: 'zu kurz',
      too_big: 'zu lang',
      invalid_format: 'kein solcher Name',
      [ONE_LINE]: 'Steuerzeichen oder unsichtbare Zeichen sind nicht erlaubt',
      [HAS_WORD]: 'Ein Buchstabe oder eine Ziffer fehlt',
      [NAMES_BRAND]: 'nennt eine gemessene Marke. Fragen Sie wie jemand, der sie noch nicht kennt',
      'is listed twice': 'steht zweimal da',
    },
    byCode: {
      niche_names_brand: (label) =>
        `„${label}“ nennt eine gemessene Marke, sie stünde damit in jeder Frage. Beschreiben Sie den Markt ohne Marke, etwa Helpdesk-Software.`,
      not_publishable: () =>
        'Dieser Bericht ließe sich nicht veröffentlichen: Geben Sie die Startadresse einer öffentlichen Website an, etwa example.com, und lassen Sie Art der Website und Zahl der Seiten leer.',
    },
    byMessage: {
      [ONE_LINE]: (label) => `„${label}“ muss eine Zeile ohne Steuerzeichen und unsichtbare Zeichen sein.`,
      [HAS_WORD]: (label) => `„${label}“ muss einen Buchstaben oder eine Ziffer enthalten.`,
      [NO_CREDENTIALS]: (label) => `„${label}“ darf weder Benutzernamen noch Passwort enthalten.`,
      [OTHER_BRAND]: (label) => `„${label}“ ist dieselbe Marke wie Ihre. Geben Sie eine andere an.`,
    },
  },
};
