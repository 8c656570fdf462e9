/**
 * Numbers from 0 to under 1 that look random and follow from the seed alone: sfc32 (Chris Doty-Humphrey, PractRand),
 * its four words of state hashed from any text by FNV-1a, the first rounds thrown away. Not for secrets.
 * @see https://pracrand.sourceforge.net/RNG_engines.txt
 */
export function createRandomFromSeed(seed: string): () => number {
  let [a, b, c, counter] = [
    computeFnv1a(`0${seed}`),
    computeFnv1a(`1${seed}`),
    computeFnv1a(`2${seed}`),
    computeFnv1a(`3${seed}`),
  ];
  const next = (): number => {
    const word = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + word) | 0;
    return (word >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) next();
  return next;
}

/** Rounds thrown away, so that seeds that differ little do not begin alike. */
const WARM_UP_ROUNDS = 16;

/** 32-bit FNV-1a over UTF-16 units. */
function computeFnv1a(text: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
