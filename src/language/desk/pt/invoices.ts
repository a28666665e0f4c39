import type { invoices as english } from "../en/invoices.ts";
import type { TextsOf } from "../texts.ts";

/** Invoices: the list and one of them. */
export const invoices: TextsOf<typeof english> = {
  invoicesCaption: "Faturas, das mais recentes às mais antigas",
  searchInvoices: "Buscar faturas",
  searchPlaceholder: "Cliente, número, valor, endereço…",
  kindAll: "Todas",
  kindOpen: "Em aberto",
  kindOverdue: "Em atraso",
  kindPaid: "Pagas",
  kindVoid: "Canceladas",
  kindDrafts: "Rascunhos",
  anyDate: "Qualquer data",
  sinceDay: "Desde {from}",
  untilDay: "Até {to}",
  betweenDays: "De {from} a {to}",
  thisMonth: "Este mês",
  lastMonth: "Mês passado",
  thisYear: "Este ano",
  fromDay: "De",
  toDay: "Até",
  downloadCsv: "CSV",
  downloadCsvOfShown: "Baixar em CSV o que é mostrado",
  columnDue: "Vencimento",
  stateNotSent: "Não enviada",
  leftToPay: "resta {amount}",
  paidTooMuch: "{amount} a mais",
  sumInAll: "{count} no total, {sum} USDC",
  sumHere: "{sum} USDC nesta página",
  foundMany: "Esta busca se limita aos resultados mais recentes: {count}.",
  toNewest: "Mais recentes",
  toOlder: "Mais antigas",

  noInvoices: "Sua primeira fatura leva um minuto",
  noInvoicesText:
    "Escreva o que você fez e para quem. Seu cliente recebe um e-mail com uma página de pagamento, e você vê aqui quando o dinheiro chega.",
  orLink: "Ou um link de pagamento",
  nothingFound: "Nenhum resultado para “{query}”",
  nothingFoundText:
    "Você pode buscar pelo começo de cliente, e-mail, número, referência ou valor, ou por um endereço de depósito ou transação inteiros.",
  nothingOfKind: "Nenhuma",
  nothingOfKindText: "Nenhuma fatura corresponde à escolha acima.",
  showAllInvoices: "Mostrar todas as faturas",
  noDrafts: "Nenhum rascunho",
  noDraftsText:
    "Uma fatura salva antes de ficar pronta espera aqui. Ela ainda não tem número e ninguém a viu.",
  draftsCaption: "Rascunhos",
  columnChanged: "Alterado",
  unnamedDraft: "Ainda sem cliente",
  didSaveDraft: "O rascunho foi salvo.",
  didDropDraft: "O rascunho foi descartado.",
};
