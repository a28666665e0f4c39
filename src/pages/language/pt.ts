import type { Messages } from "./en.ts";

export const pt: Messages = {
  awaitingPayment: "Aguardando pagamento",
  overdue: "Em atraso",
  paymentSeen: "Pagamento detectado",
  partlyPaid: "Pago parcialmente",
  paid: "Pago",
  paidInExcess: "Pago a mais",
  paymentProblem: "Problema com o pagamento",

  sayOpen: "Aguardando o pagamento de {remaining} USDC.",
  sayPending: "Pagamento de {pending} USDC detectado, em confirmação.",
  sayPartial: "Recebido: {received} de {total} USDC. Falta pagar: {remaining} USDC.",
  sayPaid: "Pago. Recebido: {received} USDC.",
  sayExcess: "Pago. Recebido: {received} USDC, {excess} USDC a mais do que o valor devido.",
  sayError: "Algo deu errado com este pagamento na rede. Não pague de novo.",

  amountDue: "Valor a pagar",
  stillToPay: "Falta pagar",
  onItsWay: "Pagamento a caminho",
  dueOn: "Vence em {day}",
  wasDueOn: "Venceu em {day}",
  receivedSoFar: "Recebido até agora",
  receivedOf: "Recebido: {received} de {total} USDC",

  confirmations: "Confirmações",
  confirmationsOne: "{count} de {needed} confirmação",
  confirmationsOther: "{count} de {needed} confirmações",
  notFinalYet: "Ainda não é definitivo",
  beingConfirmed: "Em confirmação pela rede",
  waitingForFinal: "Detectado. Aguardando a confirmação definitiva da rede",
  confirmingAll:
    "Seu pagamento foi detectado na rede. Não é preciso fazer mais nada: assim que for confirmado, esta página o mostrará como pago.",
  confirmingPart:
    "Seu pagamento foi detectado na rede. Assim que for confirmado, esta página mostrará quanto falta pagar de {remaining} USDC.",
  delayed:
    "**Os pagamentos estão aparecendo com atraso.** A conexão com a rede está lenta. Nada se perde: seu pagamento aparecerá aqui quando a conexão voltar.",

  paidAndMore: "Pago a mais",
  receivedInFull: "Valor recebido integralmente. Não é preciso fazer mais nada.",
  differenceOfInvoice:
    "O valor devido era de {total} USDC, e o excedente é de **{excess} USDC**. Por favor, [fale com o vendedor] sobre a diferença.",
  differenceOfLink:
    "O valor devido era de {total} USDC, e o excedente é de **{excess} USDC**. Por favor, fale com a loja sobre a diferença.",
  returnToShop: "Voltar para a loja",
  usedUp: "Este pagamento já foi feito. Não pague de novo: para outro pagamento, peça um novo link à loja.",
  somethingWrong: "Algo deu errado",
  failed:
    "Há um problema com este pagamento na rede. **Não pague de novo.** Se o problema persistir, fale com a loja.",
  failedWait: "Esta página mostrará o pagamento assim que for confirmado.",
  failedSeenAgain: "Detectado novamente: {pending} USDC, em confirmação.",

  howToPay: "Como pagar",
  testNetwork: "**Rede de testes.** Pague apenas com USDC de teste. Não envie dinheiro real.",
  testNetworkName: "{network}, rede de testes",
  whereFrom: "Como você quer pagar?",
  wallet: "Carteira",
  scan: "Ler código",
  exchange: "Corretora ou outra carteira",
  noWallet: "Não tem uma carteira neste navegador? Leia o código com o celular.",
  walletHint:
    "Sua carteira abre com o endereço, o valor e a rede preenchidos: confira se correspondem aos dados abaixo.",
  qrOfPayment: "Código QR deste pagamento, para um aplicativo de carteira",
  qrOfAddress: "Código QR do endereço de depósito",
  scanHint:
    "Leia o código com um aplicativo de carteira. Ele preenche o endereço, o valor e a rede: confira se correspondem aos dados abaixo.",
  openWallet: "Abrir na carteira",
  exchangeNetwork: "Saque ou envie **USDC** e escolha a rede **{network}**.",
  exchangeAddress: "Leia o código ou cole o endereço de depósito abaixo.",
  exchangeAmount:
    "O valor recebido deve ser exatamente {amount} USDC. Se a corretora descontar a taxa do saque, some a taxa ao valor sacado.",
  amount: "Valor",
  depositAddress: "Endereço de depósito",
  onlyNetwork:
    "**Apenas USDC na rede {network}.** Qualquer outra coisa enviada para este endereço pode ser perdida.",

  copy: "Copiar",
  copied: "Copiado",
  notCopied: "Não copiado",
  copyAmount: "Copiar o valor",
  amountCopied: "Valor copiado",
  amountNotCopied: "Não foi possível copiar o valor. Selecione-o e copie-o manualmente.",
  copyAddress: "Copiar o endereço de depósito",
  addressCopied: "Endereço de depósito copiado",
  addressNotCopied: "Não foi possível copiar o endereço de depósito. Selecione-o e copie-o manualmente.",

  payment: "Pagamento",
  payments: "Pagamentos",
  smallerPayments: "Pagamentos menores não mostrados:\u00a0{count}",
  confirmed: "Confirmado",
  transactionInExplorer: "Transação {hash} no explorador",

  invoiceNumber: "Fatura {number}",
  invoiceFrom: "Fatura {number} de {merchant}",
  invoiceDetails: "Detalhes da fatura",
  billedBy: "Emissor",
  billedTo: "Cliente",
  issueDate: "Data de emissão",
  dueDate: "Vencimento",
  description: "Descrição",
  amountInUsdc: "Valor (USDC)",
  total: "Total",
  notes: "Observações",
  downloadPdf: "Baixar PDF",
  contactMerchant: "Falar com o vendedor",
  payTo: "Pagar a",
  receipt: "Recibo",
  transaction: "Transação",

  footnote:
    "Esta página é atualizada automaticamente. Não é preciso ter conta para pagar. Nunca informe aqui uma senha ou frase de recuperação.",
  language: "Idioma",
  connectionLost: "Conexão perdida. Tentando novamente…",
  connectedAgain: "Conexão restabelecida.",
  hostedBy: "Hospedado por {brand}",
  openYourLink: "Para pagar uma fatura, abra o link que você recebeu.",

  payWith: "Pagar com {wallet}",
  confirmInWallet: "Confirme o pagamento na carteira {wallet}.",
  sent: "Enviado. O pagamento aparecerá aqui assim que a rede o registrar.",
  noAccount: "Esta carteira não tem nenhuma conta para pagar.",
  unknownNetwork:
    "A rede {network} não está configurada na carteira. Adicione-a (ID da cadeia {chainId}) e tente de novo.",
  otherNetwork: "A carteira está em outra rede. Mude para {network} e tente de novo.",
  tooLittle: "Esta conta não tem USDC suficiente na rede {network}.",
  declined: "Recusado na carteira. Nada foi enviado.",
  unauthorized: "A carteira não deu acesso a nenhuma conta. Permita o acesso na carteira e tente de novo.",
  requestPending: "Já há uma solicitação aguardando na carteira. Aprove ou recuse lá.",
  walletFailed:
    "A carteira não conseguiu enviar o pagamento. Antes de tentar de novo, verifique na carteira se nada foi enviado.",
  noFee:
    "A carteira não conseguiu enviar o pagamento: esta conta não tem ETH na rede {network} para a taxa. Antes de tentar de novo, verifique na carteira se nada foi enviado.",
  reverted:
    "A transação falhou na rede. Nenhum USDC foi enviado, mas a taxa de rede pode ter sido cobrada. Verifique sua conta na carteira antes de tentar de novo.",

  invoiceNotFound: "Fatura não encontrada",
  invoiceNotFoundText:
    "Não há nenhuma fatura neste link. Verifique se o link está completo ou peça um novo a quem o enviou.",
  linkNotFound: "Link de pagamento não encontrado",
  linkNotFoundText:
    "Este link de pagamento não existe. Verifique se o link está completo ou peça um novo à loja.",
  pageNotFound: "Página não encontrada",
  pageNotFoundText: "Esta página não existe.",
  tooManyRequests: "Muitas solicitações",
  tooManyRequestsText: "Tente novamente em {seconds} s.",
  requestFailed: "Algo deu errado",
  requestFailedText: "Tente novamente em um minuto.",

  payWithUsdc: "Pagar com USDC",
  formMissing: "O formulário de pagamento não foi carregado.",
  openPayment: "Abrir a página de pagamento",
  slugMissing: "Falta o link de pagamento.",
};
