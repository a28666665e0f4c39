import type { withdrawal as english } from "../en/withdraw.ts";
import type { TextsOf } from "../texts.ts";

/** The way out of Till's wallet. */
export const withdrawal: TextsOf<typeof english> = {
  withdrawLine: "Da carteira do Till para um endereço já autorizado.",
  withdrawFrom: "De",
  withdrawAmount: "Valor",
  withdrawAtMost: "No máximo {amount}",
  withdrawAll: "Tudo",
  withdrawTo: "Para",
  neverUsed: "Nunca usado",
  addressLastUsed: "Último uso: {when}",
  allowedHow:
    "Os endereços são autorizados na própria máquina, com {command}. Quem invadir este painel só consegue enviar o seu dinheiro para você.",
  goOn: "Continuar",
  cancel: "Cancelar",
  noneAllowed: "Autorize primeiro um endereço",
  noneAllowedText:
    "O dinheiro só sai da carteira do Till para endereços autorizados na própria máquina. Execute lá este comando, com um endereço seu:",
  noneAllowedThen: "Depois volte a esta página.",
  walletEmpty: "Nada a sacar",
  walletEmptyText: "Não há USDC na carteira do Till. Os pagamentos chegam aqui quando são transferidos.",
  isUnderWay: "Há um saque em andamento desta carteira. O próximo pode começar quando ele terminar.",
  showIt: "Ver",
  moreWallets: "Há mais carteiras do que é possível mostrar. Para as outras, use {command}.",

  withdrawFaultAmount:
    "Digite um valor em USDC como 750,00, com no máximo duas casas decimais e sem outros caracteres.",
  withdrawFaultTooMuch: "Esta carteira contém {amount} USDC.",
  withdrawFaultNothing: "Esta carteira está vazia.",
  withdrawFaultTo: "Escolha um endereço. Só os autorizados podem ser usados.",
  withdrawFaultFrom: "Escolha uma carteira.",
  withdrawFaultPlan: "Não é possível sacar. {reason}",
  withdrawFaultGas:
    "A conta de taxas não consegue pagar a taxa. Envie para ela pelo menos {eth} ETH e depois volte.",
  withdrawFaultBegin: "Nada foi sacado. {reason}",
  withdrawFaultForm: "Esta página ficou aberta por tempo demais. Nada foi sacado: comece de novo.",

  confirmTitle: "Sacar {amount} USDC?",
  confirmLine: "Um envio na rede {network} não pode ser desfeito. Compare o endereço com a sua carteira.",
  confirmTo: "Para {name}",
  confirmReceives: "Recebe",
  confirmFee: "Taxa, da conta de taxas",
  confirmFeeAbout: "Cerca de {eth} ETH",
  confirmFeeMost: "Nunca mais de {eth} ETH",
  confirmLeft: "Fica na carteira do Till",
  confirmBack: "Voltar",
  confirmButton: "Sacar",
  confirmWithPasskey: "Confirmar com chave de acesso",

  oneWithdrawal: "Saque",
  stateBegun: "Em preparação",
  stateSent: "A caminho",
  stateDone: "Sacado",
  stateFailed: "Não sacado",
  begunText: "O Till registra o saque e depois o envia. Você pode fechar esta página: ele continua sozinho.",
  sentText: "O saque está a caminho na rede. Você pode fechar esta página: ele continua sozinho.",
  doneText: "O dinheiro chegou.",
  failedExpired: "A rede não o aceitou na hora em que era válido. Nada foi movido.",
  failedCancelled:
    "Alguém que tem as palavras de recuperação o cancelou. Nada foi movido. Se não foi você, mova agora seu dinheiro para outra carteira.",
  failedReplaced:
    "Alguém que tem as palavras de recuperação usou o número dele para outro pagamento. Se não foi você, mova agora seu dinheiro para outra carteira.",
  waitsFor: "Em espera. {reason}",
  happensBefore: "Prazo: {when}. Depois disso, não acontece mais.",
  ofCommandLine: "Iniciado na linha de comando. {command} dá continuidade.",
  withdrawnFrom: "De",
  withdrawnBegun: "Iniciado",
  withdrawnWith: "Transação",
  didWithdraw: "O saque foi iniciado.",
};
