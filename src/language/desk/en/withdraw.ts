/** The way out of Till's wallet. */
export const withdrawal = {
  withdrawLine: "From Till’s wallet to an address that was allowed before.",
  withdrawFrom: "From",
  withdrawAmount: "Amount",
  withdrawAtMost: "At most {amount}",
  withdrawAll: "All of it",
  withdrawTo: "To",
<<<<<<< HEAD
  neverUsed: "Never used",
  addressLastUsed: "Last used {when}",
=======
  withdrawNever: "Never used",
  withdrawLast: "Last used {when}",
>>>>>>> 2f2697d (Show the profile, the webhooks and the health of Till at the desk; move money only with a proof)
  allowedHow:
    "Addresses are allowed on the machine itself, with {command}. Whoever gets into this desk can send your money to nobody but you.",
  goOn: "Continue",
  cancel: "Cancel",
  noneAllowed: "First allow an address",
  noneAllowedText:
    "Money leaves Till’s wallet only for addresses that were allowed on the machine itself. Run this there, with an address of your own:",
  noneAllowedThen: "Then come back to this page.",
  walletEmpty: "Nothing to withdraw",
  walletEmptyText: "There is no USDC in Till’s wallet. Payments arrive here when they are settled.",
  isUnderWay: "A withdrawal from this wallet is under way. The next one can begin when it has ended.",
  showIt: "Show it",
  moreWallets: "There are more wallets than can be shown. For the others use {command}.",

  withdrawFaultAmount:
    "Write an amount of USDC such as 750.00, with at most two decimals and no other characters.",
  withdrawFaultTooMuch: "There are {amount} USDC in this wallet.",
  withdrawFaultNothing: "Nothing is in this wallet.",
  withdrawFaultTo: "Choose an address. Only those that were allowed can be used.",
  withdrawFaultFrom: "Choose a wallet.",
  withdrawFaultPlan: "It cannot be withdrawn. {reason}",
  withdrawFaultGas: "The gas account cannot pay the fee. Send at least {eth} ETH there, then come back.",
  withdrawFaultBegin: "Nothing was withdrawn. {reason}",
  withdrawFaultForm: "This page was open for too long. Nothing was withdrawn: begin again.",

  confirmTitle: "Withdraw {amount} USDC?",
  confirmLine: "A transfer on {network} cannot be called back. Compare the address with your wallet.",
  confirmTo: "To {name}",
  confirmReceives: "They receive",
  confirmFee: "Fee, from the gas account",
  confirmFeeAbout: "About {eth} ETH",
  confirmFeeMost: "Never more than {eth} ETH",
  confirmLeft: "Left in Till’s wallet",
  confirmBack: "Back",
  confirmButton: "Withdraw",
  confirmWithPasskey: "Confirm with passkey",

  oneWithdrawal: "Withdrawal",
  stateBegun: "Being prepared",
  stateSent: "On its way",
  stateDone: "Withdrawn",
  stateFailed: "Not withdrawn",
  begunText: "Till writes it down, then sends it. You can close this page: it goes on by itself.",
  sentText: "It is on the chain’s way. You can close this page: it goes on by itself.",
  doneText: "The money is there.",
  failedExpired: "The chain did not take it within the hour it was good for. Nothing was moved.",
  failedCancelled:
    "Somebody who has the recovery words cancelled it. Nothing was moved. If that was not you, move your money to another wallet now.",
  failedReplaced:
    "Somebody who has the recovery words used its number for another payment. If that was not you, move your money to another wallet now.",
  waitsFor: "It waits. {reason}",
  happensBefore: "It happens before {when} or not at all.",
  ofCommandLine: "It was begun on the command line. {command} continues it.",
  withdrawnFrom: "From",
  withdrawnBegun: "Begun",
  withdrawnWith: "Transaction",
  didWithdraw: "The withdrawal is on its way.",
} as const;
