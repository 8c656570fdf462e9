import type { AlertDraft } from '../core/alert.ts';
export const findBrandAlerts = (_input: unknown): readonly AlertDraft[] => [];
