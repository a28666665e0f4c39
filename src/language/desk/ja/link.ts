import type { link as english } from "../en/link.ts";
import type { TextsOf } from "../texts.ts";

export const link: TextsOf<typeof english> = {
  linkLine: "{kind} · {price} USDC",
  linkDuplicate: "複製",
  linkMoreActions: "その他の操作",
  linkOpenPage: "お支払いページを開く",
  linkPrint: "コードを印刷",
  linkReceipt: "領収書",
  linkMark: "別の方法で支払い済み…",
  linkUnmark: "別の方法での支払い記録を取り消す",
  linkDoVoid: "無効にする…",
  linkDoEnd: "リンクを終了する…",

  linkSend: "リンクを送る",
  linkAddress: "お支払いページの URL",
  linkEmbed: "ショップのページに埋め込む",
  linkCheckout: "お支払いフォーム",
  linkCheckoutText: "表示したい場所に貼り付けてください。高さは自動で調整されます。",
  linkFrame: "フレーム",
  linkFrameText: "スクリプトを使えないサイト作成サービス用です。サイズは固定です。",
  linkButton: "ボタン",
  linkButtonText: "お支払いページを開く通常のリンクです。デザインは自由に変えられます。",
  linkButtonWord: "USDC で支払う",
  linkInPage: "ページでの表示例",
  linkOpenIt: "開く",

  linkPayments: "入金",
  linkPaymentsSum: "支払い済み：{paid} 件、{received} USDC",
  linkBegun: "表示していない未完了のお支払い：{count} 件",
  linkNoPayments: "このリンクでのお支払いはまだありません。お支払いがあると、ここに表示されます。",
  linkVoided: "無効：{reason}",

  linkAbout: "このリンクについて",
  linkFactMade: "作成日",
  linkFactEnds: "終了日",
  linkFactReference: "自社の参照番号",
  linkFactShop: "ショップ",
  linkFactNotices: "通知先",
  linkFactPaidInto: "受取先",
  linkFactQuantity: "個数",
  linkFactReceipt: "領収書の送付先",
  linkFactSuccess: "支払い後の移動先",
  linkFactOrigins: "埋め込みを許可",
  linkFactPartOf: "元のリンク",
  linkFactDeposit: "入金アドレス",
  linkSomebody: "お客様",
  linkToldCreated: "リンクを作成しました",

  linkVoidTitle: "このリンクを無効にしますか？",
  linkVoidText:
    "ページでの請求が止まり、理由が表示されます。この操作は元に戻せません。その後に入金があった場合も、あなたの資金としてここに表示されます。",
  linkEndTitle: "このリンクを終了しますか？",
  linkEndText:
    "新しいお支払いは始められなくなります。すでに始まったお支払いは完了できます。この操作は元に戻せません。",
  linkVoidReason: "理由",
  linkVoidReasonHint: "リンクを開いた人に表示されます。",
  linkKeep: "そのままにする",
  linkVoidIt: "リンクを無効にする",
  linkEndIt: "リンクを終了する",
  linkMarkTitle: "このリンクは別の方法で支払われましたか？",
  linkMarkText:
    "銀行振込や現金などの場合です。請求がなくなり、ページには支払い済みと表示されます。後から元に戻せます。",

  linkPosterScan: "スマートフォンのカメラで読み取ってお支払いください",
  linkPosterPrint: "印刷",
  linkPosterCode: "お支払いページの QR コード",

  didVoidLink: "リンクを無効にしました。",
  didEndLink: "リンクを終了しました。",
  didMarkLink: "リンクを別の方法で支払い済みと記録しました。",
  didUnmarkLink: "リンクを受付中に戻しました。",
};
