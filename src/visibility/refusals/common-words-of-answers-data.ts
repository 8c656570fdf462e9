import type { PromptLanguage } from '../prompts/prompt-set.ts';

const splitWords = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Small words that answers have and questions seldom do; written by hand, beside `functionWords`. */
export const furtherWords: Readonly<Record<Exclude<PromptLanguage, 'ja'>, readonly string[]>> = {
  en: splitWords(`
    it's you're don't isn't they're you'll i'd i'm also very just only even still though because while until after before
    into over under between through than then so too much many few both each other another such same own if it as up out
    down off again once every most least less around almost without within for well better worst cheaper cheap worth need
    start pay take make let go keep look one two three both else either neither get gets good you're want if're`),
  de: splitWords(`
    sehr noch schon nur auch dann denn weil dass damit wenn wer sich wird werden wurde würde sollte muss müssen etwas jede jeder
    jedes alle viele einige andere anderen mehr weniger etwa ab bis ins vom beim zwar jedoch dabei dafür dazu deshalb sowie
    günstig günstiger günstigste meisten lohnt bleibt sonst zuerst vor allem bevor lieber leise genug besser zwei drei euro`),
  fr: splitWords(`
    très aussi bien encore déjà toujours puis donc car parce comme sous vers entre ainsi alors cela ça ceux celle celui leurs
    tout tous toute toutes peu plusieurs autre autres même faites faire prend prenez restent reste coûte coûtent moins dès
    votre vos si lorsque lequel laquelle jusqu d l qu n c j s m deux trois prix sera été n'est c'est pratiques permet suffit`),
  es: splitWords(`
    muy también ya sólo solo aún todavía entonces pues porque aunque mientras desde hasta entre además tanto tan así otro otra
    otros otras todo todos toda todas poco muchos cada mismo suele vale merece cuesta cuestan son fue será hace hacen dos tres
    ni sino cuando siempre nunca barato barata mejor primero casi algo nada empezar mira busca gratis tienes quieres prefieres`),
  pt: splitWords(`
    muito também já só ainda então porque embora enquanto desde até além tanto tão assim outro outra outros outras tudo todos
    toda todas pouco muitos cada mesmo vale custa custam foi será faz fazem dois duas três nem sempre nunca barato barata
    melhor primeiro quase algo nada começar veja grátis pelos pelas numa num ao aos às dá quem isso você tem não é são`),
  it: splitWords(`
    molto anche già solo ancora allora quindi poi perché mentre fino oltre tanto così altro altra altri altre tutto tutti tutta
    tutte poco molti ogni stesso vale costa costano fu sarà fa fanno due tre né sempre mai economico migliore primo quasi
    qualcosa niente gratis sui sulle sulla nei nelle negli agli alle dai dalle chi sta prima dopo senza basta conviene ci ne è`),
  nl: splitWords(`
    heel zeer ook nog al alleen dan want omdat hoewel terwijl tot tussen verder zoveel zo andere ander alles alle allebei beide
    weinig veel elke elk zelf kost kosten was zal doet doen twee drie nooit altijd goedkoop goedkoper beter eerst bijna iets
    niets gratis wil wilt krijg krijgt geeft neem let je jouw het een meestal best zit vind ga gaat liever genoeg daar`),
};

/** Small words of languages that no measurement asks in: Swedish, Danish, Norwegian, Finnish, Polish, Czech, Turkish, Romanian, Hungarian, Catalan, Indonesian, Croatian, Vietnamese. */
export const otherLanguageWords: readonly string[] = splitWords(`
    och att det som är på för med inte den av har jag ett om kan från men eller också mycket vara till när bäst bra vill du
    og ikke af til jeg er på så meget også eller hvis hvor fra bedste bedst godt været blir eller veldig
    ja on ei se että joka mutta kun myös tai hän ovat voi jos niin paras hyvä kannattaa
    i w na z do nie się to jest że jak od po dla ale o przez lub są które może być bardzo także czy najlepszy najlepsze warto
    a v se na je že s z pro jako které ale by jsou nebo také velmi nejlepší
    ve bir bu için ile da de en çok olarak daha ne var gibi olan değil ama veya iyi
    și în cu nu este pe care mai pentru sunt din sau dar foarte cel bun bine
    és hogy nem egy az is meg vagy van de csak mint nagyon legjobb
    amb els les més però per això són també molt millor
    yang dan di untuk dengan dari ini itu adalah tidak ke pada juga lebih atau bisa terbaik
    je i u na se za od koji su ili ali najbolji dobro vrlo
    và của là có cho không được trong một với các này để tốt nhất`);
