/**
 * Stems by which a sentence without a question mark asks the reader back, in every language with spaces. Other words of
 * questions ("can you", "tiene") are in any answer.
 */
export const requestStems: readonly string[] = [
  ...' tell me, let me know, please share, please provide, please specify, i d need, i need, need to know, need more, clarify, more details, more context'.split(
    ',',
  ),
  ...' verrat, sag mir, sagen sie mir, erzahl, teile mir, teilen sie mir, nenne mir, nennen sie mir, schreib mir, brauche ich, ich brauch, benotige ich, ich benotig, angaben, ein paar fragen'.split(
    ',',
  ),
  ...' dites moi, dis moi, precisez, precise moi, indiquez moi, me preciser, m indiquer, me faudrait, j aurais besoin, besoin de quelques, quelques questions, quelques informations, plus de details'.split(
    ',',
  ),
  ...' dime, digame, cuentame, cuenteme, indicame, indiqueme, necesito, necesitaria, me gustaria saber, mas detalles, mas datos, algunos datos, algunas preguntas'.split(
    ',',
  ),
  ...' me diga, diga me, me conte, conte me, me fale, preciso saber, preciso de mais, precisaria, gostaria de saber, mais detalhes, algumas perguntas, algumas informacoes'.split(
    ',',
  ),
  ...' dimmi, mi dica, raccontami, indicami, avrei bisogno, ho bisogno di, mi servirebbe, mi servono, vorrei sapere, qualche informazione, qualche dettaglio, piu dettagli, qualche domanda'.split(
    ',',
  ),
  ...' vertel me, vertel eens, laat me weten, laat weten, geef aan, ik heb wat meer, heb ik wat, heb ik nog, ik zou graag, meer weten, een paar vragen, enkele vragen, een paar gegevens'.split(
    ',',
  ),
];
