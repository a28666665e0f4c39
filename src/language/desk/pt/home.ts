import type { HomeTexts } from "../en/home.ts";

export const home: HomeTexts = {
  newLink: "Novo link",
  greetMorning: "Bom dia, {name}",
  greetDay: "Boa tarde, {name}",
  greetEvening: "Boa noite, {name}",

  receivedIn: "Recebido em {month}",
  chartSays: "Recebido por dia, de {from} a {to}. Maior valor em {day}: {amount} USDC.",
  chartEmpty: "Nada recebido de {from} a {to}.",
  chartAsTable: "Os números em tabela",
  chartDay: "Dia",
  dayAndAmount: "{day}: {amount}\u00a0USDC",

  openNone: "Nada em aberto",
  openCounted: "Faturas: {count}",
  openSays: "Faturas: {count}. A próxima vence em {day}",
  overdueTitle: "Em atraso",
  overdueNone: "Nada em atraso",
  overdueSays: "Faturas: {count}. A mais antiga venceu em {day}",

  needsAttention: "Precisa da sua atenção",

  newestPayments: "Últimos pagamentos",
  paymentFrom: "De",
  allInvoices: "Todas as faturas",
  paymentLink: "Link de pagamento",
  stateConfirming: "Em confirmação, {count} de {needed}",
  stateFinalising: "Aguardando confirmação definitiva",

  welcome: "Boas-vindas, {name}",
  welcomeNobody: "Boas-vindas",
  firstSteps: "Poucos passos até o seu primeiro pagamento.",
  stepDone: "Feito",
  stepProfile: "Apresente-se",
  stepProfileText: "Nome, endereço e e-mail aparecem, a partir de agora, em cada fatura.",
  stepProfileDo: "Preencher seus dados",
  stepInvoice: "Crie sua primeira fatura",
  stepInvoiceText: "Envie-a para você, pague 1,00 USDC e veja o dinheiro chegar.",
  stepWords: "Anote as palavras de recuperação",
  stepWordsText: "Elas devolvem sua carteira se esta máquina quebrar.",
  stepWordsDo: "Ver como",
  paymentsNone: "Cada pagamento aparece aqui em poucos segundos, sem atualizar a página.",

  storageBad: "Nada pode ser salvo",
  storageBadText:
    "Há um problema com o banco de dados ou com o disco. Os pagamentos estão seguros na rede e aparecerão quando tudo voltar ao normal.",
  checkRuns: "O banco de dados está em verificação",
  checkRunsText:
    "Como depois de cada início. Você pode ver tudo; as alterações precisam esperar até a verificação terminar.",
  chainLateText:
    "A rede não pode ser lida no momento. Nada se perde: os pagamentos serão encontrados assim que um nó responder.",
  gasEmpty: "A conta de taxas está vazia",
  gasEmptyText: "Sem um pouco de ETH na rede {network}, nada pode ser transferido nem sacado.",
  gasLow: "A conta de taxas está quase vazia",
  gasLowText:
    "Transferências que ela ainda paga, aproximadamente: {count}. Envie um pouco de ETH na rede {network}.",
  moneyStuck: "Há dinheiro que não pode ser transferido",
  moneyStuckText: "Depósitos: {count}. O dinheiro está lá e o Till continua tentando. Veja o motivo.",
  wordsMissing: "As palavras de recuperação não foram anotadas",
  wordsMissingText: "Sem elas, se a máquina quebrar, a carteira se perde.",
  paymentOdd: "Um pagamento precisa ser verificado",
  paymentOddText:
    "Os nós não concordam ou o dinheiro não está onde deveria. Verifique antes de enviar o pedido.",
  mailMissing: "Nenhum servidor de e-mail configurado",
  mailMissingText:
    "Faturas e lembretes esperam dois dias e depois são descartados. Os links funcionam sem ele.",
  mailFails: "Os e-mails não estão saindo",
  mailsWait: "E-mails em espera: {count}. O Till tenta por dois dias. O servidor de e-mail: {reason}",
  mailsGivenUp: "E-mails descartados: {count}. O servidor de e-mail: {reason}",
  mailsUnknown: "E-mails que talvez não tenham chegado: {count}. O servidor de e-mail: {reason}",
  webhookFails: "Há webhooks que não são aceitos",
  webhookFailsText:
    "Na última semana: {count}. O Till tenta de novo; o que foi descartado pode ser reenviado.",
  invoicesOverdue: "Faturas em atraso: {count}",
  invoicesOverdueText: "{amount} USDC, a mais antiga desde {day}.",

  showHealth: "Ver o estado",
  showGasAddress: "Ver o endereço",
  showStuck: "Ver o motivo",
  showWords: "Como fazer",
  setUpMail: "Configurar",
  showMails: "Ver os e-mails",
  showWebhooks: "Ver os webhooks",
};
