/** Words by which a notice asks for JavaScript, in twelve languages: to turn it on, or that it is needed or off. */
const DEMANDS = [
  'enable|enabled|turn on|activate|allow|requires|required|need|disabled|does not work|without javascript|supported',
  'aktivieren|aktiviert|einschalten|benötigt|erforderlich|deaktiviert',
  'activer|activez|activé|nécessaire|requis|désactivé',
  'activar|active|activa|habilitar|habilite|habilita|necesario|requiere|desactivado',
  'abilitare|abilita|attivare|attiva|necessario|richiede|disabilitato',
  'ativar|ative|habilite|necessário|requer|desativado',
  'inschakelen|schakel|nodig|vereist|uitgeschakeld',
  'включите|включить|требуется|необходим|отключен',
  '启用|开启|需要|禁用|啟用',
  '有効|必要|無効',
  '활성화|사용|필요',
  'تفعيل|تمكين|مطلوب',
].flatMap((words) => words.split('|'));

/** A notice is short: of a longer text only its beginning is read. */
const MAX_CHARS = 2000;

/** Whether a text asks its reader to turn JavaScript on, or says that it is needed. */
export function hasScriptDemand(text: string): boolean {
  const plain = text.slice(0, MAX_CHARS).toLowerCase();
  return /java\s?script/.test(plain) && DEMANDS.some((word) => plain.includes(word));
}

/** The ways a script names an interface: a member, a key in brackets, a feature test, and a destructured member. */
const buildHostPatterns = (host: 'document' | 'navigator'): readonly RegExp[] => [
  new RegExp(String.raw`\b${host}\s{0,9}(?:\?\.|\.)\s{0,9}modelContext\b`),
  new RegExp(String.raw`\b${host}\s{0,9}(?:\?\.)?\[\s{0,9}["'${'`'}]modelContext["'${'`'}]`),
  new RegExp(String.raw`["'${'`'}]modelContext["'${'`'}]\s{0,9}in\s{1,9}(?:window\.|self\.|globalThis\.)?${host}\b`),
  new RegExp(String.raw`\bmodelContext\b[^{}=]{0,100}\}\s{0,9}=\s{0,9}(?:window\.|self\.|globalThis\.)?${host}\b`),
];

const NAMES = { document: buildHostPatterns('document'), navigator: buildHostPatterns('navigator') } as const;

/**
 * Hosts of the WebMCP interface that a script names: `document.modelContext` as the draft has it, or the older
 * `navigator.modelContext`. A text search: comments and dead code count, and names put together at run time do not.
 */
export function findModelContextHosts(script: string): readonly ('document' | 'navigator')[] {
  if (!script.includes('modelContext')) return [];
  return (['document', 'navigator'] as const).filter((host) => NAMES[host].some((pattern) => pattern.test(script)));
}
