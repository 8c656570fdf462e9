import type { PhraseTable } from './phrase-table.ts';

/** Spanish, without accents. */
export const spanishPhrases: PhraseTable = {
  refuses: `
    no puedo|no podria|no podemos|no me es posible|no es posible|no estoy|no debo|no deberia|no voy a|no quiero|no me esta permitido|no me corresponde|no soy quien|no tengo permitido|no poder|no me siento|no sere|no podre|soy incapaz|me es imposible|no me permite* & ayudar*|recomend*|responder*|contestar*|ofrecer*|dar|darte|darle|sugerir*|compar*|nombrar*|asesor*|aconsej*|opin*|autorizad*|condiciones|capacitad*|hacer|hablar|comentar*|proporcionar*|facilitar*|indicar*|decir*|elegir|eso|esto|inclinar*|promov*|tratar|valorar*|atender|citar*|posicion*|comod*|mencionar*
    prefiero|me abstengo|me abstendre|declino|debo declinar|rechazo|debo rechazar|opto por|me niego|me reservo|evito & no|abstener*|declin*|responder|neutral|pronunciar*|opinar|abstengo|mencionar|nombr*
    mis directrices|mis normas|mis politicas|mi politica|mi programacion|mis pautas|politica de uso|politicas de uso|normas de uso|politica de contenido|directrices|fui disenad*|estoy disenad*|estoy programad*|mis instrucciones & no|impid*|prohib*|permit*|contra*|viol*|incumpl*|evitar|mantener|infring*
    esta solicitud|tu solicitud|su solicitud|esta pregunta|esta consulta|este tema|este contenido|esa pregunta|ese tema|esta peticion|tu peticion|ese tipo de pet*|ese tipo de tem*|ese tipo de conten*|ese tipo de consult* & no|viol*|incumpl*|fuera|bloque*|contra*|rechaz*|prefiero
    no recomiendo|no doy|no ofrezco|no tomo|no hago|no comparo|no tengo|no emito|no suelo|no apoyo|no expreso|no respaldo & recomend*|partido|opinion*|preferencia*|consejo*|postura|posicion*|comparaciones|marcas|candidat*|favorit*
    me|mi|mis|debo|soy|como ia|como modelo*|como asistente & neutralidad|imparcial*
    mantener la neutralidad|mantenerme neutral|ser neutral|permanecer neutral|tomar partido|no tomo partido|no me pronuncio|no es mi papel|no es mi funcion
    lo siento|lamento|lo lamento|disculp*|perdon*|lamentablemente|desafortunadamente|siento & no puedo|no me es posible|no poder|imposible|no estoy|no podre|no podemos
    `,
  limits: `
    no tengo|no dispongo|no cuento|sin|al no tener|careo & acceso|internet|tiempo real|datos actual*|informacion actual*|informacion suficiente|informacion fiable|informacion sobre|informacion especifica|conexion
    no puedo|no me es posible|no soy capaz|no podria|no estoy & navegar|buscar|acceder|consultar|verificar|internet|tiempo real|en linea|la web|conectad*
    mis datos|mi conocimiento|mis conocimientos|mi informacion|mi entrenamiento|mi ultima actualizacion & no|llega*|limit*|desactualiz*|hasta
    `,
  caution: `
    riesgo* peligro* dan* adicc* adict* ilegal* prohib* ley* legal* normativ* seguridad efectos-secundarios efecto* receta* medico* medica* farmaceutic* terap* abogad* profesional* experto* especialista* asesor* ayuda* crisis bienestar salud* responsab* individual* personal* circunstanc* depend* vari* desactualiz* cambi* verific* oficial* ludopat* apost* apuest* perdida* prudencia cautela consult* menores delicad* neutral* confidencial*
    `,
  offers: `
    puedo|podria|con gusto|con mucho gusto|encantad*|si quieres|si lo deseas|si quiere|si te parece|no dudes|en cambio|estoy disponible|estare encantad* & ayud*|otra*|otro*|en cambio|explic*|general*|inform*|habl*|convers*|contar*|preguntar|orient*
    puedo ayudarte en|en algo mas|algo mas|otro tema|otra cosa|otra consulta|otra pregunta|hazmelo saber|avisame|dime si
    consulta|consulte|acude|acuda|habla con|hable con|busca ayuda|busque|contacta|contacte|dirigete|dirijase|te sugiero|le sugiero|te recomiendo consultar|te recomiendo buscar|te aconsejo|recomiendo acudir|recomiendo consultar & medic*|profesional*|farmaceutic*|abogad*|especialista*|asesor*|oficial*|expert*|buscador*|resenas|opiniones|directorio*|google|colegio de
    `,
  courtesy: `
    buena pregunta|excelente pregunta|gran pregunta|muy buena pregunta|gracias|muchas gracias|entiendo|comprendo|te entiendo|felicidades|enhorabuena|hola|buenas|buenos dias|buenas tardes|bienvenid*|claro|claro que si|por supuesto|desde luego|con gusto|con mucho gusto|encantad*|perfecto|lo siento|lo siento mucho|siento mucho|siento que|lamento|lamento que|lo lamento|disculpa*|perdon*|lamentablemente|desafortunadamente|por desgracia|sin problema|espero que|que tengas|un saludo|ops|ups|vaya
    soy tu|soy su|soy un|soy una|soy el|soy la|en que puedo|como puedo|que puedo hacer|estoy aqui para|estoy para ayudarte|asistente virtual|me llamo|mi nombre es|a tu servicio|preguntame
    como ia|como modelo|como inteligencia|como asistente|no soy medico|no soy abogad*|no soy asesor|segun mi conocimiento|hasta donde se
    `,
  announces: `
    aqui tienes|aqui te|aqui tiene|aqui esta|aqui estan|a continuacion|estas son|estos son|te presento|te dejo|le presento|vamos a|veamos|echemos|te muestro|descubre & opcion*|lista|mejor*|resumen|algunas|algunos|recomend*|sugerenc*|alternativas|seleccion|ver|repas*|guia|explorar
    un momento|un segundo|espera|espere|dame un|estoy buscando|buscando|voy a buscar|dejame|consultando|cargando|generando|procesando|pensando
    `,
  fills: `
    muchas personas|mucha gente|muchos se preguntan|se preguntan|una gran variedad|gran variedad|amplia variedad|amplia gama|infinidad|multitud de|numerosas|cada vez mas|no es facil|no siempre es facil|no es tarea facil|puede resultar|abrumador*|la eleccion correcta|eleccion correcta|mejor decision|decision importante|elegir bien|acertar|en este articulo|en esta guia|en este post|todo lo que necesitas|todo lo que debes|te contamos|descubriras|depende de muchos|depende de tus|depende de varios|tus necesidades|sus necesidades|cada persona|cada caso|gustos y|cuestion de gustos|ventajas e|ventajas y|puntos fuertes|lugar indicado|lugar adecuado|hoy en dia|mas que nunca|en la actualidad|larga trayectoria|muy conocid*|clientes satisfechos|sigue leyendo|apasionante|emocionante
    `,
  fails: `
    limite de mensajes|limite diario|actualiza tu plan|tu sesion ha caducado|tu sesion ha expirado|su sesion ha caducado|su sesion ha expirado|vuelve a iniciar sesion|pagina no encontrada
    algo salio mal|algo ha salido mal|ha ocurrido un error|se ha producido un error|se produjo un error|ocurrio un error|hubo un error|un error|error interno|error al|error del servidor|error inesperado|no esta disponible|no disponible|pagina no encontrada|no existe|no encontrad*|no se ha encontrado|no se encontro|pagina que buscas|demasiadas solicitudes|demasiadas peticiones|limite*|cuota|intentalo|intentelo|intenta de nuevo|vuelve a intentar*|intente de nuevo|mas tarde|recarga*|actualiza la pagina|sesion ha expirado|sesion ha caducado|sesion expirada|inicia sesion|inicie sesion|javascript|acceso denegado|no autorizado|tiempo de espera|tiempo agotado|sin respuesta|no se pudo|no hemos podido|sobrecargad*|saturad*|mantenimiento|soporte|volver al inicio|ir al inicio|no hay resultados|sin resultados|eres humano|no eres un robot|error de red|suscribete
    generada por|generado por|inteligencia artificial|puede contener|pueden contener|puede cometer|contener errores|verifica|verifique|caracter informativo|fines informativos|meramente informativ*|no constituy*|no sustituy*|no reemplaz*|no nos hacemos|no se hace responsable|sin garantia*|todos los derechos|exencion de
    eres un|eres una|eres el|eres la|usted es un|instrucciones|responde con|responde en|responde siempre|no menciones|no mencione|no reveles|no revele|prompt|si no sabes
    insertar|inserte|inserta|por completar|completar|placeholder|lorem ipsum|titulo de la|titulo aqui|texto aqui|texto de ejemplo|proximamente|enlace al|pendiente de
    `,
  asks: `
    puedes|podrias|puede usted|podria|me puedes|dime|digame|cuentame|cuenteme|indicame|indiqueme|necesito saber|necesitaria|me gustaria saber|necesito un poco|mas informacion|mas detalles|mas datos|un poco mas|algunos datos|algunas preguntas|cual es tu|cual es su|que tipo|que presupuesto|cuanto|cuanta|cuantos|cuantas|donde vives|en que zona|en que ciudad|tienes|tiene|buscas|busca usted|prefieres|se trata|es para|quieres|llevas|para cuando
    `,
};
