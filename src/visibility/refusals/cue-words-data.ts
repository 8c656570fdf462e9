import type { PromptLanguage } from '../prompts/prompt-set.ts';

/**
 * Words by which an assistant's talk about itself is known, whatever sentence it makes of them. Beginnings of words without
 * accents, after a comma; one with a full stop is a whole word. Written by hand.
 */
export type CueWords = {
  /** The speaker, and verbs in its person where the language needs no pronoun. */
  self: string;
  /** Denial, reluctance, bounds. */
  denial: string;
  /** What an assistant does: answers, advises, judges. */
  act: string;
  /** Inability that says of itself that it is the speaker's. */
  bound: string;
  /** Errors, loading, sign-in, disclaimers, instructions to a machine. */
  machine: string;
  /** Beginnings of instructions to a machine. */
  order: string;
};

export const cueWords: Readonly<Record<PromptLanguage, CueWords>> = {
  en: {
    self: 'i.,my.,me.,we.,our.,us.,myself.,an ai.,assistant,chatbot,language model',
    denial:
      'not.,no.,never.,cannot.,can t.,won t.,don t.,wouldn t.,couldn t.,shouldn t.,isn t.,unable,rather,refrain,avoid,declin,abstain,outside,beyond,inappropriate,neutral,impartial,unbiased,refus,prefer,neither.,nor.,against,stay out,staying out,prohibit,restrict,forbid,prevent,hesita,reluctan,uncomfortable,pass on,sit this,steer clear,off limits,unwilling,hold back,leave that,leave this,leave it',
    act: 'recommend,advis,advice,suggest,compar,rank,rate.,judg,opinion,side.,sides.,position,choos,choice,pick,name.,names.,naming,mention,point,single out,answer,respond,response,reply,help,assist,discuss,talk,comment,say.,tell.,provid,give.,giving,offer,share.,sharing,list.,endors,favor,favour,promot,weigh in,request,question,topic,subject.,decid,decision,verdict,winner,preference,conversation,content,guidance,information,support,evaluat,assess,vouch,speak,stance,steer,direct you,instruct,engage,query,queries,look up,search,brows,access,data.,opinions',
    bound:
      'not possible,isn t possible,not appropriate,inappropriate,not permitted,not allowed,outside the scope,outside my,beyond my,out of scope,beyond the scope,against my,against our,no comment,my guidelines,our guidelines,my polic,our polic,usage polic,content polic,safety polic,not able to,unable to',
    machine:
      'error,loading,load.,server,session,log in,login,sign in,sign up,retry,try again,reload,refresh,browser,connection,network,timeout,timed out,limit,quota,upgrade,verify,verif,captcha,human.,javascript,cookie,denied,unavailable,maintenance,process,request,respon,ray id,security,status,code.,page,site.,support,admin,constitut,substitut,replac,guarante,warrant,liab,responsib,accura,complet,general,information,purpose,professional,generated,mistake,errors,rights,reserved,terms,legal,financial,medical,advice,disclaim,inten,user,assistant,instruction,answer,never.,always.,reveal,tool,function,query,prompt,tone,polite,mention,competitor,confidential,system,message,subscri,account,token,wait.,moment,second,minute,later,fetch,results,search,queue,busy,capacity,traffic,temporar,unexpected,expired,invalid,unauthorized,forbidden,failed,fail.,available,model,output,input,instructions,word.,words.',
    order: 'you are.,you re a.,you will act,act as.,answer.,respond.,reply.,always.,never.,do not.,your role,your task,system',
  },
  de: {
    self: 'ich.,mir.,mich.,mein,wir.,uns.,unser,als ki.,ki modell,sprachmodell,assistent',
    denial:
      'nicht.,kein,nie.,niemals.,nichts.,lieber.,enthalt,verzicht,ablehn,lehne,absehen,abstand.,ausserhalb,ungern,unangemessen,unangebracht,neutral,unparteiisch,unmoglich,untersagt,verboten,ausserstande,verweiger,zuruckhalt,heraus.,raushalt,vermeid,weder.,passen.,leider.,schwer.',
    act: 'empfehl,empfiehl,rat.,rate.,raten.,ratschlag,berat,helf,hilf,weiterhelf,auskunft,ausser,antwort,beantwort,sagen.,sage.,nenn,vergleich,bewert,urteil,beurteil,stellung,partei.,partei ergreif,meinung,angaben,vorschlag,vorschlage,tipp,eingeh,diskutier,besprech,entscheid,wahl.,auswahl,wahlempfehl,prafer,favorit,bevorzug,festleg,aussage,kommentar,anfrage,thema.,themen.,frage.,fragen.,gesprach,inhalt,unterstutz,position,information,information.,informier,vornehm,zugriff,zugang,abrufen,prufen.,recherch,einschatz,ubernehm,mitteil,dazu.,dienen.,bereitstell',
    bound:
      'nicht moglich,nicht gestattet,nicht erlaubt,nicht zustandig,keine auskunft,kein kommentar,richtlinie,vorgaben,nutzungsbeding,steht mir nicht,nicht in der lage,nicht befugt,unangemessen,unangebracht',
    machine:
      'fehler,server,sitzung,anmeld,melde dich,melden sie sich,einlogg,login,erneut,nochmal,noch einmal,neu lad,lade die,laden sie,wird gelad,geladen,lade.,browser,verbindung,netzwerk,zeituberschreit,limit,kontingent,upgrade,bestatig,captcha,mensch.,javascript,cookie,verweigert,verfugbar,wartung,verarbeit,anfrage,sicherheit,status,code.,seite,support,ersetz,gewahr,haft,verantwort,richtigkeit,vollstandig,aktualitat,allgemein,information,zweck,rechtsberat,anlageberat,beratung,generiert,erstellt,kunstlich,rechte.,vorbehalt,inhalt,nutzer,assistent,anweisung,antworte,antwort,stets.,immer.,niemals.,preisgeb,gib.,preis.,tool.,funktion,prompt,ton.,hoflich,freundlich,erwahn,nenne.,mitbewerb,wettbewerb,vertraulich,system,nachricht,konto,abo,moment,augenblick,sekunde,minute,spater,ergebnis,suche.,suchergebn,warte,uberlast,auslast,vorubergehend,unerwartet,abgelaufen,ungultig,fehlgeschlag,modell,hochstens,worter,wortern,geduld,gedulden,bitte.',
    order: 'du bist.,sie sind.,antworte.,beantworte.,antworten sie,verhalte dich,deine aufgabe,deine rolle,ihre aufgabe,nenne nie,system',
  },
  fr: {
    self: 'je.,j.,me.,m.,ma.,mon.,mes.,moi.,nous.,notre.,nos.,une ia.,qu ia.,assistant,modele de langage',
    denial:
      'ne.,n.,pas.,non.,jamais.,aucun,ni.,plutot.,abstien,absten,refus,declin,evit,hors.,dehors.,au dela,inapproprie,deplace,neutr,impartial,impossible,interdi,incapable,prefer,desol,regret,malheureusement,reserve,renonc,contraire,peine.',
    act: 'recommand,conseil,suggest,sugger,propos,compar,class,jug,opinion,avis.,parti.,position,choisi,choix,nomm,citer.,cite.,cit.,mentionn,indiqu,designer,repon,aide.,aider.,assist,discut,parler.,parle.,comment,dire.,dis.,fourni,donn,partag,soutenir,favoris,promouv,demande,question,sujet,theme,trancher,tranche.,verdict,preferen,conversation,contenu,orient,renseign,information,evalu,apprecie,prononc,prononce,garant,exprim,abord,traiter.,departag,satisfaire,acceder,acces.,naviguer,consulter,donnees,avantage',
    bound:
      'pas possible,impossible de,pas approprie,inapproprie,pas autoris,pas en mesure,hors de mon,hors du cadre,mes regles,mes consignes,ma politique,mes directives,lignes directrices,politique d,politiques d,pas habilite,pas mon role,pas a moi,ne m appartient,pas competent',
    machine:
      'erreur,serveur,session,connect,reconnect,identifi,reessay,essay,recharg,actualis,chargement,charge.,navigateur,connexion,reseau,delai,limite,quota,abonnement,verifi,captcha,humain.,javascript,cookie,refuse.,indisponible,disponible,maintenance,trait,requete,demande.,securite,statut,code.,page,site.,assistance,constitu,substitu,remplac,garanti,responsab,exactitude,exhausti,complet,general,information,fins.,titre.,indicatif,professionnel,genere,generation,intelligence artificielle,erreurs,droits.,reserves.,juridique,conseil,avertissement,destine,utilisateur,assistant,instruction,consigne,repond,reponds,reponse,jamais.,toujours.,revel,divulgu,outil.,fonction,prompt,ton.,poli.,mentionne,concurren,confidentiel,systeme,message,compte.,patient,moment.,instant,seconde,minute,plus tard,resultat,recherche,surcharg,temporaire,inattendu,expire,invalide,echou,echec,modele,contenu,mots.,veuillez',
    order: 'vous etes.,tu es.,reponds.,repondez.,ne mentionne,ne revele,toujours.,agis comme,ton role,votre role,ta tache,systeme',
  },
  es: {
    self: 'yo.,me.,mi.,mis.,mio.,nos.,nuestr,puedo.,podria.,debo.,deberia.,prefiero.,evito.,estoy.,soy.,tengo.,lamento.,siento.,voy.,quiero.,doy.,hago.,tomo.,opino.,ofrezco.,recomiendo.,comparo.,abstengo.,declino.,quedo.,mantengo.,cuento.,dispongo.,podemos.,ia.,asistente,modelo de lenguaje,sere.,considero.,elijo.,emito.,respondo.,mi parte',
    denial:
      'no.,ni.,nunca.,ningun,sin.,evit,absten,absteng,rehus,rechaz,declin,fuera.,mas alla,inapropiad,inadecuad,neutral,imparcial,imposib,prohib,incapaz,prefer,prefier,lament,lo siento,desafortunad,al margen,reserv,contrari,tampoco.,negar,niego',
    act: 'recomend,recomiend,aconsej,consej,suger,sugier,propon,compar,clasific,juzg,juicio,opin,partido.,bando,posicion,posicionar,eleg,elij,elecc,escog,decant,inclin,nombr,mencion,señal,senal,indic,respond,respuesta,contest,ayud,asist,discut,habl,coment,decir.,digo.,proporcion,dar.,dart,darl,ofrec,comparti,apoy,favorec,promov,solicitud,peticion,pregunta,tema.,temas.,asunto,decid,decision,preferenc,conversacion,contenido,orient,inform,evalu,valor,pronunc,avalar,garantiz,expres,abord,trat,acced,acceso,naveg,consult,datos,busc,marca,atender,facilit',
    bound:
      'no es posible,imposible,no es apropiad,inapropiad,inadecuad,no esta permitid,no me esta,no me correspond,no me permit,fuera de mi,fuera del alcance,mis directrices,mis politicas,mis normas,politicas de,politica de,no soy quien,no estoy en condiciones,no soy capaz,no estoy autorizad,no me compete',
    machine:
      'error,servidor,sesion,inicia,iniciar,acced,reintent,intentar,intent,intenta,recarg,actualiz,cargando,carga.,navegador,conexion,red.,tiempo de espera,limite,cuota,suscrip,verific,captcha,humano.,javascript,cookie,denegad,disponible,no disponible,mantenimiento,proces,solicitud,peticion,seguridad,estado.,codigo,pagina,sitio.,soporte,constitu,sustitu,reemplaz,garanti,responsab,exactitud,complet,general,informa,fines.,caracter,orientativ,profesional,generad,inteligencia artificial,errores,derechos.,reservad,legal,asesor,consejo,aviso,destinad,usuario,asistente,instruccion,respond,respuesta,nunca.,siempre.,revel,divulg,herramienta,funcion,prompt,tono.,amable,mencion,competencia,confidencial,sistema,mensaje,cuenta.,espera,espere,momento,instante,segundo,minuto,mas tarde,resultado,buscando,busqueda,saturad,temporal,inesperad,caducad,expirad,invalid,fallo,fallido,modelo,contenido,palabras.',
    order: 'eres.,usted es.,responde.,responda.,nunca.,siempre.,no menciones,no reveles,actua como,tu tarea,tu funcion,sistema',
  },
  pt: {
    self: 'eu.,me.,meu,minha,mim.,nos.,nosso,nossa,posso.,poderia.,consigo.,devo.,deveria.,prefiro.,evito.,estou.,sou.,tenho.,lamento.,sinto.,vou.,quero.,dou.,faco.,tomo.,opino.,ofereco.,recomendo.,comparo.,abstenho.,declino.,fico.,mantenho.,disponho.,conto.,podemos.,ia.,assistente,modelo de linguagem,considero.,escolho.,emito.,respondo.,minha parte',
    denial:
      'nao.,nem.,nunca.,jamais.,nenhum,sem.,evit,absten,abstenho,recus,declin,fora.,alem.,inapropriad,inadequad,neutr,imparcial,impossivel,impossibilit,proib,incapaz,prefer,prefir,lament,sinto muito,infeliz,a margem,contrari,tampouco.,isen,desculp',
    act: 'recomend,aconselh,conselho,suger,sugir,propor,compar,classific,julg,juizo,opin,partido.,lado.,posicao,posicion,escolh,eleg,nomear.,cit,mencion,apont,indic,respond,resposta,ajud,auxili,discut,fal,coment,dizer.,digo.,fornec,dar.,oferec,compartilh,partilh,apoi,favorec,promov,solicitac,pedido,pergunta,tema.,assunto,decid,decis,preferenc,conversa,conteudo,orient,inform,avali,pronunc,endoss,garant,express,abord,tratar.,acess,aced,naveg,consult,dados,busc,pesquis,marca,atender,prestar',
    bound:
      'nao e possivel,impossivel,nao e apropriad,inapropriad,inadequad,nao e permitid,nao me cabe,nao cabe a mim,nao me compete,nao me permit,fora do meu,fora do ambito,fora do escopo,minhas diretrizes,minhas politicas,minhas regras,politica de,politicas de,nao sou capaz,nao estou autorizad,nao estou em condic',
    machine:
      'erro,servidor,sessao,login,entrar.,entre.,inicie,tent,novamente,recarreg,atualiz,carregando,carregar,carrega,navegador,conexao,ligacao,rede.,tempo,limite,cota,quota,assinatura,verific,captcha,humano.,javascript,cookie,negad,disponivel,indisponivel,manutencao,process,solicitac,pedido,seguranca,estado.,codigo,pagina,site.,suporte,constitu,substitu,garanti,responsab,exatidao,complet,geral,informa,fins.,carater,indicativ,dispensa,profissional,gerad,inteligencia artificial,erros,direitos.,reservad,legal,juridic,consult,aconselhamento,aviso,destina,usuario,utilizador,assistente,instruc,respond,resposta,nunca.,sempre.,revel,divulg,ferramenta,funcao,prompt,tom.,educad,mencion,concorren,confidencial,sistema,mensage,conta.,aguard,espere,momento,instante,segundo,minuto,mais tarde,resultado,buscando,busca.,pesquis,sobrecarreg,temporar,inesperad,expir,invalid,falha,falhou,modelo,conteudo,palavras.',
    order: 'voce e.,es um.,es uma.,responda.,responde.,nunca.,sempre.,nao mencione,nao revele,atue como,sua tarefa,seu papel,a tua tarefa,sistema',
  },
  it: {
    self: 'io.,mi.,mio.,mia.,miei.,mie.,me.,noi.,nostr,posso.,potrei.,devo.,dovrei.,preferisco.,evito.,sono.,ho.,riesco.,intendo.,voglio.,do.,faccio.,prendo.,esprimo.,offro.,consiglio.,confronto.,astengo.,declino.,resto.,rimango.,dispongo.,possiamo.,ia.,assistente,modello linguistico,ritengo.,scelgo.,rispondo.,rifiuto.,parte mia,fornisco.,sarei.',
    denial:
      'non.,ne.,mai.,nessun,senza.,evit,asten,rifiut,declin,fuori.,oltre.,inopportun,inappropriat,inadeguat,neutral,imparzial,impossibil,vieta,viet,proib,incapac,prefer,spiace,dispiac,purtroppo,contrar,neppure.,nemmeno.,esul,riserv,esim',
    act: 'raccomand,consigl,suger,sugger,propor,confront,paragon,classific,giudic,giudizi,opinion,parte.,parti.,posizion,scegl,scelt,nomin,cita,menzion,indic,segnal,rispo,aiut,assist,discut,parl,comment,dire.,dico.,dirti,dirle,forni,dare.,darti,darle,offri,condivid,sosten,favor,promuov,richiest,domanda,tema.,argoment,decid,decis,preferen,conversazion,contenut,orient,inform,valut,pronunc,garant,esprim,affront,tratt,acced,accesso,navig,consult,dati.,cerc,marc,schier,soddisf',
    bound:
      'non e possibile,impossibile,non e appropriat,inappropriat,inopportun,non e consentit,non mi e consentit,non spetta a me,non sta a me,non mi compete,non mi permett,fuori dal mio,fuori dalle mie,mie linee,linee guida,mie regole,politica d,politiche,non sono in grado,non sono autorizzat,esula',
    machine:
      'errore,server,sessione,acced,login,riprov,riprova,ricaric,aggiorn,caricamento,carica.,browser,connessione,rete.,tempo,limite,quota,abbonament,verific,captcha,umano.,javascript,cookie,negat,disponibil,manutenzion,elabor,richiest,sicurezza,stato.,codice,pagina,sito.,supporto,assistenza,costitu,sostitu,garan,responsab,esattezza,completezza,general,informa,finalita,fini.,scopo,divulgativ,indicativ,professionist,parere,generat,intelligenza artificiale,errori,diritti.,riservat,legal,consulen,avviso,destinat,utente,assistente,istruzion,rispondi,rispost,mai.,sempre.,rivel,divulg,strument,funzion,prompt,tono.,cortes,menzion,concorren,riservat,sistema,messagg,account,attend,aspett,momento,istante,second,minut,piu tardi,risultat,cercando,ricerca.,sovraccaric,temporane,imprevist,inatteso,scadut,non valid,fallit,modello,contenut,parole.,intes',
    order: 'sei un.,sei una.,sei il.,rispondi.,non menzionare,non rivelare,mai.,sempre.,agisci come,il tuo compito,il tuo ruolo,sistema',
  },
  nl: {
    self: 'ik.,mij.,me.,mijn.,wij.,we.,ons.,onze.,als ai.,taalmodel,assistent',
    denial:
      'niet.,geen.,nooit.,niets.,liever.,onthoud,afzien,weiger,afwijz,afslaan,buiten.,ongepast,ongeschikt,neutra,onpartijdig,onmogelijk,verboden,verbied,vermijd,terughoud,helaas.,spijt.,noch.,evenmin.,bedank,pas.,mijd',
    act: 'aanbevel,aanrad,raad.,raden.,advies,advis,adviez,suggest,vergelijk,beoordel,oordeel,mening,partij kiez,partij.,kant.,positie,standpunt,kies,kiez,keuze,noem,vermeld,aanwijz,antwoord,beantwoord,help,assist,bespreek,besprek,praten.,uitlat,uitspr,commentaar,zeggen.,zeg.,geef.,geven.,verstrek,bied,deel.,delen.,steun,voorkeur,verzoek,vraag.,vragen.,onderwerp,thema,besliss,gesprek,conversat,inhoud,informat,evalue,garand,ingaan.,ga.,in op,stemadvies,toegang,opzoek,zoeken.,brows,inlicht,voorstel,tip,oriente,mengen.,meng.,medewerk',
    bound:
      'niet mogelijk,onmogelijk,niet gepast,ongepast,niet toegestaan,mijn richtlijn,richtlijnen,beleid.,niet in staat,niet aan mij,buiten mijn,niet bevoegd,geen commentaar,voorschriften',
    machine:
      'fout,server,sessie,inlog,log in,meld je,aanmeld,opnieuw,nogmaals,herlaad,vernieuw,laden.,geladen,browser,verbinding,netwerk,time out,verlopen,limiet,quota,abonnement,upgrade,verifi,controleer,captcha,mens.,javascript,cookie,geweigerd,beschikbaar,onderhoud,verwerk,verzoek,aanvraag,beveilig,veiligheid,status,code.,pagina,site.,support,klantenservice,vervang,garan,aansprakelijk,verantwoordelijk,juistheid,volledig,actualiteit,algemeen,algemene,informat,doeleinden,professione,gegenereerd,kunstmatige intelligentie,fouten,rechten.,voorbehoud,juridisch,advies,bedoeld,disclaimer,gebruiker,assistent,instructie,antwoord,beantwoord,nooit.,altijd.,onthul,deel.,tool.,functie,prompt,toon.,beleefd,vermeld,concurrent,vertrouwelijk,systeem,bericht,account,wacht,moment,ogenblik,second,minu,later.,resultaten,zoek,overbelast,druk.,tijdelijk,onverwacht,ongeldig,mislukt,model,inhoud,woorden.,vragen.',
    order: 'je bent.,jij bent.,u bent.,antwoord.,beantwoord.,nooit.,altijd.,noem geen,noem nooit,deel nooit,gedraag je,jouw taak,je taak,systeem',
  },
  ja: {
    self: '私,わたし,当方,当サービス,AI,アシスタント,弊社',
    denial:
      'ません,できない,できず,いたしかね,致しかね,かねます,控え,遠慮,辞退,断り,避け,中立,公平,対象外,範囲外,禁止,差し控,見送,ないよう,不適切,難しい,立ち入,踏み込',
    act: 'お答え,回答,お勧め,おすすめ,お薦め,推奨,推薦,紹介,案内,助言,アドバイス,比較,評価,判断,意見,立場,名前,商品名,店名,名指し,言及,コメント,お手伝い,お力,サポート,対応,お応え,話題,ご質問,ご要望,ご依頼,リクエスト,内容,情報,提供,選ぶこと,決める,優劣,支持,論じ,お伝え,申し上げ,お話し,特定の,調べ,検索,お示し,挙げる,選定',
    bound:
      'いたしかねます,致しかねます,できかねます,しかねます,控えさせ,控えており,控えます,差し控え,ご遠慮,辞退,お断り,お答えできま,回答できま,お手伝いできま,対応できま,お力になれま,お役に立てま,ポリシー,ガイドライン,利用規約,立場にあり,立場ではあり,立場にな',
    machine:
      'エラー,サーバ,セッション,ログイン,サインイン,再試行,再度,もう一度,再読み込み,読み込,ロード,ブラウザ,接続,通信,ネットワーク,タイムアウト,制限,上限,プラン,アップグレード,認証,確認,人間,JavaScript,Cookie,クッキー,拒否,利用でき,利用いただけ,メンテナンス,処理,リクエスト,セキュリティ,ステータス,コード,ページ,サポート,構成するもの,代わるもの,保証,責任,正確,完全,一般的,情報,目的,専門家,生成,人工知能,誤り,間違,著作権,無断,法的,助言,免責,参考,ユーザー,アシスタント,指示,回答,必ず,常に,決して,開示,ツール,関数,プロンプト,口調,丁寧,言及,競合,他社,機密,システム,メッセージ,アカウント,お待ち,少々,しばらく,秒,分後,時間をおい,結果,検索,混雑,集中,一時的,予期,期限,無効,失敗,モデル,コンテンツ,文字以内,トークン',
    order: 'あなたは,以下の指示,次の指示,以下のルール,次のルール,常に,必ず,決して,ユーザーの,システム,# 指示,役割',
  },
};

