/** Names of the days of the week from Monday on, whole and short, in the languages in which opening hours are read. */
export const DAY_WORDS: readonly (readonly string[])[] = [
  'monday mon mo montag lundi lun lunes lunedì lunedi maandag ma segunda-feira seg понедельник пн'.split(' '),
  'tuesday tue tues tu dienstag di mardi mar martes martedì martedi dinsdag terça-feira ter вторник вт'.split(' '),
  'wednesday wed we mittwoch mi mercredi mer miércoles mié mercoledì mercoledi woensdag wo quarta-feira qua среда ср'.split(
    ' ',
  ),
  'thursday thu thur thurs th donnerstag do jeudi jeu jueves jue giovedì giovedi gio donderdag quinta-feira qui четверг чт'.split(
    ' ',
  ),
  'friday fri fr freitag vendredi ven viernes vie venerdì venerdi vrijdag vr sexta-feira sex пятница пт'.split(' '),
  'saturday sat sa samstag sonnabend samedi sam sábado sáb sabado sabato sab zaterdag za суббота сб'.split(' '),
  'sunday sun su so sonntag dimanche dim domingo dom domenica zondag zo воскресенье вс'.split(' '),
];

/** Words for "until" between two days or two times. */
export const UNTIL_WORDS = 'to|until|till|through|bis|à|au|al|hasta|a|t/m|tot|até|до';

/** Words before hours that say that they are those of a place, not of an event. */
export const OPENING_WORDS =
  'opening times|opening hours|business hours|store hours|office hours|our hours|hours|open|öffnungszeiten|geöffnet|sprechzeiten|heures d|horaires|ouvert|horarios?|abierto|orari|aperto|openingstijden|geopend|atendimento|aberto|часы работы|режим работы|открыто';

/** Words that say that a place does not open on a day. */
export const CLOSED_WORDS =
  'closed|geschlossen|ruhetag|fermé|fermée|cerrado|cerrada|chiuso|chiusa|gesloten|fechado|fechada|выходной|закрыто';
