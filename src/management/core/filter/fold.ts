import { type Meter, createMeter, spend } from './meter.ts';

const NON_ASCII = /[\u0080-\uffff]/;
/** Units of work (meter.ts): of a text, of so many characters of ASCII, of any other character. */
const TEXT_UNITS = 2;
const PLAIN_CHARS = 8;
const FOLDED_UNITS = 10;
const NOBODY = createMeter();

/**
 * A text as the language compares it, without letter case: Unicode's NFKC_Casefold, but for ignorable code points. It goes
 * by way of capitals, which unfold one sharp s to two; the sigma at the end of a word is a sigma.
 * @param meter counts the text's length. @throws FilterTooSlow by the meter's limit
 */
export function fold(text: string, meter: Meter = NOBODY): string {
  if (!NON_ASCII.test(text)) {
    spend(meter, TEXT_UNITS + text.length / PLAIN_CHARS);
    return text.toLowerCase();
  }
  spend(meter, TEXT_UNITS + text.length * FOLDED_UNITS);
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}
