import { foldText } from '../names/folded-text.ts';
import { kindLists, type SourceKind } from './source-kinds-data.ts';

/** Whose a domain is, or what kind of site. `rival`: the name that it belongs to. */
export type Classified = { kind: SourceKind; rival?: string };

export type SourceOwners = {
  /** The buyer's registrable domain. */
  own?: string | undefined;
  /** Names of rivals as answers write them, the most important first. */
  rivals: readonly string[];
  /** Registrable domains of rivals, by domain, where someone has said so: they are not judged by their names. */
  rivalDomains?: ReadonlyMap<string, string> | undefined;
};

/** Shorter names are too often another's domain. */
const MIN_DOMAIN_NAME_CHARS = 3;

/**
 * Says whose a site is. A domain belongs to a rival where its label is the rival's name with nothing but letters and digits
 * (`Help Scout` owns `helpscout.com`), or where the name is the domain itself. One that is in a list of press, forums, references or shops is that, also
 * where a rival has its name. Unsure is not a rival.
 */
export function createKindClassifier({ own, rivals, rivalDomains }: SourceOwners) {
  const byKey = new Map<string, string>();
  for (const name of rivals) for (const key of listNameKeys(name)) if (!byKey.has(key)) byKey.set(key, name);
  return (domain: string, host: string): Classified => {
    if (domain === own) return { kind: 'own' };
    const said = rivalDomains?.get(domain);
    if (said !== undefined) return { kind: 'rival', rival: said };
    const listed = listedKinds.get(host) ?? listedKinds.get(domain);
    if (listed !== undefined) return { kind: listed };
    const rival = byKey.get(domain) ?? byKey.get(getLabel(domain));
    if (rival !== undefined) return { kind: 'rival', rival };
    return { kind: classifyByRule(domain, host) };
  };
}

const getLabel = (domain: string): string => domain.split('.', 1)[0]?.replaceAll('-', '') ?? '';

/** What a domain of this name would be: its label, and the name itself where it is written as a domain. */
function listNameKeys(name: string): readonly string[] {
  const lower = foldText(name).lower.trim();
  const label = lower.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const keys = label.length < MIN_DOMAIN_NAME_CHARS ? [] : [label];
  return /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{2,63}){1,3}$/.test(lower) ? [...keys, lower] : keys;
}

const listedKinds = new Map(
  kindLists.flatMap(({ kind, domains }) =>
    domains
      .trim()
      .split(/\s+/)
      .map((domain) => [domain, kind] as const),
  ),
);

const FORUM_HOST = /^(?:community|discuss|discourse|forums?)\./;
const SHOP_HOST = /^(?:shop|store)\./;
const REFERENCE_SUFFIX =
  /\.(?:edu|gov|mil|int|gov\.[a-z]{2}|gob\.[a-z]{2}|gouv\.fr|gv\.at|admin\.ch|ac\.[a-z]{2}|edu\.[a-z]{2}|go\.jp|govt\.nz|overheid\.nl)$/;

/** The few rules that hold for hosts of any owner. */
function classifyByRule(domain: string, host: string): SourceKind {
  if (FORUM_HOST.test(host)) return 'forum';
  if (SHOP_HOST.test(host)) return 'shop';
  return REFERENCE_SUFFIX.test(`.${domain}`) ? 'reference' : 'other';
}
