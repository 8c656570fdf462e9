import type { PhraseTable } from './phrase-table.ts';

/** Portuguese of Brazil and Portugal, without accents. */
export const portuguesePhrases: PhraseTable = {
  refuses: `
    nao posso|nao consigo|nao poderia|nao podemos|nao me e possivel|nao e possivel|nao estou|nao devo|nao deveria|nao vou|nao quero|nao me e permitido|nao me cabe|nao cabe a mim|nao sou capaz|nao tenho permissao|nao poder|nao sou a pessoa|sou incapaz|impossibilitad*|nao me permite* & ajud*|recomend*|responder*|respond*|oferecer*|dar|fornecer*|sugerir*|compar*|indicar*|aconselh*|opin*|autorizad*|apto|capaz|habilitad*|fazer|falar|comentar*|prestar|dizer*|escolher|isso|isto|nomear|citar*|discutir*|promov*|atender|avaliar*|abordar|apontar*|posicion*|confortavel|ajuda|tratar
    prefiro|me abstenho|abstenho me|declino|recuso|tenho de recusar|opto por|evito|reservo me & nao|abster*|abstenho|recus*|responder|neutr*|opinar|apontar|declin*|citar|nomear
    minhas diretrizes|as minhas diretrizes|minha politica|minhas politicas|minha programacao|minhas regras|politica de uso|politicas de uso|politica de utilizacao|diretrizes|fui criad*|fui programad*|fui desenvolvid*|fui concebid*|fui projetad*|sou programad* & nao|imped*|proib*|permit*|contra*|viol*|evitar|manter
    esta solicitacao|essa solicitacao|sua solicitacao|este pedido|esse pedido|seu pedido|o teu pedido|esta pergunta|essa pergunta|este tema|esse tema|este assunto|esse assunto|esse tipo de pedido*|este tipo de pedido*|esse tipo de assunto*|esse tipo de conteudo*|este tipo de conteudo*|este conteudo|esse conteudo & nao|viol*|fora|bloque*|contra*|recus*|prefiro
    nao recomendo|nao dou|nao ofereco|nao tomo|nao faco|nao comparo|nao tenho|nao emito|nao indico|nao expresso|nao apoio|nao endosso & recomend*|partido|opini*|preferencia*|conselho*|posicao|posicionamento*|comparacoes|marcas|candidat*|favorit*|indicac*
    me|minha*|meu*|devo|sou|preciso|como ia|como assistente & neutralidade|imparcial*
    manter a neutralidade|manter me neutro|me manter neutro|manter neutr*|ser neutr*|ficar neutr*|permanecer neutr*|tomar partido|nao me pronuncio|nao e meu papel|nao e o meu papel
    desculp*|sinto muito|lamento|lamentavelmente|infelizmente|peco desculpa* & nao posso|nao consigo|nao poder|impossivel|nao me e possivel|nao estou|nao podemos|nao sou
    `,
  limits: `
    nao tenho|nao disponho|nao possuo|sem|por nao ter|nao conto & acesso|internet|tempo real|dados atual*|informacoes atual*|informacao atual*|informacoes suficientes|informacoes sobre|informacao sobre|informacoes confiaveis|conexao|ligacao
    nao posso|nao consigo|nao me e possivel|nao sou capaz|nao estou & navegar|buscar|pesquisar|acessar|aceder|consultar|verificar|internet|tempo real|na web|procurar|conectad*|ligad*
    meus dados|meu conhecimento|o meu conhecimento|minhas informacoes|meu treinamento|minha ultima atualizacao & nao|ate|limit*|desatualiz*|vai
    `,
  caution: `
    risco* perig* dano* nociv* vici* dependencia* ilegal* proib* lei* legal* regulament* seguranca efeitos-colaterais efeitos-secundarios efeito* receita* medic* farmaceutic* terap* advogad* profissiona* especialista* consultor* ajuda* apoio crise bem-estar saude responsab* individua* pessoal* pessoa* circunstanc* depend* vari* desatualiz* mud* verifi* oficia* jogo* apost* perda* cautela prudencia consult* menores delicad* neutr* unica confianca autoestima
    `,
  offers: `
    posso|poderia|com prazer|ficarei feliz|terei prazer|se quiser|se desejar|se preferir|fico a disposicao|estou a disposicao|em vez disso|estou disponivel & ajud*|outr*|explic*|gera*|inform*|fal*|convers*|em vez disso|pergunt*|orient*|disposicao
    posso ajudar em|posso ajudar com|em algo mais|algo mais|mais alguma coisa|outro assunto|outro tema|outra pergunta|me avise|avise me|e so dizer|e so perguntar
    consulte|procure|fale com|converse com|busque|contacte|entre em contato|contate|dirija se|sugiro|recomendo consultar|recomendo procurar|aconselho|recomendo que & medic*|profissiona*|farmaceutic*|advogad*|especialista*|consultor*|oficia*|buscador*|avaliacoes|google|diretorio*|ordem d*
    `,
  courtesy: `
    boa pergunta|otima pergunta|excelente pergunta|obrigad*|muito obrigad*|agradeco|entendo|compreendo|percebo|parabens|ola|oi|bom dia|boa tarde|boa noite|bem vind*|claro|claro que sim|com certeza|certamente|com prazer|com todo o gosto|sem duvida|perfeito|desculp*|peco desculpa*|sinto muito|lamento|lamentavelmente|infelizmente|sem problema|espero que|ops|opa
    sou seu|sou sua|sou o|sou a|sou um|sou uma|eu sou|em que posso|como posso|no que posso|o que posso|estou aqui para|assistente virtual|chamo me|meu nome e|o meu nome e|ao seu dispor|pergunte me|faca sua pergunta
    como ia|como modelo|como uma ia|como inteligencia|como um modelo|como assistente|nao sou medico|nao sou advogad*|nao sou consultor|ate onde sei|que eu saiba
    `,
  announces: `
    aqui esta|aqui estao|aqui vai|aqui vao|aqui tem|seguem|segue|a seguir|abaixo|confira|veja|vamos|apresento|estas sao|estes sao|eis|conheca|deixe me & opcoes|opcao|lista|melhor*|resumo|algumas|alguns|recomend*|sugest*|alternativas|selecao|ver|conferir|explorar|guia|dicas
    um momento|um instante|so um momento|aguarde|espere|deixe me|estou buscando|estou a procurar|estou pesquisando|buscando|pesquisando|a pesquisar|vou procurar|vou pesquisar|consultando|carregando|a carregar|processando|gerando|pensando
    `,
  fills: `
    muitas pessoas|muita gente|muitos se perguntam|se perguntam|grande variedade|ampla variedade|vasta gama|uma infinidad*|inumer*|diversas opcoes|tantas opcoes|cada vez mais|nao e facil|nem sempre e facil|nao e tarefa facil|pode ser dificil|escolha certa|decisao certa|decisao importante|escolha importante|melhor escolha|neste artigo|neste guia|neste post|tudo o que voce precisa|tudo o que precisa|vamos explorar|vai descobrir|depende de varios|depende de muitos|depende das suas|suas necessidades|das necessidades|seu perfil|cada pessoa|cada caso|cada um|questao de gosto|vantagens e|pontos fortes|lugar certo|hoje em dia|mais do que nunca|atualmente|muito conhecid*|clientes satisfeitos|continue lendo|emocionante|voce quer saber
    `,
  fails: `
    pagina nao encontrada|voltar para o inicio|limite de mensagens|sua sessao expirou|faca login novamente|atualize seu plano
    algo deu errado|algo correu mal|ocorreu um erro|ocorreu um problema|houve um erro|um erro|erro interno|erro ao|erro do servidor|erro inesperado|nao esta disponivel|indisponivel|pagina nao encontrada|nao existe|nao encontrad*|nao foi encontrad*|pagina que voce|muitas solicitacoes|muitos pedidos|muitas requisicoes|limite*|cota|tente novamente|tente de novo|tente outra vez|volte a tentar|mais tarde|recarregue|atualize a pagina|sessao expirou|sua sessao|sessao expirada|faca login|inicie sessao|entre na sua conta|javascript|acesso negado|nao autorizado|tempo esgotado|tempo limite|sem resposta|nao foi possivel|sobrecarregad*|manutencao|suporte|pagina inicial|voltar ao inicio|sem resultados|nenhum resultado|voce e humano|nao e um robo|erro de rede|assine
    gerada por|gerado por|inteligencia artificial|pode conter|podem conter|pode cometer|conter erros|verifique|carater informativo|fins informativos|meramente informativ*|nao constitu*|nao substitu*|nao nos responsabiliz*|nao se responsabiliz*|sem garantia*|todos os direitos|isencao de
    voce e um|voce e uma|voce e o|voce e a|es um assistente|instrucoes|responda em|responda com|responda sempre|nao cite|nao mencione|nao revele|prompt|encerre
    inserir|insira|a preencher|preencher|placeholder|lorem ipsum|titulo da|titulo aqui|texto aqui|texto de exemplo|em breve|link para|a completar
    `,
  asks: `
    voce pode|pode me|poderia|voce poderia|pode dizer|podes|me diga|diga me|me conte|conte me|me fale|indique|preciso saber|precisaria|preciso de mais|gostaria de saber|mais informacoes|mais detalhes|mais dados|um pouco mais|algumas informacoes|algumas perguntas|alguns detalhes|qual e o seu|qual e a sua|qual o seu|qual seu|qual a sua|qual sua|que tipo|quanto|quanta|quantos|quantas|onde mora|em que cidade|em qual cidade|em que bairro|voce tem|tem alguma|procura|prefere|trata se|e para|voce quer|busca
    `,
};
