import type { links as english } from "../en/links.ts";
import type { TextsOf } from "../texts.ts";

/** Payment links. */
export const links: TextsOf<typeof english> = {
  linkOpen: "Aberto",
  linkSeen: "A caminho",
  linkPartly: "Pago parcialmente",
  linkPaid: "Pago",
  linkOverpaid: "Pago a mais",
  linkMarked: "Pago por outro meio",
  linkProblem: "Problema com o pagamento",
  linkVoid: "Cancelado",
  linkEnded: "Encerrado",

  linksShow: "Mostrar",
  linksAll: "Todos",
  linksOpen: "Abertos",
  linksPaid: "Pagos",
  linksEnded: "Encerrados",
  linksCounter: "Caixa",
  linksMany: "{count}+",
  linksCaption: "Links de pagamento, dos mais recentes aos mais antigos",
  linksSearch: "Buscar links",
  linksSearchHint: "Descrição, referência, endereço, transação",
  linksLink: "Link",
  linksState: "Estado",
  linksMade: "Criado",
  linksPrice: "Preço",
  linksReceived: "Recebido (USDC)",
  linksNothingYet: "ainda nada",
  linksNone: "Receba com um link",
  linksNoneText:
    "Envie-o em uma mensagem, imprima-o como código QR ou coloque-o na página da sua loja. Quem o abre paga em USDC, uma ou várias vezes, e você vê aqui.",
  linksNothingHere: "Nenhum link assim",
  linksNothingHereText: "Há links, mas nenhum deste tipo.",
  linksNothingFound: "Nenhum resultado",
  linksNothingFoundText:
    "A busca encontra palavras da descrição ou da referência, um endereço inteiro, o começo de uma transação e o final de um link.",
  linksShowAll: "Mostrar todos os links",

  linkOnce: "Uma vez",
  linkAgain: "Várias vezes",
  linkOncePart: "Um pagamento de um link",
  linkUntil: "{kind}, fim: {day}",
  linkPaidTimes: "{kind} · Pagos: {count}",
  linkFrom: "De {min} a {max}",
};
