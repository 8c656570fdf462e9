const NON_ASCII = /[\u0080-\uffff]/;

/**
 * A text as the language compares it, without letter case: Unicode's NFKC_Casefold, but for ignorable code points. It goes
 * by way of capitals, which unfold one sharp s to two; the sigma at the end of a word is a sigma.
 */
export function fold(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}
