/** Words too common to be a topic, of twelve languages together: a bigram with one of them is no keyword. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being but by can could did do does doing down each few for ' +
    'from further get had has have having he her here hers him his how i if in into is it its just like more most my no nor not now of ' +
    'off on once one only or other our out over own same she should so some such than that the their them then there these they this ' +
    'those through to too under until up us use very was we were what when where which while who why will with would you your ' +
    'al algo como con cual cuando de del desde donde el ella ellas ellos en entre era es esa ese eso esta este esto fue ha hay la las le ' +
    'les lo los me mi muy más ni nos o para pero por porque que quien se sea ser si sin sobre son su sus también te tu un una uno unos y ya ' +
    'au aux avec ce ces cette dans des du elle en est et eux il ils je la le les leur lui ma mais mes moi mon même ne nos notre nous on ' +
    'ou où par pas plus pour qu que qui sa sans ses son sont sur ta te tes toi ton tu un une vos votre vous être ' +
    'aber als am an auch auf aus bei bin bis bist da damit das dass dem den der des die dies diese dieser dir doch du durch ein eine einem ' +
    'einen einer er es für haben hat hatte ich ihm ihn ihr ihre im in ist ja jede kann kein können man mehr mein mich mir mit nach nicht ' +
    'noch nur oder ob ohne sehr sein sich sie sind so über um und uns unter vom von vor war was weil wenn werden wie wir wird zu zum zur ' +
    'ad agli ai alla alle allo anche che chi ci come con cui da dai dal dalla degli dei del della delle di dove e ed era essere gli ha hanno ' +
    'i il in io la le lei li lo loro lui ma mi nei nel nella noi non o per perché più quando quello questa questo se si sono su sua suo sul tra un una uno voi è ' +
    'à ao aos as até com como da das de dela dele dos e ela ele em entre era essa esse esta este eu foi há isso já mais mas me mesmo meu minha na nas no nos não o os ou para pela pelo por qual quando que quem se sem ser seu sua são só também tem um uma você ' +
    'aan als bij dan dat de der deze die dit doch door een en er ge geen haar had heb heeft hem het hier hij hoe hun iets ik in is ja je kan ' +
    'maar me meer men met mij mijn na naar niet nog nu of om omdat onder ons ook op over te tegen toch toen tot u uit uw van veel voor want was wat we wel werd wie wij worden wordt zal ze zich zij zijn zo zou ' +
    'а без бы был была были быть в во вот все всё вы да для до его ее если есть же за и из или им их к как ко когда кто ли мы на над не него нее нет ни но ну о об он она они от по под при с со так также там то только тут ты у уже что чтобы эта эти это этот я ' +
    'ale być co czy dla do go i ich jak jako jest już lub ma mnie może na nad nie niż o od oraz po pod przez są się ten to tym w we z za że ' +
    'att av de den det du en ett för från har i inte med men när och om på som så till var vi är ' +
    '的 了 和 是 在 我 有 他 这 中 也 就 不 人 都 一 个 上 与 为 以 及 对 等 我们 你 您 可以 ' +
    'の に は を た が で て と し れ さ ある いる も する から な こと として い や など です ます この その それ ' +
    '이 그 저 것 수 등 및 를 을 은 는 가 에 의 로 으로 와 과 도 에서 하는 있는 합니다 있습니다 ' +
    'في من على إلى عن أن هذا هذه التي الذي مع هو هي كان ما لا أو كل و'
  ).split(' '),
);
