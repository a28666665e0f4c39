/** Texts for payments from other networks. */
export const crossing = {
  payFromNetwork: "Pay from",
  crossWith: "Pay from {network} with {wallet}",
  crossTerms:
    "You send {amount} USDC on {network}. {fee} USDC of it is Circle’s fee for bringing the rest to {home}. Your wallet may ask twice: to allow the transfer, then for the payment.",
  crossSent:
    "Sent from {network}. It usually arrives within two minutes, at times in half an hour. You can close this page. Please don't pay again.",
  crossUnavailable:
    "Paying from {network} is not possible right now. Nothing was sent. Please try again later, or pay on {home}.",
  crossTold:
    "**A payment from {network} was reported on {time}.** It usually arrives within two minutes, at times in half an hour. You can close this page. Please don't pay again.",
  crossAttested:
    "**On its way from {network}: {amount} USDC.** Circle has confirmed it, and it usually arrives within two minutes. You can close this page. Please don't pay again.",
  crossWaiting:
    "**Not delivered yet, from {network}: {amount} USDC.** Nothing is lost, and it is tried again. Anybody can deliver it now, too, for a small network fee on {home}. Please don't pay again.",
  crossNone:
    "**Nothing was found of the payment reported from {network}.** Check in your wallet whether it went through. If it did, please contact the recipient.",
  crossOver:
    "**Never delivered, from {network}: {amount} USDC.** It is not lost, but no longer expected. Please contact the recipient.",
  deliverWith: "Deliver it with {wallet}",
  mintedFrom: "another network (newly issued USDC)",
  toldCrossed: "The payer says that they sent USDC from **{network}**: not confirmed yet",
  toldAttested: "**{amount} USDC** from {network} on its way: Circle confirmed it",
  toldCrossNone: "Nothing was found of the USDC that the payer says they sent from **{network}**",
  toldCrossOver: "**{amount} USDC** from {network} was never delivered: it is no longer expected",
} as const;
