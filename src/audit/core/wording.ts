/** `3 links`, `1 link`. */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A share as a percentage with one decimal, `4.2%`. */
export const formatShare = (share: number): string => `${Math.round(share * 1000) / 10}%`;
