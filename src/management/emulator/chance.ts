import { sha512 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { isObject } from '../../lib/json.ts';
import { type Settings, readTextSetting } from './settings.ts';

/**
 * Random bytes for ids: real ones, or a row of draws from a seed that is the same from run to run. Secrets never come
 * from here (rule K7).
 */
export type SeededRandom = {
  random: (bytes: number) => string;
  /** The seed; undefined for real chance. */
  seedText: () => string | undefined;
  /** Draws from this seed from its beginning; from real chance when there is none. */
  seed: (seed: string | undefined) => void;
  /** Keeps how many draws were made: at the end of each transaction. */
  save: () => void;
  /** After a transaction that rolled back. */
  reload: () => void;
};

const NAME = 'chance';
/** Bytes of one draw. */
const DRAW_BYTES = 64;

/** @param real unpredictable random bytes as hex */
export function createSeededRandom(settings: Settings, real: (bytes: number) => string): SeededRandom {
  let kept = readSeedState(settings);
  let { draws } = kept;
  const draw = (): string => {
    draws += 1;
    return bytesToHex(sha512(utf8ToBytes(`${kept.seed ?? ''}\n${draws}`)));
  };
  const reload = (): void => {
    kept = readSeedState(settings);
    draws = kept.draws;
  };
  return {
    random: (bytes) => {
      if (kept.seed === undefined) return real(bytes);
      let text = '';
      for (let made = 0; made < bytes; made += DRAW_BYTES) text += draw();
      return text.slice(0, bytes * 2);
    },
    seedText: () => kept.seed,
    seed: (seed) => {
      if (seed === undefined) settings.drop(NAME);
      else settings.set(NAME, { seed, draws: 0 });
      reload();
    },
    save: () => {
      if (kept.seed === undefined || draws === kept.draws) return;
      settings.set(NAME, { seed: kept.seed, draws });
      reload();
    },
    reload,
  };
}

function readSeedState(settings: Settings): { seed?: string; draws: number } {
  const kept = settings.get(NAME);
  return isObject(kept) ? { seed: readTextSetting(kept['seed']), draws: Number(kept['draws']) } : { draws: 0 };
}
