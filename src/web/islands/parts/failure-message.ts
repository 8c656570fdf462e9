import { finishSentence } from '../../../lib/text.ts';
import type { DescribedFailure, OwnFailure } from '../../audit/failure-parts-words.ts';

/** Why there is no result: found out by the page itself, or described by the service. */
export type ShownFailure = OwnFailure | DescribedFailure;

/** The message of a failure, of the templates that `FailureTemplates` put into the page. */
export function createFailureMessage(said: ShownFailure): DocumentFragment {
  if (typeof said === 'string') return copyTemplate(said);
  const message = copyTemplate('described');
  const { happened, means, next, detail = '', ways } = said;
  fillText(message, 'happened', happened);
  fillText(message, 'means', finishSentence(means));
  fillText(message, 'next', next);
  fillText(message, 'detail', finishSentence(detail));
  if (ways.retry !== true) {
    findWay(message, 'retry')?.remove();
    findWay(message, 'edit')?.classList.remove('quiet'); // The first way on is the button that is filled.
  }
  if (ways.edit !== true) findWay(message, 'edit')?.remove();
  if (ways.docs === undefined) findWay(message, 'docs')?.remove();
  else findWay(message, 'docs')?.setAttribute('href', ways.docs);
  return message;
}

function copyTemplate(name: string): DocumentFragment {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-failure="${name}"]`);
  if (!template) throw new Error(`the page has no template of ${name}`);
  return document.importNode(template.content, true);
}

/** Fills a part; one without a text leaves, with what introduces it. */
function fillText(message: DocumentFragment, name: string, text: string): void {
  const part = message.querySelector(`[data-said="${name}"]`);
  if (text === '') (part?.closest('details, p') ?? part)?.remove();
  else if (part) part.textContent = text;
}

const findWay = (message: DocumentFragment, name: string): Element | null =>
  message.querySelector(`[data-way="${name}"]`);
