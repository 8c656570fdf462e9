/** Words after which an About page names the year in which it all began, in twelve languages. */
export const SINCE_WORDS =
  'since|founded|established|est\\.|started|launched|began|opened|seit|gegründet|gründung|depuis|fondée?s?|créée?s?|desde|fundad[oa]s?|cread[oa]|nacimos|' +
  'fondat[oaie]|nat[oa]|dal|criad[oa]|opgericht|sinds|основан[аоы]?|создан[аоы]?|работаем\\sс|تأسست|تأسس|منذ|عام';
/** The same where the year comes first, or without spaces between. */
export const SINCE_UNSPACED =
  '(?:成立|创立|創立|创办|始于|設立|創業)(?:于|於|：|:)?\\s?(?:1[6-9]|20)\\d\\d|(?:1[6-9]|20)\\d\\d\\s?(?:年|년)[^。.年년\\n]{0,25}(?:成立|创立|創立|创办|創辦|开业|设立|設立|創業|開業|開店|開設|始め|始ま|설립|창립|창업|시작)';

/** Words that name who began it or who leads it. */
export const FOUNDER_WORDS =
  '(?:co-?)?founders?|(?:founded|started|created|run|owned)\\sby|owners?|gründer(?:in|innen)?|gegründet\\svon|geschäftsführer(?:in)?|inhaber(?:in)?|' +
  'fondateurs?|fondatrices?|fondée?\\spar|gérante?|fundador(?:a|es|as)?|fundad[oa]\\sp[eo]r|fondator[ei]|fondatrice|fondat[ao]\\sda|titolare|' +
  'oprichters?|opgericht\\sdoor|eigenaar|основател[ьи]|основал[аи]?|учредител[ьи]|المؤسس|مؤسس(?:ة|و|ي)?';
export const FOUNDER_UNSPACED =
  '创始人|創始人|创办人|董事长|創業者|創設者|代表取締役|代表者|설립자|창립자|창업자|대표이사';

/** Words before the name of a place. */
export const PLACE_WORDS =
  '(?:based|headquartered|located|offices?|headquarters|workshop|studio|laboratory|lab|shop|team)\\s(?:is\\s|are\\s)?(?:in|at|near)|sitz\\sin|ansässig\\sin|' +
  'basées?\\sà|basés?\\sà|situées?\\sà|siège\\s(?:à|est\\sà)|con\\ssede\\sen|ubicad[oa]s?\\sen|con\\ssede\\s(?:a|in)|com\\ssede\\sem|sediad[oa]s?\\sem|' +
  'gevestigd\\s(?:in|te)|находится\\sв|расположен[аы]?\\sв|مقرها(?:\\sفي)?|يقع\\sفي|تقع\\sفي';
export const PLACE_UNSPACED = '总部(?:位于|在|设在)|總部(?:位於|在)|位于|位於|本社|所在地|拠点|본사|소재지|에\\s위치';

/** How addresses are written: a street and a number in the order of the country. */
export const STREET_FORMS: readonly string[] = [
  '(?<!\\d)\\d{1,5}\\s(?:\\p{Lu}[\\p{L}.’-]{1,25}\\s){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Way|Boulevard|Blvd|Square|Sq|Quay|Court|Ct|Place|Pl)(?!\\p{L})',
  '\\p{Lu}\\p{L}{1,25}(?:straße|strasse|str\\.|weg|platz|allee|gasse|straat|laan|plein)\\s\\d{1,4}',
  '(?<!\\d)\\d{1,4}(?:\\s?(?:bis|ter))?,?\\s(?:rue|avenue|boulevard|place|quai|chemin|impasse)\\s\\p{L}',
  '(?<!\\p{L})(?:Calle|Avenida|Plaza|Paseo|Rua|Praça|Via|Viale|Piazza|Corso)\\s(?:\\p{L}{1,15},?\\s){1,3}\\d{1,4}',
  '(?:ул\\.|улица|проспект|пр-т)\\s\\p{L}',
  '〒\\s?\\d{3}-\\d{4}|[路街道]\\s?\\d{1,4}\\s?[号號]|[로길]\\s?\\d{1,4}(?![\\p{L}\\d])|شارع\\s\\p{L}',
];
