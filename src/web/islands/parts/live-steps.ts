import type { FetchStep, PreviewCheck } from '../../../audit/core/preview.ts';
import { progressWords } from '../../audit/progress-words.ts';
import { partsWords } from '../../design/parts-words.ts';
import type { PageLanguage } from '../../language/language.ts';

/** Lines that the list holds: all requests and checks of an audit, and room for more of either. */
const MAX_LINES = 600;
/** This close to its end, in pixels, the list follows what is added. */
const NEAR_END_PX = 40;

export type LiveSteps = {
  fetched: (step: FetchStep) => void;
  judged: (check: PreviewCheck) => void;
  clear: () => void;
};

/** The list of what was read and judged, newest last; it follows its end unless someone scrolled back. */
export function createLiveSteps(list: HTMLElement, language: PageLanguage): LiveSteps {
  const box = list.parentElement;
  const words = progressWords[language];
  const { statuses } = partsWords[language];
  const add = (kind: string, text: string, ms: string): void => {
    if (list.childElementCount >= MAX_LINES) return;
    const atEnd = box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX;
    list.append(createStepLine([kind, text, ms]));
    if (box && atEnd) box.scrollTop = box.scrollHeight;
  };
  return {
    fetched: ({ role, url, status, failure, ms }) =>
      add(String(status ?? failure ?? words.noAnswer), `${role}: ${url}`, `${ms} ms`),
    judged: (check) => add(check.open ? statuses[check.status] : words.judged, check.title, ''),
    clear: () => list.replaceChildren(),
  };
}

function createStepLine([kind, text, ms]: readonly [string, string, string]): HTMLElement {
  const item = document.createElement('li');
  const parts = [kind, text, ms].map((content) => {
    const part = document.createElement('span');
    part.textContent = content;
    return part;
  });
  parts[2]?.classList.add('ms');
  item.append(...parts);
  return item;
}
