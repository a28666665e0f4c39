import type { home as english } from "../en/home.ts";
import type { TextsOf } from "../texts.ts";

/** Home. */
export const home: TextsOf<typeof english> = {
  newLink: "Novo link",
  newInvoice: "Nova fatura",
  greetMorning: "Bom dia, {name}",
  greetDay: "Boa tarde, {name}",
  greetEvening: "Boa noite, {name}",
  greetNobody: "Início",

  receivedIn: "Recebido em {month}",
  receivedToday: "Hoje",
  chartSays: "Recebido por dia, de {from} a {to}. Maior valor em {day}: {amount} USDC.",
  chartEmpty: "Nada recebido de {from} a {to}.",
  chartAsTable: "Os números em tabela",
  chartDay: "Dia",
  dayAndAmount: "{day}: {amount}\u00a0USDC",

  openTitle: "Em aberto",
  openNone: "Nada em aberto",
  openCounted: "Faturas: {count}",
  openSays: "Faturas: {count}. A próxima vence em {day}",
  overdueTitle: "Em atraso",
  overdueNone: "Nada em atraso",
  overdueSays: "Faturas: {count}. A mais antiga venceu em {day}",

  needsAttention: "Precisa da sua atenção",

  newestPayments: "Últimos pagamentos",
  paymentFrom: "De",
  paymentState: "Estado",
  paymentWhen: "Quando",
  allInvoices: "Todas as faturas",
  paymentLink: "Link de pagamento",
  counterPayment: "Caixa",
  stateConfirming: "Em confirmação, {count} de {needed}",
  stateFinalising: "Aguardando confirmação definitiva",
  stateConfirmed: "Confirmado",

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
  paymentsTitle: "Pagamentos",
  paymentsNone: "Cada pagamento aparece aqui em poucos segundos, sem atualizar a página.",

  didSignIn: "Você entrou.",
};
