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
