import type { link as english } from "../en/link.ts";
import type { TextsOf } from "../texts.ts";

/** One payment link. */
export const link: TextsOf<typeof english> = {
  linkLine: "{price}\u00a0USDC · {kind}",
  linkDuplicate: "Duplicar",
  linkMoreActions: "Mais ações",
  linkOpenPage: "Abrir a página de pagamento",
  linkPrint: "Imprimir o código",
  linkReceipt: "Recibo",
  linkMark: "Pago por outro meio…",
  linkUnmark: "Não foi pago por outro meio",
  linkDoVoid: "Cancelar…",
  linkDoEnd: "Encerrar este link…",

  linkSend: "Enviar",
  linkAddress: "Link da página de pagamento",
  linkEmbed: "Ou coloque na página da sua loja",
  linkCheckout: "Checkout",
  linkCheckoutText: "Cole onde o checkout deve ficar. A altura se ajusta.",
  linkFrame: "Quadro",
  linkFrameText: "Para criadores de sites que não aceitam scripts. O tamanho é fixo.",
  linkButton: "Botão",
  linkButtonText: "Um link simples que abre a página de pagamento. Dê a ele o estilo que quiser.",
  linkButtonWord: "Pagar com USDC",
  linkInPage: "Na sua página",
  linkOpenIt: "Abrir",

  linkPayments: "Pagamentos",
  linkPaymentsSum: "Pagos: {paid}, {received} USDC",
  linkBegun: "Iniciados e não pagos, não mostrados: {count}",
  linkNoPayments: "Ninguém pagou com este link ainda. Os pagamentos aparecem aqui.",
  linkVoided: "Cancelado: {reason}",

  linkAbout: "Sobre este link",
  linkFactMade: "Criado",
  linkFactEnds: "Fim",
  linkFactReference: "Sua referência",
  linkFactShop: "Loja",
  linkFactNotices: "Avisos para",
  linkFactPaidInto: "Recebido em",
  linkFactQuantity: "Unidades",
  linkFactReceipt: "Recibo para",
  linkFactSuccess: "Depois vai para",
  linkFactOrigins: "Pode ser incorporado por",
  linkFactPartOf: "Um pagamento de",
  linkFactDeposit: "Endereço de depósito",
  linkSomebody: "Alguém",
  linkToldCreated: "O link foi criado",

  linkVoidTitle: "Cancelar este link?",
  linkVoidText:
    "A página dele deixa de pedir dinheiro e diz por quê. Isso não pode ser desfeito. Se ainda assim chegar dinheiro, ele é seu e aparece aqui.",
  linkEndTitle: "Encerrar este link?",
  linkEndText:
    "Ninguém mais poderá iniciar um pagamento com ele. Os já iniciados ainda podem ser concluídos. Isso não pode ser desfeito.",
  linkVoidReason: "Motivo",
  linkVoidReasonHint: "Quem abre o link lê o motivo.",
  linkKeep: "Manter",
  linkVoidIt: "Cancelar o link",
  linkEndIt: "Encerrar o link",
  linkMarkTitle: "Este link foi pago por outro meio?",
  linkMarkText:
    "Por transferência bancária ou em dinheiro, por exemplo. Não há mais nada a pagar e a página mostra que está pago. Você pode desfazer.",

  linkPosterScan: "Leia com a câmera do celular para pagar",
  linkPosterPrint: "Imprimir",
  linkPosterCode: "Código QR da página de pagamento",

  didVoidLink: "O link foi cancelado.",
  didEndLink: "O link foi encerrado.",
  didMarkLink: "O link está marcado como pago por outro meio.",
  didUnmarkLink: "O link está aberto de novo.",
};
