import type { SigningTexts } from "./en.ts";

export const signing: SigningTexts = {
  signWith: "用 {wallet} 付款，免手续费",
  cannotSign: "此钱包未能签名。没有发送任何款项。请使用另一个按钮。",
  notHandedOver: "无法连接服务器。请一分钟后重试：再次签名不会重复付款。",
  signHint: "网络手续费由收款方支付。**签名即付款。**",
  paymentSigned: "已签名付款",
  saySigned: "已签名的 {amount} USDC 付款正在处理中。",
  signedOnItsWay: "**此付款已签名，正在处理中。**您无需再做任何操作：一旦确认，本页会显示已付款。",
  signedFailed: "**已签名的付款未成功。**没有收到 USDC。您可以重新付款。",
  signPlain: "目前无法为您支付网络手续费。没有发送任何款项。请使用另一个按钮：手续费由您的钱包支付。",
  signClosed: "此处已无需付款。没有发送任何款项。",
  signBusy: "另一笔付款正在处理中。没有再发送任何款项。请勿重复付款。",
  signAmount: "应付金额已变更。没有发送任何款项。请核对新金额后重试。",
  signLate: "签名用时过长。没有发送任何款项。请重试。",
  signInvalid: "签名无法使用。没有发送任何款项。请重试，或使用另一个按钮。",
  signUndeployed:
    "此智能钱包尚未在 {network} 网络上启用，其签名无法使用。没有发送任何款项。请使用另一个按钮。",
  signBlocked: "USDC 不允许从此账户付款。没有发送任何款项。请使用其他账户。",
  signPaused: "{network} 网络上的 USDC 转账目前已暂停。没有发送任何款项。请稍后重试。",
  usdcOn: "USDC（{network}）",
  openPageIn: "在钱包中打开本页：",
};
