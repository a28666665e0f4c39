import type { books as english } from "../en/books.ts";
import type { TextsOf } from "../texts.ts";

/** Files for whoever keeps the books. */
export const books: TextsOf<typeof english> = {
  settingsBooks: "Contabilidade",
  settingsBooksText: "Arquivos para quem cuida da sua contabilidade",
  booksTake: "Baixar",
  booksTakeText:
    "Escolha os dias e depois um arquivo. Sem dias, ele contém tudo. Cada um abre em uma planilha.",
  booksInvoices: "Faturas",
  booksItems: "Itens",
  booksTaxes: "Imposto por fatura",
  booksTaxSums: "Totais de impostos",
  booksPayments: "Pagamentos",
  booksSettlements: "Liquidações",
  booksFees: "Taxas de rede",
  booksValue:
    "Cada pagamento diz quanto valia em {currency}, segundo quem e quando. O que ninguém sabia fica vazio.",
  booksNoValue:
    "Defina TILL_BOOKKEEPING_CURRENCY como EUR ou USD, e cada pagamento dirá quanto valia ao chegar.",
  booksXero: "Xero",
  booksXeroText:
    "Faturas de venda nas colunas do modelo do Xero, com as notas de crédito em linhas negativas: escolha lá “sem impostos” e confira o que foi feito da primeira nota de crédito. Escreva como seus livros chamam a conta e cada imposto, exatamente como o Xero mostra. Faturas anuladas sem nota de crédito ficam de fora, e as em USDC também, a menos que para você 1 USDC conte como 1 USD.",
  booksAccount: "Conta de vendas",
  booksNoTax: "Sem imposto",
  booksFile: "Baixar para o Xero",
  didSaveBooks: "Salvo.",
  booksCodeFault: "Escreva como o Xero chama isso.",
};
