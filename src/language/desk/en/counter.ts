import type { TextsOf } from "../texts.ts";

/** The counter: the screen that a customer pays at. */
export const counter = {
  counterToPay: "To pay",
  counterWhat: "What for",
  counterWhatHint: "What for (optional)",
  counterKeys: "Keypad",
  counterErase: "Erase",
  counterCharge: "Charge {amount}",
  counterNothing: "Type an amount first.",
  counterWhatFault: "Use one line of plain text, up to 120 characters.",
  counterLeave: "Leave the counter",
  counterSound: "Sound when it is paid",
  counterOffline: "Not sent: Till cannot be reached. Nothing was lost, try again.",
  counterDay: "Today at the counter",
  counterDayNone: "Nothing yet today.",
  counterCancelled: "Cancelled",
  counterLateTitle: "{amount} USDC came after the payment was cancelled.",
  counterLateText: "Nobody owed it. Give it back, or keep it if it was meant for you.",
  counterShow: "Show",
  counterNobody: "Who is paid?",
  counterNobodyText:
    "The counter needs your shop’s name and an email address. Add them in the settings, and everybody can charge from here.",
  counterToSettings: "Open the settings",

  counterCancel: "Cancel",
  counterNext: "Next customer",
  counterWaiting: "Waiting for the payment",
  counterSeenText: "{amount} USDC seen. Wait until it is confirmed.",
  counterPartlyText: "{received} of {total} USDC received. This code asks for the rest.",
  counterPartSeenText: "{amount} USDC is on its way. This code asks for the rest.",
  counterTakenBackText:
    "The network took a confirmed payment back. It often returns by itself: wait before anybody pays twice.",
  counterByWallet: "Wallet app",
  counterByCamera: "Camera",
  counterByHand: "By hand",
  counterCodeCamera: "QR code of the payment page, for a camera",
  counterWalletText: "**USDC on {network} only.** Scan with your wallet app: it fills in everything.",
  counterCameraText: "Scan with the camera: it opens the payment page.",
  counterHandText: "Send exactly this amount of USDC on {network} to this address.",
  counterAddress: "Address",

  counterExcess: "{excess} USDC more than {total} USDC came. Give the difference back, or keep it as a tip.",
  counterReceipt: "Send a receipt",
  counterReceiptPdf: "Receipt (PDF)",
  counterReceiptTo: "Customer’s email address",
  counterReceiptFault: "Enter an email address such as name@example.com.",
  counterCancelledText: "Nothing is owed. The customer’s page says so, too.",

  counterVoidReason: "Cancelled at the counter.",
  didCancelSale: "The payment was cancelled.",
  didSendReceipt: "The receipt is on its way.",
  didFindReceiptSent: "A receipt for this payment was already sent.",
} as const;

export type CounterTexts = TextsOf<typeof counter>;
