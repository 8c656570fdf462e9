/**
 * Numbers from eleven up as words, one expression for each language; each between word boundaries. Words that are
 * something else in another of the languages are left out: `elf`, `once`, `venti`, `cent`.
 */
export const NUMBER_WORDS: readonly string[] = [
  // English
  'eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?',
  '(?:a|one|two|three|four|five|six|seven|eight|nine|ten|half a|several|few)\\s(?:hundred|thousand|million|billion|trillion)(?:\\sand\\s(?:a\\shalf|[a-z]{3,9}(?:-[a-z]{3,5})?))?',
  // German and Dutch
  'zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn|(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)',
  '(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)?(?:hundert|tausend)|(?:eine|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)\\s(?:halbe\\s)?(?:million|millionen|milliarde|milliarden)',
  'twaalf|dertien|veertien|vijftien|zestien|zeventien|achttien|negentien|twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig',
  // French, Spanish, Italian, Portuguese
  'onze|douze|treize|quatorze|quinze|dix-(?:sept|huit|neuf)|vingt|trente|quarante|cinquante|soixante|quatre-vingts?',
  'doce|trece|catorce|quince|dieciséis|diecisiete|dieciocho|diecinueve|veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa',
  'undici|dodici|tredici|quattordici|quindici|sedici|diciassette|diciotto|diciannove|trenta|quaranta|cinquanta|sessanta|settanta|ottanta|novanta',
  'doze|treze|quinze|dezesseis|dezassete|dezessete|dezoito|dezanove|dezenove|vinte|trinta|quarenta|cinquenta|oitenta',
];

/** Shares in words: `eight out of ten`, `jeder dritte`, `un Français sur cinq`. */
export const RATIO_WORDS: readonly string[] = [
  '(?:one|two|three|four|five|six|seven|eight|nine)\\s(?:out\\sof|in)\\s(?:every\\s)?(?:three|four|five|six|seven|eight|nine|ten)',
  '(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun)\\svon\\s(?:drei|vier|fünf|sechs|sieben|acht|neun|zehn)|jede[rs]?\\s(?:zweite|dritte|vierte|fünfte|sechste|siebte|achte|neunte|zehnte)',
  '(?:une?|deux|trois|quatre|neuf)\\s(?:\\p{L}{1,20}\\s)?sur\\s(?:deux|trois|quatre|cinq|dix)',
  '(?:un[oa]?|dos|tres|cuatro|nueve)\\sde\\scada\\s(?:dos|tres|cuatro|cinco|seis|diez)|(?:uma?|dois|duas|três|nove)\\sem\\scada\\s(?:dois|duas|três|quatro|cinco|seis|dez)',
  '(?:un[oa]?|due|tre|nove)\\s(?:\\p{L}{1,20}\\s)?su\\s(?:due|tre|quattro|cinque|dieci)|(?:een|twee|drie|negen)\\s(?:van\\sde|op\\sde)\\s(?:drie|vier|vijf|tien)',
];

/** Numbers up to ten as words, which count with a percentage, an amount of money or a multiple alone: `zehn Prozent`, `five dollars`. */
export const SMALL_NUMBER_WORDS =
  'two|three|four|five|six|seven|eight|nine|ten|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|twee|drie|vijf|zes|zeven|negen|tien|' +
  'deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dois|duas|três|quatro|sete|oito|dez';

/** What makes a small number a multiple of something: `four times the price`, `dreimal so viele`. */
export const MULTIPLE_WORDS =
  '\\stimes\\s(?:as|more|the|higher|larger|bigger|greater|faster|better)(?!\\p{L})|-?\\s?mal\\s(?:so|mehr|größer|höher|schneller)(?!\\p{L})|' +
  '\\s(?:fois\\s(?:plus|moins)|veces\\s(?:más|menos)|volte\\s(?:più|meno)|vezes\\s(?:mais|menos)|keer\\s(?:zo|meer))(?!\\p{L})';
