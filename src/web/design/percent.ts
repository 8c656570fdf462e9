/** A share from 0 to 1 in whole percent. */
export const formatPercent = (share: number): string => `${Math.round(share * 100)} %`;