/**
 * Markets that assistants refuse or preach about: weapons, gambling, drugs and medicine, sex, votes, speculation. Where one
 * is asked about, warnings alone are a refusal.
 */
export const touchyStems: Readonly<Record<PromptLanguage, string>> = {
  en: 'gun,guns,handgun,firearm,rifle,shotgun,pistol,ammun,weapon,knife,knives,sword,crossbow,taser,pepper spray,explosive,firework,casino,gambl,bet.,bets.,betting,bookmaker,sportsbook,poker,lotter,slot,drug,cannabis,weed.,marijuana,cbd,kratom,mushroom,steroid,pill,medic,antidepress,opioid,painkiller,sleep aid,supplement,diet,weight loss,slimming,fat burner,vape,vaping,cigar,tobacco,nicotine,alcohol,liquor,sex,vibrator,escort,porn,dating,abort,euthan,suicid,elect,vote,voting,candidate,president,senat,party.,parties.,politic,crypto,bitcoin,forex,day trading,penny stock,payday,tattoo,surger,spy,surveil,hack,lockpick,phone track,detox,fasting,tanning,botox,therap',
  de: 'waffe,pistole,revolver,gewehr,flinte,messer,dolch,schwert,armbrust,pfefferspray,elektroschock,munition,feuerwerk,boller,casino,kasino,glucksspiel,wett,poker,lotto,spielautomat,spielothek,droge,cannabis,hanf,cbd,kratom,steroid,pille,medikament,arznei,antidepress,schmerzmittel,schlafmittel,schlaftablet,abnehm,diat,fatburner,appetitzugl,nahrungserganz,vape,e zigarett,zigarett,tabak,nikotin,snus,alkohol,schnaps,sex,vibrator,erotik,escort,porno,dating,abtreib,schwangerschaftsabbr,sterbehilf,wahl,partei,kandidat,kanzler,politik,krypto,bitcoin,forex,daytrading,kredit,tattoo,schonheits,spionage,uberwach,hack,dietrich,entgift,fasten,solarium,botox,therap,heilpraktik',
  fr: 'arme,pistolet,revolver,fusil,carabine,couteau,epee,arbalete,taser,lacrymo,munition,petard,artifice,casino,pari.,paris sport,jeux d argent,jeu d argent,poker,loterie,machine a sous,drogue,cannabis,cbd,steroid,pilule,medicament,antidepress,antidouleur,somnifere,coupe faim,minceur,regime,bruleur,complement,vape,vapot,cigarett,tabac,nicotine,alcool,spiritueux,sex,vibromasseur,escort,porno,rencontre,avort,ivg,euthan,election,vote,voter,candidat,presiden,parti.,partis.,politi,crypto,bitcoin,forex,trading,tatou,chirurg,esthetique,espion,surveill,pirat,detox,jeune,uv.,botox,therap,voyan',
  es: 'arma,pistola,revolver,rifle,escopeta,carabina,cuchillo,navaja,espada,ballesta,taser,spray de pimienta,municion,petardo,pirotec,casino,apuesta,juego online,poker,loteria,tragaperra,droga,cannabis,marihuana,cbd,esteroid,pastilla,medicament,antidepres,analgesic,somnifer,adelgaz,dieta,quemagras,suplement,vape,vapeo,vapead,cigarr,tabaco,nicotina,alcohol,licor,sex,vibrador,erotic,escort,porno,citas,abort,eutan,eleccion,voto,votar,candidat,president,partido,politic,cripto,bitcoin,forex,trading,tatu,cirug,estetica,espia,vigilan,hack,detox,ayuno,bronce,botox,terap,videncia',
  pt: 'arma,pistola,revolver,espingarda,rifle,carabina,faca,canivete,espada,besta.,taser,spray de pimenta,gas pimenta,municao,foguete,fogos,cassino,casino,aposta,bet.,bets.,jogo online,poquer,poker,loteria,lotaria,caca niquel,droga,cannabis,maconha,canabis,cbd,esteroid,anabol,comprimid,remedio,medicament,antidepres,analgesic,sonifer,emagrec,dieta,queimador,suplement,vape,cigarr,tabaco,nicotina,alcool,bebida alco,sex,vibrador,erotic,acompanhante,porno,namoro,encontros,abort,eutan,eleic,voto,votar,candidat,president,partido,politic,cripto,bitcoin,forex,day trade,trading,tatua,cirurg,estetica,espia,vigilan,hack,detox,jejum,bronze,botox,terap,vidente',
  it: 'arm,pistol,revolver,fucil,carabin,coltell,spada,balestra,taser,spray al peperoncino,munizion,petard,fuochi d artificio,casino,scommess,gioco d azzardo,poker,lotteri,slot,drog,cannabis,marijuana,cbd,steroid,pillol,farmac,medicin,antidepress,antidolor,sonnifer,dimagr,dieta,bruciagrass,integrator,vape,svapo,sigarett,tabacc,nicotin,alcol,superalcol,sex,vibrator,erotic,escort,porno,incontri,abort,eutan,elezion,voto,votare,candidat,president,partit,politic,cript,bitcoin,forex,trading,tatua,chirurg,estetic,spia,sorvegl,hacker,detox,digiuno,abbronz,botox,terap,cartoman',
  nl: 'wapen,pistool,revolver,geweer,buks,jachtgeweer,mes.,messen,zwaard,kruisboog,taser,pepperspray,munitie,vuurwerk,casino,gok,wedden,weddenschap,bookmaker,poker,loterij,gokkast,drugs,cannabis,wiet,cbd,steroid,anabol,pil.,pillen,medicij,geneesmiddel,antidepress,pijnstill,slaapmiddel,slaappil,afval,dieet,vetverbrand,supplement,vape,vapen,sigaret,tabak,nicotine,snus,alcohol,drank,seks,sex,vibrator,erotie,escort,porno,dating,abortus,euthan,verkiezing,stem,kandidaat,partij,politie,politiek,crypto,bitcoin,forex,daytrad,tatoeage,tattoo,cosmetisch,plastisch,spion,afluister,hack,detox,vasten,zonnebank,botox,therap,medium',
  ja: '銃,ライフル,拳銃,エアガン,モデルガン,武器,ナイフ,刃物,刀,ボウガン,クロスボウ,スタンガン,催涙,花火,カジノ,ギャンブル,賭,競馬,競輪,パチンコ,ポーカー,宝くじ,薬物,大麻,CBD,ステロイド,薬,睡眠薬,鎮痛,ダイエット,痩せ,サプリ,タバコ,煙草,電子たばこ,電子タバコ,ニコチン,酒,性,アダルト,風俗,出会い,マッチング,中絶,安楽死,選挙,投票,候補者,政党,政治,仮想通貨,暗号資産,ビットコイン,FX,消費者金融,タトゥー,美容整形,美容外科,盗聴,盗撮,ハッキング,ピッキング,断食,デトックス,占い',
};
