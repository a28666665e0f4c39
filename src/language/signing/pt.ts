import type { SigningTexts } from "./en.ts";

export const signing: SigningTexts = {
  signWith: "Pagar com {wallet}, sem taxa",
  cannotSign: "Esta carteira não conseguiu assinar o pagamento. Nada foi enviado. Use o outro botão.",
  notHandedOver:
    "Não foi possível falar com o servidor. Tente de novo em um minuto: assinar outra vez não paga em dobro.",
  signHint: "Quem recebe paga a taxa de rede. **Sua assinatura é o pagamento.**",
  paymentSigned: "Pagamento assinado",
  saySigned: "Pagamento assinado de {amount} USDC, a caminho.",
  signedOnItsWay:
    "**Este pagamento foi assinado e está a caminho.** Não é preciso fazer mais nada: assim que for confirmado, esta página o mostrará como pago.",
  signedFailed: "**O pagamento assinado não foi concluído.** Nenhum USDC chegou. Você pode pagar de novo.",
  signPlain:
    "No momento, não é possível cobrir a taxa de rede. Nada foi enviado. Use o outro botão: a sua carteira paga a taxa.",
  signClosed: "Não há mais nada a pagar aqui. Nada foi enviado.",
  signBusy: "Outro pagamento já está a caminho. Nada mais foi enviado. Não pague de novo.",
  signAmount: "O valor a pagar mudou. Nada foi enviado. Confira o novo valor e tente de novo.",
  signLate: "A assinatura demorou demais. Nada foi enviado. Tente de novo.",
  signInvalid: "Não foi possível usar a assinatura. Nada foi enviado. Tente de novo ou use o outro botão.",
  signUndeployed:
    "Esta carteira inteligente ainda não está ativa na rede {network}, e sua assinatura não vale. Nada foi enviado. Use o outro botão.",
  signBlocked: "O USDC não permite pagamentos desta conta. Nada foi enviado. Use outra conta.",
  signPaused:
    "No momento, a rede {network} não aceita transferências de USDC. Nada foi enviado. Tente mais tarde.",
  usdcOn: "USDC na {network}",
  openPageIn: "Abra esta página na sua carteira:",
};
