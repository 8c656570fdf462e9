import { isCheckId } from '../../audit/check-anchors.ts';

/** The anchor of the fix of a check, in a page that has fixes. */
export const getFixAnchor = (fixId: string): string | undefined => (isCheckId(fixId) ? `fix-${fixId}` : undefined);
