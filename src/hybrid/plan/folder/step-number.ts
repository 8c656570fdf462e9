/** `02`: of file names and the journal. */
export const formatStepNumber = (number: number): string => String(number).padStart(2, '0');
