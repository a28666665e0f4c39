/** Texts for payments by signature, where the payer pays no network fee, and for phone wallets. */
export const signing = {
  signWith: "Pay with {wallet}, no fee",
  cannotSign: "This wallet could not sign the payment. Nothing was sent. Please use the other button.",
  notHandedOver:
    "The server could not be reached. Please try again in a minute: signing again does not pay twice.",
  signHint: "The recipient pays the network fee. **Your signature is the payment.**",
  paymentSigned: "Payment signed",
  saySigned: "A signed payment of {amount} USDC is on its way.",
  signedOnItsWay:
    "**This payment has been signed and is on its way.** You don't need to do anything else: this page will show it as paid once it is confirmed.",
  signedFailed: "**The signed payment did not go through.** No USDC arrived here. You can pay again.",
  signPlain:
    "The network fee cannot be paid for you right now. Nothing was sent. Please use the other button: your wallet pays the fee.",
  signUnpriced: "The exchange rate has expired. Nothing was sent. A new amount will be here in a minute.",
  signClosed: "Nothing is due here any more. Nothing was sent.",
  signBusy: "Another payment is already on its way. Nothing more was sent. Please don't pay again.",
  signAmount: "The amount due has changed. Nothing was sent. Check the new amount and try again.",
  signLate: "Signing took too long. Nothing was sent. Please try again.",
  signInvalid: "The signature could not be used. Nothing was sent. Try again, or use the other button.",
  signUndeployed:
    "This smart wallet is not set up on {network} yet, so its signature cannot be used. Nothing was sent. Please use the other button.",
  signBlocked:
    "USDC does not allow payments from this account. Nothing was sent. Please use another account.",
  signPaused:
    "USDC transfers are paused on {network} at the moment. Nothing was sent. Please try again later.",
  usdcOn: "USDC on {network}",
  openPageIn: "No ETH for the fee? Open this page in your wallet",
} as const;
