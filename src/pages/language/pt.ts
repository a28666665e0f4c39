import type { Messages } from "./en.ts";

export const pt: Messages = {
  awaitingPayment: "A aguardar pagamento",
  overdue: "Em atraso",
  paymentSeen: "Pagamento detetado",
  partlyPaid: "Pago parcialmente",
  paid: "Pago",
  paidInExcess: "Pago a mais",
  paymentProblem: "Problema com o pagamento",

  sayOpen: "A aguardar o pagamento de {remaining} USDC.",
  sayPending: "Foi detetado um pagamento de {pending} USDC, que está a ser confirmado.",
  sayPartial: "Foram recebidos {received} de {total} USDC. Falta pagar {remaining} USDC.",
  sayPaid: "Pago. Foram recebidos {received} USDC.",
  sayExcess: "Pago. Foram recebidos {received} USDC, {excess} USDC a mais do que o pedido.",
  sayError: "Algo correu mal com este pagamento na rede. Não volte a pagar.",

  amountDue: "Valor a pagar",
  stillToPay: "Falta pagar",
  onItsWay: "Pagamento a caminho",
  dueOn: "Vence em {day}",
  wasDueOn: "Venceu em {day}",
  receivedSoFar: "Recebido até agora",
  receivedOf: "{received} de {total} USDC recebidos",

  confirmations: "Confirmações",
  confirmationsOne: "{count} de {needed} confirmação",
  confirmationsOther: "{count} de {needed} confirmações",
  notFinalYet: "Ainda não é definitivo",
  beingConfirmed: "A ser confirmado pela rede",
  waitingForFinal: "Detetado. A aguardar que a rede o torne definitivo",
  confirmingAll:
    "O seu pagamento foi detetado na rede. Não precisa de fazer mais nada: esta página mostra-o como pago assim que for confirmado.",
  confirmingPart:
    "O seu pagamento foi detetado na rede. Assim que for confirmado, esta página mostra o que falta dos {remaining} USDC.",
  delayed:
    "**Os pagamentos aparecem com atraso neste momento.** A ligação à rede está lenta. Nada se perde: um pagamento já feito aparece aqui quando a ligação voltar.",

  paidAndMore: "Pago, e mais do que o pedido",
  receivedInFull: "Recebido na totalidade. Não há mais nada a fazer.",
  differenceOfInvoice:
    "Foram pedidos {total} USDC: chegaram **{excess} USDC** a mais. Por favor, [contacte o comerciante] sobre a diferença.",
  differenceOfLink:
    "Foram pedidos {total} USDC: chegaram **{excess} USDC** a mais. Por favor, contacte a loja sobre a diferença.",
  returnToShop: "Voltar à loja",
  usedUp: "Este link já foi pago. Não o pague outra vez: outro pagamento precisa de um novo link da loja.",
  somethingWrong: "Algo correu mal",
  failed:
    "Há um problema com este pagamento na rede. **Não volte a pagar.** Se continuar assim, contacte a loja.",
  failedWait: "Esta página mostra o pagamento assim que for confirmado.",
  failedSeenAgain: "Foram novamente detetados {pending} USDC, que estão a ser confirmados.",

  howToPay: "Como pagar",
  testNetwork: "**Rede de testes.** Pague apenas com USDC de teste. Não envie dinheiro real.",
  whereFrom: "De onde vai pagar?",
  wallet: "Carteira",
  scan: "Ler código",
  exchange: "Corretora ou outra carteira",
  noWallet: "Não tem uma carteira neste navegador? Leia o código com o telemóvel.",
  walletHint:
    "A sua carteira abre com o endereço, o valor e a rede preenchidos: compare\u2011os com os indicados abaixo.",
  qrOfPayment: "Código QR deste pagamento, para uma aplicação de carteira",
  qrOfAddress: "Código QR do endereço de depósito",
  scanHint:
    "Leia o código com uma aplicação de carteira. Ela preenche o endereço, o valor e a rede: compare\u2011os com os indicados abaixo.",
  openWallet: "Abrir na carteira",
  exchangeNetwork: "Envie ou levante **USDC** e escolha **{network}** como rede.",
  exchangeAddress: "Leia o código ou cole o endereço de depósito abaixo.",
  exchangeAmount:
    "Têm de chegar exatamente {amount} USDC. Se a corretora descontar a taxa do levantamento, some a taxa.",
  amount: "Valor",
  depositAddress: "Endereço de depósito",
  onlyNetwork:
    "**Apenas USDC na {network}.** Qualquer outra coisa enviada para este endereço pode ser perdida.",

  copy: "Copiar",
  copied: "Copiado",
  notCopied: "Não copiado",
  copyAmount: "Copiar o valor",
  amountCopied: "Valor copiado",
  amountNotCopied: "Não foi possível copiar o valor. Selecione-o e copie-o à mão.",
  copyAddress: "Copiar o endereço de depósito",
  addressCopied: "Endereço de depósito copiado",
  addressNotCopied: "Não foi possível copiar o endereço de depósito. Selecione-o e copie-o à mão.",

  payment: "Pagamento",
  payments: "Pagamentos",
  smallerPayments: "Pagamentos menores que não são mostrados: {count}",
  confirmed: "Confirmado",
  transactionInExplorer: "Transação {hash} no explorador",

  invoiceNumber: "Fatura {number}",
  invoiceFrom: "Fatura {number} de {merchant}",
  invoiceDetails: "Detalhes da fatura",
  from: "De",
  to: "Para",
  issued: "Emitida em",
  due: "Vencimento",
  description: "Descrição",
  amountInUsdc: "Valor (USDC)",
  total: "Total",
  notes: "Notas",
  downloadPdf: "Descarregar PDF",
  contactMerchant: "Contactar o comerciante",
  payTo: "Pagar a",
  receipt: "Recibo",
  transaction: "Transação",

  footnote:
    "Esta página atualiza-se sozinha. Não precisa de conta para pagar, e ninguém lhe pedirá uma palavra-passe ou uma frase de recuperação.",
  language: "Idioma",
  connectionLost: "Ligação perdida, a tentar de novo…",
  connectedAgain: "Ligado de novo.",
  hostedBy: "Serviço de {brand}",
  openYourLink: "Para pagar uma fatura, abra o link que recebeu.",

  payWith: "Pagar com {wallet}",
  confirmInWallet: "Confirme o pagamento em {wallet}.",
  sent: "Enviado. Aparece aqui assim que a rede o tiver.",
  noAccount: "A carteira não oferece nenhuma conta para pagar.",
  unknownNetwork: "A carteira não conhece a {network}. Adicione-a (ID da rede {chainId}) e tente de novo.",
  otherNetwork: "A carteira está noutra rede. Mude-a para {network} e tente de novo.",
  tooLittle: "Esta conta tem menos USDC na {network} do que o valor a pagar.",
  declined: "Recusado na carteira. Nada foi enviado.",
  unauthorized: "A carteira não deixa esta página ver uma conta. Permita-o na carteira e tente de novo.",
  requestPending: "A carteira já tem um pedido aberto. Abra a carteira e conclua-o lá.",
  walletFailed:
    "A carteira não conseguiu enviar o pagamento. Verifique na carteira que nada foi enviado antes de tentar de novo.",
  noFee:
    "A carteira não conseguiu enviar o pagamento: esta conta não tem ETH na {network} para a taxa. Verifique na carteira que nada foi enviado antes de tentar de novo.",
  reverted:
    "A rede não executou este pagamento. Nada foi pago. Verifique a sua conta na carteira antes de tentar de novo.",

  invoiceNotFound: "Fatura não encontrada",
  invoiceNotFoundText:
    "Não há nenhuma fatura neste endereço. Verifique se o link está completo ou peça um novo a quem o enviou.",
  linkNotFound: "Link de pagamento não encontrado",
  linkNotFoundText:
    "Não há nenhum link de pagamento neste endereço. Verifique se o link está completo ou peça um novo à loja.",
  pageNotFound: "Página não encontrada",
  pageNotFoundText: "Não há nada neste endereço.",
  tooManyRequests: "Demasiados pedidos",
  tooManyRequestsText: "Volte dentro de {seconds} s.",
  requestFailed: "Ocorreu um erro",
  requestFailedText: "Tente novamente dentro de um minuto.",
};
