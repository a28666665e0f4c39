import type { counter as english } from "../en/counter.ts";
import type { TextsOf } from "../texts.ts";

/** The counter: the screen that a customer pays at. */
export const counter: TextsOf<typeof english> = {
  counterToPay: "A pagar",
  counterWhat: "Descrição",
  counterWhatHint: "Descrição (opcional)",
  counterKeys: "Teclado numérico",
  counterErase: "Apagar",
  counterCharge: "Cobrar {amount}",
  counterNothing: "Digite primeiro um valor.",
  counterWhatFault: "Digite uma única linha de texto simples, com no máximo 120 caracteres.",
  counterLeave: "Sair do caixa",
  counterSound: "Som ao pagar",
  counterOffline: "Não enviado: este dispositivo está offline. Nada se perdeu, tente de novo.",
  counterDay: "Hoje no caixa",
  counterDayNone: "Hoje ainda nada.",
  counterCancelled: "Cancelado",
  counterLateTitle: "Recebido depois do cancelamento: {amount} USDC.",
  counterLateText: "O valor não era devido. Devolva-o, ou fique com ele se foi intencional.",
  counterShow: "Ver",
  counterNobody: "Quem recebe?",
  counterNobodyText:
    "O caixa precisa do nome da sua loja e de um e-mail. Informe-os nas configurações e todos poderão cobrar por aqui.",
  counterToSettings: "Abrir as configurações",

  counterCancel: "Cancelar",
  counterNext: "Próximo cliente",
  counterWaiting: "Aguardando o pagamento",
  counterSeenText: "{amount} USDC detectado. Espere a confirmação.",
  counterPartlyText: "Recebido: {received} de {total} USDC. Este código cobra o restante.",
  counterPartSeenText: "{amount} USDC a caminho. Este código cobra o restante.",
  counterTakenBackText:
    "A rede reverteu um pagamento confirmado. Muitas vezes ele volta sozinho: espere antes que alguém pague duas vezes.",
  counterByWallet: "Carteira",
  counterByCamera: "Câmera",
  counterByHand: "Manual",
  counterCodeCamera: "Código QR da página de pagamento, para uma câmera",
  counterWalletText: "**Apenas USDC na rede {network}.** Leia com a sua carteira: ela preenche tudo.",
  counterCameraText: "Leia com a câmera: a página de pagamento se abre.",
  counterHandText: "Envie exatamente este valor em USDC na rede {network} para este endereço.",
  counterAddress: "Endereço",

  counterExcess:
    "{excess} USDC a mais do que os {total} USDC cobrados. Devolva a diferença ou fique com ela como gorjeta.",
  counterReceipt: "Enviar recibo",
  counterReceiptPdf: "Recibo (PDF)",
  counterReceiptTo: "E-mail do cliente",
  counterReceiptFault: "Digite um e-mail, por exemplo nome@example.com.",
  counterCancelledText: "Não há nada a pagar. A página do cliente também diz isso.",

  counterVoidReason: "Cancelado no caixa.",
  didCancelSale: "O pagamento foi cancelado.",
  didSendReceipt: "O recibo está a caminho.",
  didFindReceiptSent: "Um recibo deste pagamento já tinha sido enviado.",
};
