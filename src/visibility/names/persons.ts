import { loadOtherSenses } from './common-words.ts';
import { isAboutCompany } from './company-words.ts';
import type { Near } from './place.ts';

/**
 * Whether a name is that of a person here: "Frau Mueller", "Robert Mueller's report", "Alan, le technicien". Companies are
 * called after people ("Robert Bosch", "Dr. Martens", "Eric Kayser"): a first name or a title that brands have as well is not
 * enough, something beside it has to be of a person.
 */
export function isPerson(near: Near): boolean {
  const { before, beforeExact, after, word } = near;
  if (isJapanesePerson(near)) return true;
  if (/[^\p{L}'’-]/u.test(word)) return false;
  const { titles, firstNames } = loadOtherSenses();
  const previous = before.endsWith(' ') ? readWordBefore(before.slice(-24)) : '';
  if (titles.has(previous)) return !TITLES_OF_BRANDS.has(previous) || isDoneByPerson(near);
  const isFirstName = firstNames.has(previous) && /\p{Lu}\p{Ll}{1,20} $/u.test(beforeExact.slice(-24));
  if (isFirstName) return isDoneByPerson(near) || isOfOffice(after);
  // "der Koch Otto Brandl": who does it, and a surname.
  if (
    firstNames.has(word) &&
    PROFESSION_BEFORE.test(before) &&
    /^ \p{Lu}\p{Ll}{2,20}(?![\p{L}-])/u.test(near.afterExact)
  )
    return true;
  if (/\p{Lu}\p{Ll}{2,20} $/u.test(beforeExact.slice(-24)) && isOfOffice(after) && !isAboutCompany(after)) return true;
  if (PERSON_NOUN_BEFORE.test(before) && /\p{Lu}\p{Ll}{1,20} $/u.test(beforeExact.slice(-24))) return true;
  return after.startsWith(', ') && isApposed(after);
}

/** The word before, with or without its full stop: "Dr." */
function readWordBefore(before: string): string {
  const bare = before.trimEnd().replace(/\.$/u, '');
  return bare.slice(bare.lastIndexOf(' ') + 1).replace(/^[^\p{L}]{1,4}/u, '');
}

/** Titles that brands begin with: "Dr. Martens", "Don Simon", "Mr Porter", "Captain Morgan", "Oma Kleinmann". */
const TITLES_OF_BRANDS: ReadonlySet<string> = new Set(
  'dr doctor doktor docteur dottor doctora don dona doña sr mr mrs miss mister madame mademoiselle monsieur uncle captain capitaine sir lady king queen könig koenig konig king kaiser roi reine rey reina rei rainha re regina koning koningin colonel oma opa tante onkel tia tio oncle zia zio'.split(
    ' ',
  ),
);

/** What people do and brands do not, or what is said of people, right behind the name; or who precedes it. */
const isDoneByPerson = ({ before, after }: Near): boolean =>
  PERSON_VERB.test(after) || PERSON_THING.test(after) || PERSON_NOUN_BEFORE.test(before);

const PERSON_VERB =
  /^,? (?:(?:who|qui|que|che|die|der) )?(?:says|said|wrote|writes|thinks|thought|argues|argued|explains|explained|admits|recalls|lives|lived|died|was born|married|testified|resigned|smiled|laughed|sagte|sagt|schrieb|meint|erzahlt|starb|lebt|wohnt|heiratete|wurde geboren|dit|a dit|ecrit|a ecrit|raconte|explique|est ne|est mort|vit|habite|dice|dijo|escribio|cuenta|nacio|murio|vive|ha detto|scrisse|scrive|racconta|nacque|mori|disse|escreveu|diz|conta|nasceu|morreu|zegt|zei|schreef|vertelt|stierf|woont|zweert|entre dans|entra en)(?!\p{L})/u;
const PERSON_THING =
  /^'s? (?:report|book|books|novel|novels|biography|memoir|autobiography|investigation|career|death|life|childhood|poems?|poetry|speech|essay|essays|wife|husband|son|daughter|mother|father|testimony|theory|philosophy)(?!\p{L})/u;
const PERSON_NOUN_BEFORE =
  /(?<!\p{L})(?:author|autor|autorin|autore|auteur|novelist|poet|actor|actress|singer|composer|painter|philosopher|historian|senator|president|judge|professor|schriftsteller|dichter|komponist|schauspieler|philosoph|prasident|kanzler|ecrivain|romancier|poete|acteur|chanteur|peintre|president|escritor|escritora|poeta|actor|cantante|pintor|scrittore|scrittrice|attore|pittore|ator|cantor|schrijver|dichter|acteur|zanger|schilder) (?:\p{L}\. ?){0,2}\p{L}{2,20} $/u;

const PROFESSION_BEFORE =
  /(?<!\p{L})(?:koch|kochin|chefkoch|trainer|grunder|erfinder|architekt|moderator|influencer|youtuber|blogger|sternekoch|winzer|backer|arzt|anwalt|chef|cook|coach|founder|inventor|architect|doctor|lawyer|cuisinier|fondateur|avocat|medecin|entraineur|cocinero|fundador|abogado|medico|entrenador|cuoco|fondatore|avvocato|allenatore|kok|oprichter|arts|advocaat|cozinheiro|fundador|advogado|treinador) $/u;

/** ", síndico do prédio,": what someone is of something. A company is its maker or brand. */
const isOfOffice = (after: string): boolean =>
  /^, (?!hersteller|marke|anbieter|tochter|marque|fabricant|filiale|marca|fabricante|empresa|filial|lider|maker|brand|leader|merk|fabrikant|produttore|azienda)\p{L}{4,16} (?:d[aeo]s?|del|della|dell'|du|des|der|of|von|van)(?!\p{L})/u.test(
    after,
  );

/** An article and one or two words behind a comma: "Zara, la profesora". */
const APPOSITION =
  /^, (?:(?:the|our|my|le|la|mon|ma|notre|el|mi|nuestr[oa]|il|lo|un[ae]?|o|a|meu|minha|der|die|mein|meine|unser|unsere|de|mijn|onze|een) |l')(\p{L}{2,16})(?: (\p{L}{2,16}))?/u;
/** "Braun, der Techniker unter den Rasierern": a figure of speech. */
const FIGURE = /^, [^,.]{0,40} (?:unter|among|parmi|entre|tra|of your|in your|de vos|dans votre) /u;

function isApposed(after: string): boolean {
  const { personNouns } = loadOtherSenses();
  const [, first = '', second = ''] = APPOSITION.exec(after) ?? [];
  return (personNouns.has(first) || personNouns.has(second)) && !FIGURE.test(after);
}

/** "作家サミュエル・ジョンソン". */
const JAPANESE_PROFESSION =
  /(?:作家|歌手|俳優|女優|詩人|画家|監督|首相|大統領|将軍|武将|選手|作曲家|小説家|タレント|教授|博士|声優|哲学者|科学者|発明家)の?(?:[\p{Script=Katakana}ー]{2,12}・)?$/u;
/** "本田美奈子さん": the end of a given name shows the person. A company may have "さん" behind it: "佐川急便さん". */
const JAPANESE_PERSON =
  /^\p{Script=Han}{0,2}[子美郎男夫介太斗之也雄一二三幸恵香奈樹人彦助平治司明弘博義宏真翔輔佑](?:さん|氏|選手|監督|先生|社長|容疑者|様|くん|ちゃん)/u;
const IS_UNSPACED = /[\u3040-\u9FFF]/u;

const isJapanesePerson = ({ before, after, word }: Near): boolean =>
  (IS_UNSPACED.test(before.slice(-1)) && JAPANESE_PROFESSION.test(before)) ||
  (/\p{Script=Han}$/u.test(word) && JAPANESE_PERSON.test(after));
