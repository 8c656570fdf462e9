import type { PromptLanguage } from '../../../src/visibility/prompts/prompt-set.ts';

/** A niche of each of six sorts, as a buyer of each language words it, with the market that it is. */
type Niche = { niche: string; kind: 'product' | 'service'; local: boolean };

const listNiches = (
  bakery: string,
  crm: string,
  dentist: string,
  shoes: string,
  accountants: string,
  insurance: string,
): readonly Niche[] => [
  { niche: bakery, kind: 'service', local: true },
  { niche: crm, kind: 'product', local: false },
  { niche: dentist, kind: 'service', local: true },
  { niche: shoes, kind: 'product', local: false },
  { niche: accountants, kind: 'service', local: false },
  { niche: insurance, kind: 'service', local: false },
];

export const niches: Readonly<Record<PromptLanguage, readonly Niche[]>> = {
  en: listNiches(
    'bakery in York',
    'CRM for dentists',
    'dentist in Leeds',
    'running shoes for wide feet',
    'accountants for freelancers',
    'car insurance for young drivers',
  ),
  de: listNiches(
    'Bäckerei in Bamberg',
    'CRM für Zahnarztpraxen',
    'Zahnarzt in Lübeck',
    'Laufschuhe für breite Füße',
    'Steuerberater für Selbstständige',
    'Kfz-Versicherung für Fahranfänger',
  ),
  fr: listNiches(
    'boulangerie à Dijon',
    'CRM pour dentistes',
    'dentiste à Lyon',
    'chaussures de running pour pieds larges',
    'experts-comptables pour indépendants',
    'assurance auto jeune conducteur',
  ),
  es: listNiches(
    'panadería en Segovia',
    'CRM para dentistas',
    'dentista en Valencia',
    'zapatillas de running para pies anchos',
    'asesores fiscales para autónomos',
    'seguro de coche para conductores jóvenes',
  ),
  pt: listNiches(
    'padaria em Coimbra',
    'CRM para dentistas',
    'dentista em Curitiba',
    'tênis de corrida para pés largos',
    'contadores para autônomos',
    'seguro de carro para jovens',
  ),
  it: listNiches(
    'panificio a Lucca',
    'CRM per dentisti',
    'dentista a Verona',
    'scarpe da running per piedi larghi',
    'commercialisti per partite IVA',
    'assicurazione auto per neopatentati',
  ),
  nl: listNiches(
    'bakkerij in Gent',
    'CRM voor tandartsen',
    'tandarts in Utrecht',
    'hardloopschoenen voor brede voeten',
    "boekhouders voor zzp'ers",
    'autoverzekering voor jonge bestuurders',
  ),
  ja: listNiches(
    '金沢のパン屋',
    '歯科医院向けCRM',
    '横浜の歯医者',
    '幅広のランニングシューズ',
    'フリーランス向けの税理士',
    '若者向けの自動車保険',
  ),
};
