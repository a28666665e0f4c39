import type { credit as english } from "../en/credit.ts";
import type { TextsOf } from "../texts.ts";

export const credit: TextsOf<typeof english> = {
  creditNote: "Nota de crédito",
  creditNotes: "Notas de crédito",
  creditNoteNumberLabel: "Número da nota de crédito",
  ofInvoice: "Da fatura",
  creditSubject: "Nota de crédito {number} de {merchant}",
  creditHeading: "Nota de crédito {number}",
  creditSentence: "{name} creditou-lhe este valor.",
  creditedAmount: "Creditado",
  creditStillDue: "Faltam pagar {amount} da fatura {number}.",
  creditNothingDue: "Não falta pagar nada da fatura {number}.",
  creditReturn: "Desse valor, {amount} já estavam pagos: {merchant} deve-os a você.",
  creditInvoice: "Creditar",
  creditInvoiceHeading: "Creditar a fatura {number}",
  creditExplained:
    "Uma nota de crédito anula uma fatura inteira ou uma parte dela. Tem um número próprio e nunca muda.",
  creditByLines: "Linhas e quanto delas",
  creditByAmounts: "Ou valores, com o imposto",
  creditAllLeft: "Tudo o que resta: {amount}",
  creditAmountLeft: "no máximo {amount}",
  creditCheck: "Ver a soma",
  creditMake: "Criar a nota de crédito",
  creditMailIt: "Enviar ao cliente por e-mail",
  creditThenDue: "O cliente ainda terá {amount} a pagar.",
  creditThenNothing: "O cliente não terá mais nada a pagar.",
  creditToReturn: "Desse valor, {amount} já estão pagos. Quem os devolve ao cliente é você.",
  creditNotesNone: "Ainda não há notas de crédito. Elas são criadas na página de uma fatura.",
};
